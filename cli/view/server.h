// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The network thread's own.
#pragma once

#include "view/view.h"

#include <libwebsockets.h>

// ---- the page's files, compressed: the table is written by cmake/embed_page.mjs ----

typedef struct PageFile {
    const char *name, *type; // type: as HTTP says it
    const unsigned char *data;
    size_t size;
} PageFile;
const PageFile *page_files(int *count);

// ---- what pages are told ----

typedef struct Note { // in a page's queue
    struct Note *next;
    PostKind kind;
    Bytes *bytes;
} Note;

typedef struct Page {
    struct Page *next;
    struct lws *wsi;
    int id;
    int field;
    int nmistake;
    bool closing;
    Note *first, *last;
    int ntext;             // notes that nothing later replaces
    Bytes *frame, *fields; // the newest
    bool sent_frame;       // of the two, last
    unsigned char *text;   // a message that is coming in
    size_t nbyte;
} Page;

typedef struct Server {
    View *view;
    char host[64]; // that was asked for
    int port;
    int last_page; // ids that were given
    int npage;
    Page *page;
    Bytes *scene, *status, *busy, *frame, *json; // what those who come later get
    Note *surface, *surface_last;
} Server;

// ---- http.c ----

// Whether somebody may ask for this at all: 0, or the status that says no. `path` is then what
// follows the token and its slash.
int http_refusal(const Server *server, struct lws *wsi, bool needs_origin, char *path, size_t size);
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length);
// Answers a status with a word on it; nonzero: that failed. `ends`: the connection is closed then.
int http_status(struct lws *wsi, int status, bool ends);
size_t http_session_size(void);

// ---- server.c ----

void server_deliver(Server *server); // what is in the mailbox
