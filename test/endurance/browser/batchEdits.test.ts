// Takes long: a browser edits pages of a batch, on the real service, and publishes them.
// WALK_PICTURES=1 keeps pictures of each step in a temporary folder.
import { expect } from 'chai';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { heading } from '../../helpers/consolePeople.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { until } from '../../helpers/until.ts';

const pictures = process.env['WALK_PICTURES'] ? mkdtempSync(join(tmpdir(), 'edits-')) : undefined;

describe('pages of a batch in the console and the editor', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service } = started);
    if (pictures) console.log(`      pictures: ${pictures}`);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const picture = async (name: string, of = page) => {
    if (pictures) await of.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  };
  const row = (number: number) => page.getByRole('row', { name: `Row ${number}`, exact: true });
  const isRow = (number: number, state: string) =>
    row(number).getByText(state, { exact: true }).waitFor();
  const confirm = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const textOf = async (name: string, number: number) => {
    const url = await row(number).getByRole('link', { name }).getAttribute('href');
    return (await service.request('GET', url!)).text;
  };

  /** Types a headline in the editor, which opens from the row, and saves it. */
  async function edit(number: number, text: string): Promise<void> {
    const popup = page.waitForEvent('popup');
    await row(number).getByRole('link', { name: 'Edit' }).click();
    const editor = await popup;
    const shown = editor.frameLocator('#frame');
    await shown.getByRole('textbox', { name: 'Heading 1' }).fill(text);
    await editor.getByRole('button', { name: 'Save' }).click();
    await until('it is saved', async () => (await editor.textContent('#state'))?.includes('Saved'));
    await picture(`editor-${number}`, editor);
    expect(await editor.getByRole('button', { name: 'Publish' }).isVisible()).to.equal(false);
    await editor.close();
  }

  it('are edited from their rows, shown by the preview, and go live with the batch', async () => {
    const rows = ['Porto', 'Faro', 'Braga'].map((city) => ({
      targetPageSlug: `/locations/${city.toLowerCase()}`,
      context: `City: ${city}\nHeadline: Web design in ${city}`,
    }));
    const { batchId } = await service.client.batches.create(rows, {
      siteId: service.demo.siteId,
      templatePageSlug: '/locations/austin',
      title: 'Three towns',
    });
    await page.goto(`http://localhost:${service.port}/batches/${batchId}`);
    await heading('Three towns', page);
    await isRow(2, 'Ready');
    await edit(2, 'Faro by hand');
    expect(await textOf('Preview', 2)).to.include('Faro by hand</h1>');
    await picture('ready');
    await confirm('Publish');
    await isRow(2, 'Live');
    expect(await textOf('Live page', 2)).to.include('Faro by hand</h1>');
    expect(await textOf('Live page', 1)).to.include('Web design in Porto');

    await edit(1, 'Porto by hand');
    await isRow(1, 'Ready');
    expect(await textOf('Live page', 1)).to.include('Web design in Porto');
    await picture('edited');
    await confirm('Publish');
    await isRow(1, 'Live');
    expect(await textOf('Live page', 1)).to.include('Porto by hand</h1>');
    await picture('live');
  });

  it('are edited while they are held, and go live once they are approved', async () => {
    const rows = [{ targetPageSlug: '/locations/lagos', context: 'City: Lagos\nHeadline: Lagos' }];
    const { batchId } = await service.client.batches.create(rows, {
      siteId: service.demo.siteId,
      templatePageSlug: '/locations/austin',
      title: 'A held town',
      publish: true,
      holdBelow: 1,
    });
    await page.goto(`http://localhost:${service.port}/batches/${batchId}`);
    await isRow(1, 'Held');
    await edit(1, 'Lagos by hand');
    await picture('held');
    await page.getByRole('button', { name: 'Approve row 1', exact: true }).click();
    await isRow(1, 'Live');
    expect(await textOf('Live page', 1)).to.include('Lagos by hand</h1>');
  });
});
