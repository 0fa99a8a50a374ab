// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew view: a simulation that pages in browsers show and steer. Four threads, which meet in
// mailboxes alone:
//
//   network     (server.c)  speaks HTTP and WebSocket with pages
//   simulation  (sim.c)     owns what is open: model, state; steps it as time passes
//   opening     (open.c)    reads and compiles files
//   recording   (record.c)  writes what was recorded
//
//   pages --Command--> simulation --Job--> opening --Opened--> simulation --Post--> network
//
// No lock is held while stepping, compiling or sending.
#pragma once

#include "character.h"
#include "core/json.h"
#include "output/clip.h"

#include <stdatomic.h>

enum { VIEW_PAGES = 16 }; // at a time, at most
typedef struct View View;
typedef struct Opened Opened;

// ---- bytes: a message, made once and shared by all pages it goes to ----

enum { BYTES_BEFORE = 64 }; // room before the data, for the header of a WebSocket frame

typedef struct Bytes {
    atomic_int users;
    size_t size;
    unsigned char *data; // and a zero after its end
} Bytes;

Bytes *bytes_create(size_t size); // zeroed, one user; NULL without memory
Bytes *bytes_copy(const void *data, size_t size);
Bytes *bytes_keep(Bytes *bytes); // one user more; returns `bytes`
void bytes_drop(Bytes *bytes);   // NULL is fine

// A JSON text in memory: text_begin, write with `json`, text_end; or a message of a type to pages:
// message_begin, write its members, message_end.
typedef struct Text {
    swFile file;
    swJsonWriter json;
    char *data;
    size_t size;
} Text;
bool text_begin(Text *text);
Bytes *text_end(Text *text);                               // NULL without memory
swJsonWriter *message_begin(Text *text, const char *type); // NULL without memory
Bytes *message_end(Text *text);

// ---- commands: from pages to the simulation ----

typedef enum CommandKind {
    DO_PLAY,
    DO_PAUSE,
    DO_STEP,
    DO_RESET,
    DO_SPEED,
    DO_PULL,
    DO_MOVE,
    DO_FRAME,
    DO_RELEASE,
    DO_HANDLE,
    DO_BALL,
    DO_PREPARE,
    DO_INSERT,
    DO_REMOVE,
    DO_CONTROL,
    DO_CLIP,
    DO_SET,
    DO_FIELD,
    DO_POINTS,
    DO_RECORD,
    DO_SEEK,
    DO_MODE,
    DO_OPEN,
    DO_CLOSE,
    DO_KINDS,             // what follows comes from other threads
    DO_ARRIVE = DO_KINDS, // a page is there
    DO_LEAVE,             // it has gone
    DO_SHOW,              // what was opened
    DO_RECORDED,          // a recording was written
    DO_END
} CommandKind;

typedef enum Setting { SET_GRAVITY, SET_STEP, SET_DAMPING, SET_YOUNG, SET_POISSON } Setting;

enum { FIELD_NONE, FIELD_STRAIN, FIELD_STRESS, FIELD_ENERGY, FIELDS };

typedef struct Command {
    CommandKind kind;
    int page; // from 1
    Setting setting;
    int id;            // of a pull
    int index, vertex; // surface and its vertex or triangle; node, handle, body, material, mode,
                       // field, slot, control, clip
    bool on;           // pin, record, geodesic, set
    swVec3 at;         // to, at, gravity, shares of a triangle's corners
    swReal turn[4];    // w x y z
    swReal value[2];   // speed, radius, range, step, damping, young, poisson, time, seconds
    char name[64];     // of an example
    Opened *opened;    // of DO_SHOW
} Command;

// What a page says. False with `error` filled where that is nothing known.
bool command_parse(const char *text, size_t size, Command *command, swError *error);

// ---- posts: from all threads to the network ----

typedef enum PostKind {
    POST_TEXT,    // to a page, or to all
    POST_BUSY,    // text to all; those who come later get the last one
    POST_STATUS,  // the same
    POST_SCENE,   // the same; surfaces and frames before it are forgotten
    POST_UPDATE,  // the scene's text for those who come later
    POST_SETTING, // to all: the newest one alone
    POST_SURFACE, // to all, and to those who come later
    POST_FRAME,   // to all: the newest one alone
    POST_FIELD,   // to those who want the field `index`: the newest one alone
    POST_BINARY,  // to a page
    POST_JSON,    // the scene as it is, to be fetched
    POST_CLOSED   // nothing is open any more
} PostKind;

typedef struct Post {
    PostKind kind;
    int page; // 0: all
    int index;
    Bytes *bytes;
} Post;

