// Draws the contract of the service that this page came from. Redoc is a global of its standalone bundle.
const SANS = 'system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

Redoc.init(
  "../openapi/v1.json",
  {
    hideDownloadButton: false,
    theme: {
      colors: { primary: { main: "#7a2e1d" } },
      typography: {
        fontFamily: SANS,
        headings: { fontFamily: SANS },
        code: { fontFamily: MONOSPACE },
      },
    },
  },
  document.getElementById("reference"),
);
