import type { ComponentChildren, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

/**
 * Asks before something that cannot be undone. Esc and the first button keep everything as it is. It is open for as
 * long as it is rendered: `onClose` is to take it away, and what had the focus before has it again.
 */
export function ConfirmDialog({
  title,
  action,
  refusal = "Keep it",
  busy,
  ready = true,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  action: string;
  /** What the button says that leaves everything as it is. */
  refusal?: string;
  busy: boolean;
  /** Whether all is there that it needs. */
  ready?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ComponentChildren;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="actions">
        <button type="button" disabled={busy} onClick={onClose}>
          {refusal}
        </button>
        <button type="button" class="danger" disabled={busy || !ready} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
