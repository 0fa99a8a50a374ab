// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Usage: node validate_gltf.mjs NODE_FOLDER FILE...: fails on any error or warning.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(folder, "package.json"))("gltf-validator");
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file });
  const { numErrors, numWarnings, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
  for (const { code, message, pointer } of messages) {
    console.log(`  ${code} ${pointer ?? ""}: ${message}`);
  }
  if (numErrors + numWarnings > 0) process.exitCode = 1;
}
