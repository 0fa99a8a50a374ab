// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Weights along a chain of frames (hat, spline) and painted ones.
#include "formats/image.h"
#include "model/body.h"
#include "test_tools.h"
#include "weights/nodal.h"

enum { MAX_SITES = 9, CELLS = 4, NODES = CELLS + 1 };

// ---- a field by hand: a block from `lo` to `hi`, and sites in it; it must not be copied ----

typedef struct {
    swGrid grid;
    swLattice lattice;
    swArena arena;
    swWeightsDef def;
    int nsite;
    swSite site[MAX_SITES];
    char key[MAX_SITES][24];
    swWeightField field;
} Field;

static void init_field(Field *f, const char *kind, swVec3 lo, swVec3 hi) {
    memset(f, 0, sizeof *f);
    f->grid.lo = lo;
    f->grid.hi = hi;
    f->lattice.grid = &f->grid;
    f->def.kind = kind;
    const swConfig config = sw_default_config();
    sw_arena_init(&f->arena, &config.allocator);
}

static swSite *add_site(Field *f, swSite site) {
    snprintf(f->key[f->nsite], sizeof f->key[0], "site %d", f->nsite);
    site.key = f->key[f->nsite];
    f->site[f->nsite] = site;
    return &f->site[f->nsite++];
}

static void add_frame(Field *f, swVec3 at) { add_site(f, (swSite){.origin = at}); }

static swSite *add_handle(Field *f, swVec3 lo, swVec3 hi) {
    return add_site(f, (swSite){.origin = sw_lerp(lo, hi, 0.5), .cell = -1, .lo = lo, .hi = hi});
}

static bool create_field(Field *f, swError *error) {
    return sw_weights_create(&f->field, &f->def, NULL, &f->lattice, f->nsite, f->site, NULL,
                             &f->arena, error);
}

static void free_field(Field *f) { sw_arena_free(&f->arena); }

static void weights_at(const Field *f, swVec3 p, swReal *w, swReal *dw) {
    const int cell = 0;
    sw_weights_evaluate(&f->field, 1, &p, &cell, w, dw);
}

static const swVec3 low = {0, -0.2, -0.3}, high = {1, 0.2, 0.3};

static swVec3 random_point(Random *r) {
    const swReal x = random_in(r, low.x, high.x), y = random_in(r, low.y, high.y);
    return sw_v3(x, y, random_in(r, low.z, high.z));
}

// Frames along x, unevenly and out of order, with a thick handle in between and a thin one at the
// end.
static void long_chain(Field *f, const char *kind, swVec3 axis) {
    static const swReal at[] = {0.13, 0.85, 0.02, 0.22, 0.53, 0.67};
    init_field(f, kind, low, high);
    f->def.axis = axis;
    for (int i = 0; i < SW_COUNT(at); i++)
        add_frame(f, sw_v3(at[i], 0.03 * i, -0.02 * i));
    add_handle(f, sw_v3(0.3, -0.1, -0.1), sw_v3(0.4, 0.1, 0.1));
    add_handle(f, sw_v3(1, -0.2, -0.3), sw_v3(1, 0.2, 0.3));
    swError error = {0};
    require(create_field(f, &error), &error);
}

static const char *const kinds[] = {"hat", "spline"};

#define FOR_CHAINS(f, k) \
    for (int k = 0; k < 4; k++) \
        for (bool once_ = \
                 (long_chain(&(f), kinds[k / 2], k % 2 ? sw_v3(-1, 0.02, -0.01) : sw_v3(0, 0, 0)), \
                  true); \
             once_; free_field(&(f)), once_ = false)

// ---- both kinds ----

static void chains_add_up_to_one(void **state) {
    (void)state;
    Random r = {31};
    Field f;
    swReal least = 0;
    FOR_CHAINS(f, k) {
        for (int trial = 0; trial < 2000; trial++) {
            swReal w[MAX_SITES], dw[3 * MAX_SITES], sum = 0;
            swVec3 slope = {0, 0, 0};
            weights_at(&f, random_point(&r), w, dw);
            for (int i = 0; i < f.nsite; i++) {
                assert_true(k / 2 == 1 || (w[i] >= 0 && w[i] <= 1));
                least = sw_min(least, w[i]);
                sum += w[i];
                slope = sw_add(slope, sw_v3(dw[3 * i], dw[3 * i + 1], dw[3 * i + 2]));
            }
            assert_near(sum, 1, 1e-12);
            assert_near(sw_norm(slope), 0, 1e-11);
        }
    }
    assert_true(least < -0.05 && least > -1); // a spline overshoots
}

