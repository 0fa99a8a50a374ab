// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew verify: runs the rows, prints their table, and reports errors that exceed their bounds.
#include "verify/verify.h"

#include "core/json.h"

#include <string.h>

typedef struct VerifyOptions {
    const char *pattern; // NULL: all
    const char *write, *json, *csv;
    bool list;
    int refine;
} VerifyOptions;

typedef struct Report {
    swFile csv, json;
    swJsonWriter writer;
    int values, worse, unbounded;
    double seconds;
} Report;

// The table is printed unless CSV or JSON goes to standard output.
static bool prints_table(const VerifyOptions *o) {
    return !sw_text_equal(o->csv, "-") && !sw_text_equal(o->json, "-");
}

static bool is_chosen(const VerifyOptions *o, const Row *row) {
    char name[96];
    return !o->pattern || strstr(verify_name(row, name), o->pattern);
}

static bool any_chosen(const VerifyOptions *o) {
    for (int i = 0; verify_row(i); i++)
        if (is_chosen(o, verify_row(i)))
            return true;
    return false;
}

// ---- --list and --write ----

static void list_rows(const VerifyOptions *o) {
    char name[96];
    for (int i = 0; verify_row(i); i++)
        if (is_chosen(o, verify_row(i)))
            printf("%s\n", verify_name(verify_row(i), name));
}

static bool write_rows(const VerifyOptions *o, swError *error) {
    char name[96], path[1024], mesh[1024];
    for (int i = 0; verify_row(i); i++) {
        if (!is_chosen(o, verify_row(i)))
            continue;
        Plan plan;
        verify_name(verify_row(i), name);
        if (snprintf(path, sizeof path, "%s/%s.json", o->write, name) >= (int)sizeof path ||
            snprintf(mesh, sizeof mesh, "%s/%s.mesh", o->write, name) >= (int)sizeof mesh)
            return sw_fail_at(error, SW_ERROR_FILE, o->write, 0, 0, "the path is too long");
        swScene *scene = cli_output_prepare(path, error)
                             ? verify_scene(verify_row(i), o->refine, mesh, &plan, error)
                             : NULL;
        const bool ok = scene && sw_scene_write(scene, path, error);
        sw_scene_destroy(scene);
        if (!ok)
            return false;
    }
    return true;
}

// ---- the table ----

static void put_csv(swFile *f, const Row *row, const char *value, const Result *r, int i,
                    const Reference *ref) {
    const Variant *v = &row->variant;
    const double number[] = {r->value[i], ref->value, r->error[i], row->bound[i], 100 * ref->error};
    sw_file_print(f, "%s,%s,%s,%s,%d,%s,%d,%d", row->problem, value, verify_node_names[v->node],
                  v->weights, v->frames, verify_relax_names[v->relax], r->frames, r->dof);
    for (int k = 0; k < SW_COUNT(number); k++) {
        sw_file_print(f, ",");
        if (isfinite(number[k]))
            sw_file_number(f, number[k]);
    }
    sw_file_print(f, ",%d,%.3g,\"%s\"\n", ref->dof, r->seconds, ref->origin);
}

static void put_json(swJsonWriter *w, const Row *row, const char *value, const Result *r, int i,
                     const Reference *ref) {
    const Variant *v = &row->variant;
    sw_json_begin_line(w, NULL, '{');
    sw_json_put_text(w, "case", row->problem);
    sw_json_put_text(w, "value", value);
    sw_json_put_text(w, "frame", verify_node_names[v->node]);
    sw_json_put_text(w, "weights", v->weights);
    sw_json_put_bool(w, "locked", v->relax == LOCKED);
    sw_json_put_bool(w, "corrected", v->relax == CORRECTED);
    sw_json_put_int(w, "frames", r->frames);
    sw_json_put_int(w, "dof", r->dof);
    sw_json_put_number(w, "ours", r->value[i]);
    sw_json_put_number(w, "reference", ref->value);
    sw_json_put_number(w, "error_percent", r->error[i]);
    sw_json_put_number(w, "bound_percent", row->bound[i]);
    sw_json_put_number(w, "reference_error_percent", 100 * ref->error);
    sw_json_put_int(w, "reference_dof", ref->dof);
    sw_json_put_number(w, "seconds", r->seconds);
    sw_json_put_text(w, "origin", ref->origin);
    if (r->reason[0])
        sw_json_put_text(w, "failure", r->reason);
    sw_json_end(w);
}

static void print_head(void) {
    printf("%-54s %-8s %6s %5s %12s %12s %8s %7s | %7s %7s %7s\n", "case", "value", "frames", "dof",
           "ours", "reference", "error %", "bound", "ref. %", "dof", "seconds");
}

static const char *or_dash(double number, int digits, char text[16]) {
    if (isfinite(number))
        snprintf(text, 16, "%.*f", digits, number);
    else
        snprintf(text, 16, "-");
    return text;
}

