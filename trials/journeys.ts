/**
 * The ways of five people through the console, with real photographs, each step kept as a picture to be looked at:
 * somebody who checks facts, a photographer, a newsroom, an operator, and a developer who has not signed in. In
 * Chromium and in Firefox, at a desktop's and a telephone's width, in the light and in the dark. Prints what is wider
 * than its window, and what failed on a page.
 *
 *     node trials/journeys.ts FOLDER --out DIR [--browser chromium|firefox] [--width 1280|360] [--scheme light|dark]
 *                                    [--only NAME]
 *
 * FOLDER holds at least eight photographs as JPEG. Needs Debian's packages chromium-headless-shell and firefox-esr.
 */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { launchChromium } from "@colophon/testing/chromium.ts";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { launchFirefox } from "@colophon/testing/firefox.ts";
import { buildConsole } from "../packages/console/build.ts";
import { ConsoleUnderTest } from "../packages/console/test/support/console-under-test.ts";
import { type Journey, JOURNEYS } from "./journeys/people.ts";
import { Traveller } from "./journeys/traveller.ts";

const BROWSERS = ["chromium", "firefox"] as const;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
] as const;
const SCHEMES = ["light", "dark"] as const;
const PHOTOGRAPHS = 8;

const { values, positionals } = readCommandLine({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    browser: { type: "string" },
    width: { type: "string" },
    scheme: { type: "string" },
    only: { type: "string" },
  },
});
const [folder] = positionals;
const { out } = values;
if (folder === undefined || out === undefined) refuseCommandLine("FOLDER and --out DIR are required");

/** One of what there is, or all of it. */
function chosen<One extends string>(all: readonly One[], wanted: string | undefined): readonly One[] {
  return all.filter((one) => wanted === undefined || one === wanted);
}

const names = (await readdir(folder)).filter((name) => /\.jpe?g$/i.test(name)).toSorted();
if (names.length < PHOTOGRAPHS) refuseCommandLine(`${folder} holds fewer than ${PHOTOGRAPHS} photographs`);
const photographs = await Promise.all(
  names.slice(0, PHOTOGRAPHS).map(async (name) => ({
    name,
    mimeType: "image/jpeg",
    buffer: await readFile(join(folder, name)),
  })),
);

/** One journey in one browser and appearance; answers what was found. */
async function travel(journey: Journey, look: Look, into: string): Promise<string[]> {
  const { browser, scheme, viewport } = look;
  const launch = (): ReturnType<typeof launchChromium> =>
    browser === "chromium" ? launchChromium() : launchFirefox(scheme);
  await using service = await ConsoleUnderTest.start(journey.settings, launch);
  // Firefox is told by its settings.
  const colours = browser === "chromium" ? { colorScheme: scheme } : {};
  const traveller = await Traveller.start(service, `${into}/${journey.name}`, { viewport, ...colours });
  await journey.go(traveller, photographs);
  process.stdout.write(`${into} ${journey.name}: ${traveller.steps} steps\n`);
  return traveller.findings;
}

interface Look {
  readonly browser: (typeof BROWSERS)[number];
  readonly scheme: (typeof SCHEMES)[number];
  readonly viewport: (typeof SIZES)[number];
}

const looks = chosen(BROWSERS, values.browser).flatMap((browser) =>
  chosen(SCHEMES, values.scheme).flatMap((scheme) =>
    SIZES.filter(({ width }) => values.width === undefined || String(width) === values.width).map(
      (viewport): Look => ({ browser, scheme, viewport }),
    ),
  ),
);

await buildConsole();
const findings: string[] = [];
for (const look of looks) {
  const name = `${look.browser}-${look.viewport.width}-${look.scheme}`;
  await mkdir(join(out, name), { recursive: true });
  for (const journey of JOURNEYS) {
    if (values.only !== undefined && values.only !== journey.name) continue;
    const found = await travel(journey, look, join(out, name));
    findings.push(...found.map((finding) => `${name}, ${finding}`));
  }
}
process.stdout.write(`${findings.length} findings\n${findings.map((finding) => `  ${finding}\n`).join("")}`);
process.exitCode = findings.length === 0 ? 0 : 1;
