// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Volumes of every format, written by hand byte by byte.
#include "test_image.h"

// ---- the table ----

static void test_formats(void **state) {
    Fixture *f = *state;
    assert_string_equal(sw_image_format("a/b.nii")->suffix, ".nii");
    assert_string_equal(sw_image_format("b.NII.gz")->suffix, ".nii.gz");
    assert_string_equal(sw_image_format("x.Nhdr")->suffix, ".nhdr");
    assert_null(sw_image_format("x.gz"));
    assert_null(sw_image_format("nii"));
    assert_null(sw_image_format_at(-1));
    int n = 0;
    while (sw_image_format_at(n))
        n++;
    assert_int_equal(n, 12);
    refuse_text(f, "x.obj", "v 0 0 0",
                "suffix '.obj'; supported suffixes: .nii .nii.gz .hdr .nrrd");
    // Nothing at all is an image of no format.
    for (int i = 0; i < n; i++) {
        char name[20];
        snprintf(name, sizeof name, "x%s", sw_image_format_at(i)->suffix);
        refuse_text(f, name, "", "");
    }
    check_failed(f, sw_image_read("no/such.nrrd", &f->arena, &f->image, &f->error), "no/such.nrrd",
                 "cannot open");
}

// ---- NIfTI ----

typedef struct Nifti {
    int version;
    bool big;
    int type, bytes; // of a voxel
    int qform, sform;
} Nifti;

// A header for 2 x 3 x 1 voxels, 0.5 x 1 x 2 mm; no voxels yet.
static Bytes nifti(Nifti h) {
    Bytes b = {.big = h.big};
    bool one = h.version == 1;
    int real = one ? 4 : 8, dim = one ? 2 : 8, code = one ? 2 : 4;
    b.size = one ? 352 : 544;
    put_bits(&b, 0, one ? 348 : 540, 4);
    memcpy(b.data + (one ? 344 : 4), one ? "n+1" : "n+2", 4);
    static const int dims[8] = {3, 2, 3, 1, 1, 1, 1, 1};
    static const double pixdim[4] = {-1, 0.5, 1, 2};
    for (int i = 0; i < 8; i++)
        put_bits(&b, (size_t)((one ? 40 : 16) + i * dim), (uint64_t)dims[i], dim);
    for (int i = 0; i < 4; i++)
        put_real(&b, (size_t)((one ? 76 : 104) + i * real), pixdim[i], real);
    put_bits(&b, one ? 70 : 12, (uint64_t)h.type, 2);
    put_bits(&b, one ? 72 : 14, (uint64_t)h.bytes * 8, 2);
    if (one)
        put_real(&b, 108, 352, 4);
    else
        put_bits(&b, 168, 544, 8);
    put_bits(&b, one ? 123 : 500, 2, one ? 1 : 4);
    put_bits(&b, one ? 252 : 344, (uint64_t)h.qform, code);
    put_bits(&b, one ? 254 : 348, (uint64_t)h.sform, code);
    // A quarter turn about z and an offset; the rows say something else.
    put_real(&b, (size_t)((one ? 256 : 352) + 2 * real), sqrt(0.5), real);
    for (int i = 0; i < 3; i++)
        put_real(&b, (size_t)((one ? 268 : 376) + i * real), 10 + i, real);
    static const double rows[12] = {0, 0, 3, -7, 4, 0, 0, -8, 0, 5, 0, -9};
    for (int i = 0; i < 12; i++)
        put_real(&b, (size_t)((one ? 280 : 400) + i * real), rows[i], real);
    return b;
}

