import { refuse } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { Config } from "../../config/environment.ts";
import type { Body } from "./body.ts";
import { isManifestName, ManifestPart } from "./manifest-part.ts";

/**
 * Reads a body of manifests and nothing else; there may be none.
 * @throws Refusal malformedRequest, invalidManifest, manifestTooLarge, requestTooLarge, serviceUnavailable
 */
export async function readManifests(body: Body, config: Config): Promise<readonly StoredManifest[]> {
  const manifests: StoredManifest[] = [];
  let open: ManifestPart | null = null;
  for await (const event of body.parts(config.maxRequestBytes)) {
    if (event.type === "open") {
      if (!isManifestName(event.headers.name)) throw refuse("malformedRequest", "unexpectedPart");
      open = new ManifestPart(event.headers, manifests.length, config, body.hold);
    } else if (event.type === "bytes") open?.append(event.bytes);
    else if (open) manifests.push(open.finish());
    open?.assertSound();
  }
  return manifests;
}
