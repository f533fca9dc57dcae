import { defineConfig } from "vite";

/** A running service for `vite` and `vite preview`, which serve the console alone. */
const SERVICE = process.env["COLOPHON_BASE_URL"] ?? "http://127.0.0.1:8400";
const proxy = { "^/(?!console)": SERVICE };

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Built, it knows no address: a proxy may put a path of its own before the service's.
  base: command === "build" ? "./" : "/console/",
  // What is built is what is published, also by a test run: no development helpers, which would name this machine's
  // folders.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  build: {
    // Beside the code that serves it. What an earlier build left stays: pages that are open still ask for their parts,
    // and a service that starts meanwhile finds every file.
    outDir: "../server/console",
    emptyOutDir: false,
    // Browsers from 2024 on: those that know light-dark() and Blob.bytes() need no older twin.
    target: "es2024",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Everything is a file of its own: the content security policy admits neither inline code nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A busy machine builds slowly, which is nothing to warn of when a service starts.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: "es" },
  server: { proxy },
  preview: { proxy },
}));
