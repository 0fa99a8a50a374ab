// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew: soft solids simulated with a few moving frames.
//
//   swScene   what to simulate             sw_scene_read(), or built in C (scene.h)
//   swModel   the compiled scene, constant sw_compile(scene)
//   swState   everything that moves        sw_state_create(model), sw_step(model, state)
//
// An `error` parameter may be NULL. Unless stated otherwise, other pointers must not be NULL, and
// an index must be in range: anything else is a bug of the caller, with undefined results.
#pragma once

#include "base.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swModel swModel;
typedef struct swState swState;

// ---- the compiled model ----

/// Compiles a scene: voxelises its bodies, places frames, and computes weights, integration points,
/// mass and surfaces. The scene may be destroyed afterwards. Nothing writes to a model once it is
/// made, so threads may share it. Returns NULL with `error` filled in on failure. Release the model
/// with sw_model_destroy().
SW_API swModel *sw_compile(const swScene *scene, swError *error);
/// The same, with all cuts up to time t [s] made; sw_compile() is the same at t = 0. To continue a
/// run after a cut, transfer its state to a state of the new model with sw_state_fit().
SW_API swModel *sw_compile_at(const swScene *scene, swReal t, swError *error);
/// The time of the next cut of any body after the time the model was compiled for [s]; infinity if
/// there is none.
SW_API swReal sw_model_next_cut(const swModel *model);
SW_API void sw_model_destroy(swModel *model); ///< NULL is allowed. Destroy its states first
/// Saves the model to one file. Only the same version of sinew, built for the same vector width,
/// can load it. Returns false with `error` filled in on failure.
SW_API bool sw_model_save(const swModel *model, const char *path, swError *error);
/// Loads a model without compiling anything. `config` is copied; NULL means the default one.
/// Returns NULL with `error` filled in on failure.
SW_API swModel *sw_model_load(const char *path, const swConfig *config, swError *error);
/// A hash of everything in the model: equal models have equal hashes.
SW_API uint64_t sw_model_hash(const swModel *model);
/// Takes from a scene whatever needs no recompilation: gravity, the time step and end time, the
/// damping of bodies, and the settings of the solver, of statics and of modal analysis except
/// `linear`. Everything else stays as compiled, including `integrator` and `analysis`. Returns
/// false with `error` filled in and nothing changed if sw_compile() would refuse the scene or the
/// number of bodies differs. This is the one call that changes a model: no other thread may use the
/// model or its states meanwhile, and state files saved before it no longer match the model.
SW_API bool sw_model_adjust(swModel *model, const swScene *scene, swError *error);

/// The size of a model. Counts are totals over all bodies. `frames` includes handles; `dof` is the
/// number of unknowns of a step; `points` are integration points; `voxels` counts filled voxels,
/// once for each material in the cell; `vertices` and `triangles` are those of surfaces; `springs`
/// are those of precomputed bodies.
typedef struct swModelInfo {
    int compiled; ///< different bodies: equal ones are compiled once
    int bodies, frames, handles, dof, points, voxels, vertices, triangles, contact_points, probes,
        springs;
    int net;       ///< vertices that move bodies of tetrahedra, springs or particles
    swReal mass;   ///< of all bodies [kg]
    swReal step;   ///< time step [s]
    swReal end;    ///< end time [s]
    size_t memory; ///< memory the model uses [bytes]
    swAnalysis analysis;
    int modes;              ///< modal analysis: number of vibrations wanted of each body,
    swAbout about;          ///< and the state they are about
    const char *title;      ///< title of the scene, or ""; belongs to the model
    const char *integrator; ///< name of the integrator; static text
    bool direct; ///< the integrator is explicit: time steps must be below sw_stable_step()
} swModelInfo;
SW_API swModelInfo sw_model_info(const swModel *model);

// ---- the state: belongs to one thread at a time, even for reading ----

