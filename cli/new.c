// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew new: writes a scene with all defaults written out.
#include "character.h"

int cmd_new(int argc, char **argv) {
    const char *input, *output = "-";
    CharacterOptions character = {.follow = NAN};
    int status;
    const Option options[] = {
        {"o", "FILE", OPTION_TEXT, &output,
         .help = "the scene to write (default: standard output)"},
        CHARACTER_OPTIONS(&character),
    };
    const Usage usage = {
        "new",
        "FILE [-o SCENE] [options]",
        "Writes a scene to edit, with every key and its default. FILE is a surface mesh (.obj,\n"
        ".ply, .stl, .off, .gltf, .glb), a tetrahedral mesh (.msh, .node, .ele, .veg, .vtk, .vtu,\n"
        ".mesh) or a volume (.nii, .nii.gz, .nrrd, .mha, .mhd, or a picture: .png, .ppm, .bmp),\n"
        "which falls onto a plane; a character (.glb, .gltf) or motion capture (.bvh); or a scene\n"
        "to complete.\n",
        "a mesh, a tetrahedral mesh, a volume, a character or a scene",
        options,
        SW_COUNT(options),
        "  sinew new bunny.obj -o bunny.json     then edit bunny.json\n"
        "  sinew run bunny.json -o out/bunny.glb\n"
        "  sinew new knee.nrrd -o knee.json      then assign materials to its labels\n",
    };
    if (!cli_options(&usage, argc, argv, &input, &status))
        return status;
    InputKind kind = cli_input_kind(input);
    if (kind == INPUT_MODEL || kind == INPUT_STATE || kind == INPUT_RECORDING)
        return cli_usage("new", "%s: a saved %s holds no scene", input,
                         kind == INPUT_MODEL   ? "model"
                         : kind == INPUT_STATE ? "state"
                                               : "recording");
    swError error;
    swConfig config = cli_config(1, false);
    swScene *scene = character_read(input, &character, &config, &error);
    bool ok = scene && cli_output_prepare(output, &error) && sw_scene_write(scene, output, &error);
    sw_scene_destroy(scene);
    return ok ? CLI_OK : cli_fail(&error);
}
