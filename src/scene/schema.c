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
     .doc = "angle, counter-clockwise looking against the axis"},
    {"about", SW_FIELD_VEC3, AT(swPose, about), .unit = "m", .doc = "a point of the axis"},
};
static const swTable rotate_table = {"rotate", TABLE(rotate_fields), .line = true};

static const swField box_fields[] = {
    {"size", SW_FIELD_VEC3, AT(swShape, size), ABOVE(0), .unit = "m", REQUIRED,
     .doc = "lengths of its edges along x, y and z"},
    {"center", SW_FIELD_VEC3, AT(swShape, center), .unit = "m", .doc = "its centre"},
};
static const swField region_box_fields[] = {
    {"size", SW_FIELD_VEC3, AT(swShape, size), AT_LEAST(0), .unit = "m", REQUIRED,
     .doc = "lengths of its edges along x, y and z; 0 selects what a face touches"},
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
     .doc = "of its base"},
    {"top", SW_FIELD_REAL, AT(swShape, top), AT_LEAST(0), .unit = "m",
     .doc = "radius of its other end; 0: an apex"},
};
static const swField extrude_fields[] = {
    {"polygon", SW_FIELD_POLYGON, AT(swShape, polygon), .count_offset = offsetof(swShape, npolygon),
     FROM_TO(3, 10000), .unit = "m", REQUIRED,
     .doc = "corners in the plane of x and y, either way round; closes by itself"},
    {"z", SW_FIELD_PAIR, AT(swShape, zrange), .unit = "m", REQUIRED, .doc = "lowest and highest z"},
};
static const swField mesh_fields[] = {
    {"file", SW_FIELD_FILE, AT(swShape, file), NOT_EMPTY, REQUIRED,
     .doc = "a surface mesh; relative to the folder of the scene file"},
    {"scale", SW_FIELD_REAL, AT(swShape, scale), ABOVE(0), .number = {1},
     .doc = "applied first; 0.001 for a mesh in millimetres"},
    {"rotate", SW_FIELD_OBJECT, AT(swShape, pose), .table = &rotate_table, .doc = "applied second"},
    {"translate", SW_FIELD_VEC3, AT(swShape, pose.translate), .unit = "m", .doc = "applied last"},
};
static const swField map_fields[] = {
    {"young", SW_FIELD_GRAPH, AT(swShape, young), .count_offset = offsetof(swShape, nyoung),
     ABOVE(0), .unit = "Pa", .doc = "grey values to Young's modulus, instead of the material's"},
    {"density", SW_FIELD_GRAPH, AT(swShape, density), .count_offset = offsetof(swShape, ndensity),
     ABOVE(0), .unit = "kg/m^3", .doc = "grey values to density, instead of the material's"},
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
     .doc = "an image in space, or a picture; relative to the folder of the scene file"},
    {"labels", SW_FIELD_LABELS, AT(swShape, labels), UP_TO(1000),
     .doc = "what is filled and with which material: `{\"1-3, 12\": \"bone\"}`; by default all but "
            "0, with the shape's material"},
    {"map", SW_FIELD_OBJECT, .table = &map_table,
     .doc = "grey values to stiffness and density: linear between, held outside; 0 is empty"},
    {"pixel", SW_FIELD_REAL, AT(swShape, pixel), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "edge of a pixel; a picture needs it"},
    {"thickness", SW_FIELD_REAL, AT(swShape, thickness), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "of a picture, half on either side of z = 0; by default one pixel"},
    {"scale", SW_FIELD_REAL, AT(swShape, scale), ABOVE(0), .number = {NAN},
     .doc = "applied first; by default the file's own unit where it names one, else 1"},
    {"rotate", SW_FIELD_OBJECT, AT(swShape, pose), .table = &rotate_table, .doc = "applied second"},
    {"translate", SW_FIELD_VEC3, AT(swShape, pose.translate), .unit = "m", .doc = "applied last"},
    {"fill", SW_FIELD_OBJECT, .table = &fill_table,
     .doc = "what gaps between labels are filled with"},
};
static const swField plane_fields[] = {
    {"normal", SW_FIELD_VEC3, AT(swShape, normal), NOT_ZERO, .number = {0, 1, 0},
     .doc = "out of the solid side, of any length"},
    {"offset", SW_FIELD_REAL, AT(swShape, offset), .unit = "m",
     .doc = "of the plane from the origin, along the normal"},
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
    KIND("box", SW_SHAPE_BOX, box_fields_of_it, "a box along the axes"), \
        KIND("sphere", SW_SHAPE_SPHERE, sphere_table, "a ball"), \
        KIND("capsule", SW_SHAPE_CAPSULE, capsule_table, \
             "all points within a radius of a segment"), \
        KIND("cylinder", SW_SHAPE_CYLINDER, capsule_table, "a round cylinder with flat ends"), \
        KIND("cone", SW_SHAPE_CONE, cone_table, \
             "a round cone with flat ends, or an end and an apex"), \
        KIND("extrude", SW_SHAPE_EXTRUDE, extrude_table, "a polygon in x and y, drawn along z"), \
        KIND("mesh", SW_SHAPE_MESH, mesh_table, "the inside of a surface mesh")
#define DOC_UNION "several shapes, later ones painting over earlier ones"

static const swField shape_fields[] = {
    SOLIDS(box_table),
    KIND("volume", SW_SHAPE_VOLUME, volume_table, "labels or grey values of an image in space"),
    {"union", SW_FIELD_UNION, .table = &sw_shape_table, .kind = SW_SHAPE_UNION, FROM_TO(1, 10000),
     EITHER, .doc = DOC_UNION},
    {"material", SW_FIELD_TEXT, AT(swShape, material), NOT_EMPTY,
     .doc = "name of a material; by default that of the union around it, or the scene's only one"},
};
const swTable sw_shape_table = {"shape", TABLE(shape_fields), .size = sizeof(swShape),
                                .exactly_one = true};

static const swField region_fields[] = {
    SOLIDS(region_box_table),
    KIND("halfspace", SW_SHAPE_HALFSPACE, plane_table, "the points with normal . x <= offset"),
    {"label", SW_FIELD_LABEL, AT(swShape, label), .kind = SW_SHAPE_LABEL, EITHER,
     .doc = "what the body's images give these labels: `95`, `\"12-26, 30\"`"},
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
     .doc = "how a frame's influence fades: `voronoi` with the distance to the frames around, "
            "`smooth` as the part nearest to it blurred, `harmonic` like heat, `eigenmodes` in the "
            "body's softest modes, `shepard` with a power of the distance, `hat` linearly along an "
            "axis, `spline` as a cubic along it, `painted` as images say"},
    {"distance", SW_FIELD_ENUM, AT(swWeightsDef, distance),
     NAMES("euclidean", "geodesic", "compliance"), .number = {SW_DISTANCE_GEODESIC},
     .doc = "by which frames are placed and weights fade: straight through the air (`shepard` "
            "alone), inside the body, or inside it with what is stiff being short (1/young)"},
    {"levels", SW_FIELD_INT, AT(swWeightsDef, levels), FROM_TO(1, 8), .number = {2},
     .doc = "`voronoi`: isosurfaces between the border of a frame's part and the frames around it"},
    {"spread", SW_FIELD_REAL, AT(swWeightsDef, spread), FROM_TO(0.01, 100), .number = {2},
     .doc = "`smooth`: how far the parts of frames are blurred, relative to the mean square of the "
            "distance to the nearest frame"},
    {"power", SW_FIELD_REAL, AT(swWeightsDef, power), AT_LEAST(1), .number = {2},
     .doc = "`shepard`: the weight is distance^-power"},
    {"axis", SW_FIELD_VEC3, AT(swWeightsDef, axis),
     .doc = "`hat`, `spline`: the axis; zero means the body's longest side"},
    {"maps", SW_FIELD_FILE, AT(swWeightsDef, maps),
     .doc =
         "`painted`: images of the weights, one for each frame, with `%d` for its number from 0"},
};
static const swTable weights_table = {"weights", TABLE(weights_fields), .line = true};

