// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reduced bodies: makes a basis of modes from a tetrahedral mesh, and the elastic forces on the
// modes.
#include "bodies/tets.h"

#include "material/law.h"
#include "modes/basis.h"
#include "modes/polynomial.h"
#include "modes/select.h"

#include <string.h>

enum {
    SHOWN_POINTS = 2000, // with a polynomial: points at which strain and stress can be displayed
    FITTED_FORCES = 1200 // number of forces to fit, over all poses and modes
};

struct swModesBuild {
    const swTetMesh *mesh;
    swTetBody body;
    swFull full;
    swBasis basis;
    int node; // index in the builder
    int info; // index in the builder's `reduced`
};
typedef struct swModesBuild swModesBuild;

// ---- the basis ----

// Properties of the mesh at rest, and which of its vertices are held by handles.
static bool make_body(swBuilder *b, swBodyBuild *body, swModesBuild *s, swError *error) {
    const swTetBuild *t = body->tets;
    const swTetMesh *mesh = s->mesh = &t->mesh;
    bool *held = SW_NEW(&b->arena, mesh->nvertex, bool, error);
    swReal *mu = SW_NEW(&b->arena, mesh->ntet, swReal, error),
           *lambda = SW_NEW(&b->arena, mesh->ntet, swReal, error);
    if (!held || !mu || !lambda)
        return false;
    for (int v = 0; v < mesh->nvertex; v++)
        held[v] = body->net.held[v] >= 0;
    for (int i = 0; i < mesh->ntet; i++) {
        const swMaterialInfo *m = &b->material.item[mesh->material[i]];
        mu[i] = t->stiffness[i] * m->lame[0];
        lambda[i] = t->stiffness[i] * m->lame[1];
    }
    s->body = (swTetBody){mesh, held, mu, lambda, t->density};
    return true;
}

typedef struct {
    const swBodyBuild *body;
    const swFull *full;
    swReal *force;
} swRestForce;

// Adds a force f [N] to a vertex at rest.
static void add_force(const swRestForce *to, int vertex, swVec3 f) {
    const int at = to->full->K.start[vertex];
    for (int k = 0; k < 3 && !to->full->body->held[vertex]; k++)
        to->force[at + k] += sw_get(f, k);
}

static bool add_load(const swForceAt *at, void *arg, swError *error) {
    const swRestForce *to = arg;
    const swNet *net = &to->body->net;
    int vertex[SW_NET_NEAR];
    swReal weight[SW_NET_NEAR];
    bool far;
    (void)error;
    const int n = net->locate(net, at->p, vertex, weight, &far);
    for (int i = 0; i < n; i++)
        add_force(to, vertex[i], sw_scale(weight[i], sw_mul_t(to->body->R, at->f)));
    return true;
}

// The forces on the body in this scene, in its axes at rest: its weight, and its loads.
static bool make_rest_forces(swBuilder *b, const swBodyBuild *body, const swFull *full, int *n,
                             swReal **force, swError *error) {
    const swVec3 g = sw_mul_t(body->R, b->scene->gravity);
    if (!(*force = SW_NEW(&b->arena, 2 * (size_t)full->n, swReal, error)))
        return false;
    *n = 0;
    swRestForce to = {body, full, *force};
    for (int v = 0; v < body->net.n && sw_norm2(g) > 0; v++)
        add_force(&to, v, sw_scale(body->net.weight[v], g));
    *n += sw_norm2(g) > 0;
    to.force = *force + (ptrdiff_t)*n * full->n;
    *n += body->def->loads != NULL;
    return sw_loads_visit(b, body, add_load, &to, error);
}

static bool make_basis(swBuilder *b, swBodyBuild *body, swModesBuild *s, swError *error) {
    const swModeBasis *def = body->def->modes;
    swBasisWish wish = {def->basis, def->count, def->vibrations, 0, NULL};
    swReal *force;
    swError own;
    if (!sw_full_create(&s->full, &s->body, b->pool, &b->arena, &own))
        return sw_fail(error, own.code, "%s.modes: %s", body->key, own.message);
    if (!make_rest_forces(b, body, &s->full, &wish.nforce, &force, error))
        return false;
    wish.force = force;
    if (!sw_basis_create(&s->basis, &s->full, &wish, b->pool, &b->arena, &own))
        return sw_fail(error, own.code, "%s.modes: %s", body->key, own.message);
    if (s->basis.count < def->count)
        sw_warn(b->config, "%s.modes: there are only %d modes, not %d", body->key, s->basis.count,
                def->count);
    return true;
}

