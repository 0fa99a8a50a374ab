// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Lists that grow, names and poses.
#include "compile/model_build.h"

#include <string.h>

void *sw_build_extend(void **item, int *count, int *room, int n, size_t size, swArena *arena,
                      swError *error) {
    if (n > INT32_MAX / 4 - *count) {
        sw_fail(error, SW_ERROR_LIMIT, "the model is too large: more than %d items in one array",
                INT32_MAX / 4);
        return NULL;
    }
    if (*count + n > *room || !*item) {
        int more = sw_max_int(*count + n, 2 * *count) + 1;
        void *p = sw_arena_grow(arena, *item, (size_t)*count, (size_t)more, size, error);
        if (!p)
            return NULL;
        *item = p;
        *room = more;
    }
    void *first = (char *)*item + (size_t)*count * size;
    *count += n;
    return first;
}

// Room for a copy of text at the end of a list of names; its offset, or -1.
#define ADD_TEXT(list, text, arena, error) \
    const int at = (list)->count; \
    const size_t n = strlen(text) + 1; \
    char *to = SW_EXTEND(list, (int)n, arena, error); \
    if (!to) \
        return -1; \
    memcpy(to, text, n); \
    return at

int sw_build_text(swBuilder *b, const char *text, swError *error) {
    ADD_TEXT(&b->text, text, &b->arena, error);
}

int sw_build_word(swModelBuild *w, const char *text, swError *error) {
    ADD_TEXT(&w->text, text, &w->arena, error);
}

void sw_pose_matrix(const swPose *pose, swMat3 *R, swVec3 *t) {
    *R = sw_mat_rotation(sw_scale(pose->angle, sw_unit(pose->axis)));
    *t = sw_add(sw_sub(pose->about, sw_mul(*R, pose->about)), pose->translate);
}
