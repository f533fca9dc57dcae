import type { VNode } from "preact";
import { useId } from "preact/hooks";

/** A button that asks for files. */
export function FileInput({
  label,
  accept,
  multiple = false,
  folder = false,
  onFiles,
}: {
  label: string;
  accept?: string;
  multiple?: boolean;
  /** Whether to ask for a folder, with all that is in it. */
  folder?: boolean;
  onFiles: (files: readonly File[]) => void;
}): VNode {
  const id = useId();
  return (
    <span class="file-input">
      <input
        id={id}
        type="file"
        class="visually-hidden"
        multiple={multiple}
        {...(folder ? { webkitdirectory: true } : {})}
        {...(accept === undefined ? {} : { accept })}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // So that the same file can be chosen again.
          currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
      <label for={id} class="button">
        {label}
      </label>
    </span>
  );
}
