import type { OperatorClient } from "@colophon/client";
import { isHash } from "@colophon/formats";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { TextField } from "../components/text-field.tsx";
import { type Deed, Deeds } from "./deed.tsx";
import { useOperator } from "./use-operator.ts";

/** One original, by its hash, no matter who registered it: set aside, let match again, taken down. */
export function Originals(): VNode {
  const operator = useOperator();
  const [text, setText] = useState("");
  const hash = text.trim();
  return (
    <>
      <h1>One original</h1>
      <p class="standfirst">
        No matter who registered it: a court order, a justified complaint, a form that matches what it should
        not.
      </p>
      <div class="sheet">
        <TextField
          id="original"
          label="The original's hash"
          hint="The hash under which its record is read: 64 characters, 0 to 9 and a to f."
          mono
          value={text}
          onChange={setText}
        />
        <Deeds deeds={deedsOn(operator, hash)} disabled={!isHash(hash)} />
      </div>
    </>
  );
}

function deedsOn(operator: OperatorClient, hash: string): readonly Deed[] {
  return [
    {
      title: "Set this original aside?",
      button: "Set aside",
      action: "Set it aside",
      says: "It stays registered and its record stays published, but it matches nothing except its very bytes: for an empty form, a template, a test card.",
      run: async (reason) => {
        await operator.setOriginalAside(hash, reason);
        return "Set aside: only its very bytes match it from now on.";
      },
    },
    {
      title: "Let this original match again?",
      button: "Let it match again",
      action: "Let it match again",
      says: "Pictures made from it are found again.",
      run: async (reason) => {
        await operator.reinstateOriginal(hash, reason);
        return "It matches again.";
      },
    },
    {
      title: "Take this original down for good?",
      button: "Take it down",
      action: "Take it down for good",
      says: "No look-up finds it, and its record says only that it was taken down. It does not come back.",
      run: async (reason) => {
        await operator.takeDownOriginal(hash, reason);
        return "Taken down for good.";
      },
    },
  ];
}
