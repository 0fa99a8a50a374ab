// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The network thread: pages, and the messages to and from them.
#include "view/server.h"

#include "examples.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MESSAGE = 65536, // most bytes of a message from a page
    MISTAKES = 100,  // after which a page is disconnected
    TEXTS = 256,     // messages that may wait for a slow page
    QUIET = 20       // silence [s] after which a page is pinged
};
_Static_assert(LWS_PRE <= BYTES_BEFORE, "room for the header of a WebSocket frame");

// ---- queues of pages ----

static void note_free(Page *p, Note *note) {
    p->ntext -= note->kind == POST_TEXT;
    bytes_drop(note->bytes);
    free(note);
}

// Removes notes of one kind from the queue.
static void forget(Page *p, PostKind kind) {
    p->last = NULL;
    for (Note **at = &p->first; *at;) {
        Note *note = *at;
        if (note->kind == kind) {
            *at = note->next;
            note_free(p, note);
        } else {
            p->last = note;
            at = &note->next;
        }
    }
}

static void close_page(Page *p) {
    p->closing = true;
    lws_callback_on_writable(p->wsi);
}

static void enqueue(Page *p, PostKind kind, Bytes *bytes) {
    Note *note = p->ntext < TEXTS ? malloc(sizeof *note) : NULL;
    if (!note) {
        close_page(p);
        return;
    }
    *note = (Note){.kind = kind, .bytes = bytes_keep(bytes)};
    p->ntext += kind == POST_TEXT;
    if (p->last)
        p->last->next = note;
    else
        p->first = note;
    p->last = note;
    lws_callback_on_writable(p->wsi);
}

// Replaces the previous message, so that only the newest is sent.
static void put_newest(Page *p, Bytes **slot, Bytes *bytes) {
    bytes_drop(*slot);
    *slot = bytes_keep(bytes);
    if (bytes)
        lws_callback_on_writable(p->wsi);
}

static void forget_scene(Page *p) {
    forget(p, POST_SCENE);
    forget(p, POST_SETTING);
    forget(p, POST_SURFACE);
    put_newest(p, &p->frame, NULL);
    put_newest(p, &p->fields, NULL);
}

static void tell(Page *p, PostKind kind, int index, Bytes *bytes) {
    switch (kind) {
    case POST_SCENE: forget_scene(p); break;
    case POST_BUSY:
    case POST_STATUS:
    case POST_BINARY:
    case POST_SETTING: forget(p, kind); break;
    case POST_FRAME: put_newest(p, &p->frame, bytes); return;
    case POST_FIELD:
        if (p->field == index)
            put_newest(p, &p->fields, bytes);
        return;
    default: break;
    }
    enqueue(p, kind, bytes);
}

// ---- the mailbox ----

