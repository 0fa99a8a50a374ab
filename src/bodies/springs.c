// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mass-spring bodies: over the lattice of their voxels, over their surface, or over tetrahedra.
#include "bodies/springs_material.h"
#include "bodies/tets.h"

#include "potentials/inflate.h"
#include "geometry/bvh.h"
#include "material/law.h"

#include <string.h>

// What the springs are made over, kept between nodes() and forces().
typedef struct {
    const swBodyBuild *body;
    const int *corner; // [cell][8] corners of lattice cells
    const swBvh *tree; // over the surface
    int *triangle;     // its corners as vertices of the net, one for each position
} swSpringBuild;

// ---- over the lattice ----

static int locate_in_lattice(const swNet *net, swVec3 p, int *vertex, swReal *weight, bool *far) {
    enum { REACH = 3 }; // how many cells away to look for material
    const swSpringBuild *build = net->data;
    const swLattice *l = &build->body->lattice;
    const int found = sw_lattice_find(l, p, REACH), cell = sw_max_int(found, 0);
    *far = found < 0;
    sw_lattice_shape(l, cell, *far ? sw_lattice_clamp(l, cell, p) : p, weight, NULL);
    memcpy(vertex, build->corner + 8 * (size_t)cell, 8 * sizeof *vertex);
    return 8;
}

// Distributes mass to the corners so that its centre stays in place. If the centre is near the
// border of a cell, it is moved towards the middle, so that every corner gets some mass.
static void weigh_cells(const swBuilder *b, const swBodyBuild *body, const int *corner,
                        swReal *weight) {
    const swLattice *l = &body->lattice;
    const swReal quarter = 0.25 * l->grid->h;
    swReal N[8];
    for (int c = 0; c < l->ncell; c++) {
        const swVec3 lo = sw_grid_corner(l->grid, l->cell[c], 0),
                     hi = sw_grid_corner(l->grid, l->cell[c], 7),
                     in = sw_v3(quarter, quarter, quarter);
        for (int v = l->grid->first[l->cell[c]]; v < l->grid->first[l->cell[c] + 1]; v++) {
            const swVoxel *voxel = &l->grid->voxel[v];
            const swVec3 p = sw_min3(sw_max3(voxel->centroid, sw_add(lo, in)), sw_sub(hi, in));
            sw_lattice_shape(l, c, p, N, NULL);
            for (int k = 0; k < 8; k++)
                weight[corner[8 * c + k]] += sw_voxel_mass(b, voxel) * N[k];
        }
    }
}

static bool lattice_nodes(swBuilder *b, swBodyBuild *body, swSpringBuild *build, swError *error) {
    const swLattice *l = &body->lattice;
    swNet *net = &body->net;
    int *corner = SW_NEW(&b->arena, 8 * (size_t)l->ncell, int, error), *same;
    if (!corner)
        return false;
    net->n = sw_lattice_corners(l, corner);
    if (!(net->X = SW_NEW(&b->arena, net->n, swVec3, error)) ||
        !(net->weight = SW_NEW(&b->arena, net->n, swReal, error)) ||
        !(same = SW_NEW(&b->arena, net->n, int, error)))
        return false;
    for (int i = 0; i < 8 * l->ncell; i++) {
        net->X[corner[i]] = sw_grid_corner(l->grid, l->cell[i / 8], i % 8);
        same[corner[i]] = corner[i];
    }
    weigh_cells(b, body, corner, net->weight);
    build->corner = corner;
    net->locate = locate_in_lattice;
    net->lattice = l->ndistinct == 8 ? same : NULL;
    net->reach = 0.51 * l->grid->h; // for a single layer, as regions run about its middle
    return true;
}

