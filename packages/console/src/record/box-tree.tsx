import { type CborRoom, type JumbfBox, readJumbf } from "@colophon/formats";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { byteSize } from "../wording.ts";
import { boxWords } from "./box-words.ts";
import { bytesInWords, newRoom, type Tree, treeOfCbor, treeOfJson } from "./tree.ts";
import { TreeView } from "./tree-view.tsx";

/** What boxes hold, where that can be shown. */
type Trees = ReadonlyMap<JumbfBox, Tree>;

/** The boxes of a JUMBF or C2PA container, with their labels and what can be read of them. */
export function BoxTree({ container }: { container: Uint8Array }): VNode {
  const { boxes, complete, trees } = useMemo(() => {
    const read = readJumbf(container);
    return { ...read, trees: new Map(contentTrees(read.boxes, newRoom())) };
  }, [container]);
  return (
    <>
      <Boxes boxes={boxes} trees={trees} />
      {!complete && (
        <p class="warning">Part of this container is broken or beyond measure, and is not shown.</p>
      )}
    </>
  );
}

function Boxes({ boxes, trees }: { boxes: readonly JumbfBox[]; trees: Trees }): VNode {
  return (
    <ul class="tree boxes">
      {boxes.map((box) => (
        <li key={box.offset}>
          <details open>
            <summary>
              {box.description?.label != null && <span class="tree-name">{box.description.label}</span>}{" "}
              {boxWords(box)} <span class="quiet">{byteSize(box.length)}</span>
            </summary>
            {box.description === null ? (
              <Content box={box} tree={trees.get(box)} />
            ) : (
              <Boxes boxes={box.children} trees={trees} />
            )}
          </details>
        </li>
      ))}
    </ul>
  );
}

function Content({ box, tree }: { box: JumbfBox; tree: Tree | undefined }): VNode {
  return tree === undefined ? (
    <code class="bytes">{bytesInWords(box.content)}</code>
  ) : (
    <TreeView tree={tree} />
  );
}

/** What boxes and those within them hold, as far as there is room. */
function contentTrees(boxes: readonly JumbfBox[], room: CborRoom): (readonly [JumbfBox, Tree])[] {
  return boxes.flatMap((box) => {
    const tree = contentTree(box, room);
    const within = contentTrees(box.children, room);
    return tree === null ? within : [[box, tree] as const, ...within];
  });
}

/** What a box of a known type holds, null when it is of another, or cannot be read or shown. */
function contentTree({ type, content }: JumbfBox, room: CborRoom): Tree | null {
  try {
    if (type === "json") return treeOfJson(content, room);
    return type === "cbor" ? treeOfCbor(content, room) : null;
  } catch {
    return null;
  }
}
