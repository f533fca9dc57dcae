import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { byteSize } from "../wording.ts";

/** An address of a file in memory, for as long as it is shown; null before the first. */
export function useAddress(file: File): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

/** A picture of the reader's own, shown from memory. */
export function Picture({ file }: { file: File }): VNode {
  const address = useAddress(file);
  const [isDrawn, setDrawn] = useState(true);
  useEffect(() => setDrawn(true), [file]);
  return (
    <figure class="picture">
      {address !== null && isDrawn && (
        <img src={address} alt="The picture you chose" onError={() => setDrawn(false)} />
      )}
      {!isDrawn && <p class="warning">This browser cannot draw the file. Is it a picture?</p>}
      <figcaption>
        {file.name} <span class="quiet">{byteSize(file.size)}</span>
      </figcaption>
    </figure>
  );
}