static void test_nifti_types(void **state) {
    Fixture *f = *state;
    static const struct {
        int code, bytes;
        swImageType type;
        double lo, hi;
    } types[] = {{2, 1, SW_IMAGE_U8, 0, 255},
                 {256, 1, SW_IMAGE_I8, -128, 127},
                 {512, 2, SW_IMAGE_U16, 0, 65535},
                 {4, 2, SW_IMAGE_I16, -32768, 32767},
                 {768, 4, SW_IMAGE_U32, 0, 4294967295},
                 {8, 4, SW_IMAGE_I32, -2147483648, 2147483647},
                 {16, 4, SW_IMAGE_F32, -1.5, 0x1p100},
                 {64, 8, SW_IMAGE_F64, -1e-300, 1e300},
                 {1024, 8, SW_IMAGE_I32, -2147483648, 2147483647},
                 {1280, 8, SW_IMAGE_U32, 0, 4294967295}};
    for (int t = 0; t < (int)(sizeof types / sizeof types[0]); t++)
        for (int form = 0; form < 8; form++) { // version, order, compression
            int bytes = types[t].bytes;
            Bytes b = nifti((Nifti){1 + form % 2, form & 2, types[t].code, bytes, 0, 0}), z = {0};
            for (int i = 0; i < 6; i++) {
                double v = i == 0 ? types[t].lo : i == 1 ? types[t].hi : i;
                if (types[t].type >= SW_IMAGE_F32)
                    put_real(&b, b.size, v, bytes);
                else
                    put_bits(&b, b.size, (uint64_t)(int64_t)v, bytes);
                b.size += (size_t)bytes;
            }
            if (form & 4)
                add_zipped(&z, b.data, b.size, 31);
            parse_bytes(f, form & 4 ? "x.nii.gz" : "x.nii", form & 4 ? &z : &b);
            assert_sizes(&f->image, 2, 3, 1);
            assert_int_equal(f->image.type, types[t].type);
            assert_values(&f->image, VALUES(types[t].lo, types[t].hi, 2, 3, 4, 5));
            assert_near(f->image.unit, 1e-3, 0);
            assert_false(f->image.flat);
        }
    // 64 bits that 32 cannot hold.
    Bytes b = nifti((Nifti){1, false, 1024, 8, 0, 0});
    for (int i = 0; i < 6; i++)
        add_bits(&b, i == 3 ? (uint64_t)-2147483649 : 0, 8);
    refuse_bytes(f, "x.nii", &b, "voxel (1, 1, 0) is -2147483649");
    put_bits(&b, 352 + 3 * 8, 1ull << 32, 8);
    refuse_bytes(f, "x.nii", &b, "voxel (1, 1, 0) is 4294967296");
    put_bits(&b, 70, 1280, 2);
    refuse_bytes(f, "x.nii", &b, "voxel (1, 1, 0) is 4294967296");
    put_bits(&b, 70, 128, 2);
    refuse_bytes(f, "x.nii", &b, "data type 128 (colours)");
}

static void test_nifti_place(void **state) {
    Fixture *f = *state;
    for (int form = 0; form < 4; form++) {
        Nifti h = {1 + form % 2, form & 2, 2, 1, 0, 0};
        Bytes b = nifti(h);
        b.size += 6;
        parse_bytes(f, "x.nii", &b);
        assert_vec(f->image.origin, 0, 0, 0, 0);
        assert_vec(f->image.axis[0], 0.5, 0, 0, 0);
        assert_vec(f->image.axis[1], 0, 1, 0, 0);
        assert_vec(f->image.axis[2], 0, 0, 2, 0);
        h.qform = 1; // left-handed by pixdim[0]
        b = nifti(h);
        b.size += 6;
        parse_bytes(f, "x.nii", &b);
        assert_vec(f->image.origin, 10, 11, 12, 0);
        assert_vec(f->image.axis[0], 0, 0.5, 0, 1e-7);
        assert_vec(f->image.axis[1], -1, 0, 0, 1e-7);
        assert_vec(f->image.axis[2], 0, 0, -2, 1e-7);
        h.sform = 2;
        b = nifti(h);
        b.size += 6;
        parse_bytes(f, "x.nii", &b);
        assert_vec(f->image.origin, -7, -8, -9, 0);
        assert_vec(f->image.axis[0], 0, 4, 0, 0);
        assert_vec(f->image.axis[1], 0, 0, 5, 0);
        assert_vec(f->image.axis[2], 3, 0, 0, 0);
    }
    // A half turn about x, its quaternion longer than one by rounding.
    Bytes b = nifti((Nifti){1, false, 2, 1, 1, 0});
    b.size += 6;
    put_real(&b, 256, 1.0000001, 4);
    put_real(&b, 264, 0, 4);
    put_real(&b, 76, 1, 4);
    parse_bytes(f, "x.nii", &b);
    assert_vec(f->image.axis[0], 0.5, 0, 0, 0);
    assert_vec(f->image.axis[1], 0, -1, 0, 0);
    assert_vec(f->image.axis[2], 0, 0, -2, 0);
    // Scale, units, extensions before the voxels, a fourth dimension of one.
    b = nifti((Nifti){1, false, 4, 2, 0, 0});
    put_real(&b, 108, 360, 4);
    put_real(&b, 112, 0.5, 4);
    put_real(&b, 116, -3, 4);
    b.data[123] = 3 | 8;
    put_bits(&b, 40, 4, 2);
    b.size += 8;
    for (int i = 0; i < 6; i++)
        add_bits(&b, (uint64_t)i, 2);
    parse_bytes(f, "x.nii", &b);
    assert_values(&f->image, VALUES(-3, -2.5, -2, -1.5, -1, -0.5));
    assert_near(f->image.unit, 1e-6, 0);
    b.data[123] = 0;
    put_real(&b, 112, 0, 4); // no scale
    parse_bytes(f, "x.nii", &b);
    assert_values(&f->image, VALUES(0, 1, 2, 3, 4, 5));
    assert_near(f->image.unit, 0, 0);
}

