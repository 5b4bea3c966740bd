import { DomainError } from '../../errors.ts';
import type { Pages } from '../pages/pages.ts';
import type { GainedOutsider } from './newOutsiders.ts';

/** A changed file that is no page. `before` is null for a new file, `after` for a deleted one. */
export interface FileCheck {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * Checks the changed files of a task that are no pages. One fault fails all.
 * @returns the outsiders that each file names and its former version did not
 * @throws DomainError CHECK_FAILED naming the file and what an agent may not change in it
 */
export async function checkFiles(
  pages: Pick<Pages, 'checkFile'>,
  changes: FileCheck[],
): Promise<GainedOutsider[]> {
  const gained: GainedOutsider[] = [];
  for (const change of changes) {
    const outsiders = await pages.checkFile(change).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_INPUT') throw error;
      const says = `The changed files did not pass the checks, so nothing was committed: ${error.message}`;
      throw new DomainError('CHECK_FAILED', says);
    });
    gained.push(...outsiders.map((outsider) => ({ ...outsider, path: change.path })));
  }
  return gained;
}
