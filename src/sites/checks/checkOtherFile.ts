import { checkFile } from '../files/editFile.ts';
import { REDIRECTS } from '../redirects/hostFileNames.ts';
import type { Outsider } from '../formats/faults.ts';
import { outsidersGained } from './outsidersInFile.ts';
import { invalidInput } from '../invalidInput.ts';
import { mergeRedirects } from '../redirects/mergeRedirects.ts';

/** A changed file that is no page. `before` is null for a new file, `after` for a deleted one. */
export interface FileCheck {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * Checks that a change of a file that is no page is one that agents may make.
 * @returns the outsiders that the file names and its former version did not
 * @throws DomainError INVALID_INPUT
 */
export function checkOtherFile({ path, before, after }: FileCheck): Outsider[] {
  if (path === REDIRECTS) checkRedirects(path, before, after);
  else checkFile(path, before, after);
  return outsidersGained({ path, source: after ?? '' }, before ?? '');
}

/**
 * Checks that a task changed nothing in a host's file but redirects from one address of the site to
 * another.
 * @throws DomainError INVALID_INPUT
 */
function checkRedirects(path: string, before: string | null, after: string | null): void {
  const own = before ?? '';
  if (
    after === null ||
    mergeRedirects(path, { before: own, task: after, production: own }) === null
  )
    throw invalidInput(
      `${path}: it steers programs or rights; only redirects between pages of the site come and go`,
    );
}
