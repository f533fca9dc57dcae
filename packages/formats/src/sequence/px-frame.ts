/** What every PX frame says of itself. */
interface FrameIdentity {
  /** UUID of the sequence it belongs to, lowercase. */
  readonly sequenceId: string;
  /** 0 to FFFFFFFE. */
  readonly frameId: number;
}

/** The first frame of a sequence, minted by the service: id 0, no links, no buckets. */
export interface HeadFrame extends FrameIdentity {
  readonly type: "HEAD";
  readonly frameId: 0;
  readonly prev: null;
  readonly next: null;
}

/** One picture of a sequence: `prev` < id < `next`. */
export interface BodyFrame extends FrameIdentity {
  readonly type: "BODY";
  readonly prev: number;
  readonly next: number;
  /** The encoded image, or null when the frame carries none. */
  readonly image: Uint8Array | null;
}

/** The last frame of a sequence: `prev` < id, nothing after it. */
export interface EndFrame extends FrameIdentity {
  readonly type: "END";
  readonly prev: number;
  readonly next: null;
}

/** A range of missing ids, minted by the service between the held frames `prev` and `next`; its id is `from`. */
export interface GapFrame extends FrameIdentity {
  readonly type: "GAP";
  readonly prev: number;
  readonly next: number;
  /** The first and the last missing id. */
  readonly from: number;
  readonly to: number;
}

/** A frame of the PX container format, version 1. */
export type PxFrame = HeadFrame | BodyFrame | EndFrame | GapFrame;

/** The highest frame id there is; the value after it stands for no link. */
export const MAX_FRAME_ID = 0xfffffffe;
