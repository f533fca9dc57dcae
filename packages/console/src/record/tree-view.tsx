import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../wording.ts";
import type { Tree, TreeMember } from "./tree.ts";

/** Levels that are open from the start. */
const OPEN_LEVELS = 3;
/** Members shown at once: a manifest may hold more than a page can. */
const SHOWN_MEMBERS = 200;

/** The members of a value, each nested one to be opened and closed. */
export function TreeView({ tree, level = 0 }: { tree: Tree; level?: number }): VNode {
  if (tree.kind === "leaf") return <Leaf tree={tree} />;
  return (
    <ul class="tree">
      {tree.members.slice(0, SHOWN_MEMBERS).map((member, at) => (
        <li key={at}>
          <Member member={member} level={level} />
        </li>
      ))}
      {tree.members.length > SHOWN_MEMBERS && (
        <li class="quiet">and {counted(tree.members.length - SHOWN_MEMBERS, "more member")}</li>
      )}
      {tree.members.length === 0 && <li class="quiet">{tree.list ? "an empty list" : "nothing in it"}</li>}
    </ul>
  );
}

function Member({ member: { name, value }, level }: { member: TreeMember; level: number }): VNode {
  const [open, setOpen] = useState(level < OPEN_LEVELS);
  if (value.kind === "leaf") {
    return (
      <>
        <span class="tree-name">{name}</span> <Leaf tree={value} />
      </>
    );
  }
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="tree-name">{name}</span>{" "}
        <span class="quiet">{counted(value.members.length, value.list ? "item" : "member")}</span>
      </summary>
      {open && <TreeView tree={value} level={level + 1} />}
    </details>
  );
}

function Leaf({ tree: { type, text } }: { tree: Tree & { kind: "leaf" } }): VNode {
  return type === "text" ? <span>{text}</span> : <code>{text}</code>;
}
