import type {
  Batch,
  BatchOptions,
  BatchRow,
  BatchStatus,
  PageEdit,
  RowCounts,
  RowRepair,
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
  /** Set if a run must still send the callback about the end of the batch. */
  isUnreported?: true;
};

/** A row whose page has a path in the site. `isEdited`: a person edited the page by hand. */
export type RowAtPath = RowTarget & { state: RowState; isEdited: boolean };

/** A row whose path is not decided yet. `isEdited`: a person edited its earlier page by hand. */
export interface UnplannedRow {
  number: number;
  targetPageSlug: string;
  templatePageSlug: string;
  isEdited: boolean;
}

/** A row whose path is decided, and its template. */
export type PlannedBatchRow = RowTarget & { templatePageSlug: string };

/**
 * The batches and their rows in the database, which decides which rows are done. All methods are
 * repeatable. The states of batches and rows are explained in batch.ts.
 */
export interface BatchStore {
  /**
   * Stores a batch with its rows in one transaction, its status `running`.
   * @returns undefined; the digest and time of the first request if the batch already exists
   */
  create(batch: NewBatch): Promise<{ bodyHash: string; createdAt: string } | undefined>;
  /** Removes a batch whose workflow could not be started. */
  remove(batchId: string): Promise<void>;
  /** @throws DomainError NOT_FOUND if the batch is unknown or belongs to another organization */
  find(organizationId: string, batchId: string): Promise<Batch>;
  counts(batchId: string): Promise<RowCounts>;
  /** The counts of several batches, read by one statement, in the order of `batchIds`. */
  countsOf(batchIds: string[]): Promise<RowCounts[]>;
  /** An organization's batches, the latest first. */
  list(
    organizationId: string,
    page: { siteId?: string; before?: { createdAt: string; batchId: string }; limit: number },
  ): Promise<Batch[]>;
  /** Rows in the order of their numbers, after the row with the number `after`. */
  rows(
    batchId: string,
    page: { after: number; limit: number; state?: RowState },
  ): Promise<RowView[]>;
  /**
   * Changes the given fields, by one statement; `undefined` leaves a field as it is. The status
   * `running` removes `finishedAt` and the error. A new status also ends `isPublishing`.
   * @param from changes only a batch in one of these states that is not being published
   * @returns whether it was changed
   */
  change(batchId: string, changes: BatchChanges, from?: BatchStatus[]): Promise<boolean>;
  /**
   * Stores the production commit on which pages are created from now on, and removes the batch's
   * own commit. Rows that are `waiting` lose their paths, so that they are planned again.
   */
  begin(batchId: string, base: string): Promise<void>;
  /**
   * Records that a batch is being published. From then on it can't be paused or cancelled.
   * @returns false if the batch is not running or not to be published; nothing is changed then
   */
  beginPublish(batchId: string): Promise<boolean>;
  /**
   * Selects the rows of the next publish, in one transaction. Without rows to hold, held rows that
   * are to be published become `written`. With rows to hold, which are committed until then, the
   * batch's commit is made again without them: all rows to publish become `written`.
   * @param selection.commit the batch's commit before any of these rows was in it; null: its base
   */
  selectForPublish(
    batchId: string,
    selection: { publish: number[]; hold: number[]; commit: string | null },
  ): Promise<void>;
  /**
   * Ends a run: changes the batch while a lock keeps others from changing or resuming it, and
   * records that the callback needs no further run.
   * @param decide returns what to change, from the batch and its counts; null for nothing
   */
  end(
    batchId: string,
    decide: (batch: Batch, rows: RowCounts) => BatchChanges | null,
  ): Promise<void>;
  /**
   * Fails a batch whose status is `running` although its workflow does not run. People can resume
   * it. Does not change a batch that was changed in the last minute.
   * @returns the batch if a run must still send the callback about its end
   */
  lost(batchId: string): Promise<Batch | undefined>;

