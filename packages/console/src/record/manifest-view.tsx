import { countJsonValues, opensWithC2paStore, type PublishedManifest } from "@colophon/formats";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { StoreView } from "../credentials/store-view.tsx";
import { saveFile } from "../browser/save-file.ts";
import { byteSize } from "../wording.ts";
import { BoxTree } from "./box-tree.tsx";
import { newRoom, type Tree, treeOfJson, valuesIn } from "./tree.ts";
import { TreeView } from "./tree-view.tsx";

/** One manifest of a record: what it says, struck out where it is not what was signed, and its bytes to keep. */
export function ManifestView({
  manifest,
  altered,
  file,
}: {
  manifest: PublishedManifest;
  altered: boolean;
  /** The picture as the reader has it. */
  file: Uint8Array | null;
}): VNode {
  const { type, form, payload } = manifest;
  const isStore = form === "jumbf" && opensWithC2paStore(payload);
  const [ending, mediaType] = isStore ? ["c2pa", "application/c2pa"] : [form, `application/${form}`];
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
          onClick={() => saveFile(`${type}.${ending}`, mediaType, payload)}
        >
          Save
        </button>
      </header>
      {altered && (
        <p class="warning">
          This is not what was signed. Do not rely on it.
          {form === "json" &&
            " A record that was only reformatted fails too: verify it exactly as the registry answered it."}
        </p>
      )}
      {isStore && <StoreView store={payload} file={file} />}
      {form === "json" ? <JsonView payload={payload} /> : <BoxTree container={payload} />}
    </article>
  );
}

function JsonView({ payload }: { payload: Uint8Array }): VNode {
  const tree = useMemo(() => jsonTree(payload), [payload]);
  if (tree === null) return <p>This manifest cannot be shown as a tree. Save it to look at its text.</p>;
  return (
    <>
      {valuesIn(tree) !== countJsonValues(payload) && (
        <p class="warning">It names members twice. Of each the last is shown; save it to see them all.</p>
      )}
      <TreeView tree={tree} />
    </>
  );
}

function jsonTree(payload: Uint8Array): Tree | null {
  try {
    return treeOfJson(payload, newRoom());
  } catch {
    return null;
  }
}
