// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Wavefront OBJ: positions and faces. Texture coordinates, normals, colours, groups and materials
// are ignored.
#include "formats/mesh_read.h"

// Reads v, v/t, v//n or v/t/n. A negative index counts back from the last vertex so far.
static bool read_corner(swScan *s, swPolygons *g, swArena *arena, swError *error) {
    int64_t v, ignored;
    if (!sw_scan_integer(s, &v, error))
        return false;
    for (int slash = 0; slash < 2 && s->at < s->end && *s->at == '/'; slash++) {
        s->at++;
        bool number = s->at < s->end && (*s->at == '-' || (*s->at >= '0' && *s->at <= '9'));
        if (number && !sw_scan_integer(s, &ignored, error))
            return false;
    }
    if (!sw_scan_line_ended(s) && *s->at != ' ' && *s->at != '\t' && *s->at != '\\')
        return sw_scan_fail(s, error, "a corner like 1, 1/2, 1//3 or 1/2/3");
    if (v < 0 && g->X.count + v >= 0)
        v += g->X.count + 1;
    return sw_polygons_corner(g, v, arena, error);
}

static bool read_face(swScan *s, swPolygons *g, swArena *arena, swError *error) {
    if (!sw_polygons_begin(g, s->line, arena, error))
        return false;
    for (sw_scan_blanks(s); !sw_scan_line_ended(s); sw_scan_blanks(s))
        if (!read_corner(s, g, arena, error))
            return false;
    return true;
}

static bool read_obj(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error) {
    swScan s;
    swPolygons g = {.base = 1};
    if (!sw_scan_open(&s, file, error))
        return false;
    for (; s.at < s.end; sw_scan_next_line(&s)) {
        const char *word;
        int n = sw_scan_word(&s, &word);
        if (n == 1 && *word == 'v') {
            swVec3 *x = SW_PUSH(&g.X, arena, error);
            if (!x || !sw_scan_vec3(&s, x, error))
                return false;
        } else if (n == 1 && *word == 'f' && !read_face(&s, &g, arena, error))
            return false;
    }
    return sw_polygons_finish(&g, arena, surface, error);
}

// Blanks, which a name must not contain, become underscores.
static void write_group(const char *name, swFile *file) {
    sw_file_write(file, "g ", 2);
    for (; *name; name++)
        sw_file_write(file, (unsigned char)*name > ' ' ? name : "_", 1);
    sw_file_write(file, "\n", 1);
}

static bool write_obj(const swSurface *s, int ngroup, const swMeshGroup *group, swFile *file) {
    for (int i = 0; i < s->nvertex; i++) {
        sw_file_write(file, "v ", 2);
        sw_file_vec3(file, s->X[i]);
    }
    for (int t = 0, g = 0; t < s->ntriangle; t++) {
        for (; g < ngroup && group[g].triangle == t; g++)
            write_group(group[g].name, file);
        sw_file_print(file, "f %d %d %d\n", s->triangle[3 * t] + 1, s->triangle[3 * t + 1] + 1,
                      s->triangle[3 * t + 2] + 1);
    }
    return true;
}

const swMeshFormat sw_mesh_obj = {"OBJ", ".obj", read_obj, write_obj};