/// Creates a state at t = 0. The model must outlive it. Returns NULL with `error` filled in on
/// failure. Release it with sw_state_destroy().
SW_API swState *sw_state_create(const swModel *model, swError *error);
SW_API void sw_state_destroy(swState *state); ///< NULL is allowed
SW_API void sw_state_reset(swState *state);   ///< back to t = 0, bit for bit
/// Copies a state to another one of the same model. The times of the profile are not copied.
/// Returns false, with nothing changed, if memory runs out; none is needed unless different frames
/// are inserted in the two.
SW_API bool sw_state_copy(swState *to, const swState *from);
/// Transfers a state to a state of another model that has the same frames and surfaces, such as the
/// same scene compiled with other materials: positions, velocities, time, pulls, the ball, moved
/// handles and activations; also plastic strains and contact forces if there are equally many.
/// Returns false, with nothing changed, if frames or surfaces differ in number or kind.
SW_API bool sw_state_carry(swState *to, const swState *from);
/// Compiles the scene of a state with all cuts up to time t [s] made, and with bodies torn as they
/// are in the state. The model is for sw_state_fit(). Returns NULL with `error` filled in on
/// failure.
SW_API swModel *sw_state_cut(const swState *state, const swScene *scene, swReal t, swError *error);
/// What tears in a state, all bodies together.
typedef struct swTearReport {
    int splits;     ///< vertices that are split
    int beyond;     ///< vertices whose tension exceeds the toughness; some must wait to be split
    swReal largest; ///< largest ratio of tension to toughness over all vertices
} swTearReport;
/// Checks whether bodies of tets whose materials have a toughness tear in this state. If so,
/// returns the model of the scene with the new cracks, for sw_state_fit(); `scene` must be the one
/// that the state's model was compiled from. Call it after each step. Returns NULL if nothing
/// tears, or with `error` filled in on failure. `report` may be NULL.
SW_API swModel *sw_state_tear(const swState *state, const swScene *scene, swTearReport *report,
                              swError *error);
/// Whether any body of the model can tear.
SW_API bool sw_model_tears(const swModel *model);
/// What a cut changed, all bodies together.
typedef struct swFitReport {
    int bodies;                   ///< bodies that were cut
    swReal mass;                  ///< mass that was removed [kg]
    swVec3 momentum;              ///< linear momentum that went with it [kg m/s]
    swReal energy_before, energy; ///< elastic plus kinetic energy before and after [J]; where a
                                  ///< body gave way (see `calmed`), `energy` also counts what this
                                  ///< changed in the energy of gravity and contact
    swReal miss; ///< largest distance between the positions of the material before and after [m]
    int calmed;  ///< bodies that would have gained energy: it was taken from their vibrations, or,
                 ///< if these had too little, the body gave way
} swFitReport;
/// Transfers a state to a state of another model of the same scene, compiled after further cuts or
/// tears. Bodies that these do not touch continue unchanged, bit for bit. In a torn body, the new
/// vertices move like those they were split from. In a cut body, the frames take the positions and
/// velocities nearest to the old motion, by least squares weighted with mass, so that momentum is
/// conserved except for that of the material cut away. Pulls are released. `report` may be NULL.
/// Returns false with `error` filled in if bodies, handles or materials differ or if frames are
/// inserted; `to` must then be reset before it is used.
SW_API bool sw_state_fit(swState *to, const swState *from, swFitReport *report, swError *error);
/// Saves the state to one file, which can be loaded only with this model. Returns false with
/// `error` filled in on failure.
SW_API bool sw_state_save(const swState *state, const char *path, swError *error);
/// Loads a state, refusing files that were saved with another model. Returns false with `error`
/// filled in and the state unchanged on failure.
SW_API bool sw_state_load(swState *state, const char *path, swError *error);
/// A hash of everything the next step depends on: equal states have equal hashes, whatever the
/// number of threads.
SW_API uint64_t sw_state_hash(const swState *state);
/// Returns the index of a material, or -1 if none has that name.
SW_API int sw_material_find(const swModel *model, const char *name);
/// Sets the activation of a material's fibres from the next step on, overriding its keys until
/// sw_state_reset(). Values are clamped to 0 .. 1; NaN returns control to the keys. In statics the
/// value is scaled by the fraction of the load.
SW_API void sw_state_set_activation(swState *state, int material, swReal value);
/// Does the same for the activation of a muscle.
SW_API void sw_state_set_muscle(swState *state, int muscle, swReal activation);
/// Does the same for the share of a rest shape. A shape with `follow` stops following.
SW_API void sw_state_set_shape(swState *state, int shape, swReal value);
SW_API swReal sw_state_time(const swState *state);   ///< present time [s]
SW_API int64_t sw_state_steps(const swState *state); ///< steps or load increments since t = 0

