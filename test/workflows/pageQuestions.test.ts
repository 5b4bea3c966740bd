import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import {
  ANSWER_UPDATE,
  type AnsweredQuestion,
  type TaskOutcome,
  limits,
  currentQuestion,
  type TaskEvent,
  type TaskInput,
  type TaskView,
} from '../../src/contract/task.ts';
import { createRecordedTasks } from '../../src/temporal/tasks/recordedTasks.ts';
import {
  fakeActivities,
  generateTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

const model = 'openai/gpt-test';
const usage = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 11 };

type Argument = Parameters<TaskActivities['generatePage']>[0];
type View = TaskView & { events: TaskEvent[] };
/** By page: the questions that it asks, one after the other. */
type Asks = Record<string, string[]>;

const questionWith = (question: string) => ({ question, options: ['1', '2'] });
const hasAsked = ({ questions = [] }: Argument) => questions.length;
const page = { texts: { s1: 'x' }, usage };

describe('a task whose pages ask people', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** A model whose pages ask these questions before they are written. Notes what it gets. */
  const asking =
    (asks: Asks, seen: Argument[] = []): TaskActivities['generatePage'] =>
    async (argument) => {
      seen.push(argument);
      const question = asks[argument.item.targetPageSlug]?.[hasAsked(argument)];
      return question === undefined ? page : { asked: questionWith(question), usage };
    };

  /** Runs a task until `use` is done and the task has ended. */
  async function run(
    { calls = [], ...own }: Partial<TaskActivities> & { calls?: string[] },
    use: (task: ReturnType<typeof handleOf>) => Promise<void>,
    changes: Partial<TaskInput> = {},
  ) {
    return server.during({ ...fakeActivities(calls), ...own }, async () => {
      const task = generateTask({ model, ask: 'allowed', ...changes });
      const handle = await startTask(server, task);
      await use(handleOf(task.taskId));
      await handle.result().catch(() => undefined);
      const { memo } = await handle.describe();
      const { events } = await handle.query<View>('status');
      return { finished: memo?.['finished'] as TaskOutcome, events, memo };
    });
  }

  function handleOf(taskId: string) {
    const handle = server.env.client.workflow.getHandle(taskId);
    const view = () => handle.query<View>('status');
    const question = async () => currentQuestion(await view());
    return {
      taskId,
      view,
      question,
      memo: async () => (await handle.describe()).memo,
      cancel: () => handle.executeUpdate('cancel'),
      asks: (questionId: string) =>
        until(`question ${questionId}`, async () => {
          const asked = await question();
          return asked?.questionId === questionId && asked;
        }),
      answer: (answer: string, questionId: string) =>
        handle.executeUpdate(ANSWER_UPDATE, { args: [{ answer, questionId }] }),
    };
  }

  const told = (events: TaskEvent[]) =>
    events.flatMap((event) =>
      event.type === 'question'
        ? [`${event.question.questionId} ${event.question.pages!.join()}`]
        : event.type === 'answer'
          ? [`${event.questionId}: ${event.answer}`]
          : [],
    );
  const endOf = (finished: TaskOutcome) =>
    finished.status === 'failed' ? finished.errorMessage : finished.status;
  const answersTo = (seen: Argument[], slug: string): AnsweredQuestion[] =>
    seen.findLast(({ item }) => item.targetPageSlug === slug)!.questions!;
  const placesIn = (calls: string[]) => calls.filter((call) => call.endsWith('Permit'));

  it('shows one question at a time, and passes each answer to the page that asked', async () => {
    const seen: Argument[] = [];
    const calls: string[] = [];
    const asks = { '/a': ['Price of A?', 'Hours of A?'], '/c': ['Price of C?'] };
    const { finished, events } = await run(
      { calls, generatePage: asking(asks, seen) },
      async (task) => {
        const first = await task.asks('q1');
        const slug = first.pages![0]!;
        expect(first).to.deep.include({
          ...questionWith(`Price of ${slug.slice(1).toUpperCase()}?`),
        });
        await until('the other page is written', async () => {
          const { progress } = (await task.view()) as { progress?: { pages: { done: number } } };
          return progress?.pages.done === 1;
        });
        expect(await task.memo()).to.include({ asks: 'q1' });
        for (const questionId of ['q1', 'q2', 'q3']) {
          const { question } = await task.asks(questionId);
          await task.answer(`to: ${question}`, questionId);
        }
      },
    );
    expect(endOf(finished)).to.equal('completed');
    const answered = (question: string) => ({
      ...questionWith(question),
      answer: `to: ${question}`,
    });
    expect(answersTo(seen, '/a')).to.deep.equal([answered('Price of A?'), answered('Hours of A?')]);
    expect(answersTo(seen, '/b')).to.deep.equal([]);
    expect(answersTo(seen, '/c')).to.deep.equal([answered('Price of C?')]);
    expect(told(events).filter((line) => line.startsWith('q1'))).to.have.length(2);
    expect(finished.status === 'completed' && finished.output.usage).to.include({ turns: 6 });
    // none is asked before the one before it has its answer
    expect(told(events).map((line) => line.slice(0, 3))).to.deep.equal(
      ['q1', 'q2', 'q3'].flatMap((id) => [`${id} `, `${id}:`]),
    );
  });

  it('asks a question once if several pages ask it in the same words, at once or later', async () => {
    const seen: Argument[] = [];
    const asks = {
      '/a': ['Which price?'],
      '/b': ['which  Price? '],
      '/c': ['And C?', 'Which price?'],
    };
    const { finished, events } = await run({ generatePage: asking(asks, seen) }, async (task) => {
      const [price, other] = ['q1', 'q2'] as const;
      const first = await task.asks(price);
      const isPrice = first.question !== 'And C?';
      const joined = await until('both pages ask it', async () => {
        if (!isPrice) await task.answer('C', price).catch(() => undefined);
        const asked = await task.question();
        return asked?.pages?.length === 2 && asked;
      });
      expect([...joined.pages!].sort()).to.deep.equal(['/a', '/b']);
      await task.answer('10 euros', joined.questionId);
      if (isPrice) {
        await task.asks(other);
        await task.answer('C', other);
      }
    });
    expect(endOf(finished)).to.equal('completed');
    for (const slug of ['/a', '/b', '/c'])
      expect(answersTo(seen, slug).at(-1)).to.include({ answer: '10 euros' });
    expect(told(events)).to.have.length(4);
  });

  it('releases its permit only while all unfinished pages wait, and acquires it again', async () => {
    const calls: string[] = [];
    let goOn: (() => void) | undefined;
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    const generatePage: TaskActivities['generatePage'] = async (argument) => {
      if (argument.item.targetPageSlug === '/b') await slow;
      if (hasAsked(argument) > 0) calls.push(`goes on ${argument.item.targetPageSlug}`);
      return asking({ '/a': ['A?'], '/c': ['C?'] })(argument);
    };
    const { finished, memo } = await run({ calls, generatePage }, async (task) => {
      await task.asks('q1');
      // /b is still written
      expect(placesIn(calls)).to.deep.equal([]);
      expect(await task.memo()).to.not.include({ releasedPermit: true });
      goOn!();
      await until('the place is given back', () => calls.includes('releasePermit'));
      expect(await task.memo()).to.include({ releasedPermit: true });
      await task.answer('1', 'q1');
      await task.asks('q2');
      await until('it is given back again', () => placesIn(calls).length === 3);
      await task.answer('2', 'q2');
    });
    expect(endOf(finished)).to.equal('completed');
    expect(placesIn(calls)).to.deep.equal([
      'releasePermit',
      'acquirePermit',
      'releasePermit',
      'acquirePermit',
    ]);
    for (const [at, call] of calls.entries())
      if (call.startsWith('goes on'))
        expect(placesIn(calls.slice(0, at)).at(-1), call).to.equal('acquirePermit');
    expect(memo).to.not.have.any.keys('releasedPermit', 'asks');
  });

  it(`asks at most ${limits.questionsForPages} questions`, async () => {
    const items = Array.from({ length: 6 }, (_, i) => ({
      targetPageSlug: `/p${i}`,
      context: 'x',
    }));
    const asks = Object.fromEntries(
      items.map(({ targetPageSlug: slug }) => [slug, [`${slug} 1?`, `${slug} 2?`]]),
    );
    const seen: Argument[] = [];
    const most = limits.questionsForPages;
    const { finished, events } = await run(
      { generatePage: asking(asks, seen) },
      async (task) => {
        for (let number = 1; number <= most; number++) {
          await task.asks(`q${number}`);
          await task.answer('Yes', `q${number}`);
        }
      },
      { work: { type: 'generate_pages', templatePageSlug: '/t', items } },
    );
    expect(endOf(finished)).to.equal('completed');
    expect(told(events)).to.have.length(2 * most);
    const answers = items.flatMap(({ targetPageSlug }) => answersTo(seen, targetPageSlug));
    expect(answers.filter(({ answer }) => answer === null)).to.have.length(12 - most);
  });

  it("begins a retry with people's earlier answers", async () => {
    const given = [{ ...questionWith('A?'), answer: 'call +1 512 555 0100' }];
    const seen: Argument[] = [];
    let contexts: string[] = [];
    const commitChanges: TaskActivities['commitChanges'] = async (argument) => {
      const never = new AbortController().signal;
      contexts = await createRecordedTasks(server.env.nativeConnection, 'default').contexts(
        argument.task.taskId,
        never,
      );
      return fakeActivities().commitChanges(argument);
    };
    const work = generateTask().work as Extract<TaskInput['work'], { type: 'generate_pages' }>;
    await run(
      {
        readSite: fakeActivities().readSite,
        generatePage: asking({ '/a': ['A?'], '/b': ['B?'] }, seen),
        commitChanges,
      },
      async (task) => {
        await task.asks('q1');
        await task.answer('b.example', 'q1');
      },
      { work: { ...work, answered: { '/a': given } } },
    );
    expect(answersTo(seen, '/a')).to.deep.equal(given);
    expect(seen.filter(({ item }) => item.targetPageSlug === '/a')).to.have.length(1);
    expect(contexts).to.deep.equal([
      'for /a',
      'call +1 512 555 0100',
      'for /b',
      'b.example',
      'for /c',
    ]);
  });

  it('lets neither the rules ask, nor a model if the request does not allow it', async () => {
    for (const changes of [{ ask: 'allowed' as const, model: undefined }, { ask: undefined }]) {
      const seen: Argument[] = [];
      const task = Object.fromEntries(
        Object.entries({ model, ...changes }).filter(([, value]) => value !== undefined),
      );
      await server.during({ ...fakeActivities(), generatePage: asking({}, seen) }, async () => {
        await (await startTask(server, generateTask(task))).result();
      });
      expect(seen.map((argument) => 'questions' in argument)).to.deep.equal([false, false, false]);
    }
  });
});
