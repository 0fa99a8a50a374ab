// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Volumes: solids given by the voxels of an image. The image may have any orientation. If its axes
// are those of the world, flipped or permuted, all answers are exact.
#include "geometry/closing.h"
#include "geometry/solid_internal.h"
#include "geometry/volume_fill.h"
#include "formats/image.h"

#include <string.h>

#define SKEW 1e-6 // of an axis: smaller components are rounding in the file

typedef struct swSolidVolume {
    int n[3]; // voxels of the filled part of the image
    uint16_t *entry;
    // x = M u + c, where voxel (i, j, k) is i <= u.x < i + 1, ... W is the inverse of M.
    swMat3 M, W;
    swVec3 c;
    bool aligned; // the axes are those of the world
    int along[3]; // if aligned: the image axis along each world axis
    swReal half;  // half of the shortest voxel edge
    swSolidEntry *palette;
    int npalette;
} swSolidVolume;

static swVec3 column(swMat3 A, int k) { return sw_v3(A.m[k], A.m[3 + k], A.m[6 + k]); }

// ---- position ----

static swMat3 inverse(swMat3 A) {
    const swVec3 a = column(A, 0), b = column(A, 1), c = column(A, 2);
    const swReal det = sw_dot(a, sw_cross(b, c));
    const swVec3 r[3] = {sw_cross(b, c), sw_cross(c, a), sw_cross(a, b)};
    swMat3 W;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            W.m[3 * i + k] = sw_get(r[i], k) / det;
    return W;
}

// Removes components off the world axes that are due to rounding.
static void straighten(swMat3 *M) {
    for (int k = 0; k < 3; k++) {
        const swReal least = SKEW * sw_norm(column(*M, k));
        for (int i = 0; i < 3; i++)
            if (fabs(M->m[3 * i + k]) <= least)
                M->m[3 * i + k] = 0;
    }
}

static void find_axes(swSolidVolume *v) {
    v->aligned = true;
    for (int i = 0; i < 3; i++) {
        int count = 0;
        for (int k = 0; k < 3; k++)
            if (v->M.m[3 * i + k] != 0) {
                v->along[i] = k;
                count++;
            }
        v->aligned = v->aligned && count == 1;
    }
}

// The file's own coordinate frame, in metres: x = A u + corner.
static bool file_frame(const swSolidSource *source, const swImage *image, swMat3 *A,
                       swVec3 *corner) {
    const swShape *shape = source->shape;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            A->m[3 * i + k] = sw_get(image->axis[k], i);
    const swVec3 half = {0.5, 0.5, 0.5}, size = {image->n[0], image->n[1], image->n[2]};
    *corner = sw_sub(image->origin, sw_mul(*A, half));
    if (image->flat) {
        if (isnan(shape->pixel))
            return sw_solid_bad(source, "pixel",
                                "the edge of a pixel in metres, as the image is a picture",
                                &shape->pixel, 1);
        const swReal thickness = isnan(shape->thickness) ? shape->pixel : shape->thickness;
        if (!sw_solid_check_positive(source, "pixel", shape->pixel) ||
            !sw_solid_check_positive(source, "thickness", thickness))
            return false;
        // From the origin to the right and upwards, half of the thickness on either side of z = 0.
        const swVec3 far = sw_mul(*A, size);
        const swMat3 stretch = sw_mat_diag(shape->pixel, shape->pixel, thickness);
        *A = sw_mat_mul(stretch, *A);
        *corner = sw_mul(stretch, sw_v3(sw_max(0, -far.x), sw_max(0, -far.y), -0.5 * far.z));
        return true;
    }
    if (!isnan(shape->pixel) || !isnan(shape->thickness))
        return sw_solid_bad(source, isnan(shape->pixel) ? "thickness" : "pixel",
                            "none, as the file gives the size of its voxels",
                            isnan(shape->pixel) ? &shape->thickness : &shape->pixel, 1);
    return true;
}

