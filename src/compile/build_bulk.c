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

bool sw_build_bulk(swBuilder *b, swBodyBuild *body, swError *error) {
    if (body->bulk.count == 0)
        return true;
    const int n = body->nsite, nblock = (body->bulk.count + SW_LANES - 1) / SW_LANES;
    const int size = (SW_BULK_WEIGHT + n) * SW_LANES;
    swBulk *bulk = SW_EXTEND(&b->bulk, 1, &b->arena, error);
    if (!bulk)
        return false;
    *bulk = (swBulk){.body = body->index,
                     .nblock = nblock,
                     .point = (int)b->size.nbulk_point,
                     .data = b->bulk_data.count};
    swReal *data = SW_EXTEND(&b->bulk_data, nblock * size, &b->arena, error);
    if (!data)
        return false;
    b->size.nbulk_point += nblock * SW_LANES;
    for (int i = 0; i < nblock * SW_LANES;
         i++) { // padding repeats the last point without mass or load
        const bool padding = i >= body->bulk.count;
        const swBulkPoint *p = &body->bulk.item[padding ? body->bulk.count - 1 : i];
        swReal *at = data + i / SW_LANES * size + i % SW_LANES;
        for (int k = 0; k < 3; k++) {
            at[k * SW_LANES] = sw_get(p->p, k);
            at[(SW_BULK_FORCE + k) * SW_LANES] = padding ? 0 : sw_get(p->force, k);
        }
        at[SW_BULK_MASS * SW_LANES] = padding ? 0 : p->mass;
        for (int k = 0; k < n; k++)
            at[(SW_BULK_WEIGHT + k) * SW_LANES] = p->weight[k];
    }
    return true;
}
