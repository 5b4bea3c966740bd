// Takes long: a browser makes pages from tables, with rows that are wrong, on the real service.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { until } from '../../helpers/until.ts';

const cities = [
  'City\tHeadline\tLead',
  'München\tWeb design in München\tFor the shops of München.',
];
const more = [
  'Köln\tWeb design in Köln\tBy the Rhine.',
  '\tA page about nothing\tHello.',
  'Köln\tKöln again\tBy the cathedral.',
];
const table = [...cities, ...more].join('\n');

describe('a table in the console', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;
  let site: string;

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service, site } = started);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const addresses = () =>
    page
      .getByLabel(/^Address of row/)
      .evaluateAll((inputs: { value: string }[]) => inputs.map(({ value }) => value));
  const untilAddresses = async (expected: string[]) =>
    until(
      `addresses ${expected.join()}`,
      async () => JSON.stringify(await addresses()) === JSON.stringify(expected),
    );
  const typeAt = (row: number, text: string) =>
    page.getByLabel(`Address of row ${row}`, { exact: true }).fill(text);
  const usesOf = (column: string) => page.getByLabel(`Use of ${column}`, { exact: true });
  const keptTables = () =>
    page.evaluate<number>(
      "Object.keys(sessionStorage).filter((key) => key.startsWith('kept table ')).length",
    );
  async function useTable(text: string): Promise<void> {
    await page.goto(`${site}/new-task?template=${encodeURIComponent('/locations/austin')}`);
    const another = page.getByRole('button', { name: 'Another table' });
    const box = page.getByLabel('Table', { exact: true });
    await another.or(box).waitFor();
    if (await another.isVisible()) await another.click();
    await box.fill(text);
    await page.getByRole('button', { name: 'Use this table' }).click();
    await page.getByLabel('Address of row 1', { exact: true }).waitFor();
  }

  it('has addresses of its cities, one by one, whatever another row says', async () => {
    await useTable(table);
    await untilAddresses(['/locations/muenchen', '/locations/koeln', '', '/locations/koeln-2']);
    await page.getByText('The row needs an address.').waitFor();
    await page.getByRole('button', { name: /^Row 4: .*fact.* from Austin/ }).click();
    await page.getByText('Facts from Austin', { exact: true }).waitFor();
    await page.getByText('Row 3 needs a look before you can start.').waitFor();
    await page
      .getByLabel('Facts missing from your table')
      .selectOption({ label: 'Keep Austin’s and list them' });
    await expectScreen(page);
  });

  it('keeps typed addresses when a column is left out, gives the address, or the template changes', async () => {
    await typeAt(1, 'offers/minga');
    await typeAt(3, '/offers/nothing');
    const expected = ['/offers/minga', '/locations/koeln', '/offers/nothing', '/locations/koeln-2'];
    await untilAddresses(expected);
    for (const use of ['out', 'address', 'as City']) {
      await usesOf('City').selectOption(use);
      await untilAddresses(expected);
    }
    await usesOf('Lead').selectOption('out');
    await page.getByLabel('Template', { exact: true }).selectOption('/services/web-design');
    const moved = expected.map((slug) => slug.replace('/locations/', '/services/'));
    await untilAddresses(moved);
    expect(await usesOf('Lead').inputValue()).to.equal('out');
    await page.getByLabel('Template', { exact: true }).selectOption('/locations/austin');
    await untilAddresses(expected);
  });

  it('is there after a look at another screen, and after the page is loaded again', async () => {
    await page.getByRole('button', { name: 'Remove row 4' }).click();
    await page.getByLabel('Title of the task (optional)').fill('Spring');
    const isThere = async () => {
      await untilAddresses(['/offers/minga', '/locations/koeln', '/offers/nothing']);
      await page.getByRole('button', { name: 'Put back row 4' }).waitFor();
      expect(await usesOf('Lead').inputValue()).to.equal('out');
      expect(await page.getByLabel('Title of the task (optional)').inputValue()).to.equal('Spring');
    };
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await heading('Tasks', page);
    await page.goBack();
    await isThere();
    await page.reload();
    await isThere();
    await page.goto(`${site}/new-task`);
    await isThere();
    await page.getByRole('button', { name: 'Put back row 4' }).click();
    await untilAddresses([
      '/offers/minga',
      '/locations/koeln',
      '/offers/nothing',
      '/locations/koeln-2',
    ]);
    await page.getByRole('button', { name: 'Remove row 4' }).click();
  });

  it('starts the rows that are left, and is gone then', async () => {
    await page.getByText('3 pages. Nothing goes live before you publish it.').waitFor();
    await page.getByLabel('A language model may ask me what only I can know').check();
    const started = page.waitForRequest((sent) => sent.url().endsWith('/api/v1/agent/tasks'));
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    expect((await started).postDataJSON()).to.include({ ask: 'allowed', title: 'Spring' });
    await page.getByRole('article', { name: '/offers/minga' }).waitFor();
    expect(await page.getByRole('article').count()).to.equal(3);
    await page.goto(`${site}/new-task`);
    await page.getByLabel('Table', { exact: true }).waitFor();
    expect(await keptTables()).to.equal(0);
  });

  it('has every other row checked where the service takes one row for no page, and names the row', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) => `Town ${at + 1}\tWeb design in Town ${at + 1}`,
    );
    await useTable(['City\tHeadline', ...rows].join('\n'));
    await typeAt(12, '/with spaces');
    await page.getByText('The address must not contain spaces').waitFor();
    await page.getByRole('button', { name: /^Row 11: / }).waitFor();
    await page.getByText('Row 12 needs a look before you can start.').waitFor();
    await page.getByLabel('Page that links to the new ones').selectOption('/pricing');
    await typeAt(12, 'pricing');
    await page
      .getByText('The address must not be the same page as the page that links to the new ones')
      .waitFor();
    await page.getByRole('button', { name: /^Row 11: / }).waitFor();
    expect(await page.getByText(/items\[/).count()).to.equal(0);
    await page.getByRole('button', { name: 'Use the suggested one for row 12' }).click();
    await page
      .getByText('12 pages, in a batch. Nothing goes live before you publish it.')
      .waitFor();
  });

  it('is gone when its person signs out', async () => {
    await until('the table is kept', async () => (await keptTables()) === 1);
    await page.goto(`http://localhost:${service.port}/tasks`);
    await page.getByRole('button', { name: /^You: / }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading('Sign in', page);
    expect(await keptTables()).to.equal(0);
  });
});
