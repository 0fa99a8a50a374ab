// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <math.h>
#include <string.h>

swScene *sw_scene_create(const swConfig *config) {
    swConfig chosen = config ? *config : sw_default_config();
    struct swSceneMemory *memory = sw_alloc(&chosen.allocator, sizeof *memory);
    if (!memory)
        return NULL;
    memory->config = chosen;
    sw_arena_init(&memory->arena, &chosen.allocator);
    sw_schema_default(&sw_scene_table, &memory->scene);
    memory->scene.memory = memory;
    return &memory->scene;
}

void sw_scene_destroy(swScene *scene) {
    if (!scene)
        return;
    struct swSceneMemory *memory = scene->memory;
    swAllocator allocator = memory->config.allocator;
    sw_arena_free(&memory->arena);
    sw_free(&allocator, memory, sizeof *memory);
}

const char *sw_scene_text(swScene *scene, const char *text) {
    return text ? sw_arena_text(&scene->memory->arena, text, strlen(text), NULL) : NULL;
}

void *sw_scene_new_item(swScene *scene, const swTable *table, swError *error) {
    void *item = sw_arena_alloc(&scene->memory->arena, 1, table->size, error);
    if (!item)
        return NULL;
    sw_schema_default(table, item);
    if (table == &sw_material_table)
        for (int i = 0; i < SW_MATERIAL_PARAMS; i++)
            ((swMaterial *)item)->param[i] = NAN;
    return item;
}

const char *sw_scene_item_name(swScene *scene, const swTable *table, int index, swError *error) {
    char name[32];
    snprintf(name, sizeof name, "%s%d", table->item, index + 1);
    return sw_arena_text(&scene->memory->arena, name, strlen(name), error);
}

// Lists start at a pointer `head` bytes into their owner.
static int list_length(const void *owner, size_t head) {
    int n = 0;
    for (const void *item = sw_pointer_at(owner, head); item; item = sw_next(item))
        n++;
    return n;
}

static void list_append(void *owner, size_t head, void *item) {
    void *last = sw_pointer_at(owner, head);
    if (!last) {
        sw_pointer_put(owner, head, item);
        return;
    }
    while (sw_next(last))
        last = sw_next(last);
    sw_pointer_put(last, 0, item);
}

// A copy of the given name, or the next default name of the list.
static const char *new_name(swScene *scene, const char *name, const swTable *table,
                            const void *owner, size_t head) {
    if (name)
        return sw_scene_text(scene, name);
    return sw_scene_item_name(scene, table, list_length(owner, head), NULL);
}

// Items with a name have it right after `next`.
typedef struct {
    void *next;
    const char *name;
} Named;
#define NAMED(type) \
    _Static_assert(offsetof(type, name) == offsetof(Named, name), "its name is elsewhere")
NAMED(swBody);
NAMED(swCollider);
NAMED(swProbe);
NAMED(swJoint);
NAMED(swHandle);
NAMED(swMuscle);
NAMED(swRestShape);

// Appends an item to the list that starts `head` bytes into `owner`.
static void *add_named(swScene *scene, const swTable *table, void *owner, size_t head,
                       const char *name) {
    Named *item = sw_scene_new_item(scene, table, NULL);
    const char *text = new_name(scene, name, table, owner, head);
    if (!item || !text)
        return NULL;
    item->name = text;
    list_append(owner, head, item);
    return item;
}

static swShape *new_shape(swScene *scene, swShapeKind kind) {
    swShape *shape = SW_NEW(&scene->memory->arena, 1, swShape, NULL);
    if (!shape)
        return NULL;
    shape->kind = kind;
    const swField *field = sw_schema_any_kind((int)kind);
    if (field && field->type == SW_FIELD_KIND)
        sw_schema_default(field->table, shape);
    return shape;
}

swMaterial *sw_scene_add_material(swScene *scene, const char *name) {
    swMaterial *material = sw_scene_new_item(scene, &sw_material_table, NULL);
    const char *text = sw_scene_text(scene, name ? name : "default");
    if (!material || !text)
        return NULL;
    material->name = text;
    list_append(scene, offsetof(swScene, materials), material);
    return material;
}

swBody *sw_scene_add_body(swScene *scene, const char *name) {
    return add_named(scene, &sw_body_table, scene, offsetof(swScene, bodies), name);
}

