// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew: soft solids simulated with a few moving frames.
//
//   swScene   what is to be simulated      sw_scene_read(), or built in C (scene.h)
//   swModel   the compiled scene, constant sw_compile(scene)
//   swState   everything that moves        sw_state_create(model), sw_step(model, state)
#pragma once

#include "base.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct swModel swModel;
typedef struct swState swState;

// ---- the compiled model ----

/// Voxelises bodies, places frames, computes weights, integration points, mass and surfaces. The
/// scene may be destroyed afterwards. NULL with `error` filled on failure. A model is never written
/// to again: threads may share it.
SW_API swModel *sw_compile(const swScene *scene, swError *error);
/// The same with bodies as they are after their cuts up to time t: sw_compile() makes those at 0.
/// A run goes on after a cut with a state of that model and sw_state_fit().
SW_API swModel *sw_compile_at(const swScene *scene, swReal t, swError *error);
/// When a body is cut next, after the time that the model was compiled for [s]; infinity: never.
SW_API swReal sw_model_next_cut(const swModel *model);
SW_API void sw_model_destroy(swModel *model); ///< NULL is fine; states made from it must be gone
/// One file, to be loaded at once by the same version of sinew with the same width of vectors.
SW_API bool sw_model_save(const swModel *model, const char *path, swError *error);
/// `config` is copied; NULL: the default one. NULL with `error` filled on failure.
SW_API swModel *sw_model_load(const char *path, const swConfig *config, swError *error);
/// Of everything in the model: equal models have equal hashes.
SW_API uint64_t sw_model_hash(const swModel *model);
/// Takes over from a scene what needs no compiling: gravity, time step and end, damping of bodies,
/// and settings of the solver, statics and vibrations but for `linear`. Everything else stays as it
/// was compiled, `integrator` and `analysis` too. False with `error` filled, and nothing changed,
/// where sw_compile() would refuse the scene or it has another number of bodies. The one exception
/// to a model being constant: no other thread may use it or its states meanwhile, and states saved
/// before are not of this model.
SW_API bool sw_model_adjust(swModel *model, const swScene *scene, swError *error);

/// How large a model is, all bodies together. `frames` counts handles too, `dof` the unknowns of a
/// step, `points` those of integration, `voxels` the filled ones (for each material in a cell one),
/// `vertices` and `triangles` those of surfaces, `springs` those of precomputed bodies.
typedef struct swModelInfo {
    int compiled; ///< different bodies: equal ones are compiled once
    int bodies, frames, handles, dof, points, voxels, vertices, triangles, contact_points, probes,
        springs;
    int net;       ///< vertices that move bodies of tetrahedra, springs or particles
    swReal mass;   ///< of all bodies [kg]
    swReal step;   ///< [s]
    swReal end;    ///< [s]
    size_t memory; ///< of the model [bytes]
    swAnalysis analysis;
    int modes;              ///< modal: vibrations of each body that are asked for,
    swAbout about;          ///< and what they are about
    const char *title;      ///< of the scene, or ""; belongs to the model
    const char *integrator; ///< its name
    bool direct;            ///< it solves no equations: steps must be shorter than sw_stable_step()
} swModelInfo;
SW_API swModelInfo sw_model_info(const swModel *model);

// ---- the state: belongs to one thread at a time, reading from it included ----

/// At t = 0. NULL with `error` filled on failure. The model must outlive its states.
SW_API swState *sw_state_create(const swModel *model, swError *error);
SW_API void sw_state_destroy(swState *state); ///< NULL is fine
SW_API void sw_state_reset(swState *state);   ///< back to t = 0, to the bit
/// Both made from the same model. Times of the profile are not copied. False, and nothing changed,
/// where there is no memory, which it takes where other frames are inserted in the two.
SW_API bool sw_state_copy(swState *to, const swState *from);
/// Into a state of another model with the same frames and surfaces, as of the same scene compiled
/// with other materials: positions, velocities, time, pulls, ball, moved handles, activations; and
/// plastic strain and contact forces where there are as many. False, and nothing changed, where
/// frames or surfaces differ in number or kind.
SW_API bool sw_state_carry(swState *to, const swState *from);
/// The model of a state's scene after its cuts up to time t, with bodies torn as they are in the
/// state: for sw_state_fit(). NULL with `error` filled on failure.
SW_API swModel *sw_state_cut(const swState *state, const swScene *scene, swReal t, swError *error);
/// What tears.
typedef struct swTearReport {
    int splits;     ///< vertices that come apart
    int beyond;     ///< vertices pulled harder than the material bears; some have to wait
    swReal largest; ///< of all vertices: tension over toughness
} swTearReport;
/// Whether bodies of tets, whose materials have a toughness, tear in this state: then the model of
/// its scene, the one it was compiled from, with the cracks; for sw_state_fit(). To be called after
/// each step. NULL where nothing tears, or with `error` filled on failure. `report` may be NULL.
SW_API swModel *sw_state_tear(const swState *state, const swScene *scene, swTearReport *report,
                              swError *error);
