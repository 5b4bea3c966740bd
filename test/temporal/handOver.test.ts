import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import { queueModelCalls } from '../../activities/queueModelCalls.ts';
import { observeActivities, interruptedMessage } from '../../activities/observeActivities.ts';
import { createFairModelCalls } from '../../src/agents/model/calls/fairModelCalls.ts';
import { TASK_QUEUE, TASK_WORKFLOW } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import { taskStartOptions } from '../../src/temporal/tasks/startOptions.ts';
import { chooseTimeouts } from '../../src/temporal/timeouts.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { made } from '../helpers/about.ts';
import { LOST, reasonsOf } from '../helpers/lostSteps.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities, promptTask } from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

type Step = Parameters<TaskActivities['runAgentTurn']>[0];
interface Call {
  taskId: string;
  by: string;
  answer: () => void;
}

describe('language model calls of a worker that stops', function () {
  this.timeout(120_000);
  const times = chooseTimeouts({ embeddedAddress: undefined });
  const model = 'openai/gpt-test';
  const resources = new AsyncDisposableStack();
  const calls: Call[] = [];
  /** The tasks whose steps have reached a worker. */
  const begun = new Set<string>();
  let workers: AsyncDisposableStack;
  let temporal: Awaited<ReturnType<typeof startOwnTemporal>>;
  let client: Client;

  before(async () => {
    temporal = await startOwnTemporal(resources);
    ({ client } = temporal);
  });
  beforeEach(() => {
    workers = new AsyncDisposableStack();
  });
  afterEach(() => workers.disposeAsync());
  after(() => resources.disposeAsync());

  /** A worker that makes one call at once, and its stop. Other steps have no grace. */
  async function startWorker(by: string, callsGrace: number) {
    const stopping = new AbortController();
    const turns = createFairModelCalls({ atOnce: 1, stopping: stopping.signal });
    const fakes = fakeActivities();
    const call = async (argument: Step, signal: AbortSignal) => {
      await new Promise<void>((answer, cut) => {
        calls.push({ taskId: argument.task.taskId, by, answer });
        signal.addEventListener('abort', () => cut(signal.reason as Error));
      });
      return fakes.runAgentTurn(argument);
    };
    const queuedCall = queueModelCalls(turns, call);
    const runAgentTurn: typeof queuedCall = (argument, ...context) => {
      begun.add(argument.task.taskId);
      return queuedCall(argument, ...context);
    };
    const beating = observeActivities(
      createLogger('silent'),
      { runAgentTurn },
      {
        ...times,
        stopping: stopping.signal,
      },
    );
    const { connection, namespace } = { ...temporal, connection: await temporal.connect() };
    const worker = await createWorker({
      connection,
      namespace,
      times,
      cacheDir: bundles,
      shutdownGrace: 0,
      callsGrace,
      activities: { ...fakes, ...beating },
    });
    const stop = () => {
      stopping.abort(
        new DomainError('UNAVAILABLE', 'The process is stopping', { retryable: true }),
      );
      return worker.close();
    };
    workers.defer(() => (calls.forEach(({ answer }) => answer()), stop()));
    return { stop };
  }

  async function start() {
    const task = promptTask({ model, heartbeats: times.heartbeats });
    const how = {
      about: made,
      bodyHash: 'hash',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: 10_000,
    };
    return client.workflow.start(TASK_WORKFLOW, taskStartOptions(task, how));
  }
  const callOf = async (taskId: string, by: string) => {
    await until(
      `a call by ${by}`,
      () => calls.some((call) => call.taskId === taskId && call.by === by),
      60_000,
    );
    return calls.find((call) => call.taskId === taskId && call.by === by)!;
  };

  it('finish within their own grace period, and waiting ones begin elsewhere at once', async () => {
    const first = await startWorker('first', 60);
    const under = await start();
    const call = await callOf(under.workflowId, 'first');
    const waiting = await start();
    // the server considers a step as started before a worker has it
    await until('the other step to wait for its turn', () => begun.has(waiting.workflowId));
    const stopped = first.stop();
    await startWorker('second', 60);
    const other = await callOf(waiting.workflowId, 'second');
    expect((await under.describe()).status.name).to.equal('RUNNING');
    call.answer();
    other.answer();
    await Promise.all([under.result(), waiting.result(), stopped]);
    expect(calls.filter(({ taskId }) => taskId === under.workflowId)).to.have.length(1);
    expect(await reasonsOf(client, under.workflowId)).to.deep.equal([]);
    expect(await reasonsOf(client, waiting.workflowId)).to.deep.equal([
      'runAgentTurn was interrupted by a shutdown',
    ]);
  });

  it('are handed over when their grace period is over, without waiting for a heartbeat', async () => {
    const first = await startWorker('third', 1);
    const task = await start();
    await callOf(task.workflowId, 'third');
    const stopped = first.stop();
    await startWorker('fourth', 1);
    (await callOf(task.workflowId, 'fourth')).answer();
    await Promise.all([task.result(), stopped]);
    const reasons = await reasonsOf(client, task.workflowId);
    expect(reasons)
      .to.deep.equal([interruptedMessage('runAgentTurn')])
      .and.not.include(LOST);
  });
});