  /** Rows in the state `waiting` with no path yet. */
  unplanned(batchId: string, limit: number): Promise<UnplannedRow[]>;
  /** Stores where pages go. A row keeps its path. */
  plan(batchId: string, targets: RowTarget[]): Promise<void>;
  /**
   * The next rows in a state that have a path.
   * @param wanted.canary considers only this number of rows: the first that neither failed nor were
   *   skipped
   */
  next(
    batchId: string,
    wanted: { state: RowState; limit: number; canary?: number },
  ): Promise<PlannedBatchRow[]>;
  /** The slugs of the templates of all rows that are waiting, written or held. */
  templates(batchId: string): Promise<string[]>;
  /** Fails the rows of a template that are waiting, written or held. */
  failTemplate(batchId: string, templatePageSlug: string, error: string): Promise<void>;
  /** A row's request. */
  input(batchId: string, number: number): Promise<BatchRow>;
  /** Stores the page of a `waiting` row. The row is then `written` or `held`. */
  written(batchId: string, number: number, result: RowResult): Promise<void>;
  /**
   * Records that the batch's commit contains the pages of written rows, in one transaction.
   * @returns false if one of the rows is no longer `written`, because a person skipped it; nothing
   *   is changed then
   */
  commitRows(batchId: string, rows: { commit: string; numbers: number[] }): Promise<boolean>;
  /** The written pages of rows, by their numbers. */
  pages(batchId: string, numbers: number[]): Promise<WrittenRow[]>;
  /** The row whose page with this slug is in the preview and can be edited; otherwise null. */
  editable(batchId: string, slug: string): Promise<RowView | null>;
  /**
   * Records that a person edits a row's page. A page that is live must then be published again. The
   * batch is kept as long as its preview.
   * @returns whether the page can be edited; false while the batch runs
   */
  edit(batchId: string, number: number): Promise<boolean>;
  /** The rows whose pages have these paths, without skipped rows. */
  at(batchId: string, paths: string[]): Promise<RowAtPath[]>;
  /**
   * Lets production's version win: fails committed or published rows whose pages others have
   * changed on the production branch, in one transaction.
   * @param changed.commit the new commit of the batch and its hidden ref, with production's pages
   */
  yieldToProduction(
    batchId: string,
    changed: { commit?: string; rows: { number: number; error: string }[] },
  ): Promise<void>;
  /** Stores edits by hand. Each commit of the pages applies them. */
  keepEdits(batchId: string, edits: { number: number; edit: PageEdit }[]): Promise<void>;
  /**
   * Records the commit of the batch's hidden ref, which contains edits by hand, in one transaction.
   * @param taken `shown`: the commit of the hidden ref. `commit`: the batch's commit with the
   *   edits; absent if it has not changed. `edited`: the numbers of the edited rows; pages that are
   *   live must be published again
   */
  takeOver(
    batchId: string,
    taken: { shown: string | null; commit?: string; edited: number[] },
  ): Promise<void>;
  /** Stores for pages which share of their text is their own, from 0 to 1. */
  storeShares(batchId: string, rows: { number: number; ownShare: number }[]): Promise<void>;
  /** Adds notes to rows. A note that a row already has is not added again. */
  addNotes(batchId: string, rows: { number: number; notes: Note[] }[]): Promise<void>;
  /** Fails rows that are waiting, written or held. */
  fail(batchId: string, rows: { number: number; error: string }[]): Promise<void>;
  /**
   * Moves rows from one of the states `from` to `to`. Rows that were created with an `error` can
   * only be skipped, because their request is invalid.
   * @returns the number of rows that moved
   */
  move(
    batchId: string,
    rows: { from: RowState[]; to: RowState; numbers?: number[]; repair?: RowRepair },
  ): Promise<number>;
  /**
   * Fails rows whose repair is undone, in one transaction: their pages leave the preview.
   * @returns false if the batch runs or one of the pages is live; nothing is changed then
   */
  undoRepair(batchId: string, numbers: number[]): Promise<boolean>;
  /** Stores the URLs of pages, by the numbers of their rows. */
  show(
    batchId: string,
    pages: { number: number; previewUrl?: string; publishedUrl?: string }[],
  ): Promise<void>;
  /** Deletes the batches whose previews have expired, unless they run. */
  prune(): Promise<void>;
}
