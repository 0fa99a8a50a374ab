// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// OFF as Geomview defines it, three-dimensional and in text form: each vertex and each face on a
// line. Normals, colours and texture coordinates are ignored.
#include "formats/mesh_read.h"

#include <string.h>

// Reads "OFF", "COFF", "NOFF", "STCNOFF" or no keyword at all, then the counts, on the same line or
// the next.
static bool read_header(swScan *s, int *nvertex, int *nface, swError *error) {
    sw_scan_white(s);
    const char *prefix = s->at;
    while (s->at < s->end && *s->at && strchr("STCN4n", *s->at))
        s->at++;
    size_t n = (size_t)(s->at - prefix);
    if (s->end - s->at >= 3 && memcmp(s->at, "OFF", 3) == 0) {
        if (memchr(prefix, '4', n) || memchr(prefix, 'n', n))
            return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, s->line, 0,
                              "OFF with other than three coordinates cannot be read");
        s->at += 3;
        sw_scan_white(s);
        if (s->end - s->at >= 6 && memcmp(s->at, "BINARY", 6) == 0)
            return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, s->line, 0,
                              "binary OFF cannot be read; save it as text");
    } else {
        s->at = prefix;
        if (s->at >= s->end || *s->at < '0' || *s->at > '9')
            return sw_scan_fail(s, error, "OFF");
    }
    int64_t nv, nf;
    if (!sw_scan_integer(s, &nv, error) || !sw_scan_integer(s, &nf, error))
        return false;
    // A vertex takes at least 6 bytes ("0 0 0\n"), a face 4.
    int64_t left = s->end - s->at;
    if (nv < 0 || nf < 0 || nv > left / 6 + 1 || nf > left / 4 + 1)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0,
                          "%lld vertices and %lld faces cannot fit in the %lld bytes that follow",
                          (long long)nv, (long long)nf, (long long)left);
    *nvertex = (int)nv;
    *nface = (int)nf;
    sw_scan_next_line(s); // the number of edges is not used
    return true;
}

static bool read_off(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error) {
    swScan s;
    swPolygons g = {.base = 0};
    int nface = 0;
    int64_t ncorner, v;
    if (!sw_scan_open(&s, file, error) || !read_header(&s, &g.nvertex, &nface, error))
        return false;
    for (int i = 0; i < g.nvertex; i++, sw_scan_next_line(&s)) {
        sw_scan_white(&s);
        swVec3 *x = SW_PUSH(&g.X, arena, error);
        if (!x || !sw_scan_vec3(&s, x, error))
            return false;
    }
    for (int f = 0; f < nface; f++, sw_scan_next_line(&s)) {
        sw_scan_white(&s);
        if (!sw_scan_integer(&s, &ncorner, error) || !sw_polygons_begin(&g, s.line, arena, error))
            return false;
        for (int64_t k = 0; k < ncorner; k++)
            if (!sw_scan_integer(&s, &v, error) || !sw_polygons_corner(&g, v, arena, error))
                return false;
    }
    return sw_polygons_finish(&g, arena, surface, error);
}

static bool write_off(const swSurface *s, int ngroup, const swMeshGroup *group, swFile *file) {
    (void)ngroup, (void)group;
    sw_file_print(file, "OFF\n%d %d 0\n", s->nvertex, s->ntriangle);
    for (int i = 0; i < s->nvertex; i++)
        sw_file_vec3(file, s->X[i]);
    for (int t = 0; t < s->ntriangle; t++)
        sw_file_print(file, "3 %d %d %d\n", s->triangle[3 * t], s->triangle[3 * t + 1],
                      s->triangle[3 * t + 2]);
    return true;
}

const swMeshFormat sw_mesh_off = {"OFF", ".off", read_off, write_off};
