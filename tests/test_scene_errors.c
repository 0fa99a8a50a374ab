// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Scenes that are refused, and how.
#include "test_scene.h"

typedef struct Bad {
    const char *json;
    swStatus code;
    const char *message; // "LINE:COLUMN: " and the beginning of the message
} Bad;

static const Bad bad[] = {
    // not JSON
    {"", SW_ERROR_FORMAT, "1:1: expected a value, found the end of the text"},
    {" \n ", SW_ERROR_FORMAT, "2:2: expected a value, found the end of the text"},
    {"{", SW_ERROR_FORMAT, "1:2: expected a key in double quotes, found the end"},
    {"{'a'", SW_ERROR_FORMAT, "1:5: expected ':' after a key, found the end"},
    {"{'a' 1}", SW_ERROR_FORMAT, "1:6: expected ':' after a key, found 1"},
    {"{'a': 1,}", SW_ERROR_FORMAT, "1:9: expected a key in double quotes, found '}'"},
    {"{'a': 1 'b': 2}", SW_ERROR_FORMAT, "1:9: expected ',' or '}' after a member, found '\"'"},
    {"{'a': [1, 2,]}", SW_ERROR_FORMAT, "1:13: expected a value, found ']'"},
    {"[1 2]", SW_ERROR_FORMAT, "1:4: expected ',' or ']' after an item, found 2"},
    {"[1", SW_ERROR_FORMAT, "1:3: expected ',' or ']' after an item, found the end"},
    {"{a: 1}", SW_ERROR_FORMAT, "1:2: expected a key in double quotes, found a"},
    {"{'a': tru}", SW_ERROR_FORMAT, "1:7: expected a value, found tru"},
    {"{'a': truely}", SW_ERROR_FORMAT, "1:7: expected a value, found truely"},
    {"{'a': NaN}", SW_ERROR_FORMAT, "1:7: expected a value, found NaN"},
    {"{} {}", SW_ERROR_FORMAT, "1:4: expected the end of the text, found '{'"},
    {"// hello\n{}", SW_ERROR_FORMAT, "1:1: expected a value, found '/' (JSON has no comments)"},
    {"{\n # hello\n}", SW_ERROR_FORMAT,
     "2:2: expected a key in double quotes, found '#' (JSON has no comments)"},
    {"{'a': 'b", SW_ERROR_FORMAT, "1:9: expected the closing '\"' of a string, found the end"},
    {"{'a': 'b\n'}", SW_ERROR_FORMAT, "1:9: expected the closing '\"' of a string before the end"},
    {"{'a': 'b\t'}", SW_ERROR_FORMAT, "1:9: expected an escape (like \\t) for this character"},
    {"['\\x']", SW_ERROR_FORMAT, "1:4: expected one of \" \\ / b f n r t u after a backslash"},
    {"['\\u12g4']", SW_ERROR_FORMAT, "1:7: expected four hexadecimal digits after \\u, found g4"},
    {"['\\u0000']", SW_ERROR_FORMAT, "1:9: expected text without the character \\u0000"},
    {"['\\ud800']", SW_ERROR_FORMAT, "1:9: expected a pair of surrogates"},
    {"['\\ud800\\u0041']", SW_ERROR_FORMAT, "1:15: expected a low surrogate"},
    {"['\xff']", SW_ERROR_FORMAT, "1:3: expected UTF-8 text, found the byte 0xff"},
    {"['\xc0\x80']", SW_ERROR_FORMAT, "1:3: expected UTF-8 text, found the byte 0xc0"},
    {"['\xe2\x82']", SW_ERROR_FORMAT, "1:3: expected UTF-8 text, found the byte 0xe2"},
    {"['\xed\xa0\x80']", SW_ERROR_FORMAT, "1:3: expected UTF-8 text, found the byte 0xed"},
    {"['\xf4\x90\x80\x80']", SW_ERROR_FORMAT, "1:3: expected UTF-8 text, found the byte 0xf4"},
    {"['\xc3\xa4\xc3\xb6', x]", SW_ERROR_FORMAT, "1:8: expected a value, found x"},
    {"[01]", SW_ERROR_FORMAT, "1:2: expected a number without leading zeros, found 01"},
    {"[+1]", SW_ERROR_FORMAT, "1:2: expected a value, found '+'"},
    {"[-]", SW_ERROR_FORMAT, "1:3: expected a digit, found ']'"},
    {"[1.]", SW_ERROR_FORMAT, "1:4: expected a digit after the decimal point, found ']'"},
    {"[.5]", SW_ERROR_FORMAT, "1:2: expected a value, found '.'"},
    {"[1e]", SW_ERROR_FORMAT, "1:4: expected a digit in the exponent, found ']'"},
    {"[1f]", SW_ERROR_FORMAT, "1:3: expected the end of the number, found f"},
    {"[1e999]", SW_ERROR_FORMAT, "1:2: expected a number below 1.8e308, found 1e999"},
    {"{'a': 1, 'b': 2,\n 'a': 3}", SW_ERROR_FORMAT,
     "2:2: expected each key once, found \"a\" again (first on line 1)"},
    // not a scene
    {"[]", SW_ERROR_FORMAT, "1:1: expected an object with the keys of a scene, found a list of 0"},
    {"{}", SW_ERROR_FORMAT, "1:1: sinew: expected the version 1, found nothing"},
    {"{'sinew': 2, 'new': 1}", SW_ERROR_UNSUPPORTED,
     "1:11: sinew: expected the version 1, found 2"},
    {"{'sinew': '1'}", SW_ERROR_FORMAT, "1:11: sinew: expected the version 1, found \"1\""},
    {"{'sinew': 1}", SW_ERROR_VALUE,
     "1:1: bodies: expected a list of 1 to 100000 objects, found 0"},
    {"{'sinew': 1, 'bodies': []}", SW_ERROR_VALUE, "1:24: bodies: expected a list of 1 to 1000"},
    {"{'sinew': 1, 'bodies': {}}", SW_ERROR_FORMAT, "1:24: bodies: expected a list of 1 to 1000"},
    {"{'sinew': 1, 'bodies': [3]}", SW_ERROR_FORMAT,
     "1:25: bodies[0]: expected an object, found 3"},
    {"{'sinew': 1, 'bodies': [{}]}", SW_ERROR_VALUE,
     "1:25: bodies[0].shape: expected an object with one of \"box\", \"sphere\", \"capsule\", "
     "\"cylinder\", \"cone\", \"extrude\", \"mesh\", \"volume\", \"union\", found nothing"},
    // keys
    {SCENE(",\n 'gravitation': 1"), SW_ERROR_FORMAT,
     "2:2: gravitation: unknown key, did you mean \"gravity\"?"},
    {BODY(",\n\n  'frames': {'kond': 'affine'}"), SW_ERROR_FORMAT,
     "3:14: bodies[0].frames.kond: unknown key, did you mean \"kind\"?"},
    {SCENE(", 'a\\nb': 1"), SW_ERROR_FORMAT, ": a b: unknown key, expected one of \"sinew\""},
    {SCENE(", 'time': {'x-y-z-t': 1}"), SW_ERROR_FORMAT,
     "1:73: time.x-y-z-t: unknown key, expected one of \"step\", \"end\", \"integrator\""},
    {SCENE(", 'colliders': [{'plain': {}}]"), SW_ERROR_FORMAT,
     "1:79: colliders[0].plain: unknown key, did you mean \"plane\"?"},
    {SCENE(", 'materials': {'a': {'Law': 'stvk'}}"), SW_ERROR_FORMAT,
     "1:84: materials.a.Law: unknown key, did you mean \"law\"?"},
    {REGION("{'sphere': {'radius': 1}, 'material': 'a'}"), SW_ERROR_FORMAT,
     "handles[0].region.material: unknown key, "},
    // types
    {SCENE(", 'title': 3"), SW_ERROR_FORMAT, "1:73: title: expected a string, found 3"},
    {SCENE(", 'gravity': 9.81"), SW_ERROR_FORMAT,
     "1:75: gravity: expected three numbers, found 9.81"},
    {SCENE(", 'gravity': [0, 1]"), SW_ERROR_FORMAT,
     "1:75: gravity: expected three numbers, found a list of 2"},
    {SCENE(", 'gravity': [0, '1', 2]"), SW_ERROR_FORMAT,
     "1:79: gravity[1]: expected a number, found \"1\""},
    {SCENE(", 'time': 3"), SW_ERROR_FORMAT, "1:72: time: expected an object, found 3"},
    {SCENE(", 'time': {'step': null}"), SW_ERROR_FORMAT,
     "1:81: time.step: expected a number above 0, found null"},
    {SCENE(", 'solver': {'iterations': 2.5}"), SW_ERROR_FORMAT,
     "solver.iterations: expected a whole number from 1 to 1000000, found 2.5"},
    {SCENE(", 'solver': {'iterations': 1e300}"), SW_ERROR_FORMAT,
     "solver.iterations: expected a whole number from 1 to 1000000, found 1e+300"},
    {SCENE(", 'solver': {'iterations': true}"), SW_ERROR_FORMAT, "to 1000000, found true"},
    {SCENE(", 'materials': []"), SW_ERROR_FORMAT,
     "materials: expected an object of at most 1000 objects, found a list of 0"},
    {SCENE(", 'materials': {'a': 1}"), SW_ERROR_FORMAT, "materials.a: expected an object, found 1"},
    {BODY(", 'frames': {'at': [[1, 2]]}"), SW_ERROR_FORMAT,
     "bodies[0].frames.at[0]: expected three numbers, found a list of 2"},
    {BODY(", 'frames': {'at': 1}"), SW_ERROR_FORMAT,
     "bodies[0].frames.at: expected a list of at most 10000 points [x, y, z], found 1"},
    {BODY(", 'handles': {}"), SW_ERROR_FORMAT,
     "bodies[0].handles: expected a list of at most 1000 objects, found an object"},
    {SHAPE("[]"), SW_ERROR_FORMAT,
     "bodies[0].shape: expected an object with one of \"box\", \"sphere\", \"capsule\", "
     "\"cylinder\", \"cone\", \"extrude\", \"mesh\", \"volume\", \"union\", found a list of 0"},
    {SHAPE("{'box': 1}"), SW_ERROR_FORMAT, "bodies[0].shape.box: expected an object, found 1"},
    {SHAPE("{'union': {}}"), SW_ERROR_FORMAT,
     "bodies[0].shape.union: expected a list of 1 to 10000 shapes, found an object"},
    {SHAPE("{'extrude': {'polygon': [1], 'z': [0, 1]}}"), SW_ERROR_FORMAT,
     "shape.extrude.polygon[0]: expected two numbers, found 1"},
    {SHAPE("{'mesh': {'file': 7}}"), SW_ERROR_FORMAT,
     "shape.mesh.file: expected the path of a file, found 7"},
    {MOTION("1"), SW_ERROR_FORMAT,
     "handles[0].motion: expected one of \"free\", \"fixed\", or an object with \"keys\", found 1"},
    // names
    {SCENE(", 'analysis': 'dynamics'"), SW_ERROR_VALUE,
     "analysis: expected one of \"dynamic\", \"static\", \"modal\", found \"dynamics\""},
    {BODY(", 'frames': {'kind': 'afine'}"), SW_ERROR_VALUE,
     "bodies[0].frames.kind: expected one of \"point\", \"rigid\", \"affine\", \"quadratic\", "
     "found \"afine\""},
    {BODY(", 'frames': {'blend': 'dual'}"), SW_ERROR_VALUE,
     "bodies[0].frames.blend: expected one of \"linear\", \"dual-quaternion\", found \"dual\""},
    {BODY(", 'frames': {'at': [[0, 0, 0]], 'kinds': ['rigid', 'round']}"), SW_ERROR_VALUE,
     "bodies[0].frames.kinds[1]: expected one of \"point\", \"rigid\", \"affine\", "
     "\"quadratic\", found \"round\""},
    {BODY(", 'frames': {'at': [[0, 0, 0]], 'kinds': ['rigid', 3]}"), SW_ERROR_FORMAT,
     "bodies[0].frames.kinds[1]: expected one of"},
    {BODY(", 'frames': {'at': [[0, 0, 0]], 'kinds': 'rigid'}"), SW_ERROR_FORMAT,
     "bodies[0].frames.kinds: expected a list of at most 10000 names, each one of \"point\""},
    {BODY(", 'frames': {'at': [[0, 0, 0]], 'kinds': ['rigid', 'rigid']}"), SW_ERROR_VALUE,
     "bodies[0].frames.kinds: expected 1 names, one for each frame of \"at\", found 2"},
    {BODY(", 'tets': {}, 'shapes': [{'parts': [{'stretch': [2, 1, 1]}]}]"), SW_ERROR_VALUE,
     "bodies[0].shapes: expected none with tets, as rest shapes need frames"},
    {BODY(", 'springs': {}, 'shapes': [{'parts': [{'stretch': [2, 1, 1]}]}]"), SW_ERROR_VALUE,
     "bodies[0].shapes: expected none with springs, as rest shapes need frames"},
    {BODY(", 'particles': {}, 'handles': [{'region': {'box': {'size': [1, 1, 1]}}}], 'shapes': "
          "[{'parts': [{'stretch': [2, 1, 1]}]}]"),
     SW_ERROR_VALUE, "bodies[0].shapes: expected none with particles, as rest shapes need frames"},
    {BODY(", 'modes': {}, 'handles': [{'region': {'box': {'size': [1, 1, 1]}}}], 'shapes': "
          "[{'parts': [{'stretch': [2, 1, 1]}]}]"),
     SW_ERROR_VALUE, "bodies[0].shapes: expected none with modes, as rest shapes need frames"},
    {BODY(", 'frames': {'weights': {'kind': 'x'}}"), SW_ERROR_VALUE, "\"shepard\""},
    {BODY(", 'integration': {'every': 'frame'}"), SW_ERROR_VALUE,
     "bodies[0].integration.every: expected \"voxel\", found \"frame\""},
    {SCENE(", 'time': {'integrator': 'euler'}"), SW_ERROR_VALUE, "\"implicit-euler\""},
    {SCENE(", 'materials': {'a': {'law': 'hooke'}}"), SW_ERROR_VALUE, "materials.a.law: expected"},
    {MOTION("'moving'"), SW_ERROR_VALUE, "with \"keys\", found \"moving\""},
    // alternatives
    {SHAPE("{}"), SW_ERROR_FORMAT, "bodies[0].shape: expected one of \"box\", \"sphere\""},
    {SHAPE("{'box': {'size': [1, 1, 1]}, 'sphere': {'radius': 1}}"), SW_ERROR_FORMAT,
     "bodies[0].shape.sphere: expected only one of \"box\", \"sphere\", \"capsule\", "
     "\"cylinder\", \"cone\", \"extrude\", \"mesh\", \"volume\", \"union\", found \"box\" as well"},
    {SHAPE("{'halfspace': {}}"), SW_ERROR_FORMAT, "bodies[0].shape.halfspace: unknown key"},
    {SCENE(", 'colliders': [{}]"), SW_ERROR_FORMAT,
     "colliders[0]: expected one of \"plane\", \"box\", \"sphere\", \"capsule\", \"cylinder\", "
     "\"cone\", \"extrude\", \"mesh\", found none"},
    {SCENE(", 'colliders': [{'plane': {}, 'box': {'size': [1, 1, 1]}}]"), SW_ERROR_FORMAT,
     "colliders[0].box: expected only one of \"plane\", "},
    {BODY(", 'voxel': 0.1, 'resolution': 10"), SW_ERROR_FORMAT,
     "bodies[0].resolution: expected only one of \"voxel\", \"resolution\", found \"voxel\""},
    {BODY(", 'integration': {'points': 3, 'every': 'voxel'}"), SW_ERROR_FORMAT,
     "bodies[0].integration.every: expected only one of \"every\", \"points\", found \"points\""},
    {LOAD(""), SW_ERROR_FORMAT,
     "loads[0]: expected one of \"force\", \"traction\", \"pressure\", found none"},
    {LOAD("'force': [1, 0, 0], 'pressure': 1, "), SW_ERROR_FORMAT,
     "loads[0].pressure: expected only one of \"force\", "},
    // what is missing
    {BODY(", 'loads': [{'force': [1, 0, 0]}]"), SW_ERROR_VALUE,
     "bodies[0].loads[0].on: expected an object with one of \"box\""},
    {BODY(", 'handles': [{}]"), SW_ERROR_VALUE,
     "bodies[0].handles[0].region: expected an object with one of \"box\""},
    {SHAPE("{'sphere': {}}"), SW_ERROR_VALUE,
     "1:46: bodies[0].shape.sphere.radius: expected a number above 0, found nothing"},
    {SHAPE("{'box': {}}"), SW_ERROR_VALUE,
     "bodies[0].shape.box.size: expected three numbers above 0, found nothing"},
    {SHAPE("{'mesh': {}}"), SW_ERROR_VALUE,
     "shape.mesh.file: expected the path of a file, found nothing"},
    {SHAPE("{'extrude': {'z': [0, 1]}}"), SW_ERROR_VALUE,
     "shape.extrude.polygon: expected a list of 3 to 10000 points [x, y], found 0"},
    {SHAPE("{'union': []}"), SW_ERROR_VALUE,
     "bodies[0].shape.union: expected a list of 1 to 10000 shapes, found 0"},
    {MOTION("{}"), SW_ERROR_VALUE, "motion.keys: expected a list of 1 to 100000 objects, found 0"},
    {MOTION("{'keys': [{}]}"), SW_ERROR_VALUE,
     "motion.keys[0].t: expected a number, found nothing"},
    {SCENE(", 'probes': [{}]"), SW_ERROR_VALUE,
     "probes[0].point: expected three numbers, found nothing"},
    // ranges
    {SCENE(", 'materials': {\n 'rubber': {'poisson': 0.5}}"), SW_ERROR_VALUE,
     "2:24: materials.rubber.poisson: expected a number above -1 and below 0.5, found 0.5"},
    {SCENE(", 'materials': {'a': {'poisson': -1}}"), SW_ERROR_VALUE, "below 0.5, found -1"},
    {SCENE(", 'materials': {'a': {'young': 0}}"), SW_ERROR_VALUE,
     "materials.a.young: expected a number above 0, found 0"},
    {SCENE(", 'materials': {'a': {'density': -2}}"), SW_ERROR_VALUE,
     "materials.a.density: expected a number above 0, found -2"},
    {SCENE(", 'materials': {'': {}}"), SW_ERROR_VALUE, "expected a name, found an empty one"},
    {SCENE(", 'time': {'step': 0}"), SW_ERROR_VALUE,
     "1:81: time.step: expected a number above 0, found 0"},
    {SCENE(", 'time': {'end': -1}"), SW_ERROR_VALUE,
     "time.end: expected a number of at least 0, found -1"},
    {SCENE(", 'time': {'end': 1, 'step': 1e-10}"), SW_ERROR_LIMIT,
     "1:80: time.end: expected at most 1e9 steps, found 10000000000"},
    {SCENE(", 'time': {'end': 1e308, 'step': 1e-308}"), SW_ERROR_LIMIT, "expected at most 1e9"},
    {SCENE(", 'solver': {'tolerance': 1}"), SW_ERROR_VALUE, "solver.tolerance: expected a number"},
    {SCENE(", 'solver': {'increments': 0}"), SW_ERROR_VALUE, "solver.increments: expected a whole"},
    {BODY(", 'voxel': 0"), SW_ERROR_VALUE, "bodies[0].voxel: expected a number above 0, found 0"},
    {BODY(", 'resolution': 0"), SW_ERROR_VALUE,
     "bodies[0].resolution: expected a whole number from 1 to 4096, found 0"},
    {BODY(", 'frames': {'count': 10001}"), SW_ERROR_VALUE,
     "bodies[0].frames.count: expected a whole number from -1 to 10000, found 10001"},
    {BODY(", 'frames': {'count': 0}"), SW_ERROR_VALUE,
     "bodies[0].frames: expected a \"count\" above 0, places \"at\", or handles, found none"},
    {BODY(", 'frames': {'weights': {'power': 0.5}}"), SW_ERROR_VALUE,
     "frames.weights.power: expected a number of at least 1, found 0.5"},
    {BODY(", 'integration': {'points': -1}"), SW_ERROR_VALUE, "integration.points: expected"},
    {BODY(", 'damping': {'mass': -1}"), SW_ERROR_VALUE,
     "bodies[0].damping.mass: expected a number of at least 0, found -1"},
    {BODY(", 'contact': {'points': -1}"), SW_ERROR_VALUE, "bodies[0].contact.points: expected"},
    {BODY(", 'place': {'rotate': {'axis': [0, 0, 0]}}"), SW_ERROR_VALUE,
     "place.rotate.axis: expected three numbers, not all zero, found [0, 0, 0]"},
    {BODY(", 'name': ''"), SW_ERROR_VALUE, "bodies[0]: expected a name, found an empty one"},
    {SHAPE("{'box': {'size': [1, 0, 1]}}"), SW_ERROR_VALUE,
     "shape.box.size: expected three numbers above 0, found [1, 0, 1]"},
    {REGION("{'box': {'size': [1, -1, 1]}}"), SW_ERROR_VALUE,
     "region.box.size: expected three numbers of at least 0, found [1, -1, 1]"},
    {SHAPE("{'mesh': {'file': 'a.obj', 'scale': 0}}"), SW_ERROR_VALUE, "mesh.scale: expected"},
    {SHAPE("{'mesh': {'file': ''}}"), SW_ERROR_VALUE, "the path of a file, found \"\""},
    {SHAPE("{'extrude': {'polygon': [[0, 0], [1, 0]], 'z': [0, 1]}}"), SW_ERROR_VALUE,
     "extrude.polygon: expected a list of 3 to 10000 points [x, y], found 2"},
    {SHAPE("{'extrude': {'polygon': [[0, 0], [1, 0], [0, 1]], 'z': [1, 1]}}"), SW_ERROR_VALUE,
     "extrude.z: expected two numbers, the lower first, found [1, 1]"},
    {SHAPE("{'cylinder': {'from': [1, 0, 0], 'to': [1, 0, 0], 'radius': 1}}"), SW_ERROR_VALUE,
     "cylinder.to: expected a point other than \"from\", found the same"},
    {REGION("{'halfspace': {'normal': [0, 0, 0]}}"), SW_ERROR_VALUE, "halfspace.normal: expected"},
    {"{'sinew': 1, 'bodies': [{'shape': {'cone': {'from': [0, 1, 0], 'to': [0, 1, 0], 'radius': 1"
     "}}}]}",
     SW_ERROR_VALUE, "bodies[0].shape.cone.to: expected a point other than \"from\""},
    {"{'sinew': 1, 'bodies': [{'shape': {'cone': {'from': [0, 1, 0], 'to': [0, 0, 0], 'radius': 1,"
     " 'top': -1}}}]}",
     SW_ERROR_VALUE, "bodies[0].shape.cone.top: expected a number of at least 0, found -1"},
    {SCENE(", 'colliders': [{'plane': {'normal': [0, 0, 0]}}]"), SW_ERROR_VALUE,
     "colliders[0].plane.normal: expected three numbers, not all zero, found [0, 0, 0]"},
    {SCENE(", 'colliders': [{'plane': {}, 'motion': 'free'}]"), SW_ERROR_VALUE,
     "colliders[0].motion: expected one of \"fixed\", \"program\""},
    {SCENE(", 'colliders': [{'plane': {}, 'motion': {'keys': [{'t': 1}, {'t': 1}]}}]"),
     SW_ERROR_VALUE, "colliders[0].motion.keys[1].t: expected a time after 1, found 1"},
    {SCENE(", 'colliders': [{'plane': {}, 'motion': {}}]"), SW_ERROR_VALUE,
     "colliders[0].motion.keys: expected a list of 1 to 100000 objects"},
    {SCENE(", 'colliders': [{'plane': {}, 'name': 'a'}, {'plane': {}, 'name': 'a'}]"),
     SW_ERROR_VALUE, "colliders[1].name: expected a unique name, found that of colliders[0]"},
    {SCENE(", 'colliders': [{'plane': {}, 'name': ''}]"), SW_ERROR_VALUE,
     "colliders[0]: expected a name, found an empty one"},
    {SCENE(", 'colliders': [{'cylinder': {'from': [0, 0, 0], 'to': [0, 0, 0], 'radius': 1}}]"),
     SW_ERROR_VALUE, "colliders[0].cylinder.to: expected a point other than \"from\""},
    {SCENE(", 'colliders': [{'mesh': {}}]"), SW_ERROR_VALUE, "colliders[0].mesh.file: expected"},
    {SCENE(", 'colliders': [{'plane': {}, 'friction': -1}]"), SW_ERROR_VALUE,
     "colliders[0].friction: expected a number of at least 0, found -1"},
    {SCENE(", 'colliders': [{'plane': {}, 'stiffness': 0}]"), SW_ERROR_VALUE,
     "colliders[0].stiffness: expected a number above 0, found 0"},
    {MOTION("{'keys': [{'t': 1}, {'t': 1}]}"), SW_ERROR_VALUE,
     "motion.keys[1].t: expected a time after 1, found 1"},
    // names that refer or repeat
    {TWO("{'sphere': {'radius': 1}, 'material': 'ruber'}"), SW_ERROR_VALUE,
     "bodies[0].shape.material: expected the name of a material (\"rubber\", \"steel\"), found "
     "\"ruber\", did you mean \"rubber\"?"},
    {TWO("{'sphere': {'radius': 1}}"), SW_ERROR_VALUE,
     "bodies[0].shape.material: expected the name of a material (\"rubber\", \"steel\"), found "
     "nothing"},
    {TWO("{'union': [{'sphere': {'radius': 1}, 'material': 'steel'}, {'sphere': {'radius': 1}}]}"),
     SW_ERROR_VALUE, "bodies[0].shape.union[1].material: expected the name of a material"},
    {SCENE(", 'probes': [{'body': 'bdy1', 'point': [0, 0, 0]}]"), SW_ERROR_VALUE,
     "probes[0].body: expected the name of a body (\"body1\"), found \"bdy1\", did you mean"},
    {SCENE(", 'probes': [{'name': 'a', 'point': [0, 0, 0]}, {'name': 'a', 'point': [0, 0, 0]}]"),
     SW_ERROR_VALUE, "probes[1].name: expected a unique name, found that of probes[0]"},
    {BODY("}, {'name': 'body1', 'shape': {'sphere': {'radius': 1}}"), SW_ERROR_VALUE,
     "1:72: bodies[1].name: expected a unique name, found that of bodies[0]"},
    {BODY(", 'handles': [{'name': 'h', 'region': {'sphere': {'radius': 1}}}, "
          "{'name': 'h', 'region': {'sphere': {'radius': 1}}}]"),
     SW_ERROR_VALUE, "bodies[0].handles[1].name: expected a unique name"},
    {BODY("}, {'shape': {'sphere': {'radius': 1}}}], 'probes': [{'point': [0, 0, 0]"),
     SW_ERROR_VALUE,
     "probes[0].body: expected the name of a body (\"body1\", \"body2\"), found no"},
};