static void chains_are_one_at_their_own_site(void **state) {
    (void)state;
    Random r = {32};
    Field f;
    FOR_CHAINS(f, k) {
        for (int i = 0; i < f.nsite; i++)
            for (int trial = 0; trial < 50; trial++) {
                const swSite *s = &f.site[i];
                const bool handle = s->cell < 0;
                swReal w[MAX_SITES], dw[3 * MAX_SITES];
                const swVec3 p =
                    handle ? sw_v3(random_in(&r, s->lo.x, s->hi.x), random_in(&r, s->lo.y, s->hi.y),
                                   random_in(&r, s->lo.z, s->hi.z))
                           : s->origin;
                weights_at(&f, p, w, dw);
                for (int j = 0; j < f.nsite; j++)
                    assert_true(w[j] == (j == i));
                for (int j = 0; handle && j < 3 * f.nsite; j++)
                    assert_true(dw[j] == 0);
            }
    }
}

static void gradients_are_those_of_the_weights(void **state) {
    (void)state;
    Random r = {33};
    Field f;
    const swReal step = 1e-6;
    FOR_CHAINS(f, k) {
        int smooth = 0;
        for (int trial = 0; trial < 1000; trial++) {
            const swVec3 p = random_point(&r);
            const int axis = trial % 3;
            swReal w[4][MAX_SITES], dw[3 * MAX_SITES], spare[3 * MAX_SITES];
            weights_at(&f, p, w[0], dw);
            for (int i = 0; i < 4; i++) {
                swVec3 q = p;
                sw_set(&q, axis, sw_get(p, axis) + step * (i % 2 ? 1 : -1) * (1 + i / 2));
                weights_at(&f, q, w[i], spare);
            }
            for (int i = 0; i < f.nsite; i++) {
                const swReal near = (w[1][i] - w[0][i]) / (2 * step),
                             far = (w[3][i] - w[2][i]) / (4 * step);
                if (fabs(near - far) > 1e-4) // across a kink
                    continue;
                smooth++;
                assert_near(dw[3 * i + axis], near, 1e-5);
            }
        }
        assert_true(smooth > 990 * f.nsite);
    }
}

static void ends_have_all_beyond_them(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Field f;
        init_field(&f, kinds[k], low, high);
        add_frame(&f, sw_v3(0.6, 0, 0));
        add_frame(&f, sw_v3(0.2, 0, 0));
        add_frame(&f, sw_v3(0.4, 0, 0));
        swError error = {0};
        require(create_field(&f, &error), &error);
        for (int side = 0; side < 2; side++) {
            swReal w[3], dw[9];
            weights_at(&f, sw_v3(side ? 0.9 : 0.1, 0.1, 0.1), w, dw);
            assert_true(w[side ? 0 : 1] == 1);
            for (int i = 0; i < 9; i++)
                assert_true(dw[i] == 0);
        }
        free_field(&f);
    }
}

static void chains_refuse_sites_at_the_same_place(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        Field f;
        init_field(&f, kinds[k % 2], low, high);
        add_frame(&f, sw_v3(0.5, 0.1, 0));
        if (k < 2)
            add_frame(&f, sw_v3(0.5, -0.1, 0));
        else
            add_handle(&f, sw_v3(0.4, -0.1, -0.1), sw_v3(0.7, 0, 0));
        swError error = {0};
        assert_false(create_field(&f, &error));
        assert_int_equal(error.code, SW_ERROR_VALUE);
        assert_non_null(strstr(error.message, kinds[k % 2]));
        assert_non_null(strstr(error.message, "site 0"));
        assert_non_null(strstr(error.message, "site 1"));
        free_field(&f);
    }
}