static void test_nifti_malformed(void **state) {
    Fixture *f = *state;
    Bytes good = nifti((Nifti){1, false, 4, 2, 0, 0}), b = good;
    good.size += 12;
    refuse_bytes(f, "x.nii", &b, "expected 12 bytes of voxels (2 x 3 x 1 of int16), found 0");
    b = good;
    b.size++;
    refuse_bytes(f, "x.nii", &b, "expected 12 bytes of voxels (2 x 3 x 1 of int16), found 13");
    b.size = 347;
    refuse_bytes(f, "x.nii", &b, "expected a header of 348 bytes, found 347");
    b.size = 3;
    refuse_bytes(f, "x.nii", &b, "not a NIfTI header");
    b = good;
    b.data[344] = 0;
    refuse_bytes(f, "x.nii", &b, "Analyze");
    b = good;
    b.data[345] = 'i';
    refuse_bytes(f, "x.nii", &b, "in another file, '*.img'");
    b = good;
    put_bits(&b, 40, 8, 2);
    refuse_bytes(f, "x.nii", &b, "8 dimensions");
    put_bits(&b, 40, 4, 2);
    put_bits(&b, 48, 20, 2);
    refuse_bytes(f, "x.nii", &b, "20 volumes along dimension 4");
    b = good;
    put_bits(&b, 42, 0, 2);
    refuse_bytes(f, "x.nii", &b, "size along axis 1 is 0");
    b = good;
    put_bits(&b, 42, 32767, 2);
    put_bits(&b, 44, 32767, 2);
    put_bits(&b, 46, 32767, 2);
    refuse_bytes(f, "x.nii", &b, "expected 70362301923326"); // and takes no memory for them
    b = good;
    put_real(&b, 108, 1000, 4);
    refuse_bytes(f, "x.nii", &b, "begin at byte 1000, but there are 364 bytes");
    put_real(&b, 108, NAN, 4);
    refuse_bytes(f, "x.nii", &b, "expected a whole number from 348");
    b = good;
    put_real(&b, 80, 0, 4);
    refuse_bytes(f, "x.nii", &b, "the step between voxels along axis 1 is (0, 0, 0)");
    put_real(&b, 80, INFINITY, 4);
    refuse_bytes(f, "x.nii", &b, "the step between voxels along axis 1");
    b = good;
    put_bits(&b, 254, 1, 2);
    put_real(&b, 280 + 16, 0, 4);
    put_real(&b, 280 + 16 + 8, 1, 4); // the first axis along the third
    put_real(&b, 280, 3, 4);
    put_real(&b, 280 + 16 + 8, 0, 4);
    refuse_bytes(f, "x.nii", &b, "in one plane");
    b = good;
    put_real(&b, 112, 1, 4);
    put_real(&b, 116, INFINITY, 4);
    refuse_bytes(f, "x.nii", &b, "the scaling of the values is not finite: slope 1,");
    b = nifti((Nifti){2, true, 16, 4, 0, 0});
    b.size += 24;
    put_real(&b, 544 + 4 * 4, NAN, 4);
    refuse_bytes(f, "x.nii", &b, "voxel (0, 2, 0) is");
    b = nifti((Nifti){2, true, 64, 8, 0, 0});
    b.size += 48;
    put_real(&b, 544, 1e300, 8);
    put_real(&b, 176, 1e300, 8); // finite by itself, not with this scale
    refuse_bytes(f, "x.nii", &b, "voxel (0, 0, 0) is inf");
}

static void test_compression(void **state) {
    Fixture *f = *state;
    Bytes good = nifti((Nifti){1, false, 4, 2, 0, 0}), z = {0}, b;
    for (int i = 0; i < 6; i++)
        add_bits(&good, (uint64_t)i, 2);
    // In two members, cut inside a voxel; what follows them is not theirs.
    add_zipped(&z, good.data, 355, 31);
    add_zipped(&z, good.data + 355, good.size - 355, 31);
    add_text(&z, "\n\n");
    parse_bytes(f, "x.nii.gz", &z);
    assert_values(&f->image, VALUES(0, 1, 2, 3, 4, 5));
    // Every cut is noticed, the one through the checksum too.
    z.size = 0;
    add_zipped(&z, good.data, good.size, 31);
    for (b = z; b.size-- > 0;)
        refuse_bytes(f, "x.nii.gz", &b, "");
    b = z;
    b.size -= 1;
    refuse_bytes(f, "x.nii.gz", &b, "cut off before its checksum");
    b = z;
    b.data[z.size - 6] ^= 1;
    refuse_bytes(f, "x.nii.gz", &b, "damaged after 12 of 12 bytes of voxels");
    // Too few, too many.
    z.size = 0;
    add_zipped(&z, good.data, good.size - 1, 31);
    refuse_bytes(f, "x.nii.gz", &z, "expected 12 bytes of voxels (2 x 3 x 1 of int16), found 11");
    z.size = 0;
    add_zipped(&z, good.data, good.size + 5, 31);
    refuse_bytes(f, "x.nii.gz", &z, "expected 12 bytes of voxels (2 x 3 x 1 of int16), found 17");
    // Sizes that no compression reaches take no memory.
    put_bits(&good, 42, 32767, 2);
    put_bits(&good, 44, 32767, 2);
    z.size = 0;
    add_zipped(&z, good.data, good.size, 31);
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    assert_false(sw_image_parse(z.data, z.size, "x.nii", &arena, &f->image, &f->error));
    assert_non_null(strstr(f->error.message, "expected 2147352578 bytes"));
    assert_null(arena.block);
    assert_int_equal(counter.held, 0);
}

