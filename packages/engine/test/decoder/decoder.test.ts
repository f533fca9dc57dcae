import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { Decoder } from "../../src/decoder/decoder.ts";
import { readPicture } from "../../src/image/coded/read-picture.ts";

const setting = {
  acceptedTypes: ["image/jpeg", "image/png", "image/webp"],
  maxImagePixels: 50_000_000,
};
const [width, height] = [300, 200];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-decoder-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const REQUESTS = new URL("../../src/decoder/requests.ts", import.meta.url).href;

/** What a decoder process does in a test, as statements; nothing unless named. */
interface Conduct {
  /** Once it has an image's `bytes`. */
  readonly onImage?: string;
  /** Once it has a command about the image. */
  readonly onCommand?: string;
  readonly cacheLimits?: readonly number[];
}

/** A decoder process that reads requests as the real one does, says `ready`, and does what a test needs. */
async function entry(name: string, { onImage, onCommand, cacheLimits }: Conduct): Promise<URL> {
  const file = join(folder, `${name}.mjs`);
  const script = `
    import { readRequests } from ${JSON.stringify(REQUESTS)};
    const send = (message) => {
      const text = Buffer.from(JSON.stringify(message));
      const lengths = Buffer.alloc(8);
      lengths.writeUInt32LE(text.length, 0);
      process.stdout.write(Buffer.concat([lengths, text]));
    };
    readRequests(0, {
      memory: (length) => new Uint8Array(length),
      image: (bytes) => { ${onImage ?? ""}; return true; },
      command: () => { ${onCommand ?? ""} },
      ended: () => process.exit(0),
    });
    send({ kind: "ready", cacheLimits: ${JSON.stringify(cacheLimits ?? [0, 0, 0])} });
  `;
  await writeFile(file, script);
  return pathToFileURL(file);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process has ended. */
async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false);
}

async function decode(decoder: Decoder, bytes: Uint8Array): Promise<Awaited<ReturnType<Decoder["read"]>>> {
  const weighed = await decoder.weigh([bytes.subarray(0, 100), bytes.subarray(100)]);
  return weighed.outcome === "weighed" ? decoder.read() : weighed;
}

const scene = paintedPicture(71, width, height);

describe("a decoder", () => {
  it("gives what decoding here gives, image after image, large ones and small", async () => {
    await using decoder = await Decoder.open(setting);
    const large = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: "#a52" } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(large.length).toBeGreaterThan(10_000_000);
    for (const bytes of [await scene, large, await scene]) {
      expect(await decode(decoder, bytes)).toEqual({
        outcome: "read",
        picture: await readPicture(bytes, setting),
      });
    }
    expect(await decode(decoder, large.subarray(0, 9_000_000))).toMatchObject({ name: "ImageUndecodable" });
  });

  it("weighs an image and forgets it", async () => {
    await using decoder = await Decoder.open(setting);
    const weighed = await decoder.weigh([await scene]);
    expect(weighed).toMatchObject({ outcome: "weighed" });
    await decoder.drop();
    expect((await decode(decoder, await scene)).outcome).toBe("read");
  });

  it("knows nothing of the service's environment", async () => {
    process.env["COLOPHON_KEY_ENCRYPTION_KEY"] = "a secret";
    try {
      await using decoder = await Decoder.open(setting);
      if (process.platform !== "linux") return;
      const environment = await readFile(`/proc/${decoder.pids[0]}/environ`, "latin1");
      expect(environment).not.toContain("COLOPHON");
      expect(await readFile(`/proc/${decoder.pids[0]}/oom_score_adj`, "utf8")).toBe("1000\n");
    } finally {
      delete process.env["COLOPHON_KEY_ENCRYPTION_KEY"];
    }
  });

  it("says that it was ended from outside, and another serves", async () => {
    await using decoder = await Decoder.open(setting);
    const [pid = 0] = decoder.pids;
    expect((await decoder.weigh([await scene])).outcome).toBe("weighed");
    process.kill(pid, "SIGKILL");
    expect(await decoder.read()).toEqual({ outcome: "lost", failed: false });
    expect(isAlive(pid)).toBe(false);
    expect((await decode(decoder, await scene)).outcome).toBe("read");
    expect(decoder.pids).not.toContain(pid);
  });

  it("outlives signals that reach all processes of a service, and ends when it is closed", async () => {
    const decoder = await Decoder.open(setting);
    const [pid = 0] = decoder.pids;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(pid, signal);
    expect((await decode(decoder, await scene)).outcome).toBe("read");
    expect(decoder.pids).toEqual([pid]);
    await decoder[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });
});

