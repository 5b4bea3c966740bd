import { batchLimits } from '../../contract/batches/batch.ts';
import type { PageReview, PageReviews } from '../../contract/responses.ts';
import {
  type ComparisonRequest,
  type ReviewedPage,
  reviewVerdict,
  type StoredPageMark,
} from '../../contract/reviews/pageReviews.ts';
import { noteIdOf } from '../../contract/notes/noteIds.ts';
import type { RetainedCommitRef } from '../../contract/site.ts';
import { needsCheck, outcomeNotes } from '../../contract/task.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { JobOwner } from '../../threads/threadPool.ts';
import { findBatch, readAllRows, type ReadRowsPorts } from '../batches/read.ts';
import type { RequestCaller } from '../caller.ts';
import type { NeededPorts } from '../ports.ts';
import { findOpenUrls } from '../previews.ts';
import { findCallerSite } from '../startTask.ts';
import { requireCompleted } from '../taskResults.ts';

export type ReviewPorts = ReadRowsPorts & NeededPorts<'tasks' | 'sites' | 'pageMarks' | 'reviewer'>;

/** A page of a task or batch that people review. */
export interface ReviewablePage
  extends ReviewedPage, Pick<PageReview, 'previewUrl' | 'editUrl' | 'openNotes'> {
  /** The number of its row. */
  number?: number;
}

/** The pages of a task or batch, and the commits that they are compared in. */
export interface Reviewable {
  /** The task or batch under whose id marks are stored. */
  taskId: string;
  siteId: string;
  /** The title of the task or batch. */
  title: string;
  pages: ReviewablePage[];
  /** The page with the cards that link to the pages of a batch. */
  linkFrom?: string;
  /** null: there is no preview, so there is nothing to look at. */
  commits: { shown: RetainedCommitRef; base: RetainedCommitRef } | null;
}

/**
 * Reads what is different on each page of a task or batch, what is odd about it, and how people
 * marked it.
 */
export async function readReviews(
  caller: RequestCaller,
  deps: ReviewPorts,
  { taskId, siteId, pages, commits }: Reviewable,
  jobOwner: JobOwner,
): Promise<PageReviews> {
  if (!commits || pages.length === 0) return { places: [], pages: [], omitted: 0 };
  const site = await findCallerSite(caller, deps, siteId);
  const comparedPages = pages.map(({ slug, template }) => ({ slug, template }));
  const request: ComparisonRequest = { site, ...commits, pages: comparedPages };
  const [comparison, marks] = await Promise.all([
    deps.reviewer.compare(request, jobOwner),
    deps.pageMarks.of(taskId),
  ]);
  const marksBySlug = Map.groupBy(await nameMarks(deps, marks), ({ slug }) => slug);
  const pagesBySlug = new Map(pages.map((page) => [page.slug, page]));
  return {
    ...comparison,
    pages: comparison.pages.map(({ slug, version, texts, oddities }): PageReview => {
      const { number, template, previewUrl, editUrl, openNotes } = pagesBySlug.get(slug)!;
      const pageMarks = marksBySlug.get(slug) ?? [];
      return {
        slug,
        ...withoutUndefined({ number }),
        version,
        templatePageSlug: template,
        previewUrl,
        editUrl,
        openNotes,
        texts,
        oddities,
        marks: pageMarks.map(({ by, guest, mark, at, version: markedVersion }) => ({
          by,
          ...(guest && { guestName: guest.name }),
          mark,
          at: at.toISOString(),
          ...(markedVersion !== version && { isOutdated: true }),
        })),
        verdict: reviewVerdict(pageMarks, version),
      };
    }),
  };
}

async function nameMarks({ creators }: NeededPorts<'creators'>, marks: StoredPageMark[]) {
  const names = await creators.named(marks.map(({ by }) => by));
  return marks.map((mark, index) => ({ ...mark, by: names[index] ?? null }));
}

/** The pages of a batch that are in its preview and not live. @throws DomainError NOT_FOUND */
export async function findBatchReview(
  caller: RequestCaller,
  deps: ReviewPorts,
  batchId: string,
): Promise<Reviewable> {
  const batch = await findBatch(caller, deps, batchId);
  const [rows, committed, held, preview] = await Promise.all([
    readAllRows(caller, deps, batchId),
    deps.batches.next(batchId, { state: 'committed', limit: batchLimits.rows }),
    deps.batches.next(batchId, { state: 'held', limit: batchLimits.rows }),
    deps.deployments.preview(batchId),
  ]);
  const templates = new Map(
    [...committed, ...held].map(({ number, templatePageSlug }) => [number, templatePageSlug]),
  );
  const { base } = batch;
  return {
    taskId: batchId,
    siteId: batch.siteId,
    title: batch.title,
    ...withoutUndefined({ linkFrom: batch.linkFrom }),
    commits:
      preview?.isShown && base !== undefined
        ? { shown: commitRef(preview), base: { commit: base, retainedBy: batchId } }
        : null,
    pages: rows.flatMap(({ row, editUrl, states }) => {
      const template = templates.get(row.number);
      if (template === undefined) return [];
      return {
        slug: row.targetPageSlug,
        number: row.number,
        template,
        previewUrl: row.previewUrl,
        editUrl,
        openNotes: states.filter(({ state }) => state === 'open').length,
      };
    }),
  };
}

const commitRef = ({ commit, retainedBy }: RetainedCommitRef) => ({ commit, retainedBy });

/**
 * The pages that a task created or modified. There are none for a task that publishes or restores.
 * @throws DomainError NOT_FOUND; CONFLICT if it runs or failed
 */
export async function findTaskReview(
  { organizationId, logContext }: RequestCaller,
  deps: ReviewPorts,
  taskId: string,
): Promise<Reviewable> {
  const task = await deps.tasks.find(organizationId, taskId);
  logContext.siteId = task.siteId;
  const { output, result } = requireCompleted(task, 'review');
  const preview = await deps.deployments.preview(taskId);
  const isOwn = result?.taskId === taskId;
  const open = await findOpenUrls(deps, { taskId, status: 'completed' });
  const resolved = new Set((await deps.noteStates.of(taskId)).map(({ noteId }) => noteId));
  const openNotes = outcomeNotes(task.finished).filter(
    (note) => needsCheck(note) && !resolved.has(noteIdOf(note)),
  );
  const pageOf =
    (templateOf: (slug: string) => string | null) =>
    ({ slug, previewUrl, editUrl }: (typeof output.pagesCreated)[number]): ReviewablePage => ({
      slug,
      template: templateOf(slug),
      previewUrl: open.previews ? previewUrl : null,
      editUrl: open.edits ? editUrl : null,
      openNotes: openNotes.filter(({ page }) => page === slug).length,
    });
  return {
    taskId,
    siteId: task.siteId,
    title: task.title,
    commits:
      result && isOwn && preview?.isShown
        ? { shown: commitRef(preview), base: { commit: result.base, retainedBy: taskId } }
        : null,
    pages: [
      ...output.pagesCreated.map(pageOf(() => task.template ?? null)),
      ...output.pagesModified.map(pageOf((slug) => slug)),
    ],
  };
}
