// Takes long: a person takes three tables from the file to live pages, in a browser. Takes pictures if
// PICTURES names a folder.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { CountedInputs } from '../../helpers/countedInputs.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { pastedRowCount, type ReviewTable, reviewTables } from '../../helpers/reviewTables.ts';
import { stopAfterFailure } from '../../helpers/stopAfterFailure.ts';
import { until } from '../../helpers/until.ts';

/** Removing a fact from 300 pages takes minutes. */
const STEP_MS = pastedRowCount > 40 ? 1_500_000 : 300_000;

describe('the flow from a table to live pages', function () {
  this.timeout(pastedRowCount > 40 ? 3_600_000 : 900_000);
  stopAfterFailure();
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;
  let site: string;

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service, site } = started);
    await page.setViewportSize({ width: 1440, height: 900 });
    page.setDefaultTimeout(STEP_MS);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const openNotes = () => page.getByRole('list', { name: 'Open notes' }).locator(':scope > li');
  const entries = () => page.getByRole('list', { name: 'Pages to look at' }).locator(':scope > li');

  const inspect = async ({ isInspected }: ReviewTable, name: string) => {
    if (isInspected) await expectScreen(page, `review-${name}`);
  };

  /** Gives the table, and starts its batch with five first pages. */
  async function startBatch(inputs: CountedInputs, table: ReviewTable): Promise<void> {
    await page.goto(`${site}/new-task?template=/locations/austin`);
    if (typeof table.source === 'string') {
      await inputs.click(page.getByLabel('Table', { exact: true }));
      await page.getByLabel('Table', { exact: true }).fill(table.source);
      inputs.keys++;
      await inputs.click(button('Use this table'));
    } else {
      await page.locator('input[type=file]').setInputFiles(table.source);
      inputs.clicks += 2;
    }
    const header = page.getByLabel('Which row names the columns?');
    const chosen = header.locator('option:checked');
    expect(await chosen.textContent()).to.include(table.headerRow);
    for (const column of table.leftOutColumns)
      await inputs.choose(page.getByLabel(`Use of ${column}`), 'Leave out');
    await until('the check', async () => (await page.getByText('Checking').count()) === 0);
    if (table.brokenRows > 0)
      await inputs.click(button(/^Leave (?:it out|out all \d+ with problems)$/));
    await page.getByText(`${table.pages} pages, in a batch.`).waitFor();
    await inputs.choose(page.getByLabel('First pages'), 'Create 5 first, then ask me');
    await inputs.type(page.getByLabel('Title of the batch (optional)'), table.title);
    await inspect(table, '1-table');
    await inputs.click(button('Start'));
    await heading(table.title, page);
    await page.getByText('Waits for your approval').waitFor();
    await inputs.click(button('Create the rest'));
    await inputs.click(page.getByRole('dialog').getByRole('button', { name: 'Create the rest' }));
    await page.getByText('Ready to review', { exact: true }).first().waitFor();
  }

  /** Decides on each different note: removes facts of the template, and keeps everything else. */
  async function decideNotes(inputs: CountedInputs, table: ReviewTable): Promise<number> {
    const { pages } = table;
    await page.getByText(new RegExp(`^${pages} pages, each with the texts that differ`)).waitFor();
    await openNotes().first().waitFor();
    await inspect(table, '2-decide');
    const allDecided = page.getByRole('heading', { name: 'All notes are decided' });
    const openTexts = () => openNotes().allInnerTexts();
    let count = 0;
    for (; (await allDecided.count()) === 0; count++) {
      const note = openNotes().first();
      const text = await inputs.read(note);
      const remove = note.getByRole('button', { name: /^Remove/ });
      const keep = note.getByRole('button', { name: /^Keep/ });
      await inputs.click((await remove.count()) > 0 ? remove : keep);
      await until('the note is decided', async () => !(await openTexts()).includes(text));
    }
    return count;
  }

  /** The label of the entry that the keys are for. */
  const currentEntry = () =>
    page.evaluate('document.activeElement.closest(".review-card")?.ariaLabel ?? null');

  /**
   * Looks through all entries with keys only. Leaves out the first odd page, skips the second one,
   * and marks the others as fine.
   * @returns the slugs that were left out and skipped
   */
  async function lookThrough(inputs: CountedInputs, table: ReviewTable): Promise<string[]> {
    const { pages } = table;
    await page.getByText(new RegExp(`^${pages} pages, each with the texts that differ`)).waitFor();
    const labels: string[] = await entries().evaluateAll((items: { ariaLabel: string }[]) =>
      items.map(({ ariaLabel }) => ariaLabel),
    );
    const isPage = (label: string) => label.startsWith('/');
    const [leftOut, unseen] = labels.filter(isPage);
    const untilAt = (label: string) =>
      until(`the focus on ${label}`, async () => (await currentEntry()) === label);
    await inspect(table, '3-look');
    await inputs.press('j');
    for (const [index, label] of labels.entries()) {
      await untilAt(label);
      if (index === 0) await inspectEnlarged(table);
      await inputs.read(entries().nth(index));
      await inputs.press(label === leftOut ? 'x' : label === unseen ? 'j' : 'a');
    }
    const sentence =
      unseen === undefined ? /go live, 1 is/ : /, 1 was not looked at and waits, 1 is/;
    await page.getByText(sentence).waitFor();
    return [leftOut, unseen].filter((slug) => slug !== undefined);
  }

  /** The page that the keys are for, beside its template. */
  async function inspectEnlarged(table: ReviewTable): Promise<void> {
    if (!table.isInspected) return;
    const label = await currentEntry();
    await page.keyboard.press(' ');
    const dialog = page.getByRole('dialog');
    const frames = dialog.locator('iframe');
    await frames.nth(1).contentFrame().getByRole('heading', { level: 1 }).waitFor();
    await inspect(table, '4-enlarged');
    await page.keyboard.press(' ');
    await dialog.waitFor({ state: 'detached' });
    await until('the focus of before', async () => (await currentEntry()) === label);
  }

  /**
   * Reviews the pages as a guest with a share link, on a phone: says what is wrong with one page,
   * and that the others are fine.
   */
  async function reviewOnPhone(pages: number, wrongSlug: string): Promise<CountedInputs> {
    const batchId = new URL(page.url()).pathname.split('/').at(-1)!;
    const { url } = await service.client.batches.share(batchId, { access: 'comment', days: 1 });
    const context = await page
      .context()
      .browser()!
      .newContext({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        reducedMotion: 'reduce',
      });
    const phone = await context.newPage();
    phone.setDefaultTimeout(STEP_MS);
    await phone.goto(url);
    const inputs = new CountedInputs(phone);
    const tap = (name: string | RegExp) =>
      inputs.tap(phone.getByRole('button', { name, exact: true }));
    const status = phone.getByText(new RegExp(`^\\d+ of ${pages} · `));
    const slug = phone.getByRole('heading', { level: 1 });
    const alike = phone.getByRole('button', { name: /^Approve \d+ pages alike$/ });
    const nameField = phone.getByLabel('Your name');
    await status.waitFor();
    await expectScreen(phone, 'review-8-guest');
    while (!(await status.innerText()).includes(` ${pages} answered`)) {
      const formerStatus = await status.innerText();
      await inputs.read(phone.getByRole('region', { name: 'What is different' }));
      if ((await slug.innerText()) === wrongSlug) {
        await tap('Something is wrong…');
        await inputs.type(phone.getByLabel(/^On /), 'Wrong phone');
        if ((await nameField.inputValue()) === '') await inputs.type(nameField, 'Chris');
        await tap('Send');
        await phone.getByRole('dialog').waitFor({ state: 'detached' });
        await tap('Next');
      } else {
        await ((await alike.count()) > 0 ? inputs.tap(alike) : tap('Fine'));
        if ((await nameField.count()) > 0) {
          await inputs.type(nameField, 'Chris');
          await tap('Continue');
        }
      }
      await until('the answer', async () => (await status.innerText()) !== formerStatus);
    }
    await phone.getByText('You have looked at all pages').waitFor();
    await context.close();
    return inputs;
  }

  const liveStatus = async (url: string) => (await service.request('GET', url)).status;
  const deploymentCount = async () => {
    const { json } = await service.request(
      'GET',
      `/api/v1/sites/${service.demo.siteId}/deployments`,
    );
    return (json as { deployments: unknown[] }).deployments.length;
  };

  /** Publishes, and checks with requests that exactly the marked pages are live. */
  async function publishPages(
    inputs: CountedInputs,
    table: ReviewTable,
    waiting: string[],
  ): Promise<void> {
    const deploymentsBefore = await deploymentCount();
    const fineCount = table.pages - waiting.length;
    await inspect(table, '5-looked');
    await inputs.click(button(`Publish ${fineCount} pages`));
    await inspect(table, '6-publish');
    await inputs.read(page.getByRole('dialog'));
    await inputs.click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
    const batchId = new URL(page.url()).pathname.split('/').at(-1)!;
    const { client } = service;
    await until(
      'the publish',
      async () => (await client.batches.get(batchId)).rows.published === fineCount,
      STEP_MS,
    );
    const published = await Array.fromAsync(client.batches.rows(batchId, { state: 'published' }));
    const statuses = await Promise.all(
      published.map(({ publishedUrl }) => liveStatus(publishedUrl!)),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    const publishedUrl = published[0]!.publishedUrl!;
    for (const slug of waiting)
      expect(await liveStatus(new URL(slug, publishedUrl).href), slug).to.equal(404);
    expect(await deploymentCount()).to.equal(deploymentsBefore + 1);
    await inspect(table, '7-live');
  }

  for (const table of reviewTables)
    it(`takes the ${table.pages} pages of “${table.title}” live`, async () => {
      const inputs = new CountedInputs(page);
      await startBatch(inputs, table);
      const notes = await decideNotes(inputs, table);
      const waiting = await lookThrough(inputs, table);
      const entryCount = await entries().count();
      if (table.hasGuest) {
        const { taps, keys, personMinutes } = await reviewOnPhone(table.pages, waiting[1]!);
        console.log(
          `      a guest on a phone: ${table.pages} pages, ${taps} taps, ${keys} keys, ` +
            `about ${personMinutes.toFixed(1)} min of a person`,
        );
        expect(taps).to.be.at.most(10 + entryCount);
      }
      await publishPages(inputs, table, waiting);
      const different = notes + entryCount + table.leftOutColumns.length;
      console.log(
        `      ${table.title}: ${table.pages} pages, ${notes} different notes, ${entryCount} entries, ` +
          `${inputs.clicks} clicks, ${inputs.keys} keys, ${inputs.machineMinutes.toFixed(1)} min ` +
          `of the machine, about ${inputs.personMinutes.toFixed(1)} min of a person`,
      );
      // The start and the publish take the same inputs for each table. Each different thing takes
      // one, or two where a list is opened first.
      expect(inputs.total).to.be.at.most(15 + table.title.length + 2 * different);
      expect(inputs.total).to.be.at.most(60);
    });
});
