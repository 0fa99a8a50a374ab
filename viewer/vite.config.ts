// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { defineConfig } from 'vite';

export default defineConfig({
    base: './', // the page is served under /TOKEN/
    build: {
        target: 'es2022',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0, // the server's content security policy forbids data: URLs
        cssCodeSplit: false,
        chunkSizeWarningLimit: 1000, // three.js
        rollupOptions: {
            output: {
                inlineDynamicImports: true,
                entryFileNames: 'assets/page-[hash].js',
                assetFileNames: 'assets/page-[hash][extname]',
            },
        },
    },
});
