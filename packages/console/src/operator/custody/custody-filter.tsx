import type { VNode } from "preact";
import { TextField } from "../../components/text-field.tsx";
import type { CustodyRow } from "../answers.ts";
import { KIND_WORDS } from "./custody-words.ts";

/** Which rows of a custody ledger are wanted. */
export interface CustodyFilter {
  /** Empty for every kind. */
  readonly kind: CustodyRow["kind"] | "";
  /** A part of a hash or an id; empty for any. */
  readonly text: string;
}

/** Asks which rows are wanted. */
export function CustodyFilterForm({
  filter,
  onFilter,
}: {
  filter: CustodyFilter;
  onFilter: (filter: CustodyFilter) => void;
}): VNode {
  return (
    <div class="columns">
      <div class="field">
        <label for="kind">What happened</label>
        <select
          id="kind"
          value={filter.kind}
          onChange={({ currentTarget }) =>
            onFilter({ ...filter, kind: currentTarget.value as CustodyFilter["kind"] })
          }
        >
          <option value="">Everything</option>
          {Object.entries(KIND_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <TextField
        id="row-text"
        label="Hash or id"
        mono
        value={filter.text}
        onChange={(text) => onFilter({ ...filter, text })}
      />
    </div>
  );
}

/** Whether a row is wanted. */
export function isWanted(row: CustodyRow, filter: CustodyFilter): boolean {
  if (filter.kind !== "" && row.kind !== filter.kind) return false;
  const text = filter.text.trim().toLowerCase();
  const { imageHash, slotId, sequenceId, rowHash } = row;
  return (
    text === "" || [imageHash, slotId, sequenceId, rowHash].some((id) => id?.toLowerCase().includes(text))
  );
}
