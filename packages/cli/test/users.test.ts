import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { openAsBlob } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AccountStats, Verification } from "@colophon/contract";
import { blake3Hex } from "@colophon/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../src/failure.ts";
import { Front } from "./front.ts";
import { ADMIN_TOKEN, Desk, onceSaid, type Outcome, outcomeOf } from "./support.ts";

interface Item {
  readonly name: string;
  readonly sent: boolean;
  readonly rejectionReason: string | null;
  readonly answer: { readonly state: string; readonly registrationId: string | null } | null;
}

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open();
});

afterAll(async () => {
  await desk[Symbol.asyncDispose]();
});

const inHome = (path: string): string => join(desk.home, path);

const openssl = (...args: string[]): string =>
  execFileSync("openssl", args, { cwd: desk.home, encoding: "utf8", stdio: "pipe" });

function itemsOf({ out }: Outcome): readonly Item[] {
  return (JSON.parse(out) as { items: readonly Item[] }).items;
}

/** Where somebody answers every call with the same text. */
async function answering(answer: string): Promise<string> {
  const stranger = createServer((request, response) => {
    request.resume().on("end", () => response.end(answer));
  });
  stranger.listen(0, "127.0.0.1").unref();
  await once(stranger, "listening");
  return `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
}

async function consumed(token = desk.token): Promise<{ registrations: number; lookups: number }> {
  const { code, out } = await desk.run(["stats", "--json"], { COLOPHON_TOKEN: token });
  expect(code).toBe(0);
  const { registrations, lookups }: AccountStats = JSON.parse(out);
  return { registrations: registrations.consumed, lookups: lookups.consumed };
}

describe("an image", () => {
  it("is registered with manifests, found, recorded, verified and taken down", async () => {
    const [picture = ""] = await desk.paint("one", 1);
    await writeFile(inHome("training.json"), '{ "use": "notAllowed", "weight": 1.0 }\n');
    const registered = await desk.run(["register", picture, "--manifest", "training=training.json"]);
    expect(registered).toMatchObject({ code: 0 });
    expect(registered.err).toContain("1 file: 1 registered, 0 not.");
    const [id = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(registered.out) ?? [];

    const hash = blake3Hex(await readFile(inHome(picture)));
    const found = await desk.run(["lookup", picture]);
    expect(found).toMatchObject({ code: 0 });
    expect(found.out).toMatch(new RegExp(`yes +${hash} +${picture}`));

    const bytes = await readFile(inHome(picture));
    const piped = desk.start(["lookup", "-"]);
    piped.stdin?.end(bytes);
    expect((await outcomeOf(piped)).out).toMatch(new RegExp(`yes +${hash} +-`));
    const mine = await desk.run(["library", "--file", picture]);
    expect(mine).toMatchObject({ code: 0, err: "" });
    expect(mine.out).toMatch(new RegExp(`${id} +${hash} +training +`));

    const byFile = await desk.run(["record", picture]);
    const byHash = await desk.run(["record", hash]);
    expect(byFile).toEqual({ ...byHash, code: 0, err: "" });
    expect(byFile.out).toContain('{ "use": "notAllowed", "weight": 1.0 }\n');
    await writeFile(inHome("record.json"), byFile.out);
    const { verification }: { verification: { certificateChain: string[] } } = JSON.parse(byFile.out);
    await writeFile(inHome("root.pem"), verification.certificateChain.at(-1) ?? "");

    const offline = { COLOPHON_BASE_URL: "http://127.0.0.1:1", COLOPHON_TOKEN: "" };
    const root = ["--trust-root", "root.pem"];
    const verified = await desk.run(["verify", "record.json", ...root, "--original", picture], offline);
    expect(verified).toMatchObject({ code: 0, err: "" });
    expect(verified.out).toMatch(/passed +originalFile/);
    expect(verified.out.endsWith("Verified.\n")).toBe(true);
    expect(await desk.run(["verify", picture, ...root])).toMatchObject({ code: 0, out: verified.out });

    expect(await desk.run(["takedown", id])).toEqual({ code: 0, out: "Taken down.\n", err: "" });
    const gone = await desk.run(["lookup", picture]);
    expect(gone).toMatchObject({ code: 5 });
    expect(gone.out).toMatch(new RegExp(`no +- +${picture}`));
    const noRecord = await desk.run(["record", hash]);
    expect(noRecord).toMatchObject({
      code: 5,
      out: "",
      err: "That original was registered and has been taken down.\n",
    });
    expect(await desk.run(["library", "--hash", hash])).toMatchObject({ code: 5 });
    const taken = await desk.run(["verify", picture, ...root]);
    expect(taken).toMatchObject({ code: 5, out: expect.stringContaining("has been taken down.") });
  });

  it("is verified from a file that an editor has saved, and what else is verified says what to do", async () => {
    const record = await readFile(inHome("record.json"), "utf8");
    await writeFile(inHome("marked.json"), `\ufeff${record}`);
    const root = ["--trust-root", "root.pem"];
    expect(await desk.run(["verify", "marked.json", ...root])).toMatchObject({ code: 0, err: "" });
    await writeFile(inHome("wide.json"), `\ufeff${record}`, "utf16le");
    const wide = await desk.run(["verify", "wide.json", ...root]);
    expect(wide).toMatchObject({ code: 2, out: "", err: expect.stringContaining("save it as UTF-8") });

    const [stranger = ""] = await desk.paint("stranger", 1);
    const absent = await desk.run(["verify", stranger, ...root]);
    expect(absent.code).toBe(5);
    expect(absent.out).toContain(`This very file is not registered; colophon lookup '${stranger}' finds`);

    openssl("genpkey", "-algorithm", "ed25519", "-out", "other.key");
    openssl("req", "-x509", "-new", "-key", "other.key", "-subj", "/O=Other", "-out", "other.pem");
    const other = await desk.run(["verify", "record.json", "--trust-root", "other.pem"]);
    expect(other.code).toBe(5);
    expect(other.out).toContain(
      "The record is consistent but does not lead to the root given: another registry",
    );
  });

  it("is verified where openssl agrees", async () => {
    const { verification }: { verification: Verification } = JSON.parse(
      await readFile(inHome("record.json"), "utf8"),
    );
    const { leafCertificate, certificateChain, contentHash, signature } = verification;
    await writeFile(inHome("leaf.pem"), leafCertificate);
    await writeFile(inHome("chain.pem"), certificateChain.slice(0, -1).join("\n"));
    await writeFile(inHome("hash.bin"), Buffer.from(contentHash, "hex"));
    await writeFile(inHome("signature.bin"), Buffer.from(signature, "base64"));
    const chain = ["-CAfile", "root.pem", "-untrusted", "chain.pem", "leaf.pem"];
    expect(openssl("verify", "-no_check_time", ...chain)).toContain("leaf.pem: OK");
    await writeFile(inHome("key.pem"), openssl("x509", "-in", "leaf.pem", "-pubkey", "-noout"));
    const key = ["-pubin", "-inkey", "key.pem", "-rawin", "-in", "hash.bin", "-sigfile", "signature.bin"];
    expect(openssl("pkeyutl", "-verify", ...key)).toContain("Signature Verified Successfully");
  });

  it("whose record was tampered with is not verified, and the failure is named", async () => {
    const record = await readFile(inHome("record.json"), "utf8");
    await writeFile(inHome("tampered.json"), record.replace("notAllowed", "allowed"));
    const tampered = await desk.run(["verify", "tampered.json", "--trust-root", "root.pem"]);
    expect(tampered).toMatchObject({ code: 5, err: "" });
    expect(tampered.out).toMatch(/failed +manifestHash 1 +The manifest does not have the hash/);
    expect(tampered.out.endsWith("Not verified.\n")).toBe(true);

    const newKey = ["-newkey", "ed25519", "-nodes", "-keyout", "key.pem"];
    openssl("req", "-x509", ...newKey, "-subj", "/CN=Another", "-out", "other.pem");
    const anchor = await desk.run(["verify", "record.json", "--trust-root", "other.pem", "--json"]);
    expect(anchor.code).toBe(5);
    expect(JSON.parse(anchor.out)).toMatchObject({
      verdict: "failed",
      checks: expect.arrayContaining([expect.objectContaining({ name: "trustRoot", result: "failed" })]),
    });
    const loose = await desk.run(["verify", "record.json"]);
    expect(loose).toMatchObject({ code: 5 });
    expect(loose.out).toContain("--trust-root");
  });
});

describe("a registration", () => {
  it("keeps its manifests, and says so of those that another run brings", async () => {
    const [picture = ""] = await desk.paint("final", 1);
    expect(await desk.run(["register", picture])).toMatchObject({ code: 0 });
    await writeFile(inHome("late.json"), '{ "credit": "late" }');
    const late = await desk.run(["register", picture, "--manifest", "credit=late.json"]);
    expect(late.code).toBe(6);
    expect(late.out).toMatch(/yours already .*The manifests given were not added: .* are final/);
    const asJson = await desk.run(["register", picture, "--manifest", "credit=late.json", "--json"]);
    expect(asJson).toMatchObject({ code: 6, err: expect.stringContaining("were not added") });
    expect((await desk.run(["library", "--file", picture])).out).not.toContain("credit");
    const without = await desk.run(["register", picture]);
    expect(without.code).toBe(0);
    expect(without.out).not.toContain("manifests");
  });
});

describe("what answers with something else", () => {
  it.each([
    ["{}", ["stats"]],
    ["null", ["library"]],
    ["\u001b[2JAll is verified.", ["record", "0".repeat(64)]],
  ])("%j is named, and steers no terminal", async (answer, args) => {
    const { code, out, err } = await desk.run([...args, "--url", await answering(answer)]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^What came cannot be read: [^\p{Cc}]+ Does a Colophon service [^\p{Cc}]+\n$/u);
  });
});

describe("places", () => {
  it("are drawn as text, and on the image itself as SVG, unless an operator sets the original aside", async () => {
    const scene = fileURLToPath(new URL("../../server/samples/harbour.jpg", import.meta.url));
    const crop = fileURLToPath(new URL("../../server/samples/harbour-crop.jpg", import.meta.url));
    const { out } = await desk.run(["register", scene]);
    const [id = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(out) ?? [];
    const found = await desk.run(["inspect", crop, "--svg", "places.svg"]);
    expect(found).toMatchObject({ code: 0, err: "" });
    expect(found.out).toContain("1. It shows about");
    expect(found.out).toContain(`yours, registration ${id}`);
    expect(found.out).toMatch(/\|1{40,60}\|/);
    const svg = await readFile(inHome("places.svg"), "utf8");
    expect(svg).toContain(`base64,${(await readFile(crop)).toString("base64")}"`);
    expect(svg.match(/<polygon points="[\d., ]+"/g)).toHaveLength(2);
    const told = JSON.parse((await desk.run(["inspect", crop, "--json"])).out);
    const strange = '</title>"/><script>alert(1)</script>';
    const matches = [{ ...told.matches[0], originalImageHash: strange }];
    const url = await answering(JSON.stringify({ ...told, width: strange, matches }));
    expect((await desk.run(["inspect", crop, "--svg", "strange.svg", "--url", url])).code).toBe(0);
    const drawn = await readFile(inHome("strange.svg"), "utf8");
    expect(drawn.match(/<\/?\w+/g)).not.toContain("<script");
    expect(drawn).toContain('<image width="&#60;/title&#62;&#34;/&#62;');
    const { lookups } = await consumed();
    const nowhere = await desk.run(["inspect", crop, "--svg", "nowhere/places.svg"]);
    expect(nowhere).toEqual({
      code: 2,
      out: "",
      err: "'nowhere/places.svg' cannot be written: there is no folder 'nowhere'.\n",
    });
    expect((await desk.run(["inspect", crop, "--svg", "."])).err).toContain("it is a folder");
    expect((await consumed()).lookups).toBe(lookups);
    const full = await desk.run(["inspect", crop, "--svg", "/dev/full"]);
    expect(full).toMatchObject({ code: 2, out: found.out });
    expect(full.err).toBe("'/dev/full' cannot be written: the disk is full.\n");
    const whole = await desk.run(["inspect", scene]);
    expect(whole.out).toContain("1. It is the same file.");

    const again = await desk.run(["register", scene]);
    expect(again.err).toContain("1 file: 0 registered, 1 yours already, 0 not.");
    expect(again.out).toContain("yours already");
    const hash = blake3Hex(await readFile(scene));
    const operator = { COLOPHON_ADMIN_TOKEN: ADMIN_TOKEN };
    const act = (...args: string[]): Promise<Outcome> => desk.run(["original", ...args], operator);
    expect(await act("set-aside", hash)).toMatchObject({ code: 2, out: "" });
    const noHash = await act("set-aside", "nothash", "--reason", "a form");
    expect(noHash).toMatchObject({ code: 2, err: expect.stringContaining("takes 64 hex digits") });
    expect(await act("set-aside", hash, "--reason", "a form")).toEqual({
      code: 0,
      out: "Set aside; if it already was, nothing was recorded.\n",
      err: "",
    });
    expect(await desk.run(["inspect", crop])).toMatchObject({ code: 5 });
    expect(await desk.run(["lookup", scene])).toMatchObject({ code: 0 });
    const back = await act("reinstate", hash, "--reason", "no form", "--json");
    expect(JSON.parse(back.out)).toEqual({ setAside: false });
    expect(await desk.run(["inspect", crop])).toMatchObject({ code: 0 });

    expect(await act("takedown", hash, "--reason", "an order")).toMatchObject({ out: "Taken down.\n" });
    expect(await act("set-aside", hash, "--reason", "gone")).toMatchObject({ code: 3, out: "" });
    expect(await desk.run(["inspect", crop])).toMatchObject({
      code: 5,
      out: expect.stringContaining("no match in this registry"),
    });
  });
});

