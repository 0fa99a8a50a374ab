// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "scene/schema_rows.h"

#include "material/law.h"
#include "math/vec.h"

#include <math.h>

_Static_assert(offsetof(swMaterial, name) == SW_NAME_OFFSET, "named items begin alike");
_Static_assert(offsetof(swHandle, name) == SW_NAME_OFFSET, "named items begin alike");
_Static_assert(offsetof(swCollider, name) == SW_NAME_OFFSET, "named items begin alike");
_Static_assert(offsetof(swProbe, name) == SW_NAME_OFFSET, "named items begin alike");
_Static_assert(offsetof(swJoint, name) == SW_NAME_OFFSET, "named items begin alike");
_Static_assert(offsetof(swMuscle, name) == SW_NAME_OFFSET, "named items begin alike");
_Static_assert(offsetof(swRestShape, name) == SW_NAME_OFFSET, "named items begin alike");

// ---- shapes ----
static const swField rotate_fields[] = {
    {"axis", SW_FIELD_VEC3, AT(swPose, axis), NOT_ZERO, .number = {0, 1, 0},
     .doc = "direction of the axis, of any length"},
    {"degrees", SW_FIELD_ANGLE, AT(swPose, angle), .unit = "degrees",
     .doc = "angle, counter-clockwise when looking against the axis"},
    {"about", SW_FIELD_VEC3, AT(swPose, about), .unit = "m", .doc = "a point on the axis"},
};
static const swTable rotate_table = {"rotate", TABLE(rotate_fields), .line = true};

static const swField box_fields[] = {
    {"size", SW_FIELD_VEC3, AT(swShape, size), ABOVE(0), .unit = "m", REQUIRED,
     .doc = "edge lengths along x, y and z"},
    {"center", SW_FIELD_VEC3, AT(swShape, center), .unit = "m", .doc = "its centre"},
};
static const swField region_box_fields[] = {
    {"size", SW_FIELD_VEC3, AT(swShape, size), AT_LEAST(0), .unit = "m", REQUIRED,
     .doc =
         "edge lengths along x, y and z; with a length of 0 the box selects the face it touches"},
    {"center", SW_FIELD_VEC3, AT(swShape, center), .unit = "m", .doc = "its centre"},
};
static const swField sphere_fields[] = {
    {"center", SW_FIELD_VEC3, AT(swShape, center), .unit = "m", .doc = "its centre"},
    {"radius", SW_FIELD_REAL, AT(swShape, radius), ABOVE(0), .unit = "m", REQUIRED,
     .doc = "its radius"},
};
static const swField capsule_fields[] = {
    {"from", SW_FIELD_VEC3, AT(swShape, from), .unit = "m", REQUIRED, .doc = "one end of its axis"},
    {"to", SW_FIELD_VEC3, AT(swShape, to), .unit = "m", REQUIRED, .doc = "the other end"},
    {"radius", SW_FIELD_REAL, AT(swShape, radius), ABOVE(0), .unit = "m", REQUIRED,
     .doc = "its radius"},
};
static const swField cone_fields[] = {
    {"from", SW_FIELD_VEC3, AT(swShape, from), .unit = "m", REQUIRED, .doc = "centre of its base"},
    {"to", SW_FIELD_VEC3, AT(swShape, to), .unit = "m", REQUIRED,
     .doc = "its apex, or the centre of its other end"},
    {"radius", SW_FIELD_REAL, AT(swShape, radius), ABOVE(0), .unit = "m", REQUIRED,
     .doc = "radius of its base"},
    {"top", SW_FIELD_REAL, AT(swShape, top), AT_LEAST(0), .unit = "m",
     .doc = "radius of its other end; 0: an apex"},
};
static const swField extrude_fields[] = {
    {"polygon", SW_FIELD_POLYGON, AT(swShape, polygon), .count_offset = offsetof(swShape, npolygon),
     FROM_TO(3, 10000), .unit = "m", REQUIRED,
     .doc = "corners in the x-y plane, in either orientation; closed automatically"},
    {"z", SW_FIELD_PAIR, AT(swShape, zrange), .unit = "m", REQUIRED, .doc = "lowest and highest z"},
};
static const swField mesh_fields[] = {
    {"file", SW_FIELD_FILE, AT(swShape, file), NOT_EMPTY, REQUIRED,
     .doc = "a surface mesh; path relative to the folder of the scene file"},
    {"scale", SW_FIELD_REAL, AT(swShape, scale), ABOVE(0), .number = {1},
     .doc = "applied first; 0.001 for a mesh in millimetres"},
    {"rotate", SW_FIELD_OBJECT, AT(swShape, pose), .table = &rotate_table, .doc = "applied second"},
    {"translate", SW_FIELD_VEC3, AT(swShape, pose.translate), .unit = "m", .doc = "applied last"},
};
static const swField map_fields[] = {
    {"young", SW_FIELD_GRAPH, AT(swShape, young), .count_offset = offsetof(swShape, nyoung),
     ABOVE(0), .unit = "Pa", .doc = "grey values to Young's modulus, in place of the material's"},
    {"density", SW_FIELD_GRAPH, AT(swShape, density), .count_offset = offsetof(swShape, ndensity),
     ABOVE(0), .unit = "kg/m^3", .doc = "grey values to density, in place of the material's"},
};
static const swTable map_table = {"map", TABLE(map_fields), .line = true};
static const swField fill_fields[] = {
    {"material", SW_FIELD_TEXT, AT(swShape, fill), NOT_EMPTY, .doc = "name of the material"},
    {"reach", SW_FIELD_REAL, AT(swShape, reach), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "gaps that a ball of this radius cannot enter are filled"},
};
static const swTable fill_table = {"fill", TABLE(fill_fields), .line = true};
static const swField volume_fields[] = {
    {"file", SW_FIELD_FILE, AT(swShape, file), NOT_EMPTY, REQUIRED,
     .doc = "a volumetric image or a picture; path relative to the folder of the scene file"},
    {"labels", SW_FIELD_LABELS, AT(swShape, labels), UP_TO(1000),
     .doc = "which labels are filled, and with which material: `{\"1-3, 12\": \"bone\"}`; by "
            "default all but 0, with the shape's material"},
    {"map", SW_FIELD_OBJECT, .table = &map_table,
     .doc = "maps grey values to stiffness and density: interpolated linearly, held constant "
            "beyond the ends; 0 is empty"},
    {"pixel", SW_FIELD_REAL, AT(swShape, pixel), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "edge length of a pixel; required for a picture"},
    {"thickness", SW_FIELD_REAL, AT(swShape, thickness), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "thickness of a picture, half of it on either side of z = 0; by default one pixel"},
    {"scale", SW_FIELD_REAL, AT(swShape, scale), ABOVE(0), .number = {NAN},
     .doc = "applied first; by default the file's own unit of length if it names one, else 1"},
    {"rotate", SW_FIELD_OBJECT, AT(swShape, pose), .table = &rotate_table, .doc = "applied second"},
    {"translate", SW_FIELD_VEC3, AT(swShape, pose.translate), .unit = "m", .doc = "applied last"},
    {"fill", SW_FIELD_OBJECT, .table = &fill_table, .doc = "how gaps between labels are filled"},
};
static const swField plane_fields[] = {
    {"normal", SW_FIELD_VEC3, AT(swShape, normal), NOT_ZERO, .number = {0, 1, 0},
     .doc = "direction out of the solid side, of any length"},
    {"offset", SW_FIELD_REAL, AT(swShape, offset), .unit = "m",
     .doc = "distance of the plane from the origin, along the normal"},
};

