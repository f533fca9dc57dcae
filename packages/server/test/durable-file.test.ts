import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readIfThere, readOrCreate, replace } from "../src/durable-file.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "colophon-durable-"));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe("a durable file", () => {
  it("is null where there is none, and named where it cannot be read", async () => {
    expect(await readIfThere(join(home, "none"))).toBeNull();
    await expect(readIfThere(home)).rejects.toMatchObject({ code: "EISDIR", path: home });
  });

  it("says at once that its folder cannot be made", async () => {
    const inTheWay = join(home, "file");
    await writeFile(inTheWay, "");
    const refused = { code: "EEXIST", path: inTheWay };
    await expect(replace(join(inTheWay, "folder", "head"), "")).rejects.toMatchObject(refused);
    await expect(replace("/proc/colophon/head", "")).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("is made once, by the first of many, for its owner alone", async () => {
    const folder = join(home, "data");
    const path = join(folder, "secret");
    const texts = Array.from({ length: 16 }, (_, n) => `text ${n}`);
    const answers = await Promise.all(texts.map((text) => readOrCreate(path, () => text)));
    const made = await readFile(path, "utf8");
    expect(texts).toContain(made);
    expect(answers).toEqual(texts.map(() => made));
    expect(await readOrCreate(path, () => "another")).toBe(made);
    expect([await modeOf(folder), await modeOf(path)]).toEqual([0o700, 0o600]);
    expect(await readdir(folder)).toEqual(["secret"]);
  });

  it("is whole whenever it is read while it is replaced", async () => {
    const path = join(home, "head");
    const texts = ["a", "b"].map((letter) => letter.repeat(1 << 20));
    await writeFile(path, texts[0] ?? "", { mode: 0o644 });
    const done = new AbortController();
    const reading = (async () => {
      while (!done.signal.aborted) expect(texts.includes((await readIfThere(path)) ?? "")).toBe(true);
    })();
    for (let n = 1; n <= 20; n += 1) await replace(path, texts[n % 2] ?? "");
    done.abort();
    await reading;
    expect(await modeOf(path)).toBe(0o600);
    expect(await readdir(home)).toEqual(["head"]);
  });

  it("leaves nothing beside a place that it cannot take", async () => {
    const path = join(home, "head");
    await mkdir(path);
    await expect(replace(path, "text")).rejects.toMatchObject({ code: "EISDIR" });
    expect(await readdir(home)).toEqual(["head"]);
  });
});
