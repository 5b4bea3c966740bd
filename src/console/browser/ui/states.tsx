import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RefusedRequestError, errorText } from '../../../browser/sendRequest.ts';
import type { DotKind } from '../words/taskWords.ts';
import type { LoadedData } from '../useData.ts';
import { Button, ButtonLink } from './controls.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Page } from './page.tsx';

interface EmptyProps {
  icon: IconName;
  /** undefined if the screen's own title says it */
  title: string | undefined;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

/**
 * Shown in place of content that does not exist yet. Says what would be here, and what to do next.
 */
export const Empty = ({ icon, title, children, actions }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} size={36} />
    {title && <h2>{title}</h2>}
    {children && <p>{children}</p>}
    {actions && <div class="row">{actions}</div>}
  </div>
);

export const EmptyCard = (props: EmptyProps) => (
  <div class="card">
    <Empty {...props} />
  </div>
);

const boneWidths = ['46%', '62%', '38%', '54%', '44%'];

/** A placeholder while data is loading. */
export const LoadingBones = ({ lines = 4 }: { lines?: number | undefined }) => (
  <div class="bones" role="status">
    <span class="unseen">Loading</span>
    {Array.from({ length: lines }, (_, index) => (
      <div key={index} class="bone" style={{ width: boneWidths[index % boneWidths.length] }} />
    ))}
  </div>
);

interface NoticeProps {
  children: ComponentChildren;
  actions?: ComponentChildren;
}

export const Problem = ({ children, actions }: NoticeProps) => (
  <div class="notice bad" role="alert">
    <Icon name="alert" />
    <div>{children}</div>
    {actions}
  </div>
);

/** Shows an error; nothing if there is none. */
export const ProblemOf = ({ error }: { error: unknown }) =>
  error === undefined ? null : <Problem>{errorText(error)}</Problem>;

const noticeIcons = { good: 'check', warn: 'alert', '': 'info' } as const;

interface OwnNoticeProps extends NoticeProps {
  kind?: keyof typeof noticeIcons;
  icon?: IconName;
}

export const Notice = ({
  kind = '',
  icon = noticeIcons[kind],
  children,
  actions,
}: OwnNoticeProps) => (
  <div class={`notice ${kind}`}>
    <Icon name={icon} />
    <div>{children}</div>
    {actions}
  </div>
);

interface FailureProps {
  error: unknown;
  retry: () => void;
  /** Whether the failure fills the screen, and so needs the title of a page. */
  isScreen?: boolean | undefined;
}

/** Says why data could not be loaded. Offers another attempt, unless the service answered 404. */
export function Failure({ error, retry, isScreen }: FailureProps) {
  const isMissing = error instanceof RefusedRequestError && error.status === 404;
  const title = isMissing ? 'Not found' : 'This could not be loaded';
  const content = isMissing ? (
    <Empty
      icon="search"
      title={isScreen ? undefined : title}
      actions={<ButtonLink href="/sites">Go to your sites</ButtonLink>}
    >
      This does not exist, or it belongs to another organization. If you are a member of several
      organizations, switch to the other one.
    </Empty>
  ) : (
    <Empty
      icon="alert"
      title={isScreen ? undefined : title}
      actions={<Button onClick={retry}>Try again</Button>}
    >
      {errorText(error)}
    </Empty>
  );
  return isScreen ? <Page title={title}>{content}</Page> : content;
}

interface LoadedProps<T> {
  of: Pick<LoadedData<T>, 'data' | 'error' | 'reload'>;
  lines?: number | undefined;
  /** Whether the data fills the screen. */
  isScreen?: boolean;
  children: (data: T) => ComponentChildren;
}

/** Shows loaded data, an error or a placeholder. Loaded data stays if a later load fails. */
export function Loaded<T>({
  of: { data, error, reload },
  lines,
  isScreen,
  children,
}: LoadedProps<T>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error !== undefined) return <Failure error={error} retry={reload} isScreen={isScreen} />;
  return <LoadingBones lines={lines} />;
}

/** A button that loads the next part of a list; nothing at the list's end. */
export function MoreButton({ more }: { more: (() => Promise<void>) | undefined }) {
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

export const StateDot = ({ kind, children }: { kind: DotKind; children: ComponentChildren }) => (
  <span class={`dot ${kind}`}>
    <span>{children}</span>
  </span>
);