// ---- interaction: part of the state; sw_state_reset() ends it ----

enum { SW_PULLS = 64 }; ///< most pulls that a state can have at a time

/// A spring that draws a point of a body to a target, with energy stiffness/2 |at - to|^2. A pull
/// acts from the next step on; in statics it has its full stiffness whatever the fraction of the
/// load. Targets must be finite and stiffnesses positive.
typedef struct swPull {
    int body;
    int frame;        ///< the frame that is drawn, or -1 if a vertex is
    swVec3 at, to;    ///< present position of the vertex or of the frame's origin; its target [m]
    swMat3 rotation;  ///< target of the frame's linear part; the identity for a vertex
    swVec3 force;     ///< on the body [N]
    swReal stiffness; ///< [N/m]
} swPull;
/// Pulls a vertex of a body's or a part's surface towards `to` [m] with a stiffness [N/m]. Returns
/// the index of the pull, which is its own until it is released, or -1 if all are in use.
SW_API int sw_pull_body(swState *state, int body, int vertex, swVec3 to, swReal stiffness);
SW_API int sw_pull_part(swState *state, int part, int vertex, swVec3 to, swReal stiffness);
/// Pulls a frame of any kind towards a position and a rotation, by springs on points that move with
/// this frame alone; `stiffness` is their sum. Also returns -1 for inserted frames and for the node
/// of a body of modes, neither of which has such points.
SW_API int sw_pull_frame(swState *state, int frame, swVec3 to, swMat3 rotation, swReal stiffness);
SW_API void sw_pull_move(swState *state, int pull, swVec3 to); ///< changes the target of a pull
/// Changes the target position and rotation of a pull on a frame.
SW_API void sw_pull_turn(swState *state, int pull, swVec3 to, swMat3 rotation);
SW_API void sw_pull_release(swState *state, int pull); ///< ends a pull; its index becomes free
/// Describes a pull in `out`. Returns false if the index is not in use.
SW_API bool sw_pull_get(const swState *state, int pull, swPull *out);
/// A stiffness like that of a hand [N/m]: the point comes most of the way to its target, and the
/// body can be lifted by it.
SW_API swReal sw_pull_stiffness(const swModel *model, int body);

/// Gives the state a collider of its own: a ball with friction 0.5, which moves as with
/// sw_collider_move(). It appears in the next step, even inside a body. Radius 0 removes it.
SW_API void sw_state_set_ball(swState *state, swVec3 center, swReal radius);
/// Returns the radius of the ball [m], 0 if there is none, and its centre [m].
SW_API swReal sw_state_ball(const swState *state, swVec3 *center);

/// Colliders have the order they have in the scene.
SW_API int sw_collider_count(const swModel *model);
SW_API const char *sw_collider_name(const swModel *model, int collider);
SW_API int sw_collider_find(const swModel *model, const char *name); ///< -1 if there is none
/// Moves a collider whose motion is SW_COLLIDER_PROGRAM. In the course of the next step it goes and
/// turns from where it is to x = rotation X + translation, X being the coordinates that its shape
/// is given in. Before the first call it is at its `place`. Returns false for other colliders.
SW_API bool sw_collider_move(swState *state, int collider, swVec3 translation, swMat3 rotation);
/// Returns where a collider is at present, in the same form.
SW_API void sw_collider_get(const swState *state, int collider, swVec3 *translation,
                            swMat3 *rotation);

/// Moves a fixed handle, or one with keys, overriding these. In the next step its rest centre goes
/// to `center` [m], and it turns to `rotation` applied to its orientation at t = 0, both at a
/// constant rate. Returns false for free handles (pull them with sw_pull_frame() instead) and for
/// the handles of a body of modes.
SW_API bool sw_handle_move(swState *state, int handle, swVec3 center, swMat3 rotation);

// ---- inserted frames: part of the state; sw_state_reset() removes them ----