static const swTable box_table = {"box of a shape or collider", TABLE(box_fields), .line = true};
static const swTable region_box_table = {"box of a region", TABLE(region_box_fields), .line = true};
static const swTable sphere_table = {"sphere", TABLE(sphere_fields), .line = true};
static const swTable capsule_table = {"capsule, cylinder", TABLE(capsule_fields), .line = true};
static const swTable cone_table = {"cone", TABLE(cone_fields), .line = true};
static const swTable extrude_table = {"extrude", TABLE(extrude_fields), .line = true};
static const swTable mesh_table = {"mesh", TABLE(mesh_fields), .line = true};
static const swTable volume_table = {"volume", TABLE(volume_fields), .line = true};
static const swTable plane_table = {"plane, halfspace", TABLE(plane_fields), .line = true};

#define KIND(key, value, fields, text) \
    { key, SW_FIELD_KIND, .table = &fields, .kind = value, EITHER, .doc = text }
// Solids: shapes that bodies, regions and colliders have in common.
#define SOLIDS(box_fields_of_it) \
    KIND("box", SW_SHAPE_BOX, box_fields_of_it, "an axis-aligned box"), \
        KIND("sphere", SW_SHAPE_SPHERE, sphere_table, "a ball"), \
        KIND("capsule", SW_SHAPE_CAPSULE, capsule_table, \
             "all points within a radius of a segment"), \
        KIND("cylinder", SW_SHAPE_CYLINDER, capsule_table, "a round cylinder with flat ends"), \
        KIND("cone", SW_SHAPE_CONE, cone_table, \
             "a round cone with two flat ends, or one and an apex"), \
        KIND("extrude", SW_SHAPE_EXTRUDE, extrude_table, \
             "a polygon in the x-y plane, extruded along z"), \
        KIND("mesh", SW_SHAPE_MESH, mesh_table, "the interior of a surface mesh")
#define DOC_UNION "several shapes; later ones paint over earlier ones"

static const swField shape_fields[] = {
    SOLIDS(box_table),
    KIND("volume", SW_SHAPE_VOLUME, volume_table, "labels or grey values of a volumetric image"),
    {"union", SW_FIELD_UNION, .table = &sw_shape_table, .kind = SW_SHAPE_UNION, FROM_TO(1, 10000),
     EITHER, .doc = DOC_UNION},
    {"material", SW_FIELD_TEXT, AT(swShape, material), NOT_EMPTY,
     .doc = "name of a material; by default that of the enclosing union, or the scene's only one"},
};
const swTable sw_shape_table = {"shape", TABLE(shape_fields), .size = sizeof(swShape),
                                .exactly_one = true};

static const swField region_fields[] = {
    SOLIDS(region_box_table),
    KIND("halfspace", SW_SHAPE_HALFSPACE, plane_table, "the points with normal . x <= offset"),
    {"label", SW_FIELD_LABEL, AT(swShape, label), .kind = SW_SHAPE_LABEL, EITHER,
     .doc = "the material with these labels in the body's images: `95`, `\"12-26, 30\"`"},
};
const swTable sw_region_table = {"region, on", TABLE(region_fields), .size = sizeof(swShape),
                                 .exactly_one = true};

static const swField obstacle_fields[] = {
    KIND("plane", SW_SHAPE_HALFSPACE, plane_table, "solid where normal . x <= offset"),
    SOLIDS(box_table),
};
static const swTable obstacle_table = {"obstacle", TABLE(obstacle_fields)};

