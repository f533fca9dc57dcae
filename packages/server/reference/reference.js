// Draws the contract of the service that this page came from, or what it adds. Redoc is a global of its standalone bundle.
import { withSamples } from "./samples.js";

const SERIF =
  '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, "Book Antiqua", Georgia, serif';
const SANS = '-apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", system-ui, sans-serif';
const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "Liberation Mono", monospace';

/** The console's colours. Redoc computes with them, so they are hex digits rather than custom properties. */
const PALETTES = {
  light: {
    paper: "#f6f2ea",
    sunken: "#ece5d8",
    ink: "#1f1b16",
    inkSoft: "#5d5547",
    rule: "#d8cebc",
    rubric: "#a42c15",
    code: "#7a2110",
    good: "#1d6640",
    bad: "#9b1232",
    samples: "#1f1b16",
  },
  dark: {
    paper: "#171410",
    sunken: "#2b261f",
    ink: "#ede6d9",
    inkSoft: "#b4a996",
    rule: "#3a342b",
    rubric: "#ff9277",
    code: "#ffb9a6",
    good: "#7fd3a2",
    bad: "#ff9aa8",
    samples: "#110f0c",
  },
};

/** What the reader chose in the console, which shares this origin, or else what the device prefers. */
const device = matchMedia("(prefers-color-scheme: dark)");
const chosen = localStorage.getItem("colophon.theme");
const scheme = chosen === "light" || chosen === "dark" ? chosen : device.matches ? "dark" : "light";
document.documentElement.dataset.theme = scheme;
// Redoc takes its colours once.
device.addEventListener("change", () => location.reload());
const { paper, sunken, ink, inkSoft, rule, rubric, code, good, bad, samples } = PALETTES[scheme];

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
        primary: { main: rubric },
        text: { primary: ink, secondary: inkSoft },
        border: { dark: rule, light: sunken },
        success: { main: good },
        error: { main: bad },
        gray: { 50: paper, 100: sunken },
        responses: { success: { tabTextColor: "#7fd3a2" }, error: { tabTextColor: "#ff9aa8" } },
      },
      schema: { nestedBackground: paper, typeNameColor: inkSoft, labelsTextSize: "0.9em" },
      sidebar: { backgroundColor: paper, textColor: ink, activeTextColor: rubric },
      rightPanel: { backgroundColor: samples },
      codeBlock: { backgroundColor: scheme === "dark" ? "#201c17" : "#110f0c" },
      fab: { backgroundColor: sunken, color: rubric },
      typography: {
        fontFamily: SANS,
        headings: { fontFamily: SERIF, fontWeight: "600" },
        code: { fontFamily: MONOSPACE, color: code, backgroundColor: sunken },
        links: { color: rubric, visited: rubric },
      },
    },
  },
  document.getElementById("reference"),
);
