// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew info: describes a file and what sinew makes of it.
#include "inspect/info.h"

#include "estimate.h"
#include "cache/cache.h"
#include "geometry/surface.h"
#include "inspect/inspect.h"
#include "output/recording.h"
#include "material/law.h"
#include "core/json.h"
#include "world/world.h"

#include <string.h>

typedef struct Info {
    const char *path, *json;
    int threads;
    bool brief, estimate, estimate_large, no_cache;
    InputKind kind;
    swArena arena;
    swScene *scene; // NULL for a saved model
    swModel *model;
    double open_seconds;
    bool cached;                         // the model came from the cache
    double step_seconds, newton_seconds; // measured; 0: could not be measured
    int measured;                        // number of timed steps
    swSolverInfo solver;
    ImageFacts image; // of a volume
    RigFacts rig;     // of a character
    TetsFacts tets;   // of a mesh of tetrahedra
    InspectOptions inspect;
} Info;

typedef struct BodyFacts {
    swSurfaceFacts surface;
    int frames, handles, points, springs, contacts, samples;
    const swParticleInfo *particles; // or NULL
    const swSpringBody *net;         // of masses and springs, or NULL
    const swReducedInfo *modes;      // or NULL
    const char *kind;                // of its frames
} BodyFacts;

static const char *const kinds[] = {"scene", "mesh",  "mesh of tetrahedra", "volume",
                                    "model", "state", "recording"};

// ---- gathering ----

// Facts about the surface at rest: a mesh as it was read, other shapes as they were contoured.
static bool surface_facts(Info *info, int body, swSurfaceFacts *facts, swError *error) {
    const swModel *m = info->model;
    swSurface s = {.nvertex = sw_body_vertex_count(m, body),
                   .ntriangle = sw_body_triangle_count(m, body),
                   .X = sw_model_body(m, body)->point};
    s.triangle = SW_NEW(&info->arena, 3 * (size_t)s.ntriangle, int, error);
    if (!s.triangle)
        return false;
    sw_body_triangles(m, body, s.triangle);
    return sw_surface_facts(&s, facts, &info->arena, error);
}

static bool body_facts(Info *info, int body, BodyFacts *f, swError *error) {
    static const char *const names[] = {"point", "rigid", "affine", "quadratic"};
    const swBodyModel *m = sw_model_body(info->model, body);
    const int net = m->body[0].net;
    *f = (BodyFacts){.kind = "",
                     .handles = (int)m->size.nhandle,
                     .contacts = (int)m->size.ncontact,
                     .springs = (int)m->size.nlink,
                     .particles = m->size.nparticle > 0 ? &m->particle[0] : NULL,
                     .net = m->size.nspring_body > 0 ? &m->spring_body[0] : NULL,
                     .modes = m->size.nreduced > 0 ? &m->reduced[0] : NULL};
    for (int64_t i = net; i < m->size.nnode; i++)
        if (m->node[i].handle < 0 && m->node[i].kind != SW_NODE_MODES) {
            f->frames++;
            const char *kind = names[m->node[i].kind];
            f->kind = f->frames > 1 && f->kind != kind ? "mixed" : kind;
        }
    for (int64_t i = 0; i < m->size.nsample; i++)
        f->points += m->sample_volume[i] > 0;
    for (int i = 0; f->particles && i < net; i++)
        f->samples += sw_node_is_carried(&m->node[i]);
    return surface_facts(info, body, &f->surface, error);
}

// Times a few steps, also for static scenes, as their Newton iterations cost the same.
static bool measure(Info *info, swError *error) {
    swState *state = sw_state_create(info->model, error);
    if (!state)
        return false;
    info->solver = sw_state_solver(state);
    const double start = sw_seconds();
    while (info->measured < 20 && sw_seconds() - start < 0.3 &&
           sw_step(info->model, state) == SW_OK)
        info->measured++;
    swProfile p = sw_state_profile(state);
    if (info->measured > 0)
        info->step_seconds = p.total / (double)p.steps;
    if (p.iterations > 0)
        info->newton_seconds = p.total / (double)p.iterations;
    sw_state_destroy(state);
    return true;
}

