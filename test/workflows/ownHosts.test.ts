import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowUpdateFailedError } from '@temporalio/client';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import type { DeploymentCheck, PendingMerge } from '../../src/contract/deployment.ts';
import {
  type TaskOutcome,
  isQuestion,
  FORGE_EVENT_SIGNAL,
  type TaskEvent,
  type TaskInput,
  type TaskView,
} from '../../src/contract/task.ts';
import {
  fakeActivities,
  generateTask,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';
import { CANCELLED } from '../../workflows/failures.ts';

type View = TaskView & { events: TaskEvent[] };

const DAY = 24 * 60 * 60_000;
const pullRequestUrl = 'https://forge.example/team/site/pulls/7';
const deploymentCheck: DeploymentCheck = {
  target: 'preview',
  commit: 'c'.repeat(40),
  what: 'the build of cccccccccc',
  url: pullRequestUrl,
  branch: 'bg-task',
  pages: [{ slug: '/x', paths: ['/x'], texts: ['A new heading'] }],
};
const pull: PendingMerge = {
  pullRequest: 7,
  url: pullRequestUrl,
  head: 'c'.repeat(40),
  previewed: 'c'.repeat(40),
  byPeople: true,
};
const stillBuilding = (nextRetryDelay: number) =>
  ApplicationFailure.create({ message: 'not yet', type: 'STILL_BUILDING', nextRetryDelay });
const published = (): TaskInput =>
  generateTask({
    work: {
      type: 'publish',
      name: 'A name',
      ownPages: ['/x'],
      externalIds: {},
      notes: [],
      result: {
        taskId: `bg-${'0'.repeat(22)}`,
        base: 'b'.repeat(40),
        commit: 'c'.repeat(40),
        root: 'a'.repeat(40),
      },
    },
    publish: true,
  });

describe('a task on a site with an external host', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** A site whose host builds pull requests. Notes the calls. */
  const hostOf = (calls: string[], merge: PendingMerge | null = pull): TaskActivities => {
    const fakes = fakeActivities(calls);
    return {
      ...fakes,
      deployPreview: async (argument) => ({
        ...(await fakes.deployPreview(argument)),
        deploymentCheck,
        pullRequestUrl,
      }),
      publish: async (argument) => ({
        ...(await fakes.publish(argument)),
        ...(merge && { merge }),
      }),
      mergePullRequest: async () => {
        calls.push('mergePullRequest');
        return 'd'.repeat(40);
      },
    };
  };

  async function run(
    task: TaskInput,
    activities: TaskActivities,
    use: (task: ReturnType<typeof handleOf>) => Promise<void> = () => Promise.resolve(),
  ) {
    return server.during(activities, async () => {
      const handle = await startTask(server, task);
      await use(handleOf(task.taskId));
      await handle.result().catch(() => undefined);
      const { memo } = await handle.describe();
      return memo?.['finished'] as TaskOutcome;
    });
  }

  function handleOf(taskId: string) {
    const handle = server.env.client.workflow.getHandle(taskId);
    const view = () => handle.query<View>('status');
    const waitingFor = async () => {
      const seen = await view();
      const waitingFor = seen.status === 'running' ? seen.progress?.waitingFor : undefined;
      return waitingFor && !isQuestion(waitingFor) ? waitingFor : undefined;
    };
    return {
      waitingFor,
      waits: (what: string) =>
        until(`it waits for ${what}`, async () => (await waitingFor())?.what === what),
      ended: () => until('its end', async () => (await view()).status !== 'running'),
      memo: async () => (await handle.describe()).memo ?? {},
      news: () => handle.signal(FORGE_EVENT_SIGNAL),
      cancel: () => handle.executeUpdate('cancel'),
    };
  }

  const outputOf = (finished: TaskOutcome) => {
    if (finished.status !== 'completed') throw new Error(finished.errorMessage);
    return finished.output;
  };
  const failureKind = async ({ taskId }: TaskInput) => {
    const { searchAttributes } = await server.env.client.workflow.getHandle(taskId).describe();
    return searchAttributes['FailureKind'];
  };
  const errorOf = (finished: TaskOutcome) =>
    finished.status === 'failed' ? finished.errorMessage : 'none';

  it('waits days for people without a permit and without work time, and then goes live', async () => {
    const calls: string[] = [];
    let since = 0;
    const mergePullRequest: TaskActivities['mergePullRequest'] = async (argument) => {
      since ||= Date.parse(argument.since);
      expect(Date.parse(argument.until!) - since).to.equal(7 * DAY);
      if (calls.at(-1) !== 'merged') throw stillBuilding(DAY);
      return 'd'.repeat(40);
    };
    const host = { ...hostOf(calls), mergePullRequest };
    const finished = await run(published(), host, async (task) => {
      await task.waits('a person to merge the pull request');
      expect((await task.waitingFor())?.url).to.equal(pullRequestUrl);
      await until('the place is given back', () => calls.at(-1) === 'releasePermit');
      expect(await task.memo()).to.include({ releasedPermit: true });
      await server.env.sleep('3 days');
      expect(calls.at(-1)).to.equal('releasePermit');
      calls.push('merged');
      await task.news();
    });
    expect(calls.slice(-3)).to.deep.equal(['merged', 'acquirePermit', 'deployProduction']);
    const { pagesCreated, notes } = outputOf(finished);
    expect(pagesCreated[0]).to.include({ publishedUrl: 'http://live/x' });
    expect(notes).to.equal(undefined);
    expect(Date.parse(finished.finishedAt) - since).to.be.within(3 * DAY, 4 * DAY);
  });

  it('is cancelled at once while it waits for people, and keeps the result', async () => {
    const calls: string[] = [];
    const mergePullRequest = () => Promise.reject(stillBuilding(DAY));
    const finished = await run(
      published(),
      { ...hostOf(calls), mergePullRequest },
      async (task) => {
        await task.waits('a person to merge the pull request');
        await task.cancel();
        await task.ended();
      },
    );
    expect(errorOf(finished)).to.equal(CANCELLED);
    expect(calls.at(-1)).to.equal('releasePermit');
  });

  it('completes at the open pull request if people did not merge in time', async () => {
    const calls: string[] = [];
    let tries = 0;
    const mergePullRequest: TaskActivities['mergePullRequest'] = () => {
      if (++tries < 7) throw stillBuilding(DAY);
      throw ApplicationFailure.nonRetryable(`still open: ${pullRequestUrl}`, 'FORGE_REFUSED');
    };
    const output = outputOf(await run(published(), { ...hostOf(calls), mergePullRequest }));
    expect(output.pagesCreated[0]).to.include({ publishedUrl: null });
    expect(output).to.include({ pullRequestUrl });
    expect(output.notes).to.deep.equal([
      { kind: 'unpublished', text: `still open: ${pullRequestUrl}` },
    ]);
    expect(calls).to.not.include('deployProduction');
  });

  it('keeps its permit, and rejects a cancel, while the forge merges by itself', async () => {
    const calls: string[] = [];
    let isMerged = false;
    const mergePullRequest: TaskActivities['mergePullRequest'] = async () => {
      if (!isMerged) throw stillBuilding(DAY);
      return 'd'.repeat(40);
    };
    const host = { ...hostOf(calls, { ...pull, byPeople: false }), mergePullRequest };
    const finished = await run(promptTask({ publish: true }), host, async (task) => {
      await task.waits('the merge of the pull request');
      const refused = await task.cancel().catch((error: unknown) => error);
      expect((refused as WorkflowUpdateFailedError).cause).to.have.property('type', 'CONFLICT');
      isMerged = true;
      await task.news();
    });
    expect(outputOf(finished).pagesCreated[0]).to.include({ publishedUrl: 'http://live/x' });
    expect(calls).to.not.include('releasePermit');
  });

  it('checks at once when the forge sends an event about the preview or the live page', async () => {
    const calls: string[] = [];
    const host = hostOf(calls, null);
    const built = new Set<string>();
    const looked = new Set<string>();
    const lookFor: TaskActivities['checkDeployment'] = async (argument) => {
      looked.add(argument.deploymentCheck.target);
      if (!built.has(argument.deploymentCheck.target)) throw stillBuilding(DAY);
      return {
        pages: [{ slug: '/x', url: `https://${argument.deploymentCheck.target}.example/x` }],
      };
    };
    let since = '';
    const finished = await run(
      promptTask({ publish: true }),
      {
        ...host,
        checkDeployment: lookFor,
        deployProduction: async () => ({
          pages: [{ slug: '/x', url: null }],
          deploymentCheck: { ...deploymentCheck, what: 'the production build', target: 'live' },
        }),
      },
      async (task) => {
        await task.waits(deploymentCheck.what);
        ({ since } = (await task.waitingFor())!);
        const news = async (target: string) => {
          await until(`a look for the ${target}`, () => looked.has(target));
          built.add(target);
          await task.news();
        };
        await news('preview');
        await news('live');
        await task.ended();
      },
    );
    expect(outputOf(finished).pagesCreated[0]).to.include({
      previewUrl: 'https://preview.example/x',
      publishedUrl: 'https://live.example/x',
    });
    expect(Date.parse(finished.finishedAt) - Date.parse(since)).to.be.below(DAY / 2);
  });

  it("fails with the URL of a failed build's log, publishes nothing, and removes the branch", async () => {
    const calls: string[] = [];
    const failure = 'The host could not build it: Its log is at https://host.example/log/1';
    let tries = 0;
    const lookFor: TaskActivities['checkDeployment'] = () => {
      if (++tries < 3) throw stillBuilding(1_000);
      throw ApplicationFailure.nonRetryable(failure, 'BUILD_FAILED');
    };
    const task = promptTask({ publish: true });
    const finished = await run(task, { ...hostOf(calls), checkDeployment: lookFor });
    expect(errorOf(finished)).to.equal(failure);
    expect(await failureKind(task)).to.deep.equal(['site']);
    expect(calls.slice(-2)).to.deep.equal(['deployPreview', 'deletePreview']);
  });

  it('removes what was pushed before a cancel, or before the forge rejected the pull request', async () => {
    for (const refuse of [true, false]) {
      const calls: string[] = [];
      const task = promptTask();
      const host = hostOf(calls);
      const finished = await run(task, {
        ...host,
        async deployPreview(argument) {
          if (refuse) throw ApplicationFailure.nonRetryable('It takes none', 'FORGE_REFUSED');
          await server.env.client.workflow.getHandle(task.taskId).executeUpdate('cancel');
          return host.deployPreview(argument);
        },
      });
      expect(errorOf(finished)).to.equal(refuse ? 'It takes none' : CANCELLED);
      expect(calls.at(-1)).to.equal('deletePreview');
      expect(calls).to.not.include('checkDeployment');
    }
  });
});
