// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The mesh of a body of tetrahedra, and its vertices as nodes.
#include "bodies/tets.h"

#include "formats/tets.h"
#include "scene/schema.h"
#include "volume/tets_stuff.h"

#include <string.h>

// ---- rules ----

#define CORNER(a, b) \
    {b, a, a, a}, {a, b, a, a}, {a, a, b, a}, { a, a, a, b }
#define EDGE(a, b) \
    {b, b, a, a}, {b, a, b, a}, {b, a, a, b}, {a, b, b, a}, {a, b, a, b}, { a, a, b, b }

static const swReal one_point[1][4] = {{0.25, 0.25, 0.25, 0.25}}, one_weight[1] = {1};
static const swReal four_points[4][4] = {CORNER(0.13819660112501051518, 0.58541019662496845446)},
                    four_weights[4] = {0.25, 0.25, 0.25, 0.25};
// Walkington, "Quadrature on simplices of arbitrary dimension" (2000).
static const swReal fourteen_points[14][4] = {CORNER(0.09273525031089122640,
                                                     0.72179424906732632079),
                                              CORNER(0.31088591926330060980,
                                                     0.06734224221009817060),
                                              EDGE(0.04550370412564964949, 0.45449629587435035051)},
                    fourteen_weights[14] = {
                        0.07349304311636194934, 0.07349304311636194934, 0.07349304311636194934,
                        0.07349304311636194934, 0.11268792571801585080, 0.11268792571801585080,
                        0.11268792571801585080, 0.11268792571801585080, 0.04254602077708146686,
                        0.04254602077708146686, 0.04254602077708146686, 0.04254602077708146686,
                        0.04254602077708146686, 0.04254602077708146686};

const swTetRule *sw_tet_rule(int npoint) {
    static const swTetRule rules[] = {{1, one_point, one_weight},
                                      {4, four_points, four_weights},
                                      {14, fourteen_points, fourteen_weights}};
    return &rules[npoint == 1 ? 0 : npoint == 4 ? 1 : 2];
}

// ---- the mesh ----

// For full tetrahedra: from a file, or fitted to the shape.
static bool fill_all(swBuilder *b, swTetBuild *t, swError *error) {
    const swTetMesh *mesh = &t->mesh;
    if (!(t->density = SW_NEW(&b->arena, mesh->ntet, swReal, error)) ||
        !(t->stiffness = SW_NEW(&b->arena, mesh->ntet, swReal, error)))
        return false;
    for (int i = 0; i < mesh->ntet; i++) {
        t->stiffness[i] = mesh->fill ? mesh->fill[i] : 1;
        t->density[i] = t->stiffness[i] * b->material.item[mesh->material[i]].density;
    }
    return true;
}

// Converts the mesh to quadratic or linear elements as requested.
static bool set_order(swBuilder *b, swTetBuild *t, swTetOrder order, swError *error) {
    swTetMesh *mesh = &t->mesh, linear = *mesh;
    if (order == SW_TETS_QUADRATIC && mesh->order == 1)
        return sw_tets_quadratic(&linear, &b->arena, mesh, error);
    return order != SW_TETS_LINEAR || mesh->order == 1 ||
           sw_tets_linear(&linear, &b->arena, mesh, error);
}

static bool fit_surface(swBuilder *b, swBodyBuild *body, swTetBuild *t, swError *error) {
    swStuffLoss loss;
    return sw_tets_stuff(body->nsolid, body->paint, body->grid.h, body->key, b->pool, &b->arena,
                         &t->mesh, error) &&
           sw_tets_tidy(&t->mesh, body->grid.h, &body->lattice, body->key, b->config, &b->arena,
                        &loss, error) &&
           fill_all(b, t, error);
}

static bool make_mesh(swBuilder *b, swBodyBuild *body, swTetBuild *t, swError *error) {
    if (sw_body_tets(body->def)->fit && !fit_surface(b, body, t, error))
        return false;
    if (!sw_body_tets(body->def)->fit && !sw_tets_cells(b, body, t, error))
        return false;
    return set_order(b, t, sw_body_tets(body->def)->order, error);
}

// ---- files ----

static int find_material(const swBuilder *b, const char *name) {
    int i = 0;
    for (const swMaterial *d = b->scene->materials; name && d; d = d->next, i++)
        if (sw_text_equal(d->name, name))
            return i;
    return -1;
}

