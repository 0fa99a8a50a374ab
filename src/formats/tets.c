// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/tets_read.h"

#include <stdlib.h>
#include <string.h>

static const swTetFormat *const formats[] = {&sw_tets_msh,  &sw_tets_node, &sw_tets_ele,
                                             &sw_tets_veg,  &sw_tets_vtk,  &sw_tets_vtu,
                                             &sw_tets_medit};

const swTetFormat *sw_tets_format_at(int index) {
    return index >= 0 && index < SW_COUNT(formats) ? formats[index] : NULL;
}

const swTetFormat *sw_tets_format(const char *path) {
    for (int i = 0; i < SW_COUNT(formats); i++)
        if (sw_text_has_suffix(path, formats[i]->suffix))
            return formats[i];
    return NULL;
}

static bool refuse_suffix(const char *path, bool writing, swError *error) {
    char list[SW_SUFFIX_LIST] = "";
    for (int i = 0; i < SW_COUNT(formats); i++)
        sw_suffix_add(list, formats[i]->suffix);
    return sw_suffix_refuse(
        path, writing ? "write a mesh of tetrahedra" : "read a mesh of tetrahedra", list, error);
}

// ---- reading ----

static void warn_of(const swTetParts *parts) {
    const swTetReport *r = &parts->report;
    if (r->flipped > 0)
        sw_tet_parts_warn(
            parts, "%d tetrahedr%s the wrong orientation (the first is number %d, from 0): flipped",
            r->flipped, r->flipped == 1 ? "on has" : "a have", r->first_flipped);
    if (r->flat > 0)
        sw_tet_parts_warn(parts,
                          "%d tetrahedr%s no volume (the first is number %d, from 0): dropped",
                          r->flat, r->flat == 1 ? "on has" : "a have", r->first_flat);
    if (r->repeated > 0)
        sw_tet_parts_warn(parts, "%d tetrahedr%s (the first is number %d, from 0): dropped",
                          r->repeated, r->repeated == 1 ? "on is a duplicate" : "a are duplicates",
                          r->first_repeated);
}

bool sw_tets_parse(const swMeshFile *file, const swTetFormat *format, const swConfig *config,
                   swArena *arena, swTetMesh *mesh, swTetReport *report, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swTetParts parts = {.arena = &scratch, .config = config, .path = file->path};
    bool ok =
        file->size <= INT32_MAX ||
        sw_fail(error, SW_ERROR_LIMIT, "the file has %zu bytes; mesh files can have at most %d",
                file->size, INT32_MAX);
    ok = ok && format->read(file, &parts, error) && sw_tet_notes_read(file, &parts, error) &&
         sw_tet_parts_finish(&parts, arena, mesh, error);
    if (ok)
        warn_of(&parts);
    else
        memset(mesh, 0, sizeof *mesh);
    if (report)
        *report = parts.report;
    sw_arena_free(&scratch);
    return ok || sw_error_add_path(file->path, error);
}

bool sw_tets_read(const char *path, const swConfig *config, swArena *arena, swTetMesh *mesh,
                  swTetReport *report, swError *error) {
    const swTetFormat *format = sw_tets_format(path);
    memset(mesh, 0, sizeof *mesh);
    if (!format)
        return refuse_suffix(path, false, error);
    swArena scratch; // for the file, which is large
    sw_arena_init(&scratch, &arena->allocator);
    swMeshFile file = {.path = path};
    char *data;
    bool ok = sw_file_read(path, &scratch, &data, &file.size, error);
    if (ok) {
        file.data = data;
        ok = sw_tets_parse(&file, format, config, arena, mesh, report, error);
    }
    sw_arena_free(&scratch);
    return ok;
}

// ---- writing ----

static bool check_mesh(const swTetMesh *m, swError *error) {
    const size_t count = (size_t)m->ntet * (size_t)sw_tet_vertices(m->order);
    if (m->ntet == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY, "the mesh has no tetrahedra");
    for (int i = 0; i < m->nvertex; i++)
        if (!sw_finite3(m->X[i]))
            return sw_fail(error, SW_ERROR_VALUE, "vertex %d is not finite: %g %g %g", i, m->X[i].x,
                           m->X[i].y, m->X[i].z);
    for (size_t i = 0; i < count; i++)
        if (m->vertex[i] < 0 || m->vertex[i] >= m->nvertex)
            return sw_fail(error, SW_ERROR_VALUE,
                           "a tetrahedron refers to vertex %d, but there are %d vertices",
                           m->vertex[i], m->nvertex);
    return true;
}

// If all material names are positive numbers in ascending order, they are the tags. Otherwise tags
// count from 1.
static int *choose_tags(const swTetMesh *m, bool *notes, swArena *arena, swError *error) {
    int *tag = SW_NEW(arena, sw_max_int(m->nmaterial, 1), int, error);
    bool numbers = true, known = false;
    for (int i = 0; tag && i < m->nmaterial; i++) {
        const swTetMaterial *material = &m->materials[i];
        char text[16];
        tag[i] = atoi(material->name);
        snprintf(text, sizeof text, "%d", tag[i]);
        numbers = numbers && strcmp(text, material->name) == 0 && tag[i] > (i > 0 ? tag[i - 1] : 0);
        known = known || isfinite(material->density) || isfinite(material->young) ||
                isfinite(material->poisson);
    }
    for (int i = 0; tag && !numbers && i < m->nmaterial; i++)
        tag[i] = i + 1;
    *notes = !numbers || known;
    return tag;
}

bool sw_tets_write(const char *path, const swTetMesh *mesh, const swTetStyle *style,
                   const swConfig *config, swError *error) {
    const swTetFormat *format = sw_tets_format(path);
    const swConfig plain = sw_default_config();
    if (!format)
        return refuse_suffix(path, true, error);
    if (!check_mesh(mesh, error))
        return sw_error_add_path(path, error);
    if (mesh->fill && !format->holds_fill)
        sw_warn(config, "%s: %s cannot store how far tetrahedra are filled", path, format->name);
    swArena scratch;
    sw_arena_init(&scratch, config ? &config->allocator : &plain.allocator);
    swFile file;
    swTetOut out = {.mesh = mesh, .style = style ? *style : (swTetStyle){false}, .file = &file};
    out.tag = choose_tags(mesh, &out.notes, &scratch, error);
    bool ok = out.tag && sw_file_open(&file, path, error);
    if (ok) {
        ok = format->write(&out, error);
        if (ok)
            ok = sw_file_close(&file, error);
        else
            sw_file_abandon(&file);
    }
    sw_arena_free(&scratch);
    return ok || sw_error_add_path(path, error);
}
