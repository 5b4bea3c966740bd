import type { PageMark } from '../../contract/reviews/reviewKinds.ts';
import { DomainError } from '../../errors.ts';
import type { JobOwner } from '../../threads/threadPool.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { findCallerSite, taskCreator } from '../startTask.ts';
import { taskConflict } from '../taskResults.ts';
import type { Reviewable } from './readReviews.ts';

/** Pages to mark. Each has the version that the person saw. `none` removes their marks. */
export interface MarkRequest {
  mark: PageMark | 'none';
  pages: { slug: string; version: string }[];
}

/** What to mark, and the pages under review. */
export interface MarkContext {
  reviewable: Reviewable;
  request: MarkRequest;
  jobOwner: JobOwner;
}

/**
 * Marks pages of a task or batch as fine, or leaves them out. Each person has one mark on a page.
 * @throws DomainError as `checkMarks`
 */
export async function markPages(
  caller: RequestCaller,
  deps: NeededPorts<'sites' | 'pageMarks' | 'reviewer'>,
  context: MarkContext,
): Promise<void> {
  await checkMarks(caller, deps, context);
  const { mark, pages } = context.request;
  const { organizationId } = caller;
  const by = taskCreator(caller);
  await deps.pageMarks.set({
    organizationId,
    taskId: context.reviewable.taskId,
    by,
    mark: mark === 'none' ? null : mark,
    pages,
    at: new Date(),
  });
}

/**
 * Refuses marks on pages that nobody reviews, and on versions that were replaced since the person
 * looked at them. Marks can always be removed.
 * @throws DomainError NOT_FOUND for a page that is not under review; CONFLICT with the current
 *   version of a page, if the request has another one; as `PageReviewer.versions`
 */
export async function checkMarks(
  caller: RequestCaller,
  deps: NeededPorts<'sites' | 'reviewer'>,
  { reviewable, request: { mark, pages }, jobOwner }: MarkContext,
): Promise<void> {
  const knownSlugs = new Set(reviewable.pages.map(({ slug }) => slug));
  const unknownPage = pages.find(({ slug }) => !knownSlugs.has(slug));
  if (unknownPage)
    throw new DomainError('NOT_FOUND', `Page not found: ${unknownPage.slug} is not under review`);
  if (mark === 'none' || !reviewable.commits) return;
  const site = await findCallerSite(caller, deps, reviewable.siteId);
  const versions = await deps.reviewer.versions(
    { site, shown: reviewable.commits.shown },
    jobOwner,
  );
  const outdatedPage = pages.find(({ slug, version }) => versions.get(slug) !== version);
  if (!outdatedPage) return;
  const { slug, version } = outdatedPage;
  const currentVersion = versions.get(slug);
  throw taskConflict(
    currentVersion === undefined
      ? `${slug} is not in the current version of the pages any more. Read the reviews again`
      : `${slug} was changed: its current version is ${currentVersion}, not ${version}. Read the reviews again, and look at the page before you mark it`,
  );
}
