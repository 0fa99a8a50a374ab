// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The tables of sinew verify: complete, and rows that run as they are written.
#include "test_tools.h"
#include "verify/verify.h"

static void every_row_has_all_it_needs(void **state) {
    (void)state;
    char name[96], other[96];
    for (int i = 0; verify_row(i); i++) {
        const Row *row = verify_row(i);
        const Case *c = verify_case(row->problem);
        if (!c)
            fail_msg("no case \"%s\"", row->problem);
        int n = 0;
        for (; c->value[n].name; n++) {
            const Reference *r = verify_reference(c->name, c->value[n].name);
            if (!r)
                fail_msg("no reference %s/%s", c->name, c->value[n].name);
            assert_true(isfinite(r->value) && !(r->error < 0) && r->dof >= 0 && r->origin[0]);
            assert_true((c->value[n].read == READ_LINE) == (r->npoint > 0));
        }
        assert_in_range(n, 1, VERIFY_VALUES);
        assert_in_range(row->variant.frames, 1, VERIFY_FRAMES);
        assert_true(strlen(verify_name(row, name)) < sizeof name - 1);
        for (int k = 0; k < VERIFY_VALUES; k++)
            assert_true(row->bound[k] >= 0 && (k < n || row->bound[k] == 0));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name, verify_name(verify_row(k), other));
    }
    assert_null(verify_case("cantilever"));
    assert_null(verify_reference("torsion-90", "torque"));
}

// The one of that name.
static const Row *find_row(const char *name) {
    char text[96];
    for (int i = 0; verify_row(i); i++)
        if (strcmp(verify_name(verify_row(i), text), name) == 0)
            return verify_row(i);
    fail_msg("no row %s", name);
    return NULL;
}

static Result run_row(const Row *row) {
    Result r;
    swError error = {0};
    require(verify_run(row, 1, &r, &error), &error);
    return r;
}

// Three kinds of reading, against what is known without the tables.
static void values_are_what_they_are_called(void **state) {
    (void)state;
    const Result squeezed = run_row(find_row("uniaxial-stvk-nu0-e-0.4-affine-hat-3"));
    assert_near(squeezed.value[0], 0.01 * 2e5 * 0.5 * 0.6 * (0.36 - 1), 1e-3); // E/2 s (s^2 - 1)
    assert_near(squeezed.value[1], 0.01 * 2e5 / 8 * (1 - 0.36) * (1 - 0.36), 1e-3);
    const Result pulled = run_row(find_row("uniaxial-neo-hookean-nu0-e0.5-affine-hat-2"));
    assert_near(pulled.value[0], 0.5, 1e-5);
    assert_int_equal(pulled.frames, 2);
    assert_int_equal(pulled.dof, 24);
    const Result plate = run_row(find_row("plate-uniform-1500-affine-smooth-6-locked"));
    assert_true(fabs(plate.error[0]) >= fabs(100 * (plate.value[0] / 0.15092 - 1)) - 0.01);
}

// The load on the end of Cook's membrane leaves out the side that comes to it at an angle: with
// cells as small as these a part of that is nearer to the end than surfaces are known.
static void loads_stay_on_their_side(void **state) {
    (void)state;
    const Row row = {"cook-nu0.3-0.625", {TETS2, "plain", 24, RELAXED}, {0}};
    const Result r = run_row(&row);
    assert_near(r.error[0], 0, 0.35);
    assert_near(r.error[1], 0, 0.2);
}

static void what_is_worse_is_told(void **state) {
    (void)state;
    Row row = *find_row("poisson-nu0-affine-hat-5-locked");
    Result r = run_row(&row);
    assert_false(verify_is_worse(&row, &r, 0));
    row.bound[0] = 0.9 * fabs(r.error[0]);
    assert_true(verify_is_worse(&row, &r, 0));
    row.bound[0] = 0; // none
    assert_false(verify_is_worse(&row, &r, 0));
    r.error[0] = NAN;
    assert_true(verify_is_worse(&row, &r, 0));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_row_has_all_it_needs),
    cmocka_unit_test(values_are_what_they_are_called),
    cmocka_unit_test(loads_stay_on_their_side),
    cmocka_unit_test(what_is_worse_is_told),
};
SW_SUITE(verify, tests)
