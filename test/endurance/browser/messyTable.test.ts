// Takes long: a browser walks the whole way of a messy table, from the file to live pages.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { encode } from '../../helpers/encode.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { stopAfterFailure } from '../../helpers/stopAfterFailure.ts';
import { until } from '../../helpers/until.ts';

/** By row: a city, its telephone number and its e-mail address. */
const rows = [
  ['Oslo', '+47 22 34 56 78', 'oslo@northwind.example'],
  ['Tromsø', '+47 77 61 22 33', 'tromso@northwind.example'],
  ['Ålesund', '+47 70 12 34 56', 'alesund@northwind.example'],
  ['', '+47 55 10 20 30', 'nobody@northwind.example'],
  ['Bergen', '+47 55 31 45 67', 'bergen@northwind.example'],
  ['Bergen', '+47 55 32 45 68', 'bergen.nord@northwind.example'],
  ['Bodø', '#REF!', 'bodo@northwind.example'],
  ['Gjøvik', '+47 61 17 20 30', 'not-an-email'],
  ['Førde', '+47 57 72 10 20', 'forde@northwind.example'],
  ['https://other.example/offers/molde', '+47 71 20 30 40', 'molde@northwind.example'],
  ['Tønsberg', '+47 33 31 20 30', 'tonsberg@northwind.example'],
  ['Drøbak', '+47 64 93 20 30', 'drobak@northwind.example'],
] as const;
const [blank, twin, broken, mistyped, foreign] = [4, 6, 7, 8, 10];
const inAustin = 'They asked better questions about my business';
const headlineOf = (city: string) => `Web design in ${city || 'the fjords'}`;
/** As spreadsheets of Norway save it. */
const table = [
  'City;Headline;Lead;Telephone;E-mail',
  ...rows.map(([city, ...contact]) =>
    [
      city,
      headlineOf(city),
      `We’re at home in ${city || 'the fjords'} – come and say “hei”.`,
      ...contact,
    ].join(';'),
  ),
].join('\r\n');

describe('a messy table in the console', function () {
  this.timeout(300_000);
  stopAfterFailure();
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;
  let site: string;
  /** Of the new pages, by their cities; the second Bergen is `Bergen 2`. */
  const slugs: string[] = [];

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service, site } = started);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const rowOf = (id: number) =>
    page.getByRole('row').filter({ has: page.getByLabel(`Address of row ${id}`, { exact: true }) });
  const addressOf = (id: number) => page.getByLabel(`Address of row ${id}`, { exact: true });
  const cards = () => page.getByRole('article');
  /** The things to check, of all tasks on the screen. */
  async function thingsToCheck(): Promise<number> {
    const texts = await page.getByText(/\d+ things? to check/).allInnerTexts();
    return texts.reduce((sum, text) => sum + Number(/(\d+) things? to check/.exec(text)![1]), 0);
  }
  async function liveText(slug: string): Promise<string> {
    const { status, text } = await service.request(
      'GET',
      `http://northwind.sites.localhost:${service.port}${slug}`,
    );
    expect(status, slug).to.equal(200);
    return text;
  }

  it('is read in the encoding of its file', async () => {
    await page.goto(`${site}/new-task?template=/locations/austin`);
    const bytes = encode(table, 'windows-1252');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'byer.csv', mimeType: 'text/csv', buffer: Buffer.from(bytes) });
    await rowOf(2).getByText('Web design in Tromsø', { exact: true }).waitFor();
    await rowOf(3).getByText('We’re at home in Ålesund – come and say “hei”.').waitFor();
    expect(await page.getByLabel('Read as').inputValue()).to.equal('windows-1252');
  });

  it('shows what is wrong with each row before anything starts', async () => {
    await until(
      'the rows to be checked',
      async () => (await page.getByText('Checking').count()) === 0,
    );
    await rowOf(blank).getByText('The row needs an address.').waitFor();
    await rowOf(foreign).getByText('This is an address on another site, other.example.').waitFor();
    expect(await addressOf(twin).inputValue()).to.equal('/locations/bergen-2');
    await page
      .getByRole('button', { name: new RegExp(`^Row ${mistyped}: 1 cell to check`) })
      .waitFor();
    await page.getByRole('button', { name: new RegExp(`^Row ${broken}: 1 cell to check`) }).click();
    await page
      .getByText('"#REF!" is an error value of a spreadsheet and is not used.', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: `Remove row ${foreign}` }).click();
    await page.getByText(`Row ${blank} needs to be fixed before you can start.`).waitFor();
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await page.getByText('10 pages. Nothing goes live until you publish it.').waitFor();
    await page.reload();
    await page.getByText('10 pages. Nothing goes live until you publish it.').waitFor();
  });

  it('becomes ten pages, which show the facts of Austin', async () => {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await cards().nth(9).waitFor();
    expect(await cards().count()).to.equal(10);
    for (const card of await cards().all()) slugs.push((await card.getAttribute('aria-label'))!);
    expect(slugs).to.include.members(['/locations/bergen', '/locations/bergen-2']);
    const shown = cards().first().frameLocator('iframe[title="Preview"]');
    await shown.getByRole('heading', { level: 1, name: headlineOf('Oslo') }).waitFor();
  });

  it('loses a fact on all of its pages with one button', async () => {
    const [before, made] = [await thingsToCheck(), page.url()];
    await cards()
      .first()
      .getByRole('button', { name: /^Remove: 2 quotes of the template/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Remove it from the page?' });
    await dialog
      .getByLabel('Where')
      .selectOption({ label: 'All 10 pages of this task that have it' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await until('fewer things to check', async () => (await thingsToCheck()) === before - 10);
    expect(page.url(), 'the same task').to.equal(made);
    const removals = cards().getByRole('button', { name: /^Remove: 2 quotes of the template/ });
    expect(await removals.count()).to.equal(0);
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByRole('button', { name: /^Undo/ }).click();
    await until('the notes are open again', async () => (await thingsToCheck()) === before);
    await removals.first().click();
    await dialog
      .getByLabel('Where')
      .selectOption({ label: 'All 10 pages of this task that have it' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await until('fewer things to check', async () => (await thingsToCheck()) === before - 10);
  });

  it('goes live with its letters, without junk, and without the fact', async () => {
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Publish/ })
      .click();
    await page.getByRole('link', { name: 'Live page' }).nth(9).waitFor();
    expect(await page.getByRole('button', { name: /^Publish/ }).count()).to.equal(0);
    const texts = await Promise.all(slugs.map(liveText));
    for (const [at, text] of texts.entries()) {
      expect(text, slugs[at]).to.not.include(inAustin);
      expect(text, slugs[at]).to.not.match(/#REF!|not-an-email|�|Ã|other\.example/);
    }
    const cities = rows.filter((_, at) => ![blank, foreign].includes(at + 1)).map(([city]) => city);
    for (const city of new Set(cities)) {
      const own = texts.filter((text) => text.includes(`<h1>${headlineOf(city)}</h1>`));
      expect(own, city).to.have.length(city === 'Bergen' ? 2 : 1);
      for (const text of own)
        expect(text).to.include(`We’re at home in ${city} – come and say “hei”.`);
    }
  });
});
