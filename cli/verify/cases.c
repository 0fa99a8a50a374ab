// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The tables of sinew verify: known results, problems, and the rows with their bounds.
#include "verify/verify.h"

#include <string.h>

static const Reference references[] = {
#include "verify/reference.inl"
};

static const Row rows[] = {
#include "verify/rows.inl"
#include "verify/tets.inl"
};

const char *const verify_relax_names[RELAXES] = {"relaxed", "locked", "corrected"};
const char *const verify_node_names[NODES] = {"rigid",     "dual",  "affine",
                                              "quadratic", "tets1", "tets2"};

// ---- values to read ----

static const Value of_pulled[] = {
    {"end.x", READ_STRAIN, NULL, 0}, {"energy", READ_ENERGY, NULL, 0}, {0}};
static const Value of_squeezed[] = {
    {"force.x", READ_FORCE, "end", 0}, {"energy", READ_ENERGY, NULL, 0}, {0}};
static const Value of_sheared[] = {{"force.x", READ_FORCE, "top", 0},
                                   {"force.y", READ_FORCE, "top", 1},
                                   {"energy", READ_ENERGY, NULL, 0},
                                   {0}};
static const Value of_tip_y[] = {
    {"tip.y", READ_PROBE, "tip", 1}, {"energy", READ_ENERGY, NULL, 0}, {0}};
static const Value of_end_x[] = {
    {"end.x", READ_PROBE, "tip", 0}, {"energy", READ_ENERGY, NULL, 0}, {0}};
static const Value of_release[] = {{"low1", READ_LOW, NULL, 0},
                                   {"low2", READ_LOW, NULL, 1},
                                   {"period", READ_PERIOD, NULL, 0},
                                   {0}};
static const Value of_drift[] = {{"drift", READ_DRIFT, NULL, 0}, {0}};
static const Value of_torsion[] = {{"torque.x", READ_TORQUE, "end", 0},
                                   {"force.x", READ_FORCE, "end", 0},
                                   {"energy", READ_ENERGY, NULL, 0},
                                   {0}};
static const Value of_plate[] = {
    {"line", READ_LINE, NULL, 0}, {"energy", READ_ENERGY, NULL, 0}, {0}};
static const Value of_cook[] = {
    {"corner.y", READ_PROBE, "corner", 1}, {"energy", READ_ENERGY, NULL, 0}, {0}};
static const Value of_t_z[] = {
    {"right.z", READ_PROBE, "right", 2}, {"energy", READ_ENERGY, NULL, 0}, {0}};
static const Value of_t_x[] = {
    {"right.x", READ_PROBE, "right", 0}, {"energy", READ_ENERGY, NULL, 0}, {0}};

static const Value of_modal_bar[] = {
    {"bend1", READ_MODE, "bend", 0},   {"bend2", READ_MODE, "bend", 1},
    {"bend3", READ_MODE, "bend", 2},   {"torsion1", READ_MODE, "torsion", 0},
    {"axial1", READ_MODE, "axial", 0}, {0}};
static const Value of_modal[] = {{"f1", READ_MODE, NULL, 0},
                                 {"f2", READ_MODE, NULL, 1},
                                 {"f3", READ_MODE, NULL, 2},
                                 {"f4", READ_MODE, NULL, 3},
                                 {"f5", READ_MODE, NULL, 4},
                                 {"f6", READ_MODE, NULL, 5},
                                 {0}};

// ---- problems: name, scene, law, Poisson's ratio, load, kind, integrator, values ----