static void report_row(Report *report, const VerifyOptions *o, const Row *row, const Result *r) {
    const Case *c = verify_case(row->problem);
    char name[96], own[16], bound[16], error[16];
    verify_name(row, name);
    for (int i = 0; c->value[i].name; i++) {
        const Reference *ref = verify_reference(row->problem, c->value[i].name);
        const bool bounded = row->bound[i] > 0, worse = verify_is_worse(row, r, i);
        report->values++;
        report->worse += worse;
        report->unbounded += !bounded;
        if (prints_table(o))
            printf("%-54s %-8s %6d %5d %12.5g %12.5g %8s %7s | %7s %7d %7.2f%s%s%s\n", name,
                   c->value[i].name, r->frames, r->dof, r->value[i], ref->value,
                   or_dash(r->error[i], 2, error), or_dash(bounded ? row->bound[i] : NAN, 2, bound),
                   or_dash(100 * ref->error, 3, own), ref->dof, r->seconds, worse ? "  FAILED" : "",
                   r->reason[0] ? ": " : "", r->reason);
        if (o->csv)
            put_csv(&report->csv, row, c->value[i].name, r, i, ref);
        if (o->json)
            put_json(&report->writer, row, c->value[i].name, r, i, ref);
    }
    fflush(stdout);
}

static bool open_report(Report *report, const VerifyOptions *o, swError *error) {
    if (o->csv &&
        !(cli_output_prepare(o->csv, error) && cli_output_open(&report->csv, o->csv, error)))
        return false;
    if (o->json &&
        !(cli_output_prepare(o->json, error) && cli_output_open(&report->json, o->json, error)))
        return false;
    if (o->csv)
        sw_file_print(
            &report->csv,
            "case,value,frame,weights,asked,relax,frames,dof,ours,reference,error_percent,"
            "bound_percent,reference_error_percent,reference_dof,seconds,origin\n");
    report->writer = (swJsonWriter){.file = &report->json, .indent = 2};
    if (o->json)
        sw_json_begin(&report->writer, NULL, '[');
    return true;
}

static bool run_rows(Report *report, const VerifyOptions *o, swError *error) {
    bool ok = open_report(report, o, error);
    if (ok && prints_table(o))
        print_head();
    for (int i = 0; ok && verify_row(i); i++) {
        const Row *row = verify_row(i);
        Result result;
        if (!is_chosen(o, row))
            continue;
        char name[96];
        cli_progress("%s", verify_name(row, name));
        ok = verify_run(row, o->refine, &result, error);
        cli_progress(NULL);
        if (ok) {
            report_row(report, o, row, &result);
            report->seconds += result.seconds;
        }
    }
    if (o->json && ok)
        sw_json_end(&report->writer);
    ok = ok && (!o->csv || cli_output_close(&report->csv, error)) &&
         (!o->json || cli_output_close(&report->json, error));
    if (!ok) {
        cli_output_abandon(&report->csv);
        cli_output_abandon(&report->json);
    }
    return ok;
}

// ---- the command ----

static int summarise(const Report *report, const VerifyOptions *o) {
    if (prints_table(o))
        printf("\n%d values in %.1f s, %d beyond their bounds, %d without a bound\n",
               report->values, report->seconds, report->worse, report->unbounded);
    if (report->worse)
        cli_say("%d of %d values are beyond their bounds", report->worse, report->values);
    return report->worse ? CLI_FAILED : CLI_OK;
}

int cmd_verify(int argc, char **argv) {
    VerifyOptions o = {.refine = 1};
    int status;
    const Option options[] = {
        {"list", NULL, OPTION_FLAG, &o.list, .help = "only print the names of the rows"},
        {"write", "DIR", OPTION_TEXT, &o.write,
         .help = "only write the scenes of the rows as DIR/NAME.json, for sinew run"},
        {"csv", "FILE", OPTION_TEXT, &o.csv, .help = "write the table as CSV"},
        {"json", "FILE", OPTION_TEXT, &o.json, .help = "write the table as JSON"},
        {"refine", "N", OPTION_INT, &o.refine, .lo = 1, .hi = 4,
         .help = "use N times as many voxels along each side, N^2 times as many\n"
                 "integration points and time steps N times shorter: the errors should\n"
                 "stay the same"},
    };
    const Usage usage = {
        "verify",
        "[PATTERN] [options]",
        "Solves problems whose results are known from finite elements or closed forms, with a few\n"
        "frames each, and prints the results, their errors, and the bounds on these. PATTERN\n"
        "selects rows that have it in their names. Exit status 1 if an error exceeds its bound.\n",
        "a part of a name",
        options,
        SW_COUNT(options),
        "  sinew verify torsion\n"
        "  sinew verify cantilever-neo-hookean-g0.5 --refine 2\n"
        "  sinew verify --write scenes t-bend-80\n",
    };
    if (!cli_options(&usage, argc, argv, &o.pattern, &status))
        return status;
    if (o.csv && sw_text_equal(o.csv, o.json))
        return cli_usage("verify", "%s: asked for twice", o.csv);
    if (!any_chosen(&o))
        return cli_usage("verify", "expected a part of a name that --list prints, found \"%s\"",
                         o.pattern);
    if (o.list) {
        list_rows(&o);
        return CLI_OK;
    }
    swError error = {0};
    Report report = {0};
    const bool ok = o.write ? write_rows(&o, &error) : run_rows(&report, &o, &error);
    if (!ok)
        return cli_fail(&error);
    return o.write ? CLI_OK : summarise(&report, &o);
}