static bool open_model(Info *info, swError *error) {
    const swConfig config = cli_config(info->threads, false);
    const double start = sw_seconds();
    if (info->kind == INPUT_MODEL)
        info->model = sw_model_load(info->path, &config, error);
    else {
        info->scene = sw_scene_read(info->path, &config, error);
        if (info->scene)
            estimate_ask(info->scene, info->estimate, info->estimate_large);
        info->model =
            info->scene ? cache_compile(info->scene, info->no_cache, &info->cached, error) : NULL;
        if (!info->model && !error->path[0])
            snprintf(error->path, sizeof error->path, "%s", info->path);
    }
    info->open_seconds = sw_seconds() - start;
    return info->model != NULL;
}

// ---- as text ----

static const char *motion_name(int motion) {
    return motion == SW_MOTION_FREE    ? "free"
           : motion == SW_MOTION_FIXED ? "fixed"
                                       : "moved by keys";
}

static void print_modes(const swBodyModel *m, const swReducedInfo *r) {
    printf("  modes      %d, from %d vibration%s, %.3g to %.3g Hz; ", m->node[r->node].nu,
           r->vibrations, r->vibrations == 1 ? "" : "s", r->frequency[0], r->frequency[1]);
    if (r->points == 0)
        printf("elastic forces are polynomials\n");
    else
        printf("elastic forces from %d points, off by %.2g %% at other poses\n", r->points,
               100 * r->error);
}

// How strains that frames lack are provided: "corrected", "relaxed" or "none".
static const char *strains_name(const swBodyModel *m) {
    return m->body[0].strains == SW_STRAINS_CORRECTED ? "corrected"
           : m->size.nzone > 0                        ? "relaxed"
                                                      : "none";
}

static void print_strains(const swBodyModel *m, const BodyFacts *f) {
    const swCorrection own = (swCorrection)m->body[0].strains;
    if (own == SW_STRAINS_CORRECTED)
        printf("  strains    corrected, with %d amplitudes\n", m->node[f->modes->node].nu);
    else if (own != SW_STRAINS_OTHER)
        printf("  strains    %s, not corrected: %s\n",
               m->size.nzone > 0 ? "relaxed" : "those of the frames alone", sw_strains_reason(own));
}

static void print_net(const swSpringBody *net) {
    printf("  springs    %d", net->nspring);
    if (net->ncell > 0)
        printf(", and %d cells with a volume term", net->ncell);
    if (net->pressure != 0 || net->gas)
        printf("; %g Pa in %.4g m^3%s", net->pressure, net->volume, net->gas ? " of gas" : "");
    printf("\n");
}

// The mean number of shape functions that are not zero at a Gauss point, and the memory that a body
// of particles takes [bytes].
static double near_count(const swBodyModel *m, const swParticleInfo *p, double *bytes) {
    double near = 0;
    for (int64_t g = p->gauss; g < p->gauss + p->ngauss; g++)
        near += m->gauss[g].count;
    *bytes = near * (4 * sizeof *m->gauss_shape + sizeof *m->gauss_node) +
             (double)p->ngauss * sizeof *m->gauss;
    return near / (double)p->ngauss;
}

static void print_particles(const swBodyModel *m, const BodyFacts *f) {
    double bytes;
    const double near = near_count(m, f->particles, &bytes);
    printf("  particles  %d, of which handles hold %d as samples; rotations by %s\n",
           m->body[0].net, f->samples,
           f->particles->rotations == SW_ROTATIONS_POLAR ? "polar decomposition" : "diffusion");
    printf("  Gauss      %lld points, each in the support of %.1f particles; %.3g MB\n",
           (long long)f->particles->ngauss, near, 1e-6 * bytes);
}