// For a cell: shear modulus times filled share, and the volume stiffness that springs lack.
static void measure_cell(const swBuilder *b, const swBodyBuild *body, int cell, swReal *shear,
                         swReal *excess) {
    const swGrid *g = &body->grid;
    *shear = *excess = 0;
    for (int v = g->first[cell]; v < g->first[cell + 1]; v++) {
        const swVoxel *voxel = &g->voxel[v];
        const swMaterialInfo *m = &b->material.item[voxel->stuff];
        const swReal volume = voxel->volume * voxel->stiffness;
        if (body->def->springs->volume) {
            *shear += m->lame[0] * volume;
            *excess += (m->lame[1] - m->lame[0] + m->volume) * volume;
        } else
            *shear += 0.4 * m->young * volume;
    }
    *shear /= g->h * g->h * g->h;
}

static bool add_cell(swBuilder *b, const swBodyBuild *body, int n, const int *vertex,
                     const swVec3 *slope, swReal excess, swError *error) {
    swSpringCell *cell = SW_EXTEND(&b->spring_cell, 1, &b->arena, error);
    if (!cell)
        return false;
    *cell = (swSpringCell){.nnode = n, .excess = excess};
    for (int k = 0; k < SW_COUNT(cell->node); k++) {
        cell->node[k] = k < n ? body->first_node + vertex[k] : -1;
        for (int r = 0; r < 3 && k < n; r++)
            cell->slope[k][r] = sw_get(slope[k], r);
    }
    return true;
}

static bool lattice_lines(swBuilder *b, swBodyBuild *body, const swSpringBuild *build,
                          const swSpringFactors *factors, swSpringList *springs, swError *error) {
    const swLattice *l = &body->lattice;
    swReal *shear = SW_NEW(&b->arena, l->ncell, swReal, error);
    swVec3 slope[8];
    if (!shear)
        return false;
    for (int k = 0; k < 8; k++)
        slope[k] =
            sw_scale(0.25 / l->grid->h, sw_v3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
    for (int c = 0; c < l->ncell; c++) {
        swReal excess, least;
        measure_cell(b, body, l->cell[c], &shear[c], &excess);
        least = 1e-9 * shear[c] * pow(l->grid->h, 3);
        if (fabs(excess) > least &&
            !add_cell(b, body, 8, build->corner + 8 * (size_t)c, slope, excess, error))
            return false;
    }
    return sw_springs_lattice(l->ncell, build->corner, body->net.n, body->net.X, l->grid->h, shear,
                              factors, &b->arena, springs, error);
}

// ---- over the surface ----

static int locate_on_surface(const swNet *net, swVec3 p, int *vertex, swReal *weight, bool *far) {
    const swSpringBuild *build = net->data;
    const swSurface *s = &build->body->surface;
    int triangle;
    const swVec3 at = sw_bvh_closest(build->tree, p, &triangle);
    const int *t = s->triangle + 3 * (size_t)triangle;
    const swVec3 n = sw_cross(sw_sub(s->X[t[1]], s->X[t[0]]), sw_sub(s->X[t[2]], s->X[t[0]]));
    const swReal square = sw_norm2(n);
    for (int k = 0; k < 3; k++) {
        const swVec3 edge = sw_sub(s->X[t[(k + 2) % 3]], s->X[t[(k + 1) % 3]]);
        vertex[k] = build->triangle[3 * (size_t)triangle + (size_t)k];
        weight[k] = square > 0
                        ? sw_dot(n, sw_cross(edge, sw_sub(at, s->X[t[(k + 1) % 3]]))) / square
                        : 1.0 / 3;
    }
    *far = sw_norm(sw_sub(p, at)) > 3 * build->body->grid.h;
    return 3;
}

static swReal area(const swSurface *s, int triangle) {
    const int *t = s->triangle + 3 * (size_t)triangle;
    return 0.5 * sw_norm(sw_cross(sw_sub(s->X[t[1]], s->X[t[0]]), sw_sub(s->X[t[2]], s->X[t[0]])));
}

// The first material of the body, which is that of the whole surface.
static const swMaterialInfo *skin(const swBuilder *b, const swBodyBuild *body) {
    return &b->material.item[body->grid.voxel[0].material];
}

// Makes vertices of the corners of triangles, one for each position.
static bool join_corners(swBuilder *b, const swSurface *s, swSpringBuild *build, swNet *net,
                         swError *error) {
    int *first = SW_NEW(&b->arena, s->nvertex, int, error),
        *number = SW_NEW(&b->arena, s->nvertex, int, error);
    build->triangle = SW_NEW(&b->arena, 3 * (size_t)s->ntriangle, int, error);
    net->X = SW_NEW(&b->arena, s->nvertex, swVec3, error);
    if (!first || !number || !build->triangle || !net->X ||
        !sw_surface_merge(s->nvertex, s->X, first, &b->arena, error))
        return false;
    for (int i = 0; i < 3 * s->ntriangle; i++) {
        const int vertex = first[s->triangle[i]];
        if (number[vertex] == 0) {
            net->X[net->n++] = s->X[vertex];
            number[vertex] = net->n;
        }
        build->triangle[i] = number[vertex] - 1;
    }
    return true;
}

static bool surface_nodes(swBuilder *b, swBodyBuild *body, swSpringBuild *build, swError *error) {
    const swSurface *s = &body->surface;
    swNet *net = &body->net;
    const swReal thickness = body->def->springs->thickness;
    for (int v = 1; v < body->grid.nvoxel; v++)
        if (body->grid.voxel[v].material != body->grid.voxel[0].material)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.springs.over: expected a body of one material for springs over its "
                           "surface, found \"%s\" and \"%s\"",
                           body->key, b->text.item + skin(b, body)->name,
                           b->text.item + b->material.item[body->grid.voxel[v].material].name);
    if (!join_corners(b, s, build, net, error) ||
        !(net->weight = SW_NEW(&b->arena, net->n, swReal, error)) ||
        !(build->tree = sw_bvh_create(s, &b->arena, error)))
        return false;
    for (int i = 0; i < 3 * s->ntriangle; i++)
        net->weight[build->triangle[i]] += skin(b, body)->density * thickness * area(s, i / 3) / 3;
    for (int i = 0; i < net->n; i++)
        if (!(net->weight[i] > 0))
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s: vertex %d of its surface has no area around it, and so no mass",
                           body->key, i);
    net->locate = locate_on_surface;
    net->reach = 1e-9 * body->grid.h;
    return true;
}

