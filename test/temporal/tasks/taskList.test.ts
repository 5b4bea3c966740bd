import { ApplicationFailure } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { TASK_WORKFLOW, type TaskWork } from '../../../src/contract/task.ts';
import { createTaskClient, type TaskClient } from '../../../src/temporal/tasks/taskClient.ts';
import { randomTaskId } from '../../../src/temporal/tasks/taskId.ts';
import type {
  RequestedTaskFacts,
  TaskListRequest,
} from '../../../src/temporal/tasks/taskService.ts';
import { createWorker } from '../../../src/temporal/worker/worker.ts';
import { startOwnTemporal } from '../../helpers/ownTemporal.ts';
import { bundles, fakeActivities } from '../../helpers/temporal.ts';
import { until } from '../../helpers/until.ts';
import { failureOf } from '../../helpers/team/workplace.ts';
import { made } from '../../helpers/about.ts';
import { unlimited } from '../../helpers/leases.ts';

const [siteId, otherSiteId] = [randomUUID(), randomUUID()];
const prompt = (prompt: string): TaskWork => ({ type: 'prompt', prompt });
const generate: TaskWork = {
  type: 'generate_pages',
  templatePageSlug: '/a',
  items: [{ targetPageSlug: '/b', context: 'for b' }],
};

describe('the list of tasks', function () {
  this.timeout(90_000);
  const resources = new AsyncDisposableStack();
  const held = new Map<string, () => void>();
  let client: Client;
  let tasks: TaskClient;

  before(async () => {
    const { connection, namespace, ...temporal } = await startOwnTemporal(resources);
    client = temporal.client;
    const running = { cacheDir: bundles, shutdownGrace: 1 };
    const worker = { connection, namespace, activities: heldActivities(), ...running };
    resources.adopt(await createWorker(worker), (running) => running.close());
    const secret = Buffer.from('secret');
    tasks = resources.adopt(
      createTaskClient({
        client,
        secret,
        workflowTaskTimeout: 2_000,
        leases: unlimited,
      }),
      (opened) => opened.close(),
    );
  });
  after(async () => {
    for (const release of held.values()) release();
    await resources.disposeAsync();
  });

  /**
   * Prompts that say `hold` wait in their first step until they are released; those that say `fail`
   * fail there.
   */
  function heldActivities() {
    const fake = fakeActivities();
    return {
      ...fake,
      runAgentTurn: async (step: Parameters<typeof fake.runAgentTurn>[0]) => {
        if (step.prompt === 'fail')
          throw ApplicationFailure.nonRetryable('Nothing is understood', 'NOT_UNDERSTOOD');
        if (step.prompt === 'hold')
          await new Promise<void>((resolve) => held.set(step.task.taskId, resolve));
        return fake.runAgentTurn(step);
      },
    };
  }

  async function start(
    organizationId: string,
    work: TaskWork,
    changes: { siteId?: string; publish?: boolean } = {},
  ) {
    const task = { organizationId, siteId, publish: false, work, ...changes };
    return (
      await tasks.start({ task, about: { createdBy: made.createdBy }, bodyHash: 'hash', path: '/' })
    ).taskId;
  }

  /** Starts a task and waits for its end. */
  async function finish(
    organizationId: string,
    work: TaskWork,
    changes: { siteId?: string; publish?: boolean } = {},
  ) {
    const taskId = await start(organizationId, work, changes);
    await until(
      `the end of ${taskId}`,
      async () => (await tasks.read(organizationId, taskId)).status !== 'running',
    );
    return taskId;
  }

  const list = async (request: Omit<TaskListRequest, 'limit'> & { limit?: number }) => {
    const { tasks: listed, nextCursor } = await tasks.list({ limit: 20, ...request });
    return { ids: listed.map(({ taskId }) => taskId), tasks: listed, nextCursor };
  };
  /** Visibility is behind by a moment: waits until the list is this one. */
  const untilListed = async (request: Omit<TaskListRequest, 'limit'>, expected: string[]) => {
    let seen: string[] = [];
    await until(`the list ${expected.join()}`, async () => {
      seen = (await list(request)).ids;
      return seen.join() === expected.join();
    }).catch((error: Error) => expect(seen, error.message).to.deep.equal(expected));
  };

  describe('of an organization with tasks of every kind', () => {
    const organizationId = randomUUID();
    let ids: Record<
      'completed' | 'failed' | 'terminated' | 'published' | 'older' | 'running',
      string
    >;

    before(async () => {
      const completed = await finish(organizationId, generate);
      const failed = await finish(organizationId, prompt('fail'));
      const older = await start(organizationId, prompt('hold'));
      const running = await start(organizationId, prompt('hold'), { siteId: otherSiteId });
      const terminated = await start(organizationId, prompt('hold'));
      await until('all of them to work', () =>
        [older, running, terminated].every((id) => held.has(id)),
      );
      await client.workflow.getHandle(terminated).terminate();
      const published = await finish(organizationId, prompt('x'), { publish: true });
      ids = { completed, failed, older, running, terminated, published };
    });

    it('has running tasks first, then the latest finished ones', () =>
      untilListed({ organizationId }, [
        ids.running,
        ids.older,
        ids.published,
        ids.terminated,
        ids.failed,
        ids.completed,
      ]));

    it('returns what a client needs to choose a task', async () => {
      await until(
        'the end of all',
        async () => (await list({ organizationId, status: 'failed' })).ids.length === 2,
      );
      const { tasks: listed } = await list({ organizationId });
      const shown = listed.map(({ taskId, siteId, type, status, publish }) => [
        taskId,
        siteId,
        type,
        status,
        publish,
      ]);
      expect(shown).to.deep.equal([
        [ids.running, otherSiteId, 'prompt', 'running', false],
        [ids.older, siteId, 'prompt', 'running', false],
        [ids.published, siteId, 'prompt', 'completed', true],
        [ids.terminated, siteId, 'prompt', 'failed', false],
        [ids.failed, siteId, 'prompt', 'failed', false],
        [ids.completed, siteId, 'generate_pages', 'completed', false],
      ]);
      for (const { createdAt, status, finishedAt } of listed) {
        expect(createdAt).to.match(/^\d{4}-.*Z$/);
        if (status !== 'running')
          expect(Date.parse(finishedAt!)).to.be.at.least(Date.parse(createdAt));
        else expect(finishedAt).to.equal(undefined);
      }
    });

    it('filters by words of the title, creator and callback, and returns title, creator and base task', async () => {
      const [organizationId, userId, keyId] = [randomUUID(), randomUUID(), randomUUID()];
      const begin = async (about: RequestedTaskFacts, fields: { callbackUrl?: string } = {}) => {
        const task = { organizationId, siteId, publish: false, work: prompt('x'), ...fields };
        return (await tasks.start({ task, about, bodyHash: 'hash', path: '/' })).taskId;
      };
      const end = (taskId: string) =>
        until(
          `the end of ${taskId}`,
          async () => (await tasks.read(organizationId, taskId)).status !== 'running',
        );
      const cities = await begin({ title: 'Zehn Städte', createdBy: { userId } });
      await end(cities);
      const hostile = await begin({
        title: `' OR 1=1 -- "`,
        createdBy: { keyId },
        follows: cities,
      });
      await end(hostile);
      const untitled = await begin({ createdBy: made.createdBy });
      await end(untitled);
      await untilListed({ organizationId }, [untitled, hostile, cities]);
      await untilListed({ organizationId, title: 'STADTE' }, [cities]);
      await untilListed({ organizationId, title: 'städte zehn' }, [cities]);
      await untilListed({ organizationId, title: 'zehn dörfer' }, []);
      await untilListed({ organizationId, title: `1 OR` }, [hostile]);
      await untilListed({ organizationId: randomUUID(), title: 'Städte' }, []);
      await untilListed({ organizationId, createdBy: userId }, [cities]);
      await untilListed({ organizationId, createdBy: keyId, title: 'or' }, [hostile]);
      await untilListed({ organizationId, createdBy: `x', 'user:${userId}` }, []);
      for (const callback of ['pending', 'accepted', 'failed'] as const)
        await untilListed({ organizationId, callback }, []);
      const about = (await list({ organizationId })).tasks.map(({ title, createdBy, follows }) => [
        title,
        createdBy,
        follows,
      ]);
      expect(about).to.deep.equal([
        ['x', made.createdBy, undefined],
        [`' OR 1=1 -- "`, { keyId }, cities],
        ['Zehn Städte', { userId }, undefined],
      ]);
      expect((await tasks.read(organizationId, hostile)).about).to.deep.include({
        title: `' OR 1=1 -- "`,
        createdBy: { keyId },
        follows: cities,
      });
    });

    it('filters by the state of the callback', async () => {
      const organizationId = randomUUID();
      const started: string[] = [];
      for (const CallbackStatus of ['pending', 'delivered', 'failed']) {
        const workflowId = randomTaskId();
        started.push(workflowId);
        const searchAttributes = {
          OrganizationId: [organizationId],
          SiteId: [siteId],
          TaskType: ['prompt'],
          TaskStatus: ['completed'],
          CallbackStatus: [CallbackStatus],
        };
        const nobody = { taskQueue: 'nobody', args: [], memo: { createdAt: 'x' } };
        await client.workflow.start(TASK_WORKFLOW, { workflowId, ...nobody, searchAttributes });
      }
      const [pending, accepted, failed] = started as [string, string, string];
      await untilListed({ organizationId, callback: 'pending' }, [pending]);
      await untilListed({ organizationId, callback: 'accepted' }, [accepted]);
      await untilListed({ organizationId, callback: 'failed' }, [failed]);
      await client.workflow.getHandle(pending).terminate();
      await untilListed({ organizationId, callback: 'pending' }, []);
      await until(
        'both',
        async () => (await list({ organizationId, callback: 'failed' })).ids.length === 2,
      );
      const states = (await list({ organizationId })).tasks.map(({ taskId, callbackState }) => [
        taskId,
        callbackState,
      ]);
      expect(Object.fromEntries(states)).to.deep.equal({
        [pending]: 'failed',
        [accepted]: 'accepted',
        [failed]: 'failed',
      });
      for (const id of [accepted, failed]) await client.workflow.getHandle(id).terminate();
    });

    it('leads through every task once, whatever the page size', async () => {
      const all = (await list({ organizationId })).ids;
      expect(all).to.have.lengthOf(6);
      for (const limit of [1, 2, 4]) {
        const seen: string[] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const part = await list({
            organizationId,
            limit,
            ...(cursor !== undefined && { cursor }),
          });
          seen.push(...part.ids);
          cursor = part.nextCursor;
        }
        expect(seen, `limit ${limit}`).to.deep.equal(all);
      }
    });

    it('accepts a cursor only for its organization and filters', async () => {
      const cursor = (await list({ organizationId, limit: 1, status: 'failed' })).nextCursor!;
      expect((await list({ organizationId, status: 'failed', cursor })).ids).to.deep.equal([
        ids.failed,
      ]);
      const altered = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`;
      const wrong: Omit<TaskListRequest, 'limit'>[] = [
        { organizationId, cursor },
        { organizationId, status: 'completed', cursor },
        { organizationId, status: 'failed', siteId, cursor },
        { organizationId: randomUUID(), status: 'failed', cursor },
        ...['', 'x', altered, `A${cursor}`, cursor.slice(0, 43)].map((other) => ({
          organizationId,
          status: 'failed' as const,
          cursor: other,
        })),
      ];
      for (const request of wrong)
        expect(await failureOf(list(request)), JSON.stringify(request))
          .to.include({ code: 'INVALID_INPUT' })
          .and.have.property('message')
          .that.matches(/\bcursor\b.*\bnextCursor\b/);
    });

    it('shows nothing to another organization, nor to a name that reads like a query', async () => {
      for (const other of [
        randomUUID(),
        `${randomUUID()}' OR OrganizationId = '${organizationId}`,
        "\\' OR 1=1 --",
        '"',
      ])
        expect((await list({ organizationId: other })).ids).to.deep.equal([]);
      expect(
        (await list({ organizationId, siteId: `x' OR SiteId = '${siteId}` })).ids,
      ).to.deep.equal([]);
    });
  });
});
