// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Drives a fuzzer without libFuzzer. Feeds it the files given (or all files of a folder given),
// then, with -t SECONDS, mutations of them, always the same ones in the same order. An input that
// crashes or hangs is left in the working folder as crash-PROGRAM; feed that file to see it again.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
// There in sanitized builds alone.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

enum { INPUT_MAX = 1 << 16, SEEDS_MAX = 256, HANG_SECONDS = 20 };

typedef struct Seed {
    uint8_t *data;
    size_t size;
} Seed;

static Seed seeds[SEEDS_MAX];
static int nseed;
static uint8_t input[INPUT_MAX];
static const uint8_t *current;
static size_t current_size;
static char crash_path[256];

// ---- keeping the input that fails; only calls that are safe in a signal handler ----

static void keep_input(void) {
    static const char text[] = "the input is kept in ";
    if (!current)
        return;
    int file = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, current, current_size) != (ssize_t)current_size)
        return;
    close(file);
    if (write(2, text, sizeof text - 1) < 0 || write(2, crash_path, strlen(crash_path)) < 0 ||
        write(2, "\n", 1) < 0)
        return;
}

static void on_signal(int number) {
    keep_input();
    signal(number, SIG_DFL);
    raise(number);
}

static void feed(const uint8_t *data, size_t size) {
    // A copy of exactly this size, so that the address sanitizer sees a read past its end.
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(2);
    if (size)
        memcpy(copy, data, size);
    current = copy;
    current_size = size;
    alarm(HANG_SECONDS);
    LLVMFuzzerTestOneInput(copy, size);
    alarm(0);
    current = NULL;
    free(copy);
}

// ---- seeds ----

static void add_seed(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || nseed == SEEDS_MAX) {
        fprintf(stderr, "cannot take %s: %s\n", path, file ? "too many files" : strerror(errno));
        exit(2);
    }
    Seed *seed = &seeds[nseed++];
    seed->size = fread(input, 1, sizeof input, file);
    seed->data = malloc(seed->size + 1);
    if (!seed->data)
        exit(2);
    memcpy(seed->data, input, seed->size);
    fclose(file);
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void add_seeds(const char *path) {
    struct dirent **entries;
    int n = scandir(path, &entries, visible, alphasort);
    if (n < 0) {
        add_seed(path);
        return;
    }
    for (int i = 0; i < n; i++) {
        char file[1024];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        add_seed(file);
        free(entries[i]);
    }
    free(entries);
}

// ---- mutations ----

static uint64_t random_state = 0x9e3779b97f4a7c15ull;

// A number in [0, n), xorshift64*.
static size_t pick(size_t n) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return n ? (size_t)((random_state * 0x2545f4914f6cdd1dull) >> 33) % n : 0;
}

// Puts n bytes in place of input[at, at + removed); returns the new size.
static size_t replace(size_t size, size_t at, size_t removed, const void *bytes, size_t n) {
    if (size - removed + n > INPUT_MAX)
        return size;
    memmove(input + at + n, input + at + removed, size - at - removed);
    memcpy(input + at, bytes, n);
    return size - removed + n;
}

// Text formats are mostly numbers: put a troublesome one in the place of one that is there.
static size_t replace_number(size_t size, size_t at) {
    static const char *const numbers[] = {
        "0",   "-1", "1e308",      "-1e-320", "1e999", "nan", "2147483648",          "1e9",
        "0.5", "3",  "4294967295", "\"1\"",   "[]",    "{",   "18446744073709551616"};
    while (at < size && !(input[at] >= '0' && input[at] <= '9'))
        at++;
    size_t end = at;
    while (end < size && input[end] && strchr("0123456789.eE+-", input[end]))
        end++;
    const char *text = numbers[pick(sizeof numbers / sizeof numbers[0])];
    return replace(size, at, end - at, text, strlen(text));
}

static size_t mutate(size_t size) {
    static const uint32_t words[] = {0,      1,      0x7f,       0x80,        0xff,
                                     0x7fff, 0xffff, 0x7fffffff, 0x80000000u, 0xffffffffu};
    size_t at = pick(size + 1), left = size - at, n;
    uint8_t byte = (uint8_t)pick(256);
    uint32_t word = words[pick(sizeof words / sizeof words[0])];
    const Seed *other = &seeds[pick((size_t)nseed)];
    size_t from = pick(other->size);
    switch (pick(8)) {
    case 0: // flip a bit
        if (left)
            input[at] ^= (uint8_t)(1u << pick(8));
        return size;
    case 1: // set a byte
        return replace(size, at, left > 0, &byte, 1);
    case 2: // cut the end off
        return at;
    case 3: // remove a piece
        return replace(size, at, pick(left < 64 ? left + 1 : 64), "", 0);
    case 4: // overwrite a 32-bit field
        n = left < 4 ? left : 4;
        return replace(size, at, n, &word, n);
    case 5: // insert a piece of another seed
        n = other->size - from;
        return replace(size, at, 0, other->data + from, pick(n < 64 ? n + 1 : 64));
    case 6: // go on as another seed does
        return replace(size, at, left, other->data + from, other->size - from);
    default: return replace_number(size, at);
    }
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int usage(const char *program) {
    fprintf(stderr, "usage: %s [-t SECONDS] [FILE or FOLDER]...\n", program);
    return 2;
}

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    snprintf(crash_path, sizeof crash_path, "crash-%s", slash ? slash + 1 : argv[0]);
    double limit = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-t") == 0 && i + 1 < argc)
            limit = atof(argv[++i]);
        else if (argv[i][0] == '-')
            return usage(argv[0]);
        else
            add_seeds(argv[i]);
    }

    static const int signals[] = {SIGABRT, SIGALRM, SIGSEGV, SIGBUS, SIGFPE};
    bool sanitized = __sanitizer_set_death_callback != NULL; // it catches the last three itself
    if (sanitized)
        __sanitizer_set_death_callback(keep_input);
    for (int i = 0; i < (sanitized ? 2 : 5); i++)
        signal(signals[i], on_signal);

    for (int i = 0; i < nseed; i++)
        feed(seeds[i].data, seeds[i].size);
    if (nseed == 0)
        seeds[nseed++] = (Seed){calloc(1, 1), 0};

    long count = 0;
    for (double start = seconds(); seconds() - start < limit; count++) {
        const Seed *seed = &seeds[pick((size_t)nseed)];
        size_t size = seed->size;
        memcpy(input, seed->data, size);
        for (size_t i = 1 + pick(6); i > 0; i--)
            size = mutate(size);
        feed(input, size);
    }
    printf("%d seeds, %ld mutations: no trouble\n", nseed, count);
    for (int i = 0; i < nseed; i++)
        free(seeds[i].data);
    return 0;
}