static bool surface_lines(swBuilder *b, swBodyBuild *body, const swSpringBuild *build,
                          const swSpringFactors *factors, swSpringList *springs, swError *error) {
    const swSurface *s = &body->surface;
    const swReal stiffness = skin(b, body)->young * body->def->springs->thickness;
    swReal *young = SW_NEW(&b->arena, s->ntriangle, swReal, error);
    int *face = young ? SW_EXTEND(&b->spring_face, 3 * s->ntriangle, &b->arena, error) : NULL;
    if (!face)
        return false;
    for (int i = 0; i < s->ntriangle; i++)
        young[i] = stiffness * area(s, i);
    for (int i = 0; i < 3 * s->ntriangle; i++)
        face[i] = body->first_node + build->triangle[i];
    return sw_springs_simplices(s->ntriangle, 3, build->triangle, young, body->net.X,
                                factors->structural * (1 - factors->bend), &b->arena, springs,
                                error) &&
           (!(factors->bend > 0) ||
            sw_springs_across(s->ntriangle, build->triangle, young, body->net.X,
                              factors->structural * factors->bend, &b->arena, springs, error));
}

// ---- over tetrahedra ----

static bool tet_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    if (!sw_tets_net(b, body, error))
        return false;
    if (body->tets->mesh.order != 1)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.springs.tets: expected linear tetrahedra, found quadratic ones: use "
                       "\"order\": \"linear\"",
                       body->key);
    return true;
}