/// Whether there is a body that can tear.
SW_API bool sw_model_tears(const swModel *model);
/// What a cut did, all bodies together.
typedef struct swFitReport {
    int bodies;                   ///< that have been cut
    swReal mass;                  ///< that is gone [kg]
    swVec3 momentum;              ///< that went with it [kg m/s]
    swReal energy_before, energy; ///< elastic and kinetic, before and after, and where the body
                                  ///< gave way what weight and contact lost by that [J]
    swReal miss;                  ///< how far from where it was the material is at most [m]
    int calmed; ///< bodies that would have gained energy: vibrations lost it, or they gave way
} swFitReport;
/// Into a state of another model of the same scene, compiled after further cuts: bodies that these
/// do not touch go on as they are, to the bit; frames of the others take over positions and
/// velocities, the nearest in the mean over the mass, so that momentum is kept but for that of what
/// was cut away. Pulls end. `report` may be NULL. False with `error` filled, and `to` unusable
/// until it is reset, where bodies, handles or materials differ, or frames are inserted.
SW_API bool sw_state_fit(swState *to, const swState *from, swFitReport *report, swError *error);
/// One file, for this model alone.
SW_API bool sw_state_save(const swState *state, const char *path, swError *error);
/// Refuses a file made with another model. On failure the state stays as it is.
SW_API bool sw_state_load(swState *state, const char *path, swError *error);
/// Of everything the next step depends on: equal states have equal hashes, whatever the number of
/// threads.
SW_API uint64_t sw_state_hash(const swState *state);
/// The index of a material, -1 when there is none of that name.
SW_API int sw_material_find(const swModel *model, const char *name);
/// Activates the fibres of a material from the next step on, whatever its keys say, until
/// sw_state_reset(). Cut to 0 .. 1; not-a-number: by its keys again. In statics the share of the
/// load multiplies it.
SW_API void sw_state_set_activation(swState *state, int material, swReal value);
/// The same for a muscle.
SW_API void sw_state_set_muscle(swState *state, int muscle, swReal activation);
/// The same for the share of a rest shape; one that follows no longer does.
SW_API void sw_state_set_shape(swState *state, int shape, swReal value);
SW_API swReal sw_state_time(const swState *state);   ///< [s]
SW_API int64_t sw_state_steps(const swState *state); ///< steps or load increments since t = 0

// ---- interaction: part of the state; sw_state_reset() ends it ----

enum { SW_PULLS = 64 }; ///< at most so many at a time

/// A spring from a point of a body to a place: energy stiffness/2 |at - to|^2. A pull acts from the
/// next step on, with all of its stiffness at any share of a static load. Places must be finite and
/// stiffnesses positive.
typedef struct swPull {
    int body;
    int frame;        ///< the frame that is drawn, or -1: a vertex is
    swVec3 at, to;    ///< where the vertex or the frame's origin is, and what draws it [m]
    swMat3 rotation;  ///< what the frame's linear part is drawn to; the identity for a vertex
    swVec3 force;     ///< on the body [N]
    swReal stiffness; ///< [N/m]
} swPull;
/// Pulls a vertex of a body's or a part's surface. The index of the pull, or -1 when all are in
/// use; no other pull has it until it is released.
SW_API int sw_pull_body(swState *state, int body, int vertex, swVec3 to, swReal stiffness);
SW_API int sw_pull_part(swState *state, int part, int vertex, swVec3 to, swReal stiffness);
/// Draws a frame of any kind to a place and a rotation: springs of this stiffness together, on
/// points that move with the frame alone. -1 also for inserted frames, with which none does.
SW_API int sw_pull_frame(swState *state, int frame, swVec3 to, swMat3 rotation, swReal stiffness);
SW_API void sw_pull_move(swState *state, int pull, swVec3 to);
SW_API void sw_pull_turn(swState *state, int pull, swVec3 to, swMat3 rotation); ///< of a frame
SW_API void sw_pull_release(swState *state, int pull);
/// False when the index is not in use.
SW_API bool sw_pull_get(const swState *state, int pull, swPull *out);
/// A stiffness like that of a hand: the point comes most of the way, and the body can be lifted.
SW_API swReal sw_pull_stiffness(const swModel *model, int body);

