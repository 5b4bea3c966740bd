import { Client, type WorkflowQueryInput } from '@temporalio/client';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import { observeActivities } from '../../activities/observeActivities.ts';
import { activityQueues, type TaskInput } from '../../src/contract/task.ts';
import { createLogger } from '../../src/log.ts';
import { createTaskClient } from '../../src/temporal/tasks/taskClient.ts';
import { chooseTimeouts } from '../../src/temporal/timeouts.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { made } from '../helpers/about.ts';
import { unlimited } from '../helpers/leases.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities, generateTask } from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

type Next = (input: WorkflowQueryInput) => Promise<unknown>;

describe('billed actions of a task on a cluster', function () {
  this.timeout(120_000);
  const resources = new AsyncDisposableStack();
  const times = chooseTimeouts({ embeddedAddress: undefined });
  /** By the request's id: the tasks whose steps hang, and when these heard of their cancel. */
  const held = new Set(['held', 'held by a model', 'read']);
  const letCommit = Promise.withResolvers<void>();
  const letPublish = Promise.withResolvers<void>();
  const heard = new Map<string, number>();
  const begun = new Set<string>();
  let client: Client;
  let queries = 0;
  let tasks: ReturnType<typeof createTaskClient>;

  before(async () => {
    const { connection, namespace, ...temporal } = await startOwnTemporal(resources);
    const interceptors = {
      workflow: [{ query: (input: WorkflowQueryInput, next: Next) => (queries++, next(input)) }],
    };
    client = new Client({ connection: temporal.client.connection, namespace, interceptors });
    const worker = {
      connection,
      namespace,
      times,
      cacheDir: bundles,
      shutdownGrace: 1,
      activities: activities(),
    };
    resources.adopt(await createWorker(worker), (running) => running.close());
    const limits = {
      leases: unlimited,
      workflowTaskTimeout: times.workflowTask,
      heartbeats: times.heartbeats,
    };
    tasks = resources.adopt(
      createTaskClient({ client, secret: Buffer.alloc(32), ...limits }),
      (made) => made.close(),
    );
  });
  after(() => resources.disposeAsync());

  /** Steps that hang until their cancel, in tasks that are held. */
  function activities(): TaskActivities {
    const fakes = fakeActivities();
    const hold = async (requestId: string | undefined, signal: AbortSignal) => {
      if (requestId === undefined || !held.has(requestId)) return;
      begun.add(requestId);
      await new Promise((end) => signal.addEventListener('abort', end));
      heard.set(requestId, performance.now());
      signal.throwIfAborted();
    };
    type Given<K extends keyof TaskActivities> = Parameters<TaskActivities[K]>[0];
    const beating = observeActivities(
      createLogger('silent'),
      {
        generatePage: async (argument: Given<'generatePage'>, signal: AbortSignal) => {
          await hold(argument.task.requestId, signal);
          return fakes.generatePage(argument);
        },
      },
      { heartbeats: times.heartbeats },
    );
    const commitChanges = async (argument: Given<'commitChanges'>) => {
      if (argument.task.requestId === 'cancelled')
        await (begun.add('cancelled'), letCommit.promise);
      return fakes.commitChanges(argument);
    };
    const publish = async (argument: Given<'publish'>) => {
      if (argument.task.requestId === 'publishing')
        await (begun.add('publishing'), letPublish.promise);
      return fakes.publish(argument);
    };
    return { ...fakes, ...beating, commitChanges, publish };
  }

  async function start(changes: Partial<TaskInput> = {}) {
    const task = generateTask({ publish: true, ...changes });
    return (await tasks.start({ task, about: made, bodyHash: 'hash', path: '/' })).taskId;
  }

  async function timersOf(workflowId: string) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: step }) =>
      step
        ? [{ queue: step.taskQueue!.name!, seconds: Number(step.heartbeatTimeout!.seconds) }]
        : [],
    );
  }

  async function updatesOf(workflowId: string) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).filter(
      ({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted,
    ).length;
  }

  it('include a heartbeat every 15 s, or every 5 s for model calls; three missing ones mean a dead worker', async () => {
    const callbackUrl = 'https://receiver.example/';
    for (const changes of [{}, { model: 'openai/gpt-test' }, { callbackUrl }]) {
      const taskId = await start(changes);
      await client.workflow.getHandle(taskId).result();
      const timeouts = await timersOf(taskId);
      expect(timeouts.length).to.be.at.least(7);
      for (const { queue, seconds } of timeouts)
        expect(seconds, queue).to.equal(queue === activityQueues.languageModels ? 15 : 45);
      if (!('callbackUrl' in changes)) continue;
      await tasks.redeliver('org-1', taskId, made.createdBy);
      await client.workflow.getHandle(`${taskId}-callback-1`).result();
      expect(await timersOf(`${taskId}-callback-1`)).to.deep.equal([
        { queue: activityQueues.callbacks, seconds: 45 },
      ]);
    }
  });

  it('include queries only while the task progresses, however often it is read', async () => {
    const taskId = await start({ requestId: 'read' });
    await until('its steps to work', () => begun.has('read'));
    let reads = 0;
    const read = async () => {
      const view = await tasks.read('org-1', taskId);
      expect(view).to.deep.include({
        progress: { phase: 'working', pages: { done: 0, total: 3 } },
      });
      return ++reads === 20;
    };
    await until('20 reads', read, 60_000, 500);
    expect(queries).to.equal(1);
    await tasks.cancel('org-1', taskId);
  });

  it('include one update for all cancels of a task, whichever process gets them', async () => {
    const taskId = await start({ requestId: 'cancelled' });
    await until('it to commit', () => begun.has('cancelled'));
    const limits = { leases: unlimited, workflowTaskTimeout: times.workflowTask };
    const other = resources.adopt(
      createTaskClient({ client, secret: Buffer.alloc(32), ...limits }),
      (made) => made.close(),
    );
    await Promise.all([tasks, other, tasks, other, tasks].map((by) => by.cancel('org-1', taskId)));
    letCommit.resolve();
    await client.workflow
      .getHandle(taskId)
      .result()
      .catch(() => undefined);
    expect(await updatesOf(taskId)).to.equal(1);
  });

  it('include none for late cancels, each of which is rejected', async () => {
    const taskId = await start({ requestId: 'publishing' });
    await until('it to publish', () => begun.has('publishing'));
    for (let n = 0; n < 2; n++) {
      const refused = await tasks.cancel('org-1', taskId).catch((error: unknown) => error);
      expect(refused).to.include({ code: 'CONFLICT' });
    }
    letPublish.resolve();
    await client.workflow.getHandle(taskId).result();
    expect(await updatesOf(taskId)).to.equal(0);
  });

  it('tell an activity of its cancellation with its next heartbeat', async () => {
    const ids = [
      await start({ requestId: 'held' }),
      await start({ requestId: 'held by a model', model: 'openai/gpt-test' }),
    ];
    await until('both to work', () => begun.has('held') && begun.has('held by a model'));
    const began = performance.now();
    await Promise.all(ids.map((taskId) => tasks.cancel('org-1', taskId)));
    await until(
      'both to hear of it',
      () => heard.has('held') && heard.has('held by a model'),
      60_000,
    );
    for (const [what, at] of heard)
      console.log(`      ${what}: heard after ${Math.round(at - began)} ms`);
  });
});