// Where slopes jump: hats at each site, splines at handles and ends. Ascending, either way round.
static void kinks_are_where_slopes_jump(void **state) {
    (void)state;
    static const swReal hat[] = {0.02, 0.13, 0.22, 0.3, 0.4, 0.53, 0.67, 0.85, 1},
                        spline[] = {0.02, 0.3, 0.4, 1};
    for (int k = 0; k < 4; k++) {
        Field f;
        int axis;
        swReal plane[2 * MAX_SITES];
        long_chain(&f, kinds[k / 2], sw_v3(k % 2 ? -3 : 2, 0, 0));
        const int n = f.field.kind->kinks(&f.field, &axis, plane);
        assert_int_equal(axis, 0);
        assert_int_equal(n, k / 2 ? SW_COUNT(spline) : SW_COUNT(hat));
        for (int i = 0; i < n; i++)
            assert_near(plane[i], k / 2 ? spline[i] : hat[i], 1e-15);
        free_field(&f);
        long_chain(&f, kinds[k / 2], sw_v3(1, 0.1, 0));
        assert_int_equal(f.field.kind->kinks(&f.field, &axis, plane), 0);
        free_field(&f);
    }
}

// ---- hats ----

// To the bit what they have been: one division, the rest from one.
static void hats_are_straight_and_fall(void **state) {
    (void)state;
    static const swReal lo[] = {0.02, 0.13, 0.22, 0.3, 0.53, 0.67, 0.85, 1};
    static const swReal hi[] = {0.02, 0.13, 0.22, 0.4, 0.53, 0.67, 0.85, 1};
    static const int site[] = {2, 0, 3, 6, 4, 5, 1, 7};
    Field f;
    long_chain(&f, "hat", sw_v3(0, 0, 0));
    for (int k = 0; k + 1 < SW_COUNT(lo); k++) {
        swReal before = 1;
        for (int i = 1; i < 100; i++) {
            const swReal s = hi[k] + (lo[k + 1] - hi[k]) * i / 100, slope = 1 / (lo[k + 1] - hi[k]);
            swReal w[MAX_SITES], dw[3 * MAX_SITES], sum = 0;
            weights_at(&f, sw_v3(s, 0.05, -0.1), w, dw);
            for (int j = 0; j < f.nsite; j++)
                sum += w[j];
            assert_true(w[site[k + 1]] == (s - hi[k]) * slope);
            assert_true(w[site[k]] == 1 - w[site[k + 1]]);
            assert_true(dw[3 * site[k + 1]] == slope && dw[3 * site[k]] == -slope);
            assert_true(sum == 1 && w[site[k]] < before);
            before = w[site[k]];
        }
    }
    free_field(&f);
}

// ---- splines ----

// The sum of w_i f(x_i), f = 1, x or x^2, at x; and its slope.
static swReal blend(const Field *f, int degree, swReal x, swReal *slope) {
    swReal w[MAX_SITES], dw[3 * MAX_SITES], sum = 0;
    weights_at(f, sw_v3(x, 0.1, 0.1), w, dw);
    *slope = 0;
    for (int i = 0; i < f->nsite; i++) {
        sum += w[i] * pow(f->site[i].origin.x, degree);
        *slope += dw[3 * i] * pow(f->site[i].origin.x, degree);
    }
    return sum;
}

static void splines_reproduce_quadratics(void **state) {
    (void)state;
    static const swReal at[] = {0.1, 0.35, 0.45, 0.8}; // then a handle without thickness at 1
    Random r = {34};
    Field f;
    init_field(&f, "spline", low, high);
    for (int i = 0; i < SW_COUNT(at); i++)
        add_frame(&f, sw_v3(at[i], 0, 0));
    add_handle(&f, sw_v3(1, -0.2, -0.3), sw_v3(1, 0.2, 0.3));
    swError error = {0};
    require(create_field(&f, &error), &error);
    for (int trial = 0; trial < 300; trial++) {
        const swReal x = random_in(&r, 0.35, 0.9999), y = random_in(&r, 0.1001, 1);
        swReal slope;
        assert_near(blend(&f, 2, x, &slope), x * x, 1e-14);
        assert_near(slope, 2 * x, 1e-12);
        if (y < 0.9999) {
            assert_near(blend(&f, 1, y, &slope), y, 1e-14);
            assert_near(slope, 1, 1e-12);
        }
    }
    // At the free end it is not quadratic but straight: three slopes as of a cubic say so.
    const swReal h = 1e-4;
    swReal slope[3];
    for (int i = 0; i < 3; i++)
        blend(&f, 2, 0.1 + (1 + i) * h, &slope[i]);
    const swReal curve = (slope[1] - slope[0]) / h, rise = (slope[2] - slope[1]) / h - curve;
    assert_near(curve - 1.5 * rise, 0, 1e-7); // half a step and one back
    assert_true(fabs(slope[0] - 0.2) > 0.05);
    free_field(&f);
}

