import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Modal, type ModalProps } from '../../../browser/modal.tsx';
import { usePlace } from '../router.ts';
import { createStore, useStore } from '../store.ts';
import { Button } from './controls.tsx';
import { useWork } from './form.ts';
import { ProblemOf } from './states.tsx';

interface DialogProps extends Omit<ModalProps, 'onSubmit'> {
  /** Called when the form is submitted. A failure is shown above the buttons. */
  onSubmit?: () => Promise<unknown>;
  submit?: string;
  isDanger?: boolean;
  cancel?: string;
  disabled?: boolean;
}

/** A dialog above the page, with the buttons that answer it. */
export function Dialog({
  children,
  onSubmit,
  submit = 'Save',
  cancel = 'Cancel',
  isDanger,
  disabled,
  ...modalProps
}: DialogProps) {
  const { busy, error, run } = useWork();
  return (
    <Modal {...modalProps} onSubmit={() => void (disabled || run(() => onSubmit?.()))}>
      {children}
      <ProblemOf error={error} />
      <div class="actions">
        <Button onClick={modalProps.onClose}>{onSubmit ? cancel : 'Done'}</Button>
        {onSubmit && (
          <Button
            submit
            look={isDanger ? 'danger primary' : 'primary'}
            busy={busy}
            disabled={disabled ?? false}
          >
            {submit}
          </Button>
        )}
      </div>
    </Modal>
  );
}

interface ConfirmationRequest {
  title: string;
  text: ComponentChildren;
  details?: ComponentChildren;
  submit: string;
  isDanger?: boolean;
  onSubmit: () => Promise<unknown>;
}

const openQuestion = createStore<ConfirmationRequest | undefined>(undefined);

/** Opens a dialog that asks before an important action, such as a removal. */
export const askToConfirm = (question: ConfirmationRequest) => openQuestion.set(question);

/** Shows the dialog that `askToConfirm` opened. The app contains it once. */
export function Confirmation() {
  const question = useStore(openQuestion);
  const { path } = usePlace();
  // A link in the text may lead to another screen.
  useEffect(() => openQuestion.set(undefined), [path]);
  if (!question) return null;
  const { title, text, details, submit, isDanger = true, onSubmit } = question;
  const close = () => openQuestion.set(undefined);
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