describe("the library", () => {
  it("lists registrations, newest first, and what is open", async () => {
    const token = await desk.anotherToken(5, 20);
    const mine = { COLOPHON_TOKEN: token };
    const paths = await desk.paint("owned", 3);
    await desk.run(["register", ...paths], mine);
    const listed = await desk.run(["library", "--limit", "2", "--json"], mine);
    const { registrations }: { registrations: { originalImageHash: string }[] } = JSON.parse(listed.out);
    expect(registrations).toHaveLength(2);
    expect(listed.err).toContain("There are more than these 2");
    expect((await desk.run(["library"], mine)).out.trim().split("\n")).toHaveLength(4);
    const headers = { authorization: `Bearer ${token}` };
    const opened = await fetch(`${desk.baseUrl}/slots`, { method: "POST", headers });
    const { slotId }: { slotId: string } = (await opened.json()) as { slotId: string };
    expect((await desk.run(["library", "--slots"], mine)).out).toMatch(
      new RegExp(`${slotId} +registrations +0`),
    );
    expect(await desk.run(["library", "--sequences"], mine)).toEqual({
      code: 0,
      out: "",
      err: "No sequence is open: all that were begun are registered or abandoned.\n",
    });
  });
});

describe("a folder", () => {
  it("is registered with its subfolders, and what does not come through is named", async () => {
    await desk.paint("mixed", 2);
    await desk.paint("mixed/sub", 1);
    await writeFile(inHome("mixed/scan.tiff"), "a type the service does not take");
    await writeFile(inHome("mixed/notes.txt"), "no image");
    const [pasted = ""] = await desk.paint("pasted", 1);
    await rename(inHome(pasted), inHome("mixed/pasted.jfif"));
    await writeFile(inHome("mixed/.hidden.jpg"), "no image");
    await desk.paint("mixed/.thumbnails", 1);
    const [linked = ""] = await desk.paint("elsewhere", 1);
    await symlink(inHome(linked), inHome("mixed/link.jpg"));
    await symlink(inHome("nowhere.jpg"), inHome("mixed/broken.jpg"));
    await symlink(inHome("mixed"), inHome("mixed/itself"));
    const outcome = await desk.run(["register", "mixed", "--json"]);
    expect(outcome.code).toBe(6);
    expect(outcome.err).toContain("Left out, for their names are not those of images: 'mixed/notes.txt'.");
    expect(outcome.err).toContain("a service takes JPEG, PNG and WebP pictures of up to 64 MiB");
    const items = itemsOf(outcome);
    expect(items.map(({ name }) => name)).toEqual([
      "mixed/link.jpg",
      "mixed/pasted.jfif",
      "mixed/picture-0.jpg",
      "mixed/picture-1.jpg",
      "mixed/scan.tiff",
      "mixed/sub/picture-0.jpg",
    ]);
    const states = items.map(({ answer, rejectionReason }) => answer?.state ?? rejectionReason);
    const [registered, rejected] = ["registered", "Unsupported image content type."];
    expect(states).toEqual([registered, registered, registered, registered, rejected, registered]);
  });

  it("with two files of the same bytes is counted as it is charged", async () => {
    const before = await consumed();
    const [picture = ""] = await desk.paint("alike", 2);
    await copyFile(inHome(picture), inHome("alike/copy.jpg"));
    expect((await desk.run(["register", "alike"])).err).toContain(
      "3 files of 2 images: 2 registered, 0 not.",
    );
    expect((await consumed()).registrations - before.registrations).toBe(2);
    const again = await desk.run(["register", "alike"]);
    expect(again.err).toContain("3 files of 2 images: 0 registered, 2 yours already, 0 not.");
  });

  it("names three of the files it leaves out, and counts the others", async () => {
    await desk.paint("notes", 1);
    for (const name of ["a", "b", "c", "d", "e"]) await writeFile(inHome(`notes/${name}.txt`), "no image");
    expect((await desk.run(["lookup", "notes"])).err).toMatch(
      /of images: ('notes\/\w\.txt'(, )?){3} and 2 other files\. A file that is named itself is sent\.\n/,
    );
  });

  it("whose files are named is sent as what their bytes are, whatever they are called", async () => {
    const [picture = ""] = await desk.paint("named", 1);
    const bytes = await readFile(inHome(picture));
    const names = ["named/untitled", "named/saved.gif", "named/\u6d77\u8fba.jpg"];
    for (const name of names) await writeFile(inHome(name), bytes);
    const { code, out } = await desk.run(["lookup", ...names]);
    expect(code).toBe(5);
    const [titles = "", ...rows] = out.trimEnd().split("\n");
    expect(rows.map((row) => row.slice(0, 2))).toEqual(["no", "no", "no"]);
    // Two characters of the last name take four columns.
    const place = titles.indexOf("REASON");
    expect(rows.map((row) => row.lastIndexOf("-"))).toEqual([place, place, place - 2]);
  });

  it("killed halfway goes on where it stopped, and says what had been sent before", async () => {
    const before = await consumed();
    await desk.paint("large", 24);
    await using front = await Front.before(desk.baseUrl);
    const through = { COLOPHON_BASE_URL: front.baseUrl };
    const first = desk.start(["register", "large"], through);
    let said = "";
    for await (const chunk of first.stderr ?? []) {
      said += String(chunk);
      if (/Uploaded [3-9]\d %/.test(said)) break;
    }
    first.kill("SIGKILL");
    if (first.exitCode === null && first.signalCode === null) await once(first, "exit");
    front.open();
    const second = await desk.run(["register", "large", "--json"], through);
    expect(second).toMatchObject({ code: 0 });
    const items = itemsOf(second);
    expect(items.filter(({ sent }) => !sent)).toHaveLength(8);
    expect(second.err).toContain(
      "24 files: 24 registered, 0 not. 8 had been sent before and were not sent again.",
    );
    expect((await consumed()).registrations - before.registrations).toBe(24);

    const third = await desk.run(["register", "large/*.jpg", "--json"]);
    expect(third.code).toBe(0);
    expect(itemsOf(third).map(({ answer }) => answer)).toEqual(
      items.map(({ answer }) => ({
        ...answer,
        state: "errata",
        failureReason: "This image is already registered.",
      })),
    );
  });

  it("interrupted says how to go on; an interrupted look-up has its pixels dropped", async () => {
    await desk.paint("stopped", 12);
    for (const [command, advice] of [
      ["register", "The same command goes on where it stopped."],
      ["lookup", "the service was told to drop what it held."],
    ] as const) {
      const child = desk.start([command, "stopped"]);
      onceSaid(child, "Uploaded", () => child.kill("SIGINT"));
      const outcome = await outcomeOf(child);
      expect(outcome).toMatchObject({ code: 130, out: "" });
      expect(outcome.err).toContain(advice);
    }
    const held = async (): Promise<number> => {
      const { out } = await desk.run(["stats", "--json"]);
      return (JSON.parse(out) as AccountStats).lookups.held;
    };
    await expect.poll(held).toBe(0);
  });

  it("whose interrupted look-up the service did not hear of is told so", async () => {
    await desk.paint("unheard", 12);
    const front = await Front.before(desk.baseUrl);
    const child = desk.start(["lookup", "unheard"], { COLOPHON_BASE_URL: front.baseUrl });
    onceSaid(child, "Uploaded", () => void front[Symbol.asyncDispose]().then(() => child.kill("SIGINT")));
    const outcome = await outcomeOf(child);
    expect(outcome).toMatchObject({ code: 130, out: "" });
    expect(outcome.err).toContain(
      "the service did not hear it, and drops what it holds when its time is over.",
    );
  });

  it("whose look-up is interrupted while it is committed gets its answers all the same", async () => {
    await desk.paint("late", 2);
    await using front = await Front.before(desk.baseUrl, { holdsCommits: true });
    const child = desk.start(["lookup", "late"], { COLOPHON_BASE_URL: front.baseUrl });
    onceSaid(child, "Committing", () => child.kill("SIGINT"));
    onceSaid(child, "waiting for its answers", () => front.open());
    const outcome = await outcomeOf(child);
    expect(outcome.code).toBe(130);
    expect(outcome.out.match(/^no .*late/gm)).toHaveLength(2);
    expect(outcome.err).not.toContain("drop");
  });

  it("whose unfinished slot is gone is begun again", async () => {
    const folder = inHome(".config/colophon/batches");
    const [file = ""] = await readdir(folder);
    const { slotId }: { slotId: string } = JSON.parse(await readFile(join(folder, file), "utf8"));
    const headers = { authorization: `Bearer ${desk.token}` };
    const { status } = await fetch(`${desk.baseUrl}/slots/${slotId}`, { method: "DELETE", headers });
    expect(status).toBe(204);
    const outcome = await desk.run(["register", "stopped"]);
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.err).toContain("starting again");
    expect(outcome.err).toContain("12 files: 12 registered, 0 not.\n");
    expect(await readdir(folder)).toEqual([]);
  });

  it("is registered as far as the grant covers it", async () => {
    const token = await desk.anotherToken(1, 20);
    await desk.paint("beyond", 2);
    const outcome = await desk.run(["register", "beyond"], { COLOPHON_TOKEN: token });
    expect(outcome.code).toBe(6);
    expect(outcome.out).toContain("remaining registration grant");
    expect(outcome.err).toContain("2 files: 1 registered, 1 not.");
    expect(outcome.err).toContain("colophon stats shows what is left, and the operator can raise it.");
    expect(await consumed(token)).toMatchObject({ registrations: 1 });
  });
});

