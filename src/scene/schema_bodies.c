// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Keys of bodies. For each thing that can move a body instead of frames, this has its keys, the
// function that adds it, and its consistency check in one place, and a row among the keys of the
// body.
#include "scene/schema_rows.h"

#include "math/vec.h"
#include "scene/scene.h"

static bool fail(swPlace *place, const char *key, const char *expected, swError *error) {
    sw_place_key(place, key);
    return sw_place_fail(place, error, SW_ERROR_VALUE, "expected %s", expected);
}

// ---- tets ----

static const swField tets_fields[] = {
    {"file", SW_FIELD_FILE, AT(swTets, file),
     .doc = "a tetrahedral mesh; without one, the mesh is made from the shape"},
    {"scale", SW_FIELD_REAL, AT(swTets, scale), ABOVE(0), .number = {1},
     .doc = "factor from file units to metres"},
    {"voxel", SW_FIELD_REAL, AT(swTets, voxel), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "edge length of the cells that tetrahedra are made from; by default that of the body's "
            "voxels"},
    {"fit", SW_FIELD_BOOL, AT(swTets, fit), .number = {0},
     .doc = "whether the surface of the mesh follows that of the shape; otherwise each cell is "
            "split into six tetrahedra, weighted by how full they are"},
    {"order", SW_FIELD_ENUM, AT(swTets, order), NAMES("own", "linear", "quadratic"),
     .number = {SW_TETS_OWN},
     .doc = "order of the displacements: linear (four vertices per element) or quadratic (ten); "
            "`own`: that of the file, or linear without a file"},
    {"volume", SW_FIELD_ENUM, AT(swTets, volume), NAMES("plain", "mean"), .number = {SW_TETS_PLAIN},
     .doc = "`mean`: the volume change is averaged over each element (over patches of linear "
            "ones), to prevent locking"},
};
static const swTable tets_table = {"tets", TABLE(tets_fields), .size = sizeof(swTets)};
swTets *sw_body_add_tets(swScene *scene, swBody *body) {
    return sw_body_add_model(scene, body, "tets");
}

// ---- springs ----

