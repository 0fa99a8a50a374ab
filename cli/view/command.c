// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Messages from pages: each is one JSON object. A table lists the members that each kind must have.
#include "view/view.h"

#include <string.h>

enum { ID_END = 0x7fffffff };

typedef struct Part {
    const char *key;
    enum {
        PART_END,
        PART_INT,
        PART_REAL,
        PART_BOOL,
        PART_VEC3,
        PART_TURN,
        PART_PAIR,
        PART_NAME
    } type;
    size_t offset; // in Command
} Part;
#define PART(key, type, field) \
    { key, type, offsetof(Command, field) }

typedef struct Form {
    const char *name;
    Part part[5];
} Form;

static const Form forms[DO_KINDS] = {
    [DO_PLAY] = {"play", {{0}}},
    [DO_PAUSE] = {"pause", {{0}}},
    [DO_STEP] = {"step", {{0}}},
    [DO_RESET] = {"reset", {{0}}},
    [DO_SPEED] = {"speed", {PART("value", PART_REAL, value)}},
    [DO_PULL] = {"pull",
                 {PART("id", PART_INT, id), PART("surface", PART_INT, index),
                  PART("vertex", PART_INT, vertex), PART("to", PART_VEC3, at),
                  PART("pin", PART_BOOL, on)}},
    [DO_MOVE] = {"move", {PART("id", PART_INT, id), PART("to", PART_VEC3, at)}},
    [DO_FRAME] = {"frame",
                  {PART("id", PART_INT, id), PART("node", PART_INT, index),
                   PART("to", PART_VEC3, at), PART("turn", PART_TURN, turn)}},
    [DO_RELEASE] = {"release", {PART("id", PART_INT, id)}},
    [DO_HANDLE] = {"handle",
                   {PART("handle", PART_INT, index), PART("to", PART_VEC3, at),
                    PART("turn", PART_TURN, turn)}},
    [DO_BALL] = {"ball", {PART("at", PART_VEC3, at), PART("radius", PART_REAL, value)}},
    [DO_PREPARE] = {"prepare", {{0}}},
    [DO_INSERT] = {"insert",
                   {PART("surface", PART_INT, index), PART("triangle", PART_INT, vertex),
                    PART("share", PART_VEC3, at), PART("range", PART_REAL, value),
                    PART("geodesic", PART_BOOL, on)}},
    [DO_REMOVE] = {"remove", {PART("slot", PART_INT, index)}},
    [DO_CONTROL] = {"control",
                    {PART("control", PART_INT, index), PART("value", PART_REAL, value),
                     PART("set", PART_BOOL, on)}},
    [DO_CLIP] = {"clip", {PART("index", PART_INT, index)}},
    [DO_SET] = {"set", {{0}}},
    [DO_FIELD] = {"field", {PART("value", PART_NAME, name)}},
    [DO_POINTS] = {"points", {{0}}},
    [DO_RECORD] = {"record", {PART("on", PART_BOOL, on)}},
    [DO_SEEK] = {"seek", {PART("time", PART_REAL, value)}},
    [DO_MODE] = {"mode", {PART("index", PART_INT, index)}},
    [DO_OPEN] = {"open", {PART("example", PART_NAME, name)}},
    [DO_CLOSE] = {"close", {{0}}},
};

static const Form settings[] = {
    [SET_GRAVITY] = {"gravity", {PART("gravity", PART_VEC3, at)}},
    [SET_STEP] = {"step", {PART("step", PART_REAL, value)}},
    [SET_DAMPING] = {"damping", {PART("body", PART_INT, index), PART("damping", PART_PAIR, value)}},
    [SET_YOUNG] = {"young", {PART("material", PART_INT, index), PART("young", PART_REAL, value)}},
    [SET_POISSON] = {"poisson",
                     {PART("material", PART_INT, index), PART("poisson", PART_REAL, value)}},
};

// ---- values ----

static bool take_numbers(const swJson *value, int count, swReal *out) {
    if (!value || value->type != SW_JSON_ARRAY || value->count != count)
        return false;
    for (int i = 0; i < count; i++) {
        if (value->item[i].type != SW_JSON_NUMBER)
            return false;
        out[i] = value->item[i].number;
    }
    return true;
}

static bool take_turn(const swJson *value, swReal q[4]) {
    if (!take_numbers(value, 4, q))
        return false;
    const swReal norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= norm;
    return norm > 1e-6 && isfinite(norm);
}

static bool take_int(const swJson *value, int *out) {
    if (!value || value->type != SW_JSON_NUMBER || value->number != floor(value->number) ||
        value->number < 0 || value->number > ID_END)
        return false;
    *out = (int)value->number;
    return true;
}

static bool take_name(const swJson *value, char out[64]) {
    if (!value || value->type != SW_JSON_TEXT || value->count > 63)
        return false;
    memcpy(out, value->text, (size_t)value->count + 1);
    return true;
}

