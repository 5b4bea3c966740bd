import { ApplicationFailure } from '@temporalio/activity';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import {
  BATCH_WORKFLOW,
  type BatchOutcome,
  CANCEL_SIGNAL,
  PAUSE_SIGNAL,
  RESUME_SIGNAL,
} from '../../src/contract/batches/batch.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import type { DeploymentCheck, PendingMerge } from '../../src/contract/deployment.ts';
import { TASK_QUEUE } from '../../src/contract/task.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { FakeBatch } from '../helpers/fakeBatch.ts';
import {
  fakeActivities,
  startTimeSkipping,
  type TimeSkipping,
  untilCancelled,
} from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

const organizationId = '11111111-1111-4111-8111-111111111111';
const siteId = '22222222-2222-4222-8222-222222222222';

describe('batchWorkflow', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** Starts a run as `createBatchRuns` does. */
  const start = (taskId: string, callbackUrl?: string, signal = RESUME_SIGNAL) => {
    const input = { taskId, organizationId, siteId, createdAt: '2026-01-01T00:00:00.000Z' };
    return server.env.client.workflow.signalWithStart(BATCH_WORKFLOW, {
      workflowId: taskId,
      taskQueue: TASK_QUEUE,
      signal,
      args: [{ ...input, ...(callbackUrl && { callbackUrl }) }],
      searchAttributes: { OrganizationId: [organizationId], SiteId: [siteId] },
    });
  };
  const run = (
    batch: FakeBatch,
    work: (taskId: string) => Promise<void>,
    own: Partial<TaskActivities> = {},
  ) => {
    const activities = { ...fakeActivities(), ...batch.activities(), ...own };
    return server.during(activities, () => work(randomTaskId()));
  };
  /** Runs a batch whose site has a host of its own. @returns what it looked for */
  async function runOwnHost(
    batch: FakeBatch,
    {
      byPeople,
      isMerged,
      ...own
    }: Pick<PendingMerge, 'byPeople' | 'isMerged'> & Partial<TaskActivities>,
  ): Promise<DeploymentCheck> {
    const fakes = batch.activities();
    const url = 'https://forge.example/team/site/pulls/7';
    const common = { what: 'the build', url, branch: 'b', pages: [] };
    const deploymentCheck: DeploymentCheck = {
      ...common,
      target: 'preview',
      commit: 'c'.repeat(40),
    };
    const said = { byPeople, ...withoutUndefined({ isMerged }) };
    const merge = {
      pullRequest: 7,
      url,
      head: deploymentCheck.commit,
      previewed: deploymentCheck.commit,
      ...said,
    };
    const all: Partial<TaskActivities> = {
      deployBatchPreview: async (argument) => {
        const { commit } = await fakes.deployBatchPreview(argument);
        return { commit: commit!, deploymentCheck };
      },
      publish: async ({ commit }) => ({ commit, merge }),
      mergePullRequest: async () => {
        batch.calls.push('merge');
        return 'd'.repeat(40);
      },
      deployBatch: async (argument) => ({
        ...(await fakes.deployBatch(argument)),
        deploymentCheck: { ...common, target: 'live', commit: argument.commit },
      }),
      checkDeployment: async ({ deploymentCheck: { target, commit } }) => {
        batch.calls.push(`look ${target} ${commit}`);
        return { pages: [] };
      },
    };
    await run(
      batch,
      async (taskId) => {
        await start(taskId);
        await endOf(taskId);
      },
      { ...all, ...own },
    );
    return deploymentCheck;
  }
  const endOf = async (taskId: string) =>
    (await server.env.client.workflow.getHandle(taskId).result()) as BatchOutcome | null;

  const attributesOf = async (taskId: string) =>
    (await server.env.client.workflow.getHandle(taskId).describe()).searchAttributes;

  // the first one: the server skips no time any more after an activity that it gave up
  it('has no run while it waits for people, however long, and sends its callback once', async () => {
    const batch = new FakeBatch(8);
    batch.canary = 3;
    const sent: unknown[] = [];
    await run(
      batch,
      async (taskId) => {
        await start(taskId, 'https://receiver.example/');
        expect(await endOf(taskId)).to.include({ status: 'waiting' });
        const first = await server.env.client.workflow.getHandle(taskId).describe();
        await server.env.sleep('9 days');
        const { status, runId } = await server.env.client.workflow.getHandle(taskId).describe();
        expect({ status: status.name, runId }).to.deep.equal({
          status: 'COMPLETED',
          runId: first.runId,
        });
        expect(batch.status).to.equal('waiting');
        expect(sent).to.deep.equal([]);
        Object.assign(batch, { status: 'running', canary: Infinity });
        await start(taskId, 'https://receiver.example/');
        const end = await endOf(taskId);
        expect(end!.rows).to.include({ published: 8 });
        expect(sent).to.deep.equal([end]);
      },
      {
        sendCallback: async ({ finished }) => {
          sent.push(finished);
          return { status: 200, attempts: [] };
        },
      },
    );
  });

  it('writes all rows in windows, commits each, and deploys a preview and publishes once', async () => {
    const batch = new FakeBatch(120);
    const sent: unknown[] = [];
    const sendCallback: TaskActivities['sendCallback'] = async ({ finished }) => {
      sent.push(finished);
      return { status: 200, attempts: [] };
    };
    await run(
      batch,
      async (taskId) => {
        await start(taskId, 'https://receiver.example/');
        const end = await endOf(taskId);
        expect(end).to.deep.include({ batchId: taskId, status: 'completed' });
        expect(end!.rows).to.include({ published: 120 });
        expect(sent).to.deep.equal([end]);
      },
      { sendCallback },
    );
    const commits = batch.calls.filter((call) => call.startsWith('commitRows'));
    const sizes = commits.map((call) => Number(call.split(' ')[1]));
    expect(sizes.reduce((sum, size) => sum + size)).to.equal(120);
    expect(Math.max(...sizes)).to.be.at.most(50);
    const ends = ['deployBatchPreview', 'deployBatch 120', 'completeBatch completed'];
    expect(batch.calls.filter((call) => !commits.includes(call)).slice(1, 4)).to.deep.equal(ends);
  });

  it('fails only a row whose activities fail again and again', async () => {
    const batch = new FakeBatch(3);
    const { generateRow } = batch.activities();
    await run(
      batch,
      async (taskId) => {
        await start(taskId);
        expect((await endOf(taskId))!.rows).to.include({ published: 2, failed: 1 });
      },
      {
        generateRow: async (argument) => {
          if (argument.number === 2) throw ApplicationFailure.nonRetryable('Too bad', 'UNEXPECTED');
          return generateRow(argument);
        },
      },
    );
    expect(batch.errors).to.deep.equal(['Too bad']);
  });

  it('fails with the error of an activity that all rows need, and publishes nothing', async () => {
    const batch = new FakeBatch(2);
    await run(
      batch,
      async (taskId) => {
        await start(taskId);
        expect(await endOf(taskId)).to.include({ status: 'failed', errorMessage: 'No remote' });
        expect(await attributesOf(taskId)).to.deep.include({ FailureKind: ['site'] });
      },
      {
        commitRows: async () => {
          throw ApplicationFailure.nonRetryable('No remote', 'GIT_FAILED');
        },
      },
    );
    expect(batch.calls.join()).to.not.include('deployBatch');
  });

  it('stops at once if it is cancelled, and publishes nothing', async () => {
    const batch = new FakeBatch(2);
    let isWriting = false;
    await run(
      batch,
      async (taskId) => {
        const handle = await start(taskId);
        await until('a row', () => isWriting);
        batch.status = 'cancelled';
        await handle.signal(CANCEL_SIGNAL);
        expect(await endOf(taskId)).to.include({ status: 'cancelled' });
      },
      {
        generateRow: async () => {
          isWriting = true;
          return untilCancelled();
        },
      },
    );
    expect(batch.calls.join()).to.not.match(/deployBatch|deployBatchPreview/);
  });

  for (const [changes, ends] of [
    [2, 'completed'],
    [3, 'failed'],
  ] as const)
    it(`publishes the rest if others change a page ${changes} times before: ${ends}`, async () => {
      const batch = new FakeBatch(3);
      let left: number = changes;
      const { publish } = fakeActivities();
      await run(
        batch,
        async (taskId) => {
          await start(taskId);
          expect(await endOf(taskId)).to.include({ status: ends });
        },
        {
          publish: async (argument) => {
            if (left-- > 0) throw ApplicationFailure.nonRetryable('Page changed', 'PAGE_CHANGED');
            return publish(argument);
          },
        },
      );
      expect(batch.calls.filter((call) => call === 'deployBatchPreview')).to.have.length(3);
    });

  for (const status of ['paused', 'waiting', 'cancelled'])
    it(`ends a batch without a run that is ${status} as cancelled, and sends its callback`, async () => {
      const batch = new FakeBatch(2);
      batch.status = status;
      const sent: unknown[] = [];
      await run(
        batch,
        async (taskId) => {
          await start(taskId, 'https://receiver.example/', CANCEL_SIGNAL);
          const end = await endOf(taskId);
          expect(end).to.include({ status: 'cancelled' });
          expect(sent).to.deep.equal([end]);
        },
        {
          sendCallback: async ({ finished }) => {
            sent.push(finished);
            return { status: 200, attempts: [] };
          },
        },
      );
      expect(batch.calls).to.deep.equal(['completeBatch cancelled']);
    });

  for (const status of ['cancelled', 'failed'])
    it(`sends the callback of a batch that ${status} without a run`, async () => {
      const batch = new FakeBatch(2);
      Object.assign(batch, { status, isUnreported: true });
      const sent: unknown[] = [];
      await run(
        batch,
        async (taskId) => {
          await start(taskId, 'https://receiver.example/');
          const end = await endOf(taskId);
          expect(end).to.include({ status });
          expect(sent).to.deep.equal([end]);
        },
        {
          sendCallback: async ({ finished }) => {
            sent.push(finished);
            return { status: 200, attempts: [] };
          },
        },
      );
      expect(batch.calls).to.deep.equal(['planBatch', 'completeBatch paused']);
    });

  it('pauses after a window, and continues with a new run', async () => {
    const batch = new FakeBatch(60);
    const { generateRow } = batch.activities();
    const gate = Promise.withResolvers<void>();
    let isWriting = false;
    await run(
      batch,
      async (taskId) => {
        const handle = await start(taskId);
        await until('a row', () => isWriting);
        batch.status = 'paused';
        await handle.signal(PAUSE_SIGNAL);
        gate.resolve();
        expect((await endOf(taskId))!.rows).to.include({ committed: 50, waiting: 10 });
        expect(batch.calls).to.include('deployBatchPreview').and.not.include('deployBatch 50');
        batch.status = 'running';
        await start(taskId);
        expect((await endOf(taskId))!.rows).to.include({ published: 60 });
      },
      {
        generateRow: async (argument) => {
          isWriting = true;
          await gate.promise;
          return generateRow(argument);
        },
      },
    );
  });

  it('continues if it was paused and resumed before the run had stopped', async () => {
    const batch = new FakeBatch(60);
    const { generateRow } = batch.activities();
    const gate = Promise.withResolvers<void>();
    let isWriting = false;
    await run(
      batch,
      async (taskId) => {
        const handle = await start(taskId);
        await until('a row', () => isWriting);
        await handle.signal(PAUSE_SIGNAL);
        await handle.signal(RESUME_SIGNAL);
        gate.resolve();
        expect((await endOf(taskId))!.rows).to.include({ published: 60 });
      },
      {
        generateRow: async (argument) => {
          isWriting = true;
          await gate.promise;
          return generateRow(argument);
        },
      },
    );
  });

  it('ends at the open pull request if people merge', async () => {
    const batch = new FakeBatch(8);
    await runOwnHost(batch, { byPeople: true });
    expect(batch.calls.slice(-2)).to.deep.equal([
      'verifyBatchPages preview online',
      'completeBatch completed',
    ]);
  });

  it('does nothing if the batch must not run', async () => {
    const batch = new FakeBatch(2);
    batch.status = 'completed';
    await run(batch, async (taskId) => {
      await start(taskId);
      expect(await endOf(taskId)).to.equal(null);
    });
    expect(batch.in('waiting')).to.have.length(2);
  });

  it('continues as new before its history is long', async () => {
    const batch = new FakeBatch(700);
    await run(batch, async (taskId) => {
      const handle = await start(taskId);
      const first = (await handle.describe()).runId;
      expect((await endOf(taskId))!.rows).to.include({ published: 700 });
      const { runId, historyLength } = await server.env.client.workflow
        .getHandle(taskId)
        .describe();
      expect(runId).to.not.equal(first);
      expect(historyLength).to.be.lessThan(2_500);
    });
  });
});
