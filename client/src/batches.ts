import { allOf } from './allOf.ts';
import { WaitTimeoutError } from './errors.ts';
import {
  type CallOptions,
  type Csv,
  type FiltersOf,
  PATIENT_RETRIES,
  pause,
  type Request,
  type Requests,
} from './requests.ts';
import { segmentOf } from './segmentOf.ts';
import type { CreateOptions, WaitOptions } from './tasks.ts';
import { within } from './within.ts';
import type {
  Batch,
  BatchCheck,
  BatchCreated,
  BatchList,
  BatchRequest,
  BatchRow,
  BatchRowRequest,
  BatchRows,
  DecideNotes,
  EditLink,
  ListBatchesData,
  ListBatchRowsData,
  ShareCreated,
  ShareRequest,
  UndoVersion,
  VersionChange,
  VersionList,
} from './types.ts';

/** The options of a batch, which apply to all of its rows. */
export type BatchOptions = Omit<BatchRequest, 'rows'>;

/** The rows of a batch. `docs/api.md` lists the columns of a CSV. */
export type Table = BatchRowRequest[] | Csv;

/** A batch that has ended, is paused or waits for an approval. */
export type FinishedBatch = Batch & { status: Exclude<Batch['status'], 'running'> };

type Filters = FiltersOf<ListBatchesData['query']>;
type RowFilters = FiltersOf<ListBatchRowsData['query']>;

/** Milliseconds between two polls of a running batch. */
const PAUSE_MS = 2_000;

/**
 * Batches create a page for each row of a table.
 *
 *     const { batchId } = await client.batches.create(csv, { siteId, templatePageSlug });
 *     const batch = await client.batches.waitFor(batchId);
 *     for await (const row of client.batches.rows(batchId)) console.log(row.targetPageSlug);
 */
export class Batches {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Creates a page for each of 1 to 5,000 rows. An invalid row fails without the others. */
  create(
    rows: Table,
    { signal, idempotencyKey = crypto.randomUUID(), ...options }: BatchOptions & CreateOptions,
  ): Promise<BatchCreated> {
    const headers = { 'Idempotency-Key': idempotencyKey };
    return this.#send('', rows, options, { signal, headers });
  }

  /** Returns which rows would fail, and what the others would cost. Creates nothing. */
  check(rows: Table, { signal, ...options }: BatchOptions & CallOptions): Promise<BatchCheck> {
    return this.#send('/check', rows, options, { signal });
  }

  get(batchId: string, { signal }: CallOptions = {}): Promise<Batch> {
    return this.#read(pathOf(batchId), { signal });
  }

  /** Lists the batches of your organization, newest first. */
  list(filters: Filters = {}, { signal }: CallOptions = {}): AsyncGenerator<Batch, void> {
    return allOf({
      read: (cursor) => this.#read<BatchList>('', { query: { ...filters, cursor }, signal }),
      itemsOf: ({ batches }) => batches,
      signal,
    });
  }

  /** Lists the rows of a batch, in their order. */
  rows(
    batchId: string,
    filters: RowFilters = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<BatchRow, void> {
    const path = `${pathOf(batchId)}/rows`;
    return allOf({
      read: (cursor) => this.#read<BatchRows>(path, { query: { ...filters, cursor }, signal }),
      itemsOf: ({ rows }) => rows,
      signal,
    });
  }

  /**
   * Waits until a batch no longer runs: it has ended, is paused, or waits for an approval. A batch
   * that failed is not an error: check its `status`.
   * @throws WaitTimeoutError
   */
  waitFor(
    batchId: string,
    { signal, timeoutMs = Infinity }: WaitOptions = {},
  ): Promise<FinishedBatch> {
    const late = () => new WaitTimeoutError(batchId, timeoutMs);
    return within(timeoutMs, { signal, late }, (ending) => this.#end(batchId, ending));
  }

  async #end(batchId: string, signal: AbortSignal): Promise<FinishedBatch> {
    for (let retries = 0; ; retries = PATIENT_RETRIES) {
      const request = { signal, longestPauseMs: Infinity, retries };
      const batch = await this.#read<Batch>(pathOf(batchId), request);
      if (batch.status !== 'running') return batch as FinishedBatch;
      await pause(PAUSE_MS, signal);
    }
  }

  pause(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/pause`, undefined, options);
  }

  /** Resumes a batch that is paused or has failed. */
  resume(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/resume`, undefined, options);
  }

  /** Creates a link with which people who have no account can see or edit the pages of a batch. */
  share(batchId: string, body: ShareRequest, options: CallOptions = {}): Promise<ShareCreated> {
    return this.#post(`${pathOf(batchId)}/shares`, body, options);
  }

  cancel(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/cancel`, undefined, options);
  }

  /**
   * Makes pages of the preview live: those of the rows with these numbers, or all that nobody left
   * out. Pages that do not go live are held.
   */
  publish(batchId: string, rows?: number[], options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/publish`, { rows }, options);
  }

  /** Retries failed rows: all of them, or those with these numbers. */
  retry(batchId: string, rows?: number[], options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/retry`, { rows }, options);
  }

  /** Skips rows that are not published. */
  skip(batchId: string, rows: number[], options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/skip`, { rows }, options);
  }

  /**
   * Approves the held rows with these numbers. A row is held if a person must check its page first.
   * Without numbers, approves all held rows and the rows after the canary (the first pages of the
   * batch, after which it waits).
   */
  approve(batchId: string, rows?: number[], options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/approve`, { rows }, options);
  }

  /** Lists the versions of the pages of a batch. The first one is the current one. */
  versions(batchId: string, { signal }: CallOptions = {}): Promise<VersionList> {
    return this.#read(`${pathOf(batchId)}/versions`, { signal });
  }

  /** Makes the version before the current one current again, as a new version. */
  undoVersion(
    batchId: string,
    body: UndoVersion = {},
    options: CallOptions = {},
  ): Promise<VersionChange> {
    return this.#post(`${pathOf(batchId)}/versions/undo`, body, options);
  }

  /**
   * Decides on notes of a batch, on all pages that have them: keeps their facts, removes them,
   * writes a text in their place, or gives unused columns a place. A note says what a person should check on a page.
   */
  decideNotes(batchId: string, body: DecideNotes, { signal }: CallOptions = {}): Promise<Batch> {
    return this.#read(`${pathOf(batchId)}/notes`, { method: 'PATCH', body, signal });
  }

  /** Creates a link with which a person can edit the pages of a batch. It opens at the page of `slug`. */
  editLink(batchId: string, slug: string, options: CallOptions = {}): Promise<EditLink> {
    return this.#post(`${pathOf(batchId)}/edit-link`, { slug }, options);
  }

  /** Sends rows with options. For a CSV, whose body is the table, the options are in the query. */
  #send<T>(path: string, rows: Table, options: BatchOptions, request: Omit<Request, 'path'>) {
    return Array.isArray(rows)
      ? this.#post<T>(path, { ...options, rows }, request)
      : this.#read<T>(path, { method: 'POST', csv: rows, query: options, ...request });
  }

  async #read<T>(path: string, request: Omit<Request, 'path'>): Promise<T> {
    const asked = { path: `/agent/batches${path}`, ...request };
    return (await this.#requests.read<T>(asked)).body;
  }

  #post<T>(path: string, body: unknown, request: Omit<Request, 'path'>): Promise<T> {
    return this.#read(path, { method: 'POST', body, ...request });
  }
}

const pathOf = (batchId: string) => `/${segmentOf(batchId)}`;
