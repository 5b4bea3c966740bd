// Dialogs above the page. The console uses the same component.

import { render, type ComponentChildren, type VNode } from 'preact';
import { Modal } from '../../browser/modal.tsx';

/** Shows a dialog until it is answered. */
export function ask<T>(dialog: (answer: (value: T) => void) => VNode): Promise<T> {
  const place = document.createElement('div');
  document.body.append(place);
  return new Promise((resolve) => {
    const answer = (value: T) => {
      render(null, place);
      place.remove();
      resolve(value);
    };
    render(dialog(answer), place);
  });
}

export const isAsking = () => document.querySelector('dialog[open]') !== null;

interface Question {
  title: string;
  text: ComponentChildren;
  submit: string;
}

/** Asks before an action that can't be undone. Escape means no. */
export const confirmed = ({ title, text, submit }: Question) =>
  ask<boolean>((answer) => (
    <Modal title={title} onClose={() => answer(false)} onSubmit={() => answer(true)}>
      {text}
      <div class="choices">
        <button type="button" onClick={() => answer(false)}>
          Cancel
        </button>
        <button class="primary">{submit}</button>
      </div>
    </Modal>
  ));
