import { DomainError } from '../../../errors.ts';

/** The error for a new page whose path is taken. */
export function pageExistsError(slug: string, otherPath?: string): DomainError {
  const reason =
    otherPath === undefined ? '' : ` (the site already uses this path for "${otherPath}")`;
  return new DomainError('PAGE_EXISTS', `Page already exists: ${slug}${reason}`);
}
