// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// HTTP: access control, the page, downloads, uploaded files.
#include "view/server.h"

#include "examples.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 16384, HEAD = 2048 };
static const long long most_bytes = 512LL << 20; // of an uploaded file

// The state of a connection.
typedef struct Session {
    bool begun;                // false: all members are zero
    const unsigned char *data; // the answer is sent from memory,
    Bytes *bytes;              // which this keeps alive,
    int file;                  // or from a file; -1: none
    size_t left;
    Job *job;    // the upload in progress
    int refused; // or the status with which it is refused once all of it has arrived
    int to;
    long long expected, received;
    double told;
} Session;

size_t http_session_size(void) { return sizeof(Session); }

// ---- access control ----

// Takes the same time for right and wrong guesses.
static bool same_token(const char *a, const char *b) {
    unsigned char difference = 0;
    for (int i = 0; i < 32; i++)
        difference |= (unsigned char)(a[i] ^ b[i]);
    return difference == 0;
}

// The host must be the one that is served. Otherwise another web site could reach us under its own
// name by making that name point here (DNS rebinding).
static bool known_host(const Server *s, struct lws *wsi, const char *host) {
    char text[128], address[INET_ADDRSTRLEN] = "";
    struct sockaddr_in here;
    socklen_t size = sizeof here;
    if (getsockname(lws_get_socket_fd(wsi), (struct sockaddr *)&here, &size) == 0 &&
        here.sin_family == AF_INET)
        inet_ntop(AF_INET, &here.sin_addr, address, sizeof address);
    const char *names[] = {s->host, "localhost", address};
    for (int i = 0; i < SW_COUNT(names); i++) {
        snprintf(text, sizeof text, "%s:%d", names[i], s->port);
        if (names[i][0] &&
            (strcmp(text, host) == 0 || (s->port == 80 && strcmp(names[i], host) == 0)))
            return true;
    }
    return false;
}

static bool has_header(struct lws *wsi, enum lws_token_indexes header, char *out, int size) {
    return lws_hdr_copy(wsi, out, size, header) > 0;
}

static bool has_path(struct lws *wsi, char *path, int size) {
    return has_header(wsi, WSI_TOKEN_GET_URI, path, size) ||
           has_header(wsi, WSI_TOKEN_POST_URI, path, size);
}

int http_refusal(const Server *s, struct lws *wsi, bool needs_origin, char *path, size_t size) {
    char host[128], origin[160], expected[160];
    if (!has_header(wsi, WSI_TOKEN_HOST, host, sizeof host) || !known_host(s, wsi, host))
        return 403;
    if (!has_path(wsi, path, (int)size) || strlen(path) < 34 || path[0] != '/' || path[33] != '/' ||
        !same_token(path + 1, s->view->token))
        return 404;
    snprintf(expected, sizeof expected, "http://%s", host);
    if (needs_origin && (!has_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) ||
                         strcmp(origin, expected) != 0))
        return 403;
    memmove(path, path + 34, strlen(path + 34) + 1);
    return 0;
}

// ---- answers ----

typedef struct Head {
    unsigned char buffer[LWS_PRE + HEAD], *at, *end;
    struct lws *wsi;
    bool failed;
} Head;

static void add_header(Head *h, const char *name, const char *value) {
    h->failed = h->failed || lws_add_http_header_by_name(h->wsi, (const unsigned char *)name,
                                                         (const unsigned char *)value,
                                                         (int)strlen(value), &h->at, h->end);
}

static int send_head(struct lws *wsi, int status, const char *type, const char *encoding,
                     const char *disposition, size_t size, bool ends) {
    char host[128] = "", policy[400];
    Head h = {.wsi = wsi};
    h.at = h.buffer + LWS_PRE;
    h.end = h.buffer + sizeof h.buffer;
    has_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    snprintf(policy, sizeof policy,
             "default-src 'self'; connect-src 'self'%s%s; img-src 'self' data: blob:; "
             "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; "
             "form-action 'none'; frame-ancestors 'none'",
             status == 200 ? " ws://" : "", status == 200 ? host : "");
    h.failed = lws_add_http_header_status(wsi, (unsigned)status, &h.at, h.end);
    add_header(&h, "content-type:", type);
    add_header(&h, "content-security-policy:", policy);
    add_header(&h, "x-content-type-options:", "nosniff");
    add_header(&h, "referrer-policy:", "no-referrer");
    add_header(&h, "cross-origin-resource-policy:", "same-origin");
    add_header(&h, "cache-control:", "no-store");
    if (encoding)
        add_header(&h, "content-encoding:", encoding);
    if (disposition)
        add_header(&h, "content-disposition:", disposition);
    if (ends)
        add_header(&h, "connection:", "close");
    h.failed = h.failed || lws_add_http_header_content_length(wsi, size, &h.at, h.end);
    return h.failed || lws_finalize_write_http_header(wsi, h.buffer + LWS_PRE, &h.at, h.end) != 0;
}

