// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Binary messages: surfaces, points of integration, frames, fields.
#include "view_encode.h"

#include "kinematics/points.h"
#include "solve/work.h"

#include <string.h>

enum { KIND_SURFACE = 1, KIND_POINTS, KIND_FRAME, KIND_FIELD };

// ---- writing: the machines sinew runs on are little-endian, as the messages are ----

typedef struct Pen {
    Bytes *bytes;
    size_t at;
} Pen;

static void put(Pen *pen, const void *data, size_t size) {
    SW_ASSERT(pen->at + size <= pen->bytes->size);
    memcpy(pen->bytes->data + pen->at, data, size);
    pen->at += size;
}
static void put_int(Pen *pen, int64_t value) {
    const uint32_t x = (uint32_t)value;
    put(pen, &x, sizeof x);
}
static void put_float(Pen *pen, swReal value) {
    const float x = (float)value;
    put(pen, &x, sizeof x);
}
static void put_floats(Pen *pen, int count, const swReal *value) {
    for (int i = 0; i < count; i++)
        put_float(pen, value[i]);
}
static void put_vector(Pen *pen, swVec3 v) { put_floats(pen, 3, (swReal[]){v.x, v.y, v.z}); }

static Pen pen_create(size_t size, int kind, int generation) {
    Pen pen = {.bytes = bytes_create(size)};
    if (pen.bytes) {
        put_int(&pen, kind);
        put_int(&pen, generation);
    }
    return pen;
}

// ---- surfaces ----

// Quadratic frames and modes are more than matrices: their surfaces are moved here.
static bool can_skin(const swModel *m, const swPartInfo *part) {
    const swBodyInfo *b = &m->body[part->body];
    for (int i = b->node; i < b->node + b->nnode; i++)
        if (m->node[i].width > 4 || sw_node_is_modes(&m->node[i]))
            return false;
    return true;
}

bool surfaces_find(Surfaces *s, const swModel *m, swArena *arena, swError *error) {
    int count = 0;
    for (int b = 0; b < m->size.nbody; b++)
        count += sw_body_shown_count(&m->body[b]);
    *s = (Surfaces){.item = SW_NEW(arena, count, Surface, error)};
    if (!s->item)
        return false;
    for (int b = 0; b < m->size.nbody; b++)
        for (int i = 0; i < sw_body_shown_count(&m->body[b]); i++) {
            const swPartInfo part = sw_body_shown(m, b, i);
            const bool skinned = can_skin(m, &part);
            s->item[s->count++] =
                (Surface){part, m->body[b].npart > 0 ? m->body[b].part + i : -1, skinned};
            s->nvertex += part.npoint;
            s->nstream += skinned ? 0 : part.npoint;
        }
    return true;
}

Bytes *encode_surface(const swModel *m, const Surfaces *s, int index, int generation) {
    const swPartInfo *part = &s->item[index].part;
    const int end = part->point + part->npoint, first = m->point_start[part->point];
    const int nweight = m->point_start[end] - first;
    const size_t words =
        6 + 5 * (size_t)part->npoint + 1 + 3 * (size_t)part->ntriangle + 2 * (size_t)nweight;
    Pen pen = pen_create(4 * words, KIND_SURFACE, generation);
    if (!pen.bytes)
        return NULL;
    put_int(&pen, index);
    put_int(&pen, part->npoint);
    put_int(&pen, part->ntriangle);
    put_int(&pen, nweight);
    for (int p = part->point; p < end; p++)
        put_vector(&pen, m->point[p]);
    for (int i = 0; i < 3 * part->ntriangle; i++)
        put_int(&pen, m->triangle[3 * part->triangle + i] - part->point);
    for (int p = part->point; p <= end; p++)
        put_int(&pen, m->point_start[p] - first);
    put(&pen, m->point_node + first, (size_t)nweight * sizeof *m->point_node);
    put_floats(&pen, nweight, m->point_weight + first);
    for (int p = part->point; p < end; p++)
        put_int(&pen, part->material >= 0 ? part->material : m->point_material[p]);
    return pen.bytes;
}

// ---- points of integration ----

