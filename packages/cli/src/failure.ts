import { ColophonConnectionError, ColophonError, faultInWords } from "@colophon/client";
import { ResolverError } from "@colophon/credentials";
import { adviceOn } from "./advice.ts";
import { printable } from "./shown.ts";

/**
 * Exit codes by kind of outcome; 1 is left to what nobody foresaw. `negative` is the answer no: nobody registered the
 * image, no record is published, a record does not verify. `partly` is a batch of which some files did not come
 * through.
 */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  negative: 5,
  partly: 6,
  interrupted: 130,
} as const;

/** What to do about a refusal, by the title of its problem. */
const ADVICE: Readonly<Record<string, string>> = {
  Unauthorized:
    "The token is mistyped, revoked or expired, or the account is suspended: colophon login keeps another one; commands for operators take COLOPHON_ADMIN_TOKEN.",
  "Not found": "Is that the service's address? --url or COLOPHON_BASE_URL names another.",
  "Registration not found":
    "colophon library lists the registrations of the account; colophon library --file FILE finds that of a file.",
  "Account not found": "colophon account list names them all.",
  "Sequences not enabled": "The operator allows them: colophon account set ACCOUNT --sequences.",
};

/** What the service said when it refused: its problem body, but for the type. */
export interface Refusal {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly traceId?: string;
}

/** Ends a command: one sentence for the operator and the exit code of its kind. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;
  readonly refusal: Refusal | undefined;

  private constructor(message: string, exitCode: number, options?: { cause?: unknown; refusal?: Refusal }) {
    super(message, { cause: options?.cause });
    this.exitCode = exitCode;
    this.refusal = options?.refusal;
  }

  /** The command line or its surroundings are wrong. */
  static usage(message: string): Failure {
    return new Failure(message, EXIT.usage);
  }

  /** The service answered with a refusal, whose words do not steer the terminal: any address may answer. */
  static refused(refusal: Refusal): Failure {
    const trace = refusal.traceId === undefined ? "" : ` (trace ${refusal.traceId})`;
    const sentence = printable(`${refusal.status} ${refusal.title}: ${faultInWords(refusal.detail)}${trace}`);
    const advice = ADVICE[refusal.title] ?? adviceOn([refusal.detail])[0];
    const message = advice === undefined ? sentence : `${sentence}\n${advice}`;
    return new Failure(message, EXIT.refused, { refusal });
  }

  /** The user ended the command. */
  static interrupted(message: string): Failure {
    return new Failure(message, EXIT.interrupted);
  }

  /** What an error of a client library, or of a file that it read, is to the user; any other stays what it is. */
  static of(error: unknown): unknown {
    if (error instanceof DOMException && error.name === "NotReadableError") {
      return Failure.usage("A file was changed or removed while it was being read: run the command again.");
    }
    if (error instanceof ColophonConnectionError) {
      const advice = "Is it running there? --url or COLOPHON_BASE_URL names another.";
      return Failure.unreachable(`${error.message} ${advice}`, error);
    }
    if (error instanceof ResolverError) {
      return error.refusal === null
        ? Failure.unreachable(error.message, error)
        : Failure.refused(error.refusal);
    }
    if (error instanceof TypeError || error instanceof SyntaxError) return Failure.unreadable(error);
    if (!(error instanceof ColophonError)) return error;
    const { title, status, detail, traceId, extensions } = error;
    return Failure.refused({ title, status, detail, traceId, ...extensions });
  }

  /** A value is not of the shape that it should have; what the language says of that may quote it. */
  private static unreadable(cause: Error): Failure {
    const message = `What came cannot be read: ${printable(cause.message)}. Does a Colophon service of this version answer there? --url or COLOPHON_BASE_URL names another.`;
    return new Failure(message, EXIT.unexpected, { cause });
  }

  /** No Colophon service answered, or its answer broke off. */
  static unreachable(message: string, cause?: unknown): Failure {
    return new Failure(message, EXIT.unreachable, { cause });
  }
}
