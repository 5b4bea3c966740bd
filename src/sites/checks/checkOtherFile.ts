import { checkFile } from '../files/editFile.ts';
import { REDIRECTS } from '../redirects/hostFileNames.ts';
import { checkRedirects } from '../redirects/checkRedirects.ts';
import type { Outsider } from '../formats/faults.ts';
import { outsidersGained } from './outsidersInFile.ts';

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
