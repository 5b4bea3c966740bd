// Takes long: a browser shows a page for each way to take the focus, while somebody types into the console.
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { createdAt, failingTasks, taskId } from '../../helpers/api.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { password, type People, startPeople } from '../../helpers/people.ts';
import { needProgram } from '../../helpers/programs.ts';
import { startThieves, type ThievesHost } from '../../helpers/thievesHost.ts';
import { DomainError } from '../../../src/errors.ts';
import { until } from '../../helpers/until.ts';
import { scripted, scriptless, type Thief } from './thieves.ts';

const WITHIN_MS = 20_000;
const KEY_MS = 15;
const [early, late] = ['What I type ', 'before and after the page has come stays here, all of it, to the end.'];

describe('a page in a frame of the console, in Chromium', function () {
  this.timeout(120_000);
  let thieves: ThievesHost;
  let people: People;
  let started: Awaited<ReturnType<typeof startBrowser>>;
  let context: BrowserContext;
  let page: Page;
  let pageUrl = '';

  before(async function () {
    needProgram(this, 'Chromium');
    started = await startBrowser();
    thieves = await startThieves([...scripted, ...scriptless]);
    const { origins } = thieves;
    const tasks = failingTasks(new DomainError('NOT_FOUND', 'Task not found'));
    const read = () => Promise.resolve(view());
    const list = () => Promise.resolve({ tasks: [], nextCursor: null });
    people = await startPeople({
      publicUrl: () => new URL(origin()),
      app: { siteOrigins: () => [origins], tasks: { ...tasks, read, list } },
    });
  });
  after(async () => {
    await started?.close();
    await people?.close();
    await thieves?.close();
  });
  beforeEach(async () => {
    const { person } = await people.owner();
    context = await started.browser.newContext({ viewport: { width: 1280, height: 1000 } });
    context.setDefaultTimeout(WITHIN_MS);
    const url = origin();
    await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })));
    page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss());
  });
  afterEach(() => context?.close());

  const origin = () => `http://localhost:${people ? people.api.port : 0}`;
  const view = () => {
    const output = {
      pagesCreated: [],
      pagesModified: [{ slug: '/a', previewUrl: pageUrl, editUrl: null, publishedUrl: null }],
      pagesDeleted: [],
    };
    const { siteId } = people.api.site;
    const about = { siteId, type: 'prompt' as const, createdAt, title: 'A thief' };
    return { taskId, status: 'completed' as const, output, about };
  };

  async function show(thief: Thief): Promise<void> {
    thieves.hold();
    pageUrl = thieves.addressOf(thief);
    await page.goto(`${origin()}/tasks/${taskId}`);
    await until('the frame asks for its page', () => thieves.asked.includes('/page'), WITHIN_MS);
  }
  const type = (text: string) => page.keyboard.type(text, { delay: KEY_MS });
  const stolen = () => thieves.asked.filter((path) => path.startsWith('/stolen/'));

  async function typeIntoTheDialog(): Promise<void> {
    await page.getByRole('button', { name: 'Follow up' }).click();
    const box = page.getByLabel('What shall change?');
    await page.locator('textarea:focus').waitFor();
    await type(early);
    thieves.release();
    await type(late);
    expect(await box.inputValue()).to.equal(early + late);
  }

  /** The session ends, and the console asks for the password above the dialog. */
  async function typeThePassword(): Promise<void> {
    await people.db.deleteFrom('sessions').execute();
    people.keys.forget();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    const gate = page.getByRole('dialog', { name: 'Sign in again' });
    await gate.getByLabel('Password').click();
    await type(password);
    expect(await gate.getByLabel('Password').inputValue()).to.equal(password);
    await page.keyboard.press('Enter');
    await gate.waitFor({ state: 'detached' });
  }

  for (const thief of [...scripted, ...scriptless])
    it(`gets no key that is typed into a dialog or as the password: ${thief.name}`, async () => {
      await show(thief);
      await typeIntoTheDialog();
      await typeThePassword();
      expect(stolen()).to.deep.equal([]);
      expect(thieves.asked.filter((path) => path === '/began')).to.deep.equal([]);
    });
});