/// A frame to be inserted into a prepared body: one with linear blending whose `frames.adapt` has a
/// budget. Its motion is added to that of the other frames and fades to zero at its range; handles
/// stay rigid.
typedef struct swInsertion {
    int body;
    swVec3 at;    ///< where in the body in its present pose [m]
    swReal range; ///< radius within which the frame acts, measured at rest [m], from two voxels to
                  ///< the body's diagonal; NaN: as the scene says, or a default
    swDistance distance; ///< how the range is measured: euclidean, or geodesic (in the material)
} swInsertion;
/// What inserting or removing a frame did.
typedef struct swInsertReport {
    int frame;          ///< index of the frame, now or before it was removed
    int iterations;     ///< Newton iterations to find the material point at `at`
    swVec3 rest;        ///< rest position of that point [m]
    swReal miss;        ///< distance between its present position and `at` [m]
    swReal energy_jump; ///< change of the total energy [J]
    int points;         ///< integration points within the range
} swInsertReport;
/// An insertion at `at` [m], with the range and distance of the body's `frames.adapt`.
SW_API swInsertion sw_default_insertion(const swState *state, int body, swVec3 at);
/// Inserts a frame. Positions and velocities stay the same, bit for bit. Returns the slot of the
/// frame, which is its own until it is removed, or -1 with `error` filled in and nothing changed
/// if the point is outside the body, the budget is used up, there are too few integration points
/// within the range, or the body is not prepared. `report` may be NULL, which saves two evaluations
/// of the energy.
SW_API int sw_frame_insert(swState *state, const swInsertion *insertion, swInsertReport *report,
                           swError *error);
/// Removes an inserted frame at once. The other frames take the positions and velocities nearest to
/// the present motion, by least squares weighted with mass. If the total energy would rise, the
/// excess is taken from the body's vibrations and, if these have too little, by letting the body
/// give way. `report` may be NULL. Returns false with `error` filled in and nothing changed on
/// failure.
SW_API bool sw_frame_remove(swState *state, int slot, swInsertReport *report, swError *error);
/// An inserted frame.
typedef struct swInserted {
    int body, frame; ///< `frame`: its index among frames at present
    swVec3 rest, at; ///< its centre at rest and at present [m]
    swReal range;    ///< [m]
    swDistance distance;
    bool automatic; ///< inserted by sw_state_adapt()
} swInserted;
/// Describes the frame in a slot. Returns false if the slot is not in use.
SW_API bool sw_insertion_get(const swState *state, int slot, swInserted *out);
/// Finds the material point of a prepared body that is at `at` [m] at present, by Newton's method.
/// Returns its rest position [m], the number of iterations, and the distance between its present
/// position and `at` [m]; each of these pointers may be NULL. Returns false if the body is not
/// prepared.
SW_API bool sw_body_rest_point(const swState *state, int body, swVec3 at, swVec3 *rest,
                               int *iterations, swReal *miss);
/// The model including the inserted frames, for queries that take a model; if none are inserted,
/// the model that the state was made from. Inserted frames come last in their body. The state owns
/// this model: the pointer is valid until the next insertion or removal.
SW_API const swModel *sw_state_model(const swState *state);

/// Inserts and removes frames as the scene's `frames.adapt` asks, at most one of each per body.
/// Call it between steps. A frame is inserted where something presses or pulls or where strain is
/// large, and removed when nothing has asked for it for some steps and it moves little. Frames
/// inserted by sw_frame_insert() stay. Returns the number of changes, or -1 with `error` filled in
/// on failure.
SW_API int sw_state_adapt(swState *state, swError *error);
/// Whether the model has a body into which sw_state_adapt() inserts frames.
SW_API bool sw_model_adapts(const swModel *model);

// ---- simulation ----

