import type { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import type { ModelTurn } from '../../src/agents/shared/agentTypes.ts';
import {
  ANSWER_UPDATE,
  type TaskOutcome,
  type QuestionAnswer,
  currentQuestion,
  type TaskEvent,
  type TaskInput,
  type TaskView,
} from '../../src/contract/task.ts';
import {
  fakeActivities,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';
import { CANCELLED } from '../../workflows/failures.ts';
import { unansweredNote } from '../../workflows/taskQuestions.ts';

const model = 'openai/gpt-test';
const asked = { question: 'Which of the two offices?', options: ['Austin', 'Porto'] };
const DAY = 24 * 60 * 60_000;

type Step = Parameters<TaskActivities['runAgentTurn']>[0];
type View = TaskView & { events: TaskEvent[] };

describe('a task that asks people', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  const turnOf = (name: string): ModelTurn => ({
    text: '',
    toolCalls: [{ id: 'c', name, arguments: {} }],
  });
  /** A model that asks in its first turns, and then finishes. Notes what it gets. */
  const asking = (steps: Step[], questions = 1): TaskActivities['runAgentTurn'] => {
    return async (step) => {
      steps.push(step);
      const { count } = step.turns;
      return count < questions
        ? { turn: turnOf('ask'), asked, done: false, digest: `d${count}` }
        : { turn: turnOf('finish'), done: true, digest: `d${count}` };
    };
  };

  /** Runs a task until `use` is done and the task has ended. */
  async function run(
    { calls = [], ...own }: Partial<TaskActivities> & { calls?: string[] },
    use: (task: ReturnType<typeof handleOf>) => Promise<void>,
    changes: Partial<TaskInput> = {},
  ) {
    return server.during({ ...fakeActivities(calls), ...own }, async () => {
      const task = promptTask({ model, ask: 'allowed', ...changes });
      const handle = await startTask(server, task);
      await use(handleOf(task.taskId));
      await handle.result().catch(() => undefined);
      const { memo } = await handle.describe();
      const view = await handle.query<View>('status');
      return { finished: memo?.['finished'] as TaskOutcome, events: view.events };
    });
  }

  function handleOf(taskId: string) {
    const handle = server.env.client.workflow.getHandle(taskId);
    const view = () => handle.query<View>('status');
    const question = async () => currentQuestion(await view());
    return {
      view,
      memo: async () => (await handle.describe()).memo,
      cancel: () => handle.executeUpdate('cancel'),
      asks: (questionId = 'q1') =>
        until('it asks', async () => (await question())?.questionId === questionId),
      question,
      answer: (given: QuestionAnswer) => handle.executeUpdate(ANSWER_UPDATE, { args: [given] }),
      async refusal(given: QuestionAnswer) {
        try {
          await handle.executeUpdate(ANSWER_UPDATE, { args: [given] });
        } catch (error) {
          const { cause } = error as WorkflowUpdateFailedError;
          return cause instanceof ApplicationFailure ? `${cause.type}: ${cause.message}` : cause;
        }
        return 'taken';
      },
    };
  }

  const notesOf = (finished: TaskOutcome) =>
    finished.status === 'completed' ? (finished.output.notes ?? []) : finished.errorMessage;
  const told = (events: TaskEvent[]) =>
    events.flatMap(({ id: _, at: __, ...event }) =>
      event.type === 'question' || event.type === 'answer' ? [event] : [],
    );

  it('shows the question, releases its permit, and continues with the answer', async () => {
    const steps: Step[] = [];
    const calls: string[] = [];
    const { finished, events } = await run({ calls, runAgentTurn: asking(steps) }, async (task) => {
      await task.asks();
      expect(await task.question()).to.deep.include({ ...asked, questionId: 'q1' });
      expect(await task.memo()).to.include({ asks: 'q1' });
      expect(calls).to.deep.equal(['readSite', 'releasePermit']);
      await task.answer({ answer: 'Both' });
    });
    expect(steps.map(({ answered }) => answered)).to.deep.equal([undefined, 'Both']);
    expect(calls).to.include.members(['acquirePermit', 'commitChanges']);
    expect(calls.indexOf('acquirePermit')).to.be.lessThan(calls.indexOf('commitChanges'));
    expect(notesOf(finished)).to.deep.equal([]);
    expect(told(events)).to.deep.equal([
      { type: 'question', question: { ...asked, questionId: 'q1' } },
      { type: 'answer', questionId: 'q1', answer: 'Both' },
    ]);
  });

  it('rejects answers if it has no open question or another one, and accepts repeated ones once', async () => {
    const steps: Step[] = [];
    let lateView: View | undefined;
    await run({ runAgentTurn: asking(steps, 2) }, async (task) => {
      await task.asks();
      expect(await task.refusal({ answer: 'x', questionId: 'q2' })).to.match(/^CONFLICT: .*\bq1\b/);
      await task.answer({ answer: 'Austin', key: 'k1' });
      await task.asks('q2');
      // the same request again does not answer the second question
      await task.answer({ answer: 'Austin', key: 'k1' });
      await task.answer({ answer: 'Austin', questionId: 'q1' });
      expect(await task.refusal({ answer: 'Porto', questionId: 'q1' })).to.match(
        /^CONFLICT: .*\bq1\b.*\banswer\b/,
      );
      expect(await task.refusal({ answer: 'Porto', key: 'k1' })).to.match(/^IDEMPOTENCY_MISMATCH/);
      lateView = await task.view();
      await task.answer({ answer: 'Porto' });
    });
    expect(currentQuestion(lateView!)?.questionId).to.equal('q2');
    expect(steps.map(({ answered }) => answered)).to.deep.equal([undefined, 'Austin', 'Porto']);
  });

  it('waits for seven days without work time, and ends with what it could do', async () => {
    const steps: Step[] = [];
    const calls: string[] = [];
    let since = '';
    const { finished, events } = await run({ calls, runAgentTurn: asking(steps) }, async (task) => {
      await task.asks();
      since = (await task.question())!.since;
    });
    expect(steps.map(({ answered }) => answered)).to.deep.equal([undefined, null]);
    expect(Date.parse(finished.finishedAt) - Date.parse(since)).to.be.within(7 * DAY, 7.5 * DAY);
    const unanswered = unansweredNote({ question: 'Which of the two offices?', options: [] });
    expect(notesOf(finished)).to.deep.equal([unanswered]);
    expect(unanswered).to.include({ kind: 'undone', value: 'Which of the two offices?' });
    expect(calls).to.include('acquirePermit');
    expect(told(events).at(-1)).to.deep.equal({ type: 'answer', questionId: 'q1', answer: null });
  });

  it('waits for a permit after the answer, and can be cancelled then', async () => {
    let tries = 0;
    const acquirePermit: TaskActivities['acquirePermit'] = async () => {
      tries++;
      throw ApplicationFailure.create({ message: 'full', type: 'TOO_MANY_IN_FLIGHT' });
    };
    const steps: Step[] = [];
    const { finished } = await run({ acquirePermit, runAgentTurn: asking(steps) }, async (task) => {
      await task.asks();
      await task.answer({ answer: 'Austin' });
      await until('it has tried again', () => tries > 2);
      expect((await task.view()).status).to.equal('running');
      expect(await task.question()).to.equal(undefined);
      await task.cancel();
    });
    expect(notesOf(finished)).to.equal(CANCELLED);
    expect(steps).to.have.length(1);
  });
});
