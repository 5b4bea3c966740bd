import {
  type Batch,
  type RowCounts,
  rowStates,
  type RowState,
  type RowView,
} from '../../src/contract/batches/batch.ts';
import type { BatchStore, NewBatch } from '../../src/contract/batches/batchStore.ts';
import type { SentBatch } from '../../src/api/batches/batchReader.ts';
import { readJsonBatch, readTableRows } from '../../src/api/batches/readBatch.ts';
import { readTable } from '../../src/api/batches/readTable.ts';
import { DomainError } from '../../src/errors.ts';
import type { BatchRequest } from '../../src/tasks/batches/create.ts';
import type { BatchRuns, BatchToRun } from '../../src/temporal/batches/batches.ts';
import { derivedTaskId, randomTaskId } from '../../src/temporal/tasks/taskId.ts';

/** What the API asks of a store of batches. */
type BatchStoreMethods = Pick<
  BatchStore,
  'create' | 'remove' | 'find' | 'counts' | 'countsOf' | 'list' | 'rows' | 'change' | 'move'
>;

/** A store of batches as the API sees it. Activities' calls of it fail. */
export function createBatchesInMemory(): BatchStore {
  const stored = new Map<string, { batch: Batch; bodyHash: string; rows: Row[] }>();
  const at = (batchId: string) => stored.get(batchId) ?? unknown();
  const asked: BatchStoreMethods = {
    create(made) {
      const before = stored.get(made.batchId);
      if (before)
        return Promise.resolve({ bodyHash: before.bodyHash, createdAt: before.batch.createdAt });
      const { rows, bodyHash, ...batch } = made;
      const status = { status: 'running', canaryApproved: false } as const;
      stored.set(made.batchId, { batch: { ...batch, ...status }, bodyHash, rows: rows.map(rowOf) });
      return Promise.resolve(undefined);
    },
    remove: (batchId) => Promise.resolve(void stored.delete(batchId)),
    async find(organizationId, batchId) {
      const { batch } = await Promise.resolve(at(batchId));
      return batch.organizationId === organizationId ? batch : unknown();
    },
    counts: (batchId) => Promise.resolve(countsIn(at(batchId).rows)),
    countsOf: (batchIds) => Promise.resolve(batchIds.map((batchId) => countsIn(at(batchId).rows))),
    list(organizationId, { siteId, before, limit }) {
      const place = ({ createdAt, batchId }: { createdAt: string; batchId: string }) =>
        `${createdAt} ${batchId}`;
      const own = [...stored.values()]
        .map(({ batch }) => batch)
        .filter((batch) => batch.organizationId === organizationId)
        .filter((batch) => siteId === undefined || batch.siteId === siteId)
        .filter((batch) => !before || place(batch) < place(before))
        .toSorted((one, other) => (place(one) < place(other) ? 1 : -1));
      return Promise.resolve(own.slice(0, limit));
    },
    rows: (batchId, { after, limit, state }) =>
      Promise.resolve(
        at(batchId)
          .rows.filter((row) => row.number > after && (!state || row.state === state))
          .slice(0, limit)
          .map(({ isWrong: _, ...row }) => row),
      ),
    change(batchId, changes, from) {
      const { batch } = at(batchId);
      const may = !from || (from.includes(batch.status) && !batch.isPublishing);
      if (may) Object.assign(batch, changes);
      return Promise.resolve(may);
    },
    move(batchId, { from, to, numbers }) {
      const moved = at(batchId).rows.filter(
        ({ number, state, isWrong }) =>
          from.includes(state) &&
          (to === 'skipped' || !isWrong) &&
          (!numbers || numbers.includes(number)),
      );
      for (const row of moved) row.state = to;
      return Promise.resolve(moved.length);
    },
  };
  return new Proxy(asked as BatchStore, {
    get(target, name) {
      return (
        (Reflect.get(target, name) as unknown) ??
        (() => Promise.reject(new Error(`the API asks for ${String(name)}`)))
      );
    },
  });
}

const countsIn = (rows: Row[]) =>
  Object.fromEntries(
    rowStates.map((state) => [state, rows.filter((row) => row.state === state).length]),
  ) as RowCounts;

interface Row extends RowView {
  state: RowState;
  isWrong: boolean;
}

const rowOf = ({ number, targetPageSlug, externalId, error }: NewBatch['rows'][number]): Row => ({
  number,
  targetPageSlug,
  state: error === undefined ? 'waiting' : 'failed',
  isWrong: error !== undefined,
  ...(externalId !== undefined && { externalId }),
  ...(error !== undefined && { error }),
  previewUrl: null,
  publishedUrl: null,
});

function unknown(): never {
  throw new DomainError('NOT_FOUND', 'Batch not found');
}

/**
 * Runs of batches that only note what they are asked. `refuse`: an error for each run; `silent`:
 * for what runs are told.
 */
export function runsInMemory() {
  const started: BatchToRun[] = [];
  const stopped: [batchId: string, how: string][] = [];
  const givenBack: string[] = [];
  const state: { refuse?: DomainError; silent?: DomainError } = {};
  const isFull = () => state.refuse?.code === 'TOO_MANY_IN_FLIGHT';
  const tell = (batchId: string, how: string) => {
    if (state.silent) return Promise.reject(state.silent);
    return Promise.resolve(void stopped.push([batchId, how]));
  };
  const runs: BatchRuns = {
    newId: (organizationId, key) =>
      key === undefined ? randomTaskId() : derivedTaskId(Buffer.alloc(32), organizationId, key),
    acquirePermit: ({ batchId }) =>
      isFull()
        ? Promise.reject(state.refuse!)
        : Promise.resolve(() => Promise.resolve(void givenBack.push(batchId))),
    run(batch) {
      if (state.refuse) return Promise.reject(state.refuse);
      started.push(batch);
      return Promise.resolve();
    },
    pauseRun: (batchId) => tell(batchId, 'pause'),
    cancelRun: (batchId) => tell(batchId, 'cancel'),
    cancelBatch: ({ batchId }) => tell(batchId, 'end'),
    reportEnd: ({ batchId }) => tell(batchId, 'report'),
  };
  return { runs, started, stopped, givenBack, state };
}

/** A body as it comes in. */
export async function* inParts(body: Buffer, bytes = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes);
}

/** Parses a part of a table without threads. */
export const readTablePart: Parameters<typeof readTable>[1] = async (table, common) =>
  readTableRows(await Promise.resolve(table), common);

/** Reads a request for a batch without threads. */
export const readSentBatch = async (sent: SentBatch): Promise<BatchRequest> =>
  'json' in sent ? readJsonBatch(await Promise.resolve(sent)) : readTable(sent, readTablePart);