/// Advances the state by the model's time step. Here and below, `model` is the one that the state
/// was made from, or sw_state_model(). A body whose step fails stays as it was before the step, and
/// the report names it and gives the reason; the other bodies advance. If no body can advance, the
/// clock does not either. swConfig.progress may stop a long step: bodies that had not reached its
/// end stay as they were and continue with the next step. Allocates no memory. Returns SW_OK, or
/// the status of the first body that failed.
SW_API swStatus sw_step(const swModel *model, swState *state);
/// The longest time step for which `symplectic-euler` is stable at t = 0 [s]: 2 over the largest
/// angular frequency, less with damping. Infinite if nothing can vibrate, 0 if some motion has no
/// mass, negative with `error` filled in on failure. Temporarily allocates a state and a matrix.
SW_API swReal sw_stable_step(const swModel *model, swError *error);
/// Finds static equilibrium under the model's loads and the last keys of its handles, in load
/// increments from the present state, or along the equilibrium path (see swPath). Returns SW_OK,
/// or the reason for the failure; the state then stays at the last increment that converged.
SW_API swStatus sw_solve_static(const swModel *model, swState *state);
/// Does the same and calls `each` with `context` after every increment, when the state and its
/// report are those of the increment.
typedef void swEachIncrement(void *context);
SW_API swStatus sw_solve_static_each(const swModel *model, swState *state, swEachIncrement *each,
                                     void *context);

/// Natural vibrations about a state, of all bodies together; read-only. Motions that nothing
/// resists, like the six rigid motions of a free body, and those along which the state is unstable
/// have no frequency and are only counted.
typedef struct swModes {
    int count;               ///< number of vibrations
    int rigid;               ///< number of motions that nothing resists
    int unstable;            ///< number of motions along which the state is unstable
    const swReal *frequency; ///< of each vibration [Hz], ascending
    const int *body;         ///< the body that vibrates
    struct swModesMemory *memory;
} swModes;
/// Finds up to `count` vibrations of each body about the present state, which should be at rest and
/// in equilibrium and is not changed. `load` is the fraction of the model's loads that acts; it
/// matters for rigid frames only. Returns NULL with `error` filled in on failure. Release the
/// result with sw_modes_destroy() before the model is destroyed.
SW_API swModes *sw_solve_modal(const swModel *model, swState *state, swReal load, int count,
                               swError *error);
SW_API void sw_modes_destroy(swModes *modes); ///< NULL is allowed
/// Puts a state of the same model, at rest, into the pose of a vibration at an amplitude
/// [kg^(1/2) m]. Vibrations are normalised by mass: for small motions, one of amplitude a and
/// angular frequency w [rad/s] has the energy 1/2 (a w)^2 [J].
SW_API void sw_modes_pose(const swModes *modes, int mode, swReal amplitude, swState *state);
/// Finds the amplitude at which the surface of the vibrating body moves by at most `share` of half
/// its diagonal; 0 if the surface does not move. Changes the pose of the state. Returns false with
/// `error` filled in if memory runs out.
SW_API bool sw_modes_amplitude(const swModes *modes, int mode, swReal share, swState *state,
                               swReal *amplitude, swError *error);

/// How the last sw_step() or sw_solve_static() went.
typedef struct swStepReport {
    swStatus status;
    int iterations;       ///< Newton iterations
    int line_search_cuts; ///< times the line search halved the step length
    int projections;      ///< iterations whose tangent had to be made positive definite
    int increments;       ///< statics: load increments, or points of the path
    int cuts;             ///< statics: increments that failed and were made smaller
    int unstable;         ///< statics: 1 if the equilibrium is unstable and no way out was found
    int left;             ///< statics: unstable equilibria that were found and left
    int contacts;         ///< points in contact
    int substeps;         ///< parts that the step was divided into: 1 if none failed
    int islands;          ///< bodies, or groups of bodies that act on each other, that moved
    int asleep;           ///< bodies at rest, which are skipped
    int stopped;          ///< bodies whose step failed: they stay where they were before it
    int replaced; ///< 1 if `implicit-euler` took part of the step because the scene's integrator
                  ///< could not
    /// Bodies that a handle carried along, at rest and in the pose they had relative to it, because
    /// it moved in one step by 64 times half their diagonal, or by once that and the step failed
    int leapt;
    /// Searches in the shortest parts of a step that ended above the tolerance: at a kink of a law
    /// or of a contact, forces jump and are never in balance. The energy then fell by less than a
    /// thousandth in the second half of the search
    int rough;
    swReal residual;   ///< largest force that is not in balance [N]
    swReal scale;      ///< largest force at work [N]; the tolerance is relative to it
    swReal load;       ///< statics: fraction of the load reached
    swReal work;       ///< work of moved handles and colliders in the step [J]
    swReal dissipated; ///< energy lost to damping, friction and plastic flow in the step [J]
    swReal actuated;   ///< energy that changes of activations and rest shapes, and springs of bones
                       ///< that follow a clip, brought in during the step [J]
    /// Rise of the total energy (elastic, kinetic, potential, contact, pulls and muscles) in the
    /// step that work, actuation and dissipation do not explain: the error of the integrator [J].
    /// What the program changes between steps, such as a pull or the radius of the ball, is not
    /// counted
    swReal drift;
    swReal damping;   ///< `midpoint`: stiffness damping against vibrations that gain energy [s]
    char reason[208]; ///< why it failed, in words; "" if it did not
} swStepReport;
/// The report of all bodies together: sums, but the worst of iterations, residuals and substeps.
/// `reason` names the first body that stopped. The state owns it; the next step changes it.
SW_API const swStepReport *sw_state_report(const swState *state);
/// The report of one body. For a body that is asleep or has stopped, it is that of its last step.
SW_API const swStepReport *sw_body_report(const swState *state, int body);

