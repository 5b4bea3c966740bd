import { ApplicationFailure } from '@temporalio/activity';
import { expect } from 'chai';
import type { Activities } from '../../../activities/index.ts';
import { createCalls } from '../../../src/temporal/tasks/calls.ts';
import { readTaskHistory } from '../../../src/temporal/tasks/taskHistory.ts';
import {
  fakeActivities,
  generateTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../../helpers/temporal.ts';

describe('readTaskHistory', function () {
  this.timeout(60_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  const fails = (type: string) => () => Promise.reject(ApplicationFailure.nonRetryable('No', type));
  const given = { digest: 'd', pages: { '/a': { texts: { s1: 'given' }, warnings: [] } } };

  /** What is read of a retry that had been given one of its pages, and failed. */
  async function failedTask(activities: Partial<Activities>) {
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
      const { input, written } = await readTaskHistory(createCalls(client), task.taskId);
      if (input.work.type !== 'generate_pages') throw new Error('not generate_pages');
      expect(input.work.items).to.have.length(3);
      return { given: input.work.written, slugs: written && Object.keys(written.pages).sort() };
    });
  }

  it('has the pages that were written, where one failed or the commit could not be made', async () => {
    const { generatePage } = fakeActivities();
    const some: Activities['generatePage'] = (argument) =>
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

  for (const type of ['CHECK_FAILED', 'LIMIT_EXCEEDED'])
    it(`has no texts that made the commit fail with ${type}: they would again`, async () => {
      const none = { given: undefined, slugs: undefined };
      expect(await failedTask({ commitChanges: fails(type) })).to.deep.equal(none);
    });
});
