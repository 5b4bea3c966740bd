import { DomainError } from '../../errors.ts';
import type { Pages } from '../pages/pages.ts';
import type { GainedOutsider } from './newOutsiders.ts';

/** A changed file that is no page; null where it was not there, or is no longer. */
export interface FileCheck {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * Checks the changed files of a task that are no pages: all of them or none.
 * @returns whom they name outside of the site, and did not before
 * @throws DomainError CHECK_FAILED naming the file and what an agent may not change of it
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
