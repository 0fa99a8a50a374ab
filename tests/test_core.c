// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/core.h"
#include "test_tools.h"

#include <dirent.h>
#include <float.h>
#include <locale.h>
#include <stdatomic.h>
#include <sys/stat.h>

// ---- memory ----

static void arena_gives_zeroed_aligned_disjoint_memory(void **state) {
    (void)state;
    enum { N = 400 };
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    unsigned char *p[N];
    size_t size[N];
    Random r = {1};
    for (int i = 0; i < N; i++) {
        size[i] = (size_t)(i % 50 == 49 ? 300000 : random_int(&r, 3000));
        p[i] = sw_arena_alloc(&arena, size[i], 1, NULL);
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % 64, 0);
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(p[i][k], 0);
        memset(p[i], i, size[i]);
    }
    for (int i = 0; i < N; i++) // nobody wrote over anybody
        for (size_t k = 0; k < size[i]; k++)
            assert_int_equal(p[i][k], (unsigned char)i);
    assert_int_equal(arena.total, counter.bytes);
    assert_true(counter.calls < N / 4);
    sw_arena_free(&arena);
    assert_int_equal(counter.held, 0);
    assert_int_equal(counter.bytes, 0);
    assert_int_equal(arena.total, 0);
    assert_non_null(sw_arena_alloc(&arena, 1, 1, NULL)); // and it can be used again
    sw_arena_free(&arena);
    assert_int_equal(counter.held, 0);
}

static void arena_refuses_sizes_that_overflow(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    const struct {
        size_t count, size;
    } huge[] = {{SIZE_MAX, 1}, {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 2, 3}, {1ull << 33, 1ull << 33}};
    for (int i = 0; i < SW_COUNT(huge); i++) {
        swError error = {0};
        assert_null(sw_arena_alloc(&arena, huge[i].count, huge[i].size, &error));
        assert_int_equal(error.code, SW_ERROR_MEMORY);
        assert_true(strlen(error.message) > 0);
        assert_null(sw_arena_alloc(&arena, huge[i].count, huge[i].size, NULL));
    }
    assert_non_null(sw_arena_alloc(&arena, 0, 8, NULL)); // nothing is not a failure
    assert_non_null(sw_arena_alloc(&arena, SIZE_MAX, 0, NULL));
    sw_arena_free(&arena);
}

static bool use_arena(swArena *arena, swError *error) {
    SW_LIST(int) list = {0};
    for (int i = 0; i < 3000; i++) {
        int *item = SW_PUSH(&list, arena, error);
        if (!item)
            return false;
        *item = i;
    }
    for (int i = 0; i < 3000; i++)
        assert_int_equal(list.item[i], i);
    char *text = sw_arena_text(arena, "sinew and bone", 5, error);
    if (!text)
        return false;
    assert_string_equal(text, "sinew");
    double *numbers = SW_NEW(arena, 100000, double, error);
    if (!numbers)
        return false;
    numbers[99999] = 7;
    double *more = sw_arena_grow(arena, numbers, 100000, 200000, sizeof *numbers, error);
    if (!more)
        return false;
    assert_true(more[99999] == 7 && more[100000] == 0 && more[199999] == 0);
    return true;
}

static void arena_survives_every_failed_allocation(void **state) {
    (void)state;
    for (int k = 1;; k++) {
        Counter counter = {.fail_at = k};
        swConfig config = counting_config(&counter);
        swArena arena;
        swError error = {0};
        sw_arena_init(&arena, &config.allocator);
        bool ok = use_arena(&arena, &error);
        sw_arena_free(&arena);
        assert_int_equal(counter.held, 0);
        assert_int_equal(counter.bytes, 0);
        if (ok) {
            assert_true(k > 2);
            break;
        }
        assert_int_equal(error.code, SW_ERROR_MEMORY);
    }
}

// ---- numbers as text ----

static double number_of(const char *text, int expected_length) {
    double value = -12345;
    const char *end = sw_text_number(text, text + strlen(text), &value);
    if (expected_length < 0) {
        assert_null(end);
        return 0;
    }
    assert_non_null(end);
    assert_int_equal(end - text, expected_length);
    return value;
}

