// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Keys of what can move a body instead of frames.
#include "scene/schema_rows.h"

static const swField tets_fields[] = {
    {"file", SW_FIELD_FILE, AT(swTets, file),
     .doc = "a mesh of tetrahedra; without it they are made from the shape"},
    {"scale", SW_FIELD_REAL, AT(swTets, scale), ABOVE(0), .number = {1},
     .doc = "file units to metres"},
    {"voxel", SW_FIELD_REAL, AT(swTets, voxel), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "edge of the cells that tetrahedra are made from; by default the body's voxels"},
    {"fit", SW_FIELD_BOOL, AT(swTets, fit), .number = {0},
     .doc =
         "whether their surface lies on the shape's, or cells are cut into six each, weighted by "
         "how full they are"},
    {"order", SW_FIELD_ENUM, AT(swTets, order), NAMES("linear", "quadratic"),
     .number = {SW_TETS_LINEAR}, .doc = "of displacements: with four vertices or ten"},
    {"volume", SW_FIELD_ENUM, AT(swTets, volume), NAMES("plain", "mean"), .number = {SW_TETS_PLAIN},
     .doc = "`mean`: each changes its volume as a whole (linear ones: some together), against "
            "locking"},
};
const swTable sw_tets_table = {"tets", TABLE(tets_fields), .size = sizeof(swTets)};

static const swField spring_net_fields[] = {
    {"voxel", SW_FIELD_REAL, AT(swSpringNet, voxel), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "edge of the cells whose corners are the masses; by default the body's voxels"},
};
const swTable sw_spring_net_table = {"springs", TABLE(spring_net_fields),
                                     .size = sizeof(swSpringNet)};

static const swField particles_fields[] = {
    {"count", SW_FIELD_INT, AT(swParticles, count), FROM_TO(4, 1000000), .number = {1000},
     .doc = "particles in the body"},
};
const swTable sw_particles_table = {"particles", TABLE(particles_fields),
                                    .size = sizeof(swParticles)};

static const swField modes_fields[] = {
    {"count", SW_FIELD_INT, AT(swModeBasis, count), FROM_TO(1, 64), .number = {20},
     .doc = "modes, which are the degrees of freedom"},
    {"basis", SW_FIELD_ENUM, AT(swModeBasis, basis), NAMES("linear", "derivatives", "principal"),
     .number = {SW_BASIS_PCA},
     .doc = "`linear`: the lowest vibrations; `derivatives`: of as many vibrations as fit also how "
            "they bend; `principal`: what matters most of more of both"},
    {"vibrations", SW_FIELD_INT, AT(swModeBasis, vibrations), FROM_TO(1, 64), .number = {10},
     .doc = "of `principal`: how many vibrations it begins with, `count` at most"},
    {"points", SW_FIELD_INT, AT(swModeBasis, points), FROM_TO(0, 10000), .number = {0},
     .doc = "where laws other than `stvk` are evaluated, at most; 0: four for each mode"},
    {"tets", SW_FIELD_OBJECT, AT(swModeBasis, tets), .table = &sw_tets_table,
     .doc = "the tetrahedra whose modes these are"},
};
const swTable sw_modes_table = {"modes", TABLE(modes_fields), .size = sizeof(swModeBasis)};
