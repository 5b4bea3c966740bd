import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { optionalTsToMs } from '../../../src/temporal/sdkInternals.ts';
import type { NativeConnection } from '@temporalio/worker';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskActivities } from '../../../activities/index.ts';
import {
  workerQueue,
  activityQueues,
  TASK_QUEUE,
  TASK_WORKFLOW,
  type TaskInput,
} from '../../../src/contract/task.ts';
import { readPollers } from '../../../src/temporal/pollers.ts';
import {
  preferredWorkerIn,
  preferredWorkerName,
  workerIdentity,
} from '../../../src/temporal/workerNames.ts';
import { createTemporalCalls } from '../../../src/temporal/tasks/temporalCalls.ts';
import { createPreferredWorkers } from '../../../src/temporal/tasks/preferredWorkers.ts';
import { taskStartOptions } from '../../../src/temporal/tasks/startOptions.ts';
import { readBuildId } from '../../../src/temporal/worker/workerBuild.ts';
import { createWorker } from '../../../src/temporal/worker/worker.ts';
import { atTime } from '../../helpers/atTime.ts';
import { startOwnTemporal } from '../../helpers/ownTemporal.ts';
import { bundles, fakeActivities, generateTask, promptTask } from '../../helpers/temporal.ts';
import { until } from '../../helpers/until.ts';
import { made } from '../../helpers/about.ts';

const WITHIN_MS = 60_000;