swCollider *sw_scene_add_collider(swScene *scene, swShapeKind kind) {
    swShape *shape = new_shape(scene, kind);
    swCollider *collider =
        shape ? add_named(scene, &sw_collider_table, scene, offsetof(swScene, colliders), NULL)
              : NULL;
    if (collider)
        collider->shape = shape;
    return collider;
}

swProbe *sw_scene_add_probe(swScene *scene, const char *name, swVec3 point) {
    swProbe *probe = add_named(scene, &sw_probe_table, scene, offsetof(swScene, probes), name);
    if (probe)
        probe->point = point;
    return probe;
}

swJoint *sw_scene_add_joint(swScene *scene, const char *name, const char *body, const char *to,
                            swVec3 at, swReal stiffness) {
    const char *one = sw_scene_text(scene, body), *other = sw_scene_text(scene, to);
    swJoint *joint = one && other
                         ? add_named(scene, &sw_joint_table, scene, offsetof(swScene, joints), name)
                         : NULL;
    if (!joint)
        return NULL;
    joint->body = one;
    joint->to = other;
    joint->at = at;
    joint->stiffness = stiffness;
    return joint;
}

// Adding a second part turns the shape into a union of both.
swShape *sw_body_add_shape(swScene *scene, swBody *body, swShapeKind kind) {
    swShape *shape = new_shape(scene, kind);
    if (!shape)
        return NULL;
    if (!body->shape) {
        body->shape = shape;
        return shape;
    }
    if (body->shape->kind != SW_SHAPE_UNION) {
        swShape *all = new_shape(scene, SW_SHAPE_UNION);
        if (!all)
            return NULL;
        all->parts = body->shape;
        body->shape = all;
    }
    list_append(body->shape, offsetof(swShape, parts), shape);
    return shape;
}

void sw_body_resolve(const swScene *scene, const swBody *body, swBody *out) {
    const swBody *from = body;
    for (const swBody *b = scene->bodies; body->like && b && b != body; b = b->next)
        if (sw_text_equal(b->name, body->like))
            from = b;
    memcpy(out, from, sizeof *out);
    out->next = body->next;
    out->name = body->name;
    out->materials = body->materials;
    out->place = body->place;
    out->velocity = body->velocity;
    out->spin = body->spin;
}

swHandle *sw_body_add_handle(swScene *scene, swBody *body, const char *name, swShapeKind region) {
    swShape *shape = new_shape(scene, region);
    swHandle *handle =
        shape ? add_named(scene, &sw_handle_table, body, offsetof(swBody, handles), name) : NULL;
    if (handle)
        handle->region = shape;
    return handle;
}

swSkeleton *sw_body_add_skeleton(swScene *scene, swBody *body, const char *file) {
    swSkeleton *skeleton = sw_scene_new_item(scene, &sw_skeleton_table, NULL);
    const char *text = sw_scene_text(scene, file);
    if (!skeleton || !text)
        return NULL;
    skeleton->file = text;
    body->skeleton = skeleton;
    return skeleton;
}

// Appends a key to a share over time, whose keys start `head` bytes into `owner`. *constant is the
// share used without keys.
static swActivationKey *add_share(swScene *scene, void *owner, size_t head, swReal *constant,
                                  swReal t, swReal value) {
    swActivationKey *key = sw_scene_new_item(scene, &sw_activation_table, NULL);
    if (!key)
        return NULL;
    key->t = t;
    key->value = value;
    *constant = NAN;
    list_append(owner, head, key);
    return key;
}

swActivationKey *sw_material_add_activation(swScene *scene, swMaterial *material, swReal t,
                                            swReal value) {
    return add_share(scene, material, offsetof(swMaterial, fibre.keys), &material->fibre.activation,
                     t, value);
}

swMuscle *sw_body_add_muscle(swScene *scene, swBody *body, const char *name) {
    return add_named(scene, &sw_muscle_table, body, offsetof(swBody, muscles), name);
}

swBeam *sw_body_add_beam(swScene *scene, swBody *body, const char *from, const char *to) {
    swBeam *beam = sw_scene_new_item(scene, &sw_beam_table, NULL);
    const char *ends[2] = {beam ? sw_scene_text(scene, from) : NULL,
                           beam ? sw_scene_text(scene, to) : NULL};
    if (!ends[0] || !ends[1])
        return NULL;
    beam->from.handle = ends[0];
    beam->to.handle = ends[1];
    list_append(body, offsetof(swBody, beams), beam);
    return beam;
}

