import { mergeWords, mergeModeAt } from '../../words/mergeWords.ts';
import type { SiteHost } from '../../../../contract/responses.ts';
import { OutsideLink } from '../../ui/controls.tsx';
import { Notice } from '../../ui/states.tsx';
import { openableUrl } from '../../openableUrl.ts';

interface PullRequestProps {
  url: string | undefined;
  /** The site's host; undefined while it is not known. */
  host: SiteHost | undefined;
  /** What it merges, such as `The pages`. */
  what: string;
  isLive: boolean;
}

/** Leads to the pull request of a task or a batch, and says how it puts pages live. */
export function PullRequestPanel({ url, host, what: mergedThing, isLive }: PullRequestProps) {
  const href = url === undefined ? null : openableUrl(url);
  if (href === null) return null;
  const mergeMode = mergeModeAt(host);
  return (
    <Notice icon="branch">
      {mergedThing} {isLive ? 'went live by a' : 'are in a'}{' '}
      <OutsideLink href={href}>pull request</OutsideLink>.
      {!isLive && mergeMode && ` ${mergeWords[mergeMode]}`}
    </Notice>
  );
}
