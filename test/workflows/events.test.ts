import type { WorkflowHandle } from '@temporalio/client';
import { expect } from 'chai';
import { ApplicationFailure } from '@temporalio/activity';
import type { TaskActivities } from '../../activities/index.ts';
import { eventWorkflowId, type NewEvent } from '../../src/contract/events.ts';
import { BATCH_WORKFLOW, RESUME_SIGNAL } from '../../src/contract/batches/batch.ts';
import {
  ANSWER_UPDATE,
  type QuestionAnswer,
  TASK_QUEUE,
  type TaskInput,
} from '../../src/contract/task.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { FakeBatch } from '../helpers/fakeBatch.ts';
import {
  fakeActivities,
  generateTask,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

const organizationId = '11111111-1111-4111-8111-111111111111';

describe('the events of tasks and batches', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** Activities that note the events, and the letters, as `mail <type>`. */
  function noting(own: Partial<TaskActivities> = {}) {
    const events: NewEvent[] = [];
    const mails: string[] = [];
    const activities: TaskActivities = {
      ...fakeActivities(),
      recordEvent: async ({ event }) => {
        events.push(event);
        return [];
      },
      mailCreator: async ({ event, userId }) => void mails.push(`${userId} ${event.type}`),
      ...own,
    };
    return { events, mails, activities };
  }
  const typesOf = (events: NewEvent[]) => events.map(({ type }) => type).toSorted();

  /** Runs a task to its end, and the workflows of its events. */
  const runTask = (
    task: TaskInput,
    noted: Pick<ReturnType<typeof noting>, 'activities' | 'events'>,
    eventCount: number,
    meanwhile: (handle: WorkflowHandle) => Promise<unknown> = () => Promise.resolve(),
  ) =>
    server.during(noted.activities, async () => {
      const handle = await startTask(server, task);
      await meanwhile(handle);
      await handle.result().catch(() => undefined);
      const { events } = await handle.fetchHistory();
      const children = (events ?? []).flatMap(
        ({ childWorkflowExecutionStartedEventAttributes: started }) =>
          started?.workflowExecution?.workflowId ?? [],
      );
      expect(children).to.have.length(eventCount);
      // `result()` would let the test server skip the time in which the events are recorded
      await until('the events are recorded', () => noted.events.length >= eventCount);
      return children;
    });

  it('tell of a question and of the end, also to an endpoint that was added meanwhile', async () => {
    const turn = (name: string) => ({ text: '', toolCalls: [{ id: 'c', name, arguments: {} }] });
    const asked = { question: 'Which office?', options: ['Austin', 'Porto'] };
    const { events, activities } = noting({
      releasePermit: async () => ({ hasEndpoints: true }),
      acquirePermit: async () => ({ hasEndpoints: true }),
      runAgentTurn: async ({ turns }) =>
        turns.count === 0
          ? { turn: turn('ask'), asked, done: false, digest: 'd0' }
          : { turn: turn('finish'), done: true, digest: 'd1' },
    });
    const task = promptTask({ model: 'openai/gpt-test', ask: 'allowed' });
    const answer = { args: [{ answer: 'Porto' }] as [QuestionAnswer] };
    await runTask(task, { activities, events }, 2, async (handle) => {
      await until('the question is told', () => events.length === 1);
      await handle.executeUpdate(ANSWER_UPDATE, answer);
    });
    expect(events.map(({ eventId }) => eventId).toSorted()).to.deep.equal(
      ['completed', 'q1'].map((end) => `${task.taskId}-${end}`),
    );
    const question = events.find(({ type }) => type === 'task.question')!;
    expect(question.data).to.deep.include({ questionId: 'q1', question: asked.question });
  });

  it('start one workflow each, with ids that are derived from the task', async () => {
    const { events, mails, activities } = noting();
    const task = generateTask({ publish: true, listeners: { endpoints: true, userId: 'u1' } });
    const children = await runTask(task, { activities, events }, 2);
    expect(children).to.deep.equal(
      ['published', 'completed'].map((end) => eventWorkflowId(`${task.taskId}-${end}`)),
    );
    expect(typesOf(events)).to.deep.equal(['page.published', 'task.completed']);
    const { data } = events.find(({ type }) => type === 'page.published')!;
    expect(data).to.deep.include({ taskId: task.taskId, pageCount: 3, title: task.title });
    expect((data as { pages: object[] }).pages[0]).to.deep.equal({
      slug: '/a',
      previewUrl: 'http://preview/a',
      publishedUrl: 'http://live/a',
    });
    expect(mails).to.deep.equal([]);
  });

  it('add nothing to the history without listeners', async () => {
    const { events, activities } = noting();
    await runTask(generateTask({ publish: true }), { activities, events }, 0);
    await runTask(generateTask({ listeners: { userId: 'u1' } }), { activities, events }, 0);
    expect(events).to.deep.equal([]);
  });

  it('mail a failure to the creator, even without endpoints', async () => {
    const { events, mails, activities } = noting({
      readSite: () => Promise.reject(ApplicationFailure.nonRetryable('No such page', 'GIT_FAILED')),
    });
    const task = generateTask({ listeners: { userId: 'u1' } });
    await runTask(task, { activities, events }, 1);
    await until('the creator is mailed', () => mails.length === 1);
    expect(mails).to.deep.equal(['u1 task.failed']);
    expect(events[0]!.data).to.deep.include({
      failureKind: 'site',
      errorMessage: 'No such page',
    });
  });

  it('tell that a batch waits, that it is over, and what it published', async () => {
    const batch = new FakeBatch(4);
    batch.canary = 2;
    const fakes = batch.activities();
    const { events, mails, activities } = noting({
      ...fakes,
      planBatch: async (argument) => ({ ...(await fakes.planBatch(argument)), hasEndpoints: true }),
      completeBatch: async (argument) => {
        const end = await fakes.completeBatch(argument);
        return end && { ...end, hasEndpoints: true };
      },
    });
    const taskId = randomTaskId();
    const runBatch = async () => {
      const handle = await server.env.client.workflow.signalWithStart(BATCH_WORKFLOW, {
        workflowId: taskId,
        taskQueue: TASK_QUEUE,
        signal: RESUME_SIGNAL,
        args: [
          {
            taskId,
            organizationId,
            siteId: 's',
            title: 'Locations',
            createdAt: '2026-01-01T00:00:00.000Z',
            listeners: { userId: 'u1' },
          },
        ],
      });
      await handle.result();
    };
    await server.during(activities, async () => {
      await runBatch();
      await until('the canary is told', () => typesOf(events).includes('batch.waiting'));
      batch.canary = Infinity;
      batch.status = 'running';
      await runBatch();
      await until('the end is told', () => typesOf(events).includes('batch.completed'));
      await until('the creator is mailed', () => mails.length === 2);
    });
    expect(typesOf(events)).to.include.members(['batch.completed', 'batch.waiting']);
    expect(mails.toSorted()).to.deep.equal(['u1 batch.completed', 'u1 batch.waiting']);
    const end = events.find(({ type }) => type === 'batch.completed')!;
    expect(end.data).to.deep.include({ batchId: taskId, status: 'completed', title: 'Locations' });
  });
});
