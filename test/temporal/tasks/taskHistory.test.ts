import { ApplicationFailure } from '@temporalio/activity';
import { expect } from 'chai';
import type { TaskActivities } from '../../../activities/index.ts';
import { ANSWER_UPDATE } from '../../../src/contract/task.ts';
import { createTemporalCalls } from '../../../src/temporal/tasks/temporalCalls.ts';
import { readTaskHistory } from '../../../src/temporal/tasks/taskHistory.ts';
import {
  fakeActivities,
  generateTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../../helpers/temporal.ts';
import { until } from '../../helpers/until.ts';

describe('readTaskHistory', function () {
  this.timeout(60_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  const fails = (type: string) => () => Promise.reject(ApplicationFailure.nonRetryable('No', type));
  const given = { digest: 'd', pages: { '/a': { texts: { s1: 'given' }, warnings: [] } } };

  /** What is read of a retry that had been given one of its pages, and failed. */
  async function failedTask(activities: Partial<TaskActivities>) {
    const task = generateTask();
    Object.assign(task.work, { written: given });
    return server.during({ ...fakeActivities(), ...activities }, async () => {
      const failure = await (
        await startTask(server, task)
      )
        .result()
        .catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      const { client } = server.env;
      const { input, written } = await readTaskHistory(createTemporalCalls(client), task.taskId);
      if (input.work.type !== 'generate_pages') throw new Error('not generate_pages');
      expect(input.work.items).to.have.length(3);
      return { given: input.work.written, slugs: written && Object.keys(written.pages).sort() };
    });
  }

  it('returns the written pages if one failed or the commit could not be created', async () => {
    const { generatePage } = fakeActivities();
    const some: TaskActivities['generatePage'] = (argument) =>
      argument.item.targetPageSlug === '/b' ? fails('LIMIT_EXCEEDED')() : generatePage(argument);
    expect(await failedTask({ generatePage: some })).to.deep.equal({ given, slugs: ['/c'] });
    expect(await failedTask({ commitChanges: fails('PUSH_REFUSED') })).to.deep.equal({
      given,
      slugs: ['/b', '/c'],
    });
    expect(await failedTask({ readSite: fails('GIT_FAILED') })).to.deep.equal({
      given,
      slugs: undefined,
    });
  });

  it("returns people's answers, also if the page that asked failed later", async () => {
    const question = { question: 'Price?', options: [] };
    const answered = {
      '/b': [{ ...question, answer: null }],
      '/c': [{ ...question, answer: '5' }],
    };
    const task = generateTask({ model: 'openai/gpt-test', ask: 'allowed' });
    Object.assign(task.work, { answered });
    const generatePage: TaskActivities['generatePage'] = ({ item, questions = [] }) => {
      if (item.targetPageSlug !== '/a') return Promise.resolve({ texts: {} });
      return questions.length > 0 ? fails('MODEL_FAILED')() : Promise.resolve({ asked: question });
    };
    await server.during({ ...fakeActivities(), generatePage }, async () => {
      const handle = await startTask(server, task);
      const answer = { answer: 'It is 7', questionId: 'q1' };
      const isTaken = () =>
        handle.executeUpdate(ANSWER_UPDATE, { args: [answer] }).then(
          () => true,
          () => false,
        );
      await until('the question', isTaken);
      await handle.result().catch(() => undefined);
      const read = await readTaskHistory(createTemporalCalls(server.env.client), task.taskId);
      expect(read.answered).to.deep.equal({
        '/a': [{ ...question, answer: 'It is 7' }],
        '/c': answered['/c'],
      });
    });
  });

  for (const type of ['CHECK_FAILED', 'LIMIT_EXCEEDED'])
    it(`omits texts that made the commit fail with ${type}, because they would again`, async () => {
      const none = { given: undefined, slugs: undefined };
      expect(await failedTask({ commitChanges: fails(type) })).to.deep.equal(none);
    });
});