static void print_body(const Info *info, int body, const BodyFacts *f) {
    const swBodyModel *m = sw_model_body(info->model, body);
    const swBodyInfo *b = &m->body[0];
    const swSurfaceFacts *s = &f->surface;
    char defects[256];
    printf("\nbody \"%s\"\n", sw_body_name(info->model, body));
    printf("  size       %.4g x %.4g x %.4g m, from (%.4g, %.4g, %.4g) at rest\n",
           b->hi.x - b->lo.x, b->hi.y - b->lo.y, b->hi.z - b->lo.z, b->lo.x, b->lo.y, b->lo.z);
    printf("  volume     %.4g m^3, %.4g kg\n", b->volume, b->mass);
    printf("  voxels     %d of %.4g m\n", b->nvoxel, b->voxel);
    printf("  surface    %d vertices, %d triangles in %d part%s, %s", b->npoint, b->ntriangle,
           s->components, s->components == 1 ? "" : "s", s->closed ? "closed" : "not closed");
    sw_surface_defects(s, defects, sizeof defects);
    printf("%s%s\n", *defects ? ": " : "", defects);
    if (b->net > 0)
        printf("  net        %d vertices\n", b->net);
    else if (!f->modes || b->strains == SW_STRAINS_CORRECTED)
        printf("  frames     %d%s%s\n", f->frames, *f->kind ? " " : "", f->kind);
    for (int64_t i = 0; i < m->size.nhandle; i++)
        printf("  handle     %s, %s\n", sw_body_text(m, m->handle[i].name),
               motion_name(m->handle[i].motion));
    printf("  points     %d for integration, %d for contact\n", f->points, f->contacts);
    print_strains(m, f);
    if (f->modes && b->strains != SW_STRAINS_CORRECTED)
        print_modes(m, f->modes);
    if (f->springs > 0)
        printf("  springs    %d, %s\n", f->springs,
               b->precomputed ? "instead of integration points" : "beams between handles");
    if (f->net)
        print_net(f->net);
    if (f->particles)
        print_particles(m, f);
    estimate_print(info->model, body, "  error      ");
    estimate_print_probes(info->model, body, "             ");
}

static swReal poisson(const swMaterialInfo *m) { // from Lame's parameters
    return m->lame[1] / (2 * (m->lame[0] + m->lame[1]));
}

static void print_speed(const Info *info, const swModelInfo *i) {
    if (i->analysis != SW_ANALYSIS_DYNAMIC && info->newton_seconds > 0)
        printf("expected     %.3g ms per Newton iteration, on %d thread%s\n",
               1e3 * info->newton_seconds, info->threads, info->threads == 1 ? "" : "s");
    else if (info->measured > 0)
        printf("expected     %.0f us per step, %.3g x real time: measured over the first %d step%s "
               "on %d thread%s\n",
               1e6 * info->step_seconds, i->step / info->step_seconds, info->measured,
               info->measured == 1 ? "" : "s", info->threads, info->threads == 1 ? "" : "s");
    else
        printf("expected     no motion: the first step fails\n");
}

static void print_settings(const swModel *m, const swModelInfo *i) {
    if (i->analysis == SW_ANALYSIS_STATIC)
        printf("analysis     static\n");
    else if (i->analysis == SW_ANALYSIS_MODAL)
        printf("analysis     modal: %d vibrations of each body about %s\n", i->modes,
               i->about == SW_ABOUT_REST ? "rest" : "equilibrium under the loads");
    else
        printf("analysis     dynamic: %.0f steps of %g s, to t = %g s, by %s\n",
               ceil(i->end / i->step - 1e-6), i->step, i->end, i->integrator);
    if (i->direct)
        printf("stable step  %.4g s at most, from the fastest vibration at the start\n",
               sw_stable_step(m, NULL));
    printf("gravity      %g, %g, %g m/s^2\n", m->settings.gravity.x, m->settings.gravity.y,
           m->settings.gravity.z);
    printf("scene        %d collider%s, %d probe%s\n", (int)m->size.ncollider,
           m->size.ncollider == 1 ? "" : "s", i->probes, i->probes == 1 ? "" : "s");
}

static const char *const solver_names[] = {
    [SW_LINEAR_DENSE] = "dense", [SW_LINEAR_SPARSE] = "sparse", [SW_LINEAR_CG] = "cg"};

static bool print_model(Info *info, swError *error) {
    const swModel *m = info->model;
    const swModelInfo i = sw_model_info(m);
    printf("%s: a %s%s%s\n", info->path, kinds[info->kind], *i.title ? ": " : "", i.title);
    print_settings(m, &i);
    for (int body = 0; body < i.bodies; body++) {
        BodyFacts facts;
        if (!body_facts(info, body, &facts, error))
            return false;
        print_body(info, body, &facts);
    }
    printf("\n");
    const swBodyModel *first = sw_model_body(m, 0); // every body has all materials
    for (int64_t k = 0; k < first->size.nmaterial; k++) {
        const swMaterialInfo *material = &first->material[k];
        printf("material     %s: %s, young %g Pa, poisson %.4g, density %g kg/m^3\n",
               sw_body_text(first, material->name), sw_law_name(material->law), material->young,
               poisson(material), material->density);
    }
    printf("model        %d degrees of freedom, %d frames, %d integration points, %d voxels, "
           "%.3g MB, %s in %.2g s\n",
           i.dof, i.frames, i.points, i.voxels, 1e-6 * (double)i.memory,
           info->kind == INPUT_MODEL ? "loaded"
           : info->cached            ? "taken from the cache"
                                     : "compiled",
           info->open_seconds);
    printf(
        "solver       %s: %.0f entries in the matrix, %.0f in its factors; %.3g MB for a state\n",
        solver_names[info->solver.linear], info->solver.matrix, info->solver.factors,
        1e-6 * (double)info->solver.memory);
    print_speed(info, &i);
    if (!info->scene || info->brief)
        return true;
    printf("\nThe scene as it is simulated, with all defaults:\n\n");
    fflush(stdout);
    return sw_scene_write(info->scene, "-", error);
}

