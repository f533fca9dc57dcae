export type {
  BatchFile,
  BatchFileState,
  BatchItem,
  BatchOptions,
  BatchProgress,
  BatchResult,
} from "./batch/batch-terms.ts";
export { ColophonClient, type Identified } from "./client.ts";
export { ColophonConnectionError, ColophonError, type ErrorCode, type ExtensionsOf } from "./http/errors.ts";
export type { Library, LibraryQuery } from "./routes/library.ts";
export { faultInWords } from "./fault-words.ts";
export { lookUpAll } from "./batch/look-up-all.ts";
export type { LookupSlots } from "./routes/lookup-slots.ts";
export { OperatorClient } from "./routes/operator-client.ts";
export type { ImageInput, ManifestInput, UploadInput } from "./http/parts.ts";
export type {
  AnsweredManifest,
  PublishedAnswer,
  RecordAnswer,
  UnpublishedAnswer,
} from "./routes/record-answer.ts";
export { placeInWords } from "./place-words.ts";
export { registerAll, type RegisteredEntry } from "./batch/register-all.ts";
export { registerSequence } from "./batch/register-sequence.ts";
export type { RegistrationSlots } from "./routes/registration-slots.ts";
export type {
  FrameImage,
  RegisteredFrame,
  SequenceOptions,
  SequenceProgressReport,
  SequenceResult,
  UnfinishedSequence,
} from "./batch/sequence-registration.ts";
export type { SequenceKey, Sequences } from "./routes/sequences.ts";
export type { CallOptions, ClientOptions } from "./http/transport.ts";
