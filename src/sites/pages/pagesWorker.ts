import { DomainError } from '../../errors.ts';
import { answering } from '../../threads/answer.ts';
import type { PageCalls } from './pages.ts';
import { calls } from './pagesCalls.ts';

export interface PagesJob {
  call: keyof PageCalls;
  /** The page's slug, which an error names; null for a call that is about the site. */
  slug: string | null;
  args: unknown[];
}

/** One call in a worker thread. */
export default answering(({ call, slug, args }: PagesJob) => {
  try {
    return (calls[call] as (...args: unknown[]) => unknown)(...args);
  } catch (error) {
    throw slug === null ? error : namingPage(slug, error);
  }
});

function namingPage(slug: string, error: unknown): unknown {
  if (error instanceof DomainError) return new DomainError(error.code, `Page ${slug}: ${error.message}`);
  if (error instanceof RangeError)
    return new DomainError('PAGE_UNREADABLE', `Page ${slug} can't be read: it is nested too deeply`);
  return error;
}
