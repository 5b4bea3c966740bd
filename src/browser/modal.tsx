import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface ModalProps {
  title: string;
  children: ComponentChildren;
  wide?: boolean | undefined;
  /** Called when Escape is pressed. */
  onClose: () => void;
  /** Called when Enter or a submit button is pressed. */
  onSubmit?: () => void;
}

/** A modal dialog above the page. When it closes, the focus returns to where it was. */
export function Modal({ title, children, wide, onClose, onSubmit }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const focusedBefore = document.activeElement;
    dialog.current?.showModal();
    // the element that gets the focus may begin below the title
    dialog.current?.scrollTo(0, 0);
    return () => {
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
    };
  }, []);
  const handleCancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  const handleSubmit = (event: Event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <dialog ref={dialog} class={wide ? 'wide' : ''} aria-labelledby={id} onCancel={handleCancel}>
      <form onSubmit={handleSubmit} noValidate>
        <h2 id={id}>{title}</h2>
        {children}
      </form>
    </dialog>
  );
}