static void session_clear(Server *s, Session *a) {
    if (!a->begun)
        return;
    bytes_drop(a->bytes);
    if (a->file >= 0)
        close(a->file);
    if (a->job) {
        if (a->to >= 0) { // the upload was interrupted
            close(a->to);
            view_busy(s->view, "", 0);
        }
        if (a->job->folder[0])
            remove_folder(a->job->folder);
        free(a->job);
    }
    *a = (Session){.begun = true, .file = -1, .to = -1};
}

static int answer_more(Server *s, struct lws *wsi, Session *a) {
    unsigned char buffer[LWS_PRE + CHUNK];
    const size_t want = a->left < CHUNK ? a->left : CHUNK;
    if (a->file >= 0) {
        const ssize_t got = read(a->file, buffer + LWS_PRE, want);
        if (got < (ssize_t)want)
            return -1;
    } else {
        memcpy(buffer + LWS_PRE, a->data, want);
        a->data += want;
    }
    a->left -= want;
    const enum lws_write_protocol kind = a->left > 0 ? LWS_WRITE_HTTP : LWS_WRITE_HTTP_FINAL;
    if (lws_write(wsi, buffer + LWS_PRE, want, kind) < (int)want)
        return -1;
    if (a->left > 0) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    session_clear(s, a);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int answer_bytes(struct lws *wsi, Session *a, const char *type, const char *encoding,
                        const char *disposition, const void *data, size_t size) {
    if (send_head(wsi, 200, type, encoding, disposition, size, false))
        return -1;
    a->data = data;
    a->left = size;
    lws_callback_on_writable(wsi);
    return 0;
}

static const char *status_text(int status) {
    switch (status) {
    case 200: return "received\n";
    case 403: return "sinew: this host or origin is not allowed\n";
    case 404: return "sinew: not found\n";
    case 405: return "sinew: only GET and POST are allowed\n";
    case 411: return "sinew: Content-Length is missing\n";
    case 413: return "sinew: the file is too large\n";
    case 503: return "sinew: too many pages are open\n";
    default: return "sinew: cannot do that\n";
    }
}

int http_status(struct lws *wsi, int status, bool ends) {
    unsigned char buffer[LWS_PRE + 64];
    const char *text = status_text(status);
    const size_t size = strlen(text);
    memcpy(buffer + LWS_PRE, text, size);
    return send_head(wsi, status, "text/plain", NULL, NULL, size, ends) ||
           lws_write(wsi, buffer + LWS_PRE, size, LWS_WRITE_HTTP_FINAL) < (int)size;
}

// Sends a complete answer. If the connection ends, the rest of the request is not waited for.
static int refuse(struct lws *wsi, int status, bool ends) {
    return http_status(wsi, status, ends) || ends || lws_http_transaction_completed(wsi) ? -1 : 0;
}

// ---- GET ----

static int send_file(const Server *s, struct lws *wsi, Session *a, const char *name,
                     const char *type) {
    char path[VIEW_PATH + 64], disposition[96];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", s->view->folder, name);
    snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", name);
    a->file = open(path, O_RDONLY | O_CLOEXEC);
    if (a->file < 0 || fstat(a->file, &info) != 0)
        return refuse(wsi, 404, false);
    return answer_bytes(wsi, a, type, NULL, disposition, NULL, (size_t)info.st_size);
}

static int send_picture(struct lws *wsi, Session *a, const char *name) {
    char plain[64];
    const size_t n = strlen(name);
    if (n < 5 || n >= sizeof plain || strcmp(name + n - 4, ".png") != 0)
        return refuse(wsi, 404, false);
    snprintf(plain, sizeof plain, "%.*s", (int)n - 4, name);
    const Example *example = example_find(plain);
    if (!example || !example->png)
        return refuse(wsi, 404, false);
    return answer_bytes(wsi, a, "image/png", NULL, NULL, example->png, example->png_size);
}

static int get(const Server *s, struct lws *wsi, Session *a, const char *path) {
    int count;
    const PageFile *file = page_files(&count);
    const char *name = path[0] ? path : "index.html";
    for (int i = 0; i < count; i++)
        if (strcmp(file[i].name, name) == 0)
            return answer_bytes(wsi, a, file[i].type, "gzip", NULL, file[i].data, file[i].size);
    if (strncmp(path, "gallery/", 8) == 0)
        return send_picture(wsi, a, path + 8);
    if (strcmp(path, "recording.glb") == 0)
        return send_file(s, wsi, a, path, "model/gltf-binary");
    if (strcmp(path, "recording.swr") == 0)
        return send_file(s, wsi, a, path, "application/octet-stream");
    if (strcmp(path, "scene.json") == 0 && s->json && s->json->size > 0) {
        a->bytes = bytes_keep(s->json);
        return answer_bytes(wsi, a, "application/json", NULL, "inline; filename=\"scene.json\"",
                            s->json->data, s->json->size);
    }
    return refuse(wsi, 404, false);
}

// ---- POST ----

// The last part of the path, with only characters that every system accepts.
static void clean_name(const char *given, char out[VIEW_NAME]) {
    const char *base = given;
    for (const char *p = given; *p; p++)
        if (*p == '/' || *p == '\\')
            base = p + 1;
    base += strspn(base, ".");
    size_t n = strlen(base);
    const size_t most = 100; // the end is kept: it tells the format
    if (n > most) {
        base += n - most;
        n = most;
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)base[i];
        const bool plain = c >= 128 || (c > 32 && c != 127 && !strchr("\"'`$&|;<>*?:%", c));
        out[i] = plain ? (char)c : '_';
    }
    snprintf(out + n, VIEW_NAME - n, "%s", n > 0 ? "" : "file");
}

