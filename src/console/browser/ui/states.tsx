import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { wordsOf } from '../../../browser/http.ts';
import { isMissing } from '../client/api.ts';
import { Button, ButtonLink } from './controls.tsx';
import { Icon, type IconName } from './icons.tsx';

/** What stands where there is nothing yet: what it would be, and what to do next. */
export function Empty({
  icon,
  title,
  children,
  actions,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} size={36} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div class="row">{actions}</div>}
    </div>
  );
}

const widths = ['46%', '62%', '38%', '54%', '44%'];

/** What is shown while something is read. */
export const Bones = ({ lines = 4 }: { lines?: number }) => (
  <div class="bones" role="status">
    <span class="unseen">Loading</span>
    {Array.from({ length: lines }, (_, at) => (
      <div key={at} class="bone" style={{ width: widths[at % widths.length] }} />
    ))}
  </div>
);

export const Problem = ({
  children,
  actions,
}: {
  children: ComponentChildren;
  actions?: ComponentChildren;
}) => (
  <div class="notice bad" role="alert">
    <Icon name="alert" />
    <div>{children}</div>
    {actions}
  </div>
);

export const Notice = ({
  kind = '',
  icon = 'info',
  children,
  actions,
}: {
  kind?: 'good' | 'warn' | '';
  icon?: IconName;
  children: ComponentChildren;
  actions?: ComponentChildren;
}) => (
  <div class={`notice ${kind}`}>
    <Icon name={icon} />
    <div>{children}</div>
    {actions}
  </div>
);

/** What could not be read, in words, with another try. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  if (isMissing(error))
    return (
      <Empty
        icon="search"
        title="Not found"
        actions={<ButtonLink href="/sites">Go to your sites</ButtonLink>}
      >
        This is not there, or it belongs to another organization. If you are in several, choose the
        other one.
      </Empty>
    );
  return (
    <Empty
      icon="alert"
      title="This could not be loaded"
      actions={<Button onClick={retry}>Try again</Button>}
    >
      {wordsOf(error)}
    </Empty>
  );
}

interface LoadedProps<T> {
  of: { data: T | undefined; error: unknown; reload: () => void };
  lines?: number;
  children: (data: T) => ComponentChildren;
}

/** Data in whichever state it is. What was read once stays while a later reading fails. */
export function Loaded<T>({ of: { data, error, reload }, lines, children }: LoadedProps<T>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error !== undefined) return <Failure error={error} retry={reload} />;
  return <Bones {...(lines !== undefined && { lines })} />;
}

export function More({ more }: { more: (() => Promise<void>) | undefined }) {
  const [round, setRound] = useState(0);
  if (!more) return null;
  return (
    <div class="more">
      <Button key={round} little onClick={() => more().then(() => setRound(round + 1))}>
        Show more
      </Button>
    </div>
  );
}

export const Dot = ({
  kind,
  children,
}: {
  kind: 'good' | 'bad' | 'warn' | 'busy' | '';
  children: ComponentChildren;
}) => (
  <span class={`dot ${kind}`}>
    <span>{children}</span>
  </span>
);