/// How far a body's surface is from that of a fine model under the body's weight and loads, as
/// fractions of the largest displacement: by linear theory or, if the body was compiled with
/// SW_ESTIMATE_LARGE, in equilibrium at large displacements. Contact is left out, and by linear
/// theory also the motion of handles.
typedef struct swEstimate {
    swReal error;   ///< root mean square over the surface
    swReal worst;   ///< at the vertex that is farthest off
    swReal doubt;   ///< uncertainty of the fine model's own answer; `error` includes it
    swReal largest; ///< largest displacement of a vertex, by the fine model [m]
    bool large;     ///< whether displacements are large
} swEstimate;
/// Estimates the error of a body that was compiled with `estimate`. Returns false with `error`
/// filled in on failure; SW_ERROR_UNSUPPORTED means that the body was compiled without it, or that
/// linear theory has no answer, of which the compile has warned. Uses a temporary state, and solves
/// for equilibrium if displacements are large.
SW_API bool sw_body_estimate(const swModel *model, int body, swEstimate *out, swError *error);
/// Does the same for probes: fills out[sw_probe_count()] with the error of each probe's
/// displacement [m], NaN where its body has no estimate. Returns false with `error` filled in if a
/// body that was compiled with `estimate` cannot be compared (see sw_body_estimate()).
SW_API bool sw_probe_estimates(const swModel *model, swReal *out, swError *error);

/// Time spent in each stage since the state was made or reset [s]. Kinematics, material and
/// assembly are sums over threads; iterations and assemblies are sums over bodies.
typedef struct swProfile {
    swReal total, kinematics, material, assembly, contact, solve;
    int64_t steps, iterations, assemblies;
    int64_t linear_iterations; ///< iterations of conjugate gradients
    swReal flops;              ///< floating-point operations of the assemblies, as counted
} swProfile;
SW_API swProfile sw_state_profile(const swState *state);

/// How the linear systems of a state are solved.
typedef struct swSolverInfo {
    swLinearKind linear; ///< the solver in use, after resolving SW_LINEAR_AUTO
    double matrix;       ///< numbers stored for the matrix: the blocks of one triangle
    double factors;      ///< numbers stored for its factors, or for those of the preconditioner of
                         ///< conjugate gradients
    size_t memory;       ///< memory the whole state uses [bytes]
} swSolverInfo;
SW_API swSolverInfo sw_state_solver(const swState *state);

/// The energies of a state, all bodies together.
typedef struct swEnergy {
    swReal elastic;   ///< stored in the material, and in the springs of shapes it follows [J]
    swReal kinetic;   ///< [J]
    swReal potential; ///< of gravity and dead loads, zero at the rest origin, and of pressure in
                      ///< hollow bodies, zero at rest [J]
    swReal contact;   ///< stored in the penalty of contacts [J]
    swReal pull;      ///< stored in the springs of pulls, and of bones that follow a clip [J]
    swReal muscle;    ///< of muscles: activation x strength x length, plus that stored in their
                      ///< springs [J]
} swEnergy;
SW_API swEnergy sw_state_energy(const swState *state);
/// Linear momentum [kg m/s] and angular momentum about the origin [kg m^2/s] of all bodies
/// together.
SW_API void sw_state_momentum(const swState *state, swVec3 *linear, swVec3 *angular);

