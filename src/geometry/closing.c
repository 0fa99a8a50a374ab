// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dilation and erosion by a ball. Each is an exact distance transform, one axis after another, by
// the lower envelope of parabolas (Felzenszwalb and Huttenlocher 2012). Linear in the number of
// voxels.
#include "geometry/closing.h"

#include <math.h>

enum { BLOCK = 16, MAX_VOXELS = 1 << 30 };
#define FAR 1e30f
#define NEAR 1.000001f // squared distance, in units of the reach, that still counts as touching

// The box around the filled part of the image, padded by the reach of the ball.
typedef struct Envelope {
    int lo[3], n[3]; // in voxels of the image; lo may be negative
    float step2[3];  // (spacing / reach)^2
    float *d;        // squared distances
    float *line;     // BLOCK lines, then scratch for the envelope
    float *border;   // where each parabola takes over from the previous one
    int *vertex;     // positions of the parabolas' vertices
} Envelope;

// ---- distances ----

// Squared distance to the nearest zero of a row; the other values are FAR.
static void sweep_row(float *d, int n, float step2) {
    int since = n; // voxels since the last zero
    for (int i = 0; i < n; i++) {
        since = d[i] == 0 ? 0 : since + 1;
        d[i] = (float)since;
    }
    since = n;
    for (int i = n - 1; i >= 0; i--) {
        since = d[i] == 0 ? 0 : since + 1;
        float s = (float)sw_min_int(since, (int)d[i]), s2 = s * s * step2;
        d[i] = s2 <= NEAR ? s2 : FAR;
    }
}

// f[p] = min over q of f[q] + step2 (p - q)^2
static void sweep_line(const Envelope *box, float *f, int n, float step2) {
    int *v = box->vertex, top = -1;
    float *z = box->border;
    for (int q = 0; q < n; q++) {
        if (f[q] > NEAR)
            continue;
        float at = -FAR;
        while (top >= 0) {
            at = 0.5f * ((f[q] - f[v[top]]) / (step2 * (float)(q - v[top])) + (float)(q + v[top]));
            if (at > z[top])
                break;
            top--;
            at = -FAR;
        }
        v[++top] = q;
        z[top] = at;
    }
    if (top < 0)
        return;
    // Distances overwrite f from the left, but later parabolas still need their heights: keep those
    // in the rest of the line.
    float *height = z + n;
    for (int k = 0; k <= top; k++)
        height[k] = f[v[k]];
    for (int p = 0, k = 0; p < n; p++) {
        while (k < top && z[k + 1] < (float)p)
            k++;
        float s = (float)(p - v[k]), s2 = height[k] + s * s * step2;
        f[p] = s2 <= NEAR ? s2 : FAR;
    }
}

// Whether the line needs no work: all values zero, or all FAR.
static bool is_even(const float *f, int n) {
    if (f[0] != 0 && f[0] != FAR)
        return false;
    for (int i = 1; i < n; i++)
        if (f[i] != f[0])
            return false;
    return true;
}

// Processes lines along axis 1 or 2, BLOCK at a time, as these are adjacent in memory.
static void sweep_axis(const Envelope *box, int axis) {
    const int *n = box->n, other = 3 - axis, length = n[axis];
    const size_t row = (size_t)n[0], slice = row * (size_t)n[1];
    const size_t stride = axis == 1 ? row : slice, across = axis == 1 ? slice : row;
    for (int o = 0; o < n[other]; o++)
        for (int x = 0; x < n[0]; x += BLOCK) {
            float *d = box->d + (size_t)o * across + (size_t)x;
            const int width = sw_min_int(BLOCK, n[0] - x);
            for (int p = 0; p < length; p++)
                for (int b = 0; b < width; b++)
                    box->line[(size_t)b * (size_t)length + (size_t)p] =
                        d[(size_t)p * stride + (size_t)b];
            for (int b = 0; b < width; b++) {
                float *line = box->line + (size_t)b * (size_t)length;
                if (!is_even(line, length))
                    sweep_line(box, line, length, box->step2[axis]);
            }
            for (int p = 0; p < length; p++)
                for (int b = 0; b < width; b++)
                    d[(size_t)p * stride + (size_t)b] =
                        box->line[(size_t)b * (size_t)length + (size_t)p];
        }
}

// Turns values that are 0 where something is and FAR elsewhere into squared distances.
static void measure(const Envelope *box) {
    const size_t nrow = (size_t)box->n[1] * (size_t)box->n[2];
    for (size_t r = 0; r < nrow; r++)
        sweep_row(box->d + r * (size_t)box->n[0], box->n[0], box->step2[0]);
    sweep_axis(box, 1);
    sweep_axis(box, 2);
}

