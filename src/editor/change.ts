import { DomainError } from '../errors.ts';
import { checkPages } from '../sites/checks/checkPages.ts';
import type { Pages, PageSource } from '../sites/pages/pages.ts';
import { digestOf } from './digest.ts';
import type { Present } from './present.ts';
import type { Change } from './protocol.ts';

/**
 * The page's source with a change made, which has passed the checks that a task's pages pass.
 * @throws DomainError OUTDATED where the page is not the one that was open, and the change is not in it already;
 * INVALID_INPUT for texts and sources that no page can have; CHECK_FAILED, LIMIT_EXCEEDED
 */
export async function changedSource(pages: Pages, { page, slug, sitePaths }: Present, change: Change): Promise<string> {
  if (digestOf(page.source) !== change.digest) {
    const source = await apply(pages, page, change).catch(() => undefined);
    if (source !== page.source) throw changedMeanwhile(slug);
  }
  const source = await apply(pages, page, change);
  if (source !== page.source)
    await checkPages(pages, [{ path: page.path, before: page, after: source, sitePaths, newLinks: true }], null);
  return source;
}

export const changedMeanwhile = (slug: string) =>
  new DomainError('OUTDATED', `Page changed since you opened it: ${slug}`);

async function apply(pages: Pages, page: PageSource, change: Change): Promise<string> {
  if ('source' in change) return checkText(change.source);
  return pages.setEditedTexts(page, change.texts);
}

function checkText(source: string): string {
  if (!source.isWellFormed()) throw new DomainError('INVALID_INPUT', 'The source holds half of a character');
  if (source.trim() === '') throw new DomainError('INVALID_INPUT', 'The source must not be empty');
  return source;
}
