import { mergeWords, mergingAt } from '../mergeWords.ts';
import type { SiteHost } from '../../../contract/answers.ts';
import { Out } from '../ui/controls.tsx';
import { Notice } from '../ui/states.tsx';
import { webAddress } from '../webAddress.ts';

interface PullRequestProps {
  url: string | undefined;
  /** Of the site; undefined while that is not known. */
  host: SiteHost | undefined;
  /** What it merges, such as `The pages`. */
  what: string;
  isLive: boolean;
}

/** Leads to the pull request of a task or a batch, and says how it puts pages live. */
export function PullRequest({ url, host, what, isLive }: PullRequestProps) {
  const href = url === undefined ? null : webAddress(url);
  if (href === null) return null;
  const merging = mergingAt(host);
  return (
    <Notice icon="branch">
      {what} {isLive ? 'went live by a' : 'are in a'} <Out href={href}>pull request</Out>.
      {!isLive && merging && ` ${mergeWords[merging]}`}
    </Notice>
  );
}