static const swField adapt_fields[] = {
    {"budget", SW_FIELD_INT, AT(swAdapt, budget), FROM_TO(0, SW_INSERTS), .number = {0},
     .doc = "frames that may be there at a time beside the others, inserted while the body moves; "
            "with 0 the body is not prepared for any"},
    {"range", SW_FIELD_REAL, AT(swAdapt, range), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "how far from its centre an inserted frame acts, at rest; by default a quarter of the "
            "cube root of the body's volume, and four voxels at least; from two voxels to the "
            "body's diagonal"},
    {"distance", SW_FIELD_ENUM, AT(swAdapt, distance), NAMES("euclidean", "geodesic"),
     .number = {SW_DISTANCE_GEODESIC},
     .doc = "how that is measured: straight through the air, or inside the body"},
    {"contact", SW_FIELD_BOOL, AT(swAdapt, contact), .number = {1},
     .doc = "whether frames are inserted where something presses or pulls"},
    {"strain", SW_FIELD_REAL, AT(swAdapt, strain), ABOVE(0), .number = {NAN},
     .doc = "frames are inserted where the largest principal strain exceeds this; by default "
            "nowhere"},
};
static const swTable adapt_table = {"adapt", TABLE(adapt_fields), .line = true};

#define NODE_KINDS "point", "rigid", "affine", "quadratic"
_Static_assert(sizeof(swNodeKind) == sizeof(int), "enumerators are kept as numbers");

