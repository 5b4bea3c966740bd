import { DomainError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import { calls, type Calls } from './pagesCalls.ts';

export interface PagesJob {
  call: keyof Calls;
  /** The page's slug, which an error names. */
  slug: string;
  args: unknown[];
}

export type PagesAnswer = { value: unknown } | { code: ErrorCode; message: string };

/** One call in a worker thread. Errors of ours come back as data: a class does not survive the way between threads. */
export default function run({ call, slug, args }: PagesJob): PagesAnswer {
  try {
    return { value: (calls[call] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: `Page ${slug}: ${error.message}` };
    if (error instanceof RangeError)
      return { code: 'PAGE_UNREADABLE', message: `Page ${slug} can't be read: it is nested too deeply` };
    throw error;
  }
}
