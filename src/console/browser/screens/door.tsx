import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { wordsOf } from '../../../browser/http.ts';
import { Button } from '../ui/controls.tsx';
import { Problem } from '../ui/states.tsx';

/** The frame of the screens before one is signed in. */
export function Door({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <div class="door">
      <main>
        <Brand />
        <div class="stack tight">
          <h1>{title}</h1>
          {lead && <p class="muted">{lead}</p>}
        </div>
        {children}
      </main>
    </div>
  );
}

export const Brand = () => (
  <div class="brand">
    <Mark />
    Agent Tasks
  </div>
);

const Mark = () => (
  <svg width="28" height="28" viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6" fill="var(--accent)" />
    <path d="M7 6h10v3H7zM7 11h6v7H7zM15 11h2v7h-2z" fill="#fff" />
  </svg>
);

interface DoorFormProps {
  submit: string;
  disabled?: boolean;
  onSubmit: () => Promise<unknown>;
  children: ComponentChildren;
}

/** A form with one button, and what was wrong above it. */
export function DoorForm({ submit, disabled = false, onSubmit, children }: DoorFormProps) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const send = async (event: Event) => {
    event.preventDefault();
    if (state.busy || disabled) return;
    setState({ busy: true });
    try {
      await onSubmit();
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <form class="stack" onSubmit={(event) => void send(event)} noValidate>
      {children}
      {state.error !== undefined && <Problem>{wordsOf(state.error)}</Problem>}
      <Button submit look="primary" wide busy={state.busy} disabled={disabled}>
        {submit}
      </Button>
    </form>
  );
}
