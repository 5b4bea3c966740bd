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

  it('show before the start what the service does not understand, and the nearest wordings', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    await box().fill(
      'Delete /blog/website-brief and the links to it.\nChnage the headline of /pricing to "Simple"',
    );
    await page
      .getByText(/only understand fixed wordings\. The nearest ones are: Change the headline/)
      .waitFor();
    expect(await start().isEnabled()).to.equal(true);
    await expectScreen(page);
    await box().fill(
      'Delete /blog/website-brief and the links to it.\nChange the headline of /pricing to "Simple"',
    );
    await page.getByText(/^This changes .*; deletes \/blog\/website-brief\.$/).waitFor();
  });

  it('warn about an entry that would stand twice, and say what already exists', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    await box().fill('Add /about to the navigation as "Who we are"');
    await page
      .getByText(/the navigation has 2 entries that link to \/about: "About", "Who we are"/)
      .waitFor();
    await box().fill('Add /about to the navigation');
    await page.getByText('This changes nothing.').waitFor();
    await page.getByText(/the entry of the navigation for \/about is already "About"/).waitFor();
  });

  it('keep the prompt and the base task for a rephrased task, also after a reload', async () => {
    await page.goto(`${site}/new-task?kind=instructions`);
    await box().fill('Change the headline of /about to "Who we are"');
    await start().click();
    await page.getByRole('button', { name: 'Follow up' }).click();
    const base = new URL(page.url()).pathname;
    const dialog = page.getByRole('dialog', { name: 'Follow up' });
    const prompt = 'Chnage the headline of /about to "Who we are today"';
    await dialog.getByLabel('What shall change?').fill(prompt);
    await dialog.getByText(/only understand fixed wordings\./).waitFor();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('link', { name: 'Rephrase the instructions' }).click();
    await untilSaid(prompt);
    await page.reload();
    await untilSaid(prompt);
    expect(
      await page.getByRole('link', { name: 'Open the other task' }).getAttribute('href'),
    ).to.equal(base);
    await expectScreen(page);
    await box().fill('Change the headline of /about to "Who we are today"');
    await page.getByText('This changes /about.').waitFor();
    await start().click();
    const after = page.getByRole('link', { name: 'Follows another task' });
    await after.waitFor();
    expect(await after.getAttribute('href')).to.equal(base);
  });
});
