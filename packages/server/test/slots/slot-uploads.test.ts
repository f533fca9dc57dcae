import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { IMAGE_REJECTIONS, manifestSentence, type UploadOutcome } from "@colophon/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostedImage, SlotClient } from "@colophon/testing/slot-client.ts";
import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "../support/slot-service.ts";

let service: SlotService;

beforeAll(async () => {
  service = await SlotService.start({
    COLOPHON_MAX_IMAGE_BYTES: "40000",
    COLOPHON_MAX_REQUEST_BYTES: "200000",
    COLOPHON_MAX_MANIFEST_BYTES: "1000",
    COLOPHON_MAX_MANIFESTS_PER_IMAGE: "2",
    COLOPHON_MAX_ERRATA_PER_SLOT: "2",
    COLOPHON_BODY_MEMORY_BYTES: "16777216",
  });
});
afterAll(() => service[Symbol.asyncDispose]());

/** A slot as it was opened. */
interface Opened {
  readonly slotId: string;
  readonly expiresAt: string;
}

async function openedSlot(by: SlotClient): Promise<Opened> {
  return (await by.openSlot()).body;
}

async function opened(by: SlotClient): Promise<string> {
  return (await openedSlot(by)).slotId;
}

function manifests(...texts: string[]): NonNullable<PostedImage["manifests"]> {
  return texts.map((text) => jsonManifest("a", text));
}

function reasons(outcomes: readonly UploadOutcome[]): readonly (string | null)[] {
  return outcomes.map((outcome) => outcome.rejectionReason);
}

async function expectUntouched(client: SlotClient, { slotId, expiresAt }: Opened): Promise<void> {
  expect((await client.slot(slotId)).body).toMatchObject({ entryCount: 0, expiresAt });
  expect(await client.stats()).toMatchObject({
    registrations: { consumed: 0, held: 0 },
    lookups: { consumed: 0, held: 0 },
  });
}

/** A body of parts as they are written here, for what a well-meaning client never sends. */
function rawBody(parts: readonly { headers: string; body: Uint8Array | string }[], close = true): Buffer {
  const chunks = parts.flatMap(({ headers, body }) => [
    Buffer.from(`--b\r\n${headers}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...chunks, Buffer.from(close ? "--b--\r\n" : "")]);
}

const IMAGE = 'Content-Disposition: form-data; name="image"; filename="a"\r\nContent-Type: image/jpeg';
const MANIFEST = 'Content-Disposition: form-data; name="manifest[a]"\r\nContent-Type: application/json';

async function post(
  client: SlotClient,
  path: string,
  body: Buffer,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(client.baseUrl + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${client.token}`,
      "content-type": "multipart/form-data; boundary=b",
    },
    body: Uint8Array.from(body),
  });
  return { status: response.status, body: await response.json() };
}

/**
 * Sends a chunked body and hands over the answer. With `abortOnce` it hangs up at that moment instead of ending it,
 * with `rest` it ends it with that.
 */
