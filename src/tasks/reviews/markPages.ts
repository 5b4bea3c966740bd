import type { PageMark } from '../../contract/reviews/reviewKinds.ts';
import { DomainError } from '../../errors.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { taskCreator } from '../startTask.ts';
import type { Reviewable } from './readReviews.ts';

/** Pages to mark. Each has the version that the person saw. `none` removes their marks. */
export interface MarkRequest {
  mark: PageMark | 'none';
  pages: { slug: string; version: string }[];
}

/**
 * Marks pages of a task or batch as fine, or leaves them out. Each person has one mark on a page.
 * @throws DomainError NOT_FOUND for a page that is not under review
 */
export async function markPages(
  caller: RequestCaller,
  { pageMarks }: NeededPorts<'pageMarks'>,
  { taskId, pages: reviewedPages }: Pick<Reviewable, 'taskId' | 'pages'>,
  { mark, pages }: MarkRequest,
): Promise<void> {
  const knownSlugs = new Set(reviewedPages.map(({ slug }) => slug));
  const unknownPage = pages.find(({ slug }) => !knownSlugs.has(slug));
  if (unknownPage)
    throw new DomainError('NOT_FOUND', `Page not found: ${unknownPage.slug} is not under review`);
  const { organizationId } = caller;
  const by = taskCreator(caller);
  await pageMarks.set({
    organizationId,
    taskId,
    by,
    mark: mark === 'none' ? null : mark,
    pages,
    at: new Date(),
  });
}