static const swField frames_fields[] = {
    {"kind", SW_FIELD_ENUM, AT(swFrames, kind), NAMES(NODE_KINDS), .number = {SW_NODE_AFFINE},
     .doc = "what each frame can do: 3, 6, 12 or 30 degrees of freedom"},
    {"kinds", SW_FIELD_ENUMS, AT(swFrames, kinds), .count_offset = offsetof(swFrames, nkinds),
     NAMES(NODE_KINDS), UP_TO(10000),
     .doc = "one for each frame of `at`, instead of `kind`, which is that of the others"},
    {"blend", SW_FIELD_ENUM, AT(swFrames, blend), NAMES("linear", "dual-quaternion"),
     .number = {SW_BLEND_LINEAR},
     .doc = "how frames combine; dual quaternions keep the section of a twisted or bent body, and "
            "need rigid frames"},
    {"count", SW_FIELD_INT, AT(swFrames, count), FROM_TO(SW_FRAMES_AUTO, 10000),
     .number = {SW_FRAMES_AUTO},
     .doc = "frames to place automatically, besides those in `at` and the handles; -1: 5, and of a "
            "corrected body as many more as bring its error by linear theory below 2 %; 0 by "
            "default where `at` holds any"},
    {"error", SW_FIELD_REAL, AT(swFrames, error), BETWEEN(0, 1), .number = {NAN},
     .doc =
         "instead of `count`: as many frames as bring the estimated error of displacements below "
         "this share"},
    {"at", SW_FIELD_POINTS, AT(swFrames, at), .count_offset = offsetof(swFrames, nat), UP_TO(10000),
     .unit = "m", .doc = "frames at given places of the body at rest"},
    {"weights", SW_FIELD_OBJECT, AT(swFrames, weights), .table = &weights_table,
     .doc = "how much each frame moves each point"},
    {"precompute", SW_FIELD_BOOL, AT(swFrames, precompute),
     .doc = "whether stiffness is computed once, at rest, into springs that turn with the body: a "
            "step then costs nothing per integration point"},
    {"springs", SW_FIELD_INT, AT(swFrames, springs), FROM_TO(1, 1000), .number = {2},
     .doc = "`precompute`: at most so many for each frame; more follow large bending better"},
    {"adapt", SW_FIELD_OBJECT, AT(swFrames, adapt), .table = &adapt_table,
     .doc = "frames inserted while the body moves"},
};
const swTable sw_frames_table = {"frames", TABLE(frames_fields)};

static const swField key_fields[] = {
    {"t", SW_FIELD_REAL, AT(swKey, t), .unit = "s", REQUIRED, .doc = "time, ascending"},
    {"rotate", SW_FIELD_OBJECT, AT(swKey, pose), .table = &rotate_table,
     .doc = "rotation from the place at rest, in the world"},
    {"translate", SW_FIELD_VEC3, AT(swKey, pose.translate), .unit = "m",
     .doc = "translation from the place at rest, after the rotation"},
};
const swTable sw_key_table = {"keys[]", TABLE(key_fields), .size = sizeof(swKey), .line = true};

// A rigid motion given by keys, for any struct that has one.
#define MOTION(type) \
    { \
        "keys", SW_FIELD_LIST, AT(type, keys), \
            .table = &sw_key_table, FROM_TO(1, 100000), REQUIRED, \
            .doc = "places at given times: linear between, held before and after" \
    }
