// Takes long: a browser makes pages from tables of more than ten rows, on the real service.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { batchLimits } from '../../../src/contract/batches/batch.ts';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { holdRequests } from '../../helpers/holdRequests.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { until } from '../../helpers/until.ts';

const towns = (start: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${start} ${at + 1}`);
const slugOf = (town: string) => `/locations/${town.toLowerCase().replace(' ', '-')}`;
const rowFor = (town: string) => ({
  targetPageSlug: slugOf(town),
  context: `City: ${town}\nHeadline: Web design in ${town}`,
});

describe('batches in the console', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;
  let site: string;
  let batch: string;

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service, site } = started);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  async function confirm(name: string): Promise<void> {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  const says = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const row = (number: number) => page.getByRole('row', { name: `Row ${number}`, exact: true });
  const isRow = (number: number, state: string) =>
    row(number).getByText(state, { exact: true }).waitFor();
  async function create(rows: object[], options: object = {}): Promise<string> {
    const { batchId } = await service.client.batches.create(
      rows as Parameters<typeof service.client.batches.create>[0],
      {
        siteId: service.demo.siteId,
        templatePageSlug: '/locations/austin',
        ...options,
      },
    );
    return batchId;
  }
  const open = (batchId: string) =>
    page.goto(`http://localhost:${service.port}/batches/${batchId}`);

  it('create one batch from a table of twelve rows, which waits after its first pages', async () => {
    await page.goto(`${site}/new-task?template=%2Flocations%2Faustin`);
    const lines = towns('Town', 12).map(
      (town, at) =>
        `${town}\tWeb design in ${town}\t${(3.1 + at / 10).toFixed(1)}\tWebsites that ${town} likes`,
    );
    const header = 'City\tHeadline\tGuest stars\tTeaser';
    await page.getByLabel('Table', { exact: true }).fill([header, ...lines].join('\n'));
    await press('Use this table');
    await page.getByRole('button', { name: /^Row 1: 2 cells not used/ }).waitFor();
    await page.getByLabel('Use of Guest stars').selectOption({ label: 'As “Rating”' });
    await page.getByRole('button', { name: /^Row 1: 1 cell not used/ }).waitFor();
    await says('12 pages, in a batch. Nothing goes live until you publish it.');
    await page.getByLabel('Title of the batch (optional)').fill('Twelve towns');
    await page.getByLabel('First pages').selectOption({ label: 'Create 5 first, then ask me' });
    await press('Start');
    await heading('Twelve towns', page);
    await says('Waits for your approval');
    await says('5 of 12 rows done');
    await isRow(5, 'Ready');
    await isRow(6, 'Waiting');
    batch = page.url();
    expect(new URL(batch).pathname).to.match(/^\/batches\/bg-/);
  });

  it('are still there after a reload and a new visit, and are listed among the tasks', async () => {
    await page.reload();
    await heading('Twelve towns', page);
    await page.getByRole('link', { name: 'Tasks', exact: true }).first().click();
    await heading('Tasks', page);
    const listed = page.getByRole('region', { name: 'Batches' });
    await listed.getByText(/7 waiting, 5 ready/).waitFor();
    await expectScreen(page);
    await listed.getByRole('link', { name: 'Twelve towns' }).click();
    await heading('Twelve towns', page);
    expect(page.url()).to.equal(batch);
    await page.goto(site);
    await page.goto(batch);
    await row(1).getByRole('link', { name: 'Preview' }).waitFor();
  });

  it('create the other pages after the first ones are approved, and go live when they are published', async () => {
    const look = page.getByRole('region', { name: 'Look' });
    await look.getByRole('listitem', { name: '5 pages that are alike' }).waitFor();
    const release = await holdRequests(page, (_, url) => url.endsWith('/reviews'));
    await press('Create the rest');
    await confirm('Create the rest');
    await look.getByText(/^7 pages are still being created\./).waitFor();
    await says('Ready to review');
    await look.getByText('The pages are being compared with the template.').waitFor();
    expect(await look.getByRole('listitem').count()).to.equal(0);
    await release();
    await look.getByRole('listitem', { name: '12 pages that are alike' }).waitFor();
    await says('12 of 12 rows done');
    await isRow(12, 'Ready');
    const preview = await row(12).getByRole('link', { name: 'Preview' }).getAttribute('href');
    const { text: lastPage } = await service.request('GET', preview!);
    expect(lastPage).to.include('Web design in Town 12').and.to.include('"ratingValue": 4.2');
    await expectScreen(page);
    const notes = page.getByRole('region', { name: 'Notes' });
    const open = notes.getByRole('list', { name: 'Open notes' }).getByRole('listitem');
    const shared = notes.getByRole('button', { name: /^Keep on all 12: / });
    const sharedCount = await shared.count();
    expect(sharedCount).to.be.above(0);
    const label = (await shared.first().getAttribute('aria-label'))!;
    const text = label.slice('Keep on all 12: '.length);
    const answer = await holdRequests(page, (method) => method === 'PATCH');
    await shared.first().click();
    await notes.locator('button[aria-busy=true]').waitFor();
    await expectScreen(page);
    await answer();
    await until('one note fewer', async () => (await shared.count()) === sharedCount - 1);
    expect(await open.filter({ hasText: text }).count()).to.equal(0);
    await notes.getByText('1 decided note').click();
    await expectScreen(page);
    await notes.getByRole('button', { name: `Undo: ${text}` }).click();
    await until('the note again', async () => (await shared.count()) === sharedCount);
    expect(lastPage).to.not.include('Websites that Town 12 likes');
    await notes.getByRole('button', { name: /^Use it as …: .*teaser/ }).click();
    await expectScreen(page);
    await page.getByRole('dialog').getByLabel('Teaser').selectOption('Lead');
    await confirm('Use');
    await page.getByText('Changed on 12 pages. You can undo this under Versions.').waitFor();
    const previewText = async () => (await service.request('GET', preview!)).text;
    expect(await previewText()).to.include('<p class="lead">Websites that Town 12 likes</p>');
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByText('Use "teaser" as Lead on 12 pages').waitFor();
    await versions.getByRole('button', { name: 'Undo' }).click();
    await until('the lead before', async () => (await previewText()) === lastPage);
    await notes.getByRole('button', { name: /^Use it as …: .*teaser/ }).waitFor();
    await press('All 12 are fine');
    await press('Publish 12 pages');
    await confirm('Publish');
    await isRow(12, 'Live');
    await says('Live');
    const live = await row(12).getByRole('link', { name: 'Live page' }).getAttribute('href');
    expect((await service.request('GET', live!)).text).to.include('Web design in Town 12');
    expect(await page.getByRole('button', { name: /Publish|Approve|Retry/ }).count()).to.equal(0);
  });

  it('let people publish held pages that are fine, and retry or skip failed pages', async () => {
    const rows = [
      ...towns('Burg', 54).map(rowFor),
      { ...rowFor('About'), targetPageSlug: '/about' },
    ];
    await open(await create(rows, { publish: true, holdBelow: 1, title: 'Many castles' }));
    await says('Ready to review');
    await isRow(1, 'Held');
    await press('Later rows');
    await row(55).getByText('Page already exists: /about').waitFor();
    await press('Earlier rows');
    await page.getByLabel('State').selectOption({ label: 'Failed (1)' });
    await row(55).waitFor();
    expect(await page.getByRole('row', { name: /^Row / }).count()).to.equal(1);
    await page.reload();
    await row(55).waitFor();
    await page.getByRole('button', { name: 'Retry 1 failed' }).click();
    await row(55).getByText('Page already exists: /about').waitFor();
    await until('it rests', async () => (await page.getByText('Running').count()) === 0);
    await press('All 54 are fine');
    await press('Publish 54 pages');
    await confirm('Publish');
    await says('Live, some failed');
    await page.getByRole('button', { name: 'Skip row 55' }).click();
    await confirm('Skip');
    await page.getByLabel('State').selectOption('');
    await press('Later rows');
    await isRow(54, 'Live');
    await isRow(55, 'Skipped');
    await says('Live');
  });

  it('let people skip all failed rows at once', async () => {
    const wrong = ['/about', '/pricing'].map((slug) => ({ ...rowFor('X'), targetPageSlug: slug }));
    await open(await create(wrong, { title: 'Villages' }));
    await press('Skip 2 failed');
    await page.getByRole('heading', { name: 'Skip all 2 failed rows?' }).waitFor();
    await confirm('Skip');
    await isRow(2, 'Skipped');
    expect(await page.getByRole('button', { name: /Skip|Retry|Publish/ }).count()).to.equal(0);
  });

  it('show, check and start a file with the largest number of rows in parts', async () => {
    const lines = towns('Large', batchLimits.rows).map(
      (town) => `${slugOf(town)},${town},On ${town}`,
    );
    lines[2_500] = '/locations/empty,,';
    lines[4_990] = '/about,Large,About Large';
    const [bare, taken] = [2_501, 4_991];
    await page.goto(`${site}/new-task?template=%2Flocations%2Faustin`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'large.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Slug,City,Lead', ...lines].join('\n')),
    });
    const addresses = page.getByLabel(/^Address of row/);
    const address = (id: number) => page.getByLabel(`Address of row ${id}`, { exact: true });
    await says('5000 rows');
    await page
      .getByText(`Rows ${bare} and ${taken} need to be fixed before you can start.`)
      .waitFor();
    expect(await addresses.count()).to.equal(50);
    await page.getByRole('button', { name: /^Row 50: / }).waitFor();
    await press('With problems (2)');
    await page.getByText('Page already exists: /about').waitFor();
    await page.getByText('The row has no text for its page.').waitFor();
    expect(await addresses.count()).to.equal(2);
    await expectScreen(page);
    await address(taken).fill('/about-large');
    await page.getByText(`Row ${bare} needs to be fixed before you can start.`).waitFor();
    expect(await address(taken).inputValue()).to.equal('/about-large');
    await address(taken).fill('/about');
    await page.getByText('Page already exists: /about').waitFor();
    await press('Leave out all 2 with problems');
    await page.getByText('4998 pages, in a batch. Nothing goes live until you publish').waitFor();
    await page.getByText('The embedded rules create the pages, without').waitFor();
    await press('Left out (2)');
    await press('Put all back');
    await press('All 5000 rows');
    await page.getByLabel('Shown rows').selectOption({ label: '4951 to 5000' });
    await page.getByText('Page already exists: /about').waitFor();
    expect(await page.getByRole('button', { name: 'Later', exact: true }).isDisabled()).to.equal(
      true,
    );
    await press('Earlier');
    await address(4_901).waitFor();
    await page.reload();
    await says('5000 rows');
    await press('Leave out all 2 with problems');
    await press('Start');
    await says('Running');
    await page.getByText(/ of 4998 rows done$/).waitFor();
    await press('Cancel');
    await confirm('Cancel the batch');
    await says('Cancelled');
  });

  it('can be paused, resumed and cancelled', async () => {
    const batchId = await create(towns('Ville', 300).map(rowFor), { title: 'Many towns' });
    await open(batchId);
    await press('Pause');
    await says('Paused');
    await press('Resume');
    await says('Running');
    await press('Cancel');
    await confirm('Cancel the batch');
    await says('Cancelled');
    expect(await page.getByRole('button', { name: /Resume|Pause|Cancel/ }).count()).to.equal(0);
    await expectScreen(page);
  });
});