static bool place(const swSolidSource *source, const swImage *image, swSolidVolume *v) {
    swMat3 A, R;
    swVec3 corner, t;
    swReal scale = source->shape->scale;
    if (isnan(scale)) {
        if (!(image->unit > 0) && !image->flat)
            sw_warn(
                source->config,
                "%s.volume: %s does not state its unit of length: metres assumed; use a \"scale\" "
                "of 0.001 for millimetres",
                source->key, source->shape->file ? source->shape->file : "the image");
        scale = image->unit > 0 && !image->flat ? image->unit : 1;
    }
    if (!sw_solid_check_positive(source, "scale", scale) || !file_frame(source, image, &A, &corner))
        return false;
    sw_solid_pose(source->shape, &R, &t);
    v->M = sw_mat_mul(R, A);
    for (int i = 0; i < 9; i++)
        v->M.m[i] *= scale;
    straighten(&v->M);
    v->c = sw_add(sw_mul(R, sw_scale(scale, corner)), t);
    swReal edge[3], least = INFINITY;
    bool good = sw_solid_finite3(v->c);
    for (int k = 0; k < 3; k++) {
        const swVec3 a = column(v->M, k);
        edge[k] = sw_norm(a);
        good = good && edge[k] > 1 / SW_SOLID_LIMIT && sw_solid_finite(image->n[k] * edge[k]);
        least = sw_min(least, edge[k]);
    }
    if (!good || !(fabs(sw_mat_det(v->M)) > SKEW * edge[0] * edge[1] * edge[2]))
        return sw_fail(source->error, SW_ERROR_VALUE,
                       "%s.volume: %s: expected three independent axes and voxels of nonzero "
                       "size, found edges of %g, %g and %g m%s",
                       source->key, source->shape->file ? source->shape->file : "the image",
                       edge[0], edge[1], edge[2], good ? ", not independent" : "");
    v->half = 0.5 * least;
    return true;
}

// ---- creation ----

// Fills unlabelled gaps.
static bool close_gaps(const swSolidSource *source, const swImage *image, const swSolidVolume *v,
                       swFilled *filled, swArena *scratch) {
    const swShape *shape = source->shape;
    if (!shape->fill)
        return true;
    if (!sw_solid_check_positive(source, "fill.reach", shape->reach))
        return false;
    const swReal edge[3] = {sw_norm(column(v->M, 0)), sw_norm(column(v->M, 1)),
                            sw_norm(column(v->M, 2))};
    size_t count;
    if (!sw_closing_fill(image->n, edge, shape->reach, (uint16_t)filled->npalette, filled->entry,
                         scratch, &count, source->error))
        return false;
    filled->palette[filled->npalette++] =
        (swSolidEntry){.material = shape->fill, .label = INT32_MIN, .young = NAN, .density = NAN};
    sw_info(source->config, "%s.volume.fill: %zu voxels of %s become \"%s\", %.3g m^3", source->key,
            count, shape->file ? shape->file : "the image", shape->fill,
            (swReal)count * fabs(sw_mat_det(v->M)));
    return true;
}

// Crops to the filled part of the image.
static bool crop(const swSolidSource *source, const swImage *image, const uint16_t *entry,
                 swSolidVolume *v) {
    const int *n = image->n;
    int lo[3] = {n[0], n[1], n[2]}, hi[3] = {-1, -1, -1};
    const uint16_t *e = entry;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++)
                if (*e++) {
                    lo[0] = sw_min_int(lo[0], x);
                    hi[0] = sw_max_int(hi[0], x);
                    lo[1] = sw_min_int(lo[1], y);
                    hi[1] = sw_max_int(hi[1], y);
                    lo[2] = sw_min_int(lo[2], z);
                    hi[2] = z;
                }
    for (int k = 0; k < 3; k++)
        v->n[k] = hi[k] - lo[k] + 1;
    v->c = sw_add(v->c, sw_mul(v->M, sw_v3(lo[0], lo[1], lo[2])));
    const size_t row = (size_t)v->n[0], nrow = (size_t)v->n[1] * (size_t)v->n[2];
    if (!(v->entry = SW_NEW(source->arena, row * nrow, uint16_t, source->error)))
        return false;
    for (size_t r = 0; r < nrow; r++) {
        const size_t y = r % (size_t)v->n[1] + (size_t)lo[1],
                     z = r / (size_t)v->n[1] + (size_t)lo[2];
        memcpy(v->entry + r * row, entry + (size_t)lo[0] + (size_t)n[0] * (y + (size_t)n[1] * z),
               row * sizeof *v->entry);
    }
    return true;
}