// Handles are fixed. The first one gets the node of the modes, which knows the total force on all
// of them.
static bool make_nodes(swBuilder *b, swBodyBuild *body, swError *error) {
    swModesBuild *s = SW_NEW(&b->arena, 1, swModesBuild, error);
    if (!(body->reduced = s) || !sw_tets_net(b, body, error) || !make_body(b, body, s, error) ||
        !make_basis(b, body, s, error))
        return false;
    body->nmode = s->basis.count;
    s->node = b->node.count;
    const int handle = b->handle.count;
    const swVec3 origin = body->handles.item[0].origin;
    if (!sw_build_node(b, body, (swNodeKind)SW_NODE_MODES, SW_MOTION_FREE, origin, error) ||
        !sw_build_handle_nodes(b, body, error))
        return false;
    b->handle.item[handle].node = s->node;
    if (body->nhandle > 1)
        sw_warn(b->config,
                "%s.modes: only the total force of its %d handles is known; it is reported for "
                "the first",
                body->key, body->nhandle);
    body->nsite = 1 + body->nhandle;
    return true;
}

// ---- points and loads ----

// phi of all modes at a point; `far` as for a net.
static void modes_at(const swBodyBuild *body, swVec3 p, swVec3 *phi, bool *far) {
    const swModesBuild *s = body->reduced;
    int vertex[SW_NET_NEAR];
    swReal weight[SW_NET_NEAR];
    const int n = body->net.locate(&body->net, p, vertex, weight, far);
    for (int j = 0; j < s->basis.count; j++) {
        const swReal *shape = s->basis.shape + (ptrdiff_t)j * s->full.n;
        phi[j] = sw_v3(0, 0, 0);
        for (int a = 0; a < n; a++)
            phi[j] = sw_madd(phi[j], weight[a], sw_full_at(&s->full, shape, vertex[a]));
    }
}

static bool make_points(swBuilder *b, const swBodyBuild *body, int n, const swVec3 *p, int material,
                        int *away, swError *error) {
    static const int site = 0;
    static const swReal whole = 1;
    (void)material; // handles do not move
    for (int i = 0; i < n; i++) {
        const int64_t first = b->vector.count;
        swVec3 *phi = SW_EXTEND(&b->vector, body->nmode, &b->arena, error);
        bool far = false;
        if (!phi || !sw_build_point(b, body, p[i], 1, &site, &whole, error))
            return false;
        modes_at(body, p[i], phi, &far);
        b->point_vector.item[b->point_vector.count - 1] = first;
        if (away)
            *away += far;
    }
    return true;
}

static bool add_dead_load(swBuilder *b, swBodyBuild *body, const swForceAt *at, swError *error) {
    const swModesBuild *s = body->reduced;
    swVec3 phi[SW_MAX_MODES];
    bool far;
    modes_at(body, at->p, phi, &far);
    if (!sw_build_mode_load(b, body, s->node - body->first_node, at->p, at->f, phi, error))
        return false;
    const swNode *node = &b->node.item[s->node];
    const swVec3 d = sw_sub(at->p, node->origin);
    const swReal m[4] = {1, d.x, d.y, d.z};
    for (int k = 0; k < 12; k++)
        b->load.item[node->q + k] += m[k % 4] * sw_get(at->f, k / 4);
    return true;
}

// ---- inertia ----

// The product of the mass matrix, including held vertices, with the positions of the vertices.
static void weigh_places(const swModesBuild *s, swVec3 origin, swVec3 *out) {
    const swTetMesh *mesh = s->mesh;
    const int n = sw_tet_vertices(mesh->order);
    for (int t = 0; t < mesh->ntet; t++) {
        const int *v = sw_tets_at(mesh, t);
        const swReal mass = s->body.density[t] * sw_tets_volume(mesh, t);
        for (int a = 0; a < n; a++)
            for (int c = 0; c < n; c++)
                out[v[a]] = sw_madd(out[v[a]], mass * sw_tet_mass(mesh->order, a, c),
                                    sw_sub(mesh->X[v[c]], origin));
    }
}

// Adds a vertex's contribution to the integral of rho u v^T, where `v` is already multiplied by the
// mass.
static void add_product(swVec3 u, swVec3 v, swReal *to) {
    for (int e = 0; e < 9; e++)
        to[e] += sw_get(u, e / 3) * sw_get(v, e % 3);
}

