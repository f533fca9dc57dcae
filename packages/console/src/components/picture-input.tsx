import type { ComponentChildren, VNode } from "preact";
import { useCallback } from "preact/hooks";
import { DropZone } from "./drop-zone.tsx";
import { FileInput } from "./file-input.tsx";
import { Picture } from "./picture.tsx";

/** Asks for one picture: dropped, pasted or chosen. */
export function PictureInput({
  picture,
  onPicture,
  children,
}: {
  picture: File | null;
  onPicture: (picture: File) => void;
  /** What can be done with the picture. */
  children?: ComponentChildren;
}): VNode {
  const take = useCallback(
    ([first]: readonly File[]): void => {
      if (first !== undefined) onPicture(first);
    },
    [onPicture],
  );
  return (
    <DropZone onFiles={take} filled={picture !== null}>
      {picture !== null && <Picture file={picture} />}
      <div>
        {children}
        <p>
          <span class="for-mice">
            {picture === null
              ? "Drop a picture here, paste one, or"
              : "Another one? Drop it, paste it, or"}{" "}
          </span>
          <FileInput label="Choose a file" accept="image/*" onFiles={take} />
        </p>
      </div>
    </DropZone>
  );
}