// ---- reading results: indices start at 0; names belong to the model ----

SW_API int sw_body_count(const swModel *model);
SW_API const char *sw_body_name(const swModel *model, int body);
SW_API int sw_body_find(const swModel *model, const char *name); ///< -1 if there is none
SW_API swReal sw_body_volume(const swModel *model, int body);    ///< at rest [m^3]
SW_API swReal sw_body_voxel(const swModel *model, int body);     ///< edge of its voxels [m]
SW_API int sw_body_vertex_count(const swModel *model, int body); ///< of its surface
SW_API int sw_body_triangle_count(const swModel *model, int body);
/// Copies the triangles of a body's surface to `out`, which must have room for three times
/// sw_body_triangle_count() integers: three indices of the body's vertices each, counter-clockwise
/// seen from outside.
SW_API void sw_body_triangles(const swModel *model, int body, int *out);
/// Copies the present positions [m] of the vertices of a body's surface to `out`, which must have
/// room for sw_body_vertex_count() of them.
SW_API void sw_body_vertices(const swState *state, int body, swVec3 *out);

/// Parts are closed surfaces around each material of the bodies whose `surfaces` is
/// SW_SURFACES_MATERIALS, body by body. They are read like the surfaces of bodies.
SW_API int sw_part_count(const swModel *model);
SW_API int sw_part_body(const swModel *model, int part);
SW_API const char *sw_part_name(const swModel *model, int part); ///< name of its material
SW_API int sw_part_vertex_count(const swModel *model, int part);
SW_API int sw_part_triangle_count(const swModel *model, int part);
SW_API void sw_part_triangles(const swModel *model, int part, int *out);
SW_API void sw_part_vertices(const swState *state, int part, swVec3 *out);

SW_API int sw_probe_count(const swModel *model);
SW_API const char *sw_probe_name(const swModel *model, int probe);
SW_API int sw_probe_find(const swModel *model, const char *name);     ///< -1 if there is none
SW_API int sw_probe_body(const swModel *model, int probe);            ///< the body it belongs to
SW_API swVec3 sw_probe_position(const swState *state, int probe);     ///< at present [m]
SW_API swVec3 sw_probe_displacement(const swState *state, int probe); ///< since t = 0 [m]

SW_API int sw_handle_count(const swModel *model);
SW_API const char *sw_handle_name(const swModel *model, int handle);
SW_API int sw_handle_body(const swModel *model, int handle);
SW_API int sw_handle_frame(const swModel *model, int handle); ///< its index among frames
/// What the handle exerted on the body in the last step: force [N], and torque about the handle's
/// rest centre [N m]. Zero before the first step, and for free handles.
SW_API void sw_handle_wrench(const swState *state, int handle, swVec3 *force, swVec3 *torque);

SW_API int sw_muscle_count(const swModel *model);
SW_API const char *sw_muscle_name(const swModel *model, int muscle);
SW_API int sw_muscle_find(const swModel *model, const char *name); ///< -1 if there is none
/// Present positions of its two ends [m].
SW_API void sw_muscle_ends(const swState *state, int muscle, swVec3 *from, swVec3 *to);
SW_API swReal sw_muscle_length(const swState *state, int muscle); ///< present length [m]
/// The force with which it pulls its ends together, at the activation of the last step [N].
SW_API swReal sw_muscle_force(const swState *state, int muscle);
SW_API swReal sw_muscle_activation(const swState *state, int muscle); ///< in the last step

/// Rest shapes, body by body.
SW_API int sw_rest_shape_count(const swModel *model);
SW_API const char *sw_rest_shape_name(const swModel *model, int shape);
SW_API int sw_rest_shape_find(const swModel *model, const char *name); ///< -1 if there is none
SW_API swReal sw_rest_shape_value(const swState *state, int shape); ///< its share in the last step

/// Frames, body by body: first the body's frames, then its handles, then inserted frames (see
/// sw_state_model()).
SW_API int sw_frame_count(const swModel *model);
/// Present position of the frame's origin [m] and its linear part, which is the identity at rest.
/// For an inserted frame they are those of the material at its centre.
SW_API void sw_frame_get(const swState *state, int frame, swVec3 *position, swMat3 *linear);

#ifdef __cplusplus
}
#endif
