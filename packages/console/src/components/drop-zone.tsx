import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { droppedFiles } from "../browser/dropped-files.ts";

/** Takes files that are dropped on it, folders with what is in them, or pasted anywhere on the page. */
export function DropZone({
  onFiles,
  filled = false,
  children,
}: {
  onFiles: (files: readonly File[]) => void;
  /** Whether it shows what it was given. */
  filled?: boolean;
  children: ComponentChildren;
}): VNode {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [onFiles]);
  return (
    <div
      class={`drop-zone ${over ? "over" : ""} ${filled ? "filled" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer !== null) void takeDropped(event.dataTransfer, onFiles);
      }}
    >
      {children}
    </div>
  );
}

async function takeDropped(drop: DataTransfer, onFiles: (files: readonly File[]) => void): Promise<void> {
  const files = await droppedFiles(drop);
  if (files.length > 0) onFiles(files);
}
