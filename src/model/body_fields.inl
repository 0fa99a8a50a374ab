// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The arrays of a compiled body. Its struct and sizes, allocation, saving, loading and hashing, and the lists used while compiling all
// expand from here.
//   SW_ARRAY(type, name, count)  an array whose count is a size of its own
//   SW_FIELD(type, name, count)  an array whose count follows from sizes, which are members of `s`
//   SW_SIZE(name)                a size that is not the count of any array
#ifndef SW_SIZE
#define SW_SIZE(name)
#endif
#ifndef SW_ARRAY
#define SW_ARRAY(type, name, count) SW_FIELD(type, name, s->count)
#endif
SW_SIZE(nu)          // number of ambient unknowns
SW_SIZE(ndof)        // number of unknowns of the solver
SW_SIZE(ntriangle)
SW_SIZE(nbulk_point)
SW_SIZE(max_columns) // of any group, or what its kind makes of them
SW_SIZE(nplastic)    // numbers in a state
SW_SIZE(nrelax)
SW_SIZE(nvolume)      // number of volume sums
SW_SIZE(nspring_face)

SW_ARRAY(swBodyInfo, body, nbody)
SW_ARRAY(swPartInfo, part, npart)
SW_ARRAY(swMaterialInfo, material, nmaterial)
SW_ARRAY(swNode, node, nnode)
SW_ARRAY(swReal, q0, nq)                    // positions at t = 0 of the first body that has this model
SW_FIELD(swReal, v0, s->nq)                    // velocities at t = 0
SW_ARRAY(swNodePair, pair, npair)           // sorted by i, then j
SW_ARRAY(swReal, mass, nmass)               // [kg m^a], blocks of pairs
SW_FIELD(swReal, weight_load, s->nq / 3)       // integral of rho w m per column: times g, the weight
SW_FIELD(swReal, load, s->nq)                  // dead loads [N m^a]
SW_ARRAY(swReal, mode_load, nmode_load)     // dead loads on modes, which move points before nodes do: [node][mode][3][width - 1], sums of f
                                            // (dm phi)^T, or none
SW_ARRAY(swGroup, group, ngroup)
SW_ARRAY(int, group_node, ngroup_node)
SW_ARRAY(swReal, gamma, ngamma)
SW_ARRAY(swZone, zone, nzone)
SW_ARRAY(swReal, corrector, ncorrector)     // by group: [block][mode][6][SW_LANES], see kinematics/correct.h
SW_ARRAY(swReal, sample_volume, nsample)    // zero for padding
SW_FIELD(swReal, sample_weight, s->nsample)    // volume times stiffness relative to the material
                                            // [m^3]; zero for padding
SW_FIELD(swVec3, sample_point, s->nsample)     // rest position
SW_FIELD(swReal, volume_weight, s->nvolume * s->nsample) // see potentials/volumes.c
SW_ARRAY(swVec3, point, npoint)             // embedded points at rest: surface vertices, probes
SW_FIELD(int, point_material, s->npoint)       // material of the voxel that contains each, for display
SW_FIELD(int, point_start, s->npoint + 1)      // index into point_node and point_weight
SW_ARRAY(int, point_node, nweight)
SW_FIELD(swReal, point_weight, s->nweight)
SW_FIELD(int64_t, point_vector, s->nvector > 0 ? s->npoint : 0) // index into vector; -1: not moved by modes
SW_ARRAY(swVec3, vector, nvector)           // phi of each mode at an embedded point
SW_ARRAY(swVec3, fine, nfine)               // displacements of embedded points by linear theory, or none
SW_FIELD(swReal, fine_doubt, s->nfine)         // uncertainty of these [m]
SW_ARRAY(swReducedInfo, reduced, nreduced)
SW_ARRAY(swReal, reduced_data, nreduced_data)
SW_FIELD(int, triangle, 3 * s->ntriangle)      // indices of embedded points
SW_ARRAY(swHandleInfo, handle, nhandle)
SW_ARRAY(swPoseKey, key, nkey)
SW_ARRAY(swRigInfo, rig, nrig)
SW_ARRAY(swContactPoint, contact, ncontact)
SW_ARRAY(char, text, ntext)                 // names, each ending in a zero byte
SW_ARRAY(swBulk, bulk, nbulk)
SW_ARRAY(int, bulk_node, nbulk_node)
SW_ARRAY(swReal, bulk_data, nbulk_data)
SW_ARRAY(swActivation, activation_key, nactivation)
SW_ARRAY(swLink, link, nlink)
SW_ARRAY(int, link_node, nlink_node)
SW_ARRAY(swReal, link_data, nlink_data)
SW_ARRAY(swMuscleInfo, muscle, nmuscle)
SW_ARRAY(swRestInfo, shape, nshape)         // sorted by body
SW_ARRAY(swReal, stretch, nstretch)         // by group: [block][shape of the body][6][SW_LANES], see material/rest.h
SW_ARRAY(swBed, bed, nbed)
SW_ARRAY(int, bed_index, nbed_index)        // for each grid cell: its filled cell, or -1
SW_ARRAY(int, bed_cell, nbed_cell)          // for each filled cell: its grid cell
SW_FIELD(int, bed_corner, 8 * s->nbed_cell)
SW_ARRAY(swVec3, bed_X, nbed_node)
SW_FIELD(int, bed_start, s->nbed_node + s->nbed)  // index into bed_around
SW_ARRAY(int, bed_around, nbed_around)
SW_FIELD(int, bed_weight_start, s->nbed_node + s->nbed) // index into bed_site and bed_weight
SW_ARRAY(int, bed_site, nbed_weight)        // nodes of the body, from 0
SW_FIELD(swReal, bed_weight, s->nbed_weight)
SW_ARRAY(swBedVoxel, bed_voxel, nbed_voxel)
SW_ARRAY(swBedLoad, bed_load, nbed_load)
SW_ARRAY(swSpringBody, spring_body, nspring_body)
SW_ARRAY(swSpring, spring, nspring)               // net by net, like cells and faces
SW_ARRAY(swSpringCell, spring_cell, nspring_cell)
SW_FIELD(int, spring_face, 3 * s->nspring_face)    // nodes, counter-clockwise seen from outside
SW_ARRAY(swParticleInfo, particle, nparticle)
SW_ARRAY(swGaussPoint, gauss, ngauss)
SW_ARRAY(int, gauss_node, ngauss_shape)     // vertex of the body, from 0, for each shape function
SW_FIELD(swReal, gauss_shape, 4 * s->ngauss_shape) // phi [1] and its gradient [1/m]
SW_ARRAY(int64_t, particle_turn, nparticle_turn) // for each vertex: its first share
SW_ARRAY(swTurnShare, turn_share, nturn_share)
SW_ARRAY(swCrack, crack, ncrack)
SW_FIELD(int, crack_vertex, 4 * s->ncrack_tet) // vertices of the body, from 0
SW_ARRAY(int, crack_sample, ncrack_tet)     // for each tetrahedron
SW_ARRAY(int, crack_root, ncrack_vertex)    // for each vertex: the vertex of the uncut body that it came from
#undef SW_SIZE
#undef SW_ARRAY
#undef SW_FIELD
