import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { byteSize } from "../wording.ts";

/** A picture of the reader's own, shown from memory. */
export function Picture({ file }: { file: File }): VNode {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <figure class="picture">
      {address !== null && <img src={address} alt="The picture you chose" />}
      <figcaption>
        {file.name} <span class="quiet">{byteSize(file.size)}</span>
      </figcaption>
    </figure>
  );
}
