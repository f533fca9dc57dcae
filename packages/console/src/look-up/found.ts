import { type ColophonClient, ColophonError } from "@colophon/client";
import { withMediaType } from "@colophon/formats";
import type { Inspection } from "../answers.ts";

/** Where an original lies in the picture, and whose it is. */
export type Match = Inspection["matches"][number];

/** An original that was found; `match` is null where the service tells no places. */
export interface FoundOriginal {
  readonly hash: string;
  readonly match: Match | null;
}

/** What a look-up found. */
export interface Found {
  readonly originals: readonly FoundOriginal[];
  /** The picture's size in pixels, upright; null where the service tells no places. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** The reader's own registrations that cover the picture, where the service tells no places. */
  readonly registrationIds: readonly string[];
}

/** Looks a picture up, with places where the service tells them; the price is the same. */
export async function find(client: ColophonClient, picture: File, signal: AbortSignal): Promise<Found> {
  const image = await withMediaType(picture);
  try {
    const { matches, width, height } = await client.inspect(image, { signal });
    const originals = matches.map((match) => ({ hash: match.originalImageHash, match }));
    return { originals, size: { width, height }, registrationIds: [] };
  } catch (error) {
    if (!(error instanceof ColophonError && error.is("notFound"))) throw error;
    const { matchedOriginalImageHashes, candidates } = await client.lookUp(image, { signal });
    return {
      originals: matchedOriginalImageHashes.map((hash) => ({ hash, match: null })),
      size: null,
      registrationIds: candidates.map(({ registrationId }) => registrationId),
    };
  }
}
