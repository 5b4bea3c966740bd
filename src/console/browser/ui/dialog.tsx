import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { wordsOf } from '../../../browser/http.ts';
import { usePlace } from '../router.ts';
import { createStore, useStore } from '../store.ts';
import { Button } from './controls.tsx';
import { Problem } from './states.tsx';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  wide?: boolean;
  onClose: () => void;
  /** Sent by Enter; its failure is shown above the buttons. */
  onSubmit?: () => Promise<unknown>;
  submit?: string;
  isDanger?: boolean;
  cancel?: string;
  disabled?: boolean;
}

/** A question above the page. Escape closes it; the focus goes back to where it was. */
export function Dialog({ title, children, wide, onClose, ...form }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <DialogForm {...form} onClose={onClose}>
        <h2 id={id}>{title}</h2>
        {children}
      </DialogForm>
    </dialog>
  );
}

function DialogForm({
  children,
  onClose,
  onSubmit,
  submit = 'Save',
  cancel = 'Cancel',
  isDanger,
  disabled,
}: Omit<DialogProps, 'title' | 'wide'>) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const send = async (event: Event) => {
    event.preventDefault();
    if (state.busy || disabled) return;
    setState({ busy: true });
    try {
      await onSubmit?.();
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      {children}
      {state.error !== undefined && <Problem>{wordsOf(state.error)}</Problem>}
      <div class="actions">
        <Button onClick={onClose}>{onSubmit ? cancel : 'Done'}</Button>
        {onSubmit && (
          <Button submit look={isDanger ? 'danger primary' : 'primary'} busy={state.busy} disabled={disabled ?? false}>
            {submit}
          </Button>
        )}
      </div>
    </form>
  );
}

interface Asked {
  title: string;
  text: ComponentChildren;
  details?: ComponentChildren;
  submit: string;
  isDanger?: boolean;
  onSubmit: () => Promise<unknown>;
}

const asked = createStore<Asked | undefined>(undefined);

/** Asks before something that can't be undone. */
export const confirm = (question: Asked) => asked.set(question);

export function Confirmation() {
  const question = useStore(asked);
  const { path } = usePlace();
  useEffect(() => asked.set(undefined), [path]); // a link in the text leads away
  if (!question) return null;
  const { title, text, details, submit, isDanger = true, onSubmit } = question;
  const close = () => asked.set(undefined);
  return (
    <Dialog
      title={title}
      submit={submit}
      isDanger={isDanger}
      onClose={close}
      onSubmit={async () => {
        await onSubmit();
        close();
      }}
    >
      <p class="muted">{text}</p>
      {details}
    </Dialog>
  );
}
