import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../helpers/browser.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';

const WITHIN_MS = 60_000;
const password = 'four plain words here';
const cities = ['Lisbon', 'Porto', 'Braga', 'Coimbra', 'Faro', 'Évora', 'Aveiro', 'Leiria', 'Viseu', 'Setúbal', 'Guarda', 'Beja']; // prettier-ignore
const table = [
  'City\tHeadline\tLead',
  ...cities.map((city) => `${city}\tWeb design in ${city}\tWebsites for the shops of ${city}.`),
].join('\n');

/** Of an element. */
interface Widths {
  scrollWidth: number;
  clientWidth: number;
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[] }[];
}

describe('the console in a browser', function () {
  this.timeout(300_000);
  let service: Service;
  let browser: Browser;
  let started: Awaited<ReturnType<typeof startBrowser>> | undefined;
  let owner: BrowserContext;
  let page: Page;
  let problems: string[];
  /** The task of the table's last two rows. */
  let taskId: string;

  before(async function () {
    needProgram(this, 'Chromium');
    started = await startBrowser();
    ({ browser } = started);
    service = await startService({ isEmpty: true });
    owner = await openContext();
    page = await owner.newPage();
  });
  after(async () => {
    await started?.close();
    await endServices();
  });
  beforeEach(() => {
    problems = [];
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed()) console.error(`${page.url()}\n${await page.locator('body').innerText()}`);
    expect(problems).to.deep.equal([]);
  });

  /** A person's browser. What it refuses, and requests to other hosts, are problems. */
  async function openContext(): Promise<BrowserContext> {
    const context = await browser.newContext();
    context.setDefaultTimeout(WITHIN_MS);
    context.on('response', (response) => {
      if (response.status() >= 500) problems.push(`${response.status()} of ${response.url()}`);
    });
    context.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        problems.push(message.text());
    });
    context.on('weberror', (error) => problems.push(String(error.error())));
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      const isOurs = hostname === 'localhost' || /\.(sites|preview)\.localhost$/.test(hostname);
      if (/^https?:$/.test(protocol) && !isOurs) problems.push(`asks ${request.url()}`);
    });
    return context;
  }

  const address = (path: string) => `http://localhost:${service.port}${path}`;
  const heading = (name: string | RegExp, at = page) => at.getByRole('heading', { level: 1, name }).waitFor();

  /** What axe finds serious or worse. It comes in past the page's policy, which lets nothing in. */
  async function expectAccessible(at = page): Promise<void> {
    const session = await at.context().newCDPSession(at);
    const expression = `${axe.source}; axe.run(document, { iframes: false, resultTypes: ['violations'] })`;
    const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, allowUnsafeEvalBlockedByCSP: true }); // prettier-ignore
    const { violations } = result.value as { violations: Violation[] };
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).to.deep.equal([]); // prettier-ignore
    await session.detach();
  }

  it('is entered by the printed link, which works once', async () => {
    const link = /http\S+\/welcome#token=\S+/.exec(service.launched.stderr)![0];
    await page.goto(link);
    await page.getByLabel('New password').fill(password);
    await expectAccessible();
    expect(new URL(page.url()).hash).to.equal('');
    await page.getByRole('button', { name: 'Go to the console' }).click();
    await heading('Sites');
    await page.getByRole('link', { name: 'Northwind', exact: true }).waitFor();
    await expectAccessible();

    const other = await (await openContext()).newPage();
    await other.goto(link);
    await heading(/can’t be used/, other);
    await other.context().close();
  });

  for (const [path, name] of [
    ['/sites/new', 'Add site'],
    ['/tasks', 'Tasks'],
    ['/callbacks', 'Callbacks'],
    ...['organization', 'members', 'keys', 'callback-secret', 'audit', 'you'].map((tab) => [`/settings/${tab}`, 'Settings']), // prettier-ignore
  ] as [string, string][])
    it(`shows ${path} to everyone who can read a screen, or has it read, at 390 px too`, async () => {
      await page.goto(address(path));
      await heading(name);
      await until('all is loaded', async () => ((await page.locator('.bones').count()) === 0 ? true : undefined));
      expect(await page.getByRole('heading', { name: 'This could not be loaded' }).count()).to.equal(0);
      await expectAccessible();
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible();
      const over = await page.locator('html').evaluate((root: Widths) => root.scrollWidth - root.clientWidth);
      expect(over).to.equal(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

  it('makes pages of twelve rows in two tasks, and puts them live', async () => {
    await page.goto(address('/sites'));
    await page.getByRole('link', { name: 'Northwind', exact: true }).click();
    await page.getByRole('link', { name: 'Use as template: Web design in Austin' }).click();
    await page.getByLabel('Table', { exact: true }).fill(table);
    await page.getByRole('button', { name: 'Use this table' }).click();
    const told = page.getByRole('button', { name: /^Row 12: .* stays?/ });
    await told.click();
    await page.getByText('These stay as the template has them').waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'Start 2 tasks' }).click();

    await heading('2 tasks from one table');
    taskId = new URL(page.url()).pathname.split(',')[1]!;
    const preview = page.frameLocator('article[aria-label="/locations/lisbon"] iframe[title="Preview"]');
    await preview.getByRole('heading', { name: 'Web design in Lisbon' }).first().waitFor();
    const frames = page.locator('iframe');
    await page.getByRole('article', { name: '/locations/beja' }).waitFor();
    for (const frame of await frames.all()) {
      expect(await frame.getAttribute('sandbox')).to.equal('allow-scripts');
      expect(new URL((await frame.getAttribute('src'))!).hostname).to.match(/\.(preview|sites)\.localhost$/);
    }
    expect(await page.locator('iframe[title="Template: /locations/austin"]').count()).to.equal(12);
    await expectAccessible();

    await page.getByRole('button', { name: 'Publish all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish all' }).click();
    await page.getByRole('link', { name: 'Live page' }).nth(11).waitFor();
    for (const slug of ['/locations/lisbon', '/locations/evora', '/locations/beja'])
      await until(`${slug} is live`, async () => {
        const { status } = await service.request('GET', `http://northwind.sites.localhost:${service.port}${slug}`);
        return status === 200 ? true : undefined;
      });
  });

  it('shares pages with people who have no account, until the link is ended', async () => {
    await page.goto(address(`/tasks/${taskId}`));
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    const secret = dialog.locator('.secret code');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const url = (await secret.textContent())!;
    await dialog.getByText(/ends in 7 days/).waitFor();
    await expectAccessible();

    const stranger = await (await openContext()).newPage();
    await stranger.goto(url);
    await heading('Northwind', stranger);
    expect(stranger.url()).to.equal(url.split('#')[0]);
    expect(JSON.stringify(await stranger.context().storageState())).to.not.include(url.split('=')[1]);
    const article = stranger.getByRole('article', { name: '/locations/guarda' });
    await article.frameLocator('iframe').getByRole('heading', { name: 'Web design in Guarda' }).first().waitFor();
    expect(await stranger.locator('iframe[sandbox="allow-scripts"]').count()).to.equal(2);
    expect(await stranger.getByRole('link', { name: /^Edit/ }).count()).to.equal(0);
    await expectAccessible(stranger);
    await stranger.setViewportSize({ width: 390, height: 844 });
    const over = await stranger.locator('html').evaluate((root: Widths) => root.scrollWidth - root.clientWidth);
    expect(over).to.equal(0);

    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'End the link' }).click();
    await secret.waitFor({ state: 'detached' });
    await dialog.getByRole('list').waitFor({ state: 'detached' });
    await stranger.reload();
    await stranger.getByRole('heading', { name: 'Open the link again' }).waitFor();
    await stranger.goto(url);
    await stranger.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await expectAccessible(stranger);

    await dialog.getByRole('button', { name: 'Look and edit' }).click();
    await dialog.getByLabel('The link works for').selectOption('1');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.getByText(/ends (tomorrow|in 24 hours)/).waitFor();
    await stranger.goto((await secret.textContent())!);
    const popup = stranger.waitForEvent('popup');
    await stranger.getByRole('link', { name: 'Edit /locations/guarda' }).click();
    await (await popup).frameLocator('#frame').getByText('Web design in Guarda').first().waitFor();
    const anew = stranger.waitForRequest((request) => new URL(request.url()).pathname === '/locations/guarda');
    await stranger.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await anew;
    await stranger.context().close();
  });

  it('leads from the editor over the sign-in back to the editor', async () => {
    const person = await (await openContext()).newPage();
    await person.goto(address(`/edit/${taskId}/locations/guarda`));
    await person.getByRole('link', { name: 'Sign in' }).click();
    await person.getByLabel('E-mail').fill('owner@localhost.localdomain');
    await person.getByLabel('Password').fill(password);
    await person.getByRole('button', { name: 'Sign in' }).click();
    await person.frameLocator('#frame').getByText('Web design in Guarda').first().waitFor();
    expect(new URL(person.url()).pathname).to.equal(`/edit/${taskId}/locations/guarda`);
    await person.context().close();
  });

  it('makes a key that is shown once, with a request that works', async () => {
    await page.goto(address('/settings/keys'));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Importer');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const curl = await page.getByLabel('A first request', { exact: true }).textContent();
    const [, key] = /Bearer (ak_\w+)/.exec(curl!)!;
    const [, body] = /-d '(.*)'$/s.exec(curl!)!;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    expect((await service.request('POST', '/api/v1/agent/tasks', { headers, body: body! })).status).to.equal(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Importer').first().waitFor();
    expect(await page.content()).to.not.include(key);
    const kept = JSON.stringify(await owner.storageState());
    expect(kept).to.not.include('ak_');
  });

  it('asks to sign in again where the session has ended, and keeps what was typed', async () => {
    await page.goto(address('/tasks'));
    await heading('Tasks');
    await page.goto(address('/sites'));
    await page.getByRole('link', { name: 'Northwind', exact: true }).click();
    await page.getByRole('link', { name: 'New task' }).click();
    await page.getByRole('button', { name: /^Instructions/ }).click();
    const box = page.getByLabel('What shall change?');
    await box.fill('Change the headline of /pricing to "Plain prices"');
    await page.evaluate(() => fetch('/auth/revoke-sessions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })); // prettier-ignore
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password').fill('wrong password, wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await box.inputValue()).to.contain('Plain prices');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await heading(/Plain prices/);
  });

  it('shows an invited member what members do, and a viewer what is shared', async () => {
    await page.goto(address('/settings/members'));
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('tim@northwind.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const url = await page.getByRole('dialog').locator('.secret code').textContent();
    await page.getByRole('button', { name: 'Done' }).click();

    const member = await (await openContext()).newPage();
    await member.goto(url!);
    await member.getByLabel('Your name').fill('Tim');
    await member.getByLabel('Password').fill(password);
    await expectAccessible(member);
    await member.getByRole('button', { name: 'Make the account' }).click();
    await heading('Sites', member);
    await member.getByRole('link', { name: 'Northwind', exact: true }).waitFor();
    expect(await member.getByRole('link', { name: 'Add site' }).count()).to.equal(0);
    await member.goto(address('/settings/audit'));
    await member.getByRole('heading', { name: 'This is for admins' }).waitFor();

    await page.reload();
    await page.getByLabel('Role of Tim').selectOption('viewer');
    await page.getByText('Tim is viewer now').waitFor();
    await member.goto(address('/'));
    await heading('Shared with you', member);
    expect(await member.getByRole('link', { name: 'Sites' }).count()).to.equal(0);
    await expectAccessible(member);

    await member.goto(address(`/edit/${taskId}/locations/guarda`));
    await member.getByRole('link', { name: 'Sign in as somebody else' }).click();
    await heading('Sign in as somebody else', member);
    await expectAccessible(member);
    await member.getByRole('button', { name: 'Sign out, then sign in' }).click();
    await member.getByLabel('E-mail').fill('owner@localhost.localdomain');
    await member.getByLabel('Password').fill(password);
    await member.getByRole('button', { name: 'Sign in' }).click();
    await member.frameLocator('#frame').getByText('Web design in Guarda').first().waitFor();
    await member.context().close();
  });

  it('works by keyboard: a link skips to the content, Escape closes menus', async () => {
    await page.goto(address('/sites'));
    await heading('Sites');
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    await page.locator('#content:focus').waitFor();
    await page.getByRole('button', { name: /^Organization/ }).press('Enter');
    await page.getByRole('button', { name: 'New organization' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New organization' }).waitFor({ state: 'detached' });
  });
});