static const swField motion_fields[] = {MOTION(swHandle)};
static const swField collider_motion_fields[] = {MOTION(swCollider)};
static const swTable motion_table = {"motion", TABLE(motion_fields)};
static const swTable collider_motion_table = {"motion of a collider",
                                              TABLE(collider_motion_fields)};

static const swField handle_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swHandle, name), NOT_EMPTY, REQUIRED,
     .doc = "differs from those of the body's other handles"},
    {"region", SW_FIELD_SHAPE, AT(swHandle, region), .table = &sw_region_table, REQUIRED,
     .doc = "the part of the body it carries, at rest"},
    {"motion", SW_FIELD_CHOICE, AT(swHandle, motion), NAMES("free", "fixed"),
     .table = &motion_table, .number = {SW_MOTION_FIXED},
     .doc = "simulated as a rigid part, held, or moved by keys"},
};
const swTable sw_handle_table = {"handles[]", TABLE(handle_fields), .size = sizeof(swHandle),
                                 .named = true, .item = "handle"};

static const swField skeleton_fields[] = {
    {"file", SW_FIELD_FILE, AT(swSkeleton, file), NOT_EMPTY, REQUIRED,
     .doc = "a character (.glb, .gltf) or motion capture (.bvh); relative to the folder of the "
            "scene file"},
    {"clip", SW_FIELD_TEXT, AT(swSkeleton, clip), NOT_EMPTY,
     .doc = "its motion, by name or by number from 0; `none`: it stays as it is; by default the "
            "first one"},
    {"soft", SW_FIELD_TEXTS, AT(swSkeleton, soft), .count_offset = offsetof(swSkeleton, nsoft),
     UP_TO(1000),
     .doc = "patterns such as `\"*tail*\"` of bones that are simulated, as free handles, instead "
            "of following the clip"},
    {"bones", SW_FIELD_TEXTS, AT(swSkeleton, bones), .count_offset = offsetof(swSkeleton, nbones),
     UP_TO(1000), .doc = "patterns of the bones that are used; all by default"},
    {"radius", SW_FIELD_REAL, AT(swSkeleton, radius), BETWEEN(0, 1), .number = {0.4},
     .doc = "of a bone, as a share of the distance from its axis to the surface"},
    {"repeat", SW_FIELD_INT, AT(swSkeleton, repeat), FROM_TO(1, 10000), .number = {1},
     .doc = "how often the clip is played"},
    {"lead", SW_FIELD_REAL, AT(swSkeleton, lead), FROM_TO(0, 1000), .number = {0.5}, .unit = "s",
     .doc = "time from rest to the clip's first pose; 0: it starts there, moving"},
    {"follow", SW_FIELD_REAL, AT(swSkeleton, follow), FROM_TO(0, 1000), .unit = "Hz",
     .doc =
         "simulated bones are drawn to where the clip has them, by springs with which they would "
         "swing this fast alone; 0: they hang freely"},
    {"scale", SW_FIELD_REAL, AT(swSkeleton, scale), ABOVE(0), .number = {1},
     .doc = "file units to metres; where the shape is the mesh of the same file the skeleton goes "
            "where that puts it instead"},
};
const swTable sw_skeleton_table = {"skeleton", TABLE(skeleton_fields), .size = sizeof(swSkeleton)};

static const swField load_fields[] = {
    {"force", SW_FIELD_VEC3, AT(swLoad, force), .unit = "N", EITHER, .doc = "in all"},
    {"traction", SW_FIELD_VEC3, AT(swLoad, traction), .unit = "N/m^2", EITHER,
     .doc = "per area at rest, on the surface inside the region"},
    {"pressure", SW_FIELD_REAL, AT(swLoad, pressure), .unit = "Pa", EITHER,
     .doc = "per area at rest, against the outward normal at rest"},
    {"on", SW_FIELD_SHAPE, AT(swLoad, on), .table = &sw_region_table, REQUIRED,
     .doc = "where it acts, at rest"},
};
const swTable sw_load_table = {"loads[]", TABLE(load_fields), .size = sizeof(swLoad),
                               .exactly_one = true};

static const swField slide_fields[] = {
    {"region", SW_FIELD_SHAPE, AT(swSlide, region), .table = &sw_region_table, REQUIRED,
     .doc = "its vertices, at rest; those that handles hold go with these"},
    {"axis", SW_FIELD_ENUM, AT(swSlide, axis), NAMES("x", "y", "z"), REQUIRED,
     .doc = "of the world, along which they stay where they are at the start"},
};
const swTable sw_slide_table = {"slides[]", TABLE(slide_fields), .size = sizeof(swSlide),
                                .line = true};

