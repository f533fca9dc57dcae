import { createHash } from "node:crypto";
import { refuse } from "@colophon/contract";
import { sniffMediaType } from "@colophon/engine";
import { type PxContainer, PxError, readFrame } from "@colophon/formats";
import { FrameBuffer } from "../../custody/frame-buffer.ts";
import type { ArrivedFrame } from "../../registry/sequences/admit-frames.ts";
import { isFilePart, mediaType, type PartHeaders } from "./part-headers.ts";
import type { Body } from "./body.ts";
import { isManifestName } from "./manifest-part.ts";

/** What frames may be: of this sequence, their images of these types, all in so many bytes. */
export interface FrameRules {
  readonly sequenceId: string;
  readonly acceptedTypes: readonly string[];
  readonly maxRequestBytes: number;
}

const FRAME_TYPE = "application/octet-stream";

/**
 * Reads a batch frame by frame: one file part each. While the consumer works on one, nothing more is read; it is erased
 * before the next.
 * @throws Refusal malformedRequest, requestTooLarge, frameRefused, imageCouldNotBeChecked, serviceUnavailable
 */
export async function* readFrames(body: Body, rules: FrameRules): AsyncGenerator<ArrivedFrame> {
  using buffer = new FrameBuffer(rules.maxRequestBytes, body.hold);
  let frames = 0;
  for await (const event of body.parts(rules.maxRequestBytes)) {
    switch (event.type) {
      case "open":
        assertFramePart(event.headers);
        break;
      case "bytes":
        buffer.append(event.bytes);
        break;
      case "close":
        frames += 1;
        yield arrivedFrame(buffer, rules);
        buffer.erase();
        break;
      default:
        event satisfies never;
    }
  }
  if (frames === 0) throw refuse("malformedRequest", "noFrame");
}

function assertFramePart(headers: PartHeaders): void {
  const isFrame = isFilePart(headers) && mediaType(headers.contentType) === FRAME_TYPE;
  if (!isFrame || isManifestName(headers.name)) throw refuse("malformedRequest", "unexpectedPart");
}

function arrivedFrame(buffer: FrameBuffer, { sequenceId, acceptedTypes }: FrameRules): ArrivedFrame {
  const { frame, frameHash } = readContainer(buffer.bytes);
  const { frameId } = frame;
  if (frame.sequenceId !== sequenceId) throw refuse("frameRefused", "otherSequence", { frameId });
  if (frame.type === "HEAD" || frame.type === "GAP") {
    throw refuse("frameRefused", "notFromClients", { frameId });
  }
  const erase = (): boolean => buffer.erase();
  const bytes = frame.type === "BODY" ? frame.image : null;
  if (bytes === null) return { frame, frameHash, image: null, erase };
  if (!acceptedTypes.includes(sniffMediaType(bytes) ?? "")) {
    throw refuse("frameRefused", "unsupportedImage", { frameId });
  }
  const imageHash = createHash("sha256").update(bytes).digest();
  return { frame, frameHash, image: { parts: [bytes], byteLength: bytes.length, imageHash }, erase };
}

function readContainer(bytes: Uint8Array): PxContainer {
  try {
    return readFrame(bytes);
  } catch (error) {
    if (error instanceof PxError) throw refuse("frameRefused", "notAContainer");
    throw error;
  }
}
