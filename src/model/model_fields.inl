// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Arrays of a model: SW_FIELD(type, name, count), counts in terms of swModelSizes.
// The struct, its allocation, saving, loading and hash expand from this list.
SW_FIELD(swBodyInfo, body, nbody)
SW_FIELD(swPartInfo, part, npart)
SW_FIELD(swMaterialInfo, material, nmaterial)
SW_FIELD(swNode, node, nnode)
SW_FIELD(swReal, q0, nq)                    // positions at t = 0
SW_FIELD(swReal, v0, nq)                    // velocities at t = 0
SW_FIELD(swNodePair, pair, npair)           // sorted by i, then j
SW_FIELD(swReal, mass, nmass)               // [kg m^a], blocks of pairs
SW_FIELD(swReal, weight_load, nq / 3)       // integral of rho w m per column: times g, the weight
SW_FIELD(swReal, load, nq)                  // dead loads [N m^a]
SW_FIELD(swGroup, group, ngroup)
SW_FIELD(int, group_node, ngroup_node)
SW_FIELD(swReal, gamma, ngamma)
SW_FIELD(swCell, cell, ncell)
SW_FIELD(swReal, sample_volume, nsample)    // zero for padding
SW_FIELD(swReal, sample_weight, nsample)    // volume times the stiffness relative to the material
                                            // [m^3]; zero for padding
SW_FIELD(swVec3, sample_point, nsample)     // rest position
SW_FIELD(swVec3, point, npoint)             // embedded points at rest: surface vertices, probes
SW_FIELD(int, point_material, npoint)       // of the voxel they lie in, for pictures
SW_FIELD(int, point_start, npoint + 1)      // into point_node and point_weight
SW_FIELD(int, point_node, nweight)
SW_FIELD(swReal, point_weight, nweight)
SW_FIELD(int64_t, point_vector, nvector > 0 ? npoint : 0) // into vector; -1: its body is not reduced
SW_FIELD(swVec3, vector, nvector)           // phi of each mode at an embedded point
SW_FIELD(swReducedInfo, reduced, nreduced)
SW_FIELD(swReal, reduced_data, nreduced_data)
SW_FIELD(int, triangle, 3 * ntriangle)      // into the embedded points
SW_FIELD(swHandleInfo, handle, nhandle)
SW_FIELD(swPoseKey, key, nkey)
SW_FIELD(swRigInfo, rig, nrig)
SW_FIELD(swColliderInfo, collider, ncollider)
SW_FIELD(swColliderMesh, collider_mesh, ncollider_mesh)
SW_FIELD(swVec3, collider_vertex, ncollider_vertex) // local coordinates, mesh by mesh
SW_FIELD(int, collider_triangle, 3 * ncollider_triangle) // vertices of the mesh, from 0
SW_FIELD(swBoxNode, collider_node, ncollider_node)
SW_FIELD(swContactPoint, contact, ncontact)
SW_FIELD(swProbeInfo, probe, nprobe)
SW_FIELD(char, text, ntext)                 // names, each ending in a zero byte
SW_FIELD(swBulk, bulk, nbulk)
SW_FIELD(int, bulk_node, nbulk_node)
SW_FIELD(swReal, bulk_data, nbulk_data)
SW_FIELD(swActivation, activation_key, nactivation)
SW_FIELD(swJointSpring, spring, nspring)
SW_FIELD(int, spring_node, nspring_node)
SW_FIELD(swReal, spring_data, nspring_data)
SW_FIELD(swMuscleInfo, muscle, nmuscle)
SW_FIELD(swRestInfo, shape, nshape)         // body by body
SW_FIELD(swReal, stretch, nstretch)         // of groups: [block][shape of the body][6][SW_LANES], see
                                            // material/rest.h
SW_FIELD(swBed, bed, nbed)
SW_FIELD(int, bed_index, nbed_index)        // of each grid cell: its filled cell, or -1
SW_FIELD(int, bed_cell, nbed_cell)          // of each filled cell: its grid cell
SW_FIELD(int, bed_corner, 8 * nbed_cell)
SW_FIELD(swVec3, bed_X, nbed_node)
SW_FIELD(int, bed_start, nbed_node + nbed)  // into bed_around
SW_FIELD(int, bed_around, nbed_around)
SW_FIELD(int, bed_weight_start, nbed_node + nbed) // into bed_site and bed_weight
SW_FIELD(int, bed_site, nbed_weight)        // nodes of the body, from 0
SW_FIELD(swReal, bed_weight, nbed_weight)
SW_FIELD(swBedVoxel, bed_voxel, nbed_voxel)
SW_FIELD(swBedLoad, bed_load, nbed_load)
SW_FIELD(swLineNet, line_net, nline_net)
SW_FIELD(swLine, line, nline)               // net by net, as are cells and faces
SW_FIELD(swLineCell, line_cell, nline_cell)
SW_FIELD(int, line_face, 3 * nline_face)    // nodes, counter-clockwise from outside
SW_FIELD(swParticleInfo, particle, nparticle)
SW_FIELD(swGaussPoint, gauss, ngauss)
SW_FIELD(int, gauss_node, ngauss_shape)     // vertex of the body, from 0, of each shape function
SW_FIELD(swReal, gauss_shape, 4 * ngauss_shape) // phi [1] and its gradient [1/m]
SW_FIELD(int64_t, particle_turn, nparticle_turn) // of each vertex: first of its shares
SW_FIELD(swTurnShare, turn_share, nturn_share)
SW_FIELD(swCrack, crack, ncrack)
SW_FIELD(int, crack_vertex, 4 * ncrack_tet) // of its body, from 0
SW_FIELD(int, crack_sample, ncrack_tet)     // of each tetrahedron
SW_FIELD(int, crack_root, ncrack_vertex)    // the vertex of the whole body that each was