// S, N and L of potentials/reduced.h, and the weight of the frame itself.
static bool add_inertia(swBuilder *b, swBodyBuild *body, const swModesBuild *s, swError *error) {
    const int r = s->basis.count, nv = s->mesh->nvertex;
    const swNode *node = &b->node.item[s->node];
    swVec3 *place = SW_NEW(&b->arena, nv, swVec3, error);
    swReal *image = SW_NEW(&b->arena, s->full.n, swReal, error),
           *S = b->reduced_data.item + b->reduced.item[s->info].data, *N = S + 3 * r,
           *L = N + 9 * r, *weight = b->weight_load.item + node->q / 3;
    if (!place || !image)
        return false;
    weigh_places(s, node->origin, place);
    for (int v = 0; v < nv; v++) {
        const swReal mass = body->net.weight[v];
        const swVec3 p = sw_sub(s->mesh->X[v], node->origin);
        weight[0] += mass;
        for (int k = 0; k < 3; k++)
            weight[1 + k] += mass * sw_get(p, k);
    }
    for (int i = 0; i < r; i++) {
        const swReal *shape = s->basis.shape + (ptrdiff_t)i * s->full.n;
        sw_full_mass(&s->full, shape, image);
        for (int v = 0; v < nv; v++) {
            const swVec3 u = sw_full_at(&s->full, shape, v), Mu = sw_full_at(&s->full, image, v);
            for (int k = 0; k < 3; k++)
                S[3 * i + k] += body->net.weight[v] * sw_get(u, k);
            add_product(u, place[v], N + 9 * i);
            for (int j = 0; j < r && !s->body.held[v]; j++)
                add_product(sw_full_at(&s->full, s->basis.shape + (ptrdiff_t)j * s->full.n, v), Mu,
                            L + 9 * ((ptrdiff_t)j * r + i));
        }
    }
    return true;
}

// ---- elasticity ----

// Rejects what samples of modes do not support.
static bool check_materials(const swBuilder *b, const swBodyBuild *body, const swModesBuild *s,
                            swError *error) {
    for (int t = 0; t < s->mesh->ntet; t++) {
        const swMaterialInfo *m = &b->material.item[s->mesh->material[t]];
        if (m->yield > 0)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.modes: expected elastic materials, found \"%s\", which "
                           "yields: use tets",
                           body->key, b->text.item + m->name);
    }
    return true;
}

// Whether the energy is a polynomial, i.e. quadratic in Green's strain with no further terms.
static bool is_polynomial(const swBuilder *b, const swModesBuild *s) {
    for (int t = 0; t < s->mesh->ntet; t++) {
        const swMaterialInfo *m = &b->material.item[s->mesh->material[t]];
        if (sw_law_at(m->law)->strain != SW_STRAIN_GREEN || m->volume > 0 ||
            m->fibre_stiffness > 0 || m->fibre_strength > 0)
            return false;
    }
    return true;
}

// Adds samples of one material at some points, in the order of the list.
static bool add_group(swBuilder *b, const swBodyBuild *body, const swModesBuild *s, int n,
                      const swChosenSample *chosen, swError *error) {
    const swTetBuild *t = body->tets;
    const int r = s->basis.count, nblock = (n + SW_LANES - 1) / SW_LANES;
    swReal *D = SW_NEW(&b->arena, 9 * r, swReal, error);
    swGroup *g = SW_EXTEND(&b->group, 1, &b->arena, error);
    if (!D || !g)
        return false;
    *g = (swGroup){.body = body->index,
                   .material = s->mesh->material[chosen[0].tet],
                   .node = b->group_node.count,
                   .nnode = 1,
                   .ncolumn = r,
                   .nfree = r,
                   .blend = SW_BLEND_MODES,
                   .sample = b->sample_volume.count,
                   .nblock = nblock,
                   .gamma = b->gamma.count,
                   .plastic = -1,
                   .stretch = -1,
                   .amplitudes = -1};
    int *node = SW_EXTEND(&b->group_node, 1, &b->arena, error);
    swReal *volume = SW_EXTEND(&b->sample_volume, nblock * SW_LANES, &b->arena, error),
           *weight = SW_EXTEND(&b->sample_weight, nblock * SW_LANES, &b->arena, error),
           *gamma = SW_EXTEND(&b->gamma, nblock * 9 * r * SW_LANES, &b->arena, error);
    swVec3 *place = SW_EXTEND(&b->sample_point, nblock * SW_LANES, &b->arena, error);
    if (!node || !volume || !weight || !gamma || !place)
        return false;
    *node = s->node;
    b->size.max_columns = sw_max_int((int)b->size.max_columns, r);
    for (int i = 0; i < nblock * SW_LANES; i++) { // the last point is repeated with zero weight
        const swChosenSample *c = &chosen[sw_min_int(i, n - 1)];
        swTetSample point[SW_TET_SAMPLES];
        sw_tet_samples(s->mesh, c->tet, point);
        sw_modal_gradient(&s->full, &s->basis, c->tet, &point[c->point], D);
        place[i] = point[c->point].X;
        volume[i] = i < n ? c->weight : 0;
        weight[i] = volume[i] * t->stiffness[c->tet];
        for (int e = 0; e < 9 * r; e++)
            gamma[((ptrdiff_t)(i / SW_LANES) * 9 * r + e) * SW_LANES + i % SW_LANES] = D[e];
    }
    return true;
}