static void splines_are_smooth_across_frames(void **state) {
    (void)state;
    static const int inner[] = {0, 4, 5, 1, 3}; // all but the one at the end
    Field f;
    long_chain(&f, "spline", sw_v3(0, 0, 0));
    for (int i = 0; i < SW_COUNT(inner); i++) {
        swReal w[3][MAX_SITES], dw[3][3 * MAX_SITES];
        for (int side = 0; side < 3; side++) {
            swVec3 p = f.site[inner[i]].origin;
            p.x += 1e-8 * (side - 1);
            weights_at(&f, p, w[side], dw[side]);
        }
        for (int j = 0; j < f.nsite; j++) {
            assert_near(w[0][j], w[1][j], 1e-6);
            assert_near(w[2][j], w[1][j], 1e-6);
            assert_near(dw[0][3 * j], dw[1][3 * j], 2e-5);
            assert_near(dw[2][3 * j], dw[1][3 * j], 2e-5);
        }
        assert_true(fabs(dw[1][3 * inner[i]]) + fabs(dw[1][3 * 5]) + fabs(dw[1][3 * 0]) > 0.5);
    }
    free_field(&f);
}

// Each moves two gaps to either side, and nothing behind a handle.
static void splines_end_at_handles(void **state) {
    (void)state;
    Field f;
    long_chain(&f, "spline", sw_v3(0, 0, 0));
    for (int i = 1; i < 400; i++) {
        const swReal x = i / 400.0;
        swReal w[MAX_SITES], dw[3 * MAX_SITES];
        weights_at(&f, sw_v3(x, 0, 0), w, dw);
        for (int j = 0; j < 6; j++)
            if ((f.site[j].origin.x < 0.3) != (x < 0.3))
                assert_true(w[j] == 0 && dw[3 * j] == 0);
        if (x > 0.53)
            assert_true(x < 0.67 || w[6] == 0);
        if (x < 0.53 && x > 0.4) // the clamp has a slope on its side
            assert_true(dw[3 * 6] < 0);
    }
    free_field(&f);
}

static void splines_refuse_uneven_gaps(void **state) {
    (void)state;
    for (int fine = 0; fine < 2; fine++) {
        Field f;
        init_field(&f, "spline", low, high);
        add_frame(&f, sw_v3(0.1, 0, 0));
        add_frame(&f, sw_v3(fine ? 0.16 : 0.14, 0, 0));
        add_frame(&f, sw_v3(0.7, 0, 0));
        swError error = {0};
        assert_int_equal(create_field(&f, &error), fine);
        if (!fine) {
            assert_int_equal(error.code, SW_ERROR_VALUE);
            assert_non_null(strstr(error.message, "site 1"));
            assert_non_null(strstr(error.message, "0.04 and 0.56"));
        }
        free_field(&f);
    }
}

// ---- painted ----

// Fills the block of 4 x 4 x 4 cells from 0 to 0.4.
static void fill_block(Field *f) {
    static swVec3 X[NODES * NODES * NODES];
    static int corner[8 * CELLS * CELLS * CELLS], cell[CELLS * CELLS * CELLS];
    f->grid = (swGrid){.h = 0.1, .n = {CELLS, CELLS, CELLS}, .hi = {0.4, 0.4, 0.4}};
    f->lattice = (swLattice){.grid = &f->grid,
                             .ncell = CELLS * CELLS * CELLS,
                             .cell = cell,
                             .n = NODES * NODES * NODES,
                             .X = X,
                             .corner = corner};
    for (int i = 0; i < f->lattice.n; i++)
        X[i] = sw_scale(0.1, sw_v3(i % NODES, i / NODES % NODES, i / NODES / NODES));
    for (int c = 0; c < f->lattice.ncell; c++) {
        const int x = c % CELLS, y = c / CELLS % CELLS, z = c / CELLS / CELLS;
        cell[c] = c;
        for (int k = 0; k < 8; k++)
            corner[8 * c + k] = x + (k & 1) + NODES * (y + (k >> 1 & 1) + NODES * (z + (k >> 2)));
    }
}

