import { createStore, useStore } from '../store.ts';
import { Icon } from './icons.tsx';

interface ToastMessage {
  id: number;
  text: string;
  kind: 'good' | 'bad';
}

const shownToasts = createStore<ToastMessage[]>([]);
const SHOWN_MS = 5_000;
let toastCount = 0;

const closeToast = (toastId: number) =>
  shownToasts.set(shownToasts.get().filter((candidate) => candidate.id !== toastId));

/** Shows a message for five seconds. A message about a failure stays until it is closed. */
export function toast(text: string, kind: ToastMessage['kind'] = 'good'): void {
  const toastId = ++toastCount;
  shownToasts.set([...shownToasts.get().slice(-2), { id: toastId, text, kind }]);
  if (kind === 'good') setTimeout(() => closeToast(toastId), SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {useStore(shownToasts).map(({ id, text, kind }) => (
        <div key={id} class={`toast ${kind}`}>
          <Icon name={kind === 'good' ? 'check' : 'alert'} size={16} />
          <span>{text}</span>
          <button
            type="button"
            class="btn ghost little icon"
            aria-label="Close"
            onClick={() => closeToast(id)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
