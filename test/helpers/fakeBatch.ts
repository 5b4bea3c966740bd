import type { TaskActivities } from '../../activities/index.ts';
import { type BatchOutcome, type RowState, rowStates } from '../../src/contract/batches/batch.ts';

type Steps = Pick<
  TaskActivities,
  | 'planBatch'
  | 'readNextRows'
  | 'generateRow'
  | 'markRowsFailed'
  | 'commitRows'
  | 'deployBatchPreview'
  | 'verifyBatchPages'
  | 'deployBatch'
  | 'completeBatch'
>;

/** A batch in memory, and the activities that work on its rows as the real ones do. */
export class FakeBatch {
  readonly rows: Map<number, RowState>;
  readonly calls: string[] = [];
  readonly errors: string[] = [];
  status = 'running';
  /** Whether it ended without a run, so that its callback is still to be sent. */
  isUnreported = false;
  /** How many rows may be made before somebody approves the others. */
  canary = Infinity;

  constructor(count: number) {
    this.rows = new Map(Array.from({ length: count }, (_, n) => [n + 1, 'waiting']));
  }

  in = (state: RowState) => [...this.rows].flatMap(([n, at]) => (at === state ? [n] : []));
  counts = () =>
    Object.fromEntries(
      rowStates.map((state) => [state, this.in(state).length]),
    ) as BatchOutcome['rows'];

  private isOfCanary = (number: number) =>
    [...this.rows]
      .flatMap(([n, state]) => (state === 'failed' ? [] : [n]))
      .slice(0, this.canary)
      .includes(number);

  private move(numbers: number[], to: RowState) {
    for (const number of numbers) this.rows.set(number, to);
  }

  activities(): Steps {
    const template = { path: 't.html', digest: 'd' };
    return {
      planBatch: async () => {
        this.calls.push('planBatch');
        if (this.status !== 'running')
          return { status: this.status as 'paused', isUnreported: this.isUnreported };
        const base = 'b'.repeat(40);
        const isCanary = this.canary < Infinity;
        const options = { publish: true, isCanary, onWarnings: 'publish' as const };
        return { base, templates: { '/t': template }, status: 'running', ...options };
      },
      readNextRows: async ({ limit }) =>
        (this.status === 'running' ? this.in('waiting') : [])
          .filter(this.isOfCanary)
          .slice(0, limit)
          .map((number) => ({
            number,
            slug: `/p${number}`,
            path: `p${number}.html`,
            templatePageSlug: '/t',
          })),
      generateRow: async ({ number }) => {
        this.move([number], 'written');
        return {};
      },
      markRowsFailed: async ({ rows }) => {
        this.move(
          rows.map(({ number }) => number),
          'failed',
        );
        this.errors.push(...rows.map(({ error }) => error));
      },
      commitRows: async () => {
        const written = this.in('written').slice(0, 50);
        this.move(written, 'committed');
        if (written.length > 0) this.calls.push(`commitRows ${written.length}`);
        return { total: this.in('committed').length, isLeft: written.length === 50 };
      },
      deployBatchPreview: async ({ publish }) => {
        this.calls.push('deployBatchPreview');
        const mayPublish = publish && this.status === 'running';
        return this.in('committed').length > 0 ? { commit: 'c'.repeat(40), mayPublish } : {};
      },
      verifyBatchPages: async ({ deploymentCheck, isOnline, publish }) => {
        this.calls.push(
          `verifyBatchPages ${deploymentCheck.target} ${isOnline ? 'online' : 'unseen'}`,
        );
        return { mayPublish: publish && this.status === 'running' };
      },
      deployBatch: async () => {
        const rows = this.in('committed');
        this.calls.push(`deployBatch ${rows.length}`);
        this.move(rows, 'published');
        const firstPages = [{ slug: '/p', publishedUrl: 'http://live/p' }];
        return { pages: rows.length, firstPages };
      },
      completeBatch: async ({ task, status: reached, errorMessage }) => {
        this.calls.push(`completeBatch ${reached}`);
        this.isUnreported = false;
        const isKept = reached === 'paused' || this.status === 'cancelled';
        const isCanary = this.in('waiting').some((number) => !this.isOfCanary(number));
        const made = reached === 'completed' && isCanary ? 'waiting' : reached;
        const status = isKept ? (this.status as typeof made | 'running') : made;
        if (status === 'running') return null;
        if (status === 'completed' && this.in('waiting').length > 0) return null;
        this.status = status;
        const finishedAt = '2026-01-01T00:00:00.000Z';
        const more = errorMessage === undefined ? {} : { errorMessage };
        const { taskId: batchId } = task;
        return { batchId, status, ...more, rows: this.counts(), url: 'http://b', finishedAt };
      },
    };
  }
}
