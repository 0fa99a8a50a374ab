// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The examples that the command carries: all of examples/, to the byte, with titles and pictures.
#include "examples.h"
#include "test_examples.h"

#include <dirent.h>
#include <sys/stat.h>

static void every_example_is_carried(void **state) {
    (void)state;
    const swConfig config = sw_default_config();
    DIR *folder = opendir(SW_TEST_EXAMPLES);
    int n, found = 0;
    examples(&n);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[1024], name[64], *data;
        size_t size;
        swArena arena;
        swError error = {0};
        if (!sw_text_has_suffix(entry->d_name, ".json"))
            continue;
        found++;
        snprintf(name, sizeof name, "%.*s", (int)strlen(entry->d_name) - 5, entry->d_name);
        snprintf(path, sizeof path, "%s/%s", SW_TEST_EXAMPLES, entry->d_name);
        const Example *e = example_find(name);
        assert_non_null(e);
        sw_arena_init(&arena, &config.allocator);
        require(sw_file_read(path, &arena, &data, &size, &error), &error);
        assert_int_equal(size, e->size);
        assert_memory_equal(data, e->text, size);
        assert_int_equal(e->text[size], 0);
        sw_arena_free(&arena);
    }
    closedir(folder);
    assert_int_equal(found, n);
    assert_null(example_find("none"));
}

static void examples_have_titles_and_pictures(void **state) {
    (void)state;
    int n;
    const Example *list = examples(&n);
    for (int i = 0; i < n; i++) {
        swScene *scene = read_example(list[i].name);
        assert_string_equal(list[i].title, scene->title);
        assert_true(strlen(list[i].title) > 10);
        sw_scene_destroy(scene);
        const unsigned char *png = list[i].png;
        if (!png)
            fail_msg("no viewer/gallery/%s.png: scripts/make-pictures makes it", list[i].name);
        assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
        assert_int_equal(png[18] << 8 | png[19], 480);
        assert_int_equal(png[22] << 8 | png[23], 300);
        assert_in_range(list[i].png_size, 1000, 60000);
    }
}

static void examples_can_be_read_where_they_are_unpacked(void **state) {
    (void)state;
    const char *folder = temporary_path("examples");
    char path[EXAMPLE_PATH];
    swError error = {0};
    int n, files = 0;
    const Example *list = examples(&n);
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int i = 0; i < n; i++) {
        require(example_unpack(&list[i], folder, path, &error), &error);
        swScene *scene = sw_scene_read(path, NULL, &error);
        require(scene != NULL, &error);
        if (list[i].nfile > 0)
            sw_model_destroy(compile_scene(scene));
        sw_scene_destroy(scene);
        remove(path);
        for (int k = 0; k < list[i].nfile; k++, files++) {
            snprintf(path, sizeof path, "%s/%s", folder, list[i].file[k].name);
            assert_int_equal(remove(path), 0);
        }
    }
    assert_true(files > 0);
    assert_int_equal(rmdir(folder), 0);
    assert_false(example_unpack(&list[0], folder, path, &error));
    assert_true(error.message[0]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_example_is_carried),
    cmocka_unit_test(examples_have_titles_and_pictures),
    cmocka_unit_test(examples_can_be_read_where_they_are_unpacked),
};

SW_SUITE(examples, tests)