swActivationKey *sw_muscle_add_activation(swScene *scene, swMuscle *muscle, swReal t,
                                          swReal value) {
    return add_share(scene, muscle, offsetof(swMuscle, keys), &muscle->activation, t, value);
}

swRestShape *sw_body_add_rest_shape(swScene *scene, swBody *body, const char *name) {
    return add_named(scene, &sw_rest_shape_table, body, offsetof(swBody, shapes), name);
}

swDeform *sw_rest_shape_add_part(swScene *scene, swRestShape *shape) {
    swDeform *part = sw_scene_new_item(scene, &sw_deform_table, NULL);
    if (part)
        list_append(shape, offsetof(swRestShape, parts), part);
    return part;
}

swShape *sw_deform_on(swScene *scene, swDeform *part, swShapeKind region) {
    return part->on = new_shape(scene, region);
}

swActivationKey *sw_rest_shape_add_value(swScene *scene, swRestShape *shape, swReal t,
                                         swReal value) {
    return add_share(scene, shape, offsetof(swRestShape, keys), &shape->value, t, value);
}

// Appends a key to a rigid motion, whose keys start `head` bytes into `owner`.
static swKey *add_key(swScene *scene, void *owner, size_t head, swReal t) {
    swKey *key = sw_scene_new_item(scene, &sw_key_table, NULL);
    if (!key)
        return NULL;
    key->t = t;
    list_append(owner, head, key);
    return key;
}

swKey *sw_handle_add_key(swScene *scene, swHandle *handle, swReal t) {
    swKey *key = add_key(scene, handle, offsetof(swHandle, keys), t);
    handle->motion = key ? SW_MOTION_KEYS : handle->motion;
    return key;
}

swKey *sw_collider_add_key(swScene *scene, swCollider *collider, swReal t) {
    swKey *key = add_key(scene, collider, offsetof(swCollider, keys), t);
    collider->motion = key ? SW_COLLIDER_KEYS : collider->motion;
    return key;
}

swLabels *sw_shape_add_labels(swScene *scene, swShape *shape, const char *labels,
                              const char *material) {
    swLabels *item = SW_NEW(&scene->memory->arena, 1, swLabels, NULL);
    if (!item || !(item->labels = sw_scene_text(scene, labels)) ||
        !(item->material = sw_scene_text(scene, material)))
        return NULL;
    list_append(shape, offsetof(swShape, labels), item);
    return item;
}

swLabels *sw_body_add_material(swScene *scene, swBody *body, const char *from, const char *to) {
    swLabels *item = SW_NEW(&scene->memory->arena, 1, swLabels, NULL);
    if (!item || !(item->labels = sw_scene_text(scene, from)) ||
        !(item->material = sw_scene_text(scene, to)))
        return NULL;
    list_append(body, offsetof(swBody, materials), item);
    return item;
}

swCut *sw_body_add_cut(swScene *scene, swBody *body, swReal t, swShapeKind region) {
    swCut *cut = sw_scene_new_item(scene, &sw_cut_table, NULL);
    swShape *shape = new_shape(scene, region);
    if (!cut || !shape)
        return NULL;
    cut->t = t;
    cut->region = shape;
    list_append(body, offsetof(swBody, cuts), cut);
    return cut;
}

swSlide *sw_body_add_slide(swScene *scene, swBody *body, swAxis axis, swShapeKind region) {
    swSlide *slide = sw_scene_new_item(scene, &sw_slide_table, NULL);
    swShape *shape = new_shape(scene, region);
    if (!slide || !shape)
        return NULL;
    slide->axis = axis;
    slide->region = shape;
    list_append(body, offsetof(swBody, slides), slide);
    return slide;
}

swLoad *sw_body_add_load(swScene *scene, swBody *body, swShapeKind region) {
    swLoad *load = sw_scene_new_item(scene, &sw_load_table, NULL);
    swShape *shape = new_shape(scene, region);
    if (!load || !shape)
        return NULL;
    load->on = shape;
    list_append(body, offsetof(swBody, loads), load);
    return load;
}
