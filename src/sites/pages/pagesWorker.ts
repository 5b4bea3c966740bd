import { DomainError } from '../../errors.ts';
import { answering } from '../../threads/answer.ts';
import { unpack } from '../../threads/sharedValues.ts';
import type { PageCalls } from './pages.ts';
import { calls } from './pagesCalls.ts';

export interface PagesJob {
  call: keyof PageCalls;
  /** The page or file, for errors; null for a call about the whole site. */
  name: string | null;
  args: unknown[];
}

/** Answers one call in a worker thread. */
export default answering(({ call, name, args }: PagesJob) => {
  try {
    return (calls[call] as (...args: unknown[]) => unknown)(...args.map(unpack));
  } catch (error) {
    throw name === null ? error : naming(name, error);
  }
});

function naming(name: string, error: unknown): unknown {
  if (error instanceof DomainError) return new DomainError(error.code, `${name}: ${error.message}`);
  if (error instanceof RangeError)
    return new DomainError('PAGE_UNREADABLE', `${name} can't be read: it is nested too deeply`);
  return error;
}
