import type { VNode } from "preact";
import { useCallback } from "preact/hooks";
import { DropZone } from "../components/drop-zone.tsx";
import { FileInput } from "../components/file-input.tsx";
import { counted } from "../wording.ts";
import type { BatchRow } from "./batch-row.ts";
import type { BatchRun } from "./batch-run.ts";

/** Asks for the pictures of a batch again that the page lost when it was loaded again. */
export function GiveBack({ run, rows }: { run: BatchRun; rows: readonly BatchRow[] }): VNode {
  const give = useCallback((files: readonly File[]) => run.giveBack(files), [run]);
  const missing = rows.filter((_, at) => run.fileAt(at) === null);
  return (
    <>
      <p class="notice">
        The page was loaded again, and a browser hands pictures to no page twice. Give the same files once
        more, and the batch goes on where it was.
      </p>
      <DropZone onFiles={give}>
        <p>
          <span class="for-mice">Drop them here, or </span>
          <FileInput label="Choose files" accept="image/*" multiple onFiles={give} />{" "}
          <FileInput label="Choose a folder" folder multiple onFiles={give} />
        </p>
        <p role="status">{counted(missing.length, "picture")} still to be given.</p>
      </DropZone>
    </>
  );
}
