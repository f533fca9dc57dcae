/**
 * A message that a client sends to PostgreSQL: `Q`, `P`, `B` and so on; an empty kind is the one that opens a session.
 */
export interface FrontendMessage {
  readonly kind: string;
  readonly body: Buffer;
}

/** Cuts what a client sends into messages, however it arrives (PostgreSQL's documentation, chapter Message Formats). */
export class FrontendMessages {
  #rest = Buffer.alloc(0);
  #isOpening = true;

  /** The messages that end in these bytes. */
  read(sent: Buffer): FrontendMessage[] {
    this.#rest = Buffer.concat([this.#rest, sent]);
    const messages: FrontendMessage[] = [];
    for (;;) {
      const kindBytes = this.#isOpening ? 0 : 1;
      if (this.#rest.length < kindBytes + 4) return messages;
      const end = kindBytes + this.#rest.readUInt32BE(kindBytes);
      if (this.#rest.length < end) return messages;
      const kind = this.#rest.toString("latin1", 0, kindBytes);
      messages.push({ kind, body: this.#rest.subarray(kindBytes + 4, end) });
      this.#rest = this.#rest.subarray(end);
      this.#isOpening = false;
    }
  }
}

/** Follows one session's messages: the text of each statement, also where a prepared one is only named. */
export class StatementsSent {
  readonly #messages = new FrontendMessages();
  readonly #prepared = new Map<string, string>();

  /** The texts of the statements that these bytes ask for. */
  read(sent: Buffer): string[] {
    const texts: string[] = [];
    for (const { kind, body } of this.#messages.read(sent)) {
      const [first = "", second = ""] = body.toString("latin1").split("\0", 2);
      if (kind === "Q") texts.push(first);
      if (kind === "P") this.#prepared.set(first, second);
      if (kind === "B") texts.push(this.#prepared.get(second) ?? "");
    }
    return texts;
  }
}
