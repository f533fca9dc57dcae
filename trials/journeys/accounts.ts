import { ColophonClient, OperatorClient } from "@colophon/client";
import type { GivenFile } from "../../packages/console/test/support/pictures.ts";
import type { Traveller } from "./traveller.ts";

/** What is said about every picture. */
export const CREDIT = { creator: "Ada Quist", creditLine: "Ada Quist / Harbour Press", licence: "CC BY 4.0" };

export function jpeg(buffer: Buffer, name = "repost.jpg"): GivenFile {
  return { name, mimeType: "image/jpeg", buffer };
}

export function fileOf({ name, mimeType, buffer }: GivenFile): File {
  return new File([Uint8Array.from(buffer)], name, { type: mimeType });
}

/** A new account of the registry that is travelled to. */
export async function clientOf(
  { service }: Traveller,
  videos = false,
): Promise<{ client: ColophonClient; token: string }> {
  const { baseUrl, adminToken } = service;
  const operator = new OperatorClient({ baseUrl, token: adminToken });
  const { accountId } = await operator.createAccount({
    name: "Harbour Press",
    registrations: 1000,
    lookups: 5000,
    sequencesEnabled: videos,
  });
  const { token } = await operator.mintToken(accountId, { label: "newsroom" });
  return { client: new ColophonClient({ baseUrl, token }), token };
}

export async function registerAs(client: ColophonClient, photographs: readonly GivenFile[]): Promise<void> {
  for (const given of photographs) {
    await client.register(fileOf(given), { manifests: [{ kind: "credit", json: CREDIT }] });
  }
}