describe("the profile", () => {
  const fromProfile = { COLOPHON_BASE_URL: "", COLOPHON_TOKEN: "" };

  it("is written by login for its owner alone, and used for its service alone", async () => {
    expect(await desk.run(["stats"], fromProfile)).toMatchObject({ code: 2, out: "" });
    const refused = await desk.run(["login"], {}, "clp_not-a-token\n");
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).not.toContain("clp_not-a-token");

    const kept = await desk.run(["login", "--url", desk.baseUrl], fromProfile, `${desk.token}\n`);
    expect(kept).toMatchObject({ code: 0, err: "" });
    expect(kept.out).not.toContain(desk.token);
    const file = inHome(".config/colophon/profile.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const stats = await desk.run(["stats"], fromProfile);
    expect(stats).toMatchObject({ code: 0, err: "" });
    expect(stats.out).toMatch(/Registrations +\d+ +\d+ +\d+ +100/);

    // Somebody opens a file that everybody may read, and reads it once there is a token to be had.
    await writeFile(file, JSON.stringify({ baseUrl: desk.baseUrl, token: "" }));
    await chmod(file, 0o644);
    await using older = await open(file);
    const url = { ...fromProfile, COLOPHON_BASE_URL: desk.baseUrl };
    const again = await desk.run(["login"], url, `${desk.token}\n`);
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(await older.readFile("utf8")).not.toContain(desk.token);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(inHome(".config/colophon"))).not.toContainEqual(expect.stringMatching(/json.+/));
    expect(JSON.parse(await readFile(file, "utf8")).baseUrl).toBe(desk.baseUrl);

    const elsewhere = await desk.run(["stats", "--url", "http://127.0.0.1:1"], fromProfile);
    expect(elsewhere).toMatchObject({ code: 2, out: "" });
    await chmod(file, 0o644);
    expect(await desk.run(["stats"], fromProfile)).toMatchObject({ code: 2, out: "" });
  });
});