static int cell_at(swVec3 p) {
    const int x = (int)(p.x / 0.1), y = (int)(p.y / 0.1), z = (int)(p.z / 0.1);
    return x + CELLS * (y + CELLS * z);
}

// Outlives the few paths that temporary_path() keeps.
static const char *pattern(void) {
    static char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("map%d.nrrd"));
    return path;
}

static const char *map_path(int i) {
    char name[32];
    snprintf(name, sizeof name, "map%d.nrrd", i);
    return temporary_path(name);
}

// c + g . p on 3 x 4 x 5 voxels around the block, in millimetres or metres.
static void write_ramp(int i, swReal c, swVec3 g, swReal unit) {
    float data[3 * 4 * 5];
    swImage image = {.n = {3, 4, 5},
                     .type = SW_IMAGE_F32,
                     .data = data,
                     .slope = 1,
                     .unit = unit,
                     .origin = {-0.1, -0.1, 0.5},
                     .axis = {{0.05, 0.3, 0}, {0.2, -0.02, 0.01}, {0, 0.01, -0.15}}};
    for (int v = 0; v < SW_COUNT(data); v++) {
        swVec3 p = image.origin;
        p = sw_madd(p, v % 3, image.axis[0]);
        p = sw_madd(p, v / 3 % 4, image.axis[1]);
        p = sw_madd(p, v / 12, image.axis[2]);
        data[v] = (float)(c + sw_dot(g, p));
    }
    const swReal scale = unit > 0 ? 1 / unit : 1;
    image.origin = sw_scale(scale, image.origin);
    for (int k = 0; k < 3; k++)
        image.axis[k] = sw_scale(scale, image.axis[k]);
    swError error = {0};
    require(sw_image_write(map_path(i), &image, &error), &error);
}

static void init_painted(Field *f, int frames) {
    init_field(f, "painted", low, high);
    fill_block(f);
    f->def.maps = pattern();
    for (int i = 0; i < frames; i++)
        add_frame(f, sw_v3(0.1 + 0.1 * i, 0.2, 0.2));
}

static void remove_maps(int n) {
    for (int i = 0; i < n; i++)
        remove(map_path(i));
}

static swVec3 block_point(Random *r) {
    const swReal x = random_in(r, 0, 0.399), y = random_in(r, 0, 0.399);
    return sw_v3(x, y, random_in(r, 0, 0.399));
}

// Two ramps whose sum is constant come back as they are, divided by it.
static void painted_ramps_come_back(void **state) {
    (void)state;
    const swVec3 g = {0.5, -0.25, 0.15};
    Random r = {35};
    for (int mm = 0; mm < 2; mm++) {
        Field f;
        init_painted(&f, 2);
        write_ramp(0, 1.5, g, mm ? 1e-3 : 0); // metres where no unit is named
        write_ramp(1, 0.5, sw_scale(-1, g), mm ? 1e-3 : 0);
        swError error = {0};
        require(create_field(&f, &error), &error);
        for (int trial = 0; trial < 200; trial++) {
            const swVec3 p = block_point(&r);
            const int cell = cell_at(p);
            swReal w[2], dw[6];
            sw_weights_evaluate(&f.field, 1, &p, &cell, w, dw);
            assert_near(w[0], (1.5 + sw_dot(g, p)) / 2, 1e-6);
            assert_near(w[0] + w[1], 1, 1e-12);
            for (int k = 0; k < 3; k++) {
                assert_near(dw[k], sw_get(g, k) / 2, 1e-5);
                assert_near(dw[k] + dw[3 + k], 0, 1e-12);
            }
        }
        free_field(&f);
        remove_maps(2);
    }
}