// ---- as JSON ----

static void put_surface(swJsonWriter *w, const swModel *m, int body, const swSurfaceFacts *s) {
    sw_json_begin_line(w, "surface", '{');
    sw_json_put_int(w, "vertices", sw_body_vertex_count(m, body));
    sw_json_put_int(w, "triangles", sw_body_triangle_count(m, body));
    sw_json_put_int(w, "parts", s->components);
    sw_json_put_bool(w, "closed", s->closed);
    sw_json_put_int(w, "boundary_edges", s->boundary_edges);
    sw_json_put_int(w, "nonmanifold_edges", s->nonmanifold_edges);
    sw_json_put_int(w, "flipped_edges", s->flipped_edges);
    sw_json_put_int(w, "duplicate_triangles", s->duplicate_triangles);
    sw_json_put_int(w, "degenerate_triangles", s->degenerate_triangles);
    sw_json_put_number(w, "area", s->area);
    sw_json_put_number(w, "volume", s->volume);
    sw_json_end(w);
}

static void put_body(swJsonWriter *w, const swModel *m, int body, const BodyFacts *f) {
    const swBodyModel *own = sw_model_body(m, body);
    const swBodyInfo *b = &own->body[0];
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "name", sw_body_name(m, body));
    sw_json_put_vector(w, "lo", b->lo);
    sw_json_put_vector(w, "hi", b->hi);
    sw_json_put_number(w, "volume", b->volume);
    sw_json_put_number(w, "mass", b->mass);
    sw_json_put_number(w, "voxel", b->voxel);
    sw_json_put_int(w, "voxels", b->nvoxel);
    put_surface(w, m, body, &f->surface);
    sw_json_put_int(w, "frames", f->frames);
    if (b->net > 0)
        sw_json_put_int(w, "vertices_of_net", b->net);
    if (b->strains != SW_STRAINS_OTHER)
        sw_json_put_text(w, "strains", strains_name(own));
    if (*sw_strains_reason((swCorrection)b->strains))
        sw_json_put_text(w, "not_corrected", sw_strains_reason((swCorrection)b->strains));
    sw_json_put_int(w, "handles", f->handles);
    sw_json_put_int(w, "points", f->points);
    if (b->precomputed || f->net)
        sw_json_put_int(w, "springs", f->net ? f->net->nspring : f->springs);
    if (f->particles) {
        double bytes;
        const double near = near_count(own, f->particles, &bytes);
        sw_json_put_int(w, "particles", b->net);
        sw_json_put_int(w, "samples", f->samples);
        sw_json_put_int(w, "gauss_points", (int)f->particles->ngauss);
        sw_json_put_number(w, "support", near);
    }
    sw_json_put_int(w, "contact_points", f->contacts);
    swEstimate e;
    if (sw_body_estimate(m, body, &e, NULL))
        estimate_put(m, body, &e, w);
    sw_json_end(w);
}

static void put_totals(swJsonWriter *w, const Info *info, const swModelInfo *i) {
    sw_json_begin_line(w, "model", '{');
    sw_json_put_int(w, "dof", i->dof);
    sw_json_put_int(w, "frames", i->frames);
    sw_json_put_int(w, "points", i->points);
    sw_json_put_int(w, "voxels", i->voxels);
    sw_json_put_int(w, "memory", (int64_t)i->memory);
    sw_json_end(w);
    sw_json_begin_line(w, "solver", '{');
    sw_json_put_text(w, "linear", solver_names[info->solver.linear]);
    sw_json_put_number(w, "matrix", info->solver.matrix);
    sw_json_put_number(w, "factors", info->solver.factors);
    sw_json_put_int(w, "state_memory", (int64_t)info->solver.memory);
    sw_json_end(w);
    sw_json_begin_line(w, "timing", '{');
    sw_json_put_number(w, "compile_s", info->open_seconds);
    sw_json_put_bool(w, "cached", info->cached);
    if (info->measured > 0)
        sw_json_put_number(w, "step_us", 1e6 * info->step_seconds);
    sw_json_end(w);
}

