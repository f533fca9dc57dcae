import type { VNode } from "preact";
import { Copyable } from "../../components/copyable.tsx";
import { ArrivingHeading } from "../../components/arriving-heading.tsx";
import { counted } from "../../wording.ts";
import type { LedgerReading } from "./read-ledger.ts";

/** Whether a ledger's chain holds, and what that is worth. */
export function ChainVerdict({ reading: { verdict, total } }: { reading: LedgerReading<object> }): VNode {
  if (!verdict.intact) {
    return (
      <div class="problem chain" role="alert">
        <h2>The chain breaks</h2>
        <p>{verdict.message}</p>
        <p>
          {verdict.rows === 0
            ? "Not even the first row holds."
            : `The ${counted(verdict.rows, "row")} before it hold.`}{" "}
          Keep this ledger as it is and compare it with your backups: the database refuses to change or delete
          a row, so somebody went past it.
        </p>
      </div>
    );
  }
  if (total === 0) return <p>The ledger is empty: nothing was ever taken into custody for this account.</p>;
  return (
    <div class="notice chain">
      <ArrivingHeading>The chain holds</ArrivingHeading>
      <p>
        All {counted(total, "row")}: each is the row its hash was taken of, and follows the row before it. The
        check ran here, in your browser.
      </p>
      <p>
        Rows cut off the end would leave a chain that holds as well. Note the last row's hash, and look for it
        here another day:
      </p>
      <p>
        <Copyable name="the last row's hash" text={verdict.lastRowHash} />
      </p>
    </div>
  );
}