static void test_nifti_pair(void **state) {
    Fixture *f = *state;
    char header[600], voxels[600];
    snprintf(header, sizeof header, "%s", temporary_path("pair.hdr"));
    snprintf(voxels, sizeof voxels, "%s", temporary_path("pair.img"));
    Bytes b = nifti((Nifti){1, true, 4, 2, 0, 0}), data = {.big = true}, z = {0};
    b.data[345] = 'i';
    put_real(&b, 108, 0, 4);
    b.size = 348;
    for (int i = 0; i < 6; i++)
        add_bits(&data, (uint64_t)(10 * i), 2);
    write_file(header, b.data, b.size);
    check_failed(f, sw_image_read(header, &f->arena, &f->image, &f->error), voxels, "cannot open");
    write_file(voxels, data.data, data.size - 2);
    check_failed(f, sw_image_read(header, &f->arena, &f->image, &f->error), voxels,
                 "expected 12 bytes of voxels (2 x 3 x 1 of int16), found 10");
    write_file(voxels, data.data, data.size);
    require(sw_image_read(header, &f->arena, &f->image, &f->error), &f->error);
    assert_values(&f->image, VALUES(0, 10, 20, 30, 40, 50));
    remove(voxels);
    strcat(voxels, ".gz");
    add_zipped(&z, data.data, data.size, 31);
    write_file(voxels, z.data, z.size);
    require(sw_image_read(header, &f->arena, &f->image, &f->error), &f->error);
    assert_values(&f->image, VALUES(0, 10, 20, 30, 40, 50));
    remove(header);
    remove(voxels);
}

// ---- NRRD ----

#define NRRD "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 1 2\nencoding: ascii\n"

static void test_nrrd_encodings(void **state) {
    Fixture *f = *state;
    Bytes b = {0};
    add_text(&b,
             "NRRD0005\r\n# a: comment\r\ntype: short int\r\ncontent: x\r\nsome key:=type: x\r\n"
             "dimension: 3\r\nsizes: 3 1 1\r\nendian: big\r\nencoding: RAW\r\n\r\n");
    b.big = true;
    for (int i = 0; i < 3; i++)
        add_bits(&b, (uint64_t)(int64_t)(-300 * i), 2);
    parse_bytes(f, "x.nrrd", &b);
    assert_sizes(&f->image, 3, 1, 1);
    assert_values(&f->image, VALUES(0, -300, -600));
    // The first voxels look like ends of lines.
    parse_text(f, "x.nrrd",
               "NRRD0001\ntype: uint8\ndimension: 3\nsizes: 2 1 2\nencoding: raw\n\n\r\n\n#");
    assert_values(&f->image, VALUES(13, 10, 10, 35));
    parse_text(f, "x.nrrd", NRRD "\n1 2,3\n\t255\n");
    assert_values(&f->image, VALUES(1, 2, 3, 255));
    // Compressed: lines are skipped before, bytes after decompression.
    b = (Bytes){0};
    add_text(&b, "NRRD0004\ntype: float\ndimension: 3\nsizes: 1 1 2\nendian: little\n"
                 "encoding: gz\nline skip: 2\nbyte skip: 3\n\none\ntwo\n");
    Bytes voxels = {.size = 3};
    put_real(&voxels, 3, 1.5, 4);
    put_real(&voxels, 7, -2.25, 4);
    add_zipped(&b, voxels.data, 11, 31);
    parse_bytes(f, "x.nrrd", &b);
    assert_values(&f->image, VALUES(1.5, -2.25));
    // -1: the voxels are the last bytes.
    parse_text(f, "x.nrrd", NRRD "encoding: raw\nbyteskip: -1\n\nwhatever stands here\1\2\3\4");
    assert_values(&f->image, VALUES(1, 2, 3, 4));
    // Wide text becomes 32 bits.
    parse_text(f, "x.nrrd", NRRD "type: uint64\n\n1 2 3 4294967295");
    assert_int_equal(f->image.type, SW_IMAGE_U32);
    assert_values(&f->image, VALUES(1, 2, 3, 4294967295));
    parse_text(f, "x.nrrd", NRRD "type: double\n\n1e-300 -2.5 +3 4e300");
    assert_values(&f->image, VALUES(1e-300, -2.5, 3, 4e300));
}

