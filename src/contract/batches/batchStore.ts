import type {
  Batch,
  BatchOptions,
  BatchRow,
  BatchStatus,
  PageEdit,
  RowCounts,
  RowResult,
  RowState,
  RowTarget,
  RowView,
  WrittenRow,
} from './batch.ts';
import type { Note } from '../task.ts';

/** A batch to store. */
export interface NewBatch
  extends
    BatchOptions,
    Pick<Batch, 'batchId' | 'organizationId' | 'siteId' | 'createdAt' | 'createdBy' | 'requestId'> {
  /** Digest of the validated request, compared when an idempotency key repeats. */
  bodyHash: string;
  /** `error`: what is wrong with a row, which fails alone. */
  rows: (BatchRow & { error?: string })[];
}

export type BatchChanges = Partial<
  Pick<
    Batch,
    | 'shown'
    | 'pullRequestUrl'
    | 'errorMessage'
    | 'canaryApproved'
    | 'finishedAt'
    | 'publish'
    | 'status'
  >
> & {
  /** Set for an end that a run still has to tell the callback. */
  isUntold?: true;
};

/** A row whose page has some path. `isEdited`: somebody edited the page by hand. */
export type RowAtPath = RowTarget & { state: RowState; isEdited: boolean };

/** A row without a path. `isEdited`: somebody edited the page that it had. */
export interface UnplannedRow {
  number: number;
  targetPageSlug: string;
  templatePageSlug: string;
  isEdited: boolean;
}

/** A row that is planned, and its template. */
export type PlannedBatchRow = RowTarget & { templatePageSlug: string };

/**
 * The batches and their rows in the database: the truth of which rows are done. Rows' contexts,
 * texts and notes are encrypted. All methods are repeatable.
 */
export interface BatchStore {
  /**
   * Stores a batch with its rows in one transaction, its status `running`.
   * @returns the digest of the first request where the batch is there already; else undefined
   */
  create(batch: NewBatch): Promise<{ bodyHash: string; createdAt: string } | undefined>;
  /** Removes a batch whose workflow could not be started. */
  remove(batchId: string): Promise<void>;
  /** Throws NOT_FOUND for an unknown batch, and for one of another organization. */
  find(organizationId: string, batchId: string): Promise<Batch>;
  counts(batchId: string): Promise<RowCounts>;
  /** The counts of several batches, by one statement, in the order of their ids. */
  countsOf(batchIds: string[]): Promise<RowCounts[]>;
  /** An organization's batches, the latest first. */
  list(
    organizationId: string,
    page: { siteId?: string; before?: { createdAt: string; batchId: string }; limit: number },
  ): Promise<Batch[]>;
  /** Rows in the order of their numbers. */
  rows(
    batchId: string,
    page: { after: number; limit: number; state?: RowState },
  ): Promise<RowView[]>;
  /**
   * Changes what is given, by one statement; `undefined` leaves a field. A `running` batch has no
   * finishedAt, and with a `status` nothing is being published any more.
   * @param from changes only a batch in one of these states that is not being published
   * @returns whether it was changed
   */
  change(batchId: string, changes: BatchChanges, from?: BatchStatus[]): Promise<boolean>;
  /**
   * Notes the commit on which pages are made from now on, with none of the batch's own on top. Rows
   * that wait are planned again.
   */
  begin(batchId: string, base: string): Promise<void>;
  /**
   * Notes that a batch is being published: from then on it can't be paused or cancelled.
   * @returns false unless it runs
   */
  beginPublish(batchId: string): Promise<boolean>;
  /**
   * Changes a batch whose run ends and tells it, while nobody else changes it or starts it again.
   * @param decide what to change, by the batch and its counts; null: nothing
   */
  end(
    batchId: string,
    decide: (batch: Batch, rows: RowCounts) => BatchChanges | null,
  ): Promise<void>;
  /**
   * Fails a batch that is said to run, and whose workflow does not: it can be resumed. Leaves a
   * batch that was changed in the last minute.
   * @returns the batch, if it has ended and no run has told that
   */
  lost(batchId: string): Promise<Batch | undefined>;