// ---- actuation ----
static const swField activation_fields[] = {
    {"t", SW_FIELD_REAL, AT(swActivationKey, t), .unit = "s", REQUIRED, .doc = "time, ascending"},
    {"value", SW_FIELD_REAL, AT(swActivationKey, value), FROM_TO(0, 1), REQUIRED,
     .doc = "share of the strength, or of the way to a rest shape"},
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
     .doc = "values at given times: linear between, held before and after"}, \
    { \
        "repeat", SW_FIELD_REAL, AT(type, repeat), ABOVE(0), \
            .number = {NAN}, .unit = "s", \
            .doc = "the keys begin again after this time; by default they do not" \
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
    {"t", SW_FIELD_REAL, AT(swCut, t), AT_LEAST(0), .unit = "s", .doc = "when"},
    {"region", SW_FIELD_SHAPE, AT(swCut, region), .table = &sw_region_table, REQUIRED,
     .doc = "what goes away, at rest; a box thinner than a voxel is made thicker"},
};
const swTable sw_cut_table = {"cuts[]", TABLE(cut_fields), .size = sizeof(swCut), .line = true};

static const swField end_fields[] = {
    {"handle", SW_FIELD_TEXT, AT(swMuscleEnd, handle), NOT_EMPTY,
     .doc = "name of a handle of the body, a bone or a rigid part, which alone moves this end"},
    {"point", SW_FIELD_VEC3, AT(swMuscleEnd, point), .number = {NAN, NAN, NAN}, .unit = "m",
     .doc =
         "a point at rest, of the body where there is no handle; by default the handle's centre"},
};
static const swTable end_table = {"from, to of a muscle or beam", TABLE(end_fields), .line = true};

static const swField muscle_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swMuscle, name), NOT_EMPTY, REQUIRED,
     .doc = "differs from those of the body's other muscles"},
    {"from", SW_FIELD_OBJECT, AT(swMuscle, from), .table = &end_table, .doc = "one end"},
    {"to", SW_FIELD_OBJECT, AT(swMuscle, to), .table = &end_table, .doc = "the other end"},
    {"strength", SW_FIELD_REAL, AT(swMuscle, strength), AT_LEAST(0), .unit = "N",
     .doc = "force along the line at activation 1, whatever its length"},
    {"stiffness", SW_FIELD_REAL, AT(swMuscle, stiffness), AT_LEAST(0), .unit = "N/m",
     .doc = "passive, where it is longer than at rest"},
    {"length", SW_FIELD_REAL, AT(swMuscle, length), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "at rest; by default the distance of its ends"},
    {"activation", SW_FIELD_COURSE, AT(swMuscle, activation), .table = &muscle_course_table,
     FROM_TO(0, 1), .doc = "share of the strength at work: constant, or by keys"},
};
const swTable sw_muscle_table = {"muscles[]", TABLE(muscle_fields), .size = sizeof(swMuscle),
                                 .named = true, .item = "muscle"};

static const swField beam_fields[] = {
    {"from", SW_FIELD_OBJECT, AT(swBeam, from), .table = &end_table, .doc = "one end, at a handle"},
    {"to", SW_FIELD_OBJECT, AT(swBeam, to), .table = &end_table,
     .doc = "the other end, at another"},
    {"young", SW_FIELD_REAL, AT(swBeam, young), ABOVE(0), REQUIRED, .unit = "Pa",
     .doc = "Young's modulus"},
    {"poisson", SW_FIELD_REAL, AT(swBeam, poisson), FROM_TO(-0.99, 0.5), .number = {0.3},
     .doc = "Poisson's ratio, for twist"},
    {"radius", SW_FIELD_REAL, AT(swBeam, radius), ABOVE(0), REQUIRED, .unit = "m",
     .doc = "of its round section"},
    {"density", SW_FIELD_REAL, AT(swBeam, density), AT_LEAST(0), .unit = "kg/m^3",
     .doc = "beside that of what is around it"},
};
const swTable sw_beam_table = {"beams[]", TABLE(beam_fields), .size = sizeof(swBeam)};

