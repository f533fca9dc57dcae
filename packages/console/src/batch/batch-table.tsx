import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { href } from "../route.ts";
import { byteSize, counted } from "../wording.ts";
import { type BatchRow, STATE_WORDS, TROUBLED } from "./batch-row.ts";

/** Rows shown at first, and more at a time when asked. */
const PAGE = 200;

/** Every file of a batch with its state. */
export function BatchTable({ rows }: { rows: readonly BatchRow[] }): VNode {
  const [onlyTroubled, setOnlyTroubled] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const wanted = onlyTroubled ? rows.filter(({ state }) => TROUBLED.has(state)) : rows;
  const troubled = rows.filter(({ state }) => TROUBLED.has(state)).length;
  return (
    <>
      {troubled > 0 && (
        <label class="choice">
          <input
            type="checkbox"
            checked={onlyTroubled}
            onChange={({ currentTarget }) => setOnlyTroubled(currentTarget.checked)}
          />
          Only the {counted(troubled, "file")} that did not go through
        </label>
      )}
      <table class="batch-table">
        <caption class="visually-hidden">Files of the batch</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {wanted.slice(0, shown).map((row, at) => (
            <Row key={at} row={row} />
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

function Row({ row: { name, bytes, state, reason, registrationId, originals } }: { row: BatchRow }): VNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{byteSize(bytes)}</td>
      <td>
        <span class={`state ${state}`}>{STATE_WORDS[state]}</span>
        {reason !== null && <span class="quiet"> {reason}</span>}
        {originals.map((hash) => (
          <a key={hash} href={href("records", hash)}>
            <code>{hash.slice(0, 8)}…</code>
            <span class="visually-hidden"> record for {name}</span>
          </a>
        ))}
        {registrationId !== null && state !== "found" && <code class="quiet">{registrationId}</code>}
      </td>
    </tr>
  );
}
