// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Binary messages: surfaces, integration points, frames, fields.
#include "view/encode.h"

#include "kinematics/points.h"
#include "solve/work.h"

#include <string.h>

enum { KIND_SURFACE = 1, KIND_POINTS, KIND_FRAME, KIND_FIELD };

// ---- writing: messages are little-endian, like the machines that sinew runs on ----

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

// Quadratic frames and modes are more than matrices: the server moves their surfaces.
static bool can_skin(const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (m->node[i].width > 4 || sw_node_is_modes(&m->node[i]))
            return false;
    return true;
}

static void add_surfaces(Surfaces *s, const swModel *model, int body) {
    const swBodyModel *m = sw_model_body(model, body);
    const bool parts = m->body->npart > 0;
    for (int i = 0; i < sw_body_shown_count(m->body); i++) {
        const Surface surface = {.body = body,
                                 .index = parts ? model->place[body].part + i : -1,
                                 .part = sw_body_shown(m, 0, i),
                                 .skinned = can_skin(m)};
        s->item[s->count++] = surface;
        s->nvertex += surface.part.npoint;
        s->nstream += surface.skinned ? 0 : surface.part.npoint;
    }
}

bool surfaces_find(Surfaces *s, const swModel *m, swArena *arena, swError *error) {
    int count = 0;
    for (int b = 0; b < m->size.nbody; b++)
        count += sw_body_shown_count(sw_model_body(m, b)->body);
    *s = (Surfaces){.item = SW_NEW(arena, count, Surface, error)};
    for (int b = 0; s->item && b < m->size.nbody; b++)
        add_surfaces(s, m, b);
    return s->item != NULL;
}

Bytes *encode_surface(const swModel *model, const Surfaces *s, int index, int generation) {
    const swPartInfo *part = &s->item[index].part;
    const swBodyModel *m = sw_model_body(model, s->item[index].body);
    const int frame = model->place[s->item[index].body].frame;
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
    for (int e = first; e < first + nweight; e++)
        put_int(&pen, frame + m->point_node[e]);
    put_floats(&pen, nweight, m->point_weight + first);
    for (int p = part->point; p < end; p++)
        put_int(&pen, part->material >= 0 ? part->material : m->point_material[p]);
    return pen.bytes;
}

// ---- integration points ----

// The weight of a node at a sample, recovered from what its group stores. For nodes with linear
// monomials, w = d(w x)/dx - x dw/dx. Point nodes store only dw/dp, so all nodes of the group get
// equal weights.
static swReal sample_weight(const swBodyModel *m, const swGroup *g, int sample, int node,
                            int column) {
    const int block = (sample - g->sample) / SW_LANES, lane = (sample - g->sample) % SW_LANES;
    const int rows = sw_group_gamma_rows(g);
    const swReal *gamma =
        m->gamma + g->gamma + (int64_t)block * rows * g->ncolumn * SW_LANES + lane;
    const swNode *n = &m->node[node];
    if (g->blend == SW_BLEND_MODES)
        return 1; // shown at its rest position
    if (g->blend == SW_BLEND_DUAL_QUATERNION)
        return gamma[column * SW_LANES];
    if (n->width < 4)
        return 1.0 / g->nnode;
    const swReal x = m->sample_point[sample].x - n->origin.x;
    return gamma[(column + 1) * SW_LANES] - x * gamma[column * SW_LANES];
}

// Whether a sample is real: others are padding of blocks.
static bool is_sample(const swBodyModel *m, int64_t i) { return m->sample_volume[i] > 0; }

static int count_samples(const swModel *model) {
    int count = 0;
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int64_t i = 0; i < m->size.nsample; i++)
            count += is_sample(m, i);
    }
    return count;
}

static int count_sample_weights(const swModel *model) {
    int count = 0;
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (const swGroup *g = m->group; g < m->group + m->size.ngroup; g++)
            for (int k = g->sample; k < g->sample + g->nblock * SW_LANES; k++)
                count += is_sample(m, k) ? g->nnode : 0;
    }
    return count;
}

