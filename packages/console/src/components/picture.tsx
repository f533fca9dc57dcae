import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { byteSize } from "../wording.ts";

const addresses = new WeakMap<File, string>();
const outlived = new FinalizationRegistry<string>((address) => URL.revokeObjectURL(address));

/** The address of a file in memory. It is the same wherever the file is shown, so that a picture is decoded once. */
export function addressOf(file: File): string {
  const known = addresses.get(file);
  if (known !== undefined) return known;
  const made = URL.createObjectURL(file);
  addresses.set(file, made);
  outlived.register(file, made);
  return made;
}

/** A picture of the reader's own, shown from memory. */
export function Picture({ file }: { file: File }): VNode {
  const [undrawable, setUndrawable] = useState<File | null>(null);
  const isDrawn = undrawable !== file;
  return (
    <figure class="picture">
      {isDrawn && (
        <img src={addressOf(file)} alt="The picture you chose" onError={() => setUndrawable(file)} />
      )}
      {!isDrawn && <p class="warning">This browser cannot draw the file. Is it a picture?</p>}
      <figcaption>
        {file.name} <span class="quiet">{byteSize(file.size)}</span>
      </figcaption>
    </figure>
  );
}