describe("what a command cannot do", () => {
  it("is said in one sentence, with the code of its kind and nothing of the command line", async () => {
    const secret = "clp_pasted-by-mistake";
    const wrong: [string[], number][] = [
      [["register"], 2],
      [["register", secret], 2],
      [["register", "one", "--manifest", secret], 2],
      [["register", "one", "--manifest", `kind=${secret}`], 2],
      [["lookup", `${secret}/*.jpg`], 2],
      [["record", secret], 2],
      [["verify", secret], 2],
      [["verify", "training.json"], 2],
      [["verify", "record.json", "--trust-root", secret], 2],
      [["takedown", "00000000-0000-4000-8000-000000000000"], 3],
      [["stats", "--url", "http://127.0.0.1:1"], 4],
    ];
    for (const [args, code] of wrong) {
      const outcome = await desk.run(args);
      expect({ args, code: outcome.code, out: outcome.out }).toEqual({ args, code, out: "" });
      expect(outcome.err).not.toBe("");
      expect(outcome.err).not.toContain(secret);
    }
    await writeFile(inHome("empty.pem"), "");
    await writeFile(inHome("broken.json"), "{");
    const operator = { COLOPHON_ADMIN_TOKEN: ADMIN_TOKEN };
    await writeFile(inHome("root.pem"), (await desk.run(["trust-root"], operator)).out);
    await writeFile(inHome("proof.txt"), (await desk.run(["log", "proof", "alike/copy.jpg"])).out);
    const named: [string[], string][] = [
      [["register", "no-such-folder"], "There is no file or folder 'no-such-folder'."],
      [
        ["register", "mixed/.thumbnails/..", "--manifest", "kind=broken.json"],
        "'broken.json' is not one JSON object in UTF-8, as the name of the file says; it goes wrong at line 1, column 2.",
      ],
      [["register", "one", "--manifest", "kind=training.txt"], "'training.txt' cannot be read"],
      [["verify", "record.json", "--trust-root", "empty.pem"], "'empty.pem' is not a root certificate"],
      [
        ["verify", "root.pem"],
        "'root.pem' is a certificate, which a record is verified by: give it with --trust-root",
      ],
      [
        ["verify", "proof.txt"],
        "'proof.txt' is a proof of the log, which a record is verified by: give it with --log-proof",
      ],
      [["record", "nowhere.jpg"], "'nowhere.jpg' is neither a hash"],
      [["register", "one", "--manifest", "a b=late.json"], "1 to 64 of A-Z a-z 0-9 . _ -, not 'a b'"],
      [["verify", "record.json", "--log-key", "nosuch"], "'nosuch' cannot be read: there is no such file"],
      [["library", "--hash", "12"], "not '12'"],
      [["library", "--limit", "0"], "of 1 or more"],
      [["lookup", "-"], "There is nothing on standard input."],
      [["stats"], "or the account is suspended: colophon login keeps another"],
      [["takedown", "harbour.jpg"], "colophon library --file FILE finds that of a file."],
    ];
    for (const [args, sentence] of named) {
      const token = args[0] === "stats" ? { COLOPHON_TOKEN: "clp_another" } : {};
      const { code, out, err } = await desk.run(args, token);
      const isRefused = args[0] === "stats" || args[0] === "takedown";
      expect({ args, code, out }).toEqual({ args, code: isRefused ? 3 : 2, out: "" });
      expect(err).toContain(sentence);
    }
    const refused = await desk.run(["takedown", "no-id", "--json"]);
    expect(JSON.parse(refused.err)).toMatchObject({ title: "Registration not found", status: 404 });
  });

  it("is said without the token where that is no word that can be sent", async () => {
    const halves = ["clp_first-half", "second-half"];
    const torn = halves.join("\n");
    const profile = inHome(".config/colophon/profile.json");
    await mkdir(inHome(".config/colophon"), { recursive: true });
    await writeFile(profile, JSON.stringify({ baseUrl: desk.baseUrl, token: torn }), { mode: 0o600 });
    await chmod(profile, 0o600);
    await mkdir(inHome("torn"));
    await writeFile(inHome("torn/admin-token"), `${torn}\n`);
    const cases: [string, string[], Record<string, string>, string?][] = [
      ["COLOPHON_TOKEN", ["stats"], { COLOPHON_TOKEN: torn }],
      ["COLOPHON_TOKEN", ["register", "one"], { COLOPHON_TOKEN: halves.join(" ") }],
      ["COLOPHON_ADMIN_TOKEN", ["account", "list"], { COLOPHON_ADMIN_TOKEN: torn }],
      ["torn/admin-token", ["account", "list", "--data-dir", "torn"], {}],
      [profile, ["stats"], { COLOPHON_TOKEN: "" }],
      ["What was typed or piped", ["login"], {}, halves.join("\u00a0")],
    ];
    for (const [place, args, environment, input] of cases) {
      expect(await desk.run(args, environment, input)).toEqual({
        code: 2,
        out: "",
        err: `${place} holds no token: that is one word of printable ASCII characters.\n`,
      });
    }
    await rm(profile);
  });

  it("is said of a file that is removed while it is read", async () => {
    const [picture = ""] = await desk.paint("removed", 1);
    const image = await openAsBlob(inHome(picture));
    await rm(inHome(picture));
    const fault = await image.arrayBuffer().catch((error: unknown) => Failure.of(error));
    expect(fault).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^A file was .* removed while/),
    });
  });

  it("every command's help names the exit codes", async () => {
    for (const command of [
      "login",
      "register",
      "lookup",
      "inspect",
      "recover",
      "library",
      "record",
      "verify",
      "takedown",
      "stats",
    ]) {
      const { code, out } = await desk.run([command, "--help"]);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: colophon ${command}`);
      expect(out).toContain("Exit codes: 0 done;");
    }
    expect(await desk.run(["lookup", "-h"])).toEqual(await desk.run(["lookup", "--help"]));
    expect(await desk.run(["help", "lookup"])).toEqual(await desk.run(["lookup", "--help"]));
    expect((await desk.run(["register", "--help"])).out).toContain("--manifest KIND=FILE");
  });
});