bool sw_volume_create(swSolid *solid, const swSolidSource *source, const swImage *image,
                      swArena *scratch) {
    swSolidVolume *v = SW_NEW(source->arena, 1, swSolidVolume, source->error);
    swFilled filled;
    if (!v || !place(source, image, v) || !sw_volume_fill(source, image, scratch, &filled) ||
        !close_gaps(source, image, v, &filled, scratch) || !crop(source, image, filled.entry, v))
        return false;
    v->palette = filled.palette;
    v->npalette = filled.npalette;
    v->W = inverse(v->M);
    find_axes(v);
    solid->volume = v;
    solid->is_box = solid->flat[0] = solid->flat[1] = solid->flat[2] = v->aligned;
    for (int i = 0; i < 8; i++) {
        const swVec3 u = {i & 1 ? v->n[0] : 0, i & 2 ? v->n[1] : 0, i & 4 ? v->n[2] : 0};
        const swVec3 p = sw_add(v->c, sw_mul(v->M, u));
        solid->lo = i ? sw_min3(solid->lo, p) : p;
        solid->hi = i ? sw_max3(solid->hi, p) : p;
    }
    return true;
}

static bool volume_create(swSolid *solid, const swSolidSource *source) {
    swArena scratch;
    swImage image;
    char *path = sw_solid_check_file(source) ? sw_solid_path(source) : NULL;
    if (!path)
        return false;
    sw_arena_init(&scratch, &source->arena->allocator);
    bool ok = sw_image_read(path, &scratch, &image, source->error) &&
              sw_volume_create(solid, source, &image, &scratch);
    sw_arena_free(&scratch);
    return ok;
}

const swSolidEntry *sw_solid_palette(const swSolid *solid, int *count) {
    *count = solid->volume ? solid->volume->npalette : 0;
    return solid->volume ? solid->volume->palette : NULL;
}

// ---- queries ----

// The ray of sw_solid_spans() and the spans found so far.
typedef struct Walk {
    swSpanList *list;
    int first; // first span of this ray
    swArena *arena;
    swError *error;
} Walk;

// Appends [lo, hi], or extends the last span if this continues it.
static bool add_span(Walk *w, swReal lo, swReal hi, int entry) {
    if (!entry || !(lo < hi))
        return true;
    swSpan *last = w->list->count > w->first ? &w->list->item[w->list->count - 1] : NULL;
    if (last && last->hi == lo && last->entry == entry) {
        last->hi = hi;
        return true;
    }
    last = SW_PUSH(w->list, w->arena, w->error);
    if (last)
        *last = (swSpan){lo, hi, entry};
    return last != NULL;
}

static size_t stride_of(const swSolidVolume *v, int axis) {
    return axis == 0 ? 1 : (size_t)v->n[0] * (axis == 1 ? 1 : (size_t)v->n[1]);
}

// Position of face i of the voxels along world axis k; ascends with i.
static swReal face(const swSolidVolume *v, int k, int i) {
    const int a = v->along[k];
    const swReal step = v->M.m[3 * k + a];
    return sw_get(v->c, k) + step * (step > 0 ? i : v->n[a] - i);
}

static bool aligned_spans(const swSolidVolume *v, swReal y, swReal z, Walk *w) {
    const swReal at[3] = {0, y, z};
    size_t row = 0;
    for (int k = 1; k < 3; k++) {
        const int a = v->along[k];
        const swReal u = floor((at[k] - sw_get(v->c, k)) / v->M.m[3 * k + a]);
        if (!(u >= 0 && u < v->n[a]))
            return true;
        row += (size_t)u * stride_of(v, a);
    }
    const int a = v->along[0], n = v->n[a];
    const bool forward = v->M.m[a] > 0;
    const size_t stride = stride_of(v, a);
    const uint16_t *e = v->entry + row;
    for (int i = 0; i < n;) {
        const int first = i, entry = e[(size_t)(forward ? i : n - 1 - i) * stride];
        for (i++; i < n && e[(size_t)(forward ? i : n - 1 - i) * stride] == entry;)
            i++;
        if (entry && !add_span(w, face(v, 0, first), face(v, 0, i), entry))
            return false;
    }
    return true;
}

