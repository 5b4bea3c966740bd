import { WaitTimeoutError } from './errors.ts';
import { type CallOptions, pause, type Requests } from './requests.ts';
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
  ListBatchesData,
  ListBatchRowsData,
} from './types.ts';

/** What a request asks of all rows. */
export type BatchOptions = Omit<BatchRequest, 'rows'>;

/** A batch that does nothing more by itself. */
export type FinishedBatch = Batch & { status: Exclude<Batch['status'], 'running'> };

type Filters = Omit<NonNullable<ListBatchesData['query']>, 'cursor'>;
type RowFilters = Omit<NonNullable<ListBatchRowsData['query']>, 'cursor'>;

/** Milliseconds between looks at a batch that runs. */
const PAUSE_MS = 2_000;

/** Pages from the rows of a table. */
export class Batches {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Makes a page for each row: 1 to 5,000. Rows that are wrong fail alone. */
  create(
    rows: BatchRowRequest[],
    { signal, idempotencyKey = crypto.randomUUID(), ...options }: BatchOptions & CreateOptions,
  ): Promise<BatchCreated> {
    const headers = { 'Idempotency-Key': idempotencyKey };
    return this.#post('', { ...options, rows }, { signal, headers });
  }

  /** Tells which rows would fail, and what the others would cost. Nothing is created. */
  check(
    rows: BatchRowRequest[],
    { signal, ...options }: BatchOptions & CallOptions,
  ): Promise<BatchCheck> {
    return this.#post('/check', { ...options, rows }, { signal });
  }

  get(batchId: string, { signal }: CallOptions = {}): Promise<Batch> {
    return this.#read(pathOf(batchId), { signal });
  }

  /** All batches of your organization, the latest first. */
  async *list(filters: Filters = {}, { signal }: CallOptions = {}): AsyncGenerator<Batch> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const list: BatchList = await this.#read('', { query: { ...filters, cursor }, signal });
      yield* list.batches;
      cursor = list.nextCursor;
    }
  }

  /** The rows of a batch, in their order. */
  async *rows(
    batchId: string,
    filters: RowFilters = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<BatchRow> {
    const path = `${pathOf(batchId)}/rows`;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const list: BatchRows = await this.#read(path, { query: { ...filters, cursor }, signal });
      yield* list.rows;
      cursor = list.nextCursor;
    }
  }

  /**
   * Waits until a batch no longer runs: it has ended, is paused, or waits for an approval. A batch
   * that failed is no error: look at its `status`.
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
    for (;;) {
      const request = { signal, longestPauseMs: Infinity };
      const batch = await this.#read<Batch>(pathOf(batchId), request);
      if (batch.status !== 'running') return batch as FinishedBatch;
      await pause(PAUSE_MS, signal);
    }
  }

  pause(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/pause`, undefined, options);
  }

  /** Goes on with a batch that is paused or has failed. */
  resume(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/resume`, undefined, options);
  }

  cancel(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/cancel`, undefined, options);
  }

  /** Publishes a batch that was made without `publish`, or whose pages were edited since. */
  publish(batchId: string, options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/publish`, undefined, options);
  }

  /** Makes failed rows again: all of them, or some by their numbers. */
  retry(batchId: string, rows?: number[], options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/retry`, { rows }, options);
  }

  /** Takes rows out that are not published. */
  skip(batchId: string, rows: number[], options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/skip`, { rows }, options);
  }

  /** Approves held rows by their numbers; without, all of them and those after the canary. */
  approve(batchId: string, rows?: number[], options: CallOptions = {}): Promise<Batch> {
    return this.#post(`${pathOf(batchId)}/approve`, { rows }, options);
  }

  async #read<T>(path: string, request: Omit<Request, 'path'>): Promise<T> {
    const asked = { path: `/agent/batches${path}`, ...request };
    return (await this.#requests.read<T>(asked)).body;
  }

  #post<T>(path: string, body: unknown, request: Omit<Request, 'path'>): Promise<T> {
    return this.#read(path, { method: 'POST', body, ...request });
  }
}

type Request = Parameters<Requests['read']>[0];

const pathOf = (batchId: string) => `/${encodeURIComponent(batchId)}`;
