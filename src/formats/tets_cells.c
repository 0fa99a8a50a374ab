// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What VTK's two formats share: cells given by type, offset and connectivity.
#include "formats/tets_read.h"

#include <strings.h>

enum { LINEAR = 10, QUADRATIC = 24 };
#define ROUNDING 1e-9 // relative, of sums

// Whether a type is a vertex, line, triangle or quadrangle of any order.
static bool is_flat(int64_t type) {
    return (type >= 0 && type <= 9) || (type >= 21 && type <= 23) || type == 28 || type == 30 ||
           (type >= 34 && type <= 36) || (type >= 68 && type <= 70) || (type >= 75 && type <= 77);
}

static const char *name_of(int64_t type) {
    switch (type) {
    case 11: return "a voxel";
    case 12: return "a hexahedron";
    case 13: return "a wedge";
    case 14: return "a pyramid";
    case 25: return "a quadratic hexahedron";
    case 71:
    case 78: return "a tetrahedron of any order";
    default: return "not a tetrahedron";
    }
}

int sw_tet_cells_suits(const char *name, int length) {
    static const char *const names[] = {
        "material",  "materials", "material_id", "materialids",  "gmsh:physical",
        "physical",  "medit:ref", "region",      "regions",      "attribute",
        "cell_tags", "label",     "labels",      "CellEntityIds"};
    for (int i = 0; i < SW_COUNT(names); i++)
        if (sw_scan_is(name, length, names[i]))
            return SW_COUNT(names) - i;
    return 0;
}

static bool is_number(double value) { return fabs(value) <= INT32_MAX && value == floor(value); }

static bool take_cell(const swTetCells *c, int64_t cell, bool materials, swTetParts *parts,
                      swError *error) {
    const int64_t start = cell > 0 ? c->offset[cell - 1] : 0, n = c->offset[cell] - start;
    const int64_t type = c->type[cell];
    if (is_flat(type)) {
        parts->report.skipped++;
        return true;
    }
    if (type != LINEAR && type != QUADRATIC)
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "cell %lld is %s (VTK's type %lld); expected tetrahedra, types 10 and 24",
                       (long long)cell, name_of(type), (long long)type);
    const int order = type == LINEAR ? 1 : 2;
    if (n != sw_tet_vertices(order))
        return sw_fail(error, SW_ERROR_FORMAT,
                       "cell %lld has %lld vertices; cells of VTK's type %lld have %d",
                       (long long)cell, (long long)n, (long long)type, sw_tet_vertices(order));
    int64_t v[10];
    for (int k = 0; k < n; k++) {
        v[k] = c->connectivity[start + k];
        if (v[k] < 0 || v[k] >= c->npoint)
            return sw_fail(
                error, SW_ERROR_FORMAT,
                "cell %lld refers to point %lld, but there are %lld points, numbered from 0",
                (long long)cell, (long long)v[k], (long long)c->npoint);
        v[k] += c->base;
    }
    if (c->fill) {
        swReal *fill = SW_PUSH(&parts->fill, parts->arena, error);
        if (!fill)
            return false;
        *fill = c->fill[cell];
        if (!(*fill > 0 && *fill <= 1 + ROUNDING))
            return sw_fail(error, SW_ERROR_FORMAT,
                           "the fill of cell %lld is %g; expected a number above 0 and at most 1",
                           (long long)cell, *fill);
    }
    return sw_tet_parts_tet(parts, order, v, materials ? (int64_t)c->material[cell] : 0, 0, error);
}

bool sw_tet_cells_take(const swTetCells *c, swTetParts *parts, swError *error) {
    bool materials = c->material != NULL;
    for (int64_t i = 0; materials && i < c->ncell; i++)
        if (!is_number(c->material[i])) {
            sw_tet_parts_warn(
                parts,
                "cell %lld has the material %g, which is not a whole number: materials are ignored",
                (long long)i, c->material[i]);
            materials = false;
        }
    for (int64_t i = 0; i < c->ncell; i++)
        if (!take_cell(c, i, materials, parts, error))
            return false;
    return true;
}