// ---- bodies ----
static const swField weights_fields[] = {
    {"kind", SW_FIELD_NAME, AT(swWeightsDef, kind), .name_at = sw_weights_name, .text = "smooth",
     .doc = "how a frame's influence fades: `voronoi` with the distance to the surrounding frames, "
            "`smooth` as a blurred version of the part nearest to the frame, `harmonic` like heat, "
            "`eigenmodes` as the lowest eigenmodes of the body, `shepard` with a power of the "
            "distance, `hat` linearly along an axis, `spline` as a cubic along it, `painted` as "
            "given by images"},
    {"distance", SW_FIELD_ENUM, AT(swWeightsDef, distance),
     NAMES("euclidean", "geodesic", "compliance"), .number = {SW_DISTANCE_GEODESIC},
     .doc = "the distance used to place frames and compute weights: straight through the air "
            "(`shepard` only), through the material, or through the material with stiff parts "
            "counting as short (length / young)"},
    {"levels", SW_FIELD_INT, AT(swWeightsDef, levels), FROM_TO(1, 8), .number = {2},
     .doc = "`voronoi`: number of isosurfaces between the border of a frame's part and the "
            "surrounding frames"},
    {"spread", SW_FIELD_REAL, AT(swWeightsDef, spread), FROM_TO(0.01, 100), .number = {2},
     .doc = "`smooth`: how far the parts of frames are blurred, relative to the mean square "
            "distance to the nearest frame"},
    {"power", SW_FIELD_REAL, AT(swWeightsDef, power), AT_LEAST(1), .number = {2},
     .doc = "`shepard`: the weight is distance^-power"},
    {"axis", SW_FIELD_VEC3, AT(swWeightsDef, axis),
     .doc = "`hat`, `spline`: the axis; zero: the body's longest side"},
    {"maps", SW_FIELD_FILE, AT(swWeightsDef, maps),
     .doc = "`painted`: images of the weights, one per frame; `%d` in the path stands for the "
            "frame's number from 0"},
};
static const swTable weights_table = {"weights", TABLE(weights_fields), .line = true};

static const swField adapt_fields[] = {
    {"budget", SW_FIELD_INT, AT(swAdapt, budget), FROM_TO(0, SW_INSERTS), .number = {0},
     .doc = "maximum number of inserted frames at a time; with 0 the body is not prepared for any"},
    {"range", SW_FIELD_REAL, AT(swAdapt, range), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "radius within which an inserted frame acts, at rest: from two voxels to the body's "
            "diagonal; by default a quarter of the cube root of the body's volume, but at least "
            "four voxels"},
    {"distance", SW_FIELD_ENUM, AT(swAdapt, distance), NAMES("euclidean", "geodesic"),
     .number = {SW_DISTANCE_GEODESIC},
     .doc = "how `range` is measured: straight through the air, or through the material"},
    {"contact", SW_FIELD_BOOL, AT(swAdapt, contact), .number = {1},
     .doc = "whether frames are inserted where something presses or pulls"},
    {"strain", SW_FIELD_REAL, AT(swAdapt, strain), ABOVE(0), .number = {NAN},
     .doc = "frames are inserted where the largest principal strain exceeds this value; by default "
            "nowhere"},
};
static const swTable adapt_table = {"adapt", TABLE(adapt_fields), .line = true};

#define NODE_KINDS "point", "rigid", "affine", "quadratic"
_Static_assert(sizeof(swNodeKind) == sizeof(int), "enumerators are kept as numbers");

static const swField frames_fields[] = {
    {"kind", SW_FIELD_ENUM, AT(swFrames, kind), NAMES(NODE_KINDS), .number = {SW_NODE_AFFINE},
     .doc = "what motion each frame has: 3, 6, 12 or 30 degrees of freedom"},
    {"kinds", SW_FIELD_ENUMS, AT(swFrames, kinds), .count_offset = offsetof(swFrames, nkinds),
     NAMES(NODE_KINDS), UP_TO(10000),
     .doc = "the kind of each frame in `at`; `kind` then applies to the other frames"},
    {"blend", SW_FIELD_ENUM, AT(swFrames, blend), NAMES("linear", "dual-quaternion"),
     .number = {SW_BLEND_LINEAR},
     .doc = "how the motions of frames are combined; dual quaternions preserve the cross-section "
            "of a twisted or bent body, and need rigid frames"},
    {"count", SW_FIELD_INT, AT(swFrames, count), FROM_TO(SW_FRAMES_AUTO, 10000),
     .number = {SW_FRAMES_AUTO},
     .doc = "number of frames to place automatically, in addition to those in `at` and the "
            "handles; -1: 5, and for a corrected body as many more as bring its error by linear "
            "theory below 2 %; 0 by default if `at` lists any"},
    {"error", SW_FIELD_REAL, AT(swFrames, error), BETWEEN(0, 1), .number = {NAN},
     .doc = "instead of `count`: as many frames as bring the estimated error of displacements "
            "below this fraction"},
    {"at", SW_FIELD_POINTS, AT(swFrames, at), .count_offset = offsetof(swFrames, nat), UP_TO(10000),
     .unit = "m", .doc = "positions of frames in the body at rest"},
    {"weights", SW_FIELD_OBJECT, AT(swFrames, weights), .table = &weights_table,
     .doc = "how much each frame moves each point"},
    {"precompute", SW_FIELD_BOOL, AT(swFrames, precompute),
     .doc = "whether stiffness is computed once, at rest, and stored in springs that turn with the "
            "body: a step then costs nothing per integration point"},
    {"springs", SW_FIELD_INT, AT(swFrames, springs), FROM_TO(1, 1000), .number = {2},
     .doc = "`precompute`: maximum number of springs per frame; more of them follow large bending "
            "better"},
    {"adapt", SW_FIELD_OBJECT, AT(swFrames, adapt), .table = &adapt_table,
     .doc = "frames inserted while the body moves"},
};
const swTable sw_frames_table = {"frames", TABLE(frames_fields)};

static const swField key_fields[] = {
    {"t", SW_FIELD_REAL, AT(swKey, t), .unit = "s", REQUIRED, .doc = "time, in ascending order"},
    {"rotate", SW_FIELD_OBJECT, AT(swKey, pose), .table = &rotate_table,
     .doc = "rotation from the place at rest, in the world"},
    {"translate", SW_FIELD_VEC3, AT(swKey, pose.translate), .unit = "m",
     .doc = "translation from the place at rest, applied after the rotation"},
};
const swTable sw_key_table = {"keys[]", TABLE(key_fields), .size = sizeof(swKey), .line = true};

// A rigid motion given by keys, for any struct that has one.
#define MOTION(type) \
    { \
        "keys", SW_FIELD_LIST, AT(type, keys), \
            .table = &sw_key_table, FROM_TO(1, 100000), REQUIRED, \
            .doc = "places at given times: interpolated linearly in between, held before the " \
                   "first and after the last" \
    }