// Values beyond the border are those at it, and rows are divided by their sum.
static void painted_images_go_on_at_their_border(void **state) {
    (void)state;
    static const uint8_t data[2][2] = {{200, 100}, {50, 150}};
    Field f;
    init_painted(&f, 2);
    swError error = {0};
    for (int i = 0; i < 2; i++) { // from x = 0.15 to 0.25
        const swImage image = {.n = {2, 1, 1},
                               .data = data[i],
                               .slope = 1,
                               .origin = {0.15, 0.05, 0},
                               .axis = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
        require(sw_image_write(map_path(i), &image, &error), &error);
    }
    require(create_field(&f, &error), &error);
    static const swReal x[] = {0, 0.1, 0.2, 0.3, 0.399},
                        expected[] = {0.8, 0.8, 150.0 / 250, 0.4, 0.4};
    for (int i = 0; i < SW_COUNT(x); i++) {
        const swVec3 p = {x[i], 0.33, 0.21};
        const int cell = cell_at(p);
        swReal w[2], dw[6];
        sw_weights_evaluate(&f.field, 1, &p, &cell, w, dw);
        assert_near(w[0], expected[i], 1e-12);
    }
    free_field(&f);
    remove_maps(2);
}

// Handles have their nodes to themselves, whatever the maps say, and no map.
static void painted_handles_have_their_nodes(void **state) {
    (void)state;
    Random r = {36};
    Field f;
    init_painted(&f, 1);
    int node[2 * NODES * NODES], n = 0;
    for (int i = 0; i < f.lattice.n; i++)
        if (f.lattice.X[i].x < 0.15)
            node[n++] = i;
    swSite *handle = add_handle(&f, sw_v3(0, 0, 0), sw_v3(0.1, 0.4, 0.4));
    handle->nnode = n;
    handle->node = node;
    write_ramp(0, 1, sw_v3(0, 0, 0), 0);
    swError error = {0};
    require(create_field(&f, &error), &error);
    for (int trial = 0; trial < 100; trial++) {
        const swVec3 p = block_point(&r);
        const int cell = cell_at(p);
        swReal w[2], dw[6];
        sw_weights_evaluate(&f.field, 1, &p, &cell, w, dw);
        assert_near(w[1], sw_clamp(2 - p.x / 0.1, 0, 1), 1e-12);
    }
    add_handle(&f, sw_v3(0.1, 0, 0), sw_v3(0.1, 0.4, 0.4));
    f.site[2].nnode = 1;
    f.site[2].node = node;
    assert_false(create_field(&f, &error));
    assert_non_null(strstr(error.message, "site 1 and site 2"));
    free_field(&f);
    remove_maps(1);
}

static void painted_patterns_are_checked(void **state) {
    (void)state;
    static const char *const bad[] = {NULL,         "",          "w.nrrd",   "w%s.nrrd",
                                      "w%d%d.nrrd", "w%d%.nrrd", "%%d.nrrd", "w%3d.nrrd",
                                      "w%",         "w%d%n.nrrd"};
    for (int i = 0; i < SW_COUNT(bad); i++) {
        Field f;
        init_painted(&f, 1);
        f.def.maps = bad[i];
        swError error = {0};
        assert_false(create_field(&f, &error));
        assert_int_equal(error.code, SW_ERROR_VALUE);
        assert_non_null(strstr(error.message, "weights.maps"));
        if (bad[i])
            assert_non_null(strstr(error.message, bad[i]));
        free_field(&f);
    }
}

static void painted_maps_are_checked(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        Field f;
        init_painted(&f, 2);
        write_ramp(0, i == 0 ? 0.1 : i == 1 ? 0 : 1, i == 0 ? sw_v3(-1, 0, 0) : sw_v3(0, 0, 0), 0);
        if (i < 2)
            write_ramp(1, i, sw_v3(0, 0, 0), 0);
        if (i == 1) // both are zero
            write_ramp(1, 0, sw_v3(0, 0, 0), 0);
        swError error = {0};
        assert_false(create_field(&f, &error));
        if (i == 0) {
            assert_int_equal(error.code, SW_ERROR_VALUE);
            assert_string_equal(error.path, map_path(0));
            assert_non_null(strstr(error.message, "at least 0, found -"));
            assert_non_null(strstr(error.message, "near ("));
        } else if (i == 1) {
            assert_int_equal(error.code, SW_ERROR_GEOMETRY);
            assert_non_null(strstr(error.message, "all 2 maps are 0 near (0, 0, 0)"));
        } else {
            assert_string_equal(error.path, map_path(1));
        }
        free_field(&f);
        remove_maps(i < 2 ? 2 : 1);
    }
}

