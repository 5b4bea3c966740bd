import type { PageCrop } from '../../contract/reviews/pageReviews.ts';
import { DomainError, onCode } from '../../errors.ts';
import type { JobOwner } from '../../threads/threadPool.ts';
import type { RequestCaller } from '../caller.ts';
import { findCallerSite } from '../startTask.ts';
import { findBatchReview, findTaskReview, type ReviewPorts } from './readReviews.ts';

export type PageCropPorts = ReviewPorts;

/** A page under review, its template, or the page with the cards of a batch. */
export interface PageCropRequest extends Pick<PageCrop, 'attribute' | 'head'> {
  /** The id of the task or batch. */
  id: string;
  slug: string;
  /** Whether to show the page's template, or the page as it was before. */
  isTemplate: boolean;
}

/**
 * Reads a page under review, or its template, for a frame.
 * @throws DomainError NOT_FOUND, and CONFLICT without a preview
 */
export async function readPageCrop(
  caller: RequestCaller,
  deps: PageCropPorts,
  { id, slug, isTemplate, ...framing }: PageCropRequest,
  jobOwner: JobOwner,
): Promise<string> {
  const { siteId, taskId, pages, linkFrom, commits } =
    (await findBatchReview(caller, deps, id).catch(onCode(['NOT_FOUND'], null))) ??
    (await findTaskReview(caller, deps, id));
  const page = pages.find((reviewedPage) => reviewedPage.slug === slug);
  const shownPage = page ?? (slug === linkFrom ? { slug, template: slug } : undefined);
  const shownSlug = isTemplate ? shownPage?.template : shownPage?.slug;
  if (shownSlug === undefined || shownSlug === null)
    throw new DomainError('NOT_FOUND', `Page not found: ${slug} is not under review`);
  if (!commits) throw new DomainError('CONFLICT', 'The preview was deleted or has expired');
  const site = await findCallerSite(caller, deps, siteId);
  const origin = await deps.previewOriginOf({
    organizationId: caller.organizationId,
    siteId,
    taskId,
  });
  return deps.reviewer.frame(
    {
      site,
      commit: isTemplate ? commits.base : commits.shown,
      slug: shownSlug,
      url: new URL(shownSlug, origin ?? NO_ORIGIN).href,
      ...framing,
    },
    jobOwner,
  );
}

/** The base URL without a preview: no name below `.invalid` resolves (RFC 2606). */
const NO_ORIGIN = 'https://preview.invalid';
