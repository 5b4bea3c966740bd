import { createStore, useStore } from '../store.ts';
import { Icon } from './icons.tsx';

interface Toast {
  id: number;
  text: string;
  kind: 'good' | 'bad';
}

const shown = createStore<Toast[]>([]);
const SHOWN_MS = 5_000;
let count = 0;

const drop = (id: number) => shown.set(shown.get().filter((each) => each.id !== id));

/** Shows a message for a moment. One about a failure stays until it is closed. */
export function toast(text: string, kind: Toast['kind'] = 'good'): void {
  const id = ++count;
  shown.set([...shown.get().slice(-2), { id, text, kind }]);
  if (kind === 'good') setTimeout(() => drop(id), SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {useStore(shown).map(({ id, text, kind }) => (
        <div key={id} class={`toast ${kind}`}>
          <Icon name={kind === 'good' ? 'check' : 'alert'} size={16} />
          <span>{text}</span>
          <button
            type="button"
            class="btn ghost little icon"
            aria-label="Close"
            onClick={() => drop(id)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