describe('activities of sites with a preferred worker', function () {
  this.timeout(120_000);
  const shared = new AsyncDisposableStack();
  const [one, two] = ['/one', '/two'].map(preferredWorkerName) as [string, string];
  /** By task, the homes of the workers that ran its steps. */
  const ran = new Map<string, Set<string>>();
  /** By task, what its steps were told of attempts that were lost. */
  const lost = new Map<string, unknown[]>();
  let client: Client;
  let buildId: string;
  const queueAt = (home: string) => workerQueue(home, buildId);
  let namespace: string;

  before(async () => {
    buildId = await readBuildId();
    const temporal = await startOwnTemporal(shared);
    ({ client, namespace } = temporal);
    for (const home of [one, two])
      shared.adopt(await startWorker(await temporal.connect(), home), (running) => running.close());
  });
  after(() => shared.disposeAsync());

  const startWorker = (connection: NativeConnection, home: string) =>
    createWorker({
      connection,
      namespace,
      home,
      activities: noting(home),
      cacheDir: bundles,
      shutdownGrace: 1,
    });

  function noting(home: string): TaskActivities {
    const noted = Object.entries(fakeActivities()).map(([name, activity]) => [
      name,
      async (argument: { task: { taskId: string } }, ...told: unknown[]) => {
        const { taskId } = argument.task;
        ran.set(taskId, (ran.get(taskId) ?? new Set()).add(home));
        lost.set(taskId, [...(lost.get(taskId) ?? []), ...told]);
        return (activity as (given: unknown) => Promise<unknown>)(argument);
      },
    ]);
    return Object.fromEntries(noted) as TaskActivities;
  }

  /**
   * Runs a task to its end. @returns who ran its steps, their queues, and how many did not begin in
   * time
   */
  async function run(task: TaskInput) {
    const options = taskStartOptions(task, {
      about: made,
      bodyHash: 'hash',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: 10_000,
    });
    const handle = await client.workflow.start(TASK_WORKFLOW, options);
    const { status } = (await handle.result()) as { status: string };
    expect(status).to.equal('completed');
    const events = (await handle.fetchHistory()).events ?? [];
    const queues = events.flatMap(
      ({ activityTaskScheduledEventAttributes: step }) => step?.taskQueue?.name ?? [],
    );
    const late = events.filter(
      ({ activityTaskTimedOutEventAttributes: timeout }) => timeout,
    ).length;
    const waits = events.flatMap(({ activityTaskScheduledEventAttributes: step }) =>
      step?.taskQueue?.name?.includes('-worker-')
        ? [Number(optionalTsToMs(step.scheduleToStartTimeout))]
        : [],
    );
    const by = [...ran.get(task.taskId)!];
    return {
      by,
      queues: [...new Set(queues)],
      late,
      scheduled: queues.length,
      waits,
      lost: lost.get(task.taskId),
    };
  }

  it('all run on that worker', async () => {
    for (const preferredWorker of [one, two])
      for (const task of [
        generateTask({ preferredWorker, publish: true }),
        promptTask({ preferredWorker }),
      ]) {
        const { by, queues, late, waits } = await run(task);
        expect({ by, queues, late }).to.deep.equal({
          by: [preferredWorker],
          queues: [queueAt(preferredWorker)],
          late: 0,
        });
        for (const wait of waits) expect(wait).to.be.within(10_000, 15_000);
        expect(new Set(waits).size, 'steps do not all leave a home at once').to.be.above(1);
      }
  });

  it('wait once for a preferred worker that is gone, and then run on any worker', async () => {
    const gone = preferredWorkerName('/gone');
    const steps = (await run(promptTask())).scheduled;
    const both = [
      promptTask({ preferredWorker: gone }),
      generateTask({ preferredWorker: gone, publish: true }),
    ];
    const [prompt, pages] = await Promise.all(both.map(run));
    const { queues, late, scheduled, lost } = prompt!;
    expect(queues).to.have.members([queueAt(gone), activityQueues.sites, activityQueues.rules]);
    expect({ late, scheduled, lost }).to.deep.equal({ late: 1, scheduled: steps + 1, lost: [] });
    expect(pages!.late).to.equal(1);
  });

  /**
   * Takes a step of a site whose home this is, three seconds after it was due, and tells Temporal
   * nothing but that, or what an attempt noted.
   */
  async function begin(home: string, notes?: object) {
    await delay(3_000);
    const { workflowService } = client;
    const asking = {
      namespace,
      taskQueue: { name: queueAt(home) },
      identity: workerIdentity(home),
    };
    const { taskToken } = await until('the step', async () => {
      const poll = () => workflowService.pollActivityTaskQueue(asking);
      const step = await client.withDeadline(Date.now() + WITHIN_MS, poll);
      return step.taskToken.length > 0 && step;
    });
    const details = { payloads: [defaultPayloadConverter.toPayload(notes)] };
    if (notes) await workflowService.recordActivityTaskHeartbeat({ namespace, taskToken, details });
  }

  it('wait for a stalled preferred worker, and know the notes of the attempt that was lost with it', async () => {
    const notes = { kept: 'by the first' };
    const ends = [notes, undefined].map(async (noted) => {
      const preferredWorker = preferredWorkerName(noted ? '/noted' : '/silent');
      const [{ lost, late }] = await Promise.all([
        run(promptTask({ preferredWorker })),
        begin(preferredWorker, noted),
      ]);
      return { lost, late };
    });
    expect(await Promise.all(ends)).to.deep.equal([
      { lost: [{ details: notes }], late: 1 },
      { lost: [{}], late: 1 },
    ]);
  });

  it("run in the language models' queue, which limits their number, if they call a model", async () => {
    const { queues } = await run(generateTask({ preferredWorker: one, model: 'openai/gpt-test' }));
    expect(queues).to.have.members([queueAt(one), activityQueues.languageModels]);
  });

  it('are given to the polling workers, to each its own', async () => {
    const homes = createPreferredWorkers(createTemporalCalls(client));
    const sites = Array.from({ length: 20 }, (_, n) => `site-${n}`);
    expect(homes.of('site-0')).to.equal(undefined);
    const found = await until(
      'both workers',
      () => {
        const known = new Set(sites.map((site) => homes.of(site)));
        return known.size === 2 && known;
      },
      WITHIN_MS,
    );
    expect([...found]).to.have.members([one, two]);
  });

  /** Runs `use` where this machine's clock is wrong. */
  const withClockOff = (ms: number, use: () => Promise<unknown>) =>
    atTime(() => Date.now() + ms, { use }).use();

  it('are given to no worker that the server has not heard of for 90 seconds', async () => {
    const queue = { namespace, name: activityQueues.sites, type: 'activities' } as const;
    const asking = async (later: number, off: number) => {
      let found: (string | undefined)[] = [];
      await withClockOff(off, async () => {
        const { pollers } = await readPollers(
          client.workflowService,
          queue,
          (lastAsked) => lastAsked + later,
        );
        found = pollers.map(({ identity }) => preferredWorkerIn(identity));
      });
      return found;
    };
    const [hour, all] = [3_600_000, [one, two]];
    for (const off of [-hour, 0, hour]) {
      expect(await asking(0, off)).to.have.members(all);
      expect(await asking(90_000, off)).to.deep.equal([]);
    }
  });
});
