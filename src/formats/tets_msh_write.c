// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writing Gmsh's format: 4.1 or 2.2, text or binary. Every material is a volume with a physical
// group of the same number.
#include "formats/tets_read.h"

// ---- values: text with a separator behind it, or bytes ----

static void put(const swTetOut *out, int64_t value, int bytes, char behind) {
    if (out->style.text)
        sw_file_print(out->file, "%lld%c", (long long)value, behind);
    else
        sw_file_int(out->file, value, bytes, false);
}

static void put_vec3(const swTetOut *out, swVec3 x) {
    if (out->style.text)
        sw_file_vec3(out->file, x);
    else
        for (int k = 0; k < 3; k++)
            sw_file_real(out->file, sw_get(x, k), false);
}

// Writes the vertices of a tetrahedron, numbered from 1. Gmsh has edge 23 before edge 13.
static void put_nodes(const swTetOut *out, int tet, int bytes) {
    static const int order[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
    const int n = sw_tet_vertices(out->mesh->order), *v = sw_tets_at(out->mesh, tet);
    for (int k = 0; k < n; k++)
        put(out, (int64_t)v[order[k]] + 1, bytes, k < n - 1 ? ' ' : '\n');
}

// ---- sections ----

static void begin(const swTetOut *out, const char *name) {
    sw_file_print(out->file, "$%s\n", name);
}
static void end(const swTetOut *out, const char *name) {
    sw_file_print(out->file, "%s$End%s\n", out->style.text ? "" : "\n", name);
}

static void write_head(const swTetOut *out) {
    const swTetMesh *m = out->mesh;
    begin(out, "MeshFormat");
    sw_file_print(out->file, "%s %d 8\n", out->style.old ? "2.2" : "4.1", !out->style.text);
    if (!out->style.text)
        sw_file_int(out->file, 1, 4, false);
    end(out, "MeshFormat");
    if (!out->notes)
        return;
    begin(out, "Comments");
    sw_tet_notes_write(out, out->file, "", "\n");
    sw_file_print(out->file, "$EndComments\n$PhysicalNames\n%d\n", m->nmaterial);
    for (int i = 0; i < m->nmaterial; i++) {
        sw_file_print(out->file, "3 %d \"", out->tag[i]);
        for (const char *p = m->materials[i].name; *p; p++)
            sw_file_print(out->file, "%c", *p == '"' || (*p >= 0 && *p < ' ') ? '_' : *p);
        sw_file_print(out->file, "\"\n");
    }
    sw_file_print(out->file, "$EndPhysicalNames\n");
}

static void write_old(const swTetOut *out) {
    const swTetMesh *m = out->mesh;
    const int type = m->order == 1 ? 4 : 11;
    begin(out, "Nodes");
    sw_file_print(out->file, "%d\n", m->nvertex);
    for (int i = 0; i < m->nvertex; i++) {
        put(out, (int64_t)i + 1, 4, ' ');
        put_vec3(out, m->X[i]);
    }
    end(out, "Nodes");
    begin(out, "Elements");
    sw_file_print(out->file, "%d\n", m->ntet);
    if (!out->style.text) {
        put(out, type, 4, ' ');
        put(out, m->ntet, 4, ' ');
        put(out, 2, 4, '\n');
    }
    for (int t = 0; t < m->ntet; t++) {
        const int tag = sw_tet_tag(out, t);
        put(out, (int64_t)t + 1, 4, ' ');
        if (out->style.text)
            sw_file_print(out->file, "%d 2 ", type);
        put(out, tag, 4, ' ');
        put(out, tag ? tag : 1, 4, ' ');
        put_nodes(out, t, 4);
    }
    end(out, "Elements");
}

// Writes a volume for each material, or without materials one volume that has no physical group.
static void write_entities(const swTetOut *out) {
    const swTetMesh *m = out->mesh;
    swVec3 box[2] = {m->X[0], m->X[0]};
    for (int i = 0; i < m->nvertex; i++) {
        box[0] = sw_min3(box[0], m->X[i]);
        box[1] = sw_max3(box[1], m->X[i]);
    }
    begin(out, "Entities");
    for (int d = 0; d < 3; d++)
        put(out, 0, 8, ' ');
    put(out, sw_max_int(m->nmaterial, 1), 8, '\n');
    for (int i = 0; i < sw_max_int(m->nmaterial, 1); i++) {
        put(out, m->nmaterial ? out->tag[i] : 1, 4, ' ');
        put_vec3(out, box[0]);
        put_vec3(out, box[1]);
        put(out, m->nmaterial > 0, 8, ' ');
        if (m->nmaterial)
            put(out, out->tag[i], 4, ' ');
        put(out, 0, 8, '\n');
    }
    end(out, "Entities");
}

// Tetrahedra keep their order, so a block is a run of one material.
static int run_end(const swTetOut *out, int t) {
    const int tag = sw_tet_tag(out, t);
    while (t < out->mesh->ntet && sw_tet_tag(out, t) == tag)
        t++;
    return t;
}

static void write_new(const swTetOut *out) {
    const swTetMesh *m = out->mesh;
    int nblock = 0;
    for (int t = 0; t < m->ntet; t = run_end(out, t))
        nblock++;
    write_entities(out);
    begin(out, "Nodes");
    const int64_t nodes[] = {1, m->nvertex, 1, m->nvertex};
    for (int k = 0; k < 4; k++)
        put(out, nodes[k], 8, k < 3 ? ' ' : '\n');
    const int first = sw_tet_tag(out, 0);
    put(out, 3, 4, ' ');
    put(out, first ? first : 1, 4, ' ');
    put(out, 0, 4, ' ');
    put(out, m->nvertex, 8, '\n');
    for (int i = 0; i < m->nvertex; i++)
        put(out, (int64_t)i + 1, 8, '\n');
    for (int i = 0; i < m->nvertex; i++)
        put_vec3(out, m->X[i]);
    end(out, "Nodes");
    begin(out, "Elements");
    const int64_t elements[] = {nblock, m->ntet, 1, m->ntet};
    for (int k = 0; k < 4; k++)
        put(out, elements[k], 8, k < 3 ? ' ' : '\n');
    for (int t = 0; t < m->ntet;) {
        const int tag = sw_tet_tag(out, t), stop = run_end(out, t);
        put(out, 3, 4, ' ');
        put(out, tag ? tag : 1, 4, ' ');
        put(out, m->order == 1 ? 4 : 11, 4, ' ');
        put(out, stop - t, 8, '\n');
        for (; t < stop; t++) {
            put(out, (int64_t)t + 1, 8, ' ');
            put_nodes(out, t, 8);
        }
    }
    end(out, "Elements");
}

bool sw_tets_write_msh(const swTetOut *out, swError *error) {
    (void)error; // the format can represent any mesh
    write_head(out);
    if (out->style.old)
        write_old(out);
    else
        write_new(out);
    return true;
}