static void numbers_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int length;
        double value;
    } cases[] = {
        {"0", 1, 0},
        {"12", 2, 12},
        {"-1.5e3x", 6, -1500},
        {"+.5", 3, 0.5},
        {"5.", 2, 5},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1e-2", 4, 0.01},
        {"2.5E+02,", 7, 250},
        {"0.1", 3, 0.1},
        {"1,5", 1, 1},
        {"9007199254740993", 16, 9007199254740992.0}, // 2^53 + 1: to even
        {"9007199254740995", 16, 9007199254740996.0},
        {"123456789012345678901234567890", 30, 1.2345678901234568e29},
        {"2.2250738585072014e-308", 23, DBL_MIN},
        {"4.9406564584124654e-324", 23, 0x1p-1074},
        {"2.4703282292062327e-324", 23, 0},
        {"1.7976931348623157e308", 22, DBL_MAX},
        {"1e400", 5, INFINITY},
        {"1e-400", 6, 0},
        {"1e99999999999999999999", 22, INFINITY},
        {"1e-99999999999999999999", 23, 0},
        {"0e99999999999999999999", 22, 0},
        {"00000000000000000000000000000001", 32, 1},
        {"0.30000000000000004", 19, 0.30000000000000004},
        {"8.5", 3, 8.5},
        {"", -1, 0},
        {"-", -1, 0},
        {".", -1, 0},
        {"e5", -1, 0},
        {"nan", -1, 0},
        {"inf", -1, 0},
        {" 1", -1, 0},
        {"0x10", 1, 0},
    };
    for (int i = 0; i < SW_COUNT(cases); i++)
        assert_true(number_of(cases[i].text, cases[i].length) == cases[i].value);
    assert_true(signbit(number_of("-0", 2)));
}

static void a_number_ends_where_it_is_told(void **state) {
    (void)state;
    const char *text = "123456";
    const double expected[] = {1, 12, 123, 1234, 12345, 123456};
    double value;
    for (int n = 1; n <= 6; n++) {
        assert_ptr_equal(sw_text_number(text, text + n, &value), text + n);
        assert_true(value == expected[n - 1]);
    }
    assert_null(sw_text_number(text, text, &value));
    const char *exponent = "1e5";
    assert_ptr_equal(sw_text_number(exponent, exponent + 2, &value), exponent + 1);
    assert_true(value == 1);
}

// Numbers longer than any buffer: what counts is their value.
static void very_long_numbers_are_read(void **state) {
    (void)state;
    char text[3000];
    static char longer[200100];
    memset(longer, '0', sizeof longer);
    longer[1] = '.';
    strcpy(longer + 150000, "1e100000"); // 10^-49999
    assert_true(number_of(longer, 150008) == 0);
    strcpy(longer + 150000, "1e149999");
    assert_true(number_of(longer, 150008) == 1);
    for (int zeros = 1; zeros < 900; zeros += 7) {
        int n = snprintf(text, sizeof text, "1%0*de-%d", zeros, 0, zeros); // 1000...e-zeros
        assert_true(number_of(text, n) == 1);
        n = snprintf(text, sizeof text, "-0.%0*d25e%d", zeros, 0, zeros); // -0.000...25e+zeros
        assert_true(number_of(text, n) == -0.25);
        n = snprintf(text, sizeof text, "7.5%0*d", zeros, 0); // 7.5000...
        assert_true(number_of(text, n) == 7.5);
        // halfway between 1 and the next number, and a last digit that decides
        n = snprintf(text, sizeof text,
                     "1.00000000000000011102230246251565404236316680908203125%0*d1", zeros, 0);
        assert_true(number_of(text, n) == 1 + DBL_EPSILON);
        *(strchr(text, 0) - 1) = '0';
        assert_true(number_of(text, n) == 1); // to even
    }
}

// Random doubles of all sizes, integers and short decimals come back to the bit.
static void check_round_trip(int count) {
    Random r = {7};
    for (int i = 0; i < count; i++) {
        uint64_t bits =
            (uint64_t)(random_unit(&r) * 0x1p32) << 32 ^ (uint64_t)(random_unit(&r) * 0x1p32);
        double value, back = 0;
        memcpy(&value, &bits, sizeof value);
        if (i % 3 == 1)
            value = random_int(&r, 1000000) * 1e-3;
        if (i % 3 == 2)
            value = random_in(&r, -100, 100);
        char text[32], reference[40];
        int n = sw_text_format(value, text);
        assert_int_equal(n, strlen(text));
        assert_true(n < 32);
        if (!isfinite(value)) {
            assert_string_equal(text, "null");
            continue;
        }
        assert_null(strchr(text, ','));
        assert_ptr_equal(sw_text_number(text, text + n, &back), text + n);
        assert_memory_equal(&back, &value, sizeof value);
        // what others write is read to the same bits as well
        const char *locale = setlocale(LC_NUMERIC, NULL);
        if (strcmp(locale, "C") == 0) {
            n = snprintf(reference, sizeof reference, "%.*e", 16 + i % 5, value);
            assert_non_null(sw_text_number(reference, reference + n, &back));
            assert_memory_equal(&back, &value, sizeof value);
        }
    }
}