function stream(
  client: SlotClient,
  path: string,
  body: Buffer,
  { abortOnce, rest }: { abortOnce?: () => Promise<void>; rest?: () => Promise<Buffer> } = {},
): Promise<{ status: number; closes: boolean; body: unknown } | null> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(client.baseUrl + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${client.token}`,
        "content-type": "multipart/form-data; boundary=b",
        "transfer-encoding": "chunked",
      },
    });
    request.on("error", (error) => (abortOnce ? resolve(null) : reject(error)));
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          closes: response.headers.connection === "close",
          body: JSON.parse(Buffer.concat(chunks).toString()),
        }),
      );
    });
    request.write(body, () => {
      if (abortOnce) abortOnce().then(() => request.destroy(), reject);
      else if (rest) rest().then((bytes) => request.end(bytes), reject);
      else request.end();
    });
  });
}

/** Waits until an upload under way has brought a slot its first image. */
async function brought(slotId: string): Promise<void> {
  const first = service.database.selectFrom("slotEntry").select("entryId").where("slotId", "=", slotId);
  await expect.poll(() => first.executeTakeFirst()).toBeDefined();
}

describe("an upload", () => {
  it("rejects single images and takes the others", async () => {
    const client = await service.client();
    const slotId = await opened(client);
    const [first, last] = [await picture(101), await picture(102)];
    const jpeg = { bytes: first };
    const { status, body } = await client.upload(slotId, [
      { ...jpeg, type: "image/gif" },
      { bytes: Buffer.alloc(40_001, 1) },
      { bytes: Buffer.from("no image") },
      { ...jpeg, manifests: [{ ...jsonManifest("", "{}") }] },
      { ...jpeg, manifests: [jsonManifest("ä", "{}")] },
      { ...jpeg, manifests: [{ ...jsonManifest("a", "{}"), type: "text/plain" }] },
      { ...jpeg, manifests: manifests(`{"a":"${"x".repeat(1000)}"}`) },
      { ...jpeg, manifests: manifests("{") },
      { ...jpeg, manifests: manifests("{}", "{}", "{}") },
      { bytes: last, manifests: manifests("{}", "{}") },
    ]);
    expect(status).toBe(200);
    expect(reasons(body.outcomes)).toEqual([
      IMAGE_REJECTIONS.unsupportedContentType,
      IMAGE_REJECTIONS.imageTooLarge,
      IMAGE_REJECTIONS.notChecked,
      manifestSentence("noKind", 2),
      manifestSentence("badKind", 2),
      manifestSentence("unsupportedContentType", 2),
      manifestSentence("tooLarge", 2),
      manifestSentence("formMismatch", 2),
      manifestSentence("tooMany", 2),
      null,
    ]);
    for (const outcome of body.outcomes.slice(0, -1)) {
      expect(outcome).toMatchObject({ accepted: false, imageHash: null });
    }
    expect(body.outcomes.at(-1)).toMatchObject({ accepted: true, imageHash: imageHash(last), partIndex: 10 });
    expect((await client.slot(slotId)).body.entryCount).toBe(1);
  });

  it("reads bytes that are no picture once, until it brings another image", async () => {
    const account = await service.account();
    const client = service.clientOf(account);
    const slotId = await opened(client);
    const [one, other] = [{ bytes: Buffer.from("no image") }, { bytes: Buffer.from("none either") }];
    const { body } = await client.upload(slotId, [one, one, other, one, { bytes: await picture(104) }, one]);
    const { notChecked } = IMAGE_REJECTIONS;
    expect(reasons(body.outcomes)).toEqual([
      notChecked,
      notChecked,
      notChecked,
      notChecked,
      null,
      notChecked,
    ]);
    const { rows } = await sql<{ byteLength: number }>`select byte_length from custody_row
      where account_id = ${account.accountId} and kind = 'received' order by byte_length`.execute(
      service.database,
    );
    expect(rows.slice(0, 3).map(({ byteLength }) => byteLength)).toEqual([8, 8, 11]);
    expect(rows).toHaveLength(4);
    expect(await service.fsck({ atRest: false })).toEqual([]);
  });

  it("declines images without a byte, of which nothing is ledgered", async () => {
    const account = await service.account();
    const client = service.clientOf(account);
    const slotId = await opened(client);
    const empty = { bytes: new Uint8Array(0) };
    const { status, body } = await client.upload(slotId, [empty, { bytes: await picture(103) }, empty]);
    expect(status).toBe(200);
    expect(reasons(body.outcomes)).toEqual([IMAGE_REJECTIONS.notChecked, null, IMAGE_REJECTIONS.notChecked]);
    expect((await client.lookUp(empty.bytes)).status).toBe(422);
    expect((await client.register(empty.bytes)).status).toBe(422);
    const received = service.database
      .selectFrom("custodyRow")
      .select("byteLength")
      .where("accountId", "=", account.accountId)
      .where("kind", "=", "received");
    expect(await received.execute()).toHaveLength(1);
    expect(await client.stats()).toMatchObject({ registrations: { consumed: 0 }, lookups: { consumed: 0 } });
    expect(await service.fsck({ atRest: false })).toEqual([]);
  });

  it("changes nothing when the request as a whole is malformed, whatever came before", async () => {
    const client = await service.client();
    const slot = await openedSlot(client);
    const { slotId } = slot;
    const path = `/slots/${slotId}/uploads`;
    const taken = await service.client();
    const known = await picture(103);
    expect((await taken.register(known)).status).toBe(200);
    const good = [
      { headers: IMAGE, body: await picture(104) },
      // Its pre-check matches, and would be charged.
      { headers: IMAGE, body: known },
    ];
    for (const [body, detail] of [
      [rawBody([...good, { headers: MANIFEST, body: "{}" }]), /followed by the image/],
      [
        rawBody([...good, { headers: 'Content-Disposition: form-data; name="other"', body: "1" }]),
        /does not accept/,
      ],
      [
        rawBody([...good, { headers: 'Content-Disposition: form-data; name="image"', body: "1" }]),
        /does not accept/,
      ],
      [rawBody(good, false), /could not be read/],
      [rawBody([{ headers: "Nonsense", body: "" }]), /could not be read/],
      [rawBody([]), /at least one image/],
    ] as const) {
      const reply = await post(client, path, body);
      expect(reply).toMatchObject({ status: 400, body: { title: "Malformed request" } });
      expect((reply.body as { detail: string }).detail).toMatch(detail);
      await expectUntouched(client, slot);
    }
    const json = await client.call("POST", path, {});
    expect(json).toMatchObject({ status: 400, body: { title: "Malformed request" } });
  });

  it("refuses a declared length past the cap before it reads", async () => {
    const client = await service.client();
    const slot = await openedSlot(client);
    const { slotId } = slot;
    const images = Array.from({ length: 6 }, () => ({ bytes: Buffer.alloc(39_000, 2) }));
    const reply = await client.upload(slotId, images);
    expect(reply).toMatchObject({ status: 413, body: { title: "Request too large" } });
    await expectUntouched(client, slot);
  });

  it("lets a client that reads nothing before it has sent all find the refusal", async () => {
    const client = await service.client();
    const slotId = await opened(client);
    const size = 12_000_000;
    const { port } = new URL(client.baseUrl);
    await using socket = connect(Number(port), "127.0.0.1").pause();
    const sent = (bytes: string | Uint8Array): Promise<unknown> =>
      new Promise((resolve, reject) =>
        socket.write(bytes, (error) => (error ? reject(error) : resolve(null))),
      );
    await sent(
      `POST /slots/${slotId}/uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${size}\r\n\r\n`,
    );
    await sent(new Uint8Array(size));
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 413 [\s\S]*Request exceeds the per-request size cap\./);
  });

  it("keeps what stands before the cap when it is met while reading", async () => {
    const client = await service.client();
    const slotId = await opened(client);
    const image = await picture(105);
    const fill = Array.from({ length: 5 }, () => ({ headers: IMAGE, body: Buffer.alloc(39_000, 3) }));
    const body = rawBody([{ headers: IMAGE, body: image }, ...fill, ...fill]);
    const reply = await stream(client, `/slots/${slotId}/uploads`, body);
    expect(reply).toMatchObject({ status: 200, closes: true });
    const { outcomes } = (reply?.body ?? {}) as { outcomes: UploadOutcome[] };
    expect(outcomes[0]).toMatchObject({ accepted: true, imageHash: imageHash(image) });
    const { notChecked, requestTooLarge } = IMAGE_REJECTIONS;
    const within = Math.floor((200_000 - image.length) / 39_200);
    expect(reasons(outcomes.slice(1))).toEqual(
      [...fill, ...fill].map((_, at) => (at < within ? notChecked : requestTooLarge)),
    );
    expect((await client.slot(slotId)).body.entryCount).toBe(1);
  });

  it("takes the image that ends at the cap, in whatever pieces the request arrives", async () => {
    const client = await service.client();
    const slotId = await opened(client);
    const image = { headers: IMAGE, body: Buffer.alloc(39_000, 3) };
    const before = rawBody([image, image, image, image, image], false).length;
    const around = rawBody([{ headers: IMAGE, body: "" }], false).length;
    // With the delimiter that ends it.
    const last = { headers: IMAGE, body: Buffer.alloc(200_000 - before - around - "--b".length, 3) };
    const body = rawBody([image, image, image, image, image, last, image]);
    const reply = await stream(client, `/slots/${slotId}/uploads`, body);
    const { outcomes } = (reply?.body ?? {}) as { outcomes: UploadOutcome[] };
    const { notChecked, requestTooLarge } = IMAGE_REJECTIONS;
    expect(reasons(outcomes)).toEqual([...Array.from({ length: 6 }, () => notChecked), requestTooLarge]);
  });

  it.each([
    ["an image", [{ headers: IMAGE, body: Buffer.alloc(200_000, 3) }], [2]],
    ["a manifest", [{ headers: MANIFEST, body: "{}".padEnd(200_000) }], [2]],
    [
      "an image, and a manifest without one",
      [
        { headers: IMAGE, body: Buffer.alloc(200_000, 3) },
        { headers: MANIFEST, body: "{}" },
      ],
      [2, 3],
    ],
    [
      "an image, and one of another type",
      [
        { headers: IMAGE, body: Buffer.alloc(200_000, 3) },
        { headers: MANIFEST, body: "{}" },
        { headers: IMAGE.replace("jpeg", "gif"), body: "x" },
      ],
      [2, 3],
    ],
    [
      "images of more than twice the cap",
      [
        { headers: IMAGE, body: Buffer.alloc(200_000, 3) },
        { headers: IMAGE, body: Buffer.alloc(300_000, 3) },
        { headers: IMAGE, body: Buffer.alloc(300_000, 3) },
      ],
      [2, 3],
    ],
  ])("names every image past the cap, and takes nothing of it: %s", async (_what, parts, named) => {
    const client = await service.client();
    const slotId = await opened(client);
    const image = await picture(105);
    const reply = await stream(
      client,
      `/slots/${slotId}/uploads`,
      rawBody([{ headers: IMAGE, body: image }, ...parts]),
    );
    expect(reply).toMatchObject({ status: 200 });
    const { outcomes } = (reply?.body ?? {}) as { outcomes: UploadOutcome[] };
    expect(outcomes.slice(1).map(({ partIndex }) => partIndex)).toEqual(named);
    expect(new Set(reasons(outcomes.slice(1)))).toEqual(new Set([IMAGE_REJECTIONS.requestTooLarge]));
    expect((await client.slot(slotId)).body.entryCount).toBe(1);
    expect(await client.stats()).toMatchObject({ registrations: { held: 1 } });
  });

  it("changes nothing when its body cannot be read any further, whatever had come whole", async () => {
    const client = await service.client();
    const slot = await openedSlot(client);
    const { slotId } = slot;
    const body = rawBody([
      { headers: IMAGE, body: await picture(111) },
      { headers: IMAGE, body: "x" },
    ]);
    using connection = await RawConnection.open(client.baseUrl);
    connection.write(
      `POST /slots/${slotId}/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n` +
        "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n" +
        `${body.length.toString(16)}\r\n`,
    );
    connection.write(body);
    await brought(slotId);
    connection.write("\r\nzz\r\n");
    await connection.end();
    expect(connection.statuses).toEqual([400]);
    await expectUntouched(client, slot);
  });

  it("keeps the images that had come whole when its client ends its side, and answers nothing", async () => {
    const client = await service.client();
    const slotId = await opened(client);
    const body = rawBody([
      { headers: IMAGE, body: await picture(112) },
      { headers: IMAGE, body: "x" },
    ]);
    using connection = await RawConnection.open(client.baseUrl);
    connection.write(
      `POST /slots/${slotId}/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length + 9}\r\n\r\n`,
    );
    connection.write(body);
    await brought(slotId);
    connection.socket.end();
    await connection.end();
    expect(connection.received).toBe("");
    await expect.poll(async () => (await client.slot(slotId)).body.entryCount).toBe(1);
  });

  it("keeps the images that had come whole when the connection breaks off", async () => {
    const client = await service.client();
    const slotId = await opened(client);
    const [whole, half] = [await picture(106), await picture(107)];
    const body = rawBody(
      [
        { headers: IMAGE, body: whole },
        { headers: IMAGE, body: half.subarray(0, 5_000) },
      ],
      false,
    );
    expect(
      await stream(client, `/slots/${slotId}/uploads`, body.subarray(0, -2), {
        abortOnce: () => brought(slotId),
      }),
    ).toBeNull();
    await expect.poll(async () => (await client.slot(slotId)).body.entryCount).toBe(1);
    const missing = await client.missing(slotId, [imageHash(whole), imageHash(half)]);
    expect(missing.body.missing).toEqual([imageHash(half)]);
    expect(await client.stats()).toMatchObject({ registrations: { consumed: 0, held: 1 } });
  });

  it("holds as far as the registration grant goes, and refuses the request only when nothing fits", async () => {
    const client = await service.client(2, 100);
    const slotId = await opened(client);
    const [a, b, c] = [await picture(108), await picture(109), await picture(110)];
    const partly = await client.upload(slotId, [{ bytes: a }, { bytes: b }, { bytes: c }, { bytes: a }]);
    expect(partly.status).toBe(200);
    expect(partly.body.outcomes.map((outcome) => outcome.accepted)).toEqual([true, true, false, true]);
    expect(partly.body.outcomes[2]).toEqual({
      partIndex: 3,
      fileName: "image.jpg",
      accepted: false,
      imageHash: null,
      rejectionReason: IMAGE_REJECTIONS.registrationGrant,
      registrationRemaining: 2,
      lookupRemaining: 100,
      registrationId: null,
    });
    const none = await client.upload(slotId, [{ bytes: c }]);
    expect(none).toMatchObject({
      status: 429,
      body: { title: "Quota exceeded", registrationRemaining: 2, lookupRemaining: 100 },
    });
    expect((await client.upload(slotId, [{ bytes: b }])).status).toBe(200);
    expect((await client.upload(slotId, [{ bytes: c }, { bytes: c, type: "image/gif" }])).status).toBe(200);
    expect(await client.stats()).toMatchObject({ registrations: { consumed: 0, held: 2, remaining: 2 } });
    const elsewhere = await client.register(c);
    expect(elsewhere).toMatchObject({ status: 429, body: { registrationRemaining: 2 } });
  });

  it("refuses the pre-check when no look-up is left", async () => {
    const client = await service.client(10, 0);
    const slotId = await opened(client);
    const refused = await client.upload(slotId, [{ bytes: Buffer.from("no image at all") }]);
    expect(refused).toMatchObject({
      status: 429,
      body: { title: "Quota exceeded", registrationRemaining: 10, lookupRemaining: 0 },
    });
    const nothing = await client.upload(slotId, [{ bytes: new Uint8Array(0) }]);
    expect(nothing).toMatchObject({ status: 429, body: { lookupRemaining: 0 } });
    const mixed = await client.upload(slotId, [
      { bytes: await picture(111) },
      { bytes: await picture(111), type: "text/plain" },
    ]);
    expect(mixed.body.outcomes[0]).toMatchObject({
      rejectionReason: IMAGE_REJECTIONS.lookupGrant,
      registrationRemaining: 10,
      lookupRemaining: 0,
    });
  });

  it("stops asking once the slot remembers as many errata as it may", async () => {
    const taken = await service.client();
    const known = [await picture(112), await picture(113)];
    for (const image of known) expect((await taken.register(image)).status).toBe(200);
    const client = await service.client();
    const slotId = await opened(client);
    const fresh = await picture(114);
    const { outcomes } = (
      await client.upload(
        slotId,
        [...known, fresh].map((bytes) => ({ bytes })),
      )
    ).body;
    expect(reasons(outcomes)).toEqual([
      IMAGE_REJECTIONS.alreadyRegistered,
      IMAGE_REJECTIONS.alreadyRegistered,
      IMAGE_REJECTIONS.errataFull,
    ]);
    expect(await client.stats()).toMatchObject({ lookups: { consumed: 2 }, registrations: { held: 0 } });
    expect((await client.removeEntry(slotId, imageHash(known[0] ?? fresh))).status).toBe(204);
    expect((await client.upload(slotId, [{ bytes: fresh }])).body.outcomes[0]?.accepted).toBe(true);
  });

  it("answers in the name of the slot when it is committed while the upload runs", async () => {
    const client = await service.client();
    const slotId = await opened(client);
    const images = await Promise.all([115, 116, 117, 118].map(picture));
    const parts = images.map((body) => ({ headers: IMAGE, body }));
    const [body, cut] = [rawBody(parts), rawBody(parts.slice(0, 2), false).length - 1_000];
    const reply = await stream(client, `/slots/${slotId}/uploads`, body.subarray(0, cut), {
      rest: async () => {
        await brought(slotId);
        expect(await client.commit(slotId)).toMatchObject({ status: 200, body: { entries: [] } });
        return body.subarray(cut);
      },
    });
    expect(reply?.status).toBe(200);
    const { outcomes } = (reply?.body ?? {}) as { outcomes: UploadOutcome[] };
    expect(reasons(outcomes)).toEqual(images.map(() => IMAGE_REJECTIONS.slotNotOpen));
    expect(await client.stats()).toMatchObject({ registrations: { consumed: 0, held: 0 } });
  });
});

describe("a commit", () => {
  it("is refused when the grant no longer covers it, and can be made once it does", async () => {
    const account = await service.account(3, 10);
    const client = service.clientOf(account);
    const slotId = await opened(client);
    const images = [await picture(119), await picture(120)];
    await client.upload(
      slotId,
      images.map((bytes) => ({ bytes })),
    );
    const grant = (registrations: number): Promise<Response> =>
      fetch(`${service.baseUrl()}/admin/accounts/${account.accountId}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" },
        body: JSON.stringify({ registrations }),
      });
    await grant(1);
    const refused = await client.commit(slotId);
    expect(refused).toMatchObject({
      status: 429,
      body: { title: "Quota exceeded", registrationRemaining: 1, lookupRemaining: 10 },
    });
    expect((await client.slot(slotId)).body).toMatchObject({ status: "open", entryCount: 2 });
    await grant(2);
    expect((await client.commit(slotId)).status).toBe(200);
    expect(await client.stats()).toMatchObject({ registrations: { consumed: 2, held: 0, remaining: 0 } });
  });
});

