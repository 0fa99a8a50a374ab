// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/mesh_read.h"

#include <string.h>
#include <strings.h>

// ---- text ----

void sw_suffix_add(char list[SW_SUFFIX_LIST], const char *suffix) {
    const size_t n = strlen(list);
    snprintf(list + n, SW_SUFFIX_LIST - n, " %s", suffix);
}

bool sw_suffix_refuse(const char *path, const char *cannot, const char *list, swError *error) {
    const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
    return sw_fail_at(error, SW_ERROR_UNSUPPORTED, path, 0, 0,
                      "cannot %s with the suffix '%.16s'; supported suffixes:%s", cannot,
                      dot ? dot : "", list);
}

bool sw_error_add_path(const char *path, swError *error) {
    if (error && path && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", path);
    return false;
}

bool sw_scan_open(swScan *s, const swMeshFile *file, swError *error) {
    const char *d = file->data;
    size_t n = file->size;
    bool mark = n >= 2 && (memcmp(d, "\xfe\xff", 2) == 0 || memcmp(d, "\xff\xfe", 2) == 0);
    // UTF-16 without a byte order mark shows in every other byte being zero.
    if (mark || (n >= 4 && !d[0] != !d[1] && !d[0] == !d[2] && !d[1] == !d[3]))
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, NULL, 1, 0,
                          "the text is UTF-16; save it as UTF-8 or ASCII");
    size_t skip = n >= 3 && memcmp(d, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *s = (swScan){d + skip, d + n, 1};
    return true;
}

static bool ends_word(const swScan *s, const char *p) {
    return p >= s->end || *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
}

bool sw_scan_fail(const swScan *s, swError *error, const char *expected) {
    char found[32];
    int n = 0;
    for (; !ends_word(s, s->at + n) && n < 28; n++)
        found[n] = s->at[n] >= ' ' && s->at[n] <= '~' ? s->at[n] : '?';
    found[n] = 0;
    if (n == 0)
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0,
                          "expected %s, found the end of the %s", expected,
                          s->at >= s->end ? "file" : "line");
    return sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0, "expected %s, found '%s'", expected,
                      found);
}

bool sw_scan_number(swScan *s, double *value, swError *error) {
    sw_scan_blanks(s);
    const char *p = sw_text_number(s->at, s->end, value);
    if (!p || !(ends_word(s, p) || *p == '#' || *p == '\\'))
        return sw_scan_fail(s, error, "a number");
    s->at = p;
    return true;
}

bool sw_scan_vec3(swScan *s, swVec3 *x, swError *error) {
    if (!sw_scan_number(s, &x->x, error) || !sw_scan_number(s, &x->y, error) ||
        !sw_scan_number(s, &x->z, error))
        return false;
    if (!sw_finite3(*x))
        return sw_fail_at(error, SW_ERROR_FORMAT, NULL, s->line, 0, "a coordinate is not finite");
    return true;
}

bool sw_scan_integer(swScan *s, int64_t *value, swError *error) {
    sw_scan_blanks(s);
    const char *p = s->at;
    bool negative = p < s->end && *p == '-';
    p += p < s->end && (*p == '-' || *p == '+');
    const char *digits = p;
    int64_t v = 0;
    for (; p < s->end && *p >= '0' && *p <= '9'; p++)
        v = v > INT64_MAX / 10 - 1 ? INT64_MAX : 10 * v + (*p - '0');
    if (p == digits || !(ends_word(s, p) || *p == '#' || *p == '\\' || *p == '/'))
        return sw_scan_fail(s, error, "a whole number");
    s->at = p;
    *value = negative ? -v : v;
    return true;
}

int sw_scan_word(swScan *s, const char **word) {
    sw_scan_blanks(s);
    *word = s->at;
    while (!ends_word(s, s->at))
        s->at++;
    return (int)(s->at - *word);
}

bool sw_scan_is(const char *word, int n, const char *name) {
    return (size_t)n == strlen(name) && strncasecmp(word, name, (size_t)n) == 0;
}

void sw_scan_next_line(swScan *s) {
    while (s->at < s->end && *s->at != '\n' && *s->at != '\r')
        s->at++;
    if (s->at >= s->end)
        return;
    s->at += s->at[0] == '\r' && s->at[1] == '\n' ? 2 : 1;
    s->line++;
}

void sw_scan_white(swScan *s) {
    for (sw_scan_blanks(s); s->at < s->end && sw_scan_line_ended(s); sw_scan_blanks(s))
        sw_scan_next_line(s);
}

// ---- bytes ----

