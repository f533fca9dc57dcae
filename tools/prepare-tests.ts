/**
 * What `npm test` runs first: looks for the programs that the tests use, installs what is missing where it may (Debian,
 * as root), and otherwise says in one sentence what to install and stops before the first test.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { BROWSER } from "@colophon/testing/chromium.ts";

/** A program of the machine that tests run, and Debian's package that brings it. */
interface Need {
  readonly program: string;
  /** A module of Python that the program, python3, must be able to load. */
  readonly module?: string;
  readonly package: string;
  readonly why: string;
}

const NEEDS: readonly Need[] = [
  { program: "openssl", package: "openssl", why: "judges certificates and signatures" },
  { program: BROWSER, package: "chromium-headless-shell", why: "runs the client and the console" },
  { program: "ffmpeg", package: "ffmpeg", why: "cuts a clip into frames" },
  { program: "zsh", package: "zsh", why: "completes the command" },
  { program: "fish", package: "fish", why: "completes the command" },
  {
    program: "python3",
    module: "cryptography",
    package: "python3-cryptography",
    why: "verifies a proof of the log without this repository",
  },
];

const MINUTES = "ten to thirty minutes on two cores, by the machine";

function isThere({ program, module }: Need): boolean {
  return isOnPath(program) && (module === undefined || loads(program, module));
}

function loads(python: string, module: string): boolean {
  return spawnSync(python, ["-c", `import ${module}`]).status === 0;
}

function isOnPath(program: string): boolean {
  const folders = program.includes("/") ? [""] : (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether packages can be installed without asking anybody. */
function mayInstall(): boolean {
  return process.getuid?.() === 0 && isOnPath("apt-get");
}

function install(packages: readonly string[]): void {
  process.stdout.write(`Installing what the tests use: ${packages.join(", ")}.\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const call of [
    ["update", "-qq"],
    ["install", "-y", "-qq", ...packages],
  ]) {
    spawnSync("apt-get", call, { env, stdio: ["ignore", "ignore", "inherit"] });
  }
}

const missing = (): readonly Need[] => NEEDS.filter((need) => !isThere(need));

if (missing().length > 0 && mayInstall()) install(missing().map((need) => need.package));
const lacking = missing();
if (lacking.length > 0) {
  const list = lacking.map((need) => `${need.package} (${need.why})`).join(", ");
  process.stderr.write(`The tests cannot start: install ${list}, then run npm test again.\n`);
  process.exit(1);
}
process.stdout.write(`All tests: ${MINUTES}.\n`);