static const swField spring_net_fields[] = {
    {"over", SW_FIELD_ENUM, AT(swSpringNet, over), NAMES("lattice", "surface", "tets"),
     .number = {SW_SPRINGS_LATTICE},
     .doc = "where the springs are: along the cells of the body's voxels (a solid), along the "
            "triangles of its surface (a hollow body), or along the edges of `tets` (a solid)"},
    {"voxel", SW_FIELD_REAL, AT(swSpringNet, voxel), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "edge length of the cells whose corners are the masses; by default that of the body's "
            "voxels"},
    {"structural", SW_FIELD_REAL, AT(swSpringNet, structural), AT_LEAST(0), .number = {1},
     .doc = "stiffness factor of springs along edges"},
    {"shear", SW_FIELD_REAL, AT(swSpringNet, shear), AT_LEAST(0), .number = {1},
     .doc =
         "`lattice`: stiffness factor of springs along the diagonals of cells and of their faces"},
    {"bend", SW_FIELD_REAL, AT(swSpringNet, bend), FROM_TO(0, 1), .number = {0},
     .doc = "`lattice`: fraction of the edge stiffness that is given to springs spanning two edges "
            "instead; `surface`: stiffness factor of springs across edges"},
    {"volume", SW_FIELD_BOOL, AT(swSpringNet, volume), .number = {true},
     .doc = "except `surface`: adds the energy that springs alone lack to match the material's "
            "`poisson`"},
    {"thickness", SW_FIELD_REAL, AT(swSpringNet, thickness), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "`surface`: thickness of the skin around the hollow"},
    {"pressure", SW_FIELD_REAL, AT(swSpringNet, pressure), .unit = "Pa",
     .doc = "`surface`: inside pressure at rest, in excess of the pressure around the body"},
    {"gas", SW_FIELD_BOOL, AT(swSpringNet, gas),
     .doc = "`surface`: whether pressure times volume keeps its value at rest, instead of the "
            "pressure"},
    {"ambient", SW_FIELD_REAL, AT(swSpringNet, ambient), AT_LEAST(0), .number = {101325},
     .unit = "Pa", .doc = "pressure around the body, which the initial pressure of a gas includes"},
    {"tets", SW_FIELD_OBJECT, AT(swSpringNet, tets), .table = &tets_table,
     .doc = "over `tets`: the linear tetrahedra, from a file or made from the shape"},
};
// Springs only know lengths.
static bool check_springs(const swScene *scene, const swBody *body, swPlace *place,
                          swError *error) {
    const swSpringNet *s = body->springs;
    if (s->over == SW_SPRINGS_SURFACE && isnan(s->thickness))
        return fail(place, "thickness", "a thickness for springs over the surface, found none",
                    error);
    if (s->over != SW_SPRINGS_SURFACE && (s->pressure != 0 || s->gas))
        return fail(place, s->gas ? "gas" : "pressure",
                    "none in a solid; in a hollow body springs are over its \"surface\"", error);
    if (s->gas && s->ambient + s->pressure <= 0)
        return fail(place, "pressure", "a value that leaves some gas inside: above -ambient",
                    error);
    if (s->gas && scene->analysis == SW_ANALYSIS_MODAL)
        return fail(place, "gas", "false in modal analyses: the matrix of a gas is full", error);
    if (s->over == SW_SPRINGS_TETS && s->bend > 0)
        return fail(place, "bend", "0 over tetrahedra", error);
    if (s->over == SW_SPRINGS_TETS && s->tets.order == SW_TETS_QUADRATIC)
        return fail(place, "tets", "linear tetrahedra, found quadratic ones", error);
    if (s->over == SW_SPRINGS_LATTICE && !(s->structural > 0 && s->shear > 0))
        return fail(place, s->structural > 0 ? "shear" : "structural",
                    "one above 0 over a lattice: without such springs its cells collapse", error);
    return true;
}

static const swTable spring_net_table = {"springs", TABLE(spring_net_fields),
                                         .size = sizeof(swSpringNet), .check = check_springs};
swSpringNet *sw_body_add_springs(swScene *scene, swBody *body) {
    return sw_body_add_model(scene, body, "springs");
}

// ---- particles ----

static const swField particles_fields[] = {
    {"count", SW_FIELD_INT, AT(swParticles, count), UP_TO(1000000), .number = {0},
     .doc = "number of particles in the body, including those held by handles; 0: 1000, or one per "
            "voxel if there are fewer voxels"},
    {"spacing", SW_FIELD_REAL, AT(swParticles, spacing), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "instead of `count`: approximate distance between particles"},
    {"samples", SW_FIELD_INT, AT(swParticles, samples), FROM_TO(0, 1000000), .number = {0},
     .doc = "how many of the particles are held by handles; 0: as many as their spacing suggests"},
    {"neighbours", SW_FIELD_INT, AT(swParticles, neighbours), FROM_TO(4, 40), .number = {6},
     .doc = "number of neighbours within two thirds of a particle's support"},
    {"points", SW_FIELD_REAL, AT(swParticles, points), FROM_TO(1, 1000), .number = {5},
     .doc = "approximate number of Gauss points per particle; at most one per voxel and material"},
    {"rotations", SW_FIELD_ENUM, AT(swParticles, rotations), NAMES("diffusion", "polar"),
     .doc = "how rotations are found: by `diffusion` from the handles, or by `polar` decomposition "
            "of the deformation, which bodies with a free handle always use"},
};
// Their stiffness is computed beforehand, and rotations are fixed when a step begins.
static bool check_particles(const swScene *scene, const swBody *body, swPlace *place,
                            swError *error) {
    const bool turned = body->handles || body->skeleton;
    if (scene->solver.path == SW_PATH_ARC_LENGTH)
        return sw_place_fail(place, error, SW_ERROR_VALUE,
                             "expected another solver.path than arc-length, which cannot follow "
                             "their rotations");
    return turned || body->particles->rotations != SW_ROTATIONS_DIFFUSION ||
           fail(place, "rotations", "polar without handles, found diffusion", error);
}