// Finds the scene's material of that name; else makes a new one from the properties in the file;
// else takes the first.
static bool add_material(swBuilder *b, const swTetMaterial *from, const char *path, int *index,
                         swError *error) {
    const bool known = from && isfinite(from->young) && isfinite(from->poisson);
    swMaterial def;
    *index = from ? find_material(b, from->name) : -1;
    if (*index >= 0)
        return true;
    *index = known || b->material.count == 0 ? b->material.count : 0;
    if (*index == 0 && b->material.count > 0)
        return true;
    sw_schema_default(&sw_material_table, &def);
    for (int i = 0; i < SW_MATERIAL_PARAMS; i++)
        def.param[i] = NAN;
    def.name = from && from->name ? from->name : "default";
    if (known) {
        def.young = from->young;
        def.poisson = from->poisson;
        def.density = isfinite(from->density) ? from->density : def.density;
    }
    if (!(def.young > 0) || !(def.poisson > -1 && def.poisson < 0.5) || !(def.density > 0))
        return sw_fail_at(
            error, SW_ERROR_VALUE, path, 0, 0,
            "material \"%s\": expected young and density above 0 and poisson between -1 "
            "and 0.5, found %g, %g and %g",
            def.name, def.young, def.density, def.poisson);
    return sw_build_material(b, &def, error);
}

// Maps the file's materials to those of the scene.
static bool map_materials(swBuilder *b, swTetMesh *mesh, const char *path, swError *error) {
    const int n = sw_max_int(mesh->nmaterial, 1);
    int *map = SW_NEW(&b->arena, n, int, error), *material = mesh->material;
    for (int i = 0; map && i < n; i++)
        if (!add_material(b, i < mesh->nmaterial ? &mesh->materials[i] : NULL, path, &map[i],
                          error))
            return false;
    mesh->material = map ? SW_NEW(&b->arena, mesh->ntet, int, error) : NULL;
    for (int t = 0; mesh->material && t < mesh->ntet; t++)
        mesh->material[t] = map[material ? material[t] : 0];
    return mesh->material != NULL;
}

// Takes the boundary of tetrahedra from a file as the body's shape, if it has no other.
static bool take_boundary(swBuilder *b, swBodyBuild *body, const char *file, swError *error) {
    swTetBoundary boundary;
    return sw_tets_boundary(&body->tets->mesh, &b->arena, &boundary, error) &&
           (body->given =
                sw_solid_of_surface(&boundary.surface, file, b->config, &b->arena, error));
}

bool sw_tets_open(swBuilder *b, swBodyBuild *body, swError *error) {
    const swTets *def = sw_body_tets(body->def);
    body->cell = def->voxel;
    if (!def->file)
        return true;
    swTetBuild *t = body->tets = SW_NEW(&b->arena, 1, swTetBuild, error);
    const char *path = t ? sw_path_join(b->scene->folder, def->file, &b->arena, error) : NULL;
    if (!path || !sw_tets_read(path, b->config, &b->arena, &t->mesh, NULL, error))
        return false;
    for (int i = 0; i < t->mesh.nvertex; i++)
        t->mesh.X[i] = sw_scale(def->scale, t->mesh.X[i]);
    return map_materials(b, &t->mesh, path, error) && fill_all(b, t, error) &&
           set_order(b, t, def->order, error) &&
           (t->locator = sw_tets_locator(&t->mesh, &b->arena, error)) &&
           (body->def->shape || take_boundary(b, body, def->file, error));
}

void sw_tets_paint(swBodyBuild *body) {
    const swTetBuild *t = body->tets;
    for (int v = 0; t && !body->def->shape && v < body->grid.nvoxel; v++) {
        int tet;
        swReal bary[4];
        sw_tets_locate(t->locator, body->grid.voxel[v].centroid, &tet, bary, NULL);
        body->grid.voxel[v].material = t->mesh.material[tet];
    }
}

// ---- vertices ----

static int locate(const swNet *net, swVec3 p, int *vertex, swReal *weight, bool *far) {
    const swTetBuild *t = net->data;
    const int n = sw_tet_vertices(t->mesh.order);
    swReal bary[4], distance, sum = 0;
    int tet;
    sw_tets_locate(t->locator, p, &tet, bary, &distance);
    *far = distance > t->far;
    if (*far) { // limit extrapolation beyond a tetrahedron
        for (int i = 0; i < 4; i++)
            sum += bary[i] = sw_max(bary[i], 0);
        for (int i = 0; i < 4; i++)
            bary[i] /= sum;
    }
    sw_tet_shape(t->mesh.order, bary, weight);
    memcpy(vertex, sw_tets_at(&t->mesh, tet), (size_t)n * sizeof *vertex);
    return n;
}