// What moves a sample, from what its group keeps. For nodes with linear monomials, w is the
// derivative of w x by x, less x dw/dx; point nodes keep dw/dp alone, and stand for themselves by
// equal shares.
static swReal sample_weight(const swModel *m, const swGroup *g, int sample, int node, int column) {
    const int block = (sample - g->sample) / SW_LANES, lane = (sample - g->sample) % SW_LANES;
    const int rows = sw_group_gamma_rows(g);
    const swReal *gamma =
        m->gamma + g->gamma + (int64_t)block * rows * g->ncolumn * SW_LANES + lane;
    const swNode *n = &m->node[node];
    if (g->blend == SW_BLEND_MODES)
        return 1; // shown where it is at rest
    if (g->blend == SW_BLEND_DUAL_QUATERNION)
        return gamma[column * SW_LANES];
    if (n->width < 4)
        return 1.0 / g->nnode;
    const swReal x = m->sample_point[sample].x - n->origin.x;
    return gamma[(column + 1) * SW_LANES] - x * gamma[column * SW_LANES];
}

// Whether a sample counts: others pad blocks.
static bool is_sample(const swModel *m, int64_t i) { return m->sample_volume[i] > 0; }

static int count_samples(const swModel *m) {
    int count = 0;
    for (int64_t i = 0; i < m->size.nsample; i++)
        count += is_sample(m, i);
    return count;
}

static int count_sample_weights(const swModel *m) {
    int count = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        for (int k = g->sample; k < g->sample + g->nblock * SW_LANES; k++)
            count += is_sample(m, k) ? g->nnode : 0;
    }
    return count;
}

// Of the samples of a group: its cells are regions, or it is one itself.
static int region_of(const swModel *m, const swGroup *g, int sample, int first) {
    const int block = (sample - g->sample) / SW_LANES;
    for (int c = 0; c < g->ncell; c++) {
        const swCell *cell = &m->cell[g->cell + c];
        if (block >= cell->block && block < cell->block + cell->nblock)
            return first + c;
    }
    return first;
}

typedef enum SampleArray {
    ARRAY_REST,
    ARRAY_START,
    ARRAY_NODE,
    ARRAY_WEIGHT,
    ARRAY_REGION,
    ARRAY_BODY,
    ARRAYS
} SampleArray;

static void put_sample(Pen *pen, const swModel *m, const swGroup *g, int sample, SampleArray array,
                       int region, int *nweight) {
    const int *node = m->group_node + g->node;
    switch (array) {
    case ARRAY_REST: put_vector(pen, m->sample_point[sample]); break;
    case ARRAY_START:
        *nweight += g->nnode;
        put_int(pen, *nweight);
        break;
    case ARRAY_NODE:
        for (int i = 0; i < g->nnode; i++)
            put_int(pen, node[i]);
        break;
    case ARRAY_WEIGHT:
        for (int i = 0, column = 0; i < g->nnode; i++) {
            put_float(pen, sample_weight(m, g, sample, node[i], column));
            column += sw_node_columns(&m->node[node[i]]);
        }
        break;
    case ARRAY_REGION: put_int(pen, region_of(m, g, sample, region)); break;
    case ARRAY_BODY: put_int(pen, g->body); break;
    case ARRAYS: break;
    }
}

Bytes *encode_points(const swModel *m, int generation) {
    const int n = count_samples(m), nweight = count_sample_weights(m);
    Pen pen =
        pen_create(4 * (4 + 6 * (size_t)n + 1 + 2 * (size_t)nweight), KIND_POINTS, generation);
    if (!pen.bytes)
        return NULL;
    put_int(&pen, n);
    put_int(&pen, nweight);
    for (SampleArray array = 0; array < ARRAYS; array++) {
        int region = 0, start = 0;
        if (array == ARRAY_START)
            put_int(&pen, 0);
        for (int64_t i = 0; i < m->size.ngroup; i++) {
            const swGroup *g = &m->group[i];
            for (int k = g->sample; k < g->sample + g->nblock * SW_LANES; k++)
                if (is_sample(m, k))
                    put_sample(&pen, m, g, k, array, region, &start);
            region += sw_max_int(1, g->ncell);
        }
    }
    return pen.bytes;
}

// ---- frames ----

static void put_frame_head(Pen *pen, const swModel *m, const Surfaces *s, const FrameInfo *info) {
    put_int(pen, info->flags);
    put_int(pen, m->size.nnode);
    put_int(pen, info->npull);
    put_int(pen, m->size.nprobe);
    put_int(pen, s->nstream);
    put_int(pen, info->ninserted);
    put_int(pen, m->size.nmuscle);
    put_int(pen, sw_control_count(m));
    put_int(pen, info->step);
    put(pen, &info->t, sizeof info->t);
    put_floats(pen, 2, info->speed);
    put_floats(pen, 4, info->energy);
    put_floats(pen, 6, info->timing);
    put_float(pen, info->newton);
    put_floats(pen, 4, info->ball);
    put_float(pen, info->residual);
    for (int i = 0; i < info->npull; i++) {
        const FramePull *pull = &info->pull[i];
        put_int(pen, pull->id);
        put_int(pen, pull->kind);
        put_vector(pen, pull->at);
        put_vector(pen, pull->to);
        put_float(pen, pull->force);
        put_float(pen, pull->stiffness);
    }
}