// The list is sorted by material.
static bool add_groups(swBuilder *b, const swBodyBuild *body, const swModesBuild *s, int n,
                       const swChosenSample *chosen, swError *error) {
    const int *material = s->mesh->material;
    for (int first = 0, end; first < n; first = end) {
        for (end = first; end < n && material[chosen[end].tet] == material[chosen[first].tet];)
            end++;
        if (!add_group(b, body, s, end - first, chosen + first, error))
            return false;
    }
    return true;
}

static bool make_forces(swBuilder *b, swBodyBuild *body, swError *error) {
    swModesBuild *s = body->reduced;
    const swModeBasis *def = body->def->modes;
    const int r = s->basis.count;
    const bool polynomial = is_polynomial(b, s);
    swChosenSample *chosen;
    int n;
    swReal left = 0;
    if (!check_materials(b, body, s, error))
        return false;
    swReducedInfo *info = SW_EXTEND(&b->reduced, 1, &b->arena, error);
    swNodePair *pair = info ? SW_EXTEND(&b->pair, body->nsite, &b->arena, error) : NULL;
    const int64_t data = b->reduced_data.count, size = sw_reduced_inertia_size(r);
    swReal *numbers =
        pair ? SW_EXTEND(&b->reduced_data, (int)(size + (polynomial ? sw_polynomial_size(r) : 0)),
                         &b->arena, error)
             : NULL;
    if (!numbers)
        return false;
    for (int i = 0; i < body->nsite; i++)
        pair[i] = (swNodePair){body->first_node + i, body->first_node + i, -1};
    s->info = b->reduced.count - 1;
    *info = (swReducedInfo){
        .body = body->index, .node = s->node, .vibrations = s->basis.vibrations, .data = data};
    for (int end = 0; end < 2; end++)
        info->frequency[end] = sqrt(s->basis.stiffness[end ? r - 1 : 0]) / (2 * SW_PI);
    if (!add_inertia(b, body, s, error))
        return false;
    const swSelection wish = {.full = &s->full,
                              .basis = &s->basis,
                              .material = b->material.item,
                              .stiffness = body->tets->stiffness,
                              .most = def->points > 0 ? def->points : 8 * r,
                              .poses = sw_min_int(2 * r, FITTED_FORCES / r)};
    if (polynomial ? !sw_polynomial_build(&s->full, &s->basis, b->pool, numbers + size, &b->arena,
                                          error) ||
                         !sw_samples_spread(s->mesh, SHOWN_POINTS, &b->arena, &n, &chosen, error)
                   : !sw_samples_select(&wish, b->pool, &b->arena, &n, &chosen, &left, error))
        return false;
    b->body.item[body->index].precomputed = polynomial;
    b->reduced.item[s->info].points = polynomial ? 0 : n;
    b->reduced.item[s->info].error = left;
    if (!polynomial)
        sw_info(b->config, "%s.modes: %d points, forces at other poses are off by %.2g %%",
                body->key, n, 100 * left);
    return add_groups(b, body, s, n, chosen, error);
}

const swBodyKind sw_kind_modes = {.name = "modes",
                                  .open = sw_tets_open,
                                  .paint = sw_tets_paint,
                                  .nodes = make_nodes,
                                  .forces = make_forces,
                                  .points = make_points,
                                  .load = add_dead_load};
