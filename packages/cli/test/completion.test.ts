import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programFile } from "@colophon/testing/process/programs.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const COLOPHON = await programFile("colophon");
const run = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), "colophon-completion-"));

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout } = await run(process.execPath, [COLOPHON, "completion", shell]);
    await writeFile(join(folder, shell), stdout);
  }
  await writeFile(join(folder, "a picture.jpg"), "");
  await writeFile(join(folder, "root.pem"), "");
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const linesOf = (text: string): string[] => text.split("\n").filter(Boolean).toSorted();

/** What bash offers for the last of these words. */
async function inBash(...words: string[]): Promise<string[]> {
  const script = `. ./bash; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _colophon; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["--norc", "-uc", script, "-", "-", ...words], { cwd: folder });
  return linesOf(stdout);
}

/** What fish offers at the end of a line. */
async function inFish(line: string): Promise<string[]> {
  const script = "source ./fish; complete --do-complete $argv[1]";
  const { stdout } = await run("fish", ["--no-config", "-c", script, line], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
  });
  return linesOf(stdout).map((choice) => choice.split("\t", 1)[0] ?? "");
}

/** What a line that is typed into zsh, tabs included, has become when it is entered. */
async function typedInZsh(line: string): Promise<string> {
  const script = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PS1=; autoload -U compinit; compinit -D -u; source ./zsh; colophon() { print -r -- "<$*>" }; print GO'
    zpty -r -m shell out '*GO*GO*'
    zpty -w -n shell "$1"$'\\n'
    zpty -r -m shell out '*<*>*'
    print -r -- "$out"
    zpty -d shell
  `;
  const { stdout } = await run("zsh", ["-f", "-c", script, "-", line], { cwd: folder });
  return /<([^>]*)>/.exec(stdout)?.[1] ?? stdout;
}

const ACCOUNT_COMMANDS = ["create", "list", "resume", "set", "show", "suspend", "takedown"];

describe("completion", () => {
  it("in bash offers commands, options where one is begun, and files where they belong", async () => {
    expect(await inBash("colophon", "to")).toEqual(["token"]);
    expect(await inBash("colophon", "account", "")).toEqual(ACCOUNT_COMMANDS);
    expect(await inBash("colophon", "account", "create", "--se")).toEqual(["--sequences"]);
    expect(await inBash("colophon", "completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(await inBash("colophon", "register", "--json", "a")).toEqual(["a picture.jpg"]);
    expect(await inBash("colophon", "register", "--manifest", "kind", "=", "a")).toEqual(["a picture.jpg"]);
    expect(await inBash("colophon", "verify", "record.json", "--trust-root", "r")).toEqual(["root.pem"]);
    expect(await inBash("colophon", "token", "list", "")).toEqual([]);
    expect(await inBash("colophon", "account", "create", "--name", "s")).toEqual([]);
  });

  it("in fish offers the same", async () => {
    expect(await inFish("colophon tok")).toEqual(["token"]);
    expect(await inFish("colophon account ")).toEqual(ACCOUNT_COMMANDS);
    expect(await inFish("colophon account create --se")).toEqual(["--sequences"]);
    expect(await inFish("colophon register a")).toEqual(["a picture.jpg"]);
    expect(await inFish("colophon verify --trust-root roo")).toEqual(["root.pem"]);
    expect(await inFish("colophon token list ")).toEqual([]);
  });

  it("in zsh completes what is typed", async () => {
    expect(await typedInZsh("colophon accoun\tcrea\t--seq\t")).toBe("account create --sequences");
    expect(await typedInZsh("colophon verify --trust-root roo\t")).toBe("verify --trust-root root.pem");
    expect(await typedInZsh("colophon register a\t")).toBe("register a picture.jpg");
  });

  it("knows no other shell", async () => {
    const refused = run(process.execPath, [COLOPHON, "completion", "csh"]);
    await expect(refused).rejects.toMatchObject({ code: 2, stdout: "" });
  });
});