// The region of a sample: zones of a group are regions, or the group is one itself.
static int region_of(const swBodyModel *m, const swGroup *g, int sample, int first) {
    const int block = (sample - g->sample) / SW_LANES;
    for (int c = 0; c < g->nzone; c++) {
        const swZone *zone = &m->zone[g->zone + c];
        if (block >= zone->block && block < zone->block + zone->nblock)
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

// The position in an array while bodies are written one after another.
typedef struct SampleList {
    SampleArray array;
    int body, frame; // frame: the first one of the body
    int region;      // the first one of the group
    int nweight;
} SampleList;

// The nodes that move a sample. They lie `stride` apart, as elements have nodes of their own, lane
// by lane.
static const int *nodes_of(const swBodyModel *m, const swGroup *g, int sample, int *stride) {
    const int block = (sample - g->sample) / SW_LANES, lane = (sample - g->sample) % SW_LANES;
    *stride = g->nsample > 0 ? SW_LANES : 1;
    return g->nsample > 0 ? sw_element_nodes(m, g, block / g->nsample) + lane
                          : m->group_node + g->node;
}

static void put_sample(Pen *pen, const swBodyModel *m, const swGroup *g, int sample,
                       SampleList *list) {
    int stride;
    const int *node = nodes_of(m, g, sample, &stride);
    switch (list->array) {
    case ARRAY_REST: put_vector(pen, m->sample_point[sample]); break;
    case ARRAY_START:
        list->nweight += g->nnode;
        put_int(pen, list->nweight);
        break;
    case ARRAY_NODE:
        for (int i = 0; i < g->nnode; i++)
            put_int(pen, list->frame + node[i * stride]);
        break;
    case ARRAY_WEIGHT:
        for (int i = 0, column = 0; i < g->nnode; i++) {
            put_float(pen, sample_weight(m, g, sample, node[i * stride], column));
            column += sw_node_columns(&m->node[node[i * stride]]);
        }
        break;
    case ARRAY_REGION: put_int(pen, region_of(m, g, sample, list->region)); break;
    case ARRAY_BODY: put_int(pen, list->body); break;
    case ARRAYS: break;
    }
}

static void put_body_samples(Pen *pen, const swBodyModel *m, SampleList *list) {
    for (const swGroup *g = m->group; g < m->group + m->size.ngroup; g++) {
        for (int k = g->sample; k < g->sample + g->nblock * SW_LANES; k++)
            if (is_sample(m, k))
                put_sample(pen, m, g, k, list);
        list->region += sw_max_int(1, g->nzone);
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
        SampleList list = {.array = array};
        if (array == ARRAY_START)
            put_int(&pen, 0);
        for (; list.body < m->size.nbody; list.body++) {
            list.frame = m->place[list.body].frame;
            put_body_samples(&pen, sw_model_body(m, list.body), &list);
        }
    }
    return pen.bytes;
}

// ---- frames ----

static int count_inserted(const swModel *model) {
    int count = 0;
    for (int64_t b = 0; b < model->size.nbody; b++)
        count += sw_model_body(model, b)->body->ninserted;
    return count;
}

static int count_duals(const swModel *model) {
    int count = 0;
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int64_t i = 0; i < m->size.nnode; i++)
            count += sw_node_is_dual(&m->node[i]);
    }
    return count;
}

static void put_frame_head(Pen *pen, const swModel *m, const Surfaces *s, const FrameInfo *info) {
    put_int(pen, info->flags);
    put_int(pen, sw_frame_count(m));
    put_int(pen, info->npull);
    put_int(pen, m->size.nprobe);
    put_int(pen, s->nstream);
    put_int(pen, count_inserted(m));
    put_int(pen, sw_muscle_count(m));
    put_int(pen, control_count(m));
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

static void put_inserted(Pen *pen, const swState *state) {
    swInserted inserted;
    for (int slot = 0; (slot = next_inserted(state, slot, &inserted)) >= 0; slot++)
        put_vector(pen, inserted.at);
}

static void put_muscles(Pen *pen, const swModel *model, const swReal *const *q) {
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int64_t i = 0; i < 2 * m->size.nmuscle; i++)
            put_vector(pen, sw_point_position(m, q[b], m->muscle[i / 2].point[i % 2]));
    }
}

// Controls that a page has set are sent with their new value before the step that applies it.
static void put_control(Pen *pen, const swBodyState *state, int64_t control) {
    const bool set = !isnan(state->activation_set[control]);
    put_float(pen, set ? state->activation_set[control] : state->activation[control]);
    put_float(pen, set);
}

// Finds a body that moves: it has the present activation of all materials.
static const swBodyState *find_awake(const swState *state) {
    for (int64_t b = 0; b < state->model->size.nbody; b++)
        if (!state->body[b]->rest->asleep && !state->body[b]->rest->stopped)
            return state->body[b];
    return state->body[0];
}