static void test_nrrd_place(void **state) {
    Fixture *f = *state;
    // Nothing said: voxels of size 1, the first one at the origin.
    parse_text(f, "x.nrrd", NRRD "\n1 2 3 4");
    assert_vec(f->image.origin, 0, 0, 0, 0);
    assert_vec(f->image.axis[2], 0, 0, 1, 0);
    assert_near(f->image.unit, 0, 0);
    assert_false(f->image.flat);
    parse_text(f, "x.nrrd", NRRD "spacings: 0.5 nan 2\nunits: \"um\" \"um\" \"um\"\n\n1 2 3 4");
    assert_vec(f->image.axis[0], 0.5, 0, 0, 0);
    assert_vec(f->image.axis[1], 0, 1, 0, 0);
    assert_vec(f->image.axis[2], 0, 0, 2, 0);
    assert_near(f->image.unit, 1e-6, 0);
    static const struct {
        const char *name;
        swVec3 sign;
        swReal unit;
    } spaces[] = {{"space: RAS\nunits: \"\" \"\" \"\"\n", {1, 1, 1}, 1e-3},
                  {"space: right-anterior-superior\n", {1, 1, 1}, 1e-3},
                  {"space: Left-Posterior-Superior\n", {-1, -1, 1}, 1e-3},
                  {"space: LAS\nspace units: \"m\" \"m\" \"m\"\n", {-1, 1, 1}, 1},
                  {"space: 3D-left-handed\n", {1, 1, -1}, 0},
                  {"space: LPS\nspace units: \"pixel\" \"pixel\" \"pixel\"\n", {-1, -1, 1}, 0},
                  {"space dimension: 3\n", {1, 1, 1}, 0}};
    for (int i = 0; i < (int)(sizeof spaces / sizeof spaces[0]); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 NRRD "%skinds: domain domain domain\nspace origin: ( 1 , 2 ,3)\n"
                      "space directions: (0,4,0) (5e0,0,0)  (0.5,0.25,6)\n\n1 2 3 4",
                 spaces[i].name);
        parse_text(f, "x.nrrd", text);
        swVec3 s = spaces[i].sign;
        assert_vec(f->image.origin, s.x, 2 * s.y, 3 * s.z, 0);
        assert_vec(f->image.axis[0], 0, 4 * s.y, 0, 0);
        assert_vec(f->image.axis[1], 5 * s.x, 0, 0, 0);
        assert_vec(f->image.axis[2], 0.5 * s.x, 0.25 * s.y, 6 * s.z, 0);
        assert_near(f->image.unit, spaces[i].unit, 0);
    }
    // Axes of size 1 that are not in space, at either end.
    parse_text(f, "x.nrrd",
               NRRD "dimension: 4\nsizes: 1 2 1 2\nkinds: vector domain domain domain\n"
                    "space directions: none (1,0,0) (0,2,0) (0,0,3)\n\n1 2 3 4");
    assert_sizes(&f->image, 2, 1, 2);
    assert_vec(f->image.axis[2], 0, 0, 3, 0);
    parse_text(f, "x.nrrd", NRRD "dimension: 4\nsizes: 2 1 2 1\nspacings: 1 2 3 nan\n\n1 2 3 4");
    assert_sizes(&f->image, 2, 1, 2);
    assert_vec(f->image.axis[2], 0, 0, 3, 0);
    parse_text(f, "x.nrrd",
               NRRD "dimension: 4\nsizes: 2 1 2 1\nspace: LPST\n"
                    "space directions: (1,0,0,0) (0,2,0,0) (0,0,3,0) (0,0,0,9)\n\n1 2 3 4");
    assert_vec(f->image.axis[1], 0, -2, 0, 0);
}

static void test_nrrd_flat(void **state) {
    Fixture *f = *state;
    // Without a place in space it is a picture: its first row is on top.
    parse_text(f, "x.nrrd", NRRD "dimension: 2\nsizes: 2 3\nspacings: 0.5 2\n\n1 2 3 4 5 6");
    assert_true(f->image.flat);
    assert_sizes(&f->image, 2, 3, 1);
    assert_values(&f->image, VALUES(1, 2, 3, 4, 5, 6));
    assert_vec(f->image.origin, 0.25, 5, 0.5, 0);
    assert_vec(f->image.axis[0], 0.5, 0, 0, 0);
    assert_vec(f->image.axis[1], 0, -2, 0, 0);
    assert_vec(f->image.axis[2], 0, 0, 1, 0);
    parse_text(f, "x.nrrd",
               NRRD "dimension: 3\nsizes: 1 2 2\nspace dimension: 2\nspace origin: (5,6)\n"
                    "space directions: none (0,3) (1,0)\n\n1 2 3 4");
    assert_true(f->image.flat);
    assert_vec(f->image.origin, 5, 6, 0.5, 0);
    assert_vec(f->image.axis[0], 0, 3, 0, 0);
    assert_vec(f->image.axis[1], 1, 0, 0, 0);
    // A slice in space.
    parse_text(f, "x.nrrd",
               NRRD "dimension: 2\nsizes: 2 2\nspace: RAS\nspace origin: (5,6,7)\n"
                    "space directions: (0,3,0) (0,0,2)\n\n1 2 3 4");
    assert_vec(f->image.origin, 5, 6, 7, 0);
    assert_vec(f->image.axis[2], 1, 0, 0, 0);
}

