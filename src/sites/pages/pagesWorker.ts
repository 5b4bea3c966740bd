import { DomainError } from '../../errors.ts';
import { answerOf } from '../../threads.ts';
import type { PageCalls } from './pages.ts';
import { calls } from './pagesCalls.ts';

export interface PagesJob {
  call: keyof PageCalls;
  /** The page's slug, which an error names. */
  slug: string;
  args: unknown[];
}

/** One call in a worker thread. */
export default ({ call, slug, args }: PagesJob) =>
  answerOf(() => {
    try {
      return (calls[call] as (...args: unknown[]) => unknown)(...args);
    } catch (error) {
      throw namingPage(slug, error);
    }
  });

function namingPage(slug: string, error: unknown): unknown {
  if (error instanceof DomainError) return new DomainError(error.code, `Page ${slug}: ${error.message}`);
  if (error instanceof RangeError)
    return new DomainError('PAGE_UNREADABLE', `Page ${slug} can't be read: it is nested too deeply`);
  return error;
}