static void put_controls(Pen *pen, const swModel *model, const swState *state) {
    const swBodyState *awake = find_awake(state);
    for (int64_t i = 0; i < awake->model->size.nmaterial; i++)
        put_control(pen, awake, i);
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int64_t i = 0; i < m->size.nmuscle; i++)
            put_control(pen, state->body[b], sw_control_muscle(m, i));
    }
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int64_t i = 0; i < m->size.nshape; i++)
            put_control(pen, state->body[b], sw_control_shape(m, i));
    }
}

static void put_probes(Pen *pen, const swModel *m, const swReal *const *q, const swState *state) {
    for (int i = 0; i < m->size.nprobe; i++) {
        const swProbeInfo *p = &m->probe[i];
        put_vector(pen, sw_sub(sw_point_position(sw_model_body(m, p->body), q[p->body], p->point),
                               sw_probe_start(state->model, i)));
    }
}

static void put_matrices(Pen *pen, const swBodyModel *m, const swReal *q) {
    for (int64_t i = 0; i < sw_body_frames(m); i++) {
        const swNode *n = &m->node[i];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) // a point node has only a position
                put_float(pen, c < n->width ? q[n->q + r * n->width + c] : 0);
    }
}

static void put_duals(Pen *pen, const swBodyModel *m, const swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++)
        if (sw_node_is_dual(&m->node[i]))
            put_floats(pen, 8, q + m->node[i].q + SW_NODE_DUAL);
}

static void put_stream(Pen *pen, const swModel *model, const Surfaces *s, const swReal *const *q) {
    for (const Surface *surface = s->item; surface < s->item + s->count; surface++) {
        const swBodyModel *m = sw_model_body(model, surface->body);
        for (int p = 0; !surface->skinned && p < surface->part.npoint; p++)
            put_vector(pen, sw_point_position(m, q[surface->body], surface->part.point + p));
    }
}

Bytes *encode_frame(const swModel *m, const Surfaces *s, const swReal *const *q,
                    const FrameInfo *info) {
    const size_t size = 124 + 40 * (size_t)info->npull + 12 * (size_t)count_inserted(m) +
                        24 * (size_t)sw_muscle_count(m) + 8 * (size_t)control_count(m) +
                        12 * (size_t)m->size.nprobe + 48 * (size_t)sw_frame_count(m) +
                        32 * (size_t)count_duals(m) + 12 * (size_t)s->nstream;
    Pen pen = pen_create(size, KIND_FRAME, info->generation);
    if (!pen.bytes)
        return NULL;
    put_frame_head(&pen, m, s, info);
    put_inserted(&pen, info->state);
    put_muscles(&pen, m, q);
    put_controls(&pen, m, info->state);
    put_probes(&pen, m, q, info->state);
    for (int64_t b = 0; b < m->size.nbody; b++)
        put_matrices(&pen, sw_model_body(m, b), q[b]);
    for (int64_t b = 0; b < m->size.nbody; b++)
        put_duals(&pen, sw_model_body(m, b), q[b]);
    put_stream(&pen, m, s, q);
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

static void find_range(const swModel *model, const Surfaces *s, const BodyField *of, swReal *lo,
                       swReal *hi) {
    *lo = INFINITY;
    *hi = -INFINITY;
    for (const Surface *surface = s->item; surface < s->item + s->count; surface++)
        for (int p = 0; p < surface->part.npoint; p++)
            widen(of[surface->body].point[surface->part.point + p], lo, hi);
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int64_t i = 0; i < m->size.nsample; i++)
            if (is_sample(m, i))
                widen(of[b].sample[i], lo, hi);
    }
    if (!(*lo <= *hi))
        *lo = *hi = 0;
}

Bytes *encode_field(const swModel *model, const Surfaces *s, int generation, int field,
                    const BodyField *of) {
    const int nsample = count_samples(model);
    const size_t levels = (size_t)s->nvertex + (size_t)nsample;
    swReal lo, hi;
    find_range(model, s, of, &lo, &hi);
    Pen pen = pen_create((28 + 2 * levels + 3) / 4 * 4, KIND_FIELD, generation);
    if (!pen.bytes)
        return NULL;
    put_int(&pen, field);
    put_int(&pen, s->nvertex);
    put_int(&pen, nsample);
    put_float(&pen, lo);
    put_float(&pen, hi);
    for (const Surface *surface = s->item; surface < s->item + s->count; surface++)
        for (int p = 0; p < surface->part.npoint; p++)
            put_level(&pen, of[surface->body].point[surface->part.point + p], lo, hi);
    for (int64_t b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int64_t i = 0; i < m->size.nsample; i++)
            if (is_sample(m, i))
                put_level(&pen, of[b].sample[i], lo, hi);
    }
    return pen.bytes;
}