static void test_nrrd_malformed(void **state) {
    Fixture *f = *state;
    static const char *const bad[][2] = {
        {"P5\n", "not an NRRD file"},
        {"NRRD0004\ntype: uchar\n\n", "no 'dimension'"},
        {"NRRD0004\n\n", "no 'type'"},
        {NRRD, "the header does not end"},
        {NRRD "type: block\n\n", "type is 'block'; expected a numeric type"},
        {NRRD "encoding: bzip2\n\n", "encoding is 'bzip2'; expected raw, gzip or text"},
        {NRRD "encoding: raw\ntype: short\n\n12345678", "no 'endian'"},
        {NRRD "endian: middle\n\n", "endian is 'middle'"},
        {NRRD "dimension: 0\n\n", "dimension is '0'"},
        {NRRD "dimension: 4\n\n", "sizes has 3 entries; the dimension is 4"},
        {NRRD "dimension: 1\nsizes: 4\n\n1 2 3 4", "1 dimensions; expected 2 or 3"},
        {NRRD "dimension: 4\nsizes: 2 2 2 2\n\n", "4 dimensions; expected 2 or 3"},
        {NRRD "sizes: 2 1 2 x\n\n", "sizes is '2 1 2 x'"},
        {NRRD "sizes: 2 1.5 2\n\n", "size along axis 2 is 1.5"},
        {NRRD "sizes: 2 -1 2\n\n", "size along axis 2 is -1"},
        {NRRD "sizes: 2147483647 2147483647 2147483647\n\n", "voxels are too many"},
        {NRRD "sizes: 2000 2000 2000\n\n1 2", "8000000000 numbers cannot fit in the 3 bytes"},
        {NRRD "sizes: 2000 2000 2000\nencoding: raw\n\n1 2", "expected 8000000000 bytes"},
        {NRRD "kinds: RGB-color domain domain\n\n1 2 3 4", "axis 1, of size 2, is not a spatial"},
        {NRRD "space directions: none (0,1,0) (0,0,1)\n\n", "axis 1, of size 2, is not a spatial"},
        {NRRD "space directions: (1,0,0) (0,1,0\n\n", "expected vectors (x,y,z)"},
        {NRRD "space directions: (1,0,0) (0,1) (0,0,1)\n\n", "expected vectors (x,y,z)"},
        {NRRD "space directions: (1,0,0) (0,1,0)\n\n", "space directions has 2 entries"},
        {NRRD "space directions: (1,0,0) (0,1,0) (1,1,0)\n\n1 2 3 4", "in one plane"},
        {NRRD "space origin: (1,2,1e999)\n\n1 2 3 4", "the origin is"},
        {NRRD "space: upside-down\n\n", "space is 'upside-down'"},
        {NRRD "space dimension: 5\n\n", "space dimension is '5'"},
        {NRRD "units: \"mm\" \"cm\" \"mm\"\n\n", "different units of length"},
        {NRRD "spacings: 1 0 1\n\n1 2 3 4", "the step between voxels along axis 2 is (0, 0, 0)"},
        {NRRD "line skip: 2\n\n1\n", "line skip is 2, but there are 1 lines"},
        {NRRD "byte skip: 20\n\n1 2", "byte skip is 20, but there are 3 bytes"},
        {NRRD "byte skip: -1\n\n1 2 3 4", "byte skip is -1, which is allowed only"},
        {NRRD "byte skip: -2\n\n1 2 3 4", "byte skip is '-2'"},
        {NRRD "data file: LIST\n\n", "expected the name of one file"},
        {NRRD "data file: a%d.raw 1 3 1\n\n", "expected the name of one file"},
        {NRRD "data file: a.raw\n", "in another file, 'a.raw'"},
        {NRRD "\n1 2 3  ", "expected 4 numbers, found 3"},
        {NRRD "\n1 2 3 4 5", "expected 4 numbers, found more than 4"},
        {NRRD "\n1 2 x 4", "number 3 of 4: expected a number, found 'x 4'"},
        {NRRD "\n1 2 256 4", "voxel (0, 0, 1) is 256"},
        {NRRD "\n1 2 0.5 4", "voxel (0, 0, 1) is 0.5; expected whole numbers of type uint8"},
        {NRRD "type: float\n\n1 2 1e39 4", "voxel (0, 0, 1) is"},
        {NRRD "encoding: raw\n\n123", "expected 4 bytes of voxels (2 x 1 x 2 of uint8), found 3"},
        {NRRD "encoding: gzip\n\n123", "the compressed data is damaged"},
    };
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++)
        refuse_text(f, "x.nrrd", bad[i][0], bad[i][1]);
    refuse_text(f, "x.nrrd", NRRD "sizes: 2 1 2 x\n\n", "sizes is");
    assert_int_equal(f->error.line, 6);
}