/// A collider of the state's own, a ball with friction 0.5 that is moved as by sw_collider_move();
/// radius 0: none. It appears with the next step, whatever is in its way.
SW_API void sw_state_set_ball(swState *state, swVec3 center, swReal radius);
SW_API swReal sw_state_ball(const swState *state, swVec3 *center); ///< its radius

/// Colliders of the scene, in its order.
SW_API int sw_collider_count(const swModel *model);
SW_API const char *sw_collider_name(const swModel *model, int collider);
SW_API int sw_collider_find(const swModel *model, const char *name); ///< -1 when there is none
/// Moves a collider whose motion is `program`: in the next step, it goes and turns from where it is
/// to x = rotation X + translation, X being the coordinates its shape is given in. Until the first
/// time it is at its place. False for others.
SW_API bool sw_collider_move(swState *state, int collider, swVec3 translation, swMat3 rotation);
/// Where a collider is now, as above.
SW_API void sw_collider_get(const swState *state, int collider, swVec3 *translation,
                            swMat3 *rotation);

/// Moves a fixed handle or one with keys, whatever these say: in the next step, linearly in time,
/// its rest centre goes to `center`, and it turns to `rotation` after its orientation at t = 0.
/// False for free handles: see sw_pull_frame().
SW_API bool sw_handle_move(swState *state, int handle, swVec3 center, swMat3 rotation);

// ---- inserted frames: part of the state; sw_state_reset() ends them ----

/// A frame that is added to a body of linear blending whose `frames.adapt` has a budget. It adds to
/// the motion of the other frames, fading to nothing at its range, and handles stay rigid.
typedef struct swInsertion {
    int body;
    swVec3 at;           ///< where in the body as it is now [m]
    swReal range;        ///< how far it acts, at rest [m], from two voxels to the body's diagonal;
                         ///< not-a-number: as the scene says, or a default
    swDistance distance; ///< how that is measured: euclidean, or geodesic (through the material)
} swInsertion;
/// What inserting or removing a frame did.
typedef struct swInsertReport {
    int frame;          ///< its index among frames, now or before it was removed
    int iterations;     ///< of the search for the point of the material
    swVec3 rest;        ///< that point, at rest [m]
    swReal miss;        ///< how far from `at` it is now [m]
    swReal energy_jump; ///< total energy after less that before [J]
    int points;         ///< integration points within the range
} swInsertReport;
/// As asked for by a scene's body: at the point `at`, with the range and distance of its `adapt`.
SW_API swInsertion sw_default_insertion(const swState *state, int body, swVec3 at);
/// Inserts a frame: positions and velocities stay as they are, to the bit. Returns its slot, which
/// is its until it is removed, or -1 with `error` filled and nothing changed: the point is outside
/// the body, the budget is used up, there are too few integration points within the range, the body
/// is not prepared. `report` may be NULL, which saves the time of two energies.
SW_API int sw_frame_insert(swState *state, const swInsertion *insertion, swInsertReport *report,
                           swError *error);
/// Removes it at once. Positions and velocities become those that the other frames can make that
/// are nearest, in the mean over the mass; where the total energy would rise by that, vibrations
/// lose as much, and where there are none the body gives way. False with `error` filled and nothing
/// changed on failure.
SW_API bool sw_frame_remove(swState *state, int slot, swInsertReport *report, swError *error);
/// One that is there. False where the slot is not in use.
typedef struct swInserted {
    int body, frame; ///< `frame`: its index among frames at present
    swVec3 rest, at; ///< its centre at rest and now [m]
    swReal range;    ///< [m]
    swDistance distance;
    bool automatic; ///< inserted by sw_state_adapt()
} swInserted;
SW_API bool sw_insertion_get(const swState *state, int slot, swInserted *out);
/// The point of a prepared body that is at `at` now, by Newton's method: its rest position [m], how
/// many iterations it took, how far from `at` it is now [m]; each may be NULL. False where the body
/// is not prepared.
SW_API bool sw_body_rest_point(const swState *state, int body, swVec3 at, swVec3 *rest,
                               int *iterations, swReal *miss);
