// Takes long: a browser answers what a task asks.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { QuestionAnswer, TaskView } from '../../../src/contract/task.ts';
import type { DomainError } from '../../../src/errors.ts';
import { told } from '../../helpers/about.ts';
import { createdAt, failingTasks, taskId } from '../../helpers/api.ts';
import { expectAccessible } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { needProgram } from '../../helpers/programs.ts';

const question = {
  questionId: 'q1',
  question: 'Which office?\n<img src=x onerror=document.title="broken">',
  options: ['Austin & <b>Porto</b>', 'Neither'],
  since: createdAt,
};
const pages = ['/locations/porto', '/locations/<b>faro</b>'];
const running = { taskId, status: 'running' } as const;
const asks = {
  ...running,
  progress: { phase: 'working', steps: 2, waitingFor: question },
} as const;

describe('the question of a task, in the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let page: Page;
  let view: TaskView = asks;
  let refusal: DomainError | undefined;
  const given: QuestionAnswer[] = [];
  before(async function () {
    needProgram(this, 'Chromium');
    service = await startConsole({
      app: {
        tasks: {
          ...failingTasks(new Error('not asked for')),
          read: () => Promise.resolve({ ...view, about: told }),
          follow: () => Promise.resolve({ view, events: [], about: told }),
          list: ({ organizationId }) =>
            Promise.resolve({
              tasks: [
                {
                  ...told,
                  taskId,
                  organizationId,
                  status: 'running',
                  publish: false,
                  hasCallback: false,
                  ...(view === asks && { asks: true as const }),
                },
              ],
              nextCursor: null,
            }),
          answer(_, __, answer) {
            given.push(answer);
            if (refusal) return Promise.reject(refusal);
            view = running;
            return Promise.resolve();
          },
        },
      },
    });
    const { person } = await service.people.owner();
    page = await service.open(person);
  });
  after(() => service?.close());
  beforeEach(() => {
    view = asks;
    refusal = undefined;
    given.length = 0;
  });
  const open = async () => {
    await page.goto(`${service.origin}/tasks/${taskId}`);
    await page.getByRole('heading', { name: 'The task asks' }).waitFor();
  };
  const gone = () =>
    page.getByRole('heading', { name: 'The task asks' }).waitFor({ state: 'detached' });

  it('names the new pages that it is about', async () => {
    const progress = { phase: 'working', pages: { done: 1, total: 3 } } as const;
    view = { ...running, progress: { ...progress, waitingFor: { ...question, pages } } };
    await open();
    await page.getByText('About /locations/porto, /locations/<b>faro</b>').waitFor();
    // the other pages go on
    await page.getByText('1 of 3').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Neither' }).click();
    await gone();
    expect(given[0]).to.include({ answer: 'Neither', questionId: 'q1' });
  });

  it('is answered with a button', async () => {
    await open();
    await page.getByRole('button', { name: 'Austin & <b>Porto</b>' }).click();
    await gone();
    expect(given).to.have.length(1);
    expect(given[0]).to.include({ answer: question.options[0], questionId: 'q1' });
    await page.getByRole('region', { name: 'Progress' }).waitFor();
  });
});
