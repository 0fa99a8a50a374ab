// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Points that carry mass and loads, packed into blocks.
#include "compile/build.h"

swBulkPoint *sw_build_bulk_point(swBuilder *b, swBodyBuild *body, swError *error) {
    swReal *weight = SW_NEW(&b->arena, body->nsite, swReal, error);
    swBulkPoint *p = weight ? SW_EXTEND(&body->bulk, 1, &b->arena, error) : NULL;
    if (p)
        *p = (swBulkPoint){.weight = weight};
    return p;
}

enum { FEW = 8 }; // nodes that blocks share even where not every point needs all of them

// Points first .. end - 1, which `n` sites move.
static bool add_bulk(swBuilder *b, const swBodyBuild *body, int first, int end, const int *site,
                     int n, swError *error) {
    const int nblock = (end - first + SW_LANES - 1) / SW_LANES;
    const int size = (SW_BULK_WEIGHT + n) * SW_LANES;
    swBulk *bulk = SW_EXTEND(&b->bulk, 1, &b->arena, error);
    int *node = bulk ? SW_EXTEND(&b->bulk_node, n, &b->arena, error) : NULL;
    swReal *data = node ? SW_EXTEND(&b->bulk_data, nblock * size, &b->arena, error) : NULL;
    if (!data)
        return false;
    *bulk = (swBulk){.body = body->index,
                     .nblock = nblock,
                     .point = (int)b->size.nbulk_point,
                     .node = b->bulk_node.count - n,
                     .nnode = n,
                     .data = b->bulk_data.count - nblock * size};
    b->size.nbulk_point += nblock * SW_LANES;
    for (int k = 0; k < n; k++)
        node[k] = body->first_node + site[k];
    for (int i = 0; i < nblock * SW_LANES; i++) { // padding repeats the last point without mass or
                                                  // load
        const bool padding = first + i >= end;
        const swBulkPoint *p = &body->bulk.item[padding ? end - 1 : first + i];
        swReal *at = data + i / SW_LANES * size + i % SW_LANES;
        for (int k = 0; k < 3; k++) {
            at[k * SW_LANES] = sw_get(p->p, k);
            at[(SW_BULK_FORCE + k) * SW_LANES] = padding ? 0 : sw_get(p->force, k);
        }
        at[SW_BULK_MASS * SW_LANES] = padding ? 0 : p->mass;
        for (int k = 0; k < n; k++)
            at[(SW_BULK_WEIGHT + k) * SW_LANES] = p->weight[site[k]];
    }
    return true;
}

// Points one after another go together while they have few nodes, or bring no further ones.
bool sw_build_bulk(swBuilder *b, swBodyBuild *body, swError *error) {
    const int nsite = body->nsite;
    int *site = SW_NEW(&b->arena, nsite, int, error);
    bool *taken = SW_NEW(&b->arena, nsite, bool, error);
    if (!site || !taken)
        return false;
    for (int first = 0, end; first < body->bulk.count; first = end) {
        int n = 0;
        for (int i = 0; i < nsite; i++)
            taken[i] = false;
        for (end = first; end < body->bulk.count; end++) {
            const swReal *weight = body->bulk.item[end].weight;
            int more = 0;
            for (int i = 0; i < nsite; i++)
                more += weight[i] != 0 && !taken[i];
            if (end > first && more > 0 && n + more > FEW)
                break;
            n += more;
            for (int i = 0; i < nsite; i++)
                taken[i] = taken[i] || weight[i] != 0;
        }
        n = 0;
        for (int pass = 0; pass < 2; pass++) // free ones first
            for (int i = 0; i < nsite; i++)
                if (taken[i] && (b->node.item[body->first_node + i].ndof > 0) == (pass == 0))
                    site[n++] = i;
        if (!add_bulk(b, body, first, end, site, n, error))
            return false;
    }
    return true;
}