static void test_bad(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; i < SW_COUNT(bad); i++) {
        swError error = {0};
        swScene *scene = parse_scene(bad[i].json, &error);
        char found[800];
        snprintf(found, sizeof found, "%d:%d: %s", error.line, error.column, error.message);
        bool place = bad[i].message[0] >= '0' && bad[i].message[0] <= '9';
        bool good = place ? strncmp(found, bad[i].message, strlen(bad[i].message)) == 0
                          : strstr(found, bad[i].message) != NULL;
        if (scene || error.code != bad[i].code || !good || error.line < 1 || error.column < 1 ||
            strcmp(error.path, "scene.json") != 0) {
            print_error("%s\n gives    %d %s\n expected %d %s\n", bad[i].json, (int)error.code,
                        found, (int)bad[i].code, bad[i].message);
            wrong++;
        }
        assert_null(parse_scene(bad[i].json, NULL)); // nobody has to listen
    }
    assert_int_equal(wrong, 0);
}

static void test_limits(void **state) {
    (void)state;
    swError error = {0};
    char text[4000] = "";
    for (int i = 0; i < 65; i++)
        strcat(text, "[");
    assert_null(parse_scene(text, &error));
    assert_int_equal(error.code, SW_ERROR_LIMIT);
    assert_int_equal(error.column, 65);
    strcpy(text, "[1");
    memset(text + 2, '0', 400);
    strcpy(text + 402, "]");
    assert_null(parse_scene(text, &error));
    assert_int_equal(error.code, SW_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "at most 300 characters, found 401"));

    // more than the limit of a list
    char *many = malloc(200000), *at = many;
    at += sprintf(at, "{\"sinew\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}}], ");
    at += sprintf(at, "\"probes\": [");
    for (int i = 0; i < 10001; i++)
        at += sprintf(at, "%s{}", i ? "," : "");
    sprintf(at, "]}");
    assert_null(sw_scene_parse(many, strlen(many), "many", NULL, &error));
    assert_int_equal(error.code, SW_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "probes: expected a list of at most 10000 objects, found more");
    free(many);

    // a hostile object with very many keys costs little
    at = many = malloc(2000000);
    at += sprintf(at, "{");
    for (int i = 0; i < 100000; i++)
        at += sprintf(at, "%s\"%d\":1", i ? "," : "", i);
    sprintf(at, "}");
    assert_null(sw_scene_parse(many, strlen(many), "many", NULL, &error));
    assert_int_equal(error.code, SW_ERROR_FORMAT);
    free(many);
}

