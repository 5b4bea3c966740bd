import { checkFile } from '../files/editFile.ts';
import { REDIRECTS } from '../redirects/hostFileNames.ts';
import type { ExternalReference } from '../formats/pageFindings.ts';
import { referencesAddedToFile } from './fileReferences.ts';
import { invalidInput } from '../invalidInput.ts';
import { mergeRedirects } from '../redirects/mergeRedirects.ts';

/** A changed file, not a page. `before` is null for a new file, `after` for a deleted one. */
export interface FileCheck {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * Checks a changed file that is not a page, such as a style sheet, data or `_redirects`: agents may
 * make only some changes in it.
 * @returns the external references that the file names and its former version did not
 * @throws DomainError INVALID_INPUT
 */
export function checkOtherFile({ path, before, after }: FileCheck): ExternalReference[] {
  if (path === REDIRECTS) checkRedirects(path, before, after);
  else checkFile(path, before, after);
  return referencesAddedToFile({ path, source: after ?? '' }, before ?? '');
}

/**
 * Checks that a task changed nothing in a host's file but redirects from one URL path of the site
 * to another.
 * @throws DomainError INVALID_INPUT
 */
function checkRedirects(path: string, oldSource: string | null, newSource: string | null): void {
  const source = oldSource ?? '';
  if (
    newSource === null ||
    mergeRedirects(path, { before: source, task: newSource, production: source }) === null
  )
    throw invalidInput(
      `${path}: the file controls programs or access rights, so a task can only add or remove redirects between pages of the site`,
    );
}
