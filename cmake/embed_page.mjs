// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Usage: embed_page.mjs FOLDER OUTPUT: writes the files of a folder, compressed, as a table in C.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const types = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.json': 'application/json',
    '.woff2': 'font/woff2',
};

function list(folder, prefix = '') {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory()
            ? list(join(folder, entry.name), `${prefix}${entry.name}/`)
            : [prefix + entry.name],
    );
}

const [folder, output] = process.argv.slice(2);
const names = list(folder).sort();
const arrays = [];
const rows = [];
names.forEach((name, i) => {
    const type = types[extname(name)];
    if (!type) throw new Error(`${name}: unknown type of file`);
    const bytes = gzipSync(readFileSync(join(folder, name)), { level: 9 });
    arrays.push(`static const unsigned char file${i}[] = {${bytes.join()}};\n`);
    rows.push(`    {${JSON.stringify(name)}, ${JSON.stringify(type)}, file${i}, sizeof file${i}},\n`);
});
writeFileSync(
    output,
    `// Written by embed_page.mjs.
#include "view/server.h"

${arrays.join('')}
const PageFile *page_files(int *count) {
    static const PageFile files[] = {
    ${rows.join('    ')}    };
    *count = SW_COUNT(files);
    return files;
}
`,
);
