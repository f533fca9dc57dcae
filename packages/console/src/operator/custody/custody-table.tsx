import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { byteSize, counted } from "../../wording.ts";
import type { CustodyRow } from "../answers.ts";
import { type CustodyFilter, CustodyFilterForm, isWanted } from "./custody-filter.tsx";
import { KIND_WORDS, SUBJECT_WORDS } from "./custody-words.ts";
import { KEPT_ROWS, type LedgerReading } from "./read-ledger.ts";

const PAGE = 50;

/** The rows of a custody ledger, newest first, by what happened and by any part of a hash or an id. */
export function CustodyTable({ reading }: { reading: LedgerReading<CustodyRow> }): VNode {
  const [filter, setFilter] = useState<CustodyFilter>({ kind: "", text: "" });
  const [page, setPage] = useState(0);
  const rows = useMemo(
    () => reading.rows.filter((row) => isWanted(row, filter)).toReversed(),
    [reading, filter],
  );
  const first = page * PAGE;
  const shown = rows.slice(first, first + PAGE);
  return (
    <section>
      <h2>Rows</h2>
      <CustodyFilterForm
        filter={filter}
        onFilter={(wanted) => {
          setFilter(wanted);
          setPage(0);
        }}
      />
      {reading.total > reading.rows.length && (
        <p class="warning">
          The newest {KEPT_ROWS.toLocaleString("en")} rows can be browsed here; the chain was checked over all{" "}
          {reading.total.toLocaleString("en")}. <code>colophon custody export</code> prints the rest.
        </p>
      )}
      <p role="status" class="quiet">
        {rows.length === 0
          ? "No row is like that."
          : `${counted(rows.length, "row")}, ${first + 1} to ${first + shown.length} shown, newest first.`}
      </p>
      {shown.length > 0 && <Rows rows={shown} broken={reading.broken} />}
      {rows.length > PAGE && (
        <div class="actions">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Newer
          </button>
          <button type="button" disabled={first + PAGE >= rows.length} onClick={() => setPage(page + 1)}>
            Older
          </button>
        </div>
      )}
    </section>
  );
}

function Rows({ rows, broken }: { rows: readonly CustodyRow[]; broken: CustodyRow | null }): VNode {
  return (
    <div class="scroll" role="region" aria-label="Rows of the ledger" tabIndex={0}>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col" class="number">
              Row
            </th>
            <th scope="col">When (UTC)</th>
            <th scope="col">What</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col">Verified by</th>
            <th scope="col">Of</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.seq} class={row === broken ? "broken" : ""}>
              <th scope="row" class="number">
                {row.seq}
              </th>
              <td>{row.at.slice(0, 19).replace("T", " ")}</td>
              <td>
                <span class={`custody ${row.kind}`}>{KIND_WORDS[row.kind]}</span> {SUBJECT_WORDS[row.subject]}
                {row === broken && <strong class="fault">The chain breaks here.</strong>}
              </td>
              <td class="number">{byteSize(row.byteLength)}</td>
              <td>{row.check ?? ""}</td>
              <td>
                <Belonging row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a row is about, each hash and id by its beginning, whole for anyone who points at it or searches for it. */
function Belonging({ row: { imageHash, slotId, sequenceId, frameId } }: { row: CustodyRow }): VNode {
  const parts = [
    { name: "picture", id: imageHash },
    { name: "slot", id: slotId },
    { name: "sequence", id: sequenceId },
  ];
  return (
    <>
      {parts.map(
        ({ name, id }) =>
          id !== null && (
            <span key={name} class="belonging">
              {name} <code title={id}>{id.slice(0, 12)}…</code>
            </span>
          ),
      )}
      {frameId !== null && <span class="belonging">frame {frameId}</span>}
    </>
  );
}