it("takes no type of great length, which every list of the slot would repeat", async () => {
  const client = await service.client();
  const type = `image/jpeg; note=${"x".repeat(238)}`;
  const { outcomes } = (
    await client.upload(await opened(client), [
      { bytes: await picture(191), type },
      { bytes: await picture(192), type: `${type}x` },
    ])
  ).body;
  expect(reasons(outcomes)).toEqual([null, IMAGE_REJECTIONS.unsupportedContentType]);
});

it("lists a slot where there is memory for the list, until its client has read it", async () => {
  const account = await service.account();
  const client = service.clientOf(account);
  const { lookupSlotId } = (await client.openLookupSlot()).body;
  const fill = (from: number, to: number): Promise<unknown> =>
    sql`insert into slot_entry (account_id, slot_id, image_hash, byte_length, content_type, state)
      select ${account.accountId}, ${lookupSlotId}, decode(md5(n::text) || md5(n::text), 'hex'), 1, repeat('x', 255), 'retry'
      from generate_series(${from}::int, ${to}::int) as n`.execute(service.database);
  await fill(1, 4_000);
  expect((await client.queries(lookupSlotId)).body.entries).toHaveLength(4_000);
  await fill(4_001, 20_000);
  expect(await client.queries(lookupSlotId)).toMatchObject({ status: 503 });
  expect((await client.stats()).lookups.held).toBe(0);
  await sql`delete from slot_entry where slot_id = ${lookupSlotId}`.execute(service.database);
  expect((await client.abandonLookup(lookupSlotId)).status).toBe(204);
});

it("leaves a store in which everything adds up, and nothing half done", async () => {
  expect(await service.fsck({ atRest: true })).toEqual([]);
});
