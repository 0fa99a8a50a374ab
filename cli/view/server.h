// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Private to the network thread.
#pragma once

#include "view/view.h"

#include <libwebsockets.h>

// ---- the page's files, compressed: cmake/embed_page.mjs writes their table ----

typedef struct PageFile {
    const char *name, *type; // type: for the Content-Type header
    const unsigned char *data;
    size_t size;
} PageFile;
const PageFile *page_files(int *count);

// ---- messages to pages ----

typedef struct Note { // an entry of a page's queue
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
    int ntext;             // number of notes that no later one replaces
    Bytes *frame, *fields; // the newest ones
    bool sent_frame;       // the frame was sent last, not the field
    unsigned char *text;   // a message that is being received
    size_t nbyte;
} Page;

typedef struct Server {
    View *view;
    char host[64]; // as given by --host
    int port;
    int last_page; // the last id that was given
    int npage;
    Page *page;
    Bytes *scene, *status, *busy, *frame, *json; // what pages that connect later get
    Note *surface, *surface_last;
} Server;

// ---- http.c ----

// Returns 0 if the request is allowed, or the status to refuse it with. If allowed, `path` is what
// follows the token and its slash.
int http_refusal(const Server *server, struct lws *wsi, bool needs_origin, char *path, size_t size);
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length);
// Sends a status with a short text; nonzero if that failed. `ends`: the connection is then closed.
int http_status(struct lws *wsi, int status, bool ends);
size_t http_session_size(void);

// ---- server.c ----

void server_deliver(Server *server); // passes on everything in the mailbox
