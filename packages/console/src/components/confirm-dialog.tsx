import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** Asks before something that cannot be undone. Esc and the first button keep everything as it is. */
export function ConfirmDialog({
  title,
  action,
  busy,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ComponentChildren;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="actions">
        <button type="button" disabled={busy} onClick={() => dialog.current?.close()}>
          Keep it
        </button>
        <button type="button" class="danger" disabled={busy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