static const swField motion_fields[] = {MOTION(swHandle)};
static const swField collider_motion_fields[] = {MOTION(swCollider)};
static const swTable motion_table = {"motion", TABLE(motion_fields)};
static const swTable collider_motion_table = {"motion of a collider",
                                              TABLE(collider_motion_fields)};

static const swField handle_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swHandle, name), NOT_EMPTY, REQUIRED,
     .doc = "unique among the body's handles"},
    {"region", SW_FIELD_SHAPE, AT(swHandle, region), .table = &sw_region_table, REQUIRED,
     .doc = "the part of the body that it carries, at rest"},
    {"motion", SW_FIELD_CHOICE, AT(swHandle, motion), NAMES("free", "fixed"),
     .table = &motion_table, .number = {SW_MOTION_FIXED},
     .doc = "simulated as a rigid part, held in place, or moved by keys"},
};
const swTable sw_handle_table = {"handles[]", TABLE(handle_fields), .size = sizeof(swHandle),
                                 .named = true, .item = "handle"};

static const swField skeleton_fields[] = {
    {"file", SW_FIELD_FILE, AT(swSkeleton, file), NOT_EMPTY, REQUIRED,
     .doc = "a character (.glb, .gltf) or motion capture (.bvh); path relative to the folder of "
            "the scene file"},
    {"clip", SW_FIELD_TEXT, AT(swSkeleton, clip), NOT_EMPTY,
     .doc = "the clip to play, by name or by number from 0; `none`: the rest pose is held; by "
            "default the first clip"},
    {"soft", SW_FIELD_TEXTS, AT(swSkeleton, soft), .count_offset = offsetof(swSkeleton, nsoft),
     UP_TO(1000),
     .doc = "patterns such as `\"*tail*\"` of bones that are simulated, as free handles, instead "
            "of following the clip"},
    {"bones", SW_FIELD_TEXTS, AT(swSkeleton, bones), .count_offset = offsetof(swSkeleton, nbones),
     UP_TO(1000), .doc = "patterns of the bones to use; by default all"},
    {"radius", SW_FIELD_REAL, AT(swSkeleton, radius), BETWEEN(0, 1), .number = {0.4},
     .doc = "radius of a bone, as a fraction of the distance from its axis to the surface"},
    {"repeat", SW_FIELD_INT, AT(swSkeleton, repeat), FROM_TO(1, 10000), .number = {1},
     .doc = "how many times the clip is played"},
    {"lead", SW_FIELD_REAL, AT(swSkeleton, lead), FROM_TO(0, 1000), .number = {0.5}, .unit = "s",
     .doc = "time from rest to the clip's first pose; 0: it starts in that pose, already moving"},
    {"follow", SW_FIELD_REAL, AT(swSkeleton, follow), FROM_TO(0, 1000), .unit = "Hz",
     .doc = "simulated bones are pulled towards their pose in the clip by springs, with which "
            "alone they would oscillate at this frequency; 0: they hang freely"},
    {"scale", SW_FIELD_REAL, AT(swSkeleton, scale), ABOVE(0), .number = {1},
     .doc = "factor from file units to metres; if the shape is the mesh of the same file, the "
            "skeleton is placed as that mesh is instead"},
};
const swTable sw_skeleton_table = {"skeleton", TABLE(skeleton_fields), .size = sizeof(swSkeleton)};

static const swField load_fields[] = {
    {"force", SW_FIELD_VEC3, AT(swLoad, force), .unit = "N", EITHER, .doc = "total force"},
    {"traction", SW_FIELD_VEC3, AT(swLoad, traction), .unit = "N/m^2", EITHER,
     .doc = "force per area at rest, on the surface inside the region"},
    {"pressure", SW_FIELD_REAL, AT(swLoad, pressure), .unit = "Pa", EITHER,
     .doc = "force per area at rest, against the outward normal at rest"},
    {"on", SW_FIELD_SHAPE, AT(swLoad, on), .table = &sw_region_table, REQUIRED,
     .doc = "the region where it acts, at rest"},
};
const swTable sw_load_table = {"loads[]", TABLE(load_fields), .size = sizeof(swLoad),
                               .exactly_one = true};

static const swField slide_fields[] = {
    {"region", SW_FIELD_SHAPE, AT(swSlide, region), .table = &sw_region_table, REQUIRED,
     .doc =
         "selects the vertices, at rest; vertices held by a handle move with the handle instead"},
    {"axis", SW_FIELD_ENUM, AT(swSlide, axis), NAMES("x", "y", "z"), REQUIRED,
     .doc = "axis of the world along which the vertices keep their initial position"},
};
const swTable sw_slide_table = {"slides[]", TABLE(slide_fields), .size = sizeof(swSlide),
                                .line = true};

// ---- actuation ----
static const swField activation_fields[] = {
    {"t", SW_FIELD_REAL, AT(swActivationKey, t), .unit = "s", REQUIRED,
     .doc = "time, in ascending order"},
    {"value", SW_FIELD_REAL, AT(swActivationKey, value), FROM_TO(0, 1), REQUIRED,
     .doc = "fraction of the strength, or of the way to a rest shape"},
};
const swTable sw_activation_table = {"keys[] of an activation", TABLE(activation_fields),
                                     .size = sizeof(swActivationKey), .line = true};

// A share over time, for any struct that has one.
#define COURSE(type) \
    {"keys", \
     SW_FIELD_LIST, \
     AT(type, keys), \
     .table = &sw_activation_table, \
     FROM_TO(1, 100000), \
     REQUIRED, \
     .doc = "values at given times: interpolated linearly in between, held before the first and " \
            "after the last"}, \
    { \
        "repeat", SW_FIELD_REAL, AT(type, repeat), ABOVE(0), \
            .number = {NAN}, .unit = "s", \
            .doc = "period after which the keys start again; by default they do not" \
    }
static const swField fibre_course_fields[] = {COURSE(swFibre)};
static const swField muscle_course_fields[] = {COURSE(swMuscle)};
static const swField shape_course_fields[] = {COURSE(swRestShape)};
static const swTable fibre_course_table = {"activation", TABLE(fibre_course_fields), .line = true};
static const swTable muscle_course_table = {"activation of a muscle", TABLE(muscle_course_fields),
                                            .line = true};
