// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "character.h"

#include "formats/rig_read.h"

swScene *character_read(const char *path, const CharacterOptions *o, const swConfig *config,
                        swError *error) {
    swCharacter wish = sw_default_character();
    if (!o->clip && o->soft.count == 0 && o->length == 0 && o->repeat == 0 && isnan(o->follow))
        return sw_scene_read(path, config, error);
    if (!sw_rig_format(path)) {
        sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0,
                   "--clip, --soft, --follow, --length and --repeat only apply to characters "
                   "(.glb, .gltf, .bvh); a scene sets them in its \"skeleton\"");
        return NULL;
    }
    wish.clip = o->clip;
    if (o->soft.count > 0) {
        const bool none = o->soft.count == 1 && sw_text_equal(o->soft.item[0], "none");
        wish.soft = o->soft.item;
        wish.nsoft = none ? 0 : o->soft.count;
    }
    wish.length = o->length > 0 ? o->length : wish.length;
    wish.follow = isnan(o->follow) ? wish.follow : o->follow;
    wish.repeat = o->repeat > 0 ? o->repeat : wish.repeat;
    return sw_scene_read_character(path, &wish, config, error);
}
