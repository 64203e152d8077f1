// SPDX-License-Identifier: Apache-2.0
// The charts of pages that commands write: one script and one style sheet, which the
// package puts into each page.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  build: {
    outDir: "../src/samara/records/dist",
    emptyOutDir: true,
    lib: {
      entry: "src/report.ts",
      formats: ["iife"],
      name: "samara",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
});
