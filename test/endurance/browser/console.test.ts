// Takes long: a browser walks through every screen, and asks axe about each in light, in dark and
// at phone width.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startBrowser } from '../../helpers/browser.ts';
import { expectAccessible, expectScreen, heading, People } from '../../helpers/consolePeople.ts';
import {
  type PrivateRepository,
  startPrivateRepository,
} from '../../helpers/team/privateRepository.ts';
import { enterAsOwner } from '../../helpers/ownConsole.ts';
import { needProgram } from '../../helpers/programs.ts';
import { endServices, startService } from '../../helpers/service.ts';
import { until } from '../../helpers/until.ts';
import { addressIn, password, token, type Walk, walkOfATeam } from './console.team.ts';

describe('the console in a browser', function () {
  this.timeout(300_000);
  const walk = {} as Walk;
  let started: Awaited<ReturnType<typeof startBrowser>> | undefined;
  let repository: PrivateRepository | undefined;
  let page: Page;

  before(async function () {
    needProgram(this, 'Chromium');
    started = await startBrowser();
    repository = await startPrivateRepository(token, 'website');
    const service = await startService({ env: repository.env });
    const people = new People(started.browser);
    page = await people.come();
    Object.assign(walk, { repository, service, people, page });
  });
  after(async () => {
    await started?.close();
    await endServices();
    await repository?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed())
      console.error(`${page.url()}\n${await page.locator('body').innerText()}`);
    expect(walk.people.problems.splice(0)).to.deep.equal([]);
  });

  const address = (path: string) => addressIn(walk, path);

  it('is entered with the printed link, which works once', async () => {
    const link = /http\S+\/welcome#token=\S+/.exec(walk.service.launched.stderr)![0];
    await page.goto(link);
    await page.getByLabel('Your name').waitFor();
    await expectAccessible(page);
    expect(new URL(page.url()).hash).to.equal('');
    await enterAsOwner(page, password);
    await heading('Sites', page);
    await page.getByRole('link', { name: 'Northwind', exact: true }).waitFor();
    await expectScreen(page);

    const other = await walk.people.come();
    await other.goto(link);
    await heading(/can’t be used/, other);
    await other.context().close();
  });

  for (const [path, name] of [
    ['/sites/new', 'Add site'],
    ['/tasks', 'Tasks'],
    ['/callbacks', 'Callbacks'],
    ...[
      'organization',
      'members',
      'keys',
      'shared-links',
      'callback-secret',
      'webhooks',
      'usage',
      'audit',
      'you',
    ].map((tab) => [`/settings/${tab}`, 'Settings']),
  ] as [string, string][])
    it(`shows ${path} accessibly to people who read a screen or use a screen reader, also in dark mode and at 390 px`, async () => {
      await page.goto(address(path));
      await heading(name, page);
      await until('all is loaded', async () =>
        (await page.locator('.bones').count()) === 0 ? true : undefined,
      );
      expect(
        await page.getByRole('heading', { name: 'This could not be loaded' }).count(),
      ).to.equal(0);
      await expectScreen(page);
    });

  walkOfATeam(walk);

  it('shares pages with people without an account until the link is revoked', async () => {
    await page.goto(address(`/tasks/${walk.taskId}`));
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    const secret = dialog.locator('.secret code');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const url = (await secret.textContent())!;
    await dialog.getByText(/expires in 7 days/).waitFor();
    await expectAccessible(page);

    const stranger = await walk.people.come();
    await stranger.goto(url);
    await heading('Team website', stranger);
    expect(stranger.url()).to.equal(url.split('#')[0]);
    expect(JSON.stringify(await stranger.context().storageState())).to.not.include(
      url.split('=')[1],
    );
    await stranger.reload();
    expect(stranger.url()).to.equal(url.split('#')[0]);
    const article = stranger.getByRole('article', { name: '/locations/guarda' });
    await article.scrollIntoViewIfNeeded();
    await article
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Web design in Guarda' })
      .first()
      .waitFor();
    expect(await stranger.locator('iframe[sandbox=""]').count()).to.equal(10);
    expect(await stranger.getByRole('link', { name: /^Edit/ }).count()).to.equal(0);
    await expectScreen(stranger);

    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('button', { name: 'Revoke the link' }).click();
    await secret.waitFor({ state: 'detached' });
    await dialog.getByRole('list').waitFor({ state: 'detached' });
    await stranger.reload();
    await stranger.getByRole('heading', { name: 'This link does not work' }).waitFor();
    const elsewhere = await walk.people.come();
    await elsewhere.goto(stranger.url());
    await elsewhere.getByRole('heading', { name: 'Open the link again' }).waitFor();
    await elsewhere.context().close();
    await stranger.goto(url);
    await stranger.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await expectAccessible(stranger);

    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('The link works for').selectOption('1');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText(/expires (tomorrow|in 24 hours)/).waitFor();
    await stranger.goto((await secret.textContent())!);
    await until('the page of Guarda', async () => {
      if ((await stranger.getByRole('heading', { name: '/locations/guarda' }).count()) > 0)
        return true;
      const next = stranger.getByRole('button', { name: 'Next' });
      if (await next.isEnabled().catch(() => false)) await next.click();
      return undefined;
    });
    const popup = stranger.waitForEvent('popup');
    await stranger.getByRole('link', { name: 'Edit /locations/guarda' }).click();
    await (await popup).frameLocator('#frame').getByText('Web design in Guarda').first().waitFor();
    const anew = stranger.waitForRequest(
      (request) => new URL(request.url()).pathname === '/locations/guarda',
    );
    await stranger.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await anew;
    await stranger.context().close();
  });

  it('asks people to sign in again if the session has ended, and keeps what they typed', async () => {
    await page.goto(address('/tasks'));
    await heading('Tasks', page);
    await page.goto(address('/sites'));
    await page.getByRole('link', { name: 'Northwind', exact: true }).click();
    await page.getByRole('link', { name: 'New task' }).click();
    await page.getByRole('button', { name: /^Instructions/ }).click();
    const box = page.getByLabel('What shall change?');
    await box.fill('Change the headline of /pricing to "Plain prices"');
    await page.getByText('This changes /pricing.').waitFor();
    await page.evaluate(() =>
      fetch('/auth/revoke-sessions', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      }),
    );
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password').fill('wrong password, wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await box.inputValue()).to.contain('Plain prices');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await heading(/Plain prices/, page);
  });

  it('works by keyboard: a link skips to the content, and Escape closes menus', async () => {
    await page.goto(address('/sites'));
    await heading('Sites', page);
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
    await page.locator('#content:focus').waitFor();
    await page.getByRole('button', { name: /^Organization/ }).press('Enter');
    await page.getByRole('button', { name: 'New organization' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New organization' }).waitFor({ state: 'detached' });
  });

  it('gives an unknown screen a title', async () => {
    for (const path of ['/tasks/bg-unknown', '/nowhere']) {
      await page.goto(address(path));
      await heading('Not found', page);
      await expectAccessible(page);
    }
  });

  it('waits for a service that restarts, and then shows the screen', async () => {
    await page.goto(address('/sites'));
    await heading('Sites', page);
    const { dataDir, port } = walk.service;
    await walk.service.kill();
    await page.getByRole('link', { name: 'Callbacks' }).click();
    await page.locator('.bones').first().waitFor();
    walk.service = await startService({
      dataDir,
      env: { ...walk.repository.env, PORT: String(port) },
    });
    await heading('Callbacks', page);
    await until('all is loaded', async () => (await page.locator('.bones').count()) === 0);
    expect(await page.getByText('could not be loaded').count()).to.equal(0);
  });
});
