/**
 * The types of batches. A batch creates a page for each of up to 5,000 rows of a table, in one
 * workflow. A row that fails does not stop the others.
 *
 * A row is usually `waiting`, then `written` by an agent, then `committed` to the hidden ref of the
 * batch (a git ref outside of the branches, which the preview shows), then `published`. A row is
 * `held` if a person has to approve its page first.
 *
 * A canary is the first pages of a batch. With `canary: 3`, the batch creates three pages, and is
 * then `waiting` until a person approves the other rows.
 */

import type { Creator } from '../creator.ts';
import type { Note, PageItem, TaskInput, WrittenPage } from '../task.ts';

export const batchLimits = {
  /** Rows of a batch. */
  rows: 5_000,
  /** Bytes of a request with rows. */
  bodyBytes: 20_000_000,
} as const;

/** The names of the workflow and of its signals. */
export const BATCH_WORKFLOW = 'batchWorkflow';
export const RESUME_SIGNAL = 'resume';
export const PAUSE_SIGNAL = 'pause';
export const CANCEL_SIGNAL = 'cancel';

/** The argument of `batchWorkflow`: ids and what activities need. The database has the rest. */
export interface BatchInput extends Pick<
  TaskInput,
  | 'taskId'
  | 'organizationId'
  | 'siteId'
  | 'title'
  | 'siteName'
  | 'createdAt'
  | 'requestId'
  | 'model'
  | 'callbackUrl'
  | 'preferredWorker'
  | 'heartbeats'
  | 'listeners'
> {
  /** The number of events after which the workflow continues as new. Default: 2,000. */
  longestHistory?: number;
  /** A batch builds on the production branch. */
  baseTask?: never;
}

/**
 * `waiting`: the canary pages are created, and a person must approve the other rows. `completed`:
 * no row is left to do, though some may have failed or be held.
 */
export const batchStatuses = [
  'running',
  'paused',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/**
 * `waiting`: not written yet. `written`: its texts are stored, but no commit has them. `committed`:
 * in the batch's commit, which the preview shows when the batch ends. `held`: in the preview, but
 * not published until a person approves it. `skipped`: a person has excluded it.
 */
export const rowStates = [
  'waiting',
  'written',
  'committed',
  'published',
  'held',
  'failed',
  'skipped',
] as const;
export type RowState = (typeof rowStates)[number];

/** A row of a request: one page. */
export interface BatchRow extends PageItem {
  /** Counts from 1, in the order of the request. */
  number: number;
  templatePageSlug: string;
}

/** What a request asks of all rows. */
export interface BatchOptions {
  title: string;
  publish: boolean;
  /** `hold`: pages with warnings are held. */
  onWarnings: 'publish' | 'hold';
  /** Holds pages whose own share of their text is below this, from 0 to 1. */
  holdBelow?: number;
  /** A page that gets links to all new pages. */
  linkFrom?: string;
  /** The number of pages to create first. The batch then waits for an approval of the others. */
  canary?: number;
  callbackUrl?: string;
  /** The language model, as `<provider>/<model>`. Absent: the embedded rules. */
  model?: string;
}

/** A batch as the database has it. */
export interface Batch extends BatchOptions {
  batchId: string;
  organizationId: string;
  siteId: string;
  /** ISO 8601. */
  createdAt: string;
  createdBy: Creator;
  requestId?: string;
  status: BatchStatus;
  /** Whether it is being published. Then it can't be paused or cancelled. */
  isPublishing?: boolean;
  /** Whether it ended while no workflow ran, so that a new run must still send its callback. */
  isUnreported?: boolean;
  /** Why it failed. */
  errorMessage?: string;
  /** Whether a person has approved the rows after the canary. */
  canaryApproved: boolean;
  /** The production commit on which its pages are created. Absent until it is planned. */
  base?: string;
  /** Its latest commit, which has only pages that may be published. Absent if there is none. */
  commit?: string;
  /** The commit of its hidden ref: `commit`, or one on top of it with the held pages. */
  shown?: string;
  /** Where the site's team merges the pages, if it publishes by pull requests. */
  pullRequestUrl?: string;
  /** ISO 8601. */
  finishedAt?: string;
}

export type RowCounts = Record<RowState, number>;

/** How a row's page came out: what `GET …/rows` shows. */
export interface RowView {
  number: number;
  targetPageSlug: string;
  externalId?: string;
  state: RowState;
  error?: string;
  notes?: Note[];
  /** The share of the page's words that neither its template nor its siblings have: 0 to 1. */
  ownShare?: number;
  previewUrl: string | null;
  publishedUrl: string | null;
}

/** Where a row's page goes in the site. The activity `planBatch` decides that. */
export interface RowTarget {
  number: number;
  slug: string;
  path: string;
}

/** A row's written page, for a commit. */
export interface WrittenRow extends RowTarget {
  templatePageSlug: string;
  page: WrittenPage;
  /** The share of its own text. Once it is measured, only people hold or approve the page. */
  ownShare?: number;
  /** Present if a person edited the page by hand. */
  edit?: PageEdit;
  /** Present if the row failed at first: its page is a version of the batch. */
  repair?: RowRepair;
}

/** Who had a failed row of a batch with a result written again. */
export interface RowRepair {
  by: Creator;
  /** ISO 8601. */
  at: string;
}

/** The latest edit by hand of a page: it replaces what was written. */
export interface PageEdit {
  source: string;
  /** ISO 8601. */
  at: string;
  /** The person's id, if known. */
  editor?: string;
}

/** States of rows whose pages people can edit: the preview has them. */
export const editableStates = ['committed', 'published', 'held'] as const satisfies RowState[];

/** The outcome of writing a row. */
export interface RowResult {
  page: WrittenPage;
  ownShare?: number;
  isHeld: boolean;
}

/** How a run of a batch ended, as its callback says it. */
export interface BatchOutcome {
  batchId: string;
  status: Exclude<BatchStatus, 'running'>;
  errorMessage?: string;
  rows: RowCounts;
  /** Where its rows are read. */
  url: string;
  /** ISO 8601. */
  finishedAt: string;
}

/** How a run ended. A run that completed without any page, and with failed rows, has failed. */
export function batchOutcome(
  status: BatchOutcome['status'],
  rows: RowCounts,
  errorMessage?: string,
): Pick<BatchOutcome, 'status' | 'errorMessage'> {
  const createdRows = rows.committed + rows.published + rows.held;
  if (status === 'completed' && createdRows === 0 && rows.failed > 0)
    return { status: 'failed', errorMessage: 'No row became a page. Read the errors of the rows.' };
  return { status, ...(errorMessage !== undefined && { errorMessage }) };
}

/** The error of a row whose repair was undone. */
export const REPAIR_UNDONE = 'The page was removed by an undo. Retry the row to write it again.';

/** The error of a batch whose workflow did not start or was terminated. */
export const WORKFLOW_GONE = 'The batch has no running workflow. Resume the batch.';

/** Whether nothing more happens to the batch unless a person asks for it. */
export const isBatchOver = (status: BatchStatus) =>
  status === 'completed' || status === 'failed' || status === 'cancelled';
