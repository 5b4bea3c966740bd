import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RowState } from '../contract/batches/batch.ts';
import type { ActivityDelays, TaskMeasures } from '../contract/metrics.ts';
import { costOfTokens, type ModelPrices } from '../contract/prices.ts';
import type { TokenUsage } from '../contract/task.ts';

/*
 * The metrics of one process, for Prometheus. Other modules report events by functions, and
 * `serve.ts` serves the text:
 *
 *   const metrics = createMetrics();
 *   metrics.gitStarted('fetch');
 *   await metrics.text(); // '… agent_tasks_git_commands_total{command="fetch"} 1 …'
 *
 * `countCalls.ts` wraps functions of other modules so that their calls are counted. Labels have few
 * values, so no id of a site, task or organization is a label.
 */

/** The outcome of a delivery attempt. `failed`: there was no response. */
export type CallbackOutcome = 'accepted' | 'refused' | 'failed';

/** The functions by which other modules report what happened. */
export interface ServiceMetrics extends TaskMeasures {
  /** Reports how long an activity waited in its queue, and then in its worker slot for a lock. */
  stepDelayed: (delays: ActivityDelays) => void;
  callbackAttempted: (outcome: CallbackOutcome) => void;
  /** Counts a call of a language model. @param model `<provider>/<model>` */
  modelCalled: (model: string, usedTokens: TokenUsage) => void;
  /** Counts rows of batches that reached a state. */
  rowsReached: (state: RowState, count: number) => void;
  /** @param command the git command's name: `fetch` for `git fetch` */
  gitStarted: (command: string) => void;
  /** @param code the error code in the response */
  requestRefused: (code: string) => void;
  /** @param check returns whether this process's worker is ready; called at each scrape */
  watchWorker: (check: () => Promise<true | string>) => void;
  /** All metrics in the text format of Prometheus. */
  text: () => Promise<string>;
  readonly contentType: string;
  close: () => void;
}

/** The upper bounds of the histograms' buckets, in seconds. */
const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000];

interface MetricsOptions {
  /** The folder whose disk is watched. Absent: no disk. */
  dataDir?: string;
  prices?: ModelPrices;
}

/** Creates this process's metrics: Node's and the service's. */
export function createMetrics({
  dataDir,
  prices = new Map(),
}: MetricsOptions = {}): ServiceMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });

  const endedTasks = counter(
    'agent_tasks_ended_total',
    'Finished tasks and batches by type and outcome',
    ['type', 'outcome'],
  );
  const phaseSeconds = histogram(
    'agent_tasks_phase_seconds',
    'Duration of the phases of tasks in seconds',
    ['type', 'phase'],
  );
  const delays = histogram(
    'agent_tasks_step_delay_seconds',
    'Seconds that activities waited in their queue, and then in a worker slot for a lock',
    ['queue', 'where'],
  );
  const callbackAttempts = counter(
    'agent_tasks_callback_attempts_total',
    'Callback delivery attempts by outcome',
    ['outcome'],
  );
  const givenUpDeliveries = counter(
    'agent_tasks_deliveries_given_up_total',
    'Callbacks, and events for one endpoint, that no attempt delivered',
    ['kind'],
  );
  const gitCommands = counter('agent_tasks_git_commands_total', 'Started git commands', [
    'command',
  ]);
  const batchRows = counter('agent_tasks_batch_rows_total', 'Batch rows that reached a state', [
    'state',
  ]);
  const refusedRequests = counter(
    'agent_tasks_refused_requests_total',
    'Requests that were answered with an error, by error code',
    ['code'],
  );
  const workerGauge = createWorkerGauge(registers);
  if (dataDir !== undefined) watchDisk(registers, dataDir);
  return {
    watchWorker: workerGauge.watch,
    phaseEnded: ({ type, phase, seconds }) => phaseSeconds.observe({ type, phase }, seconds),
    ended: (task) => endedTasks.inc(task),
    deliveryGivenUp: (delivery) => givenUpDeliveries.inc(delivery),
    stepDelayed({ queue, inQueue, inSlot }) {
      delays.observe({ queue, where: 'queue' }, inQueue);
      delays.observe({ queue, where: 'slot' }, inSlot);
    },
    callbackAttempted: (outcome) => callbackAttempts.inc({ outcome }),
    modelCalled: countModels(registers, prices),
    rowsReached: (state, count) => batchRows.inc({ state }, count),
    gitStarted: (command) => gitCommands.inc({ command }),
    requestRefused: (code) => refusedRequests.inc({ code }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => registry.clear(),
  };
}

function countModels(registers: Registry[], prices: ModelPrices): ServiceMetrics['modelCalled'] {
  const calls = new Counter({
    name: 'agent_tasks_model_calls_total',
    help: 'Completed language model calls',
    labelNames: ['model'],
    registers,
  });
  const tokens = new Counter({
    name: 'agent_tasks_model_tokens_total',
    help: 'Tokens of language model calls: input (not cached), cached_input and output',
    labelNames: ['model', 'kind'],
    registers,
  });
  const cost = new Counter({
    name: 'agent_tasks_model_cost_usd_total',
    help: 'Cost of language model calls in USD, of models that have a price',
    labelNames: ['model'],
    registers,
  });
  return (model, usedTokens) => {
    const { inputTokens, cachedInputTokens, outputTokens } = usedTokens;
    const price = prices.get(model);
    if (price) cost.inc({ model }, Number(costOfTokens(usedTokens, price)) / 1_000_000);
    calls.inc({ model });
    tokens.inc({ model, kind: 'input' }, inputTokens - cachedInputTokens);
    tokens.inc({ model, kind: 'cached_input' }, cachedInputTokens);
    tokens.inc({ model, kind: 'output' }, outputTokens);
  };
}

/** A gauge that is 1 while the worker is ready. 0 if this process has no worker. */
function createWorkerGauge(registers: Registry[]) {
  let checkWorker: () => Promise<true | string> = () =>
    Promise.resolve('this process has no worker');
  const name = 'agent_tasks_worker_ready';
  const help =
    '1 while the worker of this process runs and a worker of the current version polls for tasks, else 0';
  const collect = async () => gauge.set((await checkWorker().catch(() => '')) === true ? 1 : 0);
  const gauge: Gauge = new Gauge({ name, help, registers, collect });
  return { watch: (newCheck: typeof checkWorker) => void (checkWorker = newCheck) };
}

/** A gauge of the free space of a disk. It has no value if the disk can't be read. */
function watchDisk(registers: Registry[], folder: string): void {
  const gauge: Gauge = new Gauge({
    name: 'agent_tasks_disk_free_bytes',
    help: 'Free bytes of the disk with DATA_DIR',
    registers,
    async collect() {
      const disk = await statfs(folder).catch(() => undefined);
      if (disk) gauge.set(disk.bavail * disk.bsize);
      else gauge.reset();
    },
  });
}