// Takes over the bytes. A message that found no memory is not sent.
void view_post(View *view, PostKind kind, int page, Bytes *bytes);
void view_post_field(View *view, int field, Bytes *bytes);
// A line for people, to a page or to all (0). Levels: "info", "warning", "error".
void view_say(View *view, int page, const char *level, const char *format, ...) SW_PRINTF(4, 5);
void view_busy(View *view, const char *text, double share); // "": over

// ---- opening files ----

enum { VIEW_NAME = 256, VIEW_PATH = 1024 };

struct Opened {
    char name[VIEW_NAME];   // of the file or example
    char folder[VIEW_PATH]; // of a file that was received: goes with it; else empty
    swScene *scene;         // NULL: a saved model or a recording
    swModel *model;         // NULL: a changed scene that could not be compiled
    swState *state;
    swClip clip;         // of a recording
    const char **motion; // clips of the first skeleton, by name, in the scene's memory
    int nmotion, moving; // moving: the one that plays, or -1
    bool anew;           // of a changed scene: it starts at t = 0
    bool staged;         // of bodies that were cut or have torn: it takes over the motion
    int epoch;           // of a changed scene: what it is a change of; else 0
    int change;          // which one
    atomic_int users;    // besides the simulation
};
void opened_destroy(Opened *opened); // by its last user; NULL is fine

typedef struct Job {
    bool first; // its failure ends the command
    int page;   // who is told of a failure; 0: all
    char name[VIEW_NAME];
    char path[VIEW_PATH];   // of a file; empty: the example of that name
    char folder[VIEW_PATH]; // that goes with it, or empty
    Bytes *scene;           // instead: the scene that is open, changed
    int epoch, change;      // of that
    bool anew;
} Job;

// The newest job counts: one that waits or is under way is given up for it. A changed scene gives
// way to every other job, and waits for the one that is under way.
void view_open(View *view, const Job *job);
void view_open_cancel(View *view);
bool view_is_opening(View *view); // or will, what it was told to
void *open_thread(void *view);

// ---- temporary folders ----

bool view_create_folder(View *view, swError *error); // the command's own
void view_remove_folder(View *view);
bool view_make_folder(View *view, char path[VIEW_PATH], swError *error); // one in it
void remove_folder(const char *path);                                    // with what is in it

// ---- mailboxes: many may fill one, one thread empties it ----

typedef struct Box {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    char *item;
    int count, room;
    size_t size; // of an item
} Box;
bool box_init(Box *box, size_t size);
void box_free(Box *box);
// 1: the new item replaces this one; 0: or an older one; -1: none, it comes last.
typedef int BoxLook(const void *old, const void *item);
enum { BOX_MOST = 1 << 14 };
bool box_put(Box *box, const void *item, BoxLook *look); // false when full; look may be NULL
// All there is, in order, to be freed; waits until `deadline` (of sw_seconds()) for a first one.
int box_take(Box *box, double deadline, void **item);

// ---- recordings: written by a thread of their own ----

static inline swReal clip_duration(const swClip *clip) {
    const int n = sw_clip_count(clip);
    return n > 0 ? sw_clip_time(clip, n - 1) - sw_clip_time(clip, 0) : 0;
}

typedef struct Recording {
    Opened *of; // NULL: none, the thread is to look around
    swClip clip;
    swReal seconds;
} Recording;
void *record_thread(void *view);
void recording_free(Recording *recording);

// ---- the command ----

typedef struct ViewOptions {
    const char *scene, *host; // scene: NULL for the gallery
    int port, threads;
    bool no_browser, paused, no_cache;
    CharacterOptions character; // how the first scene is opened
} ViewOptions;

struct View {
    ViewOptions options;
    char token[33];
    char folder[VIEW_PATH]; // temporary and private
    int lock;               // the file in it that says so
    atomic_bool ending;
    double step_deadline; // of the step that is taken; the simulation's alone
    atomic_int running;   // threads
    atomic_int status;    // of the command
    struct lws_context *server;
    Box commands; // for the simulation
    Box posts;    // for the network
    Box recordings;
    pthread_mutex_t settings; // of the model: held while they change, and while one is written
    // The opening thread's.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    Job *job;           // that waits, or NULL
    bool under_way;     // a job is
    atomic_bool cancel; // it is to be given up
};

void view_end(View *view, int status);                 // from any thread
bool view_command(View *view, const Command *command); // false: there are too many of them
void *sim_thread(void *view);

// 32 hexadecimal digits; on a port of the user's choice the same every time, so that a page finds a
// server that was started anew.
bool token_make(int port, char token[33], swError *error);

bool server_create(View *view, int *port, swError *error);
void *server_thread(void *view);
void server_destroy(View *view);