static const swTable shape_course_table = {"value of a rest shape", TABLE(shape_course_fields),
                                           .line = true};

static const swField cut_fields[] = {
    {"t", SW_FIELD_REAL, AT(swCut, t), AT_LEAST(0), .unit = "s", .doc = "time of the cut"},
    {"region", SW_FIELD_SHAPE, AT(swCut, region), .table = &sw_region_table, REQUIRED,
     .doc = "what is removed, at rest; a box thinner than a voxel is made thicker"},
};
const swTable sw_cut_table = {"cuts[]", TABLE(cut_fields), .size = sizeof(swCut), .line = true};

static const swField end_fields[] = {
    {"handle", SW_FIELD_TEXT, AT(swMuscleEnd, handle), NOT_EMPTY,
     .doc = "name of a handle of the body, a bone or a rigid part; this end then moves with that "
            "alone"},
    {"point", SW_FIELD_VEC3, AT(swMuscleEnd, point), .number = {NAN, NAN, NAN}, .unit = "m",
     .doc =
         "a point at rest; without a handle, a point of the body; by default the handle's centre"},
};
static const swTable end_table = {"from, to of a muscle or beam", TABLE(end_fields), .line = true};

static const swField muscle_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swMuscle, name), NOT_EMPTY, REQUIRED,
     .doc = "unique among the body's muscles"},
    {"from", SW_FIELD_OBJECT, AT(swMuscle, from), .table = &end_table, .doc = "one end"},
    {"to", SW_FIELD_OBJECT, AT(swMuscle, to), .table = &end_table, .doc = "the other end"},
    {"strength", SW_FIELD_REAL, AT(swMuscle, strength), AT_LEAST(0), .unit = "N",
     .doc = "force along the line at activation 1, whatever its length"},
    {"stiffness", SW_FIELD_REAL, AT(swMuscle, stiffness), AT_LEAST(0), .unit = "N/m",
     .doc = "passive stiffness, when longer than at rest"},
    {"length", SW_FIELD_REAL, AT(swMuscle, length), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "length at rest; by default the distance between its ends"},
    {"activation", SW_FIELD_COURSE, AT(swMuscle, activation), .table = &muscle_course_table,
     FROM_TO(0, 1), .doc = "active fraction of the strength: constant, or given by keys"},
};
const swTable sw_muscle_table = {"muscles[]", TABLE(muscle_fields), .size = sizeof(swMuscle),
                                 .named = true, .item = "muscle"};

static const swField beam_fields[] = {
    {"from", SW_FIELD_OBJECT, AT(swBeam, from), .table = &end_table, .doc = "one end, at a handle"},
    {"to", SW_FIELD_OBJECT, AT(swBeam, to), .table = &end_table,
     .doc = "the other end, at another handle"},
    {"young", SW_FIELD_REAL, AT(swBeam, young), ABOVE(0), REQUIRED, .unit = "Pa",
     .doc = "Young's modulus"},
    {"poisson", SW_FIELD_REAL, AT(swBeam, poisson), FROM_TO(-0.99, 0.5), .number = {0.3},
     .doc = "Poisson's ratio, for torsion"},
    {"radius", SW_FIELD_REAL, AT(swBeam, radius), ABOVE(0), REQUIRED, .unit = "m",
     .doc = "radius of its circular cross-section"},
    {"density", SW_FIELD_REAL, AT(swBeam, density), AT_LEAST(0), .unit = "kg/m^3",
     .doc = "density, in addition to that of the surrounding material"},
};
const swTable sw_beam_table = {"beams[]", TABLE(beam_fields), .size = sizeof(swBeam)};

static const swField deform_fields[] = {
    {"stretch", SW_FIELD_VEC3, AT(swDeform, stretch), FROM_TO(0.05, 20), .number = {1, 1, 1},
     .doc = "stretch along x, y and z"},
    {"bend", SW_FIELD_ANGLE, AT(swDeform, bend), .unit = "degrees", EITHER,
     .doc = "the line from `from` to `to` becomes an arc of this angle, about `axis`"},
    {"twist", SW_FIELD_ANGLE, AT(swDeform, twist), .unit = "degrees", EITHER,
     .doc = "the section at `to` is turned about the line by this angle"},
    {"from", SW_FIELD_VEC3, AT(swDeform, from), .unit = "m",
     .doc = "`bend`, `twist`: start of the line"},
    {"to", SW_FIELD_VEC3, AT(swDeform, to), .unit = "m", .doc = "`bend`, `twist`: end of the line"},
    {"axis", SW_FIELD_VEC3, AT(swDeform, axis), NOT_ZERO, .number = {0, 0, 1},
     .doc =
         "`bend`: the axis about which the line turns, counter-clockwise when looking against it"},
    {"file", SW_FIELD_FILE, AT(swDeform, file), NOT_EMPTY,
     .doc = "instead of these: a mesh of the body's surface in another pose, as written by `sinew "
            "run -o pose.obj`; path relative to the folder of the scene file"},
    {"on", SW_FIELD_SHAPE, AT(swDeform, on), .table = &sw_region_table,
     .doc = "the region that is changed, at rest; by default everything"},
};
const swTable sw_deform_table = {"parts[]", TABLE(deform_fields), .size = sizeof(swDeform),
                                 .line = true};

static const swField rest_shape_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swRestShape, name), NOT_EMPTY, REQUIRED,
     .doc = "unique among the body's shapes"},
    {"follow", SW_FIELD_REAL, AT(swRestShape, follow), FROM_TO(0.001, 1000), .number = {NAN},
     EITHER,
     .doc = "the body chooses the fraction itself, as the one of least energy; this is the "
            "stiffness that holds the fraction at 0, relative to the body's"},
    {"value", SW_FIELD_COURSE, AT(swRestShape, value), .table = &shape_course_table, FROM_TO(0, 1),
     EITHER, .doc = "fraction of the way to this shape: constant, or given by keys"},
    {"parts", SW_FIELD_LIST, AT(swRestShape, parts), .table = &sw_deform_table, FROM_TO(1, 1000),
     REQUIRED, .doc = "what differs from the body at rest; later parts paint over earlier ones"},
};
const swTable sw_rest_shape_table = {"shapes[]", TABLE(rest_shape_fields),
                                     .size = sizeof(swRestShape), .named = true, .item = "shape"};

