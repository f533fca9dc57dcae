export type {
  BatchFile,
  BatchFileState,
  BatchItem,
  BatchOptions,
  BatchProgress,
  BatchResult,
} from "./batch-terms.ts";
export { ColophonClient, type Identified } from "./client.ts";
export { ColophonConnectionError, ColophonError, type ErrorCode, type ExtensionsOf } from "./errors.ts";
export type { Library, LibraryQuery } from "./library.ts";
export { lookUpAll } from "./look-up-all.ts";
export type { LookupSlots } from "./lookup-slots.ts";
export { OperatorClient } from "./operator-client.ts";
export type { ImageInput, ManifestInput, UploadInput } from "./parts.ts";
export type { AnsweredManifest, PublishedAnswer, RecordAnswer, UnpublishedAnswer } from "./record-answer.ts";
export { placeInWords } from "./place-words.ts";
export { registerAll, type RegisteredEntry } from "./register-all.ts";
export { registerSequence } from "./register-sequence.ts";
export type { RegistrationSlots } from "./registration-slots.ts";
export type {
  FrameImage,
  RegisteredFrame,
  SequenceOptions,
  SequenceProgressReport,
  SequenceResult,
  UnfinishedSequence,
} from "./sequence-registration.ts";
export type { SequenceKey, Sequences } from "./sequences.ts";
export type { CallOptions, ClientOptions } from "./transport.ts";
