// Takes long: a browser shows a page for each way to take the focus, while somebody types into the
// console. Pages without scripts are shown together: each tries for itself.
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
const [early, late] = ['What I type ', 'stays here, to the end.'];
/** How many pages one task shows at once. */
const GROUP = 13;
const USUAL = { width: 1280, height: 720 };
/** As tall as a group: Chromium only loads the frames that are near the window. */
const TALL = { width: 1280, height: 12_000 };
const groups = Array.from({ length: Math.ceil(scriptless.length / GROUP) }, (_, n) =>
  scriptless.slice(n * GROUP, (n + 1) * GROUP),
);

describe('a page in a frame of the console, in Chromium', function () {
  this.timeout(300_000);
  let thieves: ThievesHost;
  let service: ConsoleService;
  let people: People;
  let page: Page;
  /** The addresses of the task's pages. */
  let previews: string[] = [];

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
    page = await service.open((await people.owner()).person);
    page.on('dialog', (dialog) => void dialog.dismiss());
  });
  after(async () => {
    await service?.close();
    await thieves?.close();
  });

  const view = () => {
    const output = {
      pagesCreated: [],
      pagesModified: previews.map((previewUrl, index) => ({
        slug: slugAt(index),
        previewUrl,
        editUrl: null,
        publishedUrl: null,
      })),
      pagesDeleted: [],
    };
    const { siteId } = people.api.site;
    const about = { siteId, type: 'prompt' as const, createdAt, ...made, title: 'A thief' };
    return { taskId, status: 'completed' as const, output, about };
  };

  const slugAt = (index: number) => `/page-${index}`;

  /** Shows a task with a page of each thief. The pages are asked for, and not answered yet. */
  async function show(...shown: Thief[]): Promise<void> {
    thieves.hold();
    previews = shown.map((thief) => thieves.addressOf(thief));
    await page.setViewportSize(shown.length > 2 ? TALL : USUAL);
    await page.goto(`${service.origin}/tasks/${taskId}`);
    await everyFrameAsks(1);
  }
  /** Waits until the frame of every page has asked for it so often. */
  const everyFrameAsks = (times: number) =>
    until(
      'each frame to ask for its page',
      () =>
        previews.every((url) => {
          const { pathname } = new URL(url);
          return thieves.asked.filter((path) => path === pathname).length >= times;
        }),
      WITHIN_MS,
    );
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
    await page.locator('iframe[sandbox=""]').first().waitFor();
  }

  /** @returns when the thief at the index is at work */
  async function runScripts(index = 0): Promise<void> {
    const began = askedFor('/began').length;
    const article = page.getByRole('article', { name: slugAt(index), exact: true });
    await article.getByRole('button', { name: 'Run scripts: Preview' }).click();
    await page.locator('iframe[sandbox="allow-scripts"]').waitFor();
    await page.getByText('Scripts run', { exact: true }).waitFor();
    await until('the scripts to begin', () => askedFor('/began').length > began, WITHIN_MS);
  }

  const expectNothingStolen = () => expect(askedFor('/stolen/')).to.deep.equal([]);

  for (const [n, group] of groups.entries())
    it(`gets no key that is typed into a dialog or as the password: group ${n + 1}`, async () => {
      await show(...group);
      await typeIntoTheDialog();
      await typeThePassword();
      await closeTheDialog();
      await everyFrameAsks(2);
      await typeIntoTheDialog();
      expectNothingStolen();
      expect(askedFor('/began')).to.deep.equal([]);
    });

  describe('whose scripts somebody starts', () => {
    before(async () => {
      await show(...scripted);
      await typeIntoTheDialog();
      await closeTheDialog();
      await everyFrameAsks(2);
      await page.setViewportSize(USUAL);
    });

    it('runs no script before', () => expect(askedFor('/began')).to.deep.equal([]));

    for (const [index, thief] of scripted.entries())
      it(`gets no typed key after its scripts ran: ${thief.name}`, async () => {
        await runScripts(index);
        await typeIntoTheDialog();
        await closeTheDialog();
        expectNothingStolen();
      });

    it('gets no typed password either', async () => {
      await runScripts(1);
      await typeIntoTheDialog();
      await typeThePassword();
      await closeTheDialog();
      expectNothingStolen();
    });
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

    it('hides every page when a text field has the focus, and runs no script afterwards', async () => {
      for (const [name, attributes] of [
        ['input', '{}'],
        ['textarea', '{}'],
        ['select', '{}'],
        ['p', `{ contenteditable: '' }`],
      ]) {
        await add(`[['${name}', Object.assign({ id: 'new' }, ${attributes})]]`);
        await page.evaluate(`document.getElementById('new').focus()`);
        await page.locator('#new:focus').waitFor();
        expect(await frames(), name).to.equal(0);
        await type(early);
        await page.evaluate(`document.getElementById('new').remove()`);
        await page.locator('iframe[sandbox=""]').waitFor();
        expectNothingStolen();
        await runScripts();
      }
    });

    it('hides every page beside a dialog or a popover, with or without the focus', async () => {
      for (const [box, open] of [
        [`['dialog', {}]`, 'added.firstChild.showModal();'],
        [`['dialog', {}]`, `added.firstChild.setAttribute('open', '');`],
        [`['div', { popover: 'manual' }]`, 'added.firstChild.showPopover();'],
      ]) {
        await add(`[${box}, ['input', { id: 'new' }]]`, open);
        await page.locator('iframe').waitFor({ state: 'detached' });
        await page.locator('#new').click();
        await type(early);
        expect(await page.locator('#new').inputValue(), open).to.equal(early);
        expectNothingStolen();
        await page.evaluate(`document.getElementById('new').parentElement.remove()`);
        await page.locator('iframe[sandbox=""]').waitFor();
        await runScripts();
      }
    });

    it('stops its scripts when somebody opens a menu, or moves elsewhere by keyboard or mouse', async () => {
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

    it('shows that scripts run, and stops them on request', async () => {
      await expectScreen(page);
      if (!(await stillRuns())) await runScripts();
      await button('Stop scripts: Preview').click();
      await stopped();
      await page.getByText('Scripts are off', { exact: true }).waitFor();
      await expectScreen(page);
    });

    it('runs scripts of no other page', async () => {
      await show(thousand!, scripted[0]!);
      thieves.release();
      await runScripts(0);
      await page.locator('iframe[sandbox=""]').waitFor();
      await runScripts(1);
      const first = page.getByRole('article', { name: slugAt(0), exact: true });
      await first.locator('iframe[sandbox=""]').waitFor();
      expect(await stillRuns()).to.equal(1);
    });
  });

  it('says that a page exists on another host instead of showing an empty frame', async () => {
    const pageUrl = 'http://127.0.0.1:1/elsewhere';
    previews = [pageUrl];
    await page.goto(`${service.origin}/tasks/${taskId}`);
    const preview = page.locator('figure', { has: page.getByText('Preview', { exact: true }) });
    await preview.getByText('The page is on another host').waitFor();
    expect(await preview.locator('iframe').count()).to.equal(0);
    expect(await preview.getByRole('link', { name: 'Open' }).getAttribute('href')).to.equal(
      pageUrl,
    );
    expect(await button('Run scripts: Preview').count()).to.equal(0);
  });
});