static Bytes *make_hello(const Server *s) {
    Text text;
    int count;
    const Example *example = examples(&count);
    swJsonWriter *w = message_begin(&text, "hello");
    if (!w)
        return NULL;
    sw_json_put_text(w, "version", sw_version());
    sw_json_begin(w, "examples", '[');
    for (int i = 0; i < count; i++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", example[i].name);
        sw_json_put_text(w, "title", example[i].title);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_put_bool(w, "scene", s->scene != NULL);
    return message_end(&text);
}

static void say_hello(const Server *s, Page *p) {
    Bytes *hello = make_hello(s);
    if (hello)
        enqueue(p, POST_TEXT, hello);
    bytes_drop(hello);
}

static void keep(Bytes **slot, Bytes *bytes) {
    bytes_drop(*slot);
    *slot = bytes_keep(bytes);
}

static void drop_surfaces(Server *s) {
    for (Note *note = s->surface, *next; note; note = next) {
        next = note->next;
        bytes_drop(note->bytes);
        free(note);
    }
    s->surface = s->surface_last = NULL;
}

static void keep_surface(Server *s, Bytes *bytes) {
    Note *note = malloc(sizeof *note);
    if (!note)
        return;
    *note = (Note){.kind = POST_SURFACE, .bytes = bytes_keep(bytes)};
    if (s->surface_last)
        s->surface_last->next = note;
    else
        s->surface = note;
    s->surface_last = note;
}

static void forget_all(Server *s) {
    keep(&s->scene, NULL);
    keep(&s->frame, NULL);
    drop_surfaces(s);
}

// Keeps what pages that connect later will need.
static void remember(Server *s, const Post *post) {
    switch (post->kind) {
    case POST_SCENE:
        forget_all(s);
        keep(&s->scene, post->bytes);
        break;
    case POST_UPDATE: keep(&s->scene, post->bytes); break;
    case POST_STATUS: keep(&s->status, post->bytes); break;
    case POST_BUSY: keep(&s->busy, post->bytes); break;
    case POST_FRAME: keep(&s->frame, post->bytes); break;
    case POST_JSON: keep(&s->json, post->bytes); break;
    case POST_SURFACE: keep_surface(s, post->bytes); break;
    case POST_CLOSED:
        forget_all(s);
        keep(&s->json, NULL);
        break;
    default: break;
    }
}

static void deliver(Server *s, const Post *post) {
    remember(s, post);
    for (Page *p = s->page; p; p = p->next) {
        if (post->kind == POST_CLOSED) {
            forget_scene(p);
            say_hello(s, p);
        } else if (post->kind != POST_JSON && post->kind != POST_UPDATE &&
                   (post->page == 0 || post->page == p->id))
            tell(p, post->kind, post->index, post->bytes);
    }
    bytes_drop(post->bytes);
}

void server_deliver(Server *s) {
    void *box;
    const int count = box_take(&s->view->posts, 0, &box);
    for (int i = 0; i < count; i++)
        deliver(s, (Post *)box + i);
    free(box);
}

// ---- pages ----

static void arrive(Server *s, struct lws *wsi, Page *p) {
    *p = (Page){.next = s->page, .wsi = wsi, .id = ++s->last_page};
    s->page = p;
    s->npage++;
    say_hello(s, p);
    const Post known[] = {
        {POST_STATUS, 0, 0, s->status}, {POST_BUSY, 0, 0, s->busy}, {POST_SCENE, 0, 0, s->scene}};
    for (int i = 0; i < SW_COUNT(known); i++)
        if (known[i].bytes)
            tell(p, known[i].kind, 0, known[i].bytes);
    for (const Note *note = s->surface; note; note = note->next)
        tell(p, POST_SURFACE, 0, note->bytes);
    if (s->frame)
        tell(p, POST_FRAME, 0, s->frame);
    view_command(s->view, &(Command){.kind = DO_ARRIVE, .page = p->id});
}

static void leave(Server *s, Page *p) {
    for (Page **at = &s->page; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            s->npage--;
            break;
        }
    while (p->first) {
        Note *note = p->first;
        p->first = note->next;
        note_free(p, note);
    }
    bytes_drop(p->frame);
    bytes_drop(p->fields);
    free(p->text);
    if (p->id > 0)
        view_command(s->view, &(Command){.kind = DO_LEAVE, .page = p->id});
    memset(p, 0, sizeof *p);
}

// Sends one message; libwebsockets calls this once for each.
static int send_next(Page *p) {
    Bytes *bytes;
    bool text = false;
    if (p->closing)
        return -1;
    if (p->first) {
        Note *note = p->first;
        text = note->kind != POST_SURFACE && note->kind != POST_BINARY;
        bytes = bytes_keep(note->bytes);
        p->first = note->next;
        if (!p->first)
            p->last = NULL;
        note_free(p, note);
    } else {
        // Frames and fields take turns, or a slow page would never get a field.
        Bytes **slot = p->frame && !(p->fields && p->sent_frame) ? &p->frame : &p->fields;
        p->sent_frame = slot == &p->frame;
        bytes = *slot;
        *slot = NULL;
    }
    if (!bytes)
        return 0;
    const int sent =
        lws_write(p->wsi, bytes->data, bytes->size, text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    bytes_drop(bytes);
    if (p->first || p->frame || p->fields)
        lws_callback_on_writable(p->wsi);
    return sent < 0 ? -1 : 0;
}

// ---- messages from pages ----

static void obey(Server *s, Page *p, Command *c) {
    c->page = p->id;
    if (c->kind == DO_FIELD) {
        p->field = c->index;
        put_newest(p, &p->fields, NULL);
    }
    if (c->kind == DO_OPEN) {
        Job job = {.page = p->id};
        memcpy(job.name, c->name, sizeof c->name);
        view_open(s->view, &job);
        return;
    }
    if (c->kind == DO_CLOSE)
        view_open_cancel(s->view);
    if (!view_command(s->view, c))
        close_page(p);
}

static void listen_to(Server *s, Page *p, bool binary) {
    Command command;
    swError error;
    sw_error_clear(&error);
    if (!binary && command_parse((char *)p->text, p->nbyte, &command, &error)) {
        obey(s, p, &command);
        return;
    }
    view_say(s->view, p->id, "error", "%s", binary ? "expected a text message" : error.message);
    if (++p->nmistake >= MISTAKES)
        close_page(p);
}

static int receive(Server *s, Page *p, const void *data, size_t size) {
    const size_t coming = lws_remaining_packet_payload(p->wsi);
    if (!p->text)
        p->text = malloc(MESSAGE);
    if (!p->text || coming > MESSAGE || p->nbyte + size + coming > MESSAGE) {
        lws_close_reason(p->wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    if (size > 0)
        memcpy(p->text + p->nbyte, data, size);
    p->nbyte += size;
    if (coming == 0 && lws_is_final_fragment(p->wsi)) {
        listen_to(s, p, lws_frame_is_binary(p->wsi));
        p->nbyte = 0;
    }
    return 0;
}

static int page_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                         size_t length) {
    Server *s = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED: arrive(s, wsi, user); return 0;
    case LWS_CALLBACK_CLOSED: leave(s, user); return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_next(user);
    case LWS_CALLBACK_RECEIVE: return receive(s, user, in, length);
    default: return 0;
    }
}

// ---- the server ----

// Finds out why the server cannot listen, as libwebsockets does not tell.
static bool can_listen(const char *host, int port, swError *error) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
        return sw_fail(error, SW_ERROR_VALUE,
                       "--host: expected an address like 192.168.1.5 or 0.0.0.0, found \"%s\"",
                       host);
    const int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                    bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                    listen(fd, 1) == 0;
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    if (ok)
        return true;
    if (reason == EADDRINUSE)
        return sw_fail(error, SW_ERROR_FILE, "port %d is in use already", port);
    return sw_fail(error, SW_ERROR_FILE, "cannot listen on %s, port %d: %s", host, port,
                   strerror(reason));
}

bool server_create(View *v, int *port, swError *error) {
    static const struct lws_protocols protocols[] = {{.name = "http", .callback = http_callback},
                                                     {.name = "sinew",
                                                      .callback = page_callback,
                                                      .per_session_data_size = sizeof(Page),
                                                      .rx_buffer_size = 4096},
                                                     {.name = NULL}};
    static const lws_retry_bo_t patience = {.secs_since_valid_ping = QUIET,
                                            .secs_since_valid_hangup = 2 * QUIET};
    static struct lws_protocols table[SW_COUNT(protocols)];
    if (!can_listen(v->options.host, v->options.port, error))
        return false;
    Server *s = calloc(1, sizeof *s);
    if (!s)
        return sw_fail_memory(error, sizeof *s);
    memcpy(table, protocols, sizeof table);
    table[0].per_session_data_size = http_session_size();
    s->view = v;
    snprintf(s->host, sizeof s->host, "%s", v->options.host);
    lws_set_log_level(0, NULL);
    const struct lws_context_creation_info info = {
        .port = v->options.port,
        .iface = v->options.host,
        .protocols = table,
        .user = s,
        .server_string = "sinew",
        .retry_and_idle_policy = &patience,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_DISABLE_IPV6,
    };
    v->server = lws_create_context(&info);
    if (!v->server) {
        free(s);
        return sw_fail(error, SW_ERROR_FILE, "cannot listen on %s, port %d", v->options.host,
                       v->options.port);
    }
    *port = s->port = lws_get_vhost_listen_port(lws_get_vhost_by_name(v->server, "default"));
    return true;
}

void *server_thread(void *view) {
    View *v = view;
    while (!atomic_load(&v->ending))
        if (lws_service(v->server, 0) < 0)
            view_end(v, CLI_FAILED);
    atomic_fetch_sub(&v->running, 1);
    return NULL;
}

void server_destroy(View *v) {
    Server *s = lws_context_user(v->server);
    lws_context_destroy(v->server);
    server_deliver(s);
    forget_all(s);
    keep(&s->json, NULL);
    keep(&s->status, NULL);
    keep(&s->busy, NULL);
    free(s);
}