static const swTable particles_table = {"particles", TABLE(particles_fields),
                                        .size = sizeof(swParticles), .check = check_particles};
swParticles *sw_body_add_particles(swScene *scene, swBody *body) {
    return sw_body_add_model(scene, body, "particles");
}

// ---- modes ----

static const swField modes_fields[] = {
    {"count", SW_FIELD_INT, AT(swModeBasis, count), FROM_TO(1, 64), .number = {20},
     .doc = "number of modes, which are the degrees of freedom"},
    {"basis", SW_FIELD_ENUM, AT(swModeBasis, basis), NAMES("linear", "derivatives", "principal"),
     .number = {SW_BASIS_PCA},
     .doc = "`linear`: the lowest vibrations; `derivatives`: as many vibrations as fit together "
            "with how they bend (their modal derivatives); `principal`: the principal components "
            "of a larger set of both"},
    {"vibrations", SW_FIELD_INT, AT(swModeBasis, vibrations), FROM_TO(1, 64), .number = {10},
     .doc = "`principal`: how many vibrations it starts from, at most `count`"},
    {"points", SW_FIELD_INT, AT(swModeBasis, points), FROM_TO(0, 10000), .number = {0},
     .doc = "maximum number of points at which laws other than `stvk` are evaluated; 0: eight per "
            "mode"},
    {"tets", SW_FIELD_OBJECT, AT(swModeBasis, tets), .table = &tets_table,
     .doc = "the tetrahedral mesh of which these are the modes"},
};
// Modes are motions of a body that is held in place.
static bool check_modes(const swScene *scene, const swBody *body, swPlace *place, swError *error) {
    static const char all[] = "modes need a body held in place by handles: use tets or frames";
    const char *key = NULL, *expected = NULL;
    (void)scene;
    for (const swHandle *h = body->handles; h; h = h->next)
        if (h->motion != SW_MOTION_FIXED)
            key = "handles", expected = "fixed ones, found one that moves";
    if (!body->handles)
        key = "handles", expected = "at least one, found none";
    if (body->skeleton)
        key = "skeleton", expected = "none";
    if (sw_norm(body->velocity) > 0 || sw_norm(body->spin) > 0)
        key = sw_norm(body->velocity) > 0 ? "velocity" : "spin", expected = "zero";
    if (body->mass != SW_MASS_FULL)
        key = "mass", expected = "full, found lumped";
    if (body->modes->tets.volume != SW_TETS_PLAIN)
        key = "modes", expected = "plain volume for its tets, found mean";
    if (!key)
        return true;
    sw_place_up(place);
    sw_place_key(place, key);
    return sw_place_fail(place, error, SW_ERROR_VALUE, "expected %s: %s", expected, all);
}

static const swTable modes_table = {"modes", TABLE(modes_fields), .size = sizeof(swModeBasis),
                                    .check = check_modes};
swModeBasis *sw_body_add_modes(swScene *scene, swBody *body) {
    return sw_body_add_model(scene, body, "modes");
}

// ---- rigid ----

static const swField rigid_fields[] = {
    {"stiffness", SW_FIELD_REAL, AT(swRigidBody, stiffness), ABOVE(0), .number = {NAN},
     .unit = "Pa/m",
     .doc = "contact pressure per depth against colliders that specify none; by default a block "
            "sinks in by a thousandth of its height under its own weight"},
};