// Walks from voxel to voxel (Amanatides and Woo 1987). Each crossing is computed from scratch, so
// errors do not accumulate.
static bool oblique_spans(const swSolidVolume *v, swReal y, swReal z, Walk *w) {
    const swVec3 from = sw_mul(v->W, sw_sub(sw_v3(0, y, z), v->c)), along = column(v->W, 0);
    swReal lo = -INFINITY, hi = INFINITY;
    for (int k = 0; k < 3; k++) { // u = from + x along is inside for lo <= x <= hi
        const swReal f = sw_get(from, k), s = sw_get(along, k);
        if (s == 0 && !(f >= 0 && f < v->n[k]))
            return true;
        if (s != 0) {
            lo = sw_max(lo, s > 0 ? -f / s : (v->n[k] - f) / s);
            hi = sw_min(hi, s > 0 ? (v->n[k] - f) / s : -f / s);
        }
    }
    if (!(lo < hi))
        return true;
    int i[3], step[3];
    swReal next[3]; // where the ray leaves the voxel along each axis
    for (int k = 0; k < 3; k++) {
        const swReal f = sw_get(from, k), s = sw_get(along, k);
        step[k] = s > 0 ? 1 : -1;
        i[k] = (int)sw_clamp(floor(f + lo * s), 0, v->n[k] - 1);
        next[k] = s == 0 ? INFINITY : (i[k] + (s > 0) - f) / s;
    }
    for (swReal x = lo; x < hi;) {
        const int k =
            next[0] <= next[1] ? (next[0] <= next[2] ? 0 : 2) : (next[1] <= next[2] ? 1 : 2);
        const swReal end = sw_min(sw_max(next[k], x), hi);
        const size_t at =
            (size_t)i[0] + stride_of(v, 1) * (size_t)i[1] + stride_of(v, 2) * (size_t)i[2];
        if (!add_span(w, x, end, v->entry[at]))
            return false;
        x = end;
        i[k] += step[k];
        if (i[k] < 0 || i[k] >= v->n[k])
            break;
        next[k] = (i[k] + (step[k] > 0) - sw_get(from, k)) / sw_get(along, k);
    }
    return true;
}

static bool volume_spans(const swSolid *solid, swReal y, swReal z, swSpanList *list, swArena *arena,
                         swError *error) {
    const swSolidVolume *v = solid->volume;
    Walk w = {list, list->count, arena, error};
    return v->aligned ? aligned_spans(v, y, z, &w) : oblique_spans(v, y, z, &w);
}

bool sw_volume_breaks(const swSolid *solid, int axis, swSpanList *list, swArena *arena,
                      swError *error) {
    const swSolidVolume *v = solid->volume;
    for (int i = 0; i <= v->n[v->along[axis]]; i++) {
        swSpan *last = SW_PUSH(list, arena, error);
        if (!last)
            return false;
        *last = (swSpan){face(v, axis, i), face(v, axis, i), 0};
    }
    return true;
}

static bool volume_inside(const swSolid *solid, swVec3 p) {
    const swSolidVolume *v = solid->volume;
    const swVec3 u = sw_mul(v->W, sw_sub(p, v->c));
    size_t at = 0;
    for (int k = 0; k < 3; k++) {
        const swReal i = floor(sw_get(u, k));
        if (!(i >= 0 && i < v->n[k]))
            return false;
        at += stride_of(v, k) * (size_t)i;
    }
    return v->entry[at] != 0;
}

static swReal volume_distance(const swSolid *solid, swVec3 p) {
    const swReal half = solid->volume->half;
    return volume_inside(solid, p) ? -half : half;
}

const swSolidType sw_solid_volume = {.name = "volume",
                                     .create = volume_create,
                                     .spans = volume_spans,
                                     .distance = volume_distance,
                                     .inside = volume_inside};
