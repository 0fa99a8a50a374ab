// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Painted weights: an image in space for each frame, sampled at the nodes of the lattice. What they
// add up to does not matter; handles are one at their own nodes.
#include "formats/image.h"
#include "weights/nodal.h"

#include <string.h>

// The path of the map of one frame: `maps` with the number in place of %d.
static char *map_path(const swWeightField *f, int frame, swArena *arena, swError *error) {
    const char *maps = f->def->maps, *mark = strstr(maps, "%d");
    const char *folder = f->folder && maps[0] != '/' ? f->folder : "";
    const size_t size = strlen(folder) + strlen(maps) + 16;
    char *path = SW_NEW(arena, size, char, error);
    if (path)
        snprintf(path, size, "%s%s%.*s%d%s", folder, folder[0] ? "/" : "", (int)(mark - maps), maps,
                 frame, mark + 2);
    return path;
}

static bool check_pattern(const swWeightField *f, swError *error) {
    const char *maps = f->def->maps, *mark = maps ? strchr(maps, '%') : NULL;
    if (mark && mark[1] == 'd' && !strchr(mark + 1, '%'))
        return true;
    return sw_fail(error, SW_ERROR_VALUE,
                   "%s: weights.maps: expected a file name with one %%d for the number of the "
                   "frame, found %s%.200s%s",
                   f->site[0].key, maps ? "\"" : "", maps ? maps : "none", maps ? "\"" : "");
}

// The handle that has each node, or -1.
static bool find_owners(const swWeightField *f, int *owner, swError *error) {
    const swLattice *l = f->lattice;
    for (int i = 0; i < l->n; i++)
        owner[i] = -1;
    for (int s = 0; s < f->nsite; s++)
        for (int k = 0; f->site[s].cell < 0 && k < f->site[s].nnode; k++) {
            const int node = f->site[s].node[k];
            if (owner[node] >= 0)
                return sw_fail(error, SW_ERROR_VALUE,
                               "%s and %s are less than a voxel apart, near (%.4g, %.4g, %.4g)",
                               f->site[owner[node]].key, f->site[s].key, l->X[node].x, l->X[node].y,
                               l->X[node].z);
            owner[node] = s;
        }
    return true;
}

// The image at p, trilinear between centres of voxels, and as at its border beyond it. False where
// one of the values it is made of is negative: *value is that one.
static bool sample(const swImage *m, swVec3 p, swReal *value) {
    const swReal unit = m->unit > 0 ? m->unit : 1;
    const swVec3 d = sw_sub(sw_scale(1 / unit, p), m->origin);
    const swReal det = sw_dot(m->axis[0], sw_cross(m->axis[1], m->axis[2]));
    size_t at[3][2];
    swReal share[3][2], sum = 0;
    for (int k = 0; k < 3; k++) {
        const swVec3 normal = sw_cross(m->axis[(k + 1) % 3], m->axis[(k + 2) % 3]);
        const swReal t = sw_clamp(sw_dot(d, normal) / det, 0, m->n[k] - 1), whole = floor(t);
        at[k][0] = (size_t)whole;
        at[k][1] = (size_t)sw_min_int((int)whole + 1, m->n[k] - 1);
        share[k][1] = t - whole;
        share[k][0] = 1 - share[k][1];
    }
    for (int c = 0; c < 8; c++) {
        const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
        const swReal N = share[0][x] * share[1][y] * share[2][z];
        if (N == 0)
            continue;
        *value =
            sw_image_value(m, at[0][x] + (size_t)m->n[0] * (at[1][y] + (size_t)m->n[1] * at[2][z]));
        if (*value < 0)
            return false;
        sum += N * *value;
    }
    *value = sum;
    return true;
}

// Adds the values of one frame at the nodes that no handle has.
static bool read_map(const swWeightField *f, int frame, int site, const int *owner, char *met,
                     swNodalList *list, swArena *scratch, swError *error) {
    const swLattice *l = f->lattice;
    swImage image;
    swArena arena; // images are large: one at a time
    sw_arena_init(&arena, &scratch->allocator);
    char *path = map_path(f, frame, &arena, error);
    bool ok = path && sw_image_read(path, &arena, &image, error);
    for (int i = 0; ok && i < l->n; i++) {
        swReal value;
        if (owner[i] >= 0)
            continue;
        if (!sample(&image, l->X[i], &value))
            ok = sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0,
                            "expected weights of at least 0, found %g near (%.4g, %.4g, %.4g)",
                            value, l->X[i].x, l->X[i].y, l->X[i].z);
        else if (value > 0) {
            met[i] = 1;
            ok = sw_nodal_push(list, i, site, value, scratch, error);
        }
    }
    sw_arena_free(&arena);
    return ok;
}

static bool gather(const swWeightField *f, swNodalList *list, swArena *scratch, swError *error) {
    const swLattice *l = f->lattice;
    int *owner = SW_NEW(scratch, l->n, int, error), frame = 0;
    char *met = SW_NEW(scratch, l->n, char, error);
    if (!owner || !met || !find_owners(f, owner, error))
        return false;
    for (int i = 0; i < l->n; i++)
        if (owner[i] >= 0 && !sw_nodal_push(list, i, owner[i], 1, scratch, error))
            return false;
    for (int s = 0; s < f->nsite; s++)
        if (f->site[s].cell >= 0 && !read_map(f, frame++, s, owner, met, list, scratch, error))
            return false;
    for (int i = 0; i < l->n; i++)
        if (owner[i] < 0 && !met[i])
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s: weights.maps: expected a positive weight everywhere, found that "
                           "all %d maps are 0 near (%.4g, %.4g, %.4g)",
                           f->site[0].key, frame, l->X[i].x, l->X[i].y, l->X[i].z);
    return true;
}

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    (void)pool;
    swNodal *nodal = SW_NEW(arena, 1, swNodal, error);
    if (!nodal || !check_pattern(f, error))
        return false;
    swNodalList list = {0};
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = gather(f, &list, &scratch, error) &&
                    sw_nodal_create(f->lattice, list.count, list.item, arena, nodal, error);
    sw_arena_free(&scratch);
    f->data = nodal;
    return ok;
}

const swWeightKind sw_weights_painted = {
    .name = "painted",
    .doc = "read from one image per frame",
    .prepare = prepare,
    .evaluate = sw_nodal_evaluate,
};
