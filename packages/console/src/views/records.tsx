import { blake3Hex, isHash, parseRecord } from "@colophon/formats";
import type { TargetedSubmitEvent, VNode } from "preact";
import { useState } from "preact/hooks";
import { ArrivingHeading } from "../components/arriving-heading.tsx";
import { FileInput } from "../components/file-input.tsx";
import { TextField } from "../components/text-field.tsx";
import { RecordReader } from "../record/record-reader.tsx";
import { RecordView } from "../record/record-view.tsx";
import type { ViewProps } from "../view-props.ts";

/** What the reader has pointed at: a hash to read, with the original where there is one, or a record kept in a file. */
type Subject =
  | { readonly kind: "hash"; readonly hash: string; readonly file: Uint8Array | null }
  | { readonly kind: "kept"; readonly name: string; readonly text: string };

/** Reads and verifies records: by hash, by the original file, or from a file in which one was kept. */
export function Records({ subject }: ViewProps): VNode {
  return <RecordsOf key={subject} subject={subject} />;
}

/** The view, opened on a hash or on nothing. */
function RecordsOf({ subject }: ViewProps): VNode {
  const [hash, setHash] = useState(subject);
  const [shown, setShown] = useState<Subject | null>(() => subjectOf(subject));
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setShown({ kind: "hash", hash: hash.trim(), file: null });
  };
  const takeRecord = async (file: File): Promise<void> =>
    setShown({ kind: "kept", name: file.name, text: await file.text() });
  const takeOriginal = async (file: File): Promise<void> => {
    // A browser may let a record through here, and its hash is nobody's original.
    if (file.type === "application/json") return takeRecord(file);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const own = blake3Hex(bytes);
    setHash(own);
    setShown({ kind: "hash", hash: own, file: bytes });
  };
  return (
    <>
      <h1>Read and verify a record</h1>
      <p class="standfirst">
        A record says what was registered with an original, and carries what it takes to check that. The
        checks run here, in your browser; the service has no part in them.
      </p>
      <form onSubmit={submit} class="sheet">
        <TextField
          id="hash"
          label="The original's hash"
          hint="BLAKE3 of the registered file: 64 characters, as look-ups answer it."
          mono
          required
          value={hash}
          onChange={setHash}
        />
        <div class="actions">
          <button class="primary">Find it</button>
          <FileInput
            label="I have the original"
            accept="image/*"
            onFiles={([file]) => file !== undefined && void takeOriginal(file)}
          />
          <FileInput
            label="I kept the record"
            accept=".json,application/json"
            onFiles={([file]) => file !== undefined && void takeRecord(file)}
          />
        </div>
        <p class="quiet">
          Of an original only the hash leaves this page, and of a record you kept, nothing; verifying that one
          is free.
        </p>
      </form>
      {shown !== null && <Shown subject={shown} />}
    </>
  );
}

function Shown({ subject }: { subject: Subject }): VNode {
  if (subject.kind === "kept") return <Kept key={subject.text} name={subject.name} text={subject.text} />;
  return (
    <section key={subject.hash}>
      <ArrivingHeading>{subject.file === null ? "By its hash" : "By the original"}</ArrivingHeading>
      {isHash(subject.hash) ? (
        <RecordReader hash={subject.hash} file={subject.file} />
      ) : (
        <p class="warning">That is not a hash: a hash has 64 characters, 0 to 9 and a to f.</p>
      )}
    </section>
  );
}

function Kept({ name, text }: { name: string; text: string }): VNode {
  const read = readRecord(text);
  return (
    <section>
      <ArrivingHeading>{name}</ArrivingHeading>
      {read === null ? (
        <p class="warning">
          That file is not a record, or not a whole one. Choose the JSON that “Save the record as JSON” or{" "}
          <code>colophon record</code> wrote.
        </p>
      ) : (
        <RecordView record={{ ...read, text }} />
      )}
    </section>
  );
}

/** The record in a text; null where it holds none. */
function readRecord(text: string): ReturnType<typeof parseRecord> | null {
  try {
    return parseRecord(text);
  } catch {
    return null;
  }
}

function subjectOf(hash: string): Subject | null {
  return hash === "" ? null : { kind: "hash", hash, file: null };
}