static void painted_weights_survive_want_of_memory(void **state) {
    (void)state;
    Field f;
    write_ramp(0, 1, sw_v3(0, 0, 0), 0);
    bool ok = false;
    for (int fail_at = 1; !ok && fail_at < 100; fail_at++) {
        Counter counter = {.fail_at = fail_at};
        const swConfig config = counting_config(&counter);
        swError error = {0};
        init_painted(&f, 1);
        sw_arena_init(&f.arena, &config.allocator);
        ok = create_field(&f, &error);
        assert_true(ok || error.code == SW_ERROR_MEMORY);
        free_field(&f);
        assert_int_equal(counter.held, 0);
    }
    assert_true(ok);
    remove_maps(1);
}

// ---- whole scenes ----

// A beam along x with five frames, the first of which may be a wall that holds it.
static swScene *beam_scene(const char *kind, const char *maps, const char *frames, bool wall) {
    char json[2048];
    swError error = {0};
    const int size = snprintf(
        json, sizeof json,
        "{\"sinew\": 1, \"gravity\": [0, -0.01, 0], \"analysis\": \"%s\","
        "\"materials\": {\"m\": {\"law\": \"stvk\", \"young\": 2e5, \"poisson\": 0}},"
        "\"bodies\": [{\"shape\": {\"box\": {\"size\": [1, 0.1, 0.1], \"center\": [0.5, 0, 0]}},"
        "\"voxel\": 0.0125, \"frames\": {\"kind\": \"%s\", \"at\": [%s[0.25, 0, 0], [0.5, 0, 0],"
        "[0.75, 0, 0], [1, 0, 0]], \"weights\": {\"kind\": \"%s\"%s%s%s}},"
        "\"integration\": {\"every\": \"voxel\"}, \"handles\": [%s],"
        "\"loads\": [{\"force\": [0.01, %d, 0], \"on\": {\"box\": {\"size\": [0, 1, 1],"
        "\"center\": [1, 0, 0]}}}]}], \"probes\": [{\"name\": \"tip\", \"point\": [1, 0, 0]}]}",
        wall ? "static" : "dynamic", frames, wall ? "" : "[0, 0, 0], ", kind,
        maps ? ", \"maps\": \"" : "", maps ? maps : "", maps ? "\"" : "",
        wall ? "{\"motion\": \"fixed\", \"region\": {\"box\": {\"size\": [0, 1, 1]}}}" : "",
        wall ? 0 : 1);
    swScene *scene = sw_scene_parse(json, (size_t)size, "beam", NULL, &error);
    require(scene != NULL, &error);
    return scene;
}

// The tip's displacement at rest, or after ten steps where nothing holds the beam; and what holds
// it.
static swVec3 move_beam(const char *kind, const char *maps, const char *frames, bool wall,
                        swVec3 *force) {
    swScene *scene = beam_scene(kind, maps, frames, wall);
    swModel *model = compile_scene(scene);
    swState *s = make_state(model);
    swVec3 torque;
    if (wall) {
        solve_or_fail(model, s);
        sw_handle_wrench(s, 0, force, &torque);
    } else
        step_or_fail(model, s, 10);
    const swVec3 u = sw_probe_displacement(s, 0);
    sw_state_destroy(s);
    sw_model_destroy(model);
    sw_scene_destroy(scene);
    return u;
}

static void splines_bend_like_beams(void **state) {
    (void)state;
    const swReal beam = -0.01 * 1000 * 0.1 * 0.1 / (8 * 2e5 * 1e-4 / 12); // rho g A L^4 / (8 E I)
    swVec3 force;
    const swReal rigid = move_beam("spline", NULL, "rigid", true, &force).y / beam,
                 affine = move_beam("spline", NULL, "affine", true, &force).y / beam,
                 hat = move_beam("hat", NULL, "rigid", true, &force).y / beam;
    print_message("tip of five frames: rigid %.3f (hat %.3f), affine %.3f\n", rigid, hat, affine);
    assert_near(affine, 1.02, 0.01); // with shear 0.7 %, and what eight voxels across do
    assert_true(rigid > 0.9 && rigid < 1.02);
    assert_true(hat > 0.95 && hat < 1.02);
}

