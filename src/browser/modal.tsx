import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface ModalProps {
  title: string;
  children: ComponentChildren;
  wide?: boolean | undefined;
  /** Escape was pressed. */
  onClose: () => void;
  /** Enter was pressed, or a button that submits. */
  onSubmit?: () => void;
}

/** A question above the page. The focus goes back to where it was. */
export function Modal({ title, children, wide, onClose, onSubmit }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <dialog ref={dialog} class={wide ? 'wide' : ''} aria-labelledby={id} onCancel={cancel}>
      <form onSubmit={submit} noValidate>
        <h2 id={id}>{title}</h2>
        {children}
      </form>
    </dialog>
  );
}
