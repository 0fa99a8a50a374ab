// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Small rigs written by the tests themselves.
#pragma once

#include "test_scene.h"

#include "formats/rig_read.h"

// ---- a bar with two bones, as glTF ----
//
// The bar goes from x = 0 to 4, y from 0.5 to 1.5. Above its bones stands a node with a scale of 2;
// the mesh's own node is far away, which must not matter. "Root" is at (0, 1, 0), "Arm" at (2, 1,
// 0): vertices there follow both.
typedef struct Gltf {
    unsigned char data[8192];
    size_t size;
    char accessors[4096], views[4096];
    int count;
} Gltf;

static inline int gltf_add(Gltf *g, const void *data, size_t size, int component, const char *type,
                           int count) {
    while (g->size % 4)
        g->size++;
    const size_t a = strlen(g->accessors), v = strlen(g->views);
    snprintf(g->views + v, sizeof g->views - v, "%s{'buffer':0,'byteOffset':%zu,'byteLength':%zu}",
             g->count ? "," : "", g->size, size);
    snprintf(g->accessors + a, sizeof g->accessors - a,
             "%s{'bufferView':%d,'componentType':%d,'count':%d,'type':'%s'}", g->count ? "," : "",
             g->count, component, count, type);
    memcpy(g->data + g->size, data, size);
    g->size += size;
    return g->count++;
}
static inline int gltf_floats(Gltf *g, const float *v, int width, int count) {
    static const char *const type[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    return gltf_add(g, v, (size_t)(width * count) * sizeof *v, 5126,
                    width == 16 ? "MAT4" : type[width], count);
}

static inline void bar_mesh(Gltf *g, char *attributes, size_t size) {
    enum { SECTIONS = 5 };
    float x[4 * SECTIONS][3], w[4 * SECTIONS][4] = {{0}};
    unsigned char joint[4 * SECTIONS][4] = {{0}};
    unsigned short triangle[8 * (SECTIONS - 1) + 4][3];
    int n = 0;
    for (int i = 0; i < SECTIONS; i++)
        for (int k = 0; k < 4; k++) {
            float *p = x[4 * i + k];
            p[0] = (float)i;
            p[1] = k == 0 || k == 3 ? 0.5f : 1.5f;
            p[2] = k < 2 ? -0.5f : 0.5f;
            const float arm = i < 2 ? 0 : i == 2 ? 0.5f : 1;
            joint[4 * i + k][1] = 1;
            w[4 * i + k][0] = 1 - arm;
            w[4 * i + k][1] = arm;
        }
    for (int i = 0; i + 1 < SECTIONS; i++)
        for (int k = 0; k < 4; k++) {
            const int a = 4 * i + k, b = 4 * i + (k + 1) % 4, c = a + 4, d = b + 4;
            const int corner[2][3] = {{a, b, c}, {b, d, c}};
            for (int t = 0; t < 2; t++, n++)
                for (int e = 0; e < 3; e++)
                    triangle[n][e] = (unsigned short)corner[t][e];
        }
    const int cap[4][3] = {{0, 2, 1}, {0, 3, 2}, {16, 17, 18}, {16, 18, 19}};
    for (int t = 0; t < 4; t++, n++)
        for (int e = 0; e < 3; e++)
            triangle[n][e] = (unsigned short)cap[t][e];
    const int position = gltf_floats(g, x[0], 3, 4 * SECTIONS);
    const int joints = gltf_add(g, joint, sizeof joint, 5121, "VEC4", 4 * SECTIONS);
    const int weights = gltf_floats(g, w[0], 4, 4 * SECTIONS);
    const int index = gltf_add(g, triangle, sizeof(short[3]) * (size_t)n, 5123, "SCALAR", 3 * n);
    snprintf(attributes, size,
             "{'attributes':{'POSITION':%d,'JOINTS_0':%d,'WEIGHTS_0':%d},'indices':%d}", position,
             joints, weights, index);
}

// Writes a .glb to `path`. `more` changes nothing, or puts something wrong into its JSON text.
static inline void write_bar(const char *path, const char *find, const char *put) {
    static Gltf g;
    char mesh[200], json[12288], *text;
    g = (Gltf){0};
    bar_mesh(&g, mesh, sizeof mesh);
    const float inverse[2][16] = {{.5f, 0, 0, 0, 0, .5f, 0, 0, 0, 0, .5f, 0, 0, -.5f, 0, 1},
                                  {.5f, 0, 0, 0, 0, .5f, 0, 0, 0, 0, .5f, 0, -1, -.5f, 0, 1}};
    const int bind = gltf_floats(&g, inverse[0], 16, 2);
    const float times[] = {0, 1}, late[] = {0, 0.5f}, r = (float)sqrt(0.5);
    const float turn[2][4] = {{0, 0, 0, 1}, {0, 0, r, r}}; // a quarter turn about z
    const float lift[2][3] = {{0, 1, 0}, {0, 3, 0}};
    const float curve[2][3][3] = {{{0}, {0, 0, 0}, {0}}, {{0}, {1, 0, 0}, {0}}};
    const float whole[4][4] = {{0, 0, 0, 1}, {0, 0, r, r}, {0, 0, 1, 0}, {0, 0, r, -r}};
    const float four[] = {0, 0.25f, 0.5f, 0.75f}, size[2][3] = {{1, 1, 1}, {1, 1.5f, 1}};
    const int t = gltf_floats(&g, times, 1, 2), l = gltf_floats(&g, late, 1, 2);
    const int q = gltf_floats(&g, turn[0], 4, 2), p = gltf_floats(&g, lift[0], 3, 2);
    const int c = gltf_floats(&g, curve[0][0], 3, 6), w = gltf_floats(&g, whole[0], 4, 4);
    const int f = gltf_floats(&g, four, 1, 4), s = gltf_floats(&g, size[0], 3, 2);
    snprintf(json, sizeof json,
             "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[3,0]}],"
             "'nodes':[{'name':'Armature','translation':[0,1,0],'scale':[2,2,2],'children':[1]},"
             "{'name':'Root','children':[2]},{'name':'Arm','translation':[1,0,0]},"
             "{'name':'Bar','mesh':0,'skin':0,'translation':[100,0,0]}],"
             "'meshes':[{'primitives':[%s]}],'skins':[{'joints':[1,2],'inverseBindMatrices':%d}],"
             "'animations':[{'name':'Rig|Bend','channels':["
             "{'sampler':0,'target':{'node':2,'path':'rotation'}},"
             "{'sampler':1,'target':{'node':0,'path':'translation'}}],'samplers':["
             "{'input':%d,'output':%d},{'input':%d,'output':%d,'interpolation':'STEP'}]},"
             "{'name':'Slide','channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}],"
             "'samplers':[{'input':%d,'output':%d,'interpolation':'CUBICSPLINE'}]},"
             "{'name':'Spin','channels':[{'sampler':0,'target':{'node':1,'path':'rotation'}}],"
             "'samplers':[{'input':%d,'output':%d}]},"
             "{'name':'Swell','channels':[{'sampler':0,'target':{'node':2,'path':'scale'}}],"
             "'samplers':[{'input':%d,'output':%d}]}],"
             "'accessors':[%s],'bufferViews':[%s],'buffers':[{'byteLength':%zu}]}",
             mesh, bind, t, q, l, p, t, c, f, w, t, s, g.accessors, g.views, g.size);
    char *at = find ? strstr(json, find) : NULL;
    if (at) {
        char rest[sizeof json];
        snprintf(rest, sizeof rest, "%s", at + strlen(find));
        snprintf(at, sizeof json - (size_t)(at - json), "%s%s", put, rest);
    }
    text = quoted(json);
    size_t n = strlen(text);
    while (n % 4)
        text[n++] = ' ';
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    const uint32_t head[] = {0x46546c67, 2, (uint32_t)(28 + n + g.size), (uint32_t)n, 0x4e4f534a},
                   bin[] = {(uint32_t)g.size, 0x004e4942};
    fwrite(head, 1, sizeof head, file);
    fwrite(text, 1, n, file);
    fwrite(bin, 1, sizeof bin, file);
    fwrite(g.data, 1, g.size, file);
    fclose(file);
}

// ---- two bones and a tip, as BVH ----

#define BVH_HEAD \
    "HIERARCHY\nROOT Hips\n{\n  OFFSET 1 2 3\n" \
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n" \
    "  JOINT Upper arm {\n    OFFSET 0 2 0\n    CHANNELS 3 Xrotation Zrotation Yrotation\n" \
    "    End Site\n    {\n      OFFSET 0 1 0\n    }\n  }\n}\n"
#define BVH_MOTION \
    "MOTION\nFrames: 3\nFrame Time: 0.5\n0 0 0 0 0 0 0 0 0\n1 0 0 30 40 50 60 70 80\n" \
    "2 0 0 90 0 0 0 0 180\n"