/// The model with the frames that are there now: for queries that take a model. The one the state
/// was made from where nothing is inserted. It is the state's own: the next insertion or removal
/// ends it. Inserted frames are the last ones of their body.
SW_API const swModel *sw_state_model(const swState *state);

/// Inserts and removes frames where the scene says (`frames.adapt`): at most one of each per body,
/// to be called between steps. A frame comes where something presses or pulls, or strain is large,
/// and goes when nothing has asked for it for some steps and it moves little; those inserted by
/// hand stay. Returns the number of changes, or -1 with `error` filled.
SW_API int sw_state_adapt(swState *state, swError *error);
/// Whether there is a body into which that inserts frames.
SW_API bool sw_model_adapts(const swModel *model);

// ---- simulation ----

/// Advances by one step of the model's time step; `model` is the one the state was made from, or
/// sw_state_model(), here and below. A body that cannot go on stays as it was before the step, and
/// the report names it and says why; the others go on. Where none can, neither does the clock.
/// swConfig.progress may stop a step that takes long: bodies that had not come to its end stay as
/// they were, and go on with the next one. Allocates nothing.
SW_API swStatus sw_step(const swModel *model, swState *state);
/// The longest step for which `symplectic-euler` is stable at t = 0 [s]: 2 over the largest angular
/// frequency, less with damping. Infinite where nothing can vibrate, 0 where a motion has no mass;
/// negative with `error` filled on failure. Takes a state and a matrix of the model's size.
SW_API swReal sw_stable_step(const swModel *model, swError *error);
/// Static equilibrium under the model's loads and the last keys of its handles, in load increments
/// from the present state, or along the path of equilibria. On failure the state stays at the last
/// increment that converged.
SW_API swStatus sw_solve_static(const swModel *model, swState *state);
/// The same; calls `each` after every increment, when state and report are those of it.
typedef void swEachIncrement(void *context);
SW_API swStatus sw_solve_static_each(const swModel *model, swState *state, swEachIncrement *each,
                                     void *context);

/// Natural vibrations of bodies about a state, all bodies together; read only. A motion that
/// nothing resists, like the six of a free body, has no frequency, nor has one along which the
/// state is unstable: these are counted alone.
typedef struct swModes {
    int count;               ///< vibrations
    int rigid;               ///< motions that nothing resists
    int unstable;            ///< motions along which the state gives way
    const swReal *frequency; ///< [Hz], ascending
    const int *body;         ///< which one vibrates
    struct swModesMemory *memory;
} swModes;
/// At most `count` vibrations of each body, about the state as it is now and a share `load` of the
/// model's loads (they matter to rigid frames alone). The state is not changed; it should be at
/// rest and in equilibrium. NULL with `error` filled on failure; sw_modes_destroy() in the end,
/// before the model.
SW_API swModes *sw_solve_modal(const swModel *model, swState *state, swReal load, int count,
                               swError *error);
SW_API void sw_modes_destroy(swModes *modes); ///< NULL is fine
/// Puts the state, of the same model, to where vibration `mode` is at this amplitude: 1 is where
/// the kinetic energy of v = amplitude x frequency [rad/s] would be 1/2 v^2 [kg^(1/2) m]. At rest.
SW_API void sw_modes_pose(const swModes *modes, int mode, swReal amplitude, swState *state);
/// The amplitude at which the surface of the body that vibrates moves by `share` of half its
/// diagonal at most; 0 where it does not move. Changes the pose of the state. False with `error`
/// filled where there is no memory.
SW_API bool sw_modes_amplitude(const swModes *modes, int mode, swReal share, swState *state,
                               swReal *amplitude, swError *error);

