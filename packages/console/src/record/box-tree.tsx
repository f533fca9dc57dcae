import { fromUtf8, type JumbfBox, readCbor, readJumbf } from "@colophon/formats";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { byteSize } from "../wording.ts";
import { boxWords } from "./box-words.ts";
import { bytesInWords, type Tree, treeOfCbor, treeOfJson } from "./tree.ts";
import { TreeView } from "./tree-view.tsx";

/** The boxes of a JUMBF or C2PA container, with their labels and what can be read of them. */
export function BoxTree({ container }: { container: Uint8Array }): VNode {
  const { boxes, complete } = useMemo(() => readJumbf(container), [container]);
  return (
    <>
      <Boxes boxes={boxes} />
      {!complete && (
        <p class="warning">Part of this container is broken or beyond measure, and is not shown.</p>
      )}
    </>
  );
}

function Boxes({ boxes }: { boxes: readonly JumbfBox[] }): VNode {
  return (
    <ul class="tree boxes">
      {boxes.map((box) => (
        <li key={box.offset}>
          <details open>
            <summary>
              {box.description?.label != null && <span class="tree-name">{box.description.label}</span>}{" "}
              {boxWords(box)} <span class="quiet">{byteSize(box.length)}</span>
            </summary>
            {box.description === null ? <Content box={box} /> : <Boxes boxes={box.children} />}
          </details>
        </li>
      ))}
    </ul>
  );
}

function Content({ box }: { box: JumbfBox }): VNode {
  const tree = useMemo(() => contentTree(box), [box]);
  return tree === null ? <code class="bytes">{bytesInWords(box.content)}</code> : <TreeView tree={tree} />;
}

/** What a box of a known type holds, null when it is of another or cannot be read. */
function contentTree({ type, content }: JumbfBox): Tree | null {
  try {
    if (type === "json") return treeOfJson(fromUtf8(content));
    return type === "cbor" ? treeOfCbor(readCbor(content)) : null;
  } catch {
    return null;
  }
}
