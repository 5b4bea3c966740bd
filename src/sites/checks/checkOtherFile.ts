import { checkFile } from '../files/editFile.ts';
import type { FileCheck } from './checkFiles.ts';
import type { Outsider } from '../formats/faults.ts';
import { outsidersGained } from './outsidersInFile.ts';

/**
 * Holds a changed file that is no page to what agents may change.
 * @returns whom it names outside of the site, and its former version did not
 * @throws DomainError INVALID_INPUT
 */
export function checkOtherFile({ path, before, after }: FileCheck): Outsider[] {
  checkFile(path, before, after);
  return outsidersGained({ path, source: after ?? '' }, before ?? '');
}
