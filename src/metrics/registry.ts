import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RowState } from '../contract/batch.ts';
import type { StepDelays, TaskMeasures } from '../contract/metrics.ts';
import type { Usage } from '../contract/task.ts';

/** The outcome of a delivery attempt. `failed`: there was no response. */
export type CallbackOutcome = 'accepted' | 'refused' | 'failed';

export interface Metrics extends TaskMeasures {
  stepDelayed: (delays: StepDelays) => void;
  callbackAttempted: (outcome: CallbackOutcome) => void;
  /** Counts a call of a language model. @param model `<provider>/<model>` */
  modelCalled: (model: string, used: Usage) => void;
  /** Counts rows of batches that reached a state. */
  rowsReached: (state: RowState, count: number) => void;
  /** @param command the git command's name: `fetch` for `git fetch` */
  gitStarted: (command: string) => void;
  /** @param code the error code in the response */
  requestRefused: (code: string) => void;
  /** @param check tells whether this process's worker is ready; called at each scrape */
  watchWorker: (check: () => Promise<true | string>) => void;
  /** All metrics in the text format of Prometheus. */
  text: () => Promise<string>;
  readonly contentType: string;
  close: () => void;
}

const SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000];

/** Creates this process's metrics: Node's and the service's. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });

  const ended = counter('agent_tasks_ended_total', 'Tasks that ended', ['type', 'outcome']);
  const phases = histogram('agent_tasks_phase_seconds', 'How long phases of tasks took', [
    'type',
    'phase',
  ]);
  const delays = histogram('agent_tasks_step_delay_seconds', 'How long steps waited', [
    'queue',
    'where',
  ]);
  const callbacks = counter(
    'agent_tasks_callback_attempts_total',
    'Attempts to deliver callbacks',
    ['outcome'],
  );
  const git = counter('agent_tasks_git_commands_total', 'Git commands that were started', [
    'command',
  ]);
  const rows = counter('agent_tasks_batch_rows_total', 'Rows of batches that reached a state', [
    'state',
  ]);
  const refused = counter('agent_tasks_refused_requests_total', 'Requests that were refused', [
    'code',
  ]);
  const worker = watched(registers);
  return {
    watchWorker: worker.watch,
    phaseEnded: ({ type, phase, seconds }) => phases.observe({ type, phase }, seconds),
    ended: (task) => ended.inc(task),
    stepDelayed({ queue, inQueue, inSlot }) {
      delays.observe({ queue, where: 'queue' }, inQueue);
      delays.observe({ queue, where: 'slot' }, inSlot);
    },
    callbackAttempted: (outcome) => callbacks.inc({ outcome }),
    modelCalled: countModels(registers),
    rowsReached: (state, count) => rows.inc({ state }, count),
    gitStarted: (command) => git.inc({ command }),
    requestRefused: (code) => refused.inc({ code }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => registry.clear(),
  };
}

function countModels(registers: Registry[]): Metrics['modelCalled'] {
  const calls = new Counter({
    name: 'agent_tasks_model_calls_total',
    help: 'Calls of language models that ended',
    labelNames: ['model'],
    registers,
  });
  const tokens = new Counter({
    name: 'agent_tasks_model_tokens_total',
    help: 'Tokens that language models read (without those in a cache), had in a cache, or wrote',
    labelNames: ['model', 'kind'],
    registers,
  });
  return (model, { inputTokens, cachedInputTokens, outputTokens }) => {
    calls.inc({ model });
    tokens.inc({ model, kind: 'input' }, inputTokens - cachedInputTokens);
    tokens.inc({ model, kind: 'cached_input' }, cachedInputTokens);
    tokens.inc({ model, kind: 'output' }, outputTokens);
  };
}

/** A gauge that is 1 while the worker is ready. 0 if this process has no worker. */
function watched(registers: Registry[]) {
  let check: () => Promise<true | string> = () => Promise.resolve('there is none');
  const name = 'agent_tasks_worker_ready';
  const help = 'Whether the worker runs, and one of the current version asks for tasks';
  const collect = async () => gauge.set((await check().catch(() => '')) === true ? 1 : 0);
  const gauge: Gauge = new Gauge({ name, help, registers, collect });
  return { watch: (next: typeof check) => void (check = next) };
}