// A rigid body has no strain, and no part of it moves by itself.
static bool check_rigid(const swScene *scene, const swBody *body, swPlace *place, swError *error) {
    const swIntegration *i = &body->integration;
    const bool integration = i->every_voxel || i->points > 0 || i->degree > 0 || !i->relax ||
                             i->correct == SW_CORRECT_YES;
    const char *soft = body->muscles    ? "muscles"
                       : body->beams    ? "beams"
                       : body->shapes   ? "shapes"
                       : body->skeleton ? "skeleton"
                       : integration    ? "integration"
                                        : NULL;
    (void)scene;
    sw_place_up(place);
    if (soft)
        return fail(place, soft, "none: a rigid body does not deform", error);
    if (body->damping_stiffness > 0) {
        sw_place_key(place, "damping");
        return fail(place, "stiffness", "0: a rigid body has none", error);
    }
    if (body->handles && body->handles->next)
        return fail(place, "handles", "at most one: a rigid body moves as a whole", error);
    sw_place_key(place, "rigid");
    return true;
}

static const swTable rigid_table = {"rigid", TABLE(rigid_fields), .size = sizeof(swRigidBody),
                                    .check = check_rigid};

swRigidBody *sw_body_add_rigid(swScene *scene, swBody *body) {
    return sw_body_add_model(scene, body, "rigid");
}

// ---- the body ----

static const swField integration_fields[] = {
    {"every", SW_FIELD_WORD, AT(swIntegration, every_voxel), NAMES("voxel"), EITHER,
     .doc = "one point in every voxel, for each material in it"},
    {"points", SW_FIELD_INT, AT(swIntegration, points), UP_TO(10000000), EITHER,
     .doc = "total number of integration points; 0: 30 per frame, 120 per quadratic one; for a "
            "corrected body 60, plus 32 per frame (80 per quadratic one) and per moving handle"},
    {"degree", SW_FIELD_INT, AT(swIntegration, degree), UP_TO(8),
     .doc = "polynomials up to this degree are integrated exactly in each region: 1 takes one "
            "point, 2 takes eight, higher degrees as many as needed; 0: 2, or 1 if points are few"},
    {"correct", SW_FIELD_SWITCH, AT(swIntegration, correct), NAMES("auto"),
     .number = {SW_CORRECT_AUTO},
     .doc = "whether strains that frames lack are computed beforehand, for the body as a whole; "
            "`auto`: where possible ([correctors](correctors.md))"},
    {"relax", SW_FIELD_BOOL, AT(swIntegration, relax), .number = {1},
     .doc = "whether strains that frames lack are found in each region, to prevent locking, where "
            "they are not computed beforehand"},
};
static const swTable integration_table = {"integration", TABLE(integration_fields), .line = true};

static const swField damping_fields[] = {
    {"mass", SW_FIELD_REAL, AT(swBody, damping_mass), AT_LEAST(0), .unit = "1/s",
     .doc = "Rayleigh damping proportional to mass (also slows rigid motion)"},
    {"stiffness", SW_FIELD_REAL, AT(swBody, damping_stiffness), AT_LEAST(0), .unit = "s",
     .doc = "Rayleigh damping proportional to stiffness"},
};
static const swField contact_fields[] = {
    {"points", SW_FIELD_INT, AT(swBody, contact_points), UP_TO(10000000), .number = {500},
     .doc = "maximum number of surface points that are checked against colliders"},
};
static const swTable damping_table = {"damping", TABLE(damping_fields), .line = true};
static const swTable contact_table = {"contact", TABLE(contact_fields), .line = true};

