import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../components/picture.tsx";
import { href } from "../route.ts";
import { byteSize } from "../wording.ts";
import type { BatchRow } from "./batch-row.ts";
import type { BatchRun } from "./batch-run.ts";
import { isTroubled, rowWords } from "./row-words.ts";

/** Rows shown at first, and more at a time when asked. */
const PAGE = 200;

/** Every file of a batch: its picture, its name, and what became of it. */
export function BatchTable({ run, rows }: { run: BatchRun; rows: readonly BatchRow[] }): VNode {
  const [onlyTroubled, setOnlyTroubled] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const placed = rows.map((row, at) => ({ row, at }));
  const troubled = placed.filter(({ row }) => isTroubled(row));
  const wanted = onlyTroubled ? troubled : placed;
  return (
    <>
      {troubled.length > 0 && (
        <label class="choice">
          <input
            type="checkbox"
            checked={onlyTroubled}
            onChange={({ currentTarget }) => setOnlyTroubled(currentTarget.checked)}
          />
          Only the {troubled.length === 1 ? "file" : `${troubled.length} files`} that did not go through
        </label>
      )}
      <table class="batch-table">
        <caption class="visually-hidden">Files of the batch</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">What became of it</th>
          </tr>
        </thead>
        <tbody>
          {wanted.slice(0, shown).map(({ row, at }) => (
            <Row key={at} row={row} file={run.fileAt(at)} task={run.task} />
          ))}
        </tbody>
      </table>
      {wanted.length > shown && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          Show more of the {wanted.length}
        </button>
      )}
    </>
  );
}

function Row({ row, file, task }: { row: BatchRow; file: File | null; task: BatchRun["task"] }): VNode {
  const { name, bytes, originals } = row;
  const { state, tone, sentence } = rowWords(row, task);
  return (
    <tr>
      <th scope="row">
        <span class={file === null ? "" : "batch-file"}>
          {file !== null && (
            <span class="thumbnail">
              <Thumbnail file={file} />
            </span>
          )}
          <span>
            {name} <span class="quiet">{byteSize(bytes)}</span>
          </span>
        </span>
      </th>
      <td>
        <span class={`state tone-${tone}`} data-state={row.state}>
          {state}
        </span>{" "}
        {sentence !== "" && <span>{sentence} </span>}
        {originals.map((hash, at) => (
          <a key={hash} href={href("records", hash)}>
            Record{originals.length > 1 && ` ${at + 1}`}
            <span class="visually-hidden"> for {name}</span>
          </a>
        ))}
      </td>
    </tr>
  );
}

/** The reader's own picture, small; nothing where the browser cannot draw it. The file's name stands beside it. */
function Thumbnail({ file }: { file: File }): VNode | null {
  const [isDrawn, setDrawn] = useState(true);
  if (!isDrawn) return null;
  return <img src={addressOf(file)} alt="" loading="lazy" decoding="async" onError={() => setDrawn(false)} />;
}
