// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew info and sinew mesh: describe a mesh of tetrahedra.
#include "inspect/info.h"

enum { SHOWN = 20 }; // materials that are listed

bool info_tets_measure(TetsFacts *f, swArena *arena, swError *error) {
    const swTetMesh *m = &f->mesh;
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    f->count = SW_NEW(arena, sw_max_int(m->nmaterial, 1), int, error);
    bool ok = f->count && sw_tets_facts(m, &f->facts, &scratch, error);
    for (int t = 0; ok && m->nmaterial && t < m->ntet; t++)
        f->count[m->material ? m->material[t] : 0]++;
    sw_arena_free(&scratch);
    return ok;
}

bool info_tets_read(TetsFacts *f, const char *path, const swConfig *config, swArena *arena,
                    swError *error) {
    return sw_tets_read(path, config, arena, &f->mesh, &f->report, error) &&
           info_tets_measure(f, arena, error);
}

static void print_number(const char *name, swReal value, const char *unit) {
    if (isfinite(value))
        printf(", %s %g%s", name, value, unit);
}

static void print_materials(const TetsFacts *f) {
    const swTetMesh *m = &f->mesh;
    for (int i = 0; i < m->nmaterial && i < SHOWN; i++) {
        const swTetMaterial *a = &m->materials[i];
        printf("  material   %s: %d tetrahedra", a->name, f->count[i]);
        print_number("density", a->density, " kg/m^3");
        print_number("young", a->young, " Pa");
        print_number("poisson", a->poisson, "");
        printf("\n");
    }
    if (m->nmaterial > SHOWN)
        printf("  ...        and %d more\n", m->nmaterial - SHOWN);
}

void info_tets_print(const TetsFacts *f, const char *title) {
    const swTetMesh *m = &f->mesh;
    const swTetFacts *a = &f->facts;
    const swTetReport *r = &f->report;
    printf("%s: a mesh of tetrahedra%s%s%s\n", title, r->format[0] ? " (" : "", r->format,
           r->format[0] ? ")" : "");
    printf("  tetrahedra %d of order %d, %d vertices, %d part%s\n", m->ntet, m->order, m->nvertex,
           a->components, a->components == 1 ? "" : "s");
    printf("  size       %.4g x %.4g x %.4g, from (%.4g, %.4g, %.4g)\n", a->hi.x - a->lo.x,
           a->hi.y - a->lo.y, a->hi.z - a->lo.z, a->lo.x, a->lo.y, a->lo.z);
    printf("  volume     %.6g", a->volume);
    if (m->fill)
        printf(", of which %.6g is filled", a->filled);
    printf("\n  edges      %.4g to %.4g, %d outer faces\n", a->edge[0], a->edge[1], a->outer_faces);
    printf("  quality    %.3g at least, %.3g on average (1 is regular)\n", a->quality,
           a->mean_quality);
    printf("  angles     %.2f to %.2f degrees between faces\n", a->angle[0], a->angle[1]);
    if (a->crowded_faces)
        printf("  defects    %d faces shared by more than two tetrahedra\n", a->crowded_faces);
    print_materials(f);
    if (r->skipped)
        printf("  left out   %lld points, lines, triangles and quadrilaterals\n",
               (long long)r->skipped);
    if (r->unused)
        printf("  dropped    %d vertices that belong to no tetrahedron\n", r->unused);
    if (r->flat || r->repeated)
        printf("  dropped    %d tetrahedra without volume, %d duplicates\n", r->flat, r->repeated);
    if (r->flipped)
        printf("  flipped    %d tetrahedra with the wrong orientation\n", r->flipped);
    fflush(stdout);
}

void info_tets_put(const TetsFacts *f, swJsonWriter *w) {
    const swTetMesh *m = &f->mesh;
    const swTetFacts *a = &f->facts;
    const swTetReport *r = &f->report;
    sw_json_begin(w, "tets", '{');
    if (r->format[0])
        sw_json_put_text(w, "format", r->format);
    sw_json_put_int(w, "tetrahedra", m->ntet);
    sw_json_put_int(w, "order", m->order);
    sw_json_put_int(w, "vertices", m->nvertex);
    sw_json_put_int(w, "components", a->components);
    sw_json_put_vector(w, "lo", a->lo);
    sw_json_put_vector(w, "hi", a->hi);
    sw_json_put_number(w, "volume", a->volume);
    sw_json_put_number(w, "filled", a->filled);
    sw_json_put_numbers(w, "edges", 2, a->edge);
    sw_json_put_int(w, "outer_faces", a->outer_faces);
    sw_json_put_int(w, "crowded_faces", a->crowded_faces);
    sw_json_put_number(w, "least_quality", a->quality);
    sw_json_put_number(w, "mean_quality", a->mean_quality);
    sw_json_put_numbers(w, "angles", 2, a->angle);
    sw_json_begin(w, "materials", '[');
    for (int i = 0; i < m->nmaterial; i++) {
        const swTetMaterial *b = &m->materials[i];
        sw_json_begin_line(w, NULL, '{');
        sw_json_put_text(w, "name", b->name);
        sw_json_put_int(w, "tetrahedra", f->count[i]);
        sw_json_put_number(w, "density", b->density);
        sw_json_put_number(w, "young", b->young);
        sw_json_put_number(w, "poisson", b->poisson);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_begin_line(w, "file", '{');
    sw_json_put_int(w, "other_elements", r->skipped);
    sw_json_put_int(w, "unused_vertices", r->unused);
    sw_json_put_int(w, "flipped", r->flipped);
    sw_json_put_int(w, "flat", r->flat);
    sw_json_put_int(w, "repeated", r->repeated);
    sw_json_end(w);
    sw_json_end(w);
}
