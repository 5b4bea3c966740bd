import { DomainError } from '../../errors.ts';
import type { FileCheck } from './checkOtherFile.ts';
import { NAMED_FAULTS } from './namedFaults.ts';
import type { Pages } from '../pages/pages.ts';
import type { GainedOutsider } from './newOutsiders.ts';

/**
 * Checks the changed files of a task that are no pages. One fault fails all, and each file's first
 * fault is named.
 * @returns the outsiders that each file names and its former version did not
 * @throws DomainError CHECK_FAILED naming the file and what an agent may not change in it
 */
export async function checkFiles(
  pages: Pick<Pages, 'checkFile'>,
  changes: FileCheck[],
): Promise<GainedOutsider[]> {
  const gained: GainedOutsider[] = [];
  const faults: string[] = [];
  for (const change of changes)
    try {
      const outsiders = await pages.checkFile(change);
      gained.push(...outsiders.map((outsider) => ({ ...outsider, path: change.path })));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_INPUT') throw error;
      faults.push(error.message);
    }
  if (faults.length === 0) return gained;
  const rest = faults.length - NAMED_FAULTS;
  const list = faults.slice(0, NAMED_FAULTS).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  throw new DomainError(
    'CHECK_FAILED',
    `The changed files did not pass the checks, so nothing was committed: ${list}`,
  );
}
