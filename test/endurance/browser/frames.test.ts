// Takes long: a browser shows a page for each way to take the focus, while somebody types into the
// console.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { made } from '../../helpers/about.ts';
import { createdAt, failingTasks, taskId } from '../../helpers/api.ts';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { password, type People } from '../../helpers/people.ts';
import { needProgram } from '../../helpers/programs.ts';
import { startThieves, type ThievesHost } from '../../helpers/thievesHost.ts';
import { DomainError } from '../../../src/errors.ts';
import { until } from '../../helpers/until.ts';
import { scripted, scriptless, type Thief } from './thieves.ts';

const WITHIN_MS = 60_000;
const KEY_MS = 15;
const [early, late] = [
  'What I type ',
  'before and after the page has come stays here, all of it, to the end.',
];

describe('a page in a frame of the console, in Chromium', function () {
  this.timeout(300_000);
  let thieves: ThievesHost;
  let service: ConsoleService;
  let people: People;
  let page: Page;
  let pageUrl = '';
  /** Of the task's pages: each shows the thief. */
  let slugs: string[];

  before(async function () {
    needProgram(this, 'Chromium');
    thieves = await startThieves([...scripted, ...scriptless]);
    const { origins } = thieves;
    const tasks = failingTasks(new DomainError('NOT_FOUND', 'Task not found'));
    const read = () => Promise.resolve(view());
    const list = () => Promise.resolve({ tasks: [], nextCursor: null });
    service = await startConsole({
      app: { frameSources: () => [origins], tasks: { ...tasks, read, list } },
    });
    ({ people } = service);
  });
  after(async () => {
    await service?.close();
    await thieves?.close();
  });
  beforeEach(async () => {
    slugs = ['/a'];
    page = await service.open((await people.owner()).person);
    page.on('dialog', (dialog) => void dialog.dismiss());
  });
  afterEach(() => page?.context().close());

  const view = () => {
    const output = {
      pagesCreated: [],
      pagesModified: slugs.map((slug) => ({
        slug,
        previewUrl: pageUrl,
        editUrl: null,
        publishedUrl: null,
      })),
      pagesDeleted: [],
    };
    const { siteId } = people.api.site;
    const about = { siteId, type: 'prompt' as const, createdAt, ...made, title: 'A thief' };
    return { taskId, status: 'completed' as const, output, about };
  };

  async function show(thief: Thief): Promise<void> {
    thieves.hold();
    pageUrl = thieves.addressOf(thief);
    await page.goto(`${service.origin}/tasks/${taskId}`);
    await until('the frame asks for its page', () => thieves.asked.includes('/page'), WITHIN_MS);
  }
  const type = (text: string) => page.keyboard.type(text, { delay: KEY_MS });
  const askedFor = (start: string) => thieves.asked.filter((path) => path.startsWith(start));
  const frames = () => page.locator('iframe').count();
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = () => page.getByRole('dialog', { name: 'Follow up' });

  /** The thief begins on the way. */
  async function typeIntoTheDialog(): Promise<void> {
    await button('Follow up').click();
    await page.locator('textarea:focus').waitFor();
    await type(early);
    thieves.release();
    await type(late);
    expect(await dialog().getByLabel('What shall change?').inputValue()).to.equal(early + late);
    expect(await frames()).to.equal(0);
  }

  /** The session ends, and the console asks for the password above the dialog. */
  async function typeThePassword(): Promise<void> {
    await people.db.deleteFrom('sessions').execute();
    people.keys.forget();
    await dialog().getByRole('button', { name: 'Start' }).click();
    const gate = page.getByRole('dialog', { name: 'Sign in again' });
    await gate.getByLabel('Password').click();
    await type(password);
    expect(await gate.getByLabel('Password').inputValue()).to.equal(password);
    expect(await frames()).to.equal(0);
    await page.keyboard.press('Enter');
    await gate.waitFor({ state: 'detached' });
  }

  async function closeTheDialog(): Promise<void> {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.locator('iframe[sandbox=""]').waitFor();
  }

  /** @returns when the thief is at work */
  async function runScripts(): Promise<void> {
    const began = askedFor('/began').length;
    await button('Run scripts: Preview').click();
    await page.locator('iframe[sandbox="allow-scripts"]').waitFor();
    await page.getByText('Scripts run', { exact: true }).waitFor();
    await until('the scripts to begin', () => askedFor('/began').length > began, WITHIN_MS);
  }

  const expectNothingStolen = () => expect(askedFor('/stolen/')).to.deep.equal([]);

  for (const thief of scriptless)
    it(`gets no key that is typed into a dialog or as the password: ${thief.name}`, async () => {
      await show(thief);
      await typeIntoTheDialog();
      await typeThePassword();
      await closeTheDialog();
      await until('the page to come', () => askedFor('/page').length > 1, WITHIN_MS);
      await typeIntoTheDialog();
      expectNothingStolen();
      expect(askedFor('/began')).to.deep.equal([]);
    });

  for (const thief of scripted)
    it(`gets none either, and none after its scripts ran: ${thief.name}`, async () => {
      await show(thief);
      await typeIntoTheDialog();
      await closeTheDialog();
      expect(askedFor('/began')).to.deep.equal([]);
      await runScripts();
      await typeIntoTheDialog();
      await typeThePassword();
      await closeTheDialog();
      expectNothingStolen();
    });

  describe('while its scripts run', () => {
    const [, thousand] = scripted;
    beforeEach(async () => {
      await show(thousand!);
      thieves.release();
      await runScripts();
    });
    const stillRuns = () => page.locator('iframe[sandbox="allow-scripts"]').count();
    const stopped = () =>
      page.locator('iframe[sandbox="allow-scripts"]').waitFor({ state: 'detached' });
    /** A part of the page that the console may get one day. */
    const add = (html: string, after = '') =>
      page.evaluate(`{
        const added = document.createElement('div');
        for (const [name, text] of ${html}) {
          const element = document.createElement(name);
          for (const [attribute, value] of Object.entries(text)) element.setAttribute(attribute, value);
          (added.firstChild ?? added).append(element);
        }
        document.body.prepend(added);
        ${after}
      }`);

    for (const [name, html] of Object.entries({
      'a box': `[['input', { id: 'new' }]]`,
      'a larger box': `[['textarea', { id: 'new' }]]`,
      'a choice': `[['select', { id: 'new' }]]`,
      'a text that can be edited': `[['p', { id: 'new', contenteditable: '' }]]`,
    }))
      it(`no page is shown once ${name} has the focus, and none has scripts after`, async () => {
        await add(html, `document.getElementById('new').focus();`);
        await page.locator('#new:focus').waitFor();
        expect(await frames()).to.equal(0);
        await type(early);
        await page.evaluate('document.activeElement.blur()');
        await page.locator('iframe[sandbox=""]').waitFor();
        expectNothingStolen();
      });

    for (const [name, after] of Object.entries({
      'a dialog that takes the focus': 'added.firstChild.showModal();',
      'a dialog that takes none': `added.firstChild.setAttribute('open', '');`,
      'a popover': 'added.firstChild.showPopover();',
    }))
      it(`no page is shown above ${name}`, async () => {
        const box = name === 'a popover' ? `['div', { popover: 'manual' }]` : `['dialog', {}]`;
        await add(`[${box}, ['input', { id: 'new' }]]`, after);
        await page.locator('iframe').waitFor({ state: 'detached' });
        await page.locator('#new').click();
        await type(early);
        expect(await page.locator('#new').inputValue()).to.equal(early);
        expectNothingStolen();
      });

    it('they stop where somebody opens a menu, or goes elsewhere by keyboard or mouse', async () => {
      await button(/^You:/).click();
      await stopped();
      await page.keyboard.press('Escape');
      await runScripts();
      await button('Phone').click();
      await stopped();
      await runScripts();
      await page.getByRole('link', { name: 'Tasks' }).first().focus();
      await stopped();
    });

    it('this is marked, and stops on request', async () => {
      await expectScreen(page);
      if (!(await stillRuns())) await runScripts();
      await button('Stop scripts: Preview').click();
      await stopped();
      await page.getByText('Scripts are off', { exact: true }).waitFor();
      await expectScreen(page);
    });

    it('no other page runs any', async () => {
      slugs = ['/a', '/b'];
      await show(thousand!);
      thieves.release();
      await button('Run scripts: Preview').first().click();
      await page.locator('iframe[sandbox=""]').waitFor();
      await button('Run scripts: Preview').click();
      await page.getByRole('article', { name: '/a' }).locator('iframe[sandbox=""]').waitFor();
      expect(await stillRuns()).to.equal(1);
    });
  });

  it('says of a page at another host that it is there, and leaves nothing empty', async () => {
    pageUrl = 'http://127.0.0.1:1/elsewhere';
    await page.goto(`${service.origin}/tasks/${taskId}`);
    const preview = page.locator('figure', { has: page.getByText('Preview', { exact: true }) });
    await preview.getByText('The page is at another host').waitFor();
    expect(await preview.locator('iframe').count()).to.equal(0);
    expect(await preview.getByRole('link', { name: 'Open' }).getAttribute('href')).to.equal(
      pageUrl,
    );
    expect(await button('Run scripts: Preview').count()).to.equal(0);
  });
});