static bool tet_lines(swBuilder *b, swBodyBuild *body, const swSpringFactors *factors,
                      swSpringList *springs, swError *error) {
    static const swReal middle[4] = {0.25, 0.25, 0.25, 0.25};
    const swTetMesh *mesh = &body->tets->mesh;
    swReal *young = SW_NEW(&b->arena, mesh->ntet, swReal, error);
    if (!young)
        return false;
    for (int i = 0; i < mesh->ntet; i++) {
        const int *vertex = sw_tets_at(mesh, i);
        const swMaterialInfo *m = &b->material.item[mesh->material[i]];
        const swReal volume = sw_tets_volume(mesh, i) * body->tets->stiffness[i];
        const bool own = body->def->springs->volume;
        swVec3 X[4], slope[4];
        young[i] = (own ? 2.5 * m->lame[0] : m->young) * volume;
        for (int k = 0; k < 4; k++)
            X[k] = mesh->X[vertex[k]];
        sw_tet_gradients(1, X, middle, slope);
        const swReal excess = (m->lame[1] - m->lame[0] + m->volume) * volume;
        if (own && fabs(excess) > 1e-9 * young[i] &&
            !add_cell(b, body, 4, vertex, slope, excess, error))
            return false;
    }
    return sw_springs_simplices(mesh->ntet, 4, mesh->vertex, young, mesh->X, factors->structural,
                                &b->arena, springs, error);
}

// ---- bodies ----

// Checks what springs, which only know lengths, can make of a material.
static bool check_material(const swBuilder *b, const swBodyBuild *body, const swMaterialInfo *m,
                           swError *error) {
    const swLaw *law = sw_law_at(m->law);
    const char *name = b->text.item + m->name;
    const char *found = m->yield > 0                                      ? "yields"
                        : m->fibre_stiffness > 0 || m->fibre_strength > 0 ? "has fibres"
                        : !law->isotropic                                 ? "is anisotropic"
                                                                          : NULL;
    if (found)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.springs: expected materials that springs can represent, but \"%s\" %s; "
                       "use frames or tets",
                       body->key, name, found);
    if (!law->hookean)
        sw_warn(b->config,
                "%s.springs: of the law \"%s\" of \"%s\", springs only have the stiffness at "
                "small strains",
                body->key, law->name, name);
    const swReal poisson = body->def->springs->over == SW_SPRINGS_SURFACE ? 1.0 / 3 : 0.25,
                 own = m->lame[1] / (2 * (m->lame[0] + m->lame[1]));
    const bool exact = body->def->springs->over != SW_SPRINGS_SURFACE && body->def->springs->volume;
    if (!exact && fabs(own - poisson) > 1e-3)
        sw_warn(b->config, "%s.springs: Poisson's ratio of \"%s\" becomes %.3g, not %.3g",
                body->key, name, poisson, own);
    return true;
}

static bool check_materials(swBuilder *b, const swBodyBuild *body, swError *error) {
    bool *seen = SW_NEW(&b->arena, b->material.count, bool, error);
    if (!seen)
        return false;
    for (int v = 0; v < body->grid.nvoxel; v++) {
        const int i = body->grid.voxel[v].material;
        if (!seen[i] && !check_material(b, body, &b->material.item[i], error))
            return false;
        seen[i] = true;
    }
    return true;
}

static bool make_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    const swSpringsOver over = body->def->springs->over;
    swSpringBuild *build = SW_NEW(&b->arena, 1, swSpringBuild, error);
    if (!build || !check_materials(b, body, error))
        return false;
    build->body = body;
    body->net.data = build;
    return (over == SW_SPRINGS_TETS      ? tet_nodes(b, body, error)
            : over == SW_SPRINGS_SURFACE ? surface_nodes(b, body, build, error)
                                         : lattice_nodes(b, body, build, error)) &&
           sw_net_nodes(b, body, error);
}

typedef SW_LIST(swNetPair) swPairList;

static bool add_pair(swBuilder *b, swPairList *list, int i, int j, swReal mass, swError *error) {
    swNetPair *pair = SW_PUSH(list, &b->arena, error);
    if (!pair)
        return false;
    *pair = (swNetPair){i, j, mass};
    return true;
}