describe("a decoder process that fails", () => {
  it("is refused when libvips would keep pictures", async () => {
    const script = await entry("cache-on", { cacheLimits: [52_428_800, 20, 100] });
    await expect(Decoder.open({ ...setting, entry: script })).rejects.toThrow("cache");
  });

  it("is refused when it ends before it serves", async () => {
    const script = join(folder, "ends.mjs");
    await writeFile(script, "process.exit(3);");
    await expect(Decoder.open({ ...setting, entry: pathToFileURL(script) })).rejects.toThrow("did not start");
  });

  it("is replaced, and said to have failed", async () => {
    const script = await entry("fails", { onImage: "process.exit(1)" });
    await using decoder = await Decoder.open({ ...setting, entry: script });
    const [pid = 0] = decoder.pids;
    expect(await decoder.weigh([await scene])).toEqual({ outcome: "lost", failed: true });
    expect(isAlive(pid)).toBe(false);
    expect(await decoder.weigh([await scene])).toEqual({ outcome: "lost", failed: true });
  });

  it("is killed, and said to have failed, when what it sends is no message", async () => {
    const script = await entry("garbled", { onImage: "process.stdout.write(Buffer.alloc(64, 255))" });
    await using decoder = await Decoder.open({ ...setting, entry: script });
    expect(await decoder.weigh([await scene])).toEqual({ outcome: "lost", failed: true });
  });

  it("is killed when it hangs, before anything is said", async () => {
    const script = await entry("hangs", {
      onImage: `send({ kind: "cost", cost: { memoryBytes: 1, seconds: 0.1 } })`,
      onCommand: "for (;;);",
    });
    await using decoder = await Decoder.open({ ...setting, entry: script });
    const [pid = 0] = decoder.pids;
    expect((await decoder.weigh([Uint8Array.of(1, 2, 3)])).outcome).toBe("weighed");
    expect(await decoder.read()).toEqual({ outcome: "lost", failed: false });
    expect(isAlive(pid)).toBe(false);
  });

  it("is replaced when it has kept too much, or took more than it said", async () => {
    const onImage = `send({ kind: "declined", name: "ImageUndecodable", message: "no", residentBytes: 1e9 })`;
    await using decoder = await Decoder.open({ ...setting, entry: await entry("grows", { onImage }) });
    const [pid = 0] = decoder.pids;
    expect(await decoder.weigh([await scene])).toMatchObject({ name: "ImageUndecodable" });
    await expectGone(pid);
    for (const [exceeded, name] of [
      ["memory", "ImageTooCostly"],
      ["time", "ImageTooSlow"],
    ]) {
      const exhausted = `send({ kind: "exhausted", exceeded: "${exceeded}" })`;
      await using other = await Decoder.open({
        ...setting,
        entry: await entry(`exceeds-${exceeded}`, { onImage: exhausted }),
      });
      const [first = 0] = other.pids;
      expect(await other.weigh([await scene])).toMatchObject({ outcome: "declined", name });
      expect(isAlive(first)).toBe(false);
    }
  });
});

it("ends with the process that started it, even one that is killed", async () => {
  const parent = join(folder, "parent.mjs");
  const module = new URL("../../src/decoder/decoder.ts", import.meta.url).href;
  await writeFile(
    parent,
    `import { Decoder } from ${JSON.stringify(module)};
     const decoder = await Decoder.open(${JSON.stringify(setting)});
     process.stdout.write(String(decoder.pids[0]));
     setInterval(() => {}, 1000);`,
  );
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [parent], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = Number(await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve)));
  expect(isAlive(pid)).toBe(true);
  child.kill("SIGKILL");
  await expectGone(pid);
});
