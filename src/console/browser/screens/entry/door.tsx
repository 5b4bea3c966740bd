import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { useWork } from '../../ui/form.ts';
import { ProblemOf } from '../../ui/states.tsx';

interface DoorProps {
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of the screens that people see before they sign in. */
export function Door({ title, lead, children }: DoorProps) {
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

/** A form with one button. An error is shown above it. */
export function DoorForm({ submit, disabled = false, onSubmit, children }: DoorFormProps) {
  const { busy, error, run } = useWork();
  const submitForm = (event: Event) => {
    event.preventDefault();
    if (!disabled) void run(onSubmit);
  };
  return (
    <form class="stack" onSubmit={submitForm} noValidate>
      {children}
      <ProblemOf error={error} />
      <Button submit look="primary" wide busy={busy} disabled={disabled}>
        {submit}
      </Button>
    </form>
  );
}