/// How the last sw_step() or sw_solve_static() went.
typedef struct swStepReport {
    swStatus status;
    int iterations;       ///< Newton iterations
    int line_search_cuts; ///< halvings of the step length
    int projections;      ///< iterations whose tangent had to be made positive definite
    int increments;       ///< statics: load increments, or points of the path
    int cuts;             ///< statics: increments that failed and were made smaller
    int unstable;         ///< statics: 1: the equilibrium is unstable, and no way out was found
    int left;             ///< statics: unstable equilibria that were found and left
    int contacts;         ///< points in contact
    int substeps;         ///< parts that the step was taken in: 1, where none failed
    int islands;          ///< bodies, or groups of bodies that act on each other, that moved
    int asleep;           ///< bodies that rest, and are left as they are
    int stopped;          ///< bodies whose step failed: they stay where they were before it
    int replaced; ///< 1: `implicit-euler` took some of this step, as the scene's own would not
    /// Bodies that a handle took along as they were, at rest: in one step it moved by 64 times
    /// their length, or by once their length and they could not follow
    int leapt;
    /// Searches that ended short of the tolerance, in the shortest parts of a step: at a kink of a
    /// law or a contact forces leap and are never in balance, but energy fell by less than a
    /// thousandth in the last half of the search
    int rough;
    swReal residual;   ///< largest force not in balance [N]
    swReal scale;      ///< largest force at work [N]: the tolerance is relative to it
    swReal load;       ///< statics: share of the load reached
    swReal work;       ///< of moved handles and colliders, in the step [J]
    swReal dissipated; ///< by damping, friction and plastic flow, in the step [J]
    swReal actuated; ///< energy that changed activations and rest shapes, and springs of bones that
                     ///< follow a clip, brought in [J]
    /// What the total energy (elastic, kinetic, potential, contact, pulls and muscles) rose by in
    /// the step beside work, actuation and dissipation: the integrator's own doing [J]. What the
    /// program changes between steps, a pull or the ball's radius, is no part of it
    swReal drift;
    swReal damping;   ///< `midpoint`: of stiffness, against vibrations that gain energy [s]
    char reason[208]; ///< of a failure, in words
} swStepReport;
/// Of all bodies together: sums, and of iterations, residuals and parts the worst; `reason` names
/// the first body that has stopped. The state's own; the next step changes it.
SW_API const swStepReport *sw_state_report(const swState *state);
/// Of one body; that of one that is asleep or has stopped is of its last step.
SW_API const swStepReport *sw_body_report(const swState *state, int body);

/// How far a body's surface is from where a fine model has it, under the body's weight and loads,
/// as a share of the largest displacement: linear theory, or, where it was compiled with
/// SW_ESTIMATE_LARGE, equilibrium at large displacements. Contact, and by linear theory the motion
/// of handles, are not part of it.
typedef struct swEstimate {
    swReal error;   ///< root of the mean square over the surface
    swReal worst;   ///< of the vertex that is farthest off
    swReal doubt;   ///< how far off the fine model's own answer may be: part of `error`
    swReal largest; ///< displacement of a vertex, by the fine model [m]
    bool large;     ///< whether at large displacements
} swEstimate;
/// For a body that was compiled with `estimate`; SW_ERROR_UNSUPPORTED: it was not, or linear theory
/// has no answer, which the compile has warned of. Makes a state of its own; solves for equilibrium
/// where displacements are large.
SW_API bool sw_body_estimate(const swModel *model, int body, swEstimate *out, swError *error);
/// The same for probes: out[sw_probe_count()] is how far the displacement of each is off [m],
/// not-a-number where its body has no estimate. False where a body that was compiled with
/// `estimate` cannot be compared, as sw_body_estimate() says.
SW_API bool sw_probe_estimates(const swModel *model, swReal *out, swError *error);

/// Seconds spent since the state was made or reset, by stage; those of kinematics, material and
/// assembly are sums over threads. Iterations and assemblies are sums over bodies.
typedef struct swProfile {
    swReal total, kinematics, material, assembly, contact, solve;
    int64_t steps, iterations, assemblies;
    int64_t linear_iterations; ///< of conjugate gradients
    swReal flops;              ///< floating-point operations of the assemblies, counted
} swProfile;
SW_API swProfile sw_state_profile(const swState *state);

/// How the linear equations of a state are solved.
typedef struct swSolverInfo {
    swLinearKind linear; ///< what `auto` has become
    double matrix;       ///< numbers kept of the matrix: the blocks of one triangle
    double factors; ///< numbers in its factors, or in those of about it for conjugate gradients
    size_t memory;  ///< of the state, all in all [bytes]
} swSolverInfo;
SW_API swSolverInfo sw_state_solver(const swState *state);

typedef struct swEnergy {
    swReal elastic;   ///< stored in the material, and in the springs of shapes it follows [J]
    swReal kinetic;   ///< [J]
    swReal potential; ///< of gravity and dead loads, zero at the rest origin, and of pressure in
                      ///< hollow bodies, zero at rest [J]
    swReal contact;   ///< stored in the penalty of contacts [J]
    swReal pull;      ///< stored in the springs of pulls, and of bones that follow a clip [J]
    swReal muscle;    ///< of muscles: activation strength length, and stored in their springs [J]
} swEnergy;
SW_API swEnergy sw_state_energy(const swState *state);
/// Linear momentum [kg m/s] and angular momentum about the origin [kg m^2/s] of all bodies.
SW_API void sw_state_momentum(const swState *state, swVec3 *linear, swVec3 *angular);