// Pairs up all vertices that share a spring, a cell or a face.
static bool make_pairs(swBuilder *b, const swBodyBuild *body, const swSpringBody *net,
                       swError *error) {
    swPairList list = {0};
    const int first = body->first_node;
    for (int i = 0; i < body->net.n; i++)
        if (!add_pair(b, &list, i, i, body->net.weight[i], error))
            return false;
    for (int i = net->spring; i < net->spring + net->nspring; i++)
        if (!add_pair(b, &list, b->spring.item[i].node[0] - first,
                      b->spring.item[i].node[1] - first, 0, error))
            return false;
    for (int i = net->cell; i < net->cell + net->ncell; i++)
        for (int k = 0; k < b->spring_cell.item[i].nnode; k++)
            for (int e = 0; e < k; e++)
                if (!add_pair(b, &list, b->spring_cell.item[i].node[k] - first,
                              b->spring_cell.item[i].node[e] - first, 0, error))
                    return false;
    for (int i = 3 * net->face; i < 3 * (net->face + net->nface); i++)
        if (!add_pair(b, &list, b->spring_face.item[i] - first,
                      b->spring_face.item[i / 3 * 3 + (i + 1) % 3] - first, 0, error))
            return false;
    return sw_net_pairs(b, body, list.count, list.item, error);
}

static swReal enclosed(const swSurface *s) {
    swReal sum = 0;
    for (int i = 0; i < s->ntriangle; i++) {
        const int *t = s->triangle + 3 * (size_t)i;
        sum += sw_dot(sw_sub(s->X[t[0]], s->X[0]),
                      sw_cross(sw_sub(s->X[t[1]], s->X[0]), sw_sub(s->X[t[2]], s->X[0])));
    }
    return sum / 6;
}

static bool make_forces(swBuilder *b, swBodyBuild *body, swError *error) {
    const swSpringNet *def = body->def->springs;
    const swSpringFactors factors = {def->structural, def->shear, def->bend};
    swSpringBody *net = SW_EXTEND(&b->spring_body, 1, &b->arena, error);
    swSpringList list = {0};
    if (!net)
        return false;
    *net = (swSpringBody){.body = body->index,
                          .gas = def->gas,
                          .spring = b->spring.count,
                          .cell = b->spring_cell.count,
                          .face = b->spring_face.count / 3,
                          .pressure = def->pressure,
                          .ambient = def->ambient};
    if (def->over == SW_SPRINGS_TETS ? !tet_lines(b, body, &factors, &list, error)
        : def->over == SW_SPRINGS_SURFACE
            ? !surface_lines(b, body, body->net.data, &factors, &list, error)
            : !lattice_lines(b, body, body->net.data, &factors, &list, error))
        return false;
    const int lost = sw_springs_join(&list, body->net.X);
    if (lost > 0)
        sw_warn(b->config, "%s.springs: %d edges have zero length and get no spring", body->key,
                lost);
    swSpring *spring = SW_EXTEND(&b->spring, list.count, &b->arena, error);
    if (!spring)
        return false;
    for (int i = 0; i < list.count; i++) {
        const swSpringDef *d = &list.item[i];
        spring[i] = (swSpring){{body->first_node + d->a, body->first_node + d->b},
                               sw_norm(sw_sub(body->net.X[d->a], body->net.X[d->b])),
                               d->stiffness};
    }
    net->nspring = b->spring.count - net->spring;
    net->ncell = b->spring_cell.count - net->cell;
    net->nface = b->spring_face.count / 3 - net->face;
    net->volume = enclosed(&body->surface);
    if (net->nface > 0 && !(net->volume > 0))
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s.springs: expected a surface that encloses some volume, found %g m^3",
                       body->key, net->volume);
    return make_pairs(b, body, net, error);
}

static bool open_tets(swBuilder *b, swBodyBuild *body, swError *error) {
    body->cell = body->def->springs->voxel;
    return body->def->springs->over != SW_SPRINGS_TETS || sw_tets_open(b, body, error);
}

const swBodyKind sw_kind_springs = {.name = "springs",
                                    .open = open_tets,
                                    .paint = sw_tets_paint,
                                    .nodes = make_nodes,
                                    .forces = make_forces,
                                    .points = sw_net_points,
                                    .load = sw_net_load};
