// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Private to the simulation thread: what is open, how it runs, what pages do to it.
#pragma once

#include "potentials/measure.h"
#include "kinematics/sample_map.h"
#include "output/recorder.h"
#include "view/encode.h"

enum { SIM_FPS = 60 };

typedef enum SimMode { MODE_DYNAMIC, MODE_STATIC, MODE_MODAL, MODE_RECORDING } SimMode;

// Something that a page moves: it follows at a limited speed, as a jerk of the mouse would make the
// solver fail.
typedef struct Follower {
    bool on;
    swVec3 now, goal, last; // last: before the step
    swMat3 turn, turn_goal, turn_last;
    bool moved; // in the last step
} Follower;

typedef struct SimPull {
    int id, page, kind;
    int pull;    // of the state
    swVec3 goal; // where the page wants it; the spring pulls towards it
    swMat3 turn; // rotation of a frame
} SimPull;

// Settings that need a compile, as they were when the scene was last compiled.
typedef struct Stiffness {
    swReal young, poisson;
} Stiffness;
typedef struct Prepared { // for inserting frames
    swAdapt adapt;
    swIntegration integration;
} Prepared;

// The coordinates of a body that is shown; their number depends on its frames.
typedef struct SimBody {
    swReal *last;    // before the last step
    swReal *between; // interpolated between these and the present ones
} SimBody;

// What a compiled body needs for fields.
typedef struct SimMeasure {
    swMeasureWork work;
    swSampleMap map;
} SimMeasure;

// Real time: simulated time follows the wall clock.
typedef struct Clock {
    double last;        // wall time up to which time has been counted
    double debt;        // simulated time that is due [s]
    double slow_until;  // wall time until which the page shows that it is too slow
    double since, from; // wall and simulated time when the speed was last measured
    double reached;     // measured speed
} Clock;

typedef struct Sim {
    View *view;
    struct {
        int id, field;
    } page[VIEW_PAGES];
    Opened *now; // NULL: nothing is open
    int epoch;   // counts the scenes that were opened
    int change;  // counts changes that need a compile
    int generation;
    bool playing;
    swReal speed;
    bool changed;     // a frame is to be sent
    bool exact;       // frames show the state; else they interpolate between the last two steps
    bool solve;       // an equilibrium is to be found
    double solved_in; // time that the last equilibrium took [s]
    char failed[192]; // why the last step failed
    int64_t let_go;   // the step at which held points were released; -1: none
    double usual;     // running mean of the time of a step while nothing is held [s]; INFINITY:
                      // unknown
    int stopped;      // number of bodies known to have stopped because their step failed
    // Everything below belongs to what is open.
    SimMode mode;
    swArena arena;
    Stiffness *applied; // by material
    Prepared *prepared; // by body
    Clock clock;
    swProfile profile; // at the last frame
    // What depends on its frames, which may come and go.
    swArena fitted;
    Surfaces surfaces;
    SimBody *body;
    const swReal **q; // by body: coordinates that the next frame shows
    swReal t_last;
    bool measuring;      // the two below exist
    SimMeasure *measure; // by compiled body
    BodyField *field;    // by body
    // What pages do.
    SimPull pull[SW_PULLS];
    int npull;
    Follower ball, *handle;
    swReal radius; // of the ball
    swModes *modes;
    int shown_mode;
    swReal amplitude, phase; // phase: time of the vibration or in the recording [s]
    swClip clip;             // that is being recorded
    swRecorder recorder;
    swArena recorder_arena;
    bool recording;
    swReal recorded; // length of the recording that can be fetched [s]
} Sim;

// The model with its present frames. Settings and recorded motion belong to now->model instead.
static inline const swModel *sim_model(const Sim *sim) { return sw_state_model(sim->now->state); }

// ---- sim.c ----

void sim_status(Sim *sim);
void sim_fail(Sim *sim, const char *format, ...) SW_PRINTF(2, 3);
bool sim_has_samples(const Sim *sim); // whether there are points at which stress is known

// ---- show.c: opening and closing, and what is sent to pages ----

void sim_show(Sim *sim, Opened *opened); // takes ownership of it
void sim_close(Sim *sim);
bool sim_prepare(Sim *sim, swError *error); // makes everything that depends on the model
void sim_refit(Sim *sim);                   // after frames were inserted or removed
bool sim_choose_mode(Sim *sim, int mode, swError *error);
void sim_send_scene(Sim *sim, bool continues);
void sim_send_settings(Sim *sim); // if nothing else has changed
void sim_send_frame(Sim *sim);

// ---- time.c ----

bool sim_is_running(const Sim *sim);
void sim_restart_clock(Sim *sim);
void sim_tick(Sim *sim);
void sim_step(Sim *sim);     // a single step
void sim_remember(Sim *sim); // keeps all coordinates before a step
void sim_reset(Sim *sim);
void sim_pose_mode(Sim *sim);
void sim_seek(Sim *sim, swReal time); // in a recording
swReal sim_duration(const Sim *sim);  // of a recording; else 0

// ---- touch.c: pulls, handles, the ball ----

void sim_pull(Sim *sim, const Command *command);
void sim_move(Sim *sim, const Command *command);
void sim_pull_frame(Sim *sim, const Command *command);
void sim_release(Sim *sim, const Command *command);
void sim_release_page(Sim *sim, int page); // releases what a page held that has gone
void sim_handle(Sim *sim, const Command *command);
void sim_ball(Sim *sim, const Command *command);
void sim_control(Sim *sim, const Command *command);
bool sim_can_touch(Sim *sim, const Command *command); // if not, tells the page
bool sim_holds(const Sim *sim);                       // whether anything but pins is held
void sim_let_go(Sim *sim);                            // releases everything but pins
void sim_follow(Sim *sim, swReal h); // before a step of length h; INFINITY: all the way
int sim_list_pulls(const Sim *sim, FramePull out[SW_PULLS]);

// ---- insert.c: inserting and removing frames ----

void sim_prepare_bodies(Sim *sim, const Command *command);
void sim_insert(Sim *sim, const Command *command);
void sim_remove(Sim *sim, const Command *command);

// ---- set.c: settings ----

void sim_set(Sim *sim, const Command *command);
void sim_choose_clip(Sim *sim, const Command *command);
// Compiles the present scene while the simulation goes on; `anew`: the new model starts at t = 0.
void sim_compile(Sim *sim, bool anew);
void sim_keep_compiled(Sim *sim, const swScene *compiled);
void sim_restore_compiled(Sim *sim);              // after a change that could not be compiled
void sim_changed_scene(Sim *sim, Opened *opened); // takes ownership of it
void sim_replace(Sim *sim, Opened *opened);       // the motion continues with it

// ---- cut.c: cuts before a step, tears after it; false if they fail ----

bool sim_cut(Sim *sim);
bool sim_tear(Sim *sim);

// ---- record.c ----

void sim_record(Sim *sim, bool on);
void sim_record_step(Sim *sim); // after every step
