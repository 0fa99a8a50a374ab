// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/tets_facts.h"

#include "math/sets.h"

#include <string.h>

static const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; // seen from outside

swReal sw_tet_six_volumes(const swVec3 *X, const int *c) {
    const swVec3 o = X[c[0]];
    return sw_dot(sw_cross(sw_sub(X[c[1]], o), sw_sub(X[c[2]], o)), sw_sub(X[c[3]], o));
}

swReal sw_tet_quality(const swVec3 *X, const int *c) {
    swReal square = 0;
    for (int e = 0; e < 6; e++)
        square += sw_norm2(sw_sub(X[c[edges[e][0]]], X[c[edges[e][1]]])) / 6;
    return square > 0 ? sqrt(2) * fabs(sw_tet_six_volumes(X, c)) / (square * sqrt(square)) : 0;
}

static void measure_angles(const swVec3 *X, const int *c, swReal range[2]) {
    swVec3 N[4];
    for (int f = 0; f < 4; f++) {
        const int *k = faces[f];
        N[f] = sw_cross(sw_sub(X[c[k[1]]], X[c[k[0]]]), sw_sub(X[c[k[2]]], X[c[k[0]]]));
    }
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) {
            // The cotangent's parts, accurate for small angles too.
            const swReal sine = sw_norm(sw_cross(N[a], N[b])), cosine = -sw_dot(N[a], N[b]);
            const swReal angle = atan2(sine, cosine) * (180 / SW_PI);
            range[0] = sw_min(range[0], angle);
            range[1] = sw_max(range[1], angle);
        }
}

static int count_components(const swTetMesh *m, int *parent) {
    const int stride = sw_tet_vertices(m->order);
    int count = 0;
    for (int i = 0; i < m->nvertex; i++)
        parent[i] = -1;
    for (int t = 0; t < m->ntet; t++)
        for (int k = 0; k < 4; k++) {
            const int *c = m->vertex + (size_t)t * (size_t)stride;
            if (parent[c[k]] < 0) {
                parent[c[k]] = c[k];
                count++;
            }
            count -= sw_set_join(parent, c[0], c[k]);
        }
    return count;
}

typedef struct Face {
    int corner[3]; // ascending
    int count;     // tetrahedra that have it; 0: the slot is empty
} Face;

static void swap_if(int *a, int *b) {
    if (*a > *b) {
        const int c = *a;
        *a = *b;
        *b = c;
    }
}

static Face *find_face(Face *table, size_t size, const int key[3]) {
    size_t at = (size_t)(sw_hash(SW_HASH_SEED, key, 3 * sizeof *key) >> 20) & (size - 1);
    while (table[at].count > 0 && memcmp(table[at].corner, key, sizeof table[at].corner) != 0)
        at = (at + 1) & (size - 1);
    return &table[at];
}

static bool count_boundary(const swTetMesh *m, int *boundary, swArena *scratch, swError *error) {
    const int stride = sw_tet_vertices(m->order);
    size_t size = 16;
    while (size < 6 * (size_t)m->ntet)
        size *= 2;
    Face *table = SW_NEW(scratch, size, Face, error);
    if (!table)
        return false;
    *boundary = 0;
    for (int t = 0; t < m->ntet; t++)
        for (int f = 0; f < 4; f++) {
            int key[3];
            for (int k = 0; k < 3; k++)
                key[k] = m->vertex[(size_t)t * (size_t)stride + (size_t)faces[f][k]];
            swap_if(&key[0], &key[1]);
            swap_if(&key[1], &key[2]);
            swap_if(&key[0], &key[1]);
            Face *face = find_face(table, size, key);
            memcpy(face->corner, key, sizeof key);
            face->count++;
            *boundary += face->count == 1 ? 1 : face->count == 2 ? -1 : 0;
        }
    return true;
}

bool sw_tet_facts(const swTetMesh *m, swTetFacts *facts, swArena *scratch, swError *error) {
    const int stride = sw_tet_vertices(m->order);
    int *parent = SW_NEW(scratch, m->nvertex, int, error);
    *facts = (swTetFacts){.lo = sw_v3(INFINITY, INFINITY, INFINITY),
                          .hi = sw_v3(-INFINITY, -INFINITY, -INFINITY),
                          .quality = {INFINITY, 0},
                          .dihedral = {180, 0}};
    if (!parent || !count_boundary(m, &facts->boundary, scratch, error))
        return false;
    facts->components = count_components(m, parent);
    for (int i = 0; i < m->nvertex; i++) {
        facts->lo = sw_min3(facts->lo, m->X[i]);
        facts->hi = sw_max3(facts->hi, m->X[i]);
    }
    for (int t = 0; t < m->ntet; t++) {
        const int *corner = m->vertex + (size_t)t * (size_t)stride;
        const swReal quality = sw_tet_quality(m->X, corner);
        facts->volume += sw_tet_six_volumes(m->X, corner) / 6;
        facts->quality[1] += quality / m->ntet;
        if (quality < facts->quality[0]) {
            facts->quality[0] = quality;
            facts->worst = t;
        }
        measure_angles(m->X, corner, facts->dihedral);
    }
    return true;
}