static const swField pose_fields[] = {
    {"rotate", SW_FIELD_OBJECT, .table = &rotate_table, .doc = "applied first"},
    {"translate", SW_FIELD_VEC3, AT(swPose, translate), .unit = "m", .doc = "applied second"},
};
const swTable sw_pose_table = {"place", TABLE(pose_fields), .line = true};
// ---- the scene ----
static const swField fibre_fields[] = {
    {"direction", SW_FIELD_VEC3, AT(swFibre, direction), NOT_ZERO, .number = {1, 0, 0},
     .doc = "direction in the body's rest coordinates, of any length"},
    {"stiffness", SW_FIELD_REAL, AT(swFibre, stiffness), AT_LEAST(0), .unit = "Pa",
     .doc = "passive stiffness: k1 in k1/(2 k2) (exp(k2 (I4 - 1)^2) - 1), which acts only where "
            "fibres are stretched"},
    {"exponent", SW_FIELD_REAL, AT(swFibre, exponent), FROM_TO(1e-6, 1e6), .number = {1},
     .doc = "k2: how quickly the fibres stiffen"},
    {"strength", SW_FIELD_REAL, AT(swFibre, strength), AT_LEAST(0), .unit = "Pa",
     .doc = "active stress along the fibre at activation 1, per area at rest"},
    {"activation", SW_FIELD_COURSE, AT(swFibre, activation), .table = &fibre_course_table,
     FROM_TO(0, 1), .doc = "active fraction of the strength: constant, or given by keys"},
};
static const swTable fibre_table = {"fibre", TABLE(fibre_fields), .line = true};

static const swField material_fields[] = {
    {"law", SW_FIELD_NAME, AT(swMaterial, law), .name_at = sw_law_name, .text = "neo-hookean",
     .doc = "the constitutive law"},
    {"young", SW_FIELD_REAL, AT(swMaterial, young), ABOVE(0), .number = {1e5}, .unit = "Pa",
     .doc = "Young's modulus at rest"},
    {"poisson", SW_FIELD_REAL, AT(swMaterial, poisson), BETWEEN(-1, 0.5), .number = {0.3},
     .doc = "Poisson's ratio at rest"},
    {"density", SW_FIELD_REAL, AT(swMaterial, density), ABOVE(0), .number = {1000},
     .unit = "kg/m^3", .doc = "mass per volume at rest"},
    {"volume", SW_FIELD_REAL, AT(swMaterial, volume), AT_LEAST(0), .unit = "Pa",
     .doc = "adds volume/2 (J - 1)^2 to the energy density of the law"},
    {"fibre", SW_FIELD_OBJECT, AT(swMaterial, fibre), .table = &fibre_table,
     .doc = "muscle or tendon fibres, in addition to the law"},
    {"yield", SW_FIELD_REAL, AT(swMaterial, yield), ABOVE(0), .number = {NAN}, .unit = "Pa",
     .doc = "yield stress in tension (von Mises); by default the material never yields"},
    {"hardening", SW_FIELD_REAL, AT(swMaterial, hardening), AT_LEAST(0), .unit = "Pa",
     .doc = "increase of the yield stress with plastic strain"},
    {"plasticity", SW_FIELD_ENUM, AT(swMaterial, plasticity), NAMES("multiplicative", "additive"),
     .doc = "`multiplicative`: F = Fe Fp, with any law, preserves volume; `additive`: elastic and "
            "plastic strain add up, with `linear` or `stvk`"},
    {"creep", SW_FIELD_REAL, AT(swMaterial, creep), ABOVE(0), .number = {NAN}, .unit = "1/s",
     .doc = "rate at which stress above `yield` decays; by default, and in statics always, it does "
            "so at once"},
    {"limit", SW_FIELD_REAL, AT(swMaterial, limit), ABOVE(0), .number = {NAN},
     .doc = "largest possible plastic strain; additive plasticity only"},
    {"toughness", SW_FIELD_REAL, AT(swMaterial, toughness), ABOVE(0), .number = {NAN}, .unit = "Pa",
     .doc = "tensile stress at which it tears, in bodies of linear `tets`; by default it never "
            "does: [fracture](fracture.md)"},
    {"rigid", SW_FIELD_ENUM, AT(swMaterial, rigid), NAMES("auto", "always", "never"),
     .doc = "whether each connected piece of it moves as a rigid part, a free handle of its own; "
            "`auto`: if it is at least 10 000 times stiffer than the softest material of the body"},
};
const swTable sw_material_table = {"materials", TABLE(material_fields), .size = sizeof(swMaterial),
                                   .named = true, .line = true};

static const swField collider_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swCollider, name), NOT_EMPTY, REQUIRED,
     .doc = "unique among colliders"},
    {.type = SW_FIELD_EMBED, AT(swCollider, shape), .table = &obstacle_table},
    {"place", SW_FIELD_OBJECT, AT(swCollider, place), .table = &sw_pose_table,
     .doc = "transform from the coordinates of its shape to the world"},
    {"motion", SW_FIELD_CHOICE, AT(swCollider, motion), NAMES("fixed", "program"),
     .table = &collider_motion_table, .number = {SW_COLLIDER_FIXED},
     .doc = "held in place, moved by the calling program, or moved by keys"},
    {"friction", SW_FIELD_REAL, AT(swCollider, friction), AT_LEAST(0), .number = {0.3},
     .doc = "Coulomb friction coefficient"},
    {"stiffness", SW_FIELD_REAL, AT(swCollider, stiffness), ABOVE(0), .number = {NAN},
     .unit = "Pa/m",
     .doc = "contact pressure per depth; by default the body's lowest Young's modulus divided by "
            "its voxel size"},
};
const swTable sw_collider_table = {
    "colliders[]", TABLE(collider_fields), .size = sizeof(swCollider),
    .named = true, .item = "collider",     .exactly_one = true};