// The integrals of rho N over all tetrahedra.
static void weigh_vertices(const swTetBuild *t, swReal *weight) {
    const swTetMesh *mesh = &t->mesh;
    const int n = sw_tet_vertices(mesh->order);
    const swTetRule *rule = sw_tet_rule(mesh->order == 1 ? 1 : SW_TET_MASS_POINTS);
    for (int tet = 0; tet < mesh->ntet; tet++) {
        const int *vertex = sw_tets_at(mesh, tet);
        swVec3 X[10], dN[10];
        swReal N[10];
        for (int i = 0; i < n; i++)
            X[i] = mesh->X[vertex[i]];
        for (int p = 0; p < rule->n; p++) {
            swReal bary[4];
            sw_tet_point(t, rule, tet, p, bary);
            const swReal volume = sw_tet_gradients(mesh->order, X, bary, dN) / 6;
            sw_tet_shape(mesh->order, bary, N);
            for (int i = 0; i < n; i++)
                weight[vertex[i]] += t->density[tet] * rule->weight[p] * volume * N[i];
        }
    }
}

// Handles hold vertices by position, or, in meshes made from cells, by the nodes of the lattice
// where a handle has no region. They hold the middle of an edge if they hold both ends.
static bool hold_vertices(swBuilder *b, swBodyBuild *body, const swTetMesh *mesh, swError *error) {
    const bool cells = !sw_body_tets(body->def)->file && !sw_body_tets(body->def)->fit;
    swNet *net = &body->net;
    net->lattice = body->tets->vertex;
    net->reach = (cells ? 0.5 : 1e-3) * body->grid.h;
    if (!sw_net_hold(b, body, error))
        return false;
    if (cells)
        sw_tets_hold_cells(body);
    for (int t = 0; t < mesh->ntet; t++)
        for (int e = 0; e < 6 && mesh->order == 2; e++) {
            const int *v = sw_tets_at(mesh, t), *end = sw_tet_edge[e], one = net->held[v[end[0]]],
                      other = net->held[v[end[1]]];
            net->held[v[4 + e]] = one == other ? one : -1;
        }
    return true;
}

// Finds the axes along which the vertices of a region cannot move. The middle of an edge gets the
// axes that both ends have.
static bool slide_vertices(swBuilder *b, swBodyBuild *body, const swTetMesh *mesh, swError *error) {
    swNet *net = &body->net;
    if (body->def->slides && !(net->slide = SW_NEW(&b->arena, net->n, int, error)))
        return false;
    int index = 0;
    for (const swSlide *s = body->def->slides; s; s = s->next, index++) {
        char key[64];
        int count = 0;
        snprintf(key, sizeof key, "%s.slides[%d].region", body->key, index);
        if (!s->region || s->region->kind == SW_SHAPE_LABEL)
            return sw_fail(error, SW_ERROR_VALUE, "%s: expected a shape, found %s", key,
                           s->region ? "labels" : "none");
        const swSolid *region =
            sw_solid_create(s->region, b->scene->folder, key, b->config, &b->arena, error);
        if (!region)
            return false;
        for (int v = 0; v < net->n; v++)
            if (sw_solid_distance(region, net->X[v]) <= net->reach) {
                net->slide[v] |= 1 << s->axis;
                count++;
            }
        if (count == 0)
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s: holds none of the body's %d vertices; expected a larger one", key,
                           net->n);
    }
    for (int t = 0; t < mesh->ntet && net->slide && mesh->order == 2; t++)
        for (int e = 0; e < 6; e++) {
            const int *v = sw_tets_at(mesh, t), *end = sw_tet_edge[e];
            net->slide[v[4 + e]] = net->slide[v[end[0]]] & net->slide[v[end[1]]];
        }
    return true;
}

bool sw_tets_net(swBuilder *b, swBodyBuild *body, swError *error) {
    swTetBuild *t = body->tets ? body->tets : SW_NEW(&b->arena, 1, swTetBuild, error);
    swNet *net = &body->net;
    if (!t || (!body->tets && !make_mesh(b, body, t, error)) ||
        !sw_torn_mesh(b, body, &t->mesh, error) ||
        ((!t->locator || b->ntorn > 0) &&
         !(t->locator = sw_tets_locator(&t->mesh, &b->arena, error))))
        return false;
    body->tets = t;
    t->far = body->grid.h;
    *net = (swNet){.n = t->mesh.nvertex,
                   .X = t->mesh.X,
                   .weight = SW_NEW(&b->arena, t->mesh.nvertex, swReal, error),
                   .locate = locate,
                   .data = t,
                   .crack = net->crack};
    if (!net->weight)
        return false;
    weigh_vertices(t, net->weight);
    return hold_vertices(b, body, &t->mesh, error) && slide_vertices(b, body, &t->mesh, error);
}

static bool make_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    return sw_tets_net(b, body, error) && sw_torn_keep(b, body, &body->tets->mesh, error) &&
           sw_net_nodes(b, body, error);
}

const swBodyKind sw_kind_tets = {.name = "tets",
                                 .tears = true,
                                 .open = sw_tets_open,
                                 .paint = sw_tets_paint,
                                 .nodes = make_nodes,
                                 .forces = sw_tets_forces,
                                 .points = sw_net_points,
                                 .load = sw_net_load};
