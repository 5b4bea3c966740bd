import type { LinkGuest } from '../../contract/approvals.ts';
import { removeInvisible } from '../../contract/text/removeInvisible.ts';
import type { PageReview, PageReviews } from '../../contract/responses.ts';
import type { GuestComment } from '../../contract/reviews/guestComments.ts';
import { createPageNote } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { ShareLink } from '../../organizations/shareLinks.ts';
import type { JobOwner } from '../../threads/threadPool.ts';
import type { RequestCaller } from '../caller.ts';
import {
  type ApprovalPorts,
  findApprovableBatch,
  findApprovableTask,
} from '../approvals/approvals.ts';
import type { NeededPorts } from '../ports.ts';
import { checkMarks, type MarkRequest } from './markPages.ts';
import {
  findBatchReview,
  findTaskReview,
  readReviews,
  type Reviewable,
  type ReviewPorts,
} from './readReviews.ts';

export type GuestReviewPorts = ReviewPorts & ApprovalPorts & NeededPorts<'guestComments'>;

/** A share link whose guests review pages, and what reading its pages needs. */
export interface OpenedReview {
  share: ShareLink;
  caller: RequestCaller;
  jobOwner: JobOwner;
}

/** How a review ended: whether all pages are fine, and which version was approved by that. */
export interface ReviewEnd {
  reviewed: Pick<Reviewable, 'siteId' | 'title'>;
  isFine: boolean;
  /** null: the link does not approve, or the pages have changed meanwhile. */
  approvedVersion: string | null;
}

/** The pages of a link, and what its guests said about them. */
type GuestPageReviews = PageReviews & { comments: { slug: string; text: string }[] };

/** Refuses a link with which people can only look. @throws DomainError FORBIDDEN */
export function requireCommentLink({ access }: ShareLink): void {
  if (access === 'view')
    throw new DomainError(
      'FORBIDDEN',
      'This link only shows the pages. It does not accept comments',
    );
}

/**
 * Reads the pages of a link for its guests: what is different on each page, and what guests of this
 * link said about it. It does not say what members of the team did.
 */
export async function readGuestReviews(
  deps: GuestReviewPorts,
  review: OpenedReview,
  editUrlOf: (slug: string) => string | null,
): Promise<GuestPageReviews> {
  return presentGuestReviews(deps, review, await findReviewable(deps, review), editUrlOf);
}

async function presentGuestReviews(
  deps: GuestReviewPorts,
  { share, caller, jobOwner }: OpenedReview,
  reviewable: Reviewable,
  editUrlOf: (slug: string) => string | null,
): Promise<GuestPageReviews> {
  const [reviews, marks, comments] = await Promise.all([
    readReviews(caller, deps, reviewable, jobOwner),
    deps.pageMarks.of(share.taskId),
    deps.guestComments.of(share.taskId),
  ]);
  const guestMarks = marks.filter(({ guest }) => guest?.shareId === share.shareId);
  return {
    ...reviews,
    pages: reviews.pages.map((page): PageReview => ({
      ...page,
      openNotes: 0,
      editUrl: page.editUrl && editUrlOf(page.slug),
      marks: [],
      verdict: guestMarks.some(
        ({ slug, version, mark }) =>
          slug === page.slug && version === page.version && mark === 'fine',
      )
        ? 'fine'
        : 'unseen',
    })),
    comments: commentsOfLink(comments, share).map(({ note }) => ({
      slug: note.page,
      text: note.text.slice(`${note.page}: `.length),
    })),
  };
}

const commentsOfLink = (comments: readonly GuestComment[], { shareId }: ShareLink) =>
  comments.filter((comment) => comment.shareId === shareId);

/** The pages under review. @throws DomainError NOT_FOUND, CONFLICT */
const findReviewable = (
  deps: GuestReviewPorts,
  { share: { taskId, isBatch }, caller }: Pick<OpenedReview, 'share' | 'caller'>,
) => (isBatch ? findBatchReview(caller, deps, taskId) : findTaskReview(caller, deps, taskId));

/**
 * Marks pages as fine for a guest, or removes the marks. It publishes nothing.
 * @returns the end of the review, if the guests of the link have now marked or commented all pages;
 *   otherwise null
 * @throws DomainError as `checkMarks`
 */
