import { IMAGE_REJECTIONS, type ImageRejection, Refusal, type UploadOutcome } from "@colophon/contract";
import { quotaRefusal, remainingUnits, type Account, type Units } from "../../../store/accounts/grants.ts";
import type { Entry } from "../../../store/slots/slot-entries.ts";

/** An image part as its outcome names it. */
export interface UploadedPart {
  /** From 1, among the image parts of the request. */
  readonly partIndex: number;
  readonly fileName: string | null;
}

/** The upload has an entry for an image, which waits for the upload to be accepted. */
export interface Brought {
  readonly kind: "brought";
  readonly imageHash: Buffer;
  /** The entry, where it only replaces the manifests of one that the slot holds. */
  readonly replacement?: number;
  /** The original that its pre-check found, where that is charged once the slot remembers the image. */
  readonly charged?: Buffer;
}

/** The slot cannot take an image. */
export interface Rejected {
  readonly kind: "rejected";
  readonly reason: string;
  readonly registrationId: string | null;
}

/** What has become of an image so far. */
export type Standing = Brought | Rejected | { readonly kind: "overGrant"; readonly grant: keyof Units };

/** A part with what has become of it. */
export interface WorkedPart {
  readonly part: UploadedPart;
  readonly standing: Standing;
}

/** What a slot has made of an upload. */
export interface Taken {
  /** The slot's entries for the images that were brought, by hash in hex. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Why an image that was brought may have no entry at the end. */
  readonly lost: ImageRejection;
}

export function brought(imageHash: Buffer): Brought {
  return { kind: "brought", imageHash };
}

export function rejected(why: ImageRejection): Rejected {
  return { kind: "rejected", reason: IMAGE_REJECTIONS[why], registrationId: null };
}

/** What one image met, where the contract has a sentence for it. @throws the error itself where it has none */
export function standingAfter(error: unknown): Standing {
  if (!(error instanceof Refusal)) throw error;
  if (error.code === "slotIsNoLongerOpen") return rejected("slotNotOpen");
  if (error.code !== "quotaExceeded") throw error;
  return { kind: "overGrant", grant: error.detail === "lookups" ? "lookups" : "registrations" };
}

/** The refusal of an upload of which every image was over a grant; null for any other. */
export function overGrantRefusal(worked: readonly WorkedPart[], account: Account): Refusal | null {
  const [first] = worked;
  if (first?.standing.kind !== "overGrant") return null;
  if (worked.some(({ standing }) => standing.kind !== "overGrant")) return null;
  return quotaRefusal(account, first.standing.grant);
}

/** The outcome of a part. @param account as it is after the upload */
export function outcomeOf({ part, standing }: WorkedPart, account: Account, taken: Taken): UploadOutcome {
  const { partIndex, fileName } = part;
  const refused = {
    partIndex,
    fileName,
    accepted: false,
    imageHash: null,
    rejectionReason: null,
    registrationRemaining: null,
    lookupRemaining: null,
    registrationId: null,
  };
  switch (standing.kind) {
    case "rejected":
      return { ...refused, rejectionReason: standing.reason, registrationId: standing.registrationId };
    case "overGrant": {
      const { registrations, lookups } = remainingUnits(account);
      const why = standing.grant === "lookups" ? "lookupGrant" : "registrationGrant";
      const remaining = { registrationRemaining: registrations, lookupRemaining: lookups };
      return { ...refused, ...remaining, rejectionReason: IMAGE_REJECTIONS[why] };
    }
    case "brought": {
      const imageHash = standing.imageHash.toString("hex");
      const entry = taken.entries.get(imageHash);
      if (!entry) return { ...refused, rejectionReason: IMAGE_REJECTIONS[taken.lost] };
      if (entry.state === "held" || entry.state === "answered") {
        return { ...refused, accepted: true, imageHash };
      }
      const rejectionReason = entry.reason ?? IMAGE_REJECTIONS.alreadyRegistered;
      return { ...refused, rejectionReason, registrationId: entry.registrationId };
    }
    default:
      return standing satisfies never;
  }
}
