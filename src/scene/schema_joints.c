// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Keys of what holds bodies together.
#include "scene/schema_rows.h"

_Static_assert(offsetof(swJoint, name) == SW_NAME_OFFSET, "named items begin alike");

static const swField joint_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swJoint, name), NOT_EMPTY, REQUIRED,
     .doc = "differs from those of other joints"},
    {"body", SW_FIELD_TEXT, AT(swJoint, body), NOT_EMPTY, REQUIRED, .doc = "name of a body"},
    {"to", SW_FIELD_TEXT, AT(swJoint, to), NOT_EMPTY, REQUIRED,
     .doc = "name of the body that it is held to"},
    {"at", SW_FIELD_VEC3, AT(swJoint, at), .unit = "m", REQUIRED,
     .doc = "a point of both bodies where they are at t = 0, about which they can turn"},
    {"stiffness", SW_FIELD_REAL, AT(swJoint, stiffness), ABOVE(0), .unit = "N/m", REQUIRED,
     .doc = "of the spring that holds the two points together"},
};
const swTable sw_joint_table = {"joints[]",    TABLE(joint_fields), .size = sizeof(swJoint),
                                .named = true, .item = "joint",     .line = true};
