// Takes long: a browser shows callbacks, what went wrong with a request, and an address where
// nothing is.
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { checkCallbackUrl } from '../../../src/callbacks/guard.ts';
import type {
  CallbackState,
  TaskDelivery,
  Tasks,
  TaskSummary,
} from '../../../src/temporal/tasks/tasks.ts';
import { failingTasks, taskId } from '../../helpers/api.ts';
import { made } from '../../helpers/about.ts';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { needProgram } from '../../helpers/programs.ts';

const at = '2026-01-02T03:04:05.678Z';
const callbackUrl = 'https://hooks.example/T0/secret?token=x';
const refused = {
  at,
  status: 502,
  error: 'The callback to https://hooks.example was answered with status 502',
};

describe('callbacks in the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let page: Page;
  let deliveries: TaskDelivery[] = [
    { state: 'failed', attempts: [refused, { at, error: 'It did not answer' }] },
  ];

  const stateOf = (): CallbackState =>
    deliveries.at(-1)?.state === 'delivered' ? 'accepted' : 'failed';
  const tasks: Tasks = {
    ...failingTasks(new Error('not asked for')),
    list: ({ organizationId, callback }) => {
      const task: TaskSummary = {
        ...made,
        taskId,
        organizationId,
        siteId: randomUUID(),
        type: 'prompt',
        status: 'completed',
        publish: false,
        createdAt: at,
        hasCallback: true,
        callbackState: stateOf(),
      };
      return Promise.resolve({ tasks: callback === stateOf() ? [task] : [], nextCursor: null });
    },
    deliveries: () =>
      Promise.resolve({
        callbackUrl,
        deliveries,
        finished: { status: 'failed', errorMessage: 'No <b>', finishedAt: at },
      }),
    redeliver: (_organizationId, _taskId, requestedBy) => {
      const attempts = [{ at, status: 204 }];
      deliveries = [...deliveries, { state: 'delivered', requestedAt: at, requestedBy, attempts }];
      return Promise.resolve();
    },
  };

  before(async function () {
    needProgram(this, 'Chromium');
    const policy = { allowPrivate: false, ownHosts: [] };
    service = await startConsole({
      app: { tasks, checkCallbackUrl: (url) => checkCallbackUrl(url, policy) },
    });
    page = await service.open((await service.people.owner()).person);
  });
  after(() => service?.close());

  it('say of a refused address what is wrong with it', async () => {
    await page.goto(`${service.origin}/callbacks`);
    await page.getByLabel('Send a test').last().fill('https://192.168.7.7/hook');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Invalid callback URL (its host is a private address)').waitFor();
    await expectScreen(page);
  });

  it('show each delivery with its attempts, and the request that was sent without what is secret', async () => {
    await page.getByRole('button', { name: 'Attempts' }).click();
    const first = page.getByRole('region', { name: 'First delivery' });
    expect(await first.getByRole('listitem').allInnerTexts()).to.have.lengthOf(2);
    await first.getByText('Answered with status 502').waitFor();
    await first.getByText('It did not answer').waitFor();
    await page.getByText('The request that was sent').click();
    const sent = await page.getByLabel('The request that was sent').innerText();
    expect(sent).to.include('POST https://hooks.example/…').and.include(`webhook-id: ${taskId}`);
    expect(sent)
      .to.include('"error": "No <b>"')
      .and.not.match(/secret|token/);
    await expectScreen(page);
  });

  it('leave Failed once a redelivery is accepted, and say who asked for it', async () => {
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('None is on its way').waitFor();
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.getByText('No callback failed').waitFor();
    await page.getByRole('link', { name: 'Accepted' }).click();
    await page.getByRole('button', { name: 'Attempts' }).click();
    const again = page.getByRole('region', { name: /^Delivery 2, sent again/ });
    await again.getByText('Answered with status 204').waitFor();
    await expectScreen(page);
  });

  it('are not at an address where nothing is: that is a page, with ways on', async () => {
    const answer = await page.goto(`${service.origin}/callback`);
    expect(answer?.status()).to.equal(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).to.not.equal('none');
    await expectScreen(page);
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('link', { name: 'Callbacks' }).waitFor();
  });
});