static bool write_json(Info *info, swError *error) {
    swFile file;
    const swModel *m = info->model;
    const swModelInfo i = sw_model_info(m);
    if (!cli_output_prepare(info->json, error) || !cli_output_open(&file, info->json, error))
        return false;
    swJsonWriter w = {.file = &file, .indent = 2};
    sw_json_begin(&w, NULL, '{');
    sw_json_put_text(&w, "file", info->path);
    sw_json_put_text(&w, "kind", kinds[info->kind]);
    sw_json_put_text(&w, "title", i.title);
    sw_json_put_text(&w, "analysis", cli_analysis_name(i.analysis));
    if (info->kind == INPUT_VOLUME)
        info_image_put(&info->image, &w);
    if (info->kind == INPUT_TETS)
        info_tets_put(&info->tets, &w);
    if (info->rig.found)
        info_rig_put(&info->rig, &w);
    sw_json_begin(&w, "bodies", '[');
    bool ok = true;
    for (int body = 0; ok && body < i.bodies; body++) {
        BodyFacts facts;
        ok = body_facts(info, body, &facts, error);
        if (ok)
            put_body(&w, m, body, &facts);
    }
    sw_json_end(&w);
    put_totals(&w, info, &i);
    sw_json_end(&w);
    if (!ok)
        cli_output_abandon(&file);
    return ok && cli_output_close(&file, error);
}

// ---- the command ----

static bool print_state(const char *path, swError *error) {
    swStateInfo state;
    if (!sw_state_peek(path, &state, error))
        return false;
    printf("%s: a saved state\n"
           "  time       %g s, after %lld steps\n"
           "  model      %016llx\n"
           "Continue from it with: sinew run SCENE --load %s\n",
           path, state.t, (long long)state.steps, (unsigned long long)state.model, path);
    return true;
}

static bool print_recording(const char *path, swError *error) {
    swRecording r;
    if (!sw_recording_load(&r, path, NULL, error))
        return false;
    const swModelInfo i = sw_model_info(r.model);
    const int n = sw_clip_count(&r.clip);
    const swReal from = sw_clip_time(&r.clip, 0), to = sw_clip_time(&r.clip, n - 1);
    printf("%s: a recording%s%s\n"
           "  motion     %d key%s from t = %g s to %g s, %s\n"
           "  model      %d bod%s, %d frames, %d points, %d vertices, %d triangles\n"
           "Show it with: sinew view %s\n",
           path, *i.title ? ": " : "", i.title, n, n == 1 ? "" : "s", from, to,
           cli_analysis_name(i.analysis), i.bodies, i.bodies == 1 ? "y" : "ies", i.frames, i.points,
           i.vertices, i.triangles, path);
    sw_recording_free(&r);
    return true;
}

static bool draw(Info *info, swError *error) {
    const swConfig config = cli_config(info->threads, false);
    if (info->kind == INPUT_MODEL || info->kind == INPUT_STATE || info->kind == INPUT_RECORDING)
        return sw_fail_at(error, SW_ERROR_VALUE, info->path, 0, 0,
                          "this file has no voxels: --picture needs the scene");
    info->scene = sw_scene_read(info->path, &config, error);
    if (!info->scene || !inspect_write(&info->inspect, info->scene, error))
        return false;
    printf("wrote %s\n", info->inspect.picture);
    return true;
}

static bool perform(Info *info, swError *error) {
    info->kind = cli_input_kind(info->path);
    if (info->inspect.picture)
        return draw(info, error);
    if (info->kind == INPUT_STATE)
        return print_state(info->path, error);
    if (info->kind == INPUT_RECORDING)
        return print_recording(info->path, error);
    if (info->kind == INPUT_VOLUME) {
        if (!info_image_read(&info->image, info->path, &info->arena, error))
            return false;
        if (!sw_text_equal(info->json, "-"))
            info_image_print(&info->image, info->path);
    }
    if (info->kind == INPUT_TETS) {
        const swConfig config = cli_config(info->threads, false);
        if (!info_tets_read(&info->tets, info->path, &config, &info->arena, error))
            return false;
        if (!sw_text_equal(info->json, "-")) {
            info_tets_print(&info->tets, info->path);
            printf("\n");
        }
    }
    if (info->kind == INPUT_MESH) {
        if (!info_rig_read(&info->rig, info->path, &info->arena, error))
            return false;
        if (info->rig.found && !sw_text_equal(info->json, "-"))
            info_rig_print(&info->rig, info->path);
    }
    if (!open_model(info, error) || !measure(info, error))
        return false;
    bool ok = !info->json || write_json(info, error);
    return ok && (sw_text_equal(info->json, "-") || print_model(info, error));
}

