// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// JSON as such; what is not JSON, test_scene_errors.c has.
#include "test_scene.h"

static void test_json(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    swArena arena;
    swError error = {0};
    char describe[64];
    sw_arena_init(&arena, &config.allocator);
    const char *text = quoted(" {'a': [1, -0.5e1, true, false, null],\n"
                              "  '\xc3\xa4': {'b': '\xc3\xb6'}, 'c': [[], {}, 0]}");
    const swJson *root = sw_json_parse(text, strlen(text), "text", &arena, &error);
    assert_non_null(root);
    assert_int_equal(root->type, SW_JSON_OBJECT);
    assert_int_equal(root->count, 3);
    assert_int_equal(root->column, 2);
    const swJson *a = sw_json_member(root, "a");
    assert_int_equal(a->count, 5);
    assert_near(sw_json_at(a, 1)->number, -5, 0);
    assert_true(sw_json_at(a, 2)->boolean);
    assert_int_equal(sw_json_at(a, 3)->type, SW_JSON_BOOL);
    assert_false(sw_json_at(a, 3)->boolean);
    assert_int_equal(sw_json_at(a, 4)->type, SW_JSON_NULL);
    assert_null(sw_json_at(a, 5));
    assert_null(sw_json_at(a, -1));
    assert_null(sw_json_at(root, 0));
    assert_null(sw_json_at(NULL, 0));
    assert_null(sw_json_member(a, "a"));
    assert_null(sw_json_member(root, "z"));
    const swJson *c = sw_json_member(root, "c");
    assert_int_equal(c->key_line, 2);
    assert_int_equal(c->key_column, 20); // characters, not bytes
    assert_int_equal(c->column, 25);
    assert_string_equal(sw_json_describe(c, describe), "a list of 3");
    assert_string_equal(sw_json_describe(root, describe), "an object");
    assert_string_equal(sw_json_describe(NULL, describe), "nothing");
    assert_string_equal(sw_json_describe(sw_json_at(a, 4), describe), "null");
    assert_string_equal(sw_json_describe(sw_json_at(a, 3), describe), "false");

    char *out = NULL;
    size_t size;
    for (int indent = 0; indent <= 2; indent += 2) {
        swFile file = {.stream = open_memstream(&out, &size)};
        swJsonWriter w = {.file = &file, .indent = indent};
        sw_json_begin(&w, NULL, '{');
        sw_json_put_number(&w, "n", NAN);
        sw_json_put_text(&w, "t", "a\"\\\n\x02\xff");
        sw_json_put_text(&w, "u", NULL);
        sw_json_begin_line(&w, "l", '[');
        sw_json_put_bool(&w, NULL, true);
        sw_json_put_int(&w, NULL, -7);
        sw_json_put_numbers(&w, NULL, 2, (double[]){0.1, 1e300});
        sw_json_end(&w);
        sw_json_begin(&w, "e", '[');
        sw_json_end(&w);
        sw_json_end(&w);
        fclose(file.stream);
        assert_string_equal(
            out, indent ? "{\n  \"n\": null,\n  \"t\": \"a\\\"\\\\\\n\\u0002\xef\xbf\xbd\",\n"
                          "  \"u\": null,\n  \"l\": [true, -7, [0.1, 1e+300]],\n  \"e\": []\n}\n"
                        : "{\"n\":null,\"t\":\"a\\\"\\\\\\n\\u0002\xef\xbf\xbd\",\"u\":null,"
                          "\"l\":[true,-7,[0.1,1e+300]],\"e\":[]}");
        assert_non_null(sw_json_parse(out, size, "out", &arena, &error));
        free(out);
    }
    sw_arena_free(&arena);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_json)};

SW_SUITE(json, tests)