static const swField deform_fields[] = {
    {"stretch", SW_FIELD_VEC3, AT(swDeform, stretch), FROM_TO(0.05, 20), .number = {1, 1, 1},
     .doc = "along x, y and z"},
    {"bend", SW_FIELD_ANGLE, AT(swDeform, bend), .unit = "degrees", EITHER,
     .doc = "the line from `from` to `to` becomes an arc of this angle, about `axis`"},
    {"twist", SW_FIELD_ANGLE, AT(swDeform, twist), .unit = "degrees", EITHER,
     .doc = "what is at `to` is turned about the line by this angle"},
    {"from", SW_FIELD_VEC3, AT(swDeform, from), .unit = "m",
     .doc = "`bend`, `twist`: where it begins"},
    {"to", SW_FIELD_VEC3, AT(swDeform, to), .unit = "m", .doc = "`bend`, `twist`: where it ends"},
    {"axis", SW_FIELD_VEC3, AT(swDeform, axis), NOT_ZERO, .number = {0, 0, 1},
     .doc = "`bend`: what the line turns about, counter-clockwise looking against it"},
    {"file", SW_FIELD_FILE, AT(swDeform, file), NOT_EMPTY,
     .doc = "instead of these: a mesh of the body's surface in another pose, as `sinew run -o "
            "pose.obj` writes it; relative to the folder of the scene file"},
    {"on", SW_FIELD_SHAPE, AT(swDeform, on), .table = &sw_region_table,
     .doc = "where, at rest; by default everywhere"},
};
const swTable sw_deform_table = {"parts[]", TABLE(deform_fields), .size = sizeof(swDeform),
                                 .line = true};

static const swField rest_shape_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swRestShape, name), NOT_EMPTY, REQUIRED,
     .doc = "differs from those of the body's other shapes"},
    {"follow", SW_FIELD_REAL, AT(swRestShape, follow), FROM_TO(0.001, 1000), .number = {NAN},
     EITHER,
     .doc = "the body finds the share itself, that of least energy; how stiff what holds the share "
            "at 0 is, relative to the body"},
    {"value", SW_FIELD_COURSE, AT(swRestShape, value), .table = &shape_course_table, FROM_TO(0, 1),
     EITHER, .doc = "share of the way to it: constant, or by keys"},
    {"parts", SW_FIELD_LIST, AT(swRestShape, parts), .table = &sw_deform_table, FROM_TO(1, 1000),
     REQUIRED, .doc = "what differs from the body at rest, later parts painting over earlier ones"},
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
     .doc = "in the body's rest coordinates, of any length"},
    {"stiffness", SW_FIELD_REAL, AT(swFibre, stiffness), AT_LEAST(0), .unit = "Pa",
     .doc = "passive: k1 of k1/(2 k2) (exp(k2 (I4 - 1)^2) - 1), where stretched alone"},
    {"exponent", SW_FIELD_REAL, AT(swFibre, exponent), FROM_TO(1e-6, 1e6), .number = {1},
     .doc = "k2: how fast they stiffen"},
    {"strength", SW_FIELD_REAL, AT(swFibre, strength), AT_LEAST(0), .unit = "Pa",
     .doc = "active stress along the fibre, per area at rest, at activation 1"},
    {"activation", SW_FIELD_COURSE, AT(swFibre, activation), .table = &fibre_course_table,
     FROM_TO(0, 1), .doc = "share of the strength at work: constant, or by keys"},
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
     .doc = "adds volume/2 (J - 1)^2 to the law"},
    {"fibre", SW_FIELD_OBJECT, AT(swMaterial, fibre), .table = &fibre_table,
     .doc = "fibres of muscle or tendon, on top of the law"},
    {"yield", SW_FIELD_REAL, AT(swMaterial, yield), ABOVE(0), .number = {NAN}, .unit = "Pa",
     .doc = "stress in tension at which it flows (von Mises); by default it never does"},
    {"hardening", SW_FIELD_REAL, AT(swMaterial, hardening), AT_LEAST(0), .unit = "Pa",
     .doc = "rise of `yield` with plastic strain"},
    {"plasticity", SW_FIELD_ENUM, AT(swMaterial, plasticity), NAMES("multiplicative", "additive"),
     .doc = "`multiplicative`: F = Fe Fp, with any law, and volume is kept; `additive`: a sum of "
            "elastic and plastic strain, with `linear` or `stvk`"},
    {"creep", SW_FIELD_REAL, AT(swMaterial, creep), ABOVE(0), .number = {NAN}, .unit = "1/s",
     .doc = "how fast stress above `yield` decays; by default at once, and in statics always"},
    {"limit", SW_FIELD_REAL, AT(swMaterial, limit), ABOVE(0), .number = {NAN},
     .doc = "the largest plastic strain there can be; additive plasticity alone"},
    {"toughness", SW_FIELD_REAL, AT(swMaterial, toughness), ABOVE(0), .number = {NAN}, .unit = "Pa",
     .doc = "tension at which it tears, in bodies of linear `tets`; by default it never does: "
            "[fracture](fracture.md)"},
    {"rigid", SW_FIELD_ENUM, AT(swMaterial, rigid), NAMES("auto", "always", "never"),
     .doc = "each connected piece of it moves as a rigid part, a free handle of its own; `auto`: "
            "where "
            "it is at least 10 000 times stiffer than the softest of the body"},
};
const swTable sw_material_table = {"materials", TABLE(material_fields), .size = sizeof(swMaterial),
                                   .named = true, .line = true};

