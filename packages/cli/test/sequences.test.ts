import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SequenceResult } from "@colophon/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, onceSaid, type Outcome, outcomeOf } from "./support.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open();
});

afterAll(async () => {
  await desk[Symbol.asyncDispose]();
});

const inHome = (path: string): string => join(desk.home, path);

interface Printed extends Omit<SequenceResult, "sequence" | "frames"> {
  readonly sequenceId: string;
  readonly frames: readonly (SequenceResult["frames"][number] & {
    readonly name: string | null;
    readonly seconds: number | null;
  })[];
}

const printed = ({ out }: Outcome): Printed => JSON.parse(out);

/** Every file in the user's home but the service's and what the command keeps. */
async function filesAtHome(): Promise<string[]> {
  const names = await readdir(desk.home, { recursive: true });
  return names.filter((name) => !name.startsWith("data") && !name.startsWith(".config")).toSorted();
}

describe("a video", () => {
  it("is registered frame by frame, leaves no frame on the disk, and each frame is found", async () => {
    desk.film("clip.mp4", "mandelbrot=size=320x240:rate=5", 2);
    await writeFile(inHome("credit.json"), '{ "by":  "A. Turner" }');
    const before = await filesAtHome();
    const args = ["sequence", "register", "clip.mp4", "--every", "2", "--manifest", "credit=credit.json"];
    const outcome = await desk.run([...args, "--json"]);
    expect(outcome).toMatchObject({ code: 0 });
    const { outcome: ended, frames, sequenceHash } = printed(outcome);
    expect(ended).toBe("registered");
    expect(frames.map(({ frameId, state, name, seconds }) => [frameId, state, name, seconds])).toEqual(
      [0, 0.4, 0.8, 1.2, 1.6].map((seconds, at) => [at + 1, "published", null, seconds]),
    );
    expect(outcome.err).toContain(`5 frames registered as sequence ${sequenceHash}.`);
    expect(await filesAtHome()).toEqual(before);
    expect(await readdir(inHome(".config/colophon/sequences"))).toEqual([]);

    const [, , third] = frames;
    const record = await desk.run(["record", third?.originalImageHash ?? ""]);
    expect(record.out).toContain('{ "by":  "A. Turner" }');
    desk.still("clip.mp4", 4, "crop.jpg");
    const stranger = { COLOPHON_TOKEN: await desk.anotherToken(0, 10) };
    const found = await desk.run(["lookup", "crop.jpg"], stranger);
    expect(found.out).toContain(third?.originalImageHash);
  });

  it("gives so many frames of each second", async () => {
    desk.film("life.webm", "life=size=160x120:rate=10:mold=10:life_color=#C83232:seed=7,scale=320:240", 2);
    const outcome = await desk.run(["sequence", "register", "life.webm", "--fps", "1.5", "--json"]);
    expect(outcome).toMatchObject({ code: 0 });
    expect(printed(outcome).frames).toHaveLength(3);
  });

  it("needs ffmpeg, and to be a video", async () => {
    const bare = await desk.run(["sequence", "register", "clip.mp4"], { PATH: inHome("no-programs") });
    expect(bare).toMatchObject({ code: 2, out: "" });
    expect(bare.err).toContain("install ffmpeg, or name a folder of stills");
    await writeFile(inHome("notes.txt"), "no video");
    const text = await desk.run(["sequence", "register", "notes.txt"]);
    expect(text).toMatchObject({ code: 2, out: "", err: "'notes.txt' is not a video that ffmpeg reads.\n" });
  });

  it.each([
    ["--every and --fps exclude each other.", ["clip.mp4", "--every", "2", "--fps", "1"]],
    ["--every takes a whole number of 1 or more.", ["clip.mp4", "--every", "0"]],
    ["--fps takes a number above 0.", ["clip.mp4", "--fps", "0"]],
    ["--fps is for videos", ["crop.jpg", "--fps", "1"]],
    ["There is no file or folder 'no-such.mp4'.", ["no-such.mp4", "--fps", "1"]],
  ])("refuses options that make no sense: %s", async (sentence, args) => {
    const outcome = await desk.run(["sequence", "register", ...args]);
    expect(outcome).toMatchObject({ code: 2, out: "" });
    expect(outcome.err).toContain(sentence);
  });
});

