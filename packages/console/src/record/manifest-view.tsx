import { fromUtf8, type PublishedManifest } from "@colophon/formats";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { saveFile } from "../save-file.ts";
import { byteSize } from "../wording.ts";
import { BoxTree } from "./box-tree.tsx";
import { type Tree, treeOfJson } from "./tree.ts";
import { TreeView } from "./tree-view.tsx";

/** One manifest of a record: what it says, struck out where it is not what was signed, and its bytes to keep. */
export function ManifestView({
  manifest,
  altered,
}: {
  manifest: PublishedManifest;
  altered: boolean;
}): VNode {
  const { type, form, payload } = manifest;
  const file = form === "json" ? `${type}.json` : `${type}.jumbf`;
  const mediaType = form === "json" ? "application/json" : "application/jumbf";
  return (
    <article class={altered ? "manifest altered" : "manifest"}>
      <header>
        <h4>{type}</h4>
        <span class="quiet">
          {form === "json" ? "JSON" : "JUMBF"}, {byteSize(payload.length)}
        </span>
        <button
          type="button"
          class="plain"
          aria-label={`Save manifest ${type}`}
          onClick={() => saveFile(file, mediaType, payload)}
        >
          Save
        </button>
      </header>
      {altered && <p class="warning">This is not what was signed. Do not rely on it.</p>}
      {form === "json" ? <JsonView payload={payload} /> : <BoxTree container={payload} />}
    </article>
  );
}

function JsonView({ payload }: { payload: Uint8Array }): VNode {
  const tree = useMemo(() => jsonTree(payload), [payload]);
  if (tree === null) return <p>This manifest cannot be shown as a tree. Save it to look at its text.</p>;
  return <TreeView tree={tree} />;
}

function jsonTree(payload: Uint8Array): Tree | null {
  try {
    return treeOfJson(JSON.parse(fromUtf8(payload)));
  } catch {
    return null;
  }
}