static const swField joint_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swJoint, name), NOT_EMPTY, REQUIRED, .doc = "unique among joints"},
    {"body", SW_FIELD_TEXT, AT(swJoint, body), NOT_EMPTY, REQUIRED, .doc = "name of a body"},
    {"to", SW_FIELD_TEXT, AT(swJoint, to), NOT_EMPTY, REQUIRED,
     .doc = "name of the body it is joined to"},
    {"at", SW_FIELD_VEC3, AT(swJoint, at), .unit = "m", REQUIRED,
     .doc = "a point of both bodies as placed at t = 0, about which they can turn"},
    {"stiffness", SW_FIELD_REAL, AT(swJoint, stiffness), ABOVE(0), .unit = "N/m", REQUIRED,
     .doc = "stiffness of the spring that holds the two points together"},
};
const swTable sw_joint_table = {"joints[]",    TABLE(joint_fields), .size = sizeof(swJoint),
                                .named = true, .item = "joint",     .line = true};

static const swField probe_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swProbe, name), NOT_EMPTY, REQUIRED, .doc = "unique among probes"},
    {"body", SW_FIELD_TEXT, AT(swProbe, body), NOT_EMPTY,
     .doc = "name of a body; may be omitted if there is only one"},
    {"point", SW_FIELD_VEC3, AT(swProbe, point), .unit = "m", REQUIRED,
     .doc = "a point of the body at rest, whose motion is reported"},
};
const swTable sw_probe_table = {"probes[]",    TABLE(probe_fields), .size = sizeof(swProbe),
                                .named = true, .item = "probe",     .line = true};

static const swField time_fields[] = {
    {"step", SW_FIELD_REAL, AT(swTime, step), ABOVE(0), .number = {0.01}, .unit = "s",
     .doc = "time step"},
    {"end", SW_FIELD_REAL, AT(swTime, end), AT_LEAST(0), .number = {1}, .unit = "s",
     .doc = "the simulation runs from 0 to this time"},
    {"integrator", SW_FIELD_NAME, AT(swTime, integrator), .name_at = sw_integrator_name,
     .text = "implicit-euler", .doc = "time integration method"},
};
static const swField solver_fields[] = {
    {"tolerance", SW_FIELD_REAL, AT(swSolverDef, tolerance), BETWEEN(0, 1), .number = {1e-6},
     .doc = "largest residual force allowed, relative to the largest force acting"},
    {"iterations", SW_FIELD_INT, AT(swSolverDef, iterations), FROM_TO(1, 1000000), .number = {200},
     .doc = "maximum number of Newton iterations per step or load increment"},
    {"increments", SW_FIELD_INT, AT(swSolverDef, increments), FROM_TO(1, 1000000), .number = {1},
     .doc = "number of load increments of a static analysis, if none has to be divided"},
    {"path", SW_FIELD_ENUM, AT(swSolverDef, path), NAMES("auto", "load", "arc-length"),
     .number = {SW_PATH_AUTO},
     .doc = "statics: `load` applies the load in increments; `arc-length` follows the equilibrium "
            "path, past limit points; `auto` does so where load increments fail"},
    {"saddles", SW_FIELD_ENUM, AT(swSolverDef, saddles), NAMES("leave", "keep"),
     .number = {SW_SADDLES_LEAVE},
     .doc = "statics: whether an unstable equilibrium is left along its unstable mode, or kept and "
            "reported; points of an arc-length path are always kept"},
    {"tangent", SW_FIELD_ENUM, AT(swSolverDef, tangent), NAMES("exact", "gauss-newton"),
     .number = {SW_TANGENT_EXACT},
     .doc = "dual quaternions: whether the tangent includes the second derivatives of the motion "
            "(`exact`) or not (`gauss-newton`)"},
    {"definite", SW_FIELD_ENUM, AT(swSolverDef, definite), NAMES("clamp", "absolute"),
     .number = {SW_DEFINITE_CLAMP},
     .doc = "what negative eigenvalues of a tangent are replaced by where Newton's method needs it "
            "positive definite: zero, or their absolute value"},
    {"linear", SW_FIELD_ENUM, AT(swSolverDef, linear), NAMES("auto", "dense", "sparse", "cg"),
     .number = {SW_LINEAR_AUTO},
     .doc = "how linear systems are solved: by dense or sparse Cholesky factorisation, or by "
            "conjugate gradients; `auto` chooses by problem size"},
    {"sleep", SW_FIELD_BOOL, AT(swSolverDef, sleep), .number = {1},
     .doc = "whether bodies sleep once they have hardly moved for half a second: they are then "
            "left as they are until something touches, pulls or changes them"},
};
static const swField modal_fields[] = {
    {"count", SW_FIELD_INT, AT(swModalDef, count), FROM_TO(1, 1000), .number = {12},
     .doc = "maximum number of vibration modes per body"},
    {"about", SW_FIELD_ENUM, AT(swModalDef, about), NAMES("rest", "static"),
     .number = {SW_ABOUT_REST},
     .doc = "the state that bodies vibrate about: the scene at t = 0 without its loads, or "
            "equilibrium under them"},
};
static const swTable modal_table = {"modal", TABLE(modal_fields), .line = true};
static const swTable time_table = {"time", TABLE(time_fields), .line = true};
static const swTable solver_table = {"solver", TABLE(solver_fields), .line = true};