export async function markAsGuest(
  deps: GuestReviewPorts,
  review: OpenedReview,
  { name, mark, pages }: MarkRequest & { name: string },
): Promise<ReviewEnd | null> {
  const { organizationId, taskId, shareId } = review.share;
  const { caller, jobOwner } = review;
  const reviewable = await findReviewable(deps, review);
  await checkMarks(caller, deps, { reviewable, request: { mark, pages }, jobOwner });
  await deps.pageMarks.set({
    organizationId,
    taskId,
    by: { shareId, name },
    mark: mark === 'none' ? null : mark,
    pages,
    at: new Date(),
  });
  return mark === 'none' ? null : endReview(deps, review, { shareId, name });
}

/**
 * Stores what a guest finds wrong with a page, as an open note on it. The page is no longer fine.
 * @throws DomainError NOT_FOUND for a page that is not under review; CONFLICT for too many comments
 */
export async function commentAsGuest(
  deps: GuestReviewPorts,
  review: OpenedReview,
  { name, slug, text }: { name: string; slug: string; text: string },
): Promise<ReviewEnd | null> {
  const { organizationId, taskId, shareId, isBatch } = review.share;
  const { pages } = await findReviewable(deps, review);
  const page = pages.find((candidate) => candidate.slug === slug);
  if (!page) throw new DomainError('NOT_FOUND', 'Page not found: it is not under review');
  const guest = { shareId, name };
  const note = { ...createPageNote(slug, 'comment', `${name}: ${toOneLine(text)}`), page: slug };
  await deps.guestComments.add({ organizationId, taskId, guest, note });
  if (isBatch && page.number !== undefined)
    await deps.batches.addNotes(taskId, [{ number: page.number, notes: [note] }]);
  const marked = [{ slug, version: '' }];
  await deps.pageMarks.set({
    organizationId,
    taskId,
    by: guest,
    mark: null,
    pages: marked,
    at: new Date(),
  });
  return endReview(deps, review, guest);
}

const toOneLine = (text: string) =>
  removeInvisible(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/**
 * Finds out whether the guests of a link have marked or commented all pages. If all of them are
 * fine, and the link is for comments, this approves the current version. Guests with a link for
 * editing approve nothing, because they may have edited the pages.
 */
async function endReview(
  deps: GuestReviewPorts,
  review: OpenedReview,
  guest: LinkGuest,
): Promise<ReviewEnd | null> {
  const { share, caller } = review;
  const reviewed = await findReviewable(deps, review);
  if (!(await isEachPageAnswered(deps, review, reviewed))) return null;
  const { pages, omitted, comments } = await presentGuestReviews(
    deps,
    review,
    reviewed,
    () => null,
  );
  const commentedSlugs = new Set(comments.map(({ slug }) => slug));
  const isEnded =
    omitted === 0 &&
    pages.length > 0 &&
    pages.every(({ slug, verdict }) => verdict === 'fine' || commentedSlugs.has(slug));
  if (!isEnded) return null;
  const isFine = pages.every(({ verdict }) => verdict === 'fine');
  if (!isFine || share.access !== 'comment') return { reviewed, isFine, approvedVersion: null };
  const { organizationId, taskId } = share;
  const findApprovable = share.isBatch ? findApprovableBatch : findApprovableTask;
  const { site, result } = await findApprovable(caller, deps, taskId);
  const { commit: version } = await deps.readCurrentVersion(site, result);
  // the pages that were compared must be those of the version
  if (reviewed.commits?.shown.commit !== version)
    return { reviewed, isFine, approvedVersion: null };
  await deps.approvals.add({ organizationId, taskId, version, by: guest });
  return { reviewed, isFine, approvedVersion: version };
}

/** Whether each page has a mark or a comment, of any version: reads no pages, so it is fast. */
async function isEachPageAnswered(
  deps: GuestReviewPorts,
  review: OpenedReview,
  { pages }: Reviewable,
): Promise<boolean> {
  const { taskId, shareId } = review.share;
  const [marks, comments] = await Promise.all([
    deps.pageMarks.of(taskId),
    deps.guestComments.of(taskId),
  ]);
  const answeredSlugs = new Set([
    ...marks.filter(({ guest }) => guest?.shareId === shareId).map(({ slug }) => slug),
    ...commentsOfLink(comments, review.share).map(({ note }) => note.page),
  ]);
  return pages.every(({ slug }) => answeredSlugs.has(slug));
}
