import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { picture } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "./support/slot-service.ts";

it("no file and no line of the log holds a token's text, also once it was used", async () => {
  await using service = await SlotService.start();
  const { token } = await service.account();
  const client = service.clientOf({ accountId: "", token });
  await client.register(await picture(1));
  await client.openSlot();
  // PostgreSQL writes its pages out as it stops.
  const output = service.output();
  await service.stop();
  for (const secret of [token, service.adminToken]) {
    expect(output).not.toContain(secret);
    expect(await filesWith(service.dataDir, Buffer.from(secret))).toEqual([]);
  }
});

async function filesWith(folder: string, text: Buffer): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const holding: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) holding.push(path);
  }
  return holding;
}
