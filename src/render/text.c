// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A small stroke font, drawn at any size with smooth edges.
#include "render/render.h"

// Each glyph is a list of strokes: L is a polyline, C an open and O a closed quadratic B-spline,
// followed by points of two digits, x and y. The baseline is at y = 2; lower-case letters reach 7,
// capitals 9.
static const char *const glyphs[] = {
    "",                                  // space
    "L0904 L0202",                       // !
    "L0907 L2927",                       // "
    "L1229 L3249 L0454 L0757",           // #
    "C4748080645430304 L2921",           // $
    "O07092927 O42446462 L0269",         // %
    "C521619393704024255",               // &
    "L0907",                             // '
    "C29070321",                         // (
    "C09272301",                         // )
    "L2529 L0648 L0846",                 // *
    "L0545 L2327",                       // +
    "L1201",                             // ,
    "L0535",                             // -
    "L0202",                             // .
    "L0149",                             // /
    "O02094942",                         // 0
    "L072922",                           // 1
    "C0709494602 L0242",                 // 2
    "C0809494616 C1646420203",           // 3
    "L32390444",                         // 4
    "L490906 C060747420203",             // 5
    "O02064642 C48490904",               // 6
    "L094912",                           // 7
    "O06094946 O02064642",               // 8
    "O05094945 C03024247",               // 9
    "L0202 L0606",                       // :
    "L1201 L1616",                       // ;
    "L480542",                           // <
    "L0444 L0646",                       // =
    "L084502",                           // >
    "C0709494624 L2222",                 // ?
    "O24274744 C4744646769090161",       // @
    "L023962 L1454",                     // A
    "L0209 C092949462606 C063656523202", // B
    "C575909025254",                     // C
    "L0209 C091959521202",               // D
    "L49090242 L0636",                   // E
    "L490902 L0636",                     // F
    "C585909025255 L5535",               // G
    "L0209 L5259 L0656",                 // H
    "L0209",                             // I
    "C3934320204",                       // J
    "L0209 L5904 L2652",                 // K
    "L090242",                           // L
    "L0209346962",                       // M
    "L02095259",                         // N
    "O02096962",                         // O
    "L0209 C092959552505",               // P
    "O02096962 L4462",                   // Q
    "L0209 C092959552505 L2552",         // R
    "C5859090655520203",                 // S
    "L0969 L3932",                       // T
    "C090402525459",                     // U
    "L093269",                           // V
    "L0922486289",                       // W
    "L0259 L0952",                       // X
    "L093569 L3532",                     // Y
    "L09590252",                         // Z
    "L29090121",                         // [
    "L0941",                             // backslash
    "L09292101",                         // ]
    "L072947",                           // ^
    "L0151",                             // _
    "L0918",                             // `
    "O02074742 L4742",                   // a
    "L0209 O02074742",                   // b
    "C464707024243",                     // c
    "O02074742 L4942",                   // d
    "L0545 C454707024243",               // e
    "C39191712 L0737",                   // f
    "O02074742 C4742400001",             // g
    "L0209 C0507474442",                 // h
    "L0207 L0909",                       // i
    "C17121000 L1919",                   // j
    "L0209 L4703 L2542",                 // k
    "L0209",                             // l
    "L0207 C0507373432 C3537676462",     // m
    "L0207 C0507474442",                 // n
    "O02074742",                         // o
    "L0007 O02074742",                   // p
    "O02074742 L4740",                   // q
    "L0207 C050737",                     // r
    "C3637070534320203",                 // s
    "C19141232 L0737",                   // t
    "C0705024244 L4742",                 // u
    "L072247",                           // v
    "L0712365267",                       // w
    "L0247 L0742",                       // x
    "L0722 L4710",                       // y
    "L07470242",                         // z
    "L29181605141221",                   // {
    "L0009",                             // |
    "L09181625141201",                   // }
    "C04074346",                         // ~
};
#define SPACING 2.3
static const char *const unknown = "L0209494202";

enum { CAPITAL = 7, BASE = 2, SEGMENTS = 256, PIECES = 6 };

typedef struct Outline {
    int n;
    float s[SEGMENTS][4]; // segments from (x, y) to (x, y)
} Outline;

static void add_segment(Outline *o, double x0, double y0, double x1, double y1) {
    if (o->n < SEGMENTS) {
        float *s = o->s[o->n++];
        s[0] = (float)x0, s[1] = (float)y0, s[2] = (float)x1, s[3] = (float)y1;
    }
}

