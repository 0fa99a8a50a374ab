// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew view: a simulation that pages in browsers show and control. It has four threads, which
// communicate only through mailboxes:
//
//   network     (server.c)  speaks HTTP and WebSocket with the pages
//   simulation  (sim.c)     owns the open model and its state, and steps it as time passes
//   opening     (open.c)    reads and compiles files
//   recording   (record.c)  writes recordings
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

// ---- bytes: a message, made once and shared by all pages that it goes to ----

enum { BYTES_BEFORE = 64 }; // room before the data, for the header of a WebSocket frame

typedef struct Bytes {
    atomic_int users;
    size_t size;
    unsigned char *data; // followed by a zero byte
} Bytes;

Bytes *bytes_create(size_t size); // zeroed, with one user; NULL if out of memory
Bytes *bytes_copy(const void *data, size_t size);
Bytes *bytes_keep(Bytes *bytes); // adds a user; returns `bytes`
void bytes_drop(Bytes *bytes);   // removes a user; NULL is fine

// A JSON text in memory: call text_begin(), write with `json`, call text_end(). Or a message of a
// given type to pages: call message_begin(), write its members, call message_end().
typedef struct Text {
    swFile file;
    swJsonWriter json;
    char *data;
    size_t size;
} Text;
bool text_begin(Text *text);
Bytes *text_end(Text *text);                               // NULL if out of memory
swJsonWriter *message_begin(Text *text, const char *type); // NULL if out of memory
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
    DO_KINDS,             // those that follow come from other threads
    DO_ARRIVE = DO_KINDS, // a page has connected
    DO_LEAVE,             // a page has gone
    DO_SHOW,              // a file was opened
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
    swVec3 at;         // to, at, gravity, barycentric coordinates in a triangle
    swReal turn[4];    // w x y z
    swReal value[2];   // speed, radius, range, step, damping, young, poisson, time, seconds
    char name[64];     // of an example
    Opened *opened;    // of DO_SHOW
} Command;

// Parses a message from a page. Fails with `error` filled if it is not a known one.
bool command_parse(const char *text, size_t size, Command *command, swError *error);

// ---- posts: from all threads to the network ----

typedef enum PostKind {
    POST_TEXT,    // to one page, or to all
    POST_BUSY,    // text to all; pages that connect later get the last one
    POST_STATUS,  // the same
    POST_SCENE,   // the same; discards earlier surfaces and frames
    POST_UPDATE,  // the scene's text for pages that connect later
    POST_SETTING, // to all: only the newest one
    POST_SURFACE, // to all, and to pages that connect later
    POST_FRAME,   // to all: only the newest one
    POST_FIELD,   // to pages that want the field `index`: only the newest one
    POST_BINARY,  // to one page
    POST_JSON,    // the current scene, to be fetched
    POST_CLOSED   // nothing is open any more
} PostKind;

typedef struct Post {
    PostKind kind;
    int page; // 0: all
    int index;
    Bytes *bytes;
} Post;

// Takes ownership of the bytes. NULL (there was no memory) is not sent.
void view_post(View *view, PostKind kind, int page, Bytes *bytes);
void view_post_field(View *view, int field, Bytes *bytes);
// A line for the user, on one page or on all (0). Levels: "info", "warning", "error".
void view_say(View *view, int page, const char *level, const char *format, ...) SW_PRINTF(4, 5);
void view_busy(View *view, const char *text, double share); // "": done

// ---- opening files ----

enum { VIEW_NAME = 256, VIEW_PATH = 1024 };

struct Opened {
    char name[VIEW_NAME];   // of the file or example
    char folder[VIEW_PATH]; // of an uploaded file: removed with this; else empty
    swScene *scene;         // NULL: a saved model or a recording
    swModel *model;         // NULL: a changed scene that could not be compiled
    swState *state;
    swClip clip;         // of a recording
    const char **motion; // names of the first skeleton's clips, in the scene's memory
    int nmotion, moving; // moving: the clip that plays, or -1
    bool anew;           // for a changed scene: it starts at t = 0
    bool staged;         // the result of a cut or tear: it takes over the motion
    int epoch;           // for a changed scene: which opened scene it changes; else 0
    int change;          // number of the change
    atomic_int users;    // besides the simulation
};
void opened_destroy(Opened *opened); // destroyed by its last user; NULL is fine

typedef struct Job {
    bool first; // its failure ends the command
    int page;   // that is told of a failure; 0: all
    char name[VIEW_NAME];
    char path[VIEW_PATH];   // of a file; empty: the example of that name
    char folder[VIEW_PATH]; // to be removed with it, or empty
    Bytes *scene;           // instead of a file: the open scene with changes
    int epoch, change;      // of the changed scene
    bool anew;
} Job;

// The newest job wins: a job that is waiting or under way is cancelled for it. A changed scene
// gives way to any other job, and waits until the job under way has finished.
void view_open(View *view, const Job *job);
void view_open_cancel(View *view);
bool view_is_opening(View *view); // whether a job is waiting or under way
void *open_thread(void *view);

// ---- temporary folders ----

bool view_create_folder(View *view, swError *error); // the command's own
void view_remove_folder(View *view);
bool view_make_folder(View *view, char path[VIEW_PATH], swError *error); // a folder inside it
void remove_folder(const char *path);                                    // with its contents

// ---- mailboxes: many threads may fill one, a single thread empties it ----

typedef struct Box {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    char *item;
    int count, room;
    size_t size; // of an item
} Box;
bool box_init(Box *box, size_t size);
void box_free(Box *box);
// 1: the new item replaces `old`; 0: look at older ones; -1: it replaces none and goes to the end.
typedef int BoxLook(const void *old, const void *item);
enum { BOX_MOST = 1 << 14 };
bool box_put(Box *box, const void *item, BoxLook *look); // false if full; look may be NULL
// Takes all items in order, in memory to be freed. If there are none, waits for the first until
// `deadline` (as sw_seconds() counts). Returns their number.
int box_take(Box *box, double deadline, void **item);

// ---- recordings: written by a thread of their own ----

static inline swReal clip_duration(const swClip *clip) {
    const int n = sw_clip_count(clip);
    return n > 0 ? sw_clip_time(clip, n - 1) - sw_clip_time(clip, 0) : 0;
}

typedef struct Recording {
    Opened *of; // NULL: none, only wakes the thread
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
    int lock;               // file in it, locked while the command lives
    atomic_bool ending;
    double step_deadline; // of the current step; only the simulation thread uses it
    atomic_int running;   // number of threads that run
    atomic_int status;    // of the command
    struct lws_context *server;
    Box commands; // for the simulation
    Box posts;    // for the network
    Box recordings;
    pthread_mutex_t settings; // held while the model's settings change or a recording is written
    // For the opening thread:
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    Job *job;           // that is waiting, or NULL
    bool under_way;     // whether a job is
    atomic_bool cancel; // the job under way is to be cancelled
};

void view_end(View *view, int status);                 // from any thread
bool view_command(View *view, const Command *command); // false: too many are waiting
void *sim_thread(void *view);

// Makes a token of 32 hexadecimal digits. On a port that the user chose it is the same every time,
// so that an open page finds a restarted server again.
bool token_make(int port, char token[33], swError *error);

bool server_create(View *view, int *port, swError *error);
void *server_thread(void *view);
void server_destroy(View *view);
