// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Tetrahedra of cells, divided at surfaces, and as full as solids make them.
#include "test_tetmesh.h"

#include "volume/tets_fill.h"
#include "volume/tets_split.h"

static const swTetStuff stuff[2] = {{1, 1000, false}, {10, 3000, false}};

typedef struct {
    swTetMesh mesh;
    swTetOrigin origin;
} Cells;

static Cells split_body(const Body *body) {
    swError error = {0};
    Cells c;
    require(sw_tets_split(&body->lattice, &arena, &c.mesh, &error), &error);
    c.origin = (swTetOrigin){SW_NEW(&arena, c.mesh.ntet, int, &error),
                             SW_NEW(&arena, c.mesh.nvertex, bool, &error)};
    assert_true(c.origin.from && c.origin.moved);
    for (int t = 0; t < c.mesh.ntet; t++)
        c.origin.from[t] = t / SW_TETS_PER_CELL;
    return c;
}

// ---- division ----

static swReal slanted(const void *context, swVec3 p) {
    return sw_dot(sw_unit(sw_v3(0.8, 0.5, -0.3)), p) - *(const swReal *)context;
}
static swReal round_one(const void *context, swVec3 p) {
    return sw_norm(p) - *(const swReal *)context;
}

// Tetrahedra fill what they filled, face to face, and none is on both sides.
static void divided_meshes_are_sound(void **state) {
    (void)state;
    const swShape shape = box(sw_v3(1, 0.7, 0.5), sw_v3(0.02, 0.01, 0));
    for (int i = 0; i < 24; i++) {
        swLevel *level = i % 2 ? round_one : slanted;
        const swReal at = i % 2 ? 0.2 + 0.01 * i : -0.2 + 0.017 * i;
        swError error = {0};
        Body body;
        paint_body(&body, 1, &shape);
        fill_body(&body, 0.1);
        Cells c = split_body(&body);
        const swReal volume = facts_of(&c.mesh).volume;
        require(sw_tets_divide(&c.mesh, level, &at, &c.origin, &arena, &error), &error);
        assert_conforming(&c.mesh);
        const swTetFacts f = facts_of(&c.mesh);
        assert_true(c.mesh.ntet > SW_TETS_PER_CELL * body.lattice.ncell);
        assert_int_equal(f.components, 1);
        assert_near(f.volume, volume, 1e-3 * volume); // vertices of the surface may move
        for (int t = 0; t < c.mesh.ntet; t++) {
            bool in = false, out = false;
            for (int k = 0; k < 4; k++) {
                const swReal d = level(&at, c.mesh.X[sw_tets_at(&c.mesh, t)[k]]);
                in = in || d < -1e-9;
                out = out || d > 1e-9;
            }
            assert_false(in && out);
        }
    }
}

static swReal across_x(const void *context, swVec3 p) { return p.x - *(const swReal *)context; }

// A plane through vertices of the grid divides nothing, whatever rounding says of where they are.
static void planes_of_the_grid_divide_nothing(void **state) {
    (void)state;
    const swShape shape = box(sw_v3(1, 0.7, 0.5), sw_v3(0, 0, 0));
    for (int i = -10; i <= 10; i++) {
        const swReal at = 0.1 * (i / 2) + (i % 2 ? 1e-14 : -1e-14);
        swError error = {0};
        Body body;
        paint_body(&body, 1, &shape);
        fill_body(&body, 0.1);
        Cells c = split_body(&body);
        const int ntet = c.mesh.ntet;
        require(sw_tets_divide(&c.mesh, across_x, &at, &c.origin, &arena, &error), &error);
        assert_int_equal(c.mesh.ntet, ntet);
        for (int v = 0; v < c.mesh.nvertex; v++)
            assert_memory_equal(&c.mesh.X[v], &body.lattice.X[v], sizeof(swVec3));
    }
}

// ---- filling ----

typedef struct {
    swReal volume;
    swVec3 first, second, mixed;
} Moments;

static void add_point(Moments *m, swReal w, swVec3 p) {
    m->volume += w;
    m->first = sw_madd(m->first, w, p);
    m->second = sw_madd(m->second, w, sw_v3(p.x * p.x, p.y * p.y, p.z * p.z));
    m->mixed = sw_madd(m->mixed, w, sw_v3(p.y * p.z, p.z * p.x, p.x * p.y));
}