static void numbers_come_back(void **state) {
    (void)state;
    check_round_trip(100000);
}

static void numbers_are_written_short(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {0.1, "0.1"},
                 {1.0 / 3, "0.3333333333333333"},
                 {-2.5, "-2.5"},
                 {1e22, "1e+22"},
                 {123456789, "123456789"},
                 {9.81, "9.81"},
                 {1e-7, "1e-07"},
                 {0x1p-1074, "5e-324"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {NAN, "null"},
                 {-INFINITY, "null"}};
    for (int i = 0; i < SW_COUNT(cases); i++) {
        char text[32];
        assert_int_equal(sw_text_format(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

// A locale whose decimal point is not a point: one that is there, or one made for the occasion.
static bool foreign_locale(const char *name) {
    static const char *const suffix[] = {".UTF-8", ".utf8", ""};
    char full[64], folder[512], command[1400];
    for (int i = 0; i < SW_COUNT(suffix); i++) {
        snprintf(full, sizeof full, "%s%s", name, suffix[i]);
        if (setlocale(LC_NUMERIC, full))
            return true;
    }
    snprintf(folder, sizeof folder, "%s", temporary_path("locale"));
    snprintf(full, sizeof full, "%s.UTF-8", name);
    snprintf(command, sizeof command,
             "mkdir -p '%s' && localedef -i %s -f UTF-8 '%s/%s' >/dev/null 2>&1", folder, name,
             folder, full);
    bool ok = system(command) == 0;
    setenv("LOCPATH", folder, 1);
    ok = ok && setlocale(LC_NUMERIC, full);
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        ok = false;
    return ok;
}

static void numbers_ignore_the_locale(void **state) {
    (void)state;
    static const char *const name[] = {"de_DE", "ps_AF"}; // a comma; two bytes
    int tried = 0;
    for (int i = 0; i < SW_COUNT(name); i++) {
        if (!foreign_locale(name[i]))
            continue;
        tried++;
        assert_string_not_equal(localeconv()->decimal_point, ".");
        numbers_are_read(state);
        numbers_are_written_short(state);
        very_long_numbers_are_read(state);
        check_round_trip(10000);
        setlocale(LC_NUMERIC, "C");
    }
    setlocale(LC_NUMERIC, "C");
    if (!tried) {
        print_message("SKIPPED: no locale with another decimal point, and none can be made\n");
        skip();
    }
}

static void the_nearest_word_is_found(void **state) {
    (void)state;
    static const char *const names[] = {"young", "poisson", "density", "law", "affine", "rigid"};
    const int n = SW_COUNT(names);
    static const char *const cases[][2] = {
        {"yuong", "young"},    {"poison", "poisson"},
        {"densty", "density"}, {"Law", "law"},
        {"afine", "affine"},   {"rigd", "rigid"},
        {"young", "young"},    {"xyzzyplugh", NULL},
        {"q", NULL},           {"", NULL},
        {"rgiid", "rigid"},    {"a_word_far_longer_than_any_name_in_the_table_could_be", NULL}};
    for (int i = 0; i < SW_COUNT(cases); i++) {
        const char *found = sw_text_nearest(cases[i][0], names, n);
        if (cases[i][1])
            assert_string_equal(found ? found : "nothing", cases[i][1]);
        else
            assert_null(found);
    }
    assert_null(sw_text_nearest("law", names, 0));
}

static void words_are_compared(void **state) {
    (void)state;
    assert_true(sw_text_equal("a", "a") && sw_text_equal(NULL, NULL));
    assert_false(sw_text_equal("a", "b") || sw_text_equal("a", NULL) || sw_text_equal(NULL, "a"));
    assert_true(sw_text_has_suffix("bunny.OBJ", ".obj") && sw_text_has_suffix("x", ""));
    assert_false(sw_text_has_suffix("obj", ".obj") || sw_text_has_suffix("a.obj.gz", ".obj"));
}

// ---- files ----

static void write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_content(const char *path, const char *expected) {
    swConfig config = sw_default_config();
    swArena arena;
    swError error = {0};
    char *data = NULL;
    size_t size = 99;
    sw_arena_init(&arena, &config.allocator);
    require(sw_file_read(path, &arena, &data, &size, &error), &error);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(data, expected); // so a zero follows the end
    sw_arena_free(&arena);
}

// Files in the temporary folder whose name begins like that of `path`.
static int files_beside(const char *path) {
    char folder[512];
    snprintf(folder, sizeof folder, "%s", path);
    char *name = strrchr(folder, '/');
    *name++ = 0;
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *e; (e = readdir(dir));)
        count += strncmp(e->d_name, name, strlen(name)) == 0;
    closedir(dir);
    return count;
}

static void a_file_appears_whole_or_not_at_all(void **state) {
    (void)state;
    const char *path = temporary_path("file.txt");
    swFile file;
    swError error = {0};
    remove(path);
    require(sw_file_open(&file, path, &error), &error);
    sw_file_print(&file, "%s %d ", "one", 2);
    sw_file_number(&file, 0.25);
    sw_file_write(&file, "", 0);
    fflush(file.stream);
    assert_int_not_equal(access(path, F_OK), 0); // not there yet
    require(sw_file_close(&file, &error), &error);
    assert_content(path, "one 2 0.25");
    assert_int_equal(files_beside(path), 1);
    // The old file stays until the new one is complete, and for good when that is given up.
    require(sw_file_open(&file, path, &error), &error);
    sw_file_print(&file, "half of");
    fflush(file.stream);
    assert_content(path, "one 2 0.25");
    sw_file_abandon(&file);
    assert_content(path, "one 2 0.25");
    assert_int_equal(files_beside(path), 1);
    require(sw_file_open(&file, path, &error), &error);
    require(sw_file_close(&file, &error), &error);
    assert_content(path, "");
    remove(path);
}

static void a_full_disk_is_reported(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    const char *path = temporary_path("full.txt");
    swFile file;
    swError error = {0};
    write_text(path, "old");
    require(sw_file_open(&file, path, &error), &error);
    // The temporary file moves to a device without room.
    fclose(file.stream);
    remove(file.temporary);
    assert_int_equal(symlink("/dev/full", file.temporary), 0);
    file.stream = fopen(file.temporary, "wb");
    assert_non_null(file.stream);
    sw_file_print(&file, "new");
    assert_false(sw_file_close(&file, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    assert_string_equal(error.path, path);
    assert_true(strlen(error.message) > 0);
    assert_content(path, "old");
    assert_int_equal(files_beside(path), 1);
    remove(path);
}

static void files_that_cannot_be_are_refused(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    swArena arena;
    swFile file;
    char *data, missing[600], long_path[3000];
    size_t size;
    sw_arena_init(&arena, &config.allocator);
    snprintf(missing, sizeof missing, "%s/none/x", temporary_path("folder"));
    memset(long_path, 'a', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = 0;
    for (int i = 0; i < 2; i++) {
        swError error = {0};
        assert_false(sw_file_open(&file, i ? long_path : missing, &error));
        assert_int_equal(error.code, SW_ERROR_FILE);
        assert_non_null(strstr(i ? long_path : missing, error.path));
        error = (swError){0};
        assert_false(sw_file_read(i ? long_path : missing, &arena, &data, &size, &error));
        assert_int_equal(error.code, SW_ERROR_FILE);
    }
    swError error = {0};
    assert_false(sw_file_read(".", &arena, &data, &size, &error)); // a folder
    assert_int_equal(error.code, SW_ERROR_FILE);
    sw_arena_free(&arena);
}

// ---- errors and hashes ----

static void errors_read_like_a_compiler_s(void **state) {
    (void)state;
    char text[256];
    swError error = {0};
    assert_false(sw_fail_at(&error, SW_ERROR_VALUE, "a.json", 3, 7, "expected %d", 5));
    assert_string_equal(sw_error_text(&error, text, sizeof text), "a.json:3:7: expected 5");
    assert_false(sw_fail_at(&error, SW_ERROR_VALUE, "a.json", 3, 0, "x"));
    assert_string_equal(sw_error_text(&error, text, sizeof text), "a.json:3: x");
    assert_false(sw_fail_at(&error, SW_ERROR_VALUE, "a.json", 0, 0, "x"));
    assert_string_equal(sw_error_text(&error, text, sizeof text), "a.json: x");
    assert_false(sw_fail(&error, SW_ERROR_VALUE, "x"));
    assert_string_equal(sw_error_text(&error, text, sizeof text), "x");
    assert_string_equal(sw_error_text(&error, text, 1), ""); // cut to size
    sw_error_clear(&error);
    sw_error_clear(NULL);
    assert_false(sw_fail(NULL, SW_ERROR_VALUE, "nobody listens"));
    for (int i = 0; i <= SW_ERROR_STOPPED; i++)
        assert_string_not_equal(sw_status_text((swStatus)i), sw_status_text((swStatus)-1));
    char long_text[2000];
    memset(long_text, 'm', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    assert_false(sw_fail_at(&error, SW_ERROR_VALUE, long_text, 1, 1, "%s", long_text));
    assert_int_equal(strlen(error.message), SW_ERROR_MESSAGE - 1);
    assert_int_equal(strlen(error.path), SW_ERROR_PATH - 1);
}

static void a_hash_sees_every_bit(void **state) {
    (void)state;
    unsigned char data[64], moved[65];
    for (int i = 0; i < 64; i++)
        data[i] = (unsigned char)(37 * i);
    for (size_t n = 0; n < 40; n++) {
        uint64_t h = sw_hash(SW_HASH_SEED, data, n);
        memcpy(moved + 1, data, n);
        assert_true(sw_hash(SW_HASH_SEED, moved + 1, n) == h); // wherever it lies
        assert_true(sw_hash(SW_HASH_SEED + 1, data, n) != h);
        assert_true(sw_hash(SW_HASH_SEED, data, n + 1) != h);
        for (size_t bit = 0; bit < 8 * n; bit++) {
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(sw_hash(SW_HASH_SEED, data, n) != h);
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
    double last = sw_seconds();
    for (int i = 0; i < 1000; i++) {
        double now = sw_seconds();
        assert_true(now >= last);
        last = now;
    }
}

// ---- threads ----

enum { MANY = 10000 };

typedef struct {
    int grain, n, size;
    _Atomic int visits[MANY];
    int start[MANY]; // of the chunk that each index was in
    double result[MANY];
} Job;

static void visit(int start, int end, int worker, void *arg) {
    Job *job = arg;
    bool sound = start >= 0 && start < end && end <= job->n && worker >= 0 && worker < job->size &&
                 start % job->grain == 0 && (end - start == job->grain || end == job->n);
    for (int i = start; i < end; i++) {
        atomic_fetch_add(&job->visits[i], sound ? 1 : 1000);
        job->start[i] = start;
        job->result[i] = sin(i) / (1 + i);
    }
}

static void threads_visit_everything_once(void **state) {
    (void)state;
    static Job job;
    static const int count[] = {0, 1, 2, 7, 64, 1000, MANY}, grains[] = {1, 3, 64, 5000};
    swConfig config = sw_default_config();
    for (int threads = 1; threads <= 8; threads++) {
        swPool *pool = sw_pool_create(&config.allocator, threads);
        assert_non_null(pool);
        job.size = sw_pool_size(pool);
        assert_true(job.size >= 1 && job.size <= threads);
        for (int c = 0; c < SW_COUNT(count); c++)
            for (int g = 0; g < SW_COUNT(grains); g++) {
                job.n = count[c];
                job.grain = grains[g];
                memset((void *)job.visits, 0, sizeof job.visits);
                sw_parallel_for(pool, job.n, job.grain, visit, &job);
                for (int i = 0; i < MANY; i++) {
                    assert_int_equal(job.visits[i], i < job.n);
                    if (i < job.n)
                        assert_int_equal(job.start[i], i / job.grain * job.grain);
                }
            }
        sw_pool_destroy(pool);
    }
    sw_pool_destroy(NULL);
}

static void count_one(int start, int end, int worker, void *arg) {
    (void)start, (void)end, (void)worker;
    atomic_fetch_add((_Atomic int *)arg, 1);
}

// Many short loops in a row: none starts before the last one has ended, none is lost.
static void threads_follow_each_other(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    for (int threads = 2; threads <= 8; threads += 3) {
        swPool *pool = sw_pool_create(&config.allocator, threads);
        _Atomic int sum = 0;
        for (int i = 1; i <= 2000; i++) {
            sw_parallel_for(pool, 5, 1, count_one, &sum);
            assert_int_equal(sum, 5 * i);
        }
        sw_pool_destroy(pool);
    }
}

static void a_pool_without_memory_is_one_thread(void **state) {
    (void)state;
    Counter counter = {.fail_at = 1};
    swConfig config = counting_config(&counter);
    assert_null(sw_pool_create(&config.allocator, 4));
    _Atomic int sum = 0;
    sw_parallel_for(NULL, 5, 2, count_one, &sum);
    assert_int_equal(sum, 3);
    counter = (Counter){0};
    swPool *pool = sw_pool_create(&config.allocator, 1000); // more than there can be
    assert_true(sw_pool_size(pool) <= 64);
    sw_pool_destroy(pool);
    assert_int_equal(counter.held, 0);
}

typedef struct {
    int asks, enough; // `enough`: after so many the answer is no
    pthread_t thread;
    _Atomic int chunks;
} Patience;

static bool ask(void *context, const char *stage, double share) {
    Patience *p = context;
    assert_string_equal(stage, "long");
    assert_true(share == 0.5 && pthread_equal(p->thread, pthread_self()));
    return ++p->asks < p->enough;
}

static void take_long(int start, int end, int worker, void *arg) {
    const struct timespec a_while = {.tv_nsec = 2000000};
    (void)start, (void)end, (void)worker;
    atomic_fetch_add(&((Patience *)arg)->chunks, 1);
    nanosleep(&a_while, NULL);
}

// Asked by the thread that watches, a few times a second; others are told.
static void threads_stop_when_asked(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        Patience patience = {.enough = 2, .thread = pthread_self()};
        swConfig config = sw_default_config();
        config.progress = ask;
        config.progress_context = &patience;
        swPool *pool = sw_pool_create(&config.allocator, threads);
        assert_true(sw_pool_goes_on(pool) && sw_parallel_try(pool, 10, 1, take_long, &patience));
        assert_true(patience.asks == 0 && patience.chunks == 10);
        sw_pool_watch(pool, &config, "long", 0.5);
        assert_false(sw_parallel_try(pool, MANY, 1, take_long, &patience));
        assert_int_equal(patience.asks, 2);
        assert_true(patience.chunks > 10 && patience.chunks < MANY);
        assert_true(sw_pool_stopped(pool) && !sw_pool_goes_on(pool));
        const int chunks = patience.chunks;
        assert_false(sw_parallel_try(pool, 10, 1, take_long, &patience));
        sw_parallel_for(pool, 10, 1, take_long, &patience); // which cannot be
        assert_int_equal(patience.chunks, chunks + 10);
        sw_pool_watch(pool, NULL, NULL, 0);
        assert_true(sw_parallel_try(pool, 10, 1, take_long, &patience));
        assert_int_equal(patience.asks, 2);
        sw_pool_destroy(pool);
    }
    Patience alone = {0};
    assert_true(sw_pool_goes_on(NULL) && sw_parallel_try(NULL, 3, 1, take_long, &alone));
    assert_int_equal(alone.chunks, 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(arena_gives_zeroed_aligned_disjoint_memory),
    cmocka_unit_test(arena_refuses_sizes_that_overflow),
    cmocka_unit_test(arena_survives_every_failed_allocation),
    cmocka_unit_test(numbers_are_read),
    cmocka_unit_test(a_number_ends_where_it_is_told),
    cmocka_unit_test(very_long_numbers_are_read),
    cmocka_unit_test(numbers_come_back),
    cmocka_unit_test(numbers_are_written_short),
    cmocka_unit_test(numbers_ignore_the_locale),
    cmocka_unit_test(the_nearest_word_is_found),
    cmocka_unit_test(words_are_compared),
    cmocka_unit_test(a_file_appears_whole_or_not_at_all),
    cmocka_unit_test(a_full_disk_is_reported),
    cmocka_unit_test(files_that_cannot_be_are_refused),
    cmocka_unit_test(errors_read_like_a_compiler_s),
    cmocka_unit_test(a_hash_sees_every_bit),
    cmocka_unit_test(threads_visit_everything_once),
    cmocka_unit_test(threads_follow_each_other),
    cmocka_unit_test(a_pool_without_memory_is_one_thread),
    cmocka_unit_test(threads_stop_when_asked),
};
SW_SUITE(core, tests)