float sw_load_float(const char *p, bool big) {
    uint32_t bits = (uint32_t)sw_load(p, 4, big);
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

double sw_load_double(const char *p, bool big) {
    uint64_t bits = sw_load(p, 8, big);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

void sw_store(char *p, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        p[i] = (char)(value >> (8 * i) & 0xff);
}

// ---- polygons ----

typedef struct swPoint2 {
    swReal x, y;
} swPoint2;

static swReal turn(swPoint2 a, swPoint2 b, swPoint2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool same(swPoint2 a, swPoint2 b) { return a.x == b.x && a.y == b.y; }

// Whether corner `at` of the n remaining corners is an ear, which can be cut off: it turns left,
// and no other corner lies in its triangle.
static bool is_ear(int n, const int *left, const swPoint2 *p, int at) {
    swPoint2 a = p[left[(at + n - 1) % n]], b = p[left[at]], c = p[left[(at + 1) % n]];
    if (!(turn(a, b, c) > 0))
        return false;
    for (int i = 0; i < n; i++) {
        swPoint2 q = p[left[i]];
        if (turn(a, b, q) >= 0 && turn(b, c, q) >= 0 && turn(c, a, q) >= 0 && !same(q, a) &&
            !same(q, b) && !same(q, c))
            return false;
    }
    return true;
}

static int *put(int *out, int a, int b, int c) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return out + 3;
}

// Writes n - 2 triangles to `out`: the fan about the first corner if it covers the polygon (convex
// polygons, and most with one reflex corner), else by ear clipping. If no ear is found, or the work
// grows out of proportion, the rest becomes a fan: for a flat polygon its signed area is still
// right.
static void triangulate(int n, const int *corner, const swVec3 *X, swPoint2 *p, int *left,
                        int *out) {
    swVec3 N = {0, 0, 0};
    for (int i = 1; i + 1 < n; i++)
        N = sw_add(N, sw_cross(sw_sub(X[corner[i]], X[corner[0]]),
                               sw_sub(X[corner[i + 1]], X[corner[0]])));
    int axis =
        fabs(N.x) > fabs(N.y) ? (fabs(N.x) > fabs(N.z) ? 0 : 2) : (fabs(N.y) > fabs(N.z) ? 1 : 2);
    swReal sign = sw_get(N, axis) < 0 ? -1 : 1;
    for (int i = 0; i < n; i++) {
        p[i] = (swPoint2){sign * sw_get(X[corner[i]], (axis + 1) % 3),
                          sw_get(X[corner[i]], (axis + 2) % 3)};
        left[i] = i;
    }
    bool fan = true;
    for (int i = 1; i + 1 < n && fan; i++)
        fan = !(turn(p[0], p[i], p[i + 1]) < 0);
    int64_t budget = n <= 2000 ? 1000 * (int64_t)n : 0;
    for (int at = 0, missed = 0; !fan && n > 3 && missed < n && budget > 0; budget -= n) {
        if (is_ear(n, left, p, at)) {
            out = put(out, corner[left[(at + n - 1) % n]], corner[left[at]],
                      corner[left[(at + 1) % n]]);
            memmove(left + at, left + at + 1, (size_t)(n - 1 - at) * sizeof *left);
            n--;
            missed = 0;
        } else {
            at++;
            missed++;
        }
        at %= n;
    }
    for (int i = 1; i + 1 < n; i++)
        out = put(out, corner[left[0]], corner[left[i]], corner[left[i + 1]]);
}

static bool refuse_corner(const swPolygons *g, int face, int64_t vertex, swError *error) {
    return sw_fail_at(error, SW_ERROR_FORMAT, NULL, g->face.item[face].line, 0,
                      "face %d refers to vertex %lld, but there are %d vertices, numbered from %d",
                      face + g->base, (long long)vertex, g->nvertex ? g->nvertex : g->X.count,
                      g->base);
}

bool sw_polygons_begin(swPolygons *g, int line, swArena *arena, swError *error) {
    swPolygon *face = SW_PUSH(&g->face, arena, error);
    if (face)
        *face = (swPolygon){g->corner.count, line};
    return face != NULL;
}

bool sw_polygons_corner(swPolygons *g, int64_t vertex, swArena *arena, swError *error) {
    if (vertex < g->base || vertex > INT32_MAX)
        return refuse_corner(g, g->face.count - 1, vertex, error);
    int *corner = SW_PUSH(&g->corner, arena, error);
    if (corner)
        *corner = (int)(vertex - g->base);
    return corner != NULL;
}

bool sw_polygons_finish(swPolygons *g, swArena *arena, swSurface *surface, swError *error) {
    int most = 3;
    int64_t ntriangle = 0;
    for (int f = 0; f < g->face.count; f++) {
        swPolygon face = g->face.item[f];
        int end = f + 1 < g->face.count ? g->face.item[f + 1].start : g->corner.count;
        if (end - face.start < 3)
            return sw_fail_at(error, SW_ERROR_FORMAT, NULL, face.line, 0,
                              "face %d has %d corners; at least 3 are needed", f + g->base,
                              end - face.start);
        for (int i = face.start; i < end; i++)
            if (g->corner.item[i] >= g->X.count)
                return refuse_corner(g, f, (int64_t)g->corner.item[i] + g->base, error);
        most = sw_max_int(most, end - face.start);
        ntriangle += end - face.start - 2;
    }
    if (ntriangle > INT32_MAX / 3)
        return sw_fail(error, SW_ERROR_LIMIT, "more than %d triangles", INT32_MAX / 3);
    swPoint2 *p = SW_NEW(arena, most, swPoint2, error);
    int *left = p ? SW_NEW(arena, most, int, error) : NULL;
    int *out = left ? SW_NEW(arena, 3 * ntriangle, int, error) : NULL;
    if (!out)
        return false;
    *surface = (swSurface){g->X.count, (int)ntriangle, g->X.item, out};
    for (int f = 0; f < g->face.count; f++) {
        int start = g->face.item[f].start;
        int end = f + 1 < g->face.count ? g->face.item[f + 1].start : g->corner.count;
        const int *c = &g->corner.item[start];
        if (end - start == 3)
            put(out, c[0], c[1], c[2]);
        else
            triangulate(end - start, c, g->X.item, p, left, out);
        out += 3 * (end - start - 2);
    }
    return true;
}

void sw_file_vec3(swFile *file, swVec3 x) {
    for (int k = 0; k < 3; k++) {
        sw_file_number(file, sw_get(x, k));
        sw_file_write(file, k < 2 ? " " : "\n", 1);
    }
}
