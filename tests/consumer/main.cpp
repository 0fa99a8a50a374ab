// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <sinew/sinew.h>

#include <iostream>
#include <memory>

int main() {
    std::unique_ptr<swScene, decltype(&sw_scene_destroy)> scene(sw_scene_create(nullptr),
                                                                sw_scene_destroy);
    swError error;
    const char json[] = "{\"sinew\": 1, \"colour\": 2}";
    if (!scene || sw_scene_parse(json, sizeof json - 1, "wrong.json", nullptr, &error))
        return 1;
    char text[1024];
    std::cout << "sinew " << sw_version()
              << " from C++; the expected error: " << sw_error_text(&error, text, sizeof text)
              << "\n";
    return 0;
}