describe("a folder of stills", () => {
  it("is taken in natural order", async () => {
    await desk.paint("burst", 11);
    const outcome = await desk.run(["sequence", "register", "burst", "--json"]);
    expect(outcome).toMatchObject({ code: 0 });
    expect(printed(outcome).frames.map(({ name }) => name)).toEqual(
      Array.from({ length: 11 }, (_, at) => `burst/picture-${at}.jpg`),
    );
  });

  it("killed halfway goes on where it stopped", async () => {
    await desk.paint("long", 24);
    const first = desk.start(["sequence", "register", "long"]);
    let said = "";
    for await (const chunk of first.stderr ?? []) {
      said += String(chunk);
      if (/Sent [3-9]\d %/.test(said)) break;
    }
    first.kill("SIGKILL");
    if (first.exitCode === null && first.signalCode === null) await once(first, "exit");
    const listed = await desk.run(["sequence", "list", "--json"]);
    const { sequences }: { sequences: { sequenceId: string; progress: { framesReceived: number } }[] } =
      JSON.parse(listed.out);
    expect(sequences).toHaveLength(1);
    expect(sequences[0]?.progress.framesReceived).toBeGreaterThanOrEqual(8);
    const folder = inHome(".config/colophon/sequences");
    const [file = ""] = await readdir(folder);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);

    const second = await desk.run(["sequence", "register", "long", "--json"]);
    expect(second).toMatchObject({ code: 0 });
    expect(second.err).toMatch(/, \d+ sent before/);
    expect(printed(second)).toMatchObject({ outcome: "registered", sequenceId: sequences[0]?.sequenceId });
    expect(await desk.run(["sequence", "list"])).toMatchObject({
      out: "",
      err: expect.stringContaining("No sequence that was begun here is unfinished"),
    });
  });

  it("interrupted says how to go on, and can be abandoned", async () => {
    await desk.paint("dropped", 12);
    const child = desk.start(["sequence", "register", "dropped"]);
    onceSaid(child, "Sent", () => child.kill("SIGINT"));
    const outcome = await outcomeOf(child);
    expect(outcome).toMatchObject({ code: 130, out: "" });
    expect(outcome.err).toContain("The same command goes on where it stopped.");
    const [id = ""] = /[0-9a-f-]{36}/.exec((await desk.run(["sequence", "list"])).out) ?? [];
    const abandoned = await desk.run(["sequence", "abandon", id]);
    expect(abandoned).toMatchObject({ code: 0, err: "" });
    expect(abandoned.out).toMatch(/^Abandoned; the service dropped what it held of \d+ frames?\.\n$/);
    expect((await desk.run(["sequence", "abandon", id])).code).toBe(2);
  });

  it("whose unfinished sequence is gone is begun again", async () => {
    const [first = ""] = await desk.paint("gone", 2);
    const { out } = await desk.run(["register", first, "--json"]);
    expect((await desk.run(["sequence", "register", "gone"])).code).toBe(6);
    const folder = inHome(".config/colophon/sequences");
    const [file = ""] = await readdir(folder);
    const saved = await readFile(join(folder, file), "utf8");
    const [id = ""] = /[0-9a-f-]{36}/.exec((await desk.run(["sequence", "list"])).out) ?? [];
    expect((await desk.run(["sequence", "abandon", id])).code).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    await writeFile(join(folder, file), saved);
    const [, registration = ""] = /"registrationId": "([^"]+)"/.exec(out) ?? [];
    expect((await desk.run(["takedown", registration])).code).toBe(0);
    const outcome = await desk.run(["sequence", "register", "gone"]);
    expect(outcome.code).toBe(0);
    expect(outcome.err).toContain("The sequence of an earlier run is gone: starting again.");
    expect(outcome.err).toContain("2 frames registered as sequence");
  });

  it("with a frame that is registered already is not registered, unless that frame is left out", async () => {
    const [, second = ""] = await desk.paint("mixed", 4);
    expect((await desk.run(["register", second])).code).toBe(0);
    const refused = await desk.run(["sequence", "register", "mixed"]);
    expect(refused.code).toBe(6);
    expect(refused.out).toMatch(/2 +mixed\/picture-1\.jpg +not new +[0-9a-f]{64}/);
    expect(refused.err).toContain("1 of 4 frames match registered originals, and nothing is registered.");
    const listed = await desk.run(["sequence", "list"]);
    expect(listed.out).toMatch(/open +4 +0 +1 +mixed\n/);
    const left = await desk.run(["sequence", "register", "mixed", "--leave-out-registered"]);
    expect(left.code).toBe(0);
    expect(left.err).toMatch(/3 frames registered as sequence [0-9a-f]{64}, 1 frame left out\./);
  });

  it("with a frame that the service cannot read names it", async () => {
    await desk.paint("broken", 2);
    await writeFile(inHome("broken/picture-2.jpg"), "no image");
    const outcome = await desk.run(["sequence", "register", "broken"]);
    expect(outcome).toMatchObject({ code: 3, out: "" });
    expect(outcome.err).toContain("Refused because of frame 3 (broken/picture-2.jpg).");
  });
});

it("is refused to accounts without sequences", async () => {
  const token = await desk.anotherToken(1, 1);
  const outcome = await desk.run(["sequence", "register", "burst", "--json"], { COLOPHON_TOKEN: token });
  expect(outcome).toMatchObject({ code: 3, out: "" });
  expect(JSON.parse(outcome.err.trim().split("\n").at(-1) ?? "")).toMatchObject({
    title: "Sequences not enabled",
  });
});