static void test_detached(void **state) {
    Fixture *f = *state;
    char header[600], voxels[600], text[1500];
    snprintf(voxels, sizeof voxels, "%s", temporary_path("voxels.raw"));
    const char *name = strrchr(voxels, '/') + 1;
    write_file(voxels, "ab\n\1\2\3\4", 7);
    for (int form = 0; form < 4; form++) { // NRRD or MetaImage; beside it, or by its whole path
        bool nrrd = form % 2 == 0;
        snprintf(header, sizeof header, "%s", temporary_path(nrrd ? "x.nhdr" : "x.mhd"));
        snprintf(text, sizeof text,
                 nrrd ? NRRD "encoding: raw\nline skip: 1\ndatafile: %s"
                      : "NDims = 3\nDimSize = 2 1 2\nElementType = MET_UCHAR\n"
                        "HeaderSize = 3\nElementDataFile = %s",
                 form < 2 ? name : voxels);
        write_file(header, text, strlen(text));
        require(sw_image_read(header, &f->arena, &f->image, &f->error), &f->error);
        assert_values(&f->image, VALUES(1, 2, 3, 4));
        strcat(text, "x\n");
        write_file(header, text, strlen(text));
        strcat(voxels, "x");
        check_failed(f, sw_image_read(header, &f->arena, &f->image, &f->error), voxels,
                     "cannot open");
        voxels[strlen(voxels) - 1] = 0;
        remove(header);
    }
    remove(voxels);
}

// ---- MetaImage ----

#define META \
    "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n" \
    "DimSize = 2 1 2\nElementType = MET_UCHAR\n"
#define META_TEXT META "BinaryData = False\n"

static void test_meta_forms(void **state) {
    Fixture *f = *state;
    parse_text(f, "x.mha", META "ElementDataFile = LOCAL\n\n\r\2\1");
    assert_values(&f->image, VALUES(10, 13, 2, 1));
    assert_vec(f->image.origin, 0, 0, 0, 0);
    assert_vec(f->image.axis[1], 0, 1, 0, 0);
    assert_near(f->image.unit, 0, 0);
    static const struct {
        const char *name;
        swImageType type;
        int bytes;
    } types[] = {{"MET_CHAR", SW_IMAGE_I8, 1},       {"MET_USHORT", SW_IMAGE_U16, 2},
                 {"MET_SHORT", SW_IMAGE_I16, 2},     {"MET_UINT", SW_IMAGE_U32, 4},
                 {"MET_INT", SW_IMAGE_I32, 4},       {"MET_LONG", SW_IMAGE_I32, 4},
                 {"MET_ULONG", SW_IMAGE_U32, 4},     {"MET_FLOAT", SW_IMAGE_F32, 4},
                 {"MET_DOUBLE", SW_IMAGE_F64, 8},    {"MET_LONG_LONG", SW_IMAGE_I32, 8},
                 {"MET_ULONG_LONG", SW_IMAGE_U32, 8}};
    for (int t = 0; t < (int)(sizeof types / sizeof types[0]); t++)
        for (int form = 0; form < 4; form++) { // order, compression
            Bytes b = {0}, voxels = {.big = form & 1};
            char text[400];
            snprintf(text, sizeof text,
                     META "ElementType = %s\nElementByteOrderMSB = %s\nCompressedData = %s\n"
                          "CompressedDataSize = 12\nElementDataFile=LOCAL\n",
                     types[t].name, form & 1 ? "1" : "False", form & 2 ? "True" : "False");
            add_text(&b, text);
            for (int i = 0; i < 4; i++) {
                if (types[t].type >= SW_IMAGE_F32)
                    put_real(&voxels, voxels.size, 25 * i, types[t].bytes);
                else
                    put_bits(&voxels, voxels.size, (uint64_t)(25 * i), types[t].bytes);
                voxels.size += (size_t)types[t].bytes;
            }
            if (form & 2)
                add_zipped(&b, voxels.data, voxels.size, 15);
            else
                for (size_t i = 0; i < voxels.size; i++)
                    add_bits(&b, voxels.data[i], 1);
            parse_bytes(f, "x.mha", &b);
            assert_int_equal(f->image.type, types[t].type);
            assert_values(&f->image, VALUES(0, 25, 50, 75));
        }
}

