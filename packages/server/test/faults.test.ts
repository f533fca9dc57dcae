import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LookupVerdict, Registration } from "@colophon/contract";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { connectToEmbedded } from "./support/database-client.ts";

const ADMIN = "faults-test-admin-token";

let dataDir: string;
let service: ServiceProcess;
let database: Client;
let account: ApiClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colophon-faults-"));
  service = await ServiceProcess.start(serviceEnvironment(dataDir, ADMIN));
  database = await connectToEmbedded(dataDir);
  const admin = new ApiClient(service.baseUrl, ADMIN);
  const { body } = await admin.call<{ accountId: string }>("POST", "/admin/accounts", {
    registrations: 20,
    lookups: 20,
  });
  const minted = await admin.call<{ token: string }>("POST", `/admin/accounts/${body.accountId}/tokens`, {});
  account = new ApiClient(service.baseUrl, minted.body.token);
});

afterAll(async () => {
  await database.end();
  await service[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function registerPicture(seed: number): Promise<{ image: Buffer; registration: Registration }> {
  const image = Buffer.from(await paintedPicture(seed, 480, 360));
  const { status, body } = await account.register(image);
  expect(status).toBe(200);
  return { image, registration: body };
}

async function consumed(): Promise<unknown> {
  const { body } = await account.call<{ registrations: object; lookups: object }>("GET", "/account/stats");
  return [body.registrations, body.lookups];
}

describe("a take-down whose index rows cannot be removed", () => {
  test("is refused, and the registration untouched until it can be taken down", async () => {
    const { image, registration } = await registerPicture(1);
    await database.query(`create function stuck() returns trigger language plpgsql as
      $$ begin raise exception 'stuck'; end $$;
      create trigger stuck before delete on feature for each row execute function stuck()`);
    const refused = await account.call<Record<string, unknown>>(
      "DELETE",
      `/registrations/${registration.id}`,
    );
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      title: "Take-down refused",
      type: "urn:colophon:problem:take-down-refused",
    });
    const still = await account.lookUp(image);
    expect(still.body.candidates).toEqual([{ registrationId: registration.id }]);
    expect((await account.record(registration.originalImageHash)).body.outcome).toBe("published");

    await database.query("drop trigger stuck on feature");
    expect((await account.takeDown(registration.id)).status).toBe(204);
    expect((await account.lookUp(image)).body).toEqual({
      matched: false,
      matchedOriginalImageHashes: [],
      candidates: [],
    } satisfies LookupVerdict);
    expect((await account.record(registration.originalImageHash)).body.outcome).toBe("takenDown");
  });
});

describe("a record that is not whole any more", () => {
  test.each([
    ["without its row", 2, "delete from record using original"],
    [
      "with half a certificate",
      20,
      "update record set leaf_certificate = substring(leaf_certificate for 200) from original",
    ],
  ])("is declined %s, alone and in a list, and charged nothing", async (_, picture, damage) => {
    const [damaged, sound] = [await registerPicture(picture), await registerPicture(picture + 1)];
    const hash = damaged.registration.originalImageHash;
    await database.query(
      `${damage} where record.image_no = original.image_no and original_image_hash = decode($1, 'hex')`,
      [hash],
    );
    const before = await consumed();
    const alone = await account.call<Record<string, unknown>>("GET", `/records/${hash}`);
    expect(alone.status).toBe(422);
    expect(alone.body).toMatchObject({ title: "Image could not be checked" });
    expect(await consumed()).toEqual(before);

    const list = await account.call<{ records: Record<string, unknown>[] }>("POST", "/records", {
      originalImageHashes: [hash, sound.registration.originalImageHash],
    });
    expect(list.body.records.map(({ outcome, failureReason }) => [outcome, typeof failureReason])).toEqual([
      ["refused", "string"],
      ["published", "object"],
    ]);
  });
});

describe("a service whose database does not hold what it needs", () => {
  test("answers 500 with nothing but the trace, and goes on when it is mended", async () => {
    await database.query("alter table account_call rename to away");
    const answer = await account.call<Record<string, unknown>>("GET", "/account/stats");
    await database.query("alter table away rename to account_call");
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      type: "urn:colophon:problem:unexpected-error",
      title: "Unexpected error",
      status: 500,
      detail: expect.stringMatching(/^[A-Z].*\.$/),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await expect
      .poll(() => service.output)
      .toContain(`"traceId":"${String(answer.body["traceId"])}","fault"`);
    expect((await account.call("GET", "/account/stats")).status).toBe(200);
  });

  test("refuses to change, delete or empty a ledger", async () => {
    for (const [table, column] of [
      ["custody_row", "byte_length"],
      ["usage_row", "units"],
    ]) {
      for (const statement of [
        `update ${table} set ${column} = 1`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(database.query(statement)).rejects.toThrow(`the ${table} ledger is append-only`);
      }
    }
  });
});