// Of all blobs, by points at 1 / sqrt 5 of the way to their corners.
static Moments blob_moments(const swTetMesh *mesh, const swTetFilling *f) {
    const swReal a = 0.25 * (1 - 1 / sqrt(5));
    Moments m = {0};
    for (int t = 0; t < mesh->ntet; t++)
        for (int k = 0; k < 4; k++) {
            swReal bary[4] = {a, a, a, a}, own[4];
            swVec3 p = {0, 0, 0};
            bary[k] = 1 - 3 * a;
            sw_tet_blob(&f->blob[t], bary, own);
            for (int i = 0; i < 4; i++)
                p = sw_madd(p, own[i], mesh->X[sw_tets_at(mesh, t)[i]]);
            add_point(&m, 0.25 * mesh->fill[t] * sw_tets_volume(mesh, t), p);
        }
    return m;
}

static Moments voxel_moments(const swGrid *g) {
    Moments m = {0};
    for (int v = 0; v < g->nvoxel; v++) {
        swVec3 point[8];
        sw_voxel_points(&g->voxel[v], point);
        for (int k = 0; k < 8; k++)
            add_point(&m, 0.125 * g->voxel[v].volume, point[k]);
    }
    return m;
}

static swTetFilling fill_cells(const Body *body, Cells *c) {
    const swTetPaint paint = {body->n, body->paint, stuff, &body->grid};
    swTetFilling f;
    swError error = {0};
    int *side = SW_NEW(&arena, c->mesh.ntet, int, &error);
    assert_non_null(side);
    require(
        sw_tets_fill(&paint, body->lattice.cell, &c->origin, side, &c->mesh, &f, &arena, &error),
        &error);
    return f;
}

// What is in tetrahedra has the volume, the place and the second moments of the solid, wherever its
// surface cuts them.
static void fillings_have_the_moments_of_solids(void **state) {
    (void)state;
    static const swReal corner[8] = {-0.4, -0.3, 0.5, 0.15, 0.4, 0.35, -0.5, -0.1};
    const swShape shapes[] = {box(sw_v3(1, 0.7, 0.5), sw_v3(0, 0, 0)),
                              box(sw_v3(0.93, 0.71, 0.36), sw_v3(0, 0.1, 0)),
                              sphere(0.5, sw_v3(0.1, 0.2, 0.3)),
                              capsule(sw_v3(0, 0, 0), sw_v3(1, 0.3, 0.2), 0.13),
                              {.kind = SW_SHAPE_EXTRUDE,
                               .polygon = (swReal *)corner,
                               .npolygon = 4,
                               .zrange = {0, 0.33}}};
    for (int i = 0; i < SW_COUNT(shapes); i++) {
        Body body;
        paint_body(&body, 1, &shapes[i]);
        fill_body(&body, 0.1);
        Cells c = split_body(&body);
        const swTetFilling f = fill_cells(&body, &c);
        assert_conforming(&c.mesh);
        assert_int_equal(facts_of(&c.mesh).components, 1);
        const Moments own = blob_moments(&c.mesh, &f), other = voxel_moments(&body.grid);
        const swReal V = other.volume, off = 0.02 * body.grid.h; // rays see it to that
        assert_near(own.volume, V, 1e-9 * V);
        assert_true(sw_norm(sw_sub(own.first, other.first)) < off * V);
        assert_true(sw_norm(sw_sub(own.second, other.second)) < off * V);
        assert_true(sw_norm(sw_sub(own.mixed, other.mixed)) < off * V);
        swReal mass = 0, least = 1;
        for (int t = 0; t < c.mesh.ntet; t++) {
            mass += f.density[t] * sw_tets_volume(&c.mesh, t);
            least = sw_min(least, c.mesh.fill[t]);
        }
        assert_near(mass, 1000 * V, 1e-6 * V);
        assert_true(least >= 0.02); // others have taken over
        if (i == 0)                 // on the grid: all is full, and as it was
            assert_true(least == 1 && c.mesh.ntet == SW_TETS_PER_CELL * body.lattice.ncell);
    }
}