static const swField collider_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swCollider, name), NOT_EMPTY, REQUIRED,
     .doc = "differs from those of other colliders"},
    {.type = SW_FIELD_EMBED, AT(swCollider, shape), .table = &obstacle_table},
    {"place", SW_FIELD_OBJECT, AT(swCollider, place), .table = &sw_pose_table,
     .doc = "from the coordinates of its shape to the world"},
    {"motion", SW_FIELD_CHOICE, AT(swCollider, motion), NAMES("fixed", "program"),
     .table = &collider_motion_table, .number = {SW_COLLIDER_FIXED},
     .doc = "held, moved by the program that simulates, or by keys"},
    {"friction", SW_FIELD_REAL, AT(swCollider, friction), AT_LEAST(0), .number = {0.3},
     .doc = "Coulomb's coefficient"},
    {"stiffness", SW_FIELD_REAL, AT(swCollider, stiffness), ABOVE(0), .number = {NAN},
     .unit = "Pa/m",
     .doc = "pressure per depth; by default the softest Young's modulus over the voxel"},
};
const swTable sw_collider_table = {
    "colliders[]", TABLE(collider_fields), .size = sizeof(swCollider),
    .named = true, .item = "collider",     .exactly_one = true};

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

static const swField probe_fields[] = {
    {"name", SW_FIELD_TEXT, AT(swProbe, name), NOT_EMPTY, REQUIRED,
     .doc = "differs from those of other probes"},
    {"body", SW_FIELD_TEXT, AT(swProbe, body), NOT_EMPTY,
     .doc = "name of a body; may be left out where there is only one"},
    {"point", SW_FIELD_VEC3, AT(swProbe, point), .unit = "m", REQUIRED,
     .doc = "a point of the body at rest, whose motion is reported"},
};
const swTable sw_probe_table = {"probes[]",    TABLE(probe_fields), .size = sizeof(swProbe),
                                .named = true, .item = "probe",     .line = true};