static const swField scene_fields[] = {
    {"sinew", SW_FIELD_VERSION, .number = {1}, REQUIRED, .doc = "version of the format"},
    {"title", SW_FIELD_TEXT, AT(swScene, title), .text = "", .doc = "one-line description"},
    {"gravity", SW_FIELD_VEC3, AT(swScene, gravity), .number = {0, -9.81, 0}, .unit = "m/s^2",
     .doc = "gravitational acceleration"},
    {"analysis", SW_FIELD_ENUM, AT(swScene, analysis), NAMES("dynamic", "static", "modal"),
     .doc = "motion over time, equilibrium under the loads, or natural frequencies"},
    {"time", SW_FIELD_OBJECT, AT(swScene, time), .table = &time_table, .doc = "time stepping"},
    {"solver", SW_FIELD_OBJECT, AT(swScene, solver), .table = &solver_table,
     .doc = "how the equations of each step are solved"},
    {"modal", SW_FIELD_OBJECT, AT(swScene, modal), .table = &modal_table,
     .doc = "options of the `modal` analysis"},
    {"materials", SW_FIELD_MAP, AT(swScene, materials), .table = &sw_material_table, UP_TO(1000),
     .doc = "materials of the bodies, by name; if there are none, one named `default` is created"},
    {"bodies", SW_FIELD_LIST, AT(swScene, bodies), .table = &sw_body_table, FROM_TO(1, 100000),
     REQUIRED, .doc = "the bodies to simulate"},
    {"colliders", SW_FIELD_LIST, AT(swScene, colliders), .table = &sw_collider_table, UP_TO(1000),
     .doc = "obstacles that bodies collide with"},
    {"joints", SW_FIELD_LIST, AT(swScene, joints), .table = &sw_joint_table, UP_TO(10000),
     .doc = "joints that hold bodies together"},
    {"probes", SW_FIELD_LIST, AT(swScene, probes), .table = &sw_probe_table, UP_TO(10000),
     .doc = "points whose motion is reported"},
};
const swTable sw_scene_table = {"scene", TABLE(scene_fields), .size = sizeof(swScene)};

swTable sw_schema_material(const swMaterial *material, swField field[SW_MATERIAL_FIELDS]) {
    swTable table = sw_material_table;
    memcpy(field, material_fields, sizeof material_fields);
    const swLaw *law = material->law ? sw_law_find(material->law) : NULL;
    for (int i = 0; law && i < law->nparam; i++) {
        const swLawParam *p = &law->param[i];
        swRangeKind kind = isfinite(p->hi) ? SW_FROM_TO : isfinite(p->lo) ? SW_AT_LEAST : SW_ANY;
        field[table.count++] = (swField){p->name,
                                         SW_FIELD_REAL,
                                         offsetof(swMaterial, param) + (size_t)i * sizeof(swReal),
                                         .unit = p->unit,
                                         .number = {NAN},
                                         .range = {kind, p->lo, p->hi},
                                         .doc = p->doc};
    }
    table.field = field;
    return table;
}

swReal sw_schema_radians(swReal degrees) { return degrees * (SW_PI / 180); }

// Degrees that convert to exactly these radians, with few digits if possible.
static bool exact_degrees(swReal radians, swReal *degrees) {
    swReal near = radians * (180 / SW_PI), up = near, down = near;
    *degrees = near;
    for (int digits = 15; digits <= 17 && isfinite(near); digits++) {
        char text[40];
        int n = snprintf(text, sizeof text, "%.*e", digits - 1, near);
        char *comma = strchr(text, ','); // decimal point of the locale
        if (comma)
            *comma = '.';
        if (sw_text_number(text, text + n, degrees) && sw_schema_radians(*degrees) == radians)
            return true;
    }
    for (int i = 0; i < 4; i++) {
        *degrees = up = nextafter(up, INFINITY);
        if (sw_schema_radians(up) == radians)
            return true;
        *degrees = down = nextafter(down, -INFINITY);
        if (sw_schema_radians(down) == radians)
            return true;
    }
    *degrees = near;
    return false;
}

swReal sw_schema_degrees(swReal radians) {
    swReal degrees;
    // Some radians lie between two neighbouring degrees: then use the radians of a neighbour.
    if (!exact_degrees(radians, &degrees))
        exact_degrees(sw_schema_radians(degrees), &degrees);
    return degrees;
}

// ---- walking the tables ----
const swField *sw_schema_kind(const swTable *kinds, int kind) {
    for (int i = 0; i < kinds->count; i++) {
        const swField *f = &kinds->field[i];
        if ((f->type == SW_FIELD_KIND || f->type == SW_FIELD_UNION || f->type == SW_FIELD_LABEL) &&
            f->kind == kind)
            return f;
    }
    return NULL;
}

const swField *sw_schema_any_kind(int kind) {
    const swField *f = sw_schema_kind(&sw_region_table, kind);
    return f ? f : sw_schema_kind(&sw_shape_table, kind);
}

void sw_schema_default(const swTable *table, void *object) {
    for (int i = 0; i < table->count; i++) {
        const swField *f = &table->field[i];
        char *at = (char *)object + f->offset;
        swReal number[3];
        for (int k = 0; k < 3; k++)
            number[k] = f->required ? NAN : f->number[k];
        int whole = f->type == SW_FIELD_INT || f->type == SW_FIELD_ENUM ||
                            f->type == SW_FIELD_CHOICE || f->type == SW_FIELD_SWITCH
                        ? (int)f->number[0]
                        : 0;
        switch (f->type) {
        case SW_FIELD_COURSE:
            sw_schema_default(f->table, object);
            memcpy(at, number, sizeof(swReal));
            break;
        case SW_FIELD_REAL:
        case SW_FIELD_ANGLE: memcpy(at, number, sizeof(swReal)); break;
        case SW_FIELD_PAIR: memcpy(at, number, 2 * sizeof(swReal)); break;
        case SW_FIELD_VEC3: memcpy(at, number, sizeof(swVec3)); break;
        case SW_FIELD_INT:
        case SW_FIELD_ENUM:
        case SW_FIELD_SWITCH:
        case SW_FIELD_CHOICE: memcpy(at, &whole, sizeof whole); break;
        case SW_FIELD_BOOL: *(bool *)at = f->number[0] != 0; break;
        case SW_FIELD_TEXT:
        case SW_FIELD_FILE:
        case SW_FIELD_NAME: sw_pointer_put(at, 0, f->text); break;
        case SW_FIELD_OBJECT: sw_schema_default(f->table, at); break;
        default: break; // lists and shapes start empty
        }
    }
}