// A sheet much thinner than cells, and a thread between two blocks, hold together.
static void thin_parts_stay_together(void **state) {
    (void)state;
    const swShape sheet = box(sw_v3(1, 0.7, 0.004), sw_v3(0, 0, 0)),
                  dumbbell[3] = {box(sw_v3(0.4, 0.4, 0.4), sw_v3(-0.5, 0, 0)),
                                 box(sw_v3(0.4, 0.4, 0.4), sw_v3(0.5, 0, 0)),
                                 capsule(sw_v3(-0.5, 0.03, 0.01), sw_v3(0.5, -0.1, 0.1), 0.011)};
    for (int i = 0; i < 2; i++) {
        Body body;
        paint_body(&body, i ? 3 : 1, i ? dumbbell : &sheet);
        for (int k = 0; k < body.n; k++)
            body.paint[k].material = 0;
        fill_body(&body, 0.1);
        Cells c = split_body(&body);
        const swTetFilling f = fill_cells(&body, &c);
        assert_int_equal(facts_of(&c.mesh).components, 1);
        swReal mass = 0;
        for (int t = 0; t < c.mesh.ntet; t++) {
            mass += f.density[t] * sw_tets_volume(&c.mesh, t);
            assert_true(c.mesh.fill[t] > 0 && f.stiffness[t] > 0);
        }
        assert_near(mass, 1000 * body.grid.volume, 1 * body.grid.volume);
    }
}

// Each tetrahedron is of the material that is most of it; soft is not lost in stiff.
static void borders_of_materials_are_seen(void **state) {
    (void)state;
    const swShape shapes[2] = {box(sw_v3(1, 0.4, 0.4), sw_v3(0, 0, 0)),
                               box(sw_v3(0.5, 0.4, 0.4), sw_v3(0.23, 0, 0))};
    Body body;
    paint_body(&body, 2, shapes);
    fill_body(&body, 0.1);
    Cells c = split_body(&body);
    const swTetFilling f = fill_cells(&body, &c);
    swReal mass = 0;
    for (int t = 0; t < c.mesh.ntet; t++) {
        mass += f.density[t] * sw_tets_volume(&c.mesh, t);
        const swReal young = f.stiffness[t] * stuff[c.mesh.material[t]].young;
        assert_true(young > 1 - 1e-9 && young < 10 + 1e-9);
    }
    assert_near(mass, 0.16 * (0.5 * 1000 + 0.5 * 3000), 0.01 * 320);
}

// ---- no memory ----

static int calls_left;
static void *scarce_resize(void *context, void *old, size_t old_size, size_t new_size) {
    (void)context, (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return calls_left-- > 0 ? realloc(old, new_size) : NULL;
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    Body body;
    const swShape shape = sphere(0.5, sw_v3(0, 0, 0));
    paint_body(&body, 1, &shape);
    fill_body(&body, 0.3);
    const swTetPaint paint = {1, body.paint, stuff, &body.grid};
    const swReal at = 0.11;
    bool done = false;
    int k = 0;
    for (; !done; k++) {
        swError error = {0};
        swTetFilling f;
        swArena scarce;
        const swAllocator allocator = {scarce_resize, NULL};
        Cells c = split_body(&body);
        int *side = SW_NEW(&arena, 16 * (size_t)c.mesh.ntet, int, &error);
        assert_non_null(side);
        calls_left = k;
        sw_arena_init(&scarce, &allocator);
        done =
            sw_tets_divide(&c.mesh, slanted, &at, &c.origin, &scarce, &error) &&
            sw_tets_fill(&paint, body.lattice.cell, &c.origin, side, &c.mesh, &f, &scarce, &error);
        assert_true(done || error.code == SW_ERROR_MEMORY);
        sw_arena_free(&scarce);
    }
    assert_true(k > 4);
}

static const struct CMUnitTest tests[] = {
    TEST(divided_meshes_are_sound),
    TEST(planes_of_the_grid_divide_nothing),
    TEST(fillings_have_the_moments_of_solids),
    TEST(thin_parts_stay_together),
    TEST(borders_of_materials_are_seen),
    TEST(no_memory_is_an_error),
};

SW_SUITE(tetcells, tests)