// Adds the quadratic Bezier curve from a to c with control point b.
static void add_curve(Outline *o, const double a[2], const double b[2], const double c[2]) {
    double x = a[0], y = a[1];
    for (int i = 1; i <= PIECES; i++) {
        double t = (double)i / PIECES, s = 1 - t;
        double u = s * s * a[0] + 2 * s * t * b[0] + t * t * c[0];
        double v = s * s * a[1] + 2 * s * t * b[1] + t * t * c[1];
        add_segment(o, x, y, u, v);
        x = u, y = v;
    }
}

static void add_stroke(Outline *o, char kind, int n, double (*p)[2]) {
    if (kind == 'L') {
        for (int i = 0; i + 1 < n; i++)
            add_segment(o, p[i][0], p[i][1], p[i + 1][0], p[i + 1][1]);
        return;
    }
    // The pieces of a B-spline meet midway between control points, except at the ends of an open
    // one.
    bool open = kind == 'C';
    for (int i = open ? 1 : 0; i < (open ? n - 1 : n); i++) {
        const double *last = p[(i + n - 1) % n], *now = p[i], *next = p[(i + 1) % n];
        double a[2], c[2];
        for (int k = 0; k < 2; k++) {
            a[k] = open && i == 1 ? last[k] : (last[k] + now[k]) / 2;
            c[k] = open && i == n - 2 ? next[k] : (now[k] + next[k]) / 2;
        }
        add_curve(o, a, now, c);
    }
}

// Converts a glyph to segments. Returns its width.
static int outline(const char *glyph, Outline *o) {
    int width = 0;
    o->n = 0;
    while (*glyph) {
        char kind = *glyph++;
        double p[16][2];
        int n = 0;
        for (; *glyph && *glyph != ' ' && n < SW_COUNT(p); glyph += 2, n++) {
            p[n][0] = glyph[0] - '0';
            p[n][1] = glyph[1] - '0' - BASE;
            width = sw_max_int(width, glyph[0] - '0');
        }
        add_stroke(o, kind, n, p);
        glyph += *glyph == ' ';
    }
    return width;
}

static double distance2(const float s[4], double x, double y) {
    double dx = s[2] - s[0], dy = s[3] - s[1], px = x - s[0], py = y - s[1];
    double d = dx * dx + dy * dy, t = d > 0 ? sw_clamp((px * dx + py * dy) / d, 0, 1) : 0;
    return (px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy);
}

// Paints pixels by their distance to the strokes, which are in units of the glyph's grid.
static void paint(swPicture *image, const Outline *o, int width, double x, double y, double unit,
                  swColor color) {
    double half = sw_max(0.085 * CAPITAL * unit, 0.55); // half the width of the pen, in pixels
    int x0 = sw_max_int(0, (int)floor(x - half - 1));
    int x1 = sw_min_int(image->width, (int)ceil(x + width * unit + half + 1));
    int y0 = sw_max_int(0, (int)floor(y - CAPITAL * unit - half - 1));
    int y1 = sw_min_int(image->height, (int)ceil(y + BASE * unit + half + 1));
    unsigned char ink[3];
    sw_color_bytes(color, ink);
    for (int j = y0; j < y1; j++)
        for (int i = x0; i < x1; i++) {
            double best = 1e30;
            for (int k = 0; k < o->n; k++)
                best = sw_min(best, distance2(o->s[k], (i + 0.5 - x) / unit, (y - j - 0.5) / unit));
            double cover = sw_clamp(half + 0.5 - sqrt(best) * unit, 0, 1);
            unsigned char *c = image->rgb + 3 * ((size_t)j * (size_t)image->width + (size_t)i);
            for (int k = 0; k < 3 && cover > 0; k++)
                c[k] = (unsigned char)(c[k] + cover * (ink[k] - c[k]) + 0.5);
        }
}

swReal sw_picture_text(swPicture *image, swReal x, swReal y, swReal size, swColor color,
                       const char *text) {
    if (!(size > 0 && size <= SW_IMAGE_SIDE && fabs(x) <= 1e6 && fabs(y) <= 1e6))
        return 0;
    double unit = size / CAPITAL, start = x;
    for (const char *p = text; *p && x < start + 1e6; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= 0x80 && c < 0xc0)
            continue; // the rest of a UTF-8 character
        Outline o;
        int width = outline(c >= 32 && c < 127 ? glyphs[c - 32] : unknown, &o);
        if (image)
            paint(image, &o, width, x, y, unit, color);
        x += (width + (c == ' ' ? 2.8 : SPACING)) * unit;
    }
    return *text ? sw_max(x - start - SPACING * unit, 0) : 0;
}
