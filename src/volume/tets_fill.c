// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/tets_fill.h"

#include "math/sets.h"
#include "volume/tets_moments.h"

#include <string.h>

#define LITTLE 0.02 // of a tetrahedron: with less, others take it over
#define NOTHING 1e-6
#define THREAD 1e-3 // of those that are kept only to hold others together
#define PURE 0.98   // of one material: it is of that alone
enum { REACH = 3 }; // faces between one with little and the one that takes it over

const swTetBlob sw_tet_whole = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

typedef struct {
    const swTetPaint *paint;
    const swTetMesh *mesh;
    const int *side;
    swTetMoments *in; // of each tetrahedron
    swReal *volume;   // of the tetrahedra themselves
    int *across;      // as sw_tets_across()
    int *to;          // the one that takes over what is in each: itself, or -1: it goes
} swFillJob;

// ---- who takes over ----

static bool has_little(const swFillJob *j, int t) {
    return j->in[t].volume < LITTLE * j->volume[t];
}

// Those with little go to the best of the neighbours that are settled, one layer after the other.
static void find_takers(const swFillJob *j) {
    const int n = j->mesh->ntet;
    for (int t = 0; t < n; t++)
        j->to[t] = has_little(j, t) ? -1 : t;
    for (int layer = 1; layer <= REACH; layer++) {
        for (int t = 0; t < n; t++) {
            int best = -1;
            for (int i = 0; i < 4 && j->to[t] == -1 && j->in[t].volume > 0; i++) {
                const int face = j->across[4 * (ptrdiff_t)t + i],
                          next = face < 0 ? -1 : j->to[face / 4];
                if (next >= 0 && j->side[next] == j->side[t] &&
                    (best < 0 || j->in[next].volume > j->in[best].volume))
                    best = next;
            }
            if (best >= 0)
                j->to[t] = -2 - best; // settled once the layer is done
        }
        for (int t = 0; t < n; t++)
            j->to[t] = j->to[t] <= -2 ? -2 - j->to[t] : j->to[t];
    }
    for (int t = 0; t < n; t++) // nobody is near: it stays
        if (j->to[t] == -1 && j->in[t].volume > NOTHING * j->volume[t])
            j->to[t] = t;
}

// ---- what must not fall apart ----

// Numbers the pieces of those that stay: piece[t] of t, or -1; how many there are.
static int find_pieces(const swFillJob *j, int *parent, int *piece) {
    const int n = j->mesh->ntet;
    for (int t = 0; t < n; t++)
        parent[t] = t;
    for (int f = 0; f < 4 * n; f++)
        if (j->across[f] >= 0 && j->to[f / 4] == f / 4 &&
            j->to[j->across[f] / 4] == j->across[f] / 4)
            sw_set_join(parent, f / 4, j->across[f] / 4);
    const int count = sw_set_number(parent, n);
    for (int t = 0; t < n; t++)
        piece[t] = j->to[t] == t ? parent[t] : -1;
    return count;
}

// Where a piece of the mesh has come apart, all of it stays that has something in it, and if that
// is not enough, all of it.
static bool mend(swFillJob *j, swArena *scratch, swError *error) {
    const int n = j->mesh->ntet;
    int *home = SW_NEW(scratch, n, int, error), *parent = SW_NEW(scratch, n, int, error),
        *piece = SW_NEW(scratch, n, int, error), *first = SW_NEW(scratch, n, int, error);
    bool *torn = SW_NEW(scratch, n, bool, error);
    if (!home || !parent || !piece || !first || !torn)
        return false;
    sw_tets_pieces(n, j->across, home);
    for (int round = 0; round < 2; round++) {
        find_pieces(j, parent, piece);
        for (int t = 0; t < n; t++) {
            first[t] = -1;
            torn[t] = false;
        }
        for (int t = 0; t < n; t++) {
            if (piece[t] < 0)
                continue;
            if (first[home[t]] < 0)
                first[home[t]] = piece[t];
            torn[home[t]] = torn[home[t]] || first[home[t]] != piece[t];
        }
        for (int t = 0; t < n; t++)
            if (torn[home[t]] && (round > 0 || j->in[t].volume > NOTHING * j->volume[t]))
                j->to[t] = t;
    }
    return true;
}

// ---- blobs ----

// L of S = L L^T for a symmetric S, whose diagonal is `second`; zero where it is flat.
static swMat3 root_of(swVec3 second, swVec3 mixed) {
    const swReal xx = sqrt(sw_max(second.x, 0)), xy = xx > 0 ? mixed.z / xx : 0,
                 xz = xx > 0 ? mixed.y / xx : 0, yy = sqrt(sw_max(0, second.y - xy * xy)),
                 yz = yy > 0 ? (mixed.x - xy * xz) / yy : 0,
                 zz = sqrt(sw_max(0, second.z - xz * xz - yz * yz));
    return (swMat3){{xx, 0, 0, xy, yy, 0, xz, yz, zz}};
}

