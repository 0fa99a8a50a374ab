// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a model has besides compiled bodies; used like body_fields.inl.
#ifndef SW_SIZE
#define SW_SIZE(name)
#endif
#ifndef SW_ARRAY
#define SW_ARRAY(type, name, count) SW_FIELD(type, name, s->count)
#endif
SW_SIZE(ncompiled)
SW_ARRAY(swBodyPlace, place, nbody)
SW_ARRAY(swReal, q0, nq) // of all bodies: positions at t = 0
SW_FIELD(swReal, v0, s->nq) // velocities at t = 0
SW_ARRAY(swColliderInfo, collider, ncollider)
SW_ARRAY(swColliderMesh, collider_mesh, ncollider_mesh)
SW_ARRAY(swVec3, collider_vertex, ncollider_vertex) // in local coordinates, mesh by mesh
SW_SIZE(ncollider_triangle)
SW_FIELD(int, collider_triangle, 3 * s->ncollider_triangle) // vertices of the mesh, from 0
SW_ARRAY(swBoxNode, collider_node, ncollider_node)
SW_ARRAY(swPoseKey, key, nkey) // of colliders
SW_ARRAY(swJointInfo, joint, njoint)
SW_ARRAY(swProbeInfo, probe, nprobe)
SW_ARRAY(char, text, ntext) // names, each zero-terminated
#undef SW_SIZE
#undef SW_ARRAY
#undef SW_FIELD