// ---- reading results: indices from 0; names belong to the model ----

SW_API int sw_body_count(const swModel *model);
SW_API const char *sw_body_name(const swModel *model, int body);
SW_API int sw_body_find(const swModel *model, const char *name); ///< -1 when there is none
SW_API swReal sw_body_volume(const swModel *model, int body);    ///< at rest [m^3]
SW_API swReal sw_body_voxel(const swModel *model, int body);     ///< edge of its voxels [m]
SW_API int sw_body_vertex_count(const swModel *model, int body);
SW_API int sw_body_triangle_count(const swModel *model, int body);
/// Three indices per triangle into the body's vertices, counter-clockwise from outside; copied to
/// `out`, which has room for three times sw_body_triangle_count().
SW_API void sw_body_triangles(const swModel *model, int body, int *out);
/// Present positions [m] of the body's surface vertices, copied to `out`, which has room for
/// sw_body_vertex_count() of them.
SW_API void sw_body_vertices(const swState *state, int body, swVec3 *out);

/// Closed surfaces around the materials of bodies whose `surfaces` are materials, body by body;
/// read as those of bodies are.
SW_API int sw_part_count(const swModel *model);
SW_API int sw_part_body(const swModel *model, int part);
SW_API const char *sw_part_name(const swModel *model, int part); ///< of its material
SW_API int sw_part_vertex_count(const swModel *model, int part);
SW_API int sw_part_triangle_count(const swModel *model, int part);
SW_API void sw_part_triangles(const swModel *model, int part, int *out);
SW_API void sw_part_vertices(const swState *state, int part, swVec3 *out);

SW_API int sw_probe_count(const swModel *model);
SW_API const char *sw_probe_name(const swModel *model, int probe);
SW_API int sw_probe_find(const swModel *model, const char *name);     ///< -1 when there is none
SW_API int sw_probe_body(const swModel *model, int probe);            ///< the body it is of
SW_API swVec3 sw_probe_position(const swState *state, int probe);     ///< [m]
SW_API swVec3 sw_probe_displacement(const swState *state, int probe); ///< since t = 0 [m]

SW_API int sw_handle_count(const swModel *model);
SW_API const char *sw_handle_name(const swModel *model, int handle);
SW_API int sw_handle_body(const swModel *model, int handle);
SW_API int sw_handle_frame(const swModel *model, int handle); ///< its index among frames
/// What the handle applied to the body in the last step: force [N], torque about the handle's rest
/// centre [N m]. Zero before the first step, and for free handles.
SW_API void sw_handle_wrench(const swState *state, int handle, swVec3 *force, swVec3 *torque);

SW_API int sw_muscle_count(const swModel *model);
SW_API const char *sw_muscle_name(const swModel *model, int muscle);
SW_API int sw_muscle_find(const swModel *model, const char *name); ///< -1 when there is none
/// Where its ends are [m].
SW_API void sw_muscle_ends(const swState *state, int muscle, swVec3 *from, swVec3 *to);
SW_API swReal sw_muscle_length(const swState *state, int muscle); ///< [m]
/// With which it pulls its ends together, at the activation of the last step [N].
SW_API swReal sw_muscle_force(const swState *state, int muscle);
SW_API swReal sw_muscle_activation(const swState *state, int muscle); ///< of the last step

/// Rest shapes, body by body.
SW_API int sw_rest_shape_count(const swModel *model);
SW_API const char *sw_rest_shape_name(const swModel *model, int shape);
SW_API int sw_rest_shape_find(const swModel *model, const char *name); ///< -1 when there is none
SW_API swReal sw_rest_shape_value(const swState *state, int shape); ///< its share in the last step

/// Body by body: its frames, then its handles, then those inserted (see sw_state_model()).
SW_API int sw_frame_count(const swModel *model);
/// Present position of the frame's origin [m] and its linear part (the identity at rest); of an
/// inserted frame those of the material at its centre.
SW_API void sw_frame_get(const swState *state, int frame, swVec3 *position, swMat3 *linear);

#ifdef __cplusplus
}
#endif
