// Draws the contract of the service that this page came from, or what it adds. Redoc is a global of its standalone bundle.
import { withSamples } from "./samples.js";

const SERIF =
  '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, "Book Antiqua", Georgia, serif';
const SANS = '-apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", system-ui, sans-serif';
const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "Liberation Mono", monospace';
const INK = "#1f1b16";
const PAPER = "#f6f2ea";
const RUBRIC = "#a42c15";

const NAME = location.search === "?extensions" ? "extensions" : "v1";

const answer = await fetch(`../openapi/${NAME}.json`);
Redoc.init(
  withSamples(await answer.json()),
  {
    scrollYOffset: "header",
    downloadUrls: [{ title: "OpenAPI 3.1", url: `../openapi/${NAME}.json` }],
    payloadSampleIdx: 9,
    theme: {
      colors: {
        primary: { main: RUBRIC },
        text: { primary: INK, secondary: "#5d5547" },
        border: { dark: "#d8cebc", light: "#ece5d8" },
      },
      schema: { nestedBackground: PAPER, typeNameColor: "#5d5547", labelsTextSize: "0.9em" },
      sidebar: { backgroundColor: PAPER, textColor: INK, activeTextColor: RUBRIC },
      rightPanel: { backgroundColor: INK },
      codeBlock: { backgroundColor: "#110f0c" },
      typography: {
        fontFamily: SANS,
        headings: { fontFamily: SERIF, fontWeight: "600" },
        code: { fontFamily: MONOSPACE, color: "#7a2110", backgroundColor: "#ece5d8" },
        links: { color: RUBRIC, visited: RUBRIC },
      },
    },
  },
  document.getElementById("reference"),
);