static const swField body_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swBody, name), NOT_EMPTY, REQUIRED, .doc = "unique among bodies"},
    {"like", SW_FIELD_TEXT, AT(swBody, like),
     .doc = "an earlier body that this one copies, with its own `name`, `place`, `velocity`, "
            "`spin` and `materials`, and no other key; equal bodies are compiled once"},
    {"materials", SW_FIELD_SWAPS, AT(swBody, materials),
     .doc = "with `like`: names of that body's materials, and the materials that replace them"},
    {"shape", SW_FIELD_SHAPE, AT(swBody, shape), .table = &sw_shape_table,
     .doc = "shape of the body at rest"},
    {"voxel", SW_FIELD_REAL, AT(swBody, voxel), ABOVE(0), .number = {NAN}, .unit = "m", EITHER,
     .doc = "edge length of a voxel"},
    {"resolution", SW_FIELD_INT, AT(swBody, resolution), FROM_TO(1, 4096), .number = {32}, EITHER,
     .doc = "instead of `voxel`: number of voxels along the longest side"},
    {"frames", SW_FIELD_OBJECT, AT(swBody, frames), .table = &sw_frames_table, MODEL,
     .doc = "the few frames that move the body"},
    {"tets", SW_FIELD_OPTION, AT(swBody, tets), .table = &tets_table, MODEL,
     .doc = "tetrahedral finite elements instead of frames: [tets](tets.md)"},
    {"springs", SW_FIELD_OPTION, AT(swBody, springs), .table = &spring_net_table, MODEL,
     .doc = "masses and springs instead of frames: [mass-springs](mass_springs.md)"},
    {"particles", SW_FIELD_OPTION, AT(swBody, particles), .table = &particles_table, MODEL,
     .doc = "particles around a skeleton instead of frames: [particles](particles.md)"},
    {"modes", SW_FIELD_OPTION, AT(swBody, modes), .table = &modes_table, MODEL,
     .doc = "vibration modes instead of frames: [modes](modes.md)"},
    {"rigid", SW_FIELD_OPTION, AT(swBody, rigid), .table = &rigid_table, MODEL,
     .doc = "a single rigid frame, for a body that does not deform: [rigid bodies](rigid.md)"},
    {"integration", SW_FIELD_OBJECT, AT(swBody, integration), .table = &integration_table,
     .doc = "where elasticity is evaluated"},
    {"mass", SW_FIELD_ENUM, AT(swBody, mass), NAMES("full", "lumped"), .number = {SW_MASS_FULL},
     .doc = "the full mass matrix, or one without coupling between frames, which is still exact "
            "for rigid motion"},
    {"handles", SW_FIELD_LIST, AT(swBody, handles), .table = &sw_handle_table, UP_TO(1000),
     .doc = "parts that are carried rigidly: clamped, driven or free"},
    {"skeleton", SW_FIELD_OPTION, AT(swBody, skeleton), .table = &sw_skeleton_table,
     .doc = "bones from a file, as additional handles: [rigs](rigs.md)"},
    {"loads", SW_FIELD_LIST, AT(swBody, loads), .table = &sw_load_table, UP_TO(1000),
     .doc = "dead loads: their size and direction stay as given"},
    {"slides", SW_FIELD_LIST, AT(swBody, slides), .table = &sw_slide_table, UP_TO(1000),
     .doc = "parts of a body of `tets` that slide along a wall or a plane of symmetry"},
    {"cuts", SW_FIELD_LIST, AT(swBody, cuts), .table = &sw_cut_table, UP_TO(1000),
     .doc = "what is cut away at given times; the body falls apart if that separates it: "
            "[cuts](fracture.md)"},
    {"muscles", SW_FIELD_LIST, AT(swBody, muscles), .table = &sw_muscle_table, UP_TO(1000),
     .doc = "lines that pull two points of the body together"},
    {"beams", SW_FIELD_LIST, AT(swBody, beams), .table = &sw_beam_table, UP_TO(1000),
     .doc = "elastic rods between two handles of the body: [beams](springs.md#beams)"},
    {"shapes", SW_FIELD_LIST, AT(swBody, shapes), .table = &sw_rest_shape_table, UP_TO(100),
     .doc = "shapes that the body's rest shape can change to, over time or by itself"},
    {"place", SW_FIELD_OBJECT, AT(swBody, place), .table = &sw_pose_table,
     .doc = "transform from rest coordinates to the world at the start"},
    {"velocity", SW_FIELD_VEC3, AT(swBody, velocity), .unit = "m/s",
     .doc = "velocity of the centre of mass at the start"},
    {"spin", SW_FIELD_VEC3, AT(swBody, spin), .unit = "rad/s",
     .doc = "angular velocity about the centre of mass at the start (in radians, not degrees)"},
    {"damping", SW_FIELD_OBJECT, .table = &damping_table, .doc = "damping of its motion"},
    {"contact", SW_FIELD_OBJECT, .table = &contact_table, .doc = "contact with colliders"},
    {"surfaces", SW_FIELD_ENUM, AT(swBody, surfaces), NAMES("outer", "materials"),
     .number = {SW_SURFACES_OUTER},
     .doc =
         "what is drawn and written: the outer surface, or a closed surface around each material"},
    {"estimate", SW_FIELD_SWITCH, AT(swBody, estimate), NAMES("large"),
     .number = {SW_ESTIMATE_NONE},
     .doc = "whether to estimate the error of the body under its weight and loads, by linear "
            "theory; `large`: in equilibrium at large displacements ([estimate](estimate.md))"},
};
const swTable sw_body_table = {"bodies[]",    TABLE(body_fields), .size = sizeof(swBody),
                               .named = true, .item = "body",     .written = sw_body_written};

