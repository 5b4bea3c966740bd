// Dialogs above the page. The console uses the same component.

import { render, type ComponentChildren, type VNode } from 'preact';
import { Modal } from '../../browser/modal.tsx';

/** Shows a dialog until it is answered. */
export function askInDialog<T>(dialog: (giveAnswer: (value: T) => void) => VNode): Promise<T> {
  const container = document.createElement('div');
  document.body.append(container);
  return new Promise((resolve) => {
    const giveAnswer = (value: T) => {
      render(null, container);
      container.remove();
      resolve(value);
    };
    render(dialog(giveAnswer), container);
  });
}

export const isEditorDialogOpen = () => document.querySelector('dialog[open]') !== null;

interface ConfirmQuestion {
  title: string;
  text: ComponentChildren;
  submit: string;
}

/** Asks before an action that can't be undone. Escape means no. */
export const confirmAction = ({ title, text, submit }: ConfirmQuestion) =>
  askInDialog<boolean>((giveAnswer) => (
    <Modal title={title} onClose={() => giveAnswer(false)} onSubmit={() => giveAnswer(true)}>
      {text}
      <div class="choices">
        <button type="button" onClick={() => giveAnswer(false)}>
          Cancel
        </button>
        <button class="primary">{submit}</button>
      </div>
    </Modal>
  ));
