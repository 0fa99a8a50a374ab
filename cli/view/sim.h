// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The simulation thread's own: what is open, how it runs, what pages do to it.
#pragma once

#include "potentials/measure.h"
#include "kinematics/sample_map.h"
#include "output/recorder.h"
#include "view/encode.h"

enum { SIM_FPS = 60 };

typedef enum SimMode { MODE_DYNAMIC, MODE_STATIC, MODE_MODAL, MODE_RECORDING } SimMode;

// Something that a page moves: it follows at a bounded speed, as a jerk of the mouse would break
// the solver.
typedef struct Follower {
    bool on;
    swVec3 now, goal, last; // last: before the step
    swMat3 turn, turn_goal, turn_last;
    bool moved; // in the last step
} Follower;

typedef struct SimPull {
    int id, page, kind;
    int pull;    // of the state
    swVec3 goal; // where it is to go; the spring reaches for it
    swMat3 turn; // of a frame
} SimPull;

// What of a scene needs compiling, as it was compiled.
typedef struct Stiffness {
    swReal young, poisson;
} Stiffness;
typedef struct Prepared { // for frames to be inserted
    swAdapt adapt;
    swIntegration integration;
} Prepared;

// The motion of a body that is shown: as large as its frames make it.
typedef struct SimBody {
    swReal *last;    // before the last step
    swReal *between; // that and the step
} SimBody;

// What a compiled body needs for fields.
typedef struct SimMeasure {
    swMeasureWork work;
    swSampleMap map;
} SimMeasure;

// Real time: simulated time follows the wall clock.
typedef struct Clock {
    double last;        // wall time that has been counted
    double debt;        // simulated time that is owed [s]
    double slow_until;  // wall time until which to tell that it is too slow
    double since, from; // wall and simulated time at which the speed was last measured
    double reached;     // speed
} Clock;

typedef struct Sim {
    View *view;
    struct {
        int id, field;
    } page[VIEW_PAGES];
    Opened *now; // NULL: nothing
    int epoch;   // counts what was opened
    int change;  // the last one of its materials
    int generation;
    bool playing;
    swReal speed;
    bool changed;     // a frame is due
    bool exact;       // it shows the state; else what lies between the last two steps
    bool solve;       // an equilibrium is to be found
    double solved_in; // seconds, the last time
    char failed[192]; // why the last step did
    int64_t let_go;   // the step at which what was held was let go; -1: none
    double usual;     // time of a step while nothing is held, in the mean of the last ones [s];
                      // INFINITY: unknown
    int stopped;      // bodies that stay where a step of theirs failed, which has been told
    // All below is of what is open.
    SimMode mode;
    swArena arena;
    Stiffness *applied; // by material
    Prepared *prepared; // by body
    Clock clock;
    swProfile profile; // at the last frame
    // Of its frames, which may come and go.
    swArena fitted;
    Surfaces surfaces;
    SimBody *body;
    const swReal **q; // by body: what the next frame shows
    swReal t_last;
    bool measuring;      // the two below are there
    SimMeasure *measure; // by compiled body
    BodyField *field;    // by body
    // Of what pages do.
    SimPull pull[SW_PULLS];
    int npull;
    Follower ball, *handle;
    swReal radius; // of the ball
    swModes *modes;
    int shown_mode;
    swReal amplitude, phase; // phase: seconds of its motion, or into a recording
    swClip clip;             // recording
    swRecorder recorder;
    swArena recorder_arena;
    bool recording;
    swReal recorded; // seconds that can be fetched
} Sim;

// With the frames that are there now; now->model is the one that settings belong to, and motion
// that is recorded.
static inline const swModel *sim_model(const Sim *sim) { return sw_state_model(sim->now->state); }

// ---- sim.c ----

void sim_status(Sim *sim);
void sim_fail(Sim *sim, const char *format, ...) SW_PRINTF(2, 3);
bool sim_has_samples(const Sim *sim); // points at which strain and stress are known

// ---- show.c: what is open, and what is sent of it ----

void sim_show(Sim *sim, Opened *opened); // takes it over
void sim_close(Sim *sim);
bool sim_prepare(Sim *sim, swError *error); // what comes with a model
void sim_refit(Sim *sim);                   // frames were inserted or removed
bool sim_choose_mode(Sim *sim, int mode, swError *error);
void sim_send_scene(Sim *sim, bool continues);
void sim_send_settings(Sim *sim); // nothing else has changed
void sim_send_frame(Sim *sim);

// ---- time.c ----

bool sim_is_running(const Sim *sim);
void sim_restart_clock(Sim *sim);
void sim_tick(Sim *sim);
void sim_step(Sim *sim);     // one
void sim_remember(Sim *sim); // where everything is, before a step
void sim_reset(Sim *sim);
void sim_pose_mode(Sim *sim);
void sim_seek(Sim *sim, swReal time); // in a recording
swReal sim_duration(const Sim *sim);  // of one; else 0

// ---- touch.c: pulls, handles, the ball ----

void sim_pull(Sim *sim, const Command *command);
void sim_move(Sim *sim, const Command *command);
void sim_pull_frame(Sim *sim, const Command *command);
void sim_release(Sim *sim, const Command *command);
void sim_release_page(Sim *sim, int page); // what goes with it
void sim_handle(Sim *sim, const Command *command);
void sim_ball(Sim *sim, const Command *command);
void sim_control(Sim *sim, const Command *command);
bool sim_can_touch(Sim *sim, const Command *command); // says so where not
bool sim_holds(const Sim *sim);                       // something but pins
void sim_let_go(Sim *sim);                            // of that
void sim_follow(Sim *sim, swReal h); // before a step of length h; INFINITY: all the way
int sim_list_pulls(const Sim *sim, FramePull out[SW_PULLS]);

// ---- insert.c: frames that are inserted and removed ----

void sim_prepare_bodies(Sim *sim, const Command *command);
void sim_insert(Sim *sim, const Command *command);
void sim_remove(Sim *sim, const Command *command);

// ---- set.c: settings ----

void sim_set(Sim *sim, const Command *command);
void sim_choose_clip(Sim *sim, const Command *command);
// The scene as it is now, behind the running simulation; `anew`: to start at t = 0.
void sim_compile(Sim *sim, bool anew);
void sim_keep_compiled(Sim *sim, const swScene *compiled);
void sim_restore_compiled(Sim *sim);              // of what could not be compiled
void sim_changed_scene(Sim *sim, Opened *opened); // takes it over
void sim_replace(Sim *sim, Opened *opened);       // the motion goes on with it

// ---- cut.c: bodies that are cut, before a step, or tear, after it; false: it failed ----

bool sim_cut(Sim *sim);
bool sim_tear(Sim *sim);

// ---- record.c ----

void sim_record(Sim *sim, bool on);
void sim_record_step(Sim *sim); // after every step