  /** Rows in the state `waiting` with no path yet. */
  unplanned(batchId: string, limit: number): Promise<UnplannedRow[]>;
  /** Stores where pages go. A row keeps its path. */
  plan(batchId: string, targets: RowTarget[]): Promise<void>;
  /**
   * The next rows in a state that have a path.
   * @param wanted.canary looks only at so many rows, the first that neither failed nor were skipped
   */
  next(
    batchId: string,
    wanted: { state: RowState; limit: number; canary?: number },
  ): Promise<PlannedBatchRow[]>;
  /** The slugs of the templates of all rows that may still be made. */
  templates(batchId: string): Promise<string[]>;
  /** Fails the rows of a template that are not made yet. */
  failTemplate(batchId: string, templatePageSlug: string, error: string): Promise<void>;
  /** A row's request. */
  input(batchId: string, number: number): Promise<BatchRow>;
  /** Stores the page of a row that waits: the row is `written`, or `held`. */
  written(batchId: string, number: number, result: RowResult): Promise<void>;
  /**
   * Makes written rows part of the batch's commit, in one transaction.
   * @returns false, and nothing is changed, if one of them is not `written` any more: somebody
   *   skipped it
   */
  commitRows(batchId: string, rows: { commit: string; numbers: number[] }): Promise<boolean>;
  /** The written pages of rows, by their numbers. */
  pages(batchId: string, numbers: number[]): Promise<WrittenRow[]>;
  /** The row whose page with this slug can be edited, since the preview has it; else null. */
  editable(batchId: string, slug: string): Promise<RowView | null>;
  /**
   * Notes that somebody edits a row's page: one that is live is to be published again. The batch
   * is kept as long as its preview is.
   * @returns whether the page can be edited, which it can't while the batch runs
   */
  edit(batchId: string, number: number): Promise<boolean>;
  /** The rows that have these paths, but for those that are skipped. */
  at(batchId: string, paths: string[]): Promise<RowAtPath[]>;
  /**
   * Fails rows whose pages others changed, though they are committed or live, in one transaction.
   * @param changed `commit`: the batch's commit and its ref's, with others' versions of the pages
   */
  giveWay(
    batchId: string,
    changed: { commit?: string; rows: { number: number; error: string }[] },
  ): Promise<void>;
  /** Stores edits by hand. They are put onto the pages whenever these are committed. */
  keepEdits(batchId: string, edits: { number: number; edit: PageEdit }[]): Promise<void>;
  /**
   * Notes what the batch's hidden ref has, in one transaction: edits by hand are part of it.
   * @param taken `commit`: the batch's commit with the edits; absent: as it was. `edited`: rows
   *   whose edits it has; those that are live are to be published again
   */
  takeOver(
    batchId: string,
    taken: { shown: string | null; commit?: string; edited: number[] },
  ): Promise<void>;
  /** Stores the shares of pages that are their own. */
  measured(batchId: string, rows: { number: number; ownShare: number }[]): Promise<void>;
  /** Adds notes to those that rows have; the same note counts once. */
  addNotes(batchId: string, rows: { number: number; notes: Note[] }[]): Promise<void>;
  /** Fails rows that wait, or whose pages are in no commit to be published. */
  fail(batchId: string, rows: { number: number; error: string }[]): Promise<void>;
  /**
   * Moves rows from one of the states `from` to `to`. Rows that were stored with an `error` are
   * only skipped: their request is wrong. @returns how many
   */
  move(
    batchId: string,
    rows: { from: RowState[]; to: RowState; numbers?: number[] },
  ): Promise<number>;
  /** Stores the addresses of pages, by rows' numbers. */
  show(
    batchId: string,
    pages: { number: number; previewUrl?: string; publishedUrl?: string }[],
  ): Promise<void>;
  /** Deletes the batches whose previews have expired, unless they run. */
  prune(): Promise<void>;
}
