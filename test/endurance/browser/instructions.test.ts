// Takes long: a browser types instructions, with mistakes, on the real service.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { until } from '../../helpers/until.ts';

describe('instructions in the console', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let page: Page;
  let site: string;

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, site } = started);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const box = () => page.getByLabel('What shall change?');
  const start = () => page.getByRole('button', { name: 'Start', exact: true });
  const untilSaid = (prompt: string) =>
    until(`the words ${prompt}`, async () => (await box().inputValue()) === prompt);

  it('shows examples that were tried on this site, and what each would change', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    const examples = page.locator('.examples button');
    await examples.first().waitFor();
    expect(await examples.count()).to.equal(4);
    const words = (await examples.first().textContent())!;
    await examples.first().click();
    expect(await box().inputValue()).to.equal(words);
    await page.getByText(/^This (changes|makes) \/\S+\.$/).waitFor();
    await expectScreen(page);
  });

  it('says before the start what is not understood, and puts in what is', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    await box().fill(
      'Delete /blog/website-brief and the links to it.\nChnage the headline of /pricing to "Simple"',
    );
    await page.getByText(/This assistant follows fixed wordings\./).waitFor();
    expect(await start().isEnabled()).to.equal(true);
    await expectScreen(page);
    await page.getByRole('button', { name: 'Change the headline of /pricing to "Simple"' }).click();
    await untilSaid(
      'Delete /blog/website-brief and the links to it.\nChange the headline of /pricing to "Simple"',
    );
    await page.getByText(/^This changes .*; deletes \/blog\/website-brief\.$/).waitFor();
  });

  it('offers what comes nearest, filled in, and puts it in by the keyboard', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    await box().fill('Could the Starter package be $5,200 instead');
    const suggestion = 'Change the price of "Starter" to $5,200';
    const meant = page.getByRole('group', { name: 'Did you mean …' });
    await meant.getByRole('button', { name: suggestion }).waitFor();
    await expectScreen(page);
    await box().press('Tab');
    await page.keyboard.press('Enter');
    await untilSaid(suggestion);
    expect(await page.locator('textarea:focus').count()).to.equal(1);
    await page.getByText(/^This changes .*\/pricing/).waitFor();
  });

  it('warns of an entry that would stand twice, and says what is there already', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    await box().fill('Add /about to the navigation as "Who we are"');
    await page
      .getByText(/the navigation has 2 entries that lead to \/about: "About", "Who we are"/)
      .waitFor();
    await box().fill('Add /about to the navigation');
    await page.getByText('This changes nothing.').waitFor();
    await page.getByText(/the entry of the navigation for \/about is already "About"/).waitFor();
  });

  it('keeps words and base task to say them in other words, also after a reload', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    await box().fill('Change the headline of /about to "Who we are"');
    await start().click();
    await page.getByRole('button', { name: 'Follow up' }).click();
    const base = new URL(page.url()).pathname;
    const dialog = page.getByRole('dialog', { name: 'Follow up' });
    const prompt = 'Chnage the headline of /about to "Who we are today"';
    await dialog.getByLabel('What shall change?').fill(prompt);
    await dialog
      .getByRole('button', { name: 'Change the headline of /about to "Who we are today"' })
      .waitFor();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('link', { name: 'Say it in other words' }).click();
    await untilSaid(prompt);
    await page.reload();
    await untilSaid(prompt);
    expect(await page.getByRole('link', { name: 'The other task' }).getAttribute('href')).to.equal(
      base,
    );
    await expectScreen(page);
    await page
      .getByRole('button', { name: 'Change the headline of /about to "Who we are today"' })
      .click();
    await page.getByText('This changes /about.').waitFor();
    await start().click();
    const after = page.getByRole('link', { name: 'Follows another task' });
    await after.waitFor();
    expect(await after.getAttribute('href')).to.equal(base);
  });
});