static const swField time_fields[] = {
    {"step", SW_FIELD_REAL, AT(swTime, step), ABOVE(0), .number = {0.01}, .unit = "s",
     .doc = "time step"},
    {"end", SW_FIELD_REAL, AT(swTime, end), AT_LEAST(0), .number = {1}, .unit = "s",
     .doc = "simulate from 0 to here"},
    {"integrator", SW_FIELD_NAME, AT(swTime, integrator), .name_at = sw_integrator_name,
     .text = "implicit-euler", .doc = "how time advances"},
};
static const swField solver_fields[] = {
    {"tolerance", SW_FIELD_REAL, AT(swSolverDef, tolerance), BETWEEN(0, 1), .number = {1e-6},
     .doc = "largest residual force over the largest force at work"},
    {"iterations", SW_FIELD_INT, AT(swSolverDef, iterations), FROM_TO(1, 1000000), .number = {200},
     .doc = "Newton iterations per step or increment, at most"},
    {"increments", SW_FIELD_INT, AT(swSolverDef, increments), FROM_TO(1, 1000000), .number = {1},
     .doc = "load increments of a static analysis, if none must be cut"},
    {"path", SW_FIELD_ENUM, AT(swSolverDef, path), NAMES("auto", "load", "arc-length"),
     .number = {SW_PATH_AUTO},
     .doc =
         "of statics: in load increments; along all equilibria, over limit points; or that where "
         "load increments fail"},
    {"saddles", SW_FIELD_ENUM, AT(swSolverDef, saddles), NAMES("leave", "keep"),
     .number = {SW_SADDLES_LEAVE},
     .doc = "of statics: unstable equilibria are left along the motion that they give way to, or "
            "kept and reported; along an arc length they are kept"},
    {"tangent", SW_FIELD_ENUM, AT(swSolverDef, tangent), NAMES("exact", "gauss-newton"),
     .number = {SW_TANGENT_EXACT},
     .doc = "of dual quaternions: with the second derivatives of the motion, or without them"},
    {"definite", SW_FIELD_ENUM, AT(swSolverDef, definite), NAMES("clamp", "absolute"),
     .number = {SW_DEFINITE_CLAMP},
     .doc = "what negative eigenvalues of a tangent become where Newton's method needs it positive "
            "definite: "
            "zero, or their absolute value"},
    {"linear", SW_FIELD_ENUM, AT(swSolverDef, linear), NAMES("auto", "dense", "sparse", "cg"),
     .number = {SW_LINEAR_AUTO},
     .doc = "how linear equations are solved: by the factors of a dense or of a sparse matrix, or "
            "by conjugate gradients; `auto`: as sizes suggest"},
    {"sleep", SW_FIELD_BOOL, AT(swSolverDef, sleep), .number = {1},
     .doc = "bodies that have hardly moved for half a second rest: they are left as they are until "
            "something touches, pulls or changes them"},
};
static const swField modal_fields[] = {
    {"count", SW_FIELD_INT, AT(swModalDef, count), FROM_TO(1, 1000), .number = {12},
     .doc = "vibrations of each body, at most"},
    {"about", SW_FIELD_ENUM, AT(swModalDef, about), NAMES("rest", "static"),
     .number = {SW_ABOUT_REST},
     .doc =
         "which state bodies vibrate about: the scene at t = 0 without its loads, or equilibrium "
         "under them"},
};
static const swTable modal_table = {"modal", TABLE(modal_fields), .line = true};
static const swTable time_table = {"time", TABLE(time_fields), .line = true};
static const swTable solver_table = {"solver", TABLE(solver_fields), .line = true};

static const swField scene_fields[] = {
    {"sinew", SW_FIELD_VERSION, .number = {1}, REQUIRED, .doc = "version of the format"},
    {"title", SW_FIELD_TEXT, AT(swScene, title), .text = "", .doc = "one line for people"},
    {"gravity", SW_FIELD_VEC3, AT(swScene, gravity), .number = {0, -9.81, 0}, .unit = "m/s^2",
     .doc = "acceleration of free fall"},
    {"analysis", SW_FIELD_ENUM, AT(swScene, analysis), NAMES("dynamic", "static", "modal"),
     .doc = "motion over time, equilibrium under the loads, or natural frequencies"},
    {"time", SW_FIELD_OBJECT, AT(swScene, time), .table = &time_table, .doc = "steps in time"},
    {"solver", SW_FIELD_OBJECT, AT(swScene, solver), .table = &solver_table,
     .doc = "of the equations of each step"},
    {"modal", SW_FIELD_OBJECT, AT(swScene, modal), .table = &modal_table,
     .doc = "of the analysis `modal`"},
    {"materials", SW_FIELD_MAP, AT(swScene, materials), .table = &sw_material_table, UP_TO(1000),
     .doc = "what bodies are made of, by name; one named `default` where there is none"},
    {"bodies", SW_FIELD_LIST, AT(swScene, bodies), .table = &sw_body_table, FROM_TO(1, 100000),
     REQUIRED, .doc = "what deforms"},
    {"colliders", SW_FIELD_LIST, AT(swScene, colliders), .table = &sw_collider_table, UP_TO(1000),
     .doc = "what bodies fall on"},
    {"joints", SW_FIELD_LIST, AT(swScene, joints), .table = &sw_joint_table, UP_TO(10000),
     .doc = "what holds bodies together"},
    {"probes", SW_FIELD_LIST, AT(swScene, probes), .table = &sw_probe_table, UP_TO(10000),
     .doc = "points to report on"},
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