// ---- the box ----

static bool find_filled(const int n[3], const uint16_t *entry, int lo[3], int hi[3]) {
    for (int k = 0; k < 3; k++) {
        lo[k] = n[k];
        hi[k] = -1;
    }
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++) {
            const uint16_t *row = entry + (size_t)n[0] * ((size_t)y + (size_t)n[1] * (size_t)z);
            int first = 0, last = n[0] - 1;
            while (first < n[0] && !row[first])
                first++;
            if (first == n[0])
                continue;
            while (!row[last])
                last--;
            const int a[3] = {first, y, z}, b[3] = {last, y, z};
            for (int k = 0; k < 3; k++) {
                lo[k] = sw_min_int(lo[k], a[k]);
                hi[k] = sw_max_int(hi[k], b[k]);
            }
        }
    return hi[0] >= 0;
}

static bool make_box(const int lo[3], const int hi[3], const swReal spacing[3], swReal reach,
                     Envelope *box, swArena *scratch, swError *error) {
    swReal total = 1;
    for (int k = 0; k < 3; k++)
        total *= (swReal)hi[k] - lo[k] + 1 + 2 * (floor(reach / spacing[k]) + 1);
    if (!(total <= MAX_VOXELS))
        return sw_fail(error, SW_ERROR_LIMIT,
                       "a reach of %g m needs %.3g voxels of the image, more than the limit of %d",
                       reach, total, MAX_VOXELS);
    for (int k = 0; k < 3; k++) {
        const int pad = (int)floor(reach / spacing[k]) + 1;
        box->lo[k] = lo[k] - pad;
        box->n[k] = hi[k] - lo[k] + 1 + 2 * pad;
        box->step2[k] = (float)((spacing[k] / reach) * (spacing[k] / reach));
    }
    const size_t longest = (size_t)sw_max_int(box->n[1], box->n[2]);
    return (box->d = SW_NEW(scratch, (size_t)total, float, error)) &&
           (box->line = SW_NEW(scratch, BLOCK * longest, float, error)) &&
           (box->border = SW_NEW(scratch, 2 * longest, float, error)) &&
           (box->vertex = SW_NEW(scratch, longest, int, error));
}

// Row (y, z) of the box in the image. Beyond the image, its border rows are repeated.
static uint16_t *row_of(const Envelope *box, const int n[3], uint16_t *entry, int y, int z) {
    const int j = sw_min_int(sw_max_int(y + box->lo[1], 0), n[1] - 1),
              k = sw_min_int(sw_max_int(z + box->lo[2], 0), n[2] - 1);
    return entry + (size_t)n[0] * ((size_t)j + (size_t)n[1] * (size_t)k);
}

static bool has(int i, int n) { return i >= 0 && i < n; }

// A reach of less than half a voxel closes nothing.
bool sw_closing_fill(const int n[3], const swReal spacing[3], swReal reach, uint16_t fill,
                     uint16_t *entry, swArena *scratch, size_t *count, swError *error) {
    Envelope box = {0};
    int lo[3], hi[3];
    *count = 0;
    if (reach < 0.5 * sw_min(spacing[0], sw_min(spacing[1], spacing[2])) ||
        !find_filled(n, entry, lo, hi))
        return true;
    if (!make_box(lo, hi, spacing, reach, &box, scratch, error))
        return false;
    const size_t total = (size_t)box.n[0] * (size_t)box.n[1] * (size_t)box.n[2];
    float *d = box.d;
    for (int z = 0; z < box.n[2]; z++)
        for (int y = 0; y < box.n[1]; y++) {
            const uint16_t *row = row_of(&box, n, entry, y, z);
            for (int x = 0; x < box.n[0]; x++)
                *d++ = row[sw_min_int(sw_max_int(x + box.lo[0], 0), n[0] - 1)] ? 0 : FAR;
        }
    measure(&box);
    for (size_t i = 0; i < total; i++) // now measure from the region that the ball may enter
        box.d[i] = box.d[i] <= NEAR ? FAR : 0;
    measure(&box);
    d = box.d;
    for (int z = 0; z < box.n[2]; z++)
        for (int y = 0; y < box.n[1]; y++, d += box.n[0]) {
            if (!has(y + box.lo[1], n[1]) || !has(z + box.lo[2], n[2]))
                continue;
            uint16_t *row = row_of(&box, n, entry, y, z);
            for (int x = 0; x < box.n[0]; x++)
                if (d[x] > NEAR && has(x + box.lo[0], n[0]) && !row[x + box.lo[0]]) {
                    row[x + box.lo[0]] = fill;
                    ++*count;
                }
        }
    return true;
}
