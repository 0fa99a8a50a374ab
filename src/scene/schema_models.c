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
    {"order", SW_FIELD_ENUM, AT(swTets, order), NAMES("own", "linear", "quadratic"),
     .number = {SW_TETS_OWN},
     .doc = "of displacements: with four vertices or ten; the file's own, which is linear without "
            "one"},
    {"volume", SW_FIELD_ENUM, AT(swTets, volume), NAMES("plain", "mean"), .number = {SW_TETS_PLAIN},
     .doc = "`mean`: each changes its volume as a whole (linear ones: some together), against "
            "locking"},
};
const swTable sw_tets_table = {"tets", TABLE(tets_fields), .size = sizeof(swTets)};

static const swField spring_net_fields[] = {
    {"over", SW_FIELD_ENUM, AT(swSpringNet, over), NAMES("lattice", "surface", "tets"),
     .number = {SW_SPRINGS_LATTICE},
     .doc = "what springs lie over: the cells of the body's voxels, a solid; the triangles of its "
            "surface, a hollow body; or the edges of `tets`, a solid"},
    {"voxel", SW_FIELD_REAL, AT(swSpringNet, voxel), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "edge of the cells whose corners are the masses; by default the body's voxels"},
    {"structural", SW_FIELD_REAL, AT(swSpringNet, structural), AT_LEAST(0), .number = {1},
     .doc = "factor of the stiffness of springs along edges"},
    {"shear", SW_FIELD_REAL, AT(swSpringNet, shear), AT_LEAST(0), .number = {1},
     .doc = "`lattice`: the same of springs along diagonals of cells and of their faces"},
    {"bend", SW_FIELD_REAL, AT(swSpringNet, bend), FROM_TO(0, 1), .number = {0},
     .doc = "`lattice`: share of the stiffness along edges that springs over two edges have "
            "instead; `surface`: factor of springs across edges"},
    {"volume", SW_FIELD_BOOL, AT(swSpringNet, volume), .number = {true},
     .doc = "but `surface`: add what springs lack for the material's `poisson`"},
    {"thickness", SW_FIELD_REAL, AT(swSpringNet, thickness), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "`surface`: of what is around the hollow"},
    {"pressure", SW_FIELD_REAL, AT(swSpringNet, pressure), .unit = "Pa",
     .doc = "`surface`: inside at rest, beyond that around the body"},
    {"gas", SW_FIELD_BOOL, AT(swSpringNet, gas),
     .doc = "`surface`: pressure times volume stays what it is at rest, instead of the pressure"},
    {"ambient", SW_FIELD_REAL, AT(swSpringNet, ambient), AT_LEAST(0), .number = {101325},
     .unit = "Pa", .doc = "pressure around the body, which a gas has to begin with"},
    {"tets", SW_FIELD_OBJECT, AT(swSpringNet, tets), .table = &sw_tets_table,
     .doc = "over `tets`: linear tetrahedra, from a file or made from the shape"},
};
const swTable sw_spring_net_table = {"springs", TABLE(spring_net_fields),
                                     .size = sizeof(swSpringNet)};

static const swField particles_fields[] = {
    {"count", SW_FIELD_INT, AT(swParticles, count), UP_TO(1000000), .number = {0},
     .doc =
         "particles in the body, those that handles hold included; 0: 1000, or one in each voxel "
         "where these are fewer"},
    {"spacing", SW_FIELD_REAL, AT(swParticles, spacing), ABOVE(0), .number = {NAN}, .unit = "m",
     .doc = "instead of `count`: about how far they are apart"},
    {"samples", SW_FIELD_INT, AT(swParticles, samples), FROM_TO(0, 1000000), .number = {0},
     .doc = "how many of them handles hold together; 0: as many as their distance suggests"},
    {"neighbours", SW_FIELD_INT, AT(swParticles, neighbours), FROM_TO(4, 40), .number = {6},
     .doc = "that lie within two thirds of a particle's support"},
    {"points", SW_FIELD_REAL, AT(swParticles, points), FROM_TO(1, 1000), .number = {5},
     .doc = "Gauss points for each particle, about; at most one per voxel and material"},
    {"rotations", SW_FIELD_ENUM, AT(swParticles, rotations), NAMES("diffusion", "polar"),
     .doc = "`diffusion` from handles, or `polar` decomposition of the deformation"},
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
     .doc = "where laws other than `stvk` are evaluated, at most; 0: eight for each mode"},
    {"tets", SW_FIELD_OBJECT, AT(swModeBasis, tets), .table = &sw_tets_table,
     .doc = "the tetrahedra whose modes these are"},
};
const swTable sw_modes_table = {"modes", TABLE(modes_fields), .size = sizeof(swModeBasis)};

// What is written of a body that is like another.
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
