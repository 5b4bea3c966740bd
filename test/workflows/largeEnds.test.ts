import { ApplicationFailure } from '@temporalio/activity';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import { createPageNote, type TaskInput } from '../../src/contract/task.ts';
import { createTaskClient, type TaskClient } from '../../src/temporal/tasks/taskClient.ts';
import {
  fakeActivities,
  generateTask,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
  withWorker,
} from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';
import { unlimited } from '../helpers/leases.ts';

const PAGES = 400;
const message = 'The page does not pass the checks. '.repeat(1_000);

describe('the end of a task that is too large for the memo', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  let tasks: TaskClient;
  before(async () => {
    server = await startTimeSkipping();
    tasks = newClient();
  });
  after(async () => {
    await tasks?.close();
    await server?.close();
  });

  function newClient() {
    const { client } = server.env;
    return createTaskClient({
      client,
      secret: Buffer.alloc(32),
      workflowTaskTimeout: 10_000,
      leases: unlimited,
    });
  }
  const large = (): TaskActivities => {
    const fakes = fakeActivities();
    const created = Array.from({ length: PAGES }, (_, n) => ({
      slug: `/page-${n}`,
      path: `page-${n}.html`,
    }));
    return {
      ...fakes,
      commitChanges: async (argument) => ({
        ...(await fakes.commitChanges(argument)),
        created,
        notes,
      }),
    };
  };
  const notes = Array.from({ length: PAGES }, (_, n) =>
    createPageNote(`/page-${n}`, 'price', 'keeps the price'),
  );
  const handleOf = ({ taskId }: TaskInput) => server.env.client.workflow.getHandle(taskId);
  const memoOf = async (task: TaskInput) => (await handleOf(task).describe()).memo!;
  const pagesOf = async ({ organizationId, taskId }: TaskInput, asked = tasks) => {
    const { finished } = await asked.find(organizationId, taskId);
    return finished?.status === 'completed' ? finished.output.pagesCreated.length : finished;
  };
  async function pagesWithoutCache(task: TaskInput) {
    const fresh = newClient();
    try {
      return await pagesOf(task, fresh);
    } finally {
      await fresh.close();
    }
  }
  /** Waits until the memo says that the task has ended, while its workflow is open. */
  const decided = (task: TaskInput) =>
    until('the end', async () => (await memoOf(task))['finished'] !== undefined);

  it('is the result of a completed workflow, whose memo has status, result and slugs', async () => {
    const task = promptTask({ publish: true });
    await withWorker(
      server,
      large(),
      async () => void (await (await startTask(server, task)).result()),
    );
    const { events, finished } = await memoOf(task);
    expect(finished).to.include.keys(
      'isPart',
      'status',
      'finishedAt',
      'result',
      'published',
      'slugs',
    );
    expect(finished).to.not.have.property('output');
    expect(events).to.equal(undefined);

    expect(await pagesOf(task)).to.equal(PAGES);
    const { finished: whole } = await tasks.find(task.organizationId, task.taskId);
    expect(whole).to.deep.include({ published: true, status: 'completed' });
    expect(whole).to.have.deep.nested.property('output.notes', notes);
    expect(whole).to.not.have.any.keys('events', 'isPart');
    const { view, events: told } = await tasks.follow(task.organizationId, task.taskId);
    expect(view.status).to.equal('completed');
    expect(told.filter(({ type }) => type === 'page')).to.have.length(PAGES);
    expect(told.at(-1)).to.deep.include({ type: 'status', status: 'completed' });
  });

  it('is the failure of a failed workflow', async () => {
    const task = generateTask();
    const commitChanges = () =>
      Promise.reject(ApplicationFailure.nonRetryable(message, 'CHECK_FAILED'));
    await withWorker(server, { ...fakeActivities(), commitChanges }, async () => {
      const handle = await startTask(server, task);
      await handle.result().catch(() => undefined);
    });
    expect((await memoOf(task))['finished']).to.have.all.keys('isPart', 'status', 'finishedAt');
    const { view, events } = await tasks.follow(task.organizationId, task.taskId);
    expect(view).to.deep.equal({ taskId: task.taskId, status: 'failed', errorMessage: message });
    expect(events.at(-1)).to.deep.include({ type: 'status', status: 'failed' });
  });

  it('is queried from the workflow while the callback is delivered, and after a termination then', async () => {
    const task = promptTask({ callbackUrl: 'https://receiver.example/done' });
    const released = Promise.withResolvers<{ status: number; attempts: [] }>();
    const sendCallback = () => released.promise;
    await withWorker(server, { ...large(), sendCallback }, async () => {
      try {
        await startTask(server, task);
        await decided(task);
        expect(await pagesOf(task)).to.equal(PAGES);
        await handleOf(task).terminate('by an operator');
        expect(await pagesWithoutCache(task)).to.equal(PAGES);
      } finally {
        released.resolve({ status: 204, attempts: [] });
      }
    });
  });

  it("can't be queried while no worker answers, and can be queried again later", async () => {
    const task = promptTask({ callbackUrl: 'https://receiver.example/done' });
    const others: Partial<TaskActivities> = large();
    delete others.sendCallback;
    await withWorker(server, others, async () => {
      await startTask(server, task);
      await decided(task);
    });
    const reading = () =>
      tasks.read(task.organizationId, task.taskId).then(String, (error: unknown) => error);
    expect(await reading()).to.deep.include({ code: 'UNAVAILABLE', retryable: true });
    const { deliveries, finished } = await tasks.deliveries(task.organizationId, task.taskId);
    expect([deliveries.length, finished]).to.deep.equal([1, undefined]);
    await handleOf(task).terminate();
  });
});