// The length of the body; negative if it is not given.
static double content_length(struct lws *wsi) {
    char text[32];
    double size;
    if (!has_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof text))
        return -1;
    const char *end = text + strlen(text);
    return sw_text_number(text, end, &size) == end && size == floor(size) ? size : -1;
}

// Returns 0, or the status with which the upload is refused.
static int start_upload(Server *s, struct lws *wsi, Session *a) {
    char given[1024];
    const char *name = lws_get_urlarg_by_name(wsi, "name=", given, sizeof given);
    a->job = calloc(1, sizeof *a->job);
    if (!a->job || !view_make_folder(s->view, a->job->folder, NULL))
        return 500;
    clean_name(name ? name : "", a->job->name);
    snprintf(a->job->path, sizeof a->job->path, "%.*s/%s", VIEW_PATH - VIEW_NAME - 2,
             a->job->folder, a->job->name);
    a->expected = (long long)content_length(wsi);
    a->to = open(a->job->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return a->to < 0 ? 500 : 0;
}

static int post(Server *s, struct lws *wsi, Session *a) {
    char path[512];
    const double size = content_length(wsi);
    if (size < 0)
        return refuse(wsi, 411, true);
    a->refused = http_refusal(s, wsi, true, path, sizeof path);
    if (!a->refused && strcmp(path, "drop") != 0)
        a->refused = 404;
    if (size > (double)most_bytes)
        return refuse(wsi, a->refused ? a->refused : 413, true);
    if (!a->refused)
        a->refused = start_upload(s, wsi, a);
    return 0;
}

static int add_upload(Server *s, Session *a, const char *data, size_t size) {
    if (a->refused)
        return 0;
    if (!a->job || a->received + (long long)size > a->expected)
        return -1;
    for (size_t at = 0; at < size;) {
        const ssize_t n = write(a->to, data + at, size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            view_say(s->view, 0, "error", "%s: cannot be stored: %s", a->job->name,
                     strerror(errno));
            return -1;
        }
        at += (size_t)n;
    }
    a->received += (long long)size;
    if (sw_seconds() - a->told > 0.1) {
        a->told = sw_seconds();
        view_busy(s->view, a->job->name, (double)a->received / (double)a->expected);
    }
    return 0;
}

// Ends the connection: libwebsockets hangs on a second body in the same connection.
static int end_upload(Server *s, struct lws *wsi, Session *a) {
    if (a->refused)
        return refuse(wsi, a->refused, true);
    if (!a->job || a->received != a->expected)
        return -1;
    const bool ok = close(a->to) == 0;
    a->to = -1;
    if (!ok)
        return refuse(wsi, 500, true);
    view_open(s->view, a->job);
    a->job->folder[0] = 0; // now belongs to the opening thread's copy
    session_clear(s, a);
    return refuse(wsi, 200, true);
}

// ---- requests ----

static int begin(Server *s, struct lws *wsi, Session *a) {
    char path[512];
    *a = (Session){.begun = true, .file = -1, .to = -1};
    if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0)
        return post(s, wsi, a);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return refuse(wsi, 405, true);
    // Nothing reads the body of a GET: it would be taken for the next request.
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 ||
        lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return refuse(wsi, 400, true);
    const int status = http_refusal(s, wsi, false, path, sizeof path);
    return status ? refuse(wsi, status, false) : get(s, wsi, a, path);
}

// Returns 0 if a WebSocket may be opened; refuses it and returns -1 if not.
static int confirm_upgrade(const Server *s, struct lws *wsi, const char *to) {
    char path[512], protocol[64];
    if (!to || strcmp(to, "websocket") != 0)
        return -1;
    int status = http_refusal(s, wsi, true, path, sizeof path);
    if (!status && (strcmp(path, "ws") != 0 ||
                    !has_header(wsi, WSI_TOKEN_PROTOCOL, protocol, sizeof protocol) ||
                    strcmp(protocol, "sinew") != 0))
        status = 404;
    if (!status && s->npage >= VIEW_PAGES)
        status = 503;
    if (!status)
        return 0;
    http_status(wsi, status, true);
    return -1;
}

int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t length) {
    Server *s = lws_context_user(lws_get_context(wsi));
    Session *a = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP: return begin(s, wsi, a);
    case LWS_CALLBACK_HTTP_BODY: return add_upload(s, a, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return end_upload(s, wsi, a);
    case LWS_CALLBACK_HTTP_WRITEABLE: return a->left > 0 ? answer_more(s, wsi, a) : 0;
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (a)
            session_clear(s, a);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm_upgrade(s, wsi, in);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: server_deliver(s); return 0;
    default: return 0;
    }
}