// ---- what moves a body ----

static bool is_model(const swField *f) {
    return f->type == SW_FIELD_OPTION && f->either == SW_EITHER_MODEL;
}

// The row of what moves the body instead of frames, or NULL.
static const swField *model_of(const swBody *body) {
    for (int i = 0; i < SW_COUNT(body_fields); i++)
        if (is_model(&body_fields[i]) && sw_pointer_at(body, body_fields[i].offset))
            return &body_fields[i];
    return NULL;
}

const char *sw_body_model(const swBody *body) {
    const swField *model = model_of(body);
    return model ? model->key : NULL;
}

bool sw_body_check_model(const swScene *scene, const swBody *body, swPlace *place, swError *error) {
    const swField *model = model_of(body);
    if (!model || !model->table->check)
        return true;
    sw_place_key(place, model->key);
    if (!model->table->check(scene, body, place, error))
        return false;
    sw_place_up(place);
    return true;
}

void sw_body_clear_model(swBody *body) {
    for (int i = 0; i < SW_COUNT(body_fields); i++)
        if (is_model(&body_fields[i]))
            sw_pointer_put(body, body_fields[i].offset, NULL);
}

void *sw_body_add_model(swScene *scene, swBody *body, const char *key) {
    void *model = NULL;
    sw_body_clear_model(body);
    sw_schema_default(&sw_frames_table, &body->frames);
    for (int i = 0; i < SW_COUNT(body_fields); i++)
        if (is_model(&body_fields[i]) && strcmp(body_fields[i].key, key) == 0) {
            model = sw_scene_new_item(scene, body_fields[i].table, NULL);
            sw_pointer_put(body, body_fields[i].offset, model);
        }
    return model;
}

// ---- which keys are written ----

// For a body that is like another.
static const swField like_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swBody, name)},
    {"like", SW_FIELD_TEXT, AT(swBody, like)},
    {"materials", SW_FIELD_SWAPS, AT(swBody, materials)},
    {"place", SW_FIELD_OBJECT, AT(swBody, place), .table = &sw_pose_table},
    {"velocity", SW_FIELD_VEC3, AT(swBody, velocity)},
    {"spin", SW_FIELD_VEC3, AT(swBody, spin)},
};
static const swTable like_table = {"bodies[]", TABLE(like_fields), .size = sizeof(swBody)};
const swTable *sw_body_written(const void *body) {
    return ((const swBody *)body)->like ? &like_table : &sw_body_table;
}