// Those that a page has set are sent as set, before the step that makes them so.
static void put_controls(Pen *pen, const swModel *m, const swState *state) {
    for (int64_t i = 0; i < sw_control_count(m); i++) {
        const bool set = !isnan(state->activation_set[i]);
        put_float(pen, set ? state->activation_set[i] : state->activation[i]);
        put_float(pen, set);
    }
}

static void put_nodes(Pen *pen, const swModel *m, const swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) // of a point node: its place alone
                put_float(pen, c < n->width ? q[n->q + r * n->width + c] : 0);
    }
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (sw_node_is_dual(&m->node[i]))
            put_floats(pen, 8, q + m->node[i].q + SW_NODE_DUAL);
}

Bytes *encode_frame(const swModel *m, const Surfaces *s, const swReal *q, const FrameInfo *info) {
    int ndual = 0;
    for (int64_t i = 0; i < m->size.nnode; i++)
        ndual += sw_node_is_dual(&m->node[i]);
    const size_t size = 124 + 40 * (size_t)info->npull + 12 * (size_t)info->ninserted +
                        24 * (size_t)m->size.nmuscle + 8 * (size_t)sw_control_count(m) +
                        12 * (size_t)m->size.nprobe + 48 * (size_t)m->size.nnode +
                        32 * (size_t)ndual + 12 * (size_t)s->nstream;
    Pen pen = pen_create(size, KIND_FRAME, info->generation);
    if (!pen.bytes)
        return NULL;
    put_frame_head(&pen, m, s, info);
    for (int i = 0; i < info->ninserted; i++)
        put_vector(&pen, info->inserted[i]);
    for (int64_t i = 0; i < 2 * m->size.nmuscle; i++)
        put_vector(&pen, sw_point_position(m, q, m->muscle[i / 2].point[i % 2]));
    put_controls(&pen, m, info->state);
    for (int64_t i = 0; i < m->size.nprobe; i++)
        put_vector(&pen, sw_sub(sw_point_position(m, q, m->probe[i].point),
                                sw_point_position(m, m->q0, m->probe[i].point)));
    put_nodes(&pen, m, q);
    for (int i = 0; i < s->count; i++)
        for (int p = 0; !s->item[i].skinned && p < s->item[i].part.npoint; p++)
            put_vector(&pen, sw_point_position(m, q, s->item[i].part.point + p));
    return pen.bytes;
}

// ---- fields ----

static void widen(swReal value, swReal *lo, swReal *hi) {
    if (isfinite(value)) {
        *lo = sw_min(*lo, value);
        *hi = sw_max(*hi, value);
    }
}

static void put_level(Pen *pen, swReal value, swReal lo, swReal hi) {
    const swReal share = hi > lo ? (value - lo) / (hi - lo) : 0;
    const uint16_t level = (uint16_t)(65535 * (isfinite(share) ? sw_clamp(share, 0, 1) : 0) + 0.5);
    put(pen, &level, sizeof level);
}

Bytes *encode_field(const swModel *m, const Surfaces *s, int generation, int field,
                    const swReal *point, const swReal *sample) {
    const int nsample = count_samples(m);
    const size_t levels = (size_t)s->nvertex + (size_t)nsample;
    swReal lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < s->count; i++)
        for (int p = 0; p < s->item[i].part.npoint; p++)
            widen(point[s->item[i].part.point + p], &lo, &hi);
    for (int64_t i = 0; i < m->size.nsample; i++)
        if (is_sample(m, i))
            widen(sample[i], &lo, &hi);
    if (!(lo <= hi))
        lo = hi = 0;
    Pen pen = pen_create((28 + 2 * levels + 3) / 4 * 4, KIND_FIELD, generation);
    if (!pen.bytes)
        return NULL;
    put_int(&pen, field);
    put_int(&pen, s->nvertex);
    put_int(&pen, nsample);
    put_float(&pen, lo);
    put_float(&pen, hi);
    for (int i = 0; i < s->count; i++)
        for (int p = 0; p < s->item[i].part.npoint; p++)
            put_level(&pen, point[s->item[i].part.point + p], lo, hi);
    for (int64_t i = 0; i < m->size.nsample; i++)
        if (is_sample(m, i))
            put_level(&pen, sample[i], lo, hi);
    return pen.bytes;
}