int cmd_info(int argc, char **argv) {
    Info info = {.threads = 1};
    InspectOptions *o = &info.inspect;
    int status;
    const Option options[] = {
        {"brief", NULL, OPTION_FLAG, &info.brief, .help = "do not print the scene"},
        {"estimate", NULL, OPTION_FLAG, &info.estimate,
         .help = "estimate the error of bodies under their weight and loads, by linear\n"
                 "theory"},
        {"estimate-large", NULL, OPTION_FLAG, &info.estimate_large,
         .help = "the same in equilibrium at large displacements (takes longer)"},
        {"json", "FILE", OPTION_TEXT, &info.json,
         .help = "write the facts as JSON; - for standard output"},
        {"threads", "N", OPTION_INT, &info.threads, 1, 256, .help = "worker threads (default 1)"},
        {"no-cache", NULL, OPTION_FLAG, &info.no_cache,
         .help = "always compile, and keep nothing in the cache"},
        {"picture", "FILE", OPTION_TEXT, &o->picture,
         .help = "instead, draw the inside of a body to this .png file"},
        {"of", "WHAT", OPTION_LIST, &o->of,
         .help = "what to draw; may be repeated to draw several pictures side by side:\n"
                 "weights        of all frames and handles, as mixed colours (default)\n"
                 "weight:FRAME   of one frame (its number from 0) or handle (its name)\n"
                 "distance       to the nearest frame, as the weights measure it\n"
                 "material, stiffness, label   of the voxels\n"
                 "regions, points   of integration"},
        {"slice", "AXIS[=AT]", OPTION_TEXT, &o->slice,
         .help = "draw a slice across x, y or z, in the middle of the body or at a\n"
                 "place [m], as in z=0.01 (default: draw the surface)"},
        {"body", "NAME", OPTION_TEXT, &o->body, .help = "the body to draw (default: the first)"},
        {"size", "WxH", OPTION_SIZE, &o->size, 64, 4096,
         .help = "pixels of each picture (default 640x480)"},
        {"view", "X,Y,Z", OPTION_VEC3, &o->view, -1e6, 1e6,
         .help = "look at the surface from this direction (default 0.5,0.42,1)"},
    };
    const Usage usage = {
        "info",
        "FILE [options]",
        "Describes FILE (a scene, a mesh, a volume, a character with its bones and clips, a saved\n"
        "model or state, or a recording) and what sinew makes of it: sizes, labels, whether\n"
        "surfaces are closed, defects, quality of tetrahedra, frames, integration points, memory,\n"
        "measured speed, and the scene with all defaults written out.\n",
        "FILE: a scene, a mesh, a volume, a saved model or state, a recording",
        options,
        SW_COUNT(options),
        "  sinew info bunny.obj --brief\n"
        "  sinew info knee.nrrd --brief\n"
        "  sinew info examples/turtle.json\n"
        "  sinew info examples/beam.json --brief --estimate\n"
        "  sinew info examples/turtle.json --picture out/inside.png --of weight:2 --of regions "
        "--slice y\n",
    };
    if (!cli_options(&usage, argc, argv, &info.path, &status))
        return status;
    if (!o->picture && (o->of.count || o->slice || o->body || o->size[0] || sw_norm2(o->view) > 0))
        return cli_usage("info", "--of, --slice, --body, --size and --view need --picture");
    if (o->picture && (info.json || info.brief))
        return cli_usage("info", "--picture writes nothing else: leave out --json and --brief");
    swError error;
    sw_error_clear(&error);
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&info.arena, &allocator);
    status = perform(&info, &error) ? CLI_OK : cli_fail(&error);
    sw_model_destroy(info.model);
    sw_scene_destroy(info.scene);
    sw_arena_free(&info.arena);
    return status;
}