static bool take_part(const Part *part, const swJson *value, Command *command, swError *error) {
    static const char *const expected[] = {
        [PART_INT] = "a whole number from 0 to 2147483647",
        [PART_REAL] = "a number",
        [PART_BOOL] = "true or false",
        [PART_VEC3] = "three numbers",
        [PART_TURN] = "the four numbers of a rotation",
        [PART_PAIR] = "two numbers",
        [PART_NAME] = "a name",
    };
    void *to = (char *)command + part->offset;
    bool ok = false;
    char found[64];
    switch (part->type) {
    case PART_END: break;
    case PART_INT: ok = take_int(value, to); break;
    case PART_REAL:
        ok = value && value->type == SW_JSON_NUMBER;
        if (ok)
            *(swReal *)to = value->number;
        break;
    case PART_BOOL:
        ok = value && value->type == SW_JSON_BOOL;
        if (ok)
            *(bool *)to = value->boolean;
        break;
    case PART_VEC3: ok = take_numbers(value, 3, to); break;
    case PART_TURN: ok = take_turn(value, to); break;
    case PART_PAIR: ok = take_numbers(value, 2, to); break;
    case PART_NAME: ok = take_name(value, to); break;
    }
    return ok || sw_fail(error, SW_ERROR_VALUE, "%s: expected %s, found %s", part->key,
                         expected[part->type], sw_json_describe(value, found));
}

// ---- messages ----

// Requires every part, and nothing else but "do".
static bool take_form(const Form *form, const swJson *message, Command *command, swError *error) {
    int count = 0;
    for (; count < SW_COUNT(form->part) && form->part[count].key; count++)
        if (!take_part(&form->part[count], sw_json_member(message, form->part[count].key), command,
                       error))
            return false;
    for (int i = 0; i < message->count; i++) {
        const char *key = message->item[i].key;
        bool known = strcmp(key, "do") == 0;
        for (int k = 0; k < count; k++)
            known = known || strcmp(key, form->part[k].key) == 0;
        if (!known)
            return sw_fail(error, SW_ERROR_VALUE, "%s: unknown key \"%.40s\"", form->name, key);
    }
    return true;
}

static bool take_setting(const swJson *message, Command *command, swError *error) {
    for (int i = 0; i < SW_COUNT(settings); i++)
        if (sw_json_member(message, settings[i].name)) {
            command->setting = (Setting)i;
            return take_form(&settings[i], message, command, error);
        }
    return sw_fail(error, SW_ERROR_VALUE, "set: expected gravity, step, damping, young or poisson");
}

static bool take_field(Command *command, swError *error) {
    static const char *const names[FIELDS] = {"none", "strain", "stress", "energy"};
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(command->name, names[i]) == 0) {
            command->index = i;
            return true;
        }
    return sw_fail(error, SW_ERROR_VALUE,
                   "field: expected none, strain, stress or energy, found \"%s\"", command->name);
}

static bool in_range(const Command *c, swError *error) {
    if (c->kind == DO_SPEED && !(c->value[0] >= 0.01 && c->value[0] <= 10))
        return sw_fail(error, SW_ERROR_VALUE, "speed: expected a number from 0.01 to 10, found %g",
                       c->value[0]);
    if (c->kind == DO_BALL && !(c->value[0] >= 0 && c->value[0] < 1e9))
        return sw_fail(error, SW_ERROR_VALUE, "radius: expected a number from 0 to 1e9, found %g",
                       c->value[0]);
    if (c->kind == DO_INSERT && !(c->value[0] > 0 && c->value[0] < 1e9))
        return sw_fail(error, SW_ERROR_VALUE, "range: expected a number from 0 to 1e9, found %g",
                       c->value[0]);
    if (c->kind == DO_INSERT && !(c->at.x >= 0 && c->at.y >= 0 && c->at.z >= 0 &&
                                  fabs(c->at.x + c->at.y + c->at.z - 1) < 1e-3))
        return sw_fail(error, SW_ERROR_VALUE,
                       "share: expected three numbers of at least 0 that sum to 1");
    if (!(sw_norm(c->at) < 1e9))
        return sw_fail(error, SW_ERROR_VALUE, "expected a vector shorter than 1e9");
    return true;
}

static bool take_message(const swJson *message, Command *command, swError *error) {
    const swJson *word = sw_json_member(message, "do");
    const char *names[DO_KINDS];
    if (message->type != SW_JSON_OBJECT || !word || word->type != SW_JSON_TEXT)
        return sw_fail(error, SW_ERROR_VALUE, "expected an object with a string \"do\"");
    for (int i = 0; i < DO_KINDS; i++) {
        names[i] = forms[i].name;
        if (strcmp(word->text, names[i]) != 0)
            continue;
        command->kind = (CommandKind)i;
        return (i == DO_SET ? take_setting(message, command, error)
                            : take_form(&forms[i], message, command, error)) &&
               (i != DO_FIELD || take_field(command, error)) && in_range(command, error);
    }
    const char *near = sw_text_nearest(word->text, names, DO_KINDS);
    return sw_fail(error, SW_ERROR_VALUE, "unknown message \"%.40s\"%s%s%s", word->text,
                   near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

bool command_parse(const char *text, size_t size, Command *command, swError *error) {
    const swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    *command = (Command){0};
    const swJson *message = sw_json_parse(text, size, "message", &arena, error);
    const bool ok = message && take_message(message, command, error);
    sw_arena_free(&arena);
    return ok;
}