// The affine image of the tetrahedron that has the moments: of barycentric coordinates 1, 2, 3 the
// mean and the mean products are taken from those of place.
static swTetBlob make_blob(const swFillJob *j, int tet) {
    static const swReal middle[4] = {0.25, 0.25, 0.25, 0.25};
    const swTetMoments *m = &j->in[tet];
    const swReal w = 1 / m->volume;
    const swVec3 c = sw_scale(w, m->first);
    const swMat3 S = {
        {w * m->second.x - c.x * c.x, w * m->mixed.z - c.x * c.y, w * m->mixed.y - c.x * c.z,
         w * m->mixed.z - c.x * c.y, w * m->second.y - c.y * c.y, w * m->mixed.x - c.y * c.z,
         w * m->mixed.y - c.x * c.z, w * m->mixed.x - c.y * c.z, w * m->second.z - c.z * c.z}};
    swVec3 X[4], slope[4];
    for (int i = 0; i < 4; i++)
        X[i] = sw_sub(j->mesh->X[sw_tets_at(j->mesh, tet)[i]], j->paint->grid->origin);
    sw_tet_gradients(1, X, middle, slope);
    const swMat3 G = {{slope[1].x, slope[1].y, slope[1].z, slope[2].x, slope[2].y, slope[2].z,
                       slope[3].x, slope[3].y, slope[3].z}},
                 T = sw_mat_mul(G, sw_mat_mul(S, sw_mat_t(G)));
    const swMat3 own = root_of(sw_v3(3.0 / 80, 3.0 / 80, 3.0 / 80),
                               sw_v3(-1.0 / 80, -1.0 / 80, -1.0 / 80)),
                 A = sw_mat_mul(
                     root_of(sw_v3(T.m[0], T.m[4], T.m[8]), sw_v3(T.m[5], T.m[2], T.m[1])),
                     sw_mat_inverse(own));
    const swVec3 center = sw_mul(G, sw_sub(c, X[0]));
    swTetBlob blob;
    for (int k = 0; k < 4; k++) {
        const swVec3 corner = {(k == 1) - 0.25, (k == 2) - 0.25, (k == 3) - 0.25},
                     b = sw_add(center, sw_mul(A, corner));
        const swReal bary[4] = {1 - b.x - b.y - b.z, b.x, b.y, b.z};
        memcpy(blob.corner[k], bary, sizeof bary);
    }
    return blob;
}

// ---- all of it ----

static void take_over(swTetMoments *to, const swTetMoments *from) {
    to->volume += from->volume;
    to->first = sw_add(to->first, from->first);
    to->second = sw_add(to->second, from->second);
    to->mixed = sw_add(to->mixed, from->mixed);
    to->mass += from->mass;
    to->compliance += from->compliance;
    to->full = false;
    for (int i = 0; i < from->nmaterial; i++) {
        int k = 0;
        while (k < to->nmaterial && to->material[k] != from->material[i])
            k++;
        if (k == SW_TET_MIXED)
            continue;
        to->nmaterial = sw_max_int(to->nmaterial, k + 1);
        to->material[k] = from->material[i];
        to->share[k] += from->share[i];
        to->soft[k] += from->soft[i];
    }
}

// The place of what fills most, the lowest of equals.
static int main_material(const swTetMoments *m) {
    int best = 0;
    for (int i = 1; i < m->nmaterial; i++)
        if (m->share[i] > m->share[best] ||
            (m->share[i] == m->share[best] && m->material[i] < m->material[best]))
            best = i;
    return best;
}

// Rays see volumes of cut tetrahedra to a thousandth or so: their sum is that of the voxels.
static void scale_cut(const swFillJob *j) {
    swReal full = 0, cut = 0;
    for (int t = 0; t < j->mesh->ntet; t++)
        *(j->in[t].full ? &full : &cut) += j->in[t].volume;
    const swReal factor = cut > 0 ? (j->paint->grid->volume - full) / cut : 1;
    for (int t = 0; t < j->mesh->ntet && factor > 0.8 && factor < 1.25; t++)
        if (!j->in[t].full)
            sw_moments_scale(&j->in[t], factor);
}

// Young's modulus of a mixture: in the middle between the mean, as if all of it were in parallel,
// and the harmonic one, in a row. That one alone where something is too thin to be seen, so that a
// soft layer is not lost.
static swReal mixed_young(const swTetStuff *stuff, const swTetMoments *m, int most) {
    const swReal row = m->volume / m->compliance;
    swReal stiff = 0;
    bool thin = false;
    for (int i = 0; i < m->nmaterial; i++) {
        thin = thin || stuff[m->material[i]].thin;
        stiff += m->soft[i] > 0 ? m->share[i] * m->share[i] / m->soft[i] : 0;
    }
    if (m->share[most] > PURE * m->volume) // along a border rays find a trace of the other side
        return m->share[most] / m->soft[most];
    return thin ? row : sqrt(row * stiff / m->volume);
}

