import { invalidInput } from '../invalidInput.ts';
import { mergeRedirects } from './mergeRedirects.ts';

/**
 * Checks that a task changed nothing in a host's file but redirects from one address of the site to
 * another.
 * @throws DomainError INVALID_INPUT
 */
export function checkRedirects(path: string, before: string | null, after: string | null): void {
  const own = before ?? '';
  if (
    after === null ||
    mergeRedirects(path, { before: own, task: after, production: own }) === null
  )
    throw invalidInput(
      `${path}: it steers programs or rights; only redirects between pages of the site come and go`,
    );
}