// Frames that are counted stand evenly: affine ones at open ends, the others half a spacing before.
static void rows_are_even(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        bool wall;
        int count;
        swReal x[5];
    } rows[] = {
        {"affine", true, 4, {0.25, 0.5, 0.75, 1}},
        {"affine", false, 5, {0, 0.25, 0.5, 0.75, 1}},
        {"affine", true, 1, {1}},
        {"affine", false, 1, {0.5}},
        {"rigid", false, 5, {0.1, 0.3, 0.5, 0.7, 0.9}},
        {"rigid", true, 2, {0.4, 0.8}},
    };
    for (int i = 0; i < SW_COUNT(rows); i++) {
        swScene *scene = beam_scene("hat", NULL, rows[i].frames, rows[i].wall);
        scene->bodies->frames.nat = 0;
        scene->bodies->frames.count = rows[i].count;
        swModel *model = compile_scene(scene);
        for (int k = 0; k < rows[i].count; k++) {
            const swVec3 off = sw_sub(only_body(model)->node[k].origin, sw_v3(rows[i].x[k], 0, 0));
            if (!(sw_norm(off) < 1e-12))
                fail_msg("row %d: frame %d is off by %g", i, k, sw_norm(off));
        }
        sw_model_destroy(model);
        sw_scene_destroy(scene);
    }
}

// Where weights are negative, so would be masses lumped by them.
static void splines_refuse_lumped_masses(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        swScene *scene = beam_scene(kinds[k], NULL, "affine", true);
        scene->bodies->mass = SW_MASS_LUMPED;
        swError error = {0};
        swModel *model = sw_compile(scene, &error);
        assert_true((model != NULL) == (k == 0));
        assert_true(k == 0 || strstr(error.message, "bodies[0].mass"));
        sw_model_destroy(model);
        sw_scene_destroy(scene);
    }
}

// Hats painted are hats; and what is held at rest has its weight and its load on the wall.
static void painted_beams_move(void **state) {
    (void)state;
    swError error = {0};
    for (int i = 0; i < 5; i++) {
        swReal data[5] = {0};
        data[i] = 7;
        const swImage image = {.n = {5, 1, 1},
                               .type = SW_IMAGE_F64,
                               .data = data,
                               .slope = 1,
                               .axis = {{0.25, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        require(sw_image_write(map_path(i), &image, &error), &error);
    }
    swVec3 force;
    const swVec3 hat = move_beam("hat", NULL, "rigid", false, &force),
                 painted = move_beam("painted", pattern(), "rigid", false, &force);
    assert_true(hat.y > 1e-3);
    assert_near(sw_norm(sw_sub(painted, hat)), 0, 1e-7 * sw_norm(hat));
    // The wall and the four frames after it; the first of these has what the maps leave beside it.
    remove(map_path(0));
    for (int i = 0; i < 4; i++)
        assert_int_equal(rename(map_path(i + 1), map_path(i)), 0);
    assert_true(move_beam("painted", pattern(), "affine", true, &force).y < -1e-3);
    assert_near(force.x, -0.01, 1e-6);
    assert_near(force.y, 0.01 * 1000 * 0.1 * 0.1, 1e-6);
    remove_maps(4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(chains_add_up_to_one),
    cmocka_unit_test(chains_are_one_at_their_own_site),
    cmocka_unit_test(gradients_are_those_of_the_weights),
    cmocka_unit_test(ends_have_all_beyond_them),
    cmocka_unit_test(chains_refuse_sites_at_the_same_place),
    cmocka_unit_test(kinks_are_where_slopes_jump),
    cmocka_unit_test(hats_are_straight_and_fall),
    cmocka_unit_test(splines_reproduce_quadratics),
    cmocka_unit_test(splines_are_smooth_across_frames),
    cmocka_unit_test(splines_end_at_handles),
    cmocka_unit_test(splines_refuse_uneven_gaps),
    cmocka_unit_test(rows_are_even),
    cmocka_unit_test(painted_ramps_come_back),
    cmocka_unit_test(painted_images_go_on_at_their_border),
    cmocka_unit_test(painted_handles_have_their_nodes),
    cmocka_unit_test(painted_patterns_are_checked),
    cmocka_unit_test(painted_maps_are_checked),
    cmocka_unit_test(painted_weights_survive_want_of_memory),
    cmocka_unit_test(splines_bend_like_beams),
    cmocka_unit_test(splines_refuse_lumped_masses),
    cmocka_unit_test(painted_beams_move),
};
SW_SUITE(chain, tests)