#define NH "neo-hookean"
#define MR "mooney-rivlin"
// clang-format off
#define UNIAXIAL(law, nu, e) \
    {"uniaxial-" law "-nu" #nu "-e" #e, build_pulled, law, nu, e, 1, NULL, of_pulled}
#define SQUEEZED(law, nu, e) \
    {"uniaxial-" law "-nu" #nu "-e" #e, build_squeezed, law, nu, e, 0, NULL, of_squeezed}
#define SHORTER(kind, law, nu) \
    kind(law, nu, -0.2), kind(law, nu, -0.1), kind(law, nu, -0.05), kind(law, nu, -0.01), \
    kind(law, nu, -0.001)
#define LONGER(law, nu) \
    UNIAXIAL(law, nu, 0.001), UNIAXIAL(law, nu, 0.01), UNIAXIAL(law, nu, 0.05), \
    UNIAXIAL(law, nu, 0.1), UNIAXIAL(law, nu, 0.2), UNIAXIAL(law, nu, 0.3), \
    UNIAXIAL(law, nu, 0.4), UNIAXIAL(law, nu, 0.5), UNIAXIAL(law, nu, 0.75), UNIAXIAL(law, nu, 1)
#define MOONEY(name, axes, s) \
    {"mooney-" name "-" #s, build_pulled, MR, 0.3, 5e5, axes, NULL, of_pulled}
#define STIFFER(name, axes, s) \
    {"mooney-k5e6-" name "-" #s, build_pulled, MR, 0.3, 5e6, axes, NULL, of_pulled}
#define SHEAR(gamma) {"mooney-shear-" #gamma, build_sheared, MR, 0.3, gamma, 0, NULL, of_sheared}
#define CANTILEVER(law, g) \
    {"cantilever-" law "-g" #g, build_cantilever, law, 0.3, g, 0, NULL, of_tip_y}
#define TRACTION(law, t) {"traction-" law "-" #t, build_tip_traction, law, 0.3, t, 0, NULL, of_tip_y}
#define INCOMPRESSIBLE(nu, g) \
    {"incompressible-nu" #nu "-g" #g, build_cantilever, NH, nu, g, 0, NULL, of_tip_y}
#define POISSON(nu) {"poisson-nu" #nu, build_cantilever, NH, nu, 0.01, 0, NULL, of_tip_y}
#define RELEASE(g, integrator) \
    {"release-g" #g "-" integrator, build_release, NH, 0.3, g, 0, integrator, of_release}
#define TORSION(angle) {"torsion-" #angle, build_torsion, NH, 0.3, angle, 0, NULL, of_torsion}
#define PLATE(name, kind, t) \
    {"plate-" name "-" #t, build_plate, NH, 0.3, t, kind, NULL, of_plate}, \
    {"plate-" name "-stvk-" #t, build_plate, "stvk", 0.3, t, kind, NULL, of_plate}
#define LAYERS(n, law, nu, t) \
    {"layers" #n "-" law "-nu" #nu "-" #t, build_layers, law, nu, t, n, NULL, of_end_x}
#define LOADED(n, law, nu) \
    LAYERS(n, law, nu, 100), LAYERS(n, law, nu, 500), LAYERS(n, law, nu, 3000)
#define CONTRAST(ratio) {"contrast-" #ratio, build_contrast, NH, 0, ratio, 0, NULL, of_end_x}
#define COOK(nu, t) \
    {"cook-nu" #nu "-" #t, build_cook, NH, nu, t, COOK_FREE, NULL, of_cook}, \
    {"cook-plane-nu" #nu "-" #t, build_cook, NH, nu, t, COOK_PLANE, NULL, of_cook}
#define TWIST(force) \
    {"t-twist-" #force, build_t, NH, 0.3, force, 2, NULL, of_t_z}, \
    {"t-twist-stvk-" #force, build_t, "stvk", 0.3, force, 2, NULL, of_t_z}
#define BEND(force) \
    {"t-bend-" #force, build_t, NH, 0.3, force, 0, NULL, of_t_x}, \
    {"t-bend-stvk-" #force, build_t, "stvk", 0.3, force, 0, NULL, of_t_x}
#define MODAL(name, kind, held, values) \
    {"modal-" name, build_modal, NH, 0.3, held, kind, NULL, values}

static const Case cases[] = {
    SQUEEZED(NH, 0, -0.4), SQUEEZED(NH, 0, -0.3), SQUEEZED("stvk", 0, -0.4),
    SQUEEZED("stvk", 0, -0.3), SHORTER(SQUEEZED, NH, 0), LONGER(NH, 0), SHORTER(UNIAXIAL, NH, 0.3), LONGER(NH, 0.3),
    SHORTER(SQUEEZED, "stvk", 0), LONGER("stvk", 0), SHORTER(UNIAXIAL, "stvk", 0.3),
    LONGER("stvk", 0.3),
    MOONEY("uniaxial", 1, 1.2), MOONEY("uniaxial", 1, 2), MOONEY("uniaxial", 1, 3),
    MOONEY("biaxial", 2, 1.1), MOONEY("biaxial", 2, 1.5), STIFFER("uniaxial", 1, 1.2),
    STIFFER("uniaxial", 1, 2), STIFFER("uniaxial", 1, 3), STIFFER("biaxial", 2, 1.1),
    STIFFER("biaxial", 2, 1.5), MOONEY("volume", 3, 0.8), MOONEY("volume", 3, 0.9),
    MOONEY("volume", 3, 1.1),
    SHEAR(0.5), SHEAR(1),
    CANTILEVER(NH, 0.01), CANTILEVER(NH, 0.1), CANTILEVER(NH, 0.5), CANTILEVER(NH, 2),
    CANTILEVER(NH, 9.81),
    CANTILEVER("stvk", 0.01), CANTILEVER("stvk", 0.1), CANTILEVER("stvk", 0.5),
    TRACTION(NH, 0.5), TRACTION(NH, 5), TRACTION(NH, 50), TRACTION(NH, 250),
    TRACTION("stvk", 0.5), TRACTION("stvk", 5), TRACTION("stvk", 50), TRACTION("stvk", 250),
    POISSON(0), POISSON(0.3), POISSON(0.45), POISSON(0.49), POISSON(0.499),
    INCOMPRESSIBLE(0.49, 0.01), INCOMPRESSIBLE(0.49, 0.1), INCOMPRESSIBLE(0.49, 0.5),
    INCOMPRESSIBLE(0.49, 2), INCOMPRESSIBLE(0.499, 0.01), INCOMPRESSIBLE(0.499, 0.1),
    INCOMPRESSIBLE(0.499, 0.5), INCOMPRESSIBLE(0.499, 2),
    RELEASE(2, "midpoint"), RELEASE(2, "bdf2"), RELEASE(0.1, "midpoint"), RELEASE(0.1, "bdf2"),
    {"release-energy", build_release, NH, 0.3, 2, 0, "midpoint", of_drift},
    TORSION(1), TORSION(45), TORSION(90), TORSION(135),
    PLATE("uniform", PLATE_UNIFORM, 1500), PLATE("uniform", PLATE_UNIFORM, 25000),
    PLATE("uniform", PLATE_UNIFORM, 45000), PLATE("gradient", PLATE_GRADIENT, 4000),
    PLATE("gradient", PLATE_GRADIENT, 50000), PLATE("gradient", PLATE_GRADIENT, 70000),
    PLATE("gradient", PLATE_GRADIENT, 100000), PLATE("band", PLATE_BAND, 1500),
    PLATE("band", PLATE_BAND, 25000), PLATE("band", PLATE_BAND, 45000),
    PLATE("block", PLATE_BLOCK, 1500), PLATE("block", PLATE_BLOCK, 25000),
    PLATE("block", PLATE_BLOCK, 45000),
    LOADED(2, NH, 0), LOADED(2, NH, 0.3), LOADED(3, NH, 0), LOADED(3, NH, 0.3),
    LOADED(2, "stvk", 0), LOADED(2, "stvk", 0.3), LOADED(3, "stvk", 0), LOADED(3, "stvk", 0.3),
    CONTRAST(1), CONTRAST(10), CONTRAST(100), CONTRAST(1000), CONTRAST(10000),
    COOK(0.3, 0.625), COOK(0.3, 6.25), COOK(0.4999, 0.625), COOK(0.4999, 6.25),
    TWIST(1), TWIST(10), TWIST(30), TWIST(45), TWIST(65),
    BEND(1), BEND(10), BEND(25), BEND(50), BEND(80),
    MODAL("bar-free", MODAL_BAR, 0, of_modal_bar), MODAL("bar-clamped", MODAL_BAR, 1, of_modal_bar),
    MODAL("l-free", MODAL_L, 0, of_modal), MODAL("l-clamped", MODAL_L, 1, of_modal),
    MODAL("t-free", MODAL_T, 0, of_modal), MODAL("t-clamped", MODAL_T, 1, of_modal),
};
// clang-format on

// ---- lookup ----

const Row *verify_row(int index) { return index < SW_COUNT(rows) ? &rows[index] : NULL; }

const Case *verify_case(const char *name) {
    for (int i = 0; i < SW_COUNT(cases); i++)
        if (strcmp(cases[i].name, name) == 0)
            return &cases[i];
    return NULL;
}

const Reference *verify_reference(const char *problem, const char *value) {
    const size_t n = strlen(problem);
    for (int i = 0; i < SW_COUNT(references); i++) {
        const char *name = references[i].name;
        if (strncmp(name, problem, n) == 0 && name[n] == '/' && strcmp(name + n + 1, value) == 0)
            return &references[i];
    }
    return NULL;
}

const char *verify_name(const Row *row, char text[96]) {
    const Variant *v = &row->variant;
    snprintf(text, 96, "%s-%s-%s-%d%s%s", row->problem, verify_node_names[v->node], v->weights,
             v->frames, v->relax == RELAXED ? "" : "-",
             v->relax == RELAXED ? "" : verify_relax_names[v->relax]);
    return text;
}