static void test_meta_place(void **state) {
    Fixture *f = *state;
    const char *place = META_TEXT "%sElementSize = 9 9 9\nElementSpacing = 2 3 4\n"
                                  "Offset = 5 6 7\nTransformMatrix = 0 1 0 1 0 0 0.5 0 1\n"
                                  "ElementDataFile = LOCAL\n1 2 3 4\n";
    static const char *const said[] = {"", "AnatomicalOrientation = ???\nDistanceUnits = um\n",
                                       "AnatomicalOrientation = RAI\nDistanceUnits = mm\n"};
    for (int i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text, place, said[i]);
        parse_text(f, "x.mhd", text);
        swReal s = i == 2 ? -1 : 1; // of a patient: from left, posterior
        assert_vec(f->image.origin, 5 * s, 6 * s, 7, 0);
        assert_vec(f->image.axis[0], 0, 2 * s, 0, 0);
        assert_vec(f->image.axis[1], 3 * s, 0, 0, 0);
        assert_vec(f->image.axis[2], 2 * s, 0, 4, 0);
        assert_near(f->image.unit, i == 2 ? 1e-3 : i == 1 ? 1e-6 : 0, 0);
        assert_false(f->image.flat);
    }
    // Other names of the same; a fourth dimension of one; a scale.
    parse_text(
        f, "x.mha",
        "NDims = 4\nDimSize = 2 1 2 1\nElementSize = 2 3 4 1\nOrigin = 5 6 7 8\n"
        "Rotation = 0 1 0 0 1 0 0 0 0 0 1 0 0 0 0 1\nElementType = MET_SHORT\n"
        "ElementToIntensityFunctionSlope = 0.5\nElementToIntensityFunctionOffset = -1\n"
        "BinaryData = False\nElementNumberOfChannels = 1\nElementDataFile = Local\n1 2 3 -4");
    assert_values(&f->image, VALUES(-0.5, 0, 0.5, -3));
    assert_vec(f->image.origin, 5, 6, 7, 0);
    assert_vec(f->image.axis[0], 0, 2, 0, 0);
    assert_vec(f->image.axis[1], 3, 0, 0, 0);
    assert_vec(f->image.axis[2], 0, 0, 4, 0);
    parse_text(f, "x.mha",
               "NDims = 2\nDimSize = 2 2\nElementSpacing = 2 3\nPosition = 5 6\n"
               "ElementType = MET_UCHAR\nBinaryData = False\nElementDataFile = LOCAL\n1 2 3 4");
    assert_true(f->image.flat);
    assert_sizes(&f->image, 2, 2, 1);
    assert_vec(f->image.origin, 5, 6, 0.5, 0);
    assert_vec(f->image.axis[1], 0, 3, 0, 0);
    assert_vec(f->image.axis[2], 0, 0, 1, 0);
    // The voxels are the last bytes.
    parse_text(f, "x.mha", META "HeaderSize = -1\nElementDataFile = LOCAL\nsomething\1\2\3\4");
    assert_values(&f->image, VALUES(1, 2, 3, 4));
}

static void test_meta_malformed(void **state) {
    Fixture *f = *state;
    static const char *const bad[][2] = {
        {"hello\n", "not a MetaImage file"},
        {"ObjectType = Mesh\n", "ObjectType is 'Mesh'; expected Image"},
        {"ObjectType = Image\n", "the header has no NDims"},
        {META, "the header has no ElementDataFile"},
        {"NDims = 11\n", "NDims is '11'"},
        {"NDims = 1\nDimSize = 2\nElementType = MET_CHAR\nElementDataFile = LOCAL\n", "NDims is 1"},
        {META "ElementType = MET_OTHER\nElementDataFile = LOCAL\n", "ElementType is 'MET_OTHER'"},
        {META "ElementNumberOfChannels = 3\n", "one number per voxel"},
        {META "DimSize = 2 1\nElementDataFile = LOCAL\n", "DimSize has 2 numbers; with NDims = 3"},
        {META "DimSize = 2 1 0\nElementDataFile = LOCAL\n", "size along axis 3 is 0"},
        {META "TransformMatrix = 1 0\nElementDataFile = LOCAL\n", "with NDims = 3 it must have 9"},
        {META "ElementSpacing = 1 1 nan\nElementDataFile = LOCAL\n1234", "along axis 3 is (nan"},
        {META "NDims = 4\nDimSize = 1 1 2 2\nElementDataFile = LOCAL\n", "2 volumes along"},
        {META "ElementDataFile = LIST\n", "expected the name of one file"},
        {META "ElementDataFile = a%02d.raw 1 2 1\n", "expected the name of one file"},
        {META "ElementDataFile = a.raw\n", "in another file, 'a.raw'"},
        {META "HeaderSize = -1\nCompressedData = True\nElementDataFile = LOCAL\n",
         "only for uncompressed"},
        {META "HeaderSize = 9\nElementDataFile = LOCAL\n1234", "HeaderSize is 9, but there are 4"},
        {META "HeaderSize = x\nElementDataFile = LOCAL\n1234", "HeaderSize is 'x'"},
        {META "ElementDataFile = LOCAL\n12345", "expected 4 bytes of voxels"},
        {META "CompressedData = True\nElementDataFile = LOCAL\n1234", "is damaged"},
        {META_TEXT "ElementDataFile = LOCAL\n1 2 3 -1", "voxel (1, 0, 1) is -1"},
    };
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++)
        refuse_text(f, "x.mha", bad[i][0], bad[i][1]);
    refuse_text(f, "x.mha", "NDims = 3\nElementType = MET_OTHER\n", "ElementType is 'MET_OTHER'");
    assert_int_equal(f->error.line, 2);
}

static const struct CMUnitTest tests[] = {
    TEST(test_formats),         TEST(test_nifti_types),    TEST(test_nifti_place),
    TEST(test_nifti_malformed), TEST(test_compression),    TEST(test_nifti_pair),
    TEST(test_nrrd_encodings),  TEST(test_nrrd_place),     TEST(test_nrrd_flat),
    TEST(test_nrrd_malformed),  TEST(test_detached),       TEST(test_meta_forms),
    TEST(test_meta_place),      TEST(test_meta_malformed),
};

SW_SUITE(image, tests)
