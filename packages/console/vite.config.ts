import { defineConfig } from "vite";

/** A running service for `vite` and `vite preview`, which serve the console alone. */
const SERVICE = process.env["COLOPHON_BASE_URL"] ?? "http://127.0.0.1:8400";
const proxy = { "^/(?!console)": SERVICE };

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // Browsers from 2024 on: those that know light-dark() and Blob.bytes() need no older twin.
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Everything is a file of its own: the content security policy admits neither inline code nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy },
  preview: { proxy },
});