// ---- scenes built in C ----

#define BREAK(statement, text) \
    do { \
        swScene *s = built_scene(); \
        swBody *b = s->bodies; \
        swError error = {0}; \
        assert_true(sw_scene_check(s, &error)); \
        (void)b; \
        statement; \
        assert_false(sw_scene_check(s, &error)); \
        assert_false(sw_scene_check(s, NULL)); \
        if (!strstr(error.message, text) || error.code == SW_OK) \
            fail_msg("%s\n gives %s\n expected %s", #statement, error.message, text); \
        sw_scene_destroy(s); \
    } while (0)

static void test_check(void **state) {
    (void)state;
    BREAK(s->gravity.y = NAN, "gravity: expected three numbers, found [0, not-a-number, 0]");
    BREAK(s->gravity.y = -INFINITY, "gravity: expected three numbers, found [0, -infinity, 0]");
    BREAK(s->time.step = NAN, "time.step: expected a number above 0, found nothing");
    BREAK(s->time.integrator = NULL, "time.integrator: expected");
    BREAK(s->time.integrator = "x", "found \"x\"");
    BREAK(s->analysis = (swAnalysis)7,
          "analysis: expected one of \"dynamic\", \"static\", \"modal\", found "
          "the number 7");
    BREAK(s->materials = NULL, "bodies[0].shape.material: expected a material in the scene");
    BREAK(s->materials->law = "x", "materials.rubber.law: expected one of");
    BREAK(s->materials->law = NULL, "materials.rubber.law: expected one of");
    BREAK(s->materials->name = NULL, "materials[0]: expected a name, found none");
    BREAK(sw_scene_add_material(s, "rubber"), "materials.rubber: expected a unique name");
    BREAK(s->bodies = NULL, "bodies: expected a list of 1 to 100000 objects, found 0");
    BREAK(b->next = b, "bodies: expected a list of 1 to 100000 objects, found more");
    BREAK(b->name = NULL, "bodies[0]: expected a name, found none");
    BREAK(b->shape = NULL, "bodies[0].shape: expected an object with one of \"box\", ");
    BREAK(b->shape->kind = SW_SHAPE_HALFSPACE, "\"union\", found \"halfspace\"");
    BREAK(b->shape->kind = (swShapeKind)99, "\"union\", found an unknown kind");
    BREAK((b->shape->kind = SW_SHAPE_UNION, b->shape->parts = b->shape),
          "expected less deeply nested unions");
    BREAK(b->shape->kind = SW_SHAPE_UNION, "shape.union: expected a list of 1 to 10000 shapes");
    BREAK(b->shape->material = "x", "bodies[0].shape.material: expected the name of a material");
    BREAK(b->voxel = -1, "bodies[0].voxel: expected a number above 0, found -1");
    BREAK(b->frames.nat = 3, "bodies[0].frames.at: expected a list of at most 10000 points [x, y, "
                             "z], found 3 at a null pointer");
    BREAK(b->frames.nat = -3, "found -3");
    BREAK(b->frames.nkinds = 1, "bodies[0].frames.kinds: expected a list of at most 10000 names");
    swVec3 at[2] = {{0, 0, 0}, {0, NAN, 0}};
    BREAK((b->frames.at = at, b->frames.nat = 2),
          "bodies[0].frames.at[1]: expected finite numbers");
    BREAK(b->handles->region = NULL, "bodies[0].handles[0].region: expected");
    BREAK(b->handles->keys = NULL, "bodies[0].handles[0].motion.keys: expected a list of 1 to");
    BREAK(b->handles->keys->next->t = 0, "keys[1].t: expected a time after 0, found 0");
    BREAK(b->handles->keys->next->next = b->handles->keys, "to 100000 objects, found more");
    BREAK(b->handles->motion = (swMotion)5, "motion: expected one of \"free\", \"fixed\", or an "
                                            "object with \"keys\", found the number 5");
    BREAK(b->loads->force.x = 1, "bodies[0].loads[0]: expected one of \"force\", \"traction\", "
                                 "\"pressure\", found 2 of them");
    BREAK(s->colliders->shape->kind = SW_SHAPE_UNION, "found \"union\"");
    BREAK(s->colliders->shape->kind = SW_SHAPE_CONE, "colliders[0].cone.radius: expected a number");
    BREAK(s->colliders->name = NULL, "colliders[0]: expected a name, found none");
    BREAK(s->colliders->motion = 7, "colliders[0].motion: expected");
    BREAK(s->colliders->motion = SW_COLLIDER_KEYS, "colliders[0].motion.keys: expected");
    BREAK(s->colliders->place.angle = NAN, "colliders[0].place.rotate.degrees: expected a number");
    BREAK(s->colliders->shape = NULL, "colliders[0]: expected an object with one of \"plane\"");
    BREAK(s->probes->body = "baz", "probes[0].body: expected the name of a body (\"bar\"), found "
                                   "\"baz\", did you mean \"bar\"?");
    BREAK(s->probes->point.x = NAN, "probes[0].point: expected three numbers");
    BREAK(sw_scene_add_probe(s, "tip", s->gravity), "probes[1].name: expected a unique name");
    BREAK(sw_body_add_shape(s, b, SW_SHAPE_SPHERE), "shape.union[1].sphere.radius: expected");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_bad),
    cmocka_unit_test(test_limits),
    cmocka_unit_test(test_check),
};

SW_SUITE(scene_errors, tests)
