/** What a log serves is not what an honest one would. The message is a sentence. */
export class AuditFailure extends Error {
  override readonly name = "AuditFailure";
}