static void put(const swFillJob *j, int t, int at, swTetMesh *mesh, swTetFilling *out) {
    swTetMoments *m = &j->in[t];
    const bool thin = m->volume < LITTLE * j->volume[t];
    const swReal share = m->volume / j->volume[t], fill = m->full ? 1 : sw_max(THREAD, share);
    const int most = main_material(m), material = mesh->material[at] = m->material[most];
    mesh->fill[at] = fill;
    out->blob[at] = m->full || thin ? sw_tet_whole : make_blob(j, t);
    if (m->volume > 0) {
        const swReal scale = fill / m->volume;
        out->density[at] = scale * m->mass;
        out->stiffness[at] =
            fill / j->paint->stuff[material].young * mixed_young(j->paint->stuff, m, most);
    } else {
        out->density[at] = fill * j->paint->stuff[material].density;
        out->stiffness[at] = fill;
    }
}

// Keeps what stays, and its vertices.
static bool compact(const swFillJob *j, swTetMesh *mesh, swTetFilling *out, swArena *arena,
                    swError *error) {
    int n = 0, nvertex = 0;
    for (int t = 0; t < mesh->ntet; t++)
        n += j->to[t] == t;
    if (!(mesh->material = SW_NEW(arena, n, int, error)) ||
        !(mesh->fill = SW_NEW(arena, n, swReal, error)) ||
        !(out->density = SW_NEW(arena, n, swReal, error)) ||
        !(out->stiffness = SW_NEW(arena, n, swReal, error)) ||
        !(out->blob = SW_NEW(arena, n, swTetBlob, error)) ||
        !(out->vertex = SW_NEW(arena, mesh->nvertex, int, error)))
        return false;
    for (int v = 0; v < mesh->nvertex; v++)
        out->vertex[v] = -1;
    for (int t = 0; t < mesh->ntet; t++)
        if (j->to[t] != t && j->to[t] >= 0)
            take_over(&j->in[j->to[t]], &j->in[t]);
    n = 0;
    for (int t = 0; t < mesh->ntet; t++) {
        if (j->to[t] != t)
            continue;
        put(j, t, n, mesh, out);
        for (int i = 0; i < 4; i++)
            out->vertex[mesh->vertex[4 * (ptrdiff_t)t + i]] = 0;
        memmove(mesh->vertex + 4 * (ptrdiff_t)n++, mesh->vertex + 4 * (ptrdiff_t)t,
                4 * sizeof *mesh->vertex);
    }
    mesh->ntet = n;
    for (int v = 0; v < mesh->nvertex; v++) // in their order
        if (out->vertex[v] >= 0) {
            mesh->X[nvertex] = mesh->X[v];
            out->vertex[v] = nvertex++;
        }
    mesh->nvertex = nvertex;
    for (int i = 0; i < 4 * n; i++)
        mesh->vertex[i] = out->vertex[mesh->vertex[i]];
    return true;
}

static bool fill(swFillJob *j, const int *cell, const swTetOrigin *origin, swTetMesh *mesh,
                 swTetFilling *out, swArena *scratch, swArena *arena, swError *error) {
    const swGrid *grid = j->paint->grid;
    const size_t n = (size_t)mesh->ntet;
    if (!(j->in = SW_NEW(scratch, n, swTetMoments, error)) ||
        !(j->volume = SW_NEW(scratch, n, swReal, error)) ||
        !(j->across = SW_NEW(scratch, 4 * n, int, error)) ||
        !(j->to = SW_NEW(scratch, n, int, error)) ||
        !sw_tets_moments(j->paint, cell, origin, mesh, j->in, arena, error) ||
        !sw_tets_across(mesh, j->across, NULL, scratch, error))
        return false;
    for (int t = 0; t < mesh->ntet; t++) {
        j->volume[t] = sw_tets_volume(mesh, t);
        if (j->in[t].nmaterial == 0) // should it have to stay
            j->in[t].material[0] = grid->voxel[grid->first[cell[origin->from[t]]]].material;
    }
    scale_cut(j);
    find_takers(j);
    return mend(j, scratch, error) && compact(j, mesh, out, arena, error);
}

bool sw_tets_fill(const swTetPaint *paint, const int *cell, const swTetOrigin *origin,
                  const int *side, swTetMesh *mesh, swTetFilling *out, swArena *arena,
                  swError *error) {
    swFillJob job = {.paint = paint, .mesh = mesh, .side = side};
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = fill(&job, cell, origin, mesh, out, &scratch, arena, error);
    sw_arena_free(&scratch);
    return ok;
}
