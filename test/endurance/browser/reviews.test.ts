// Takes long: a browser reviews the pages of a batch and publishes them, on the real service.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { holdRequests } from '../../helpers/holdRequests.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { until } from '../../helpers/until.ts';

const names =
  'Lisbon Porto Faro Braga Evora Coimbra Aveiro Leiria Setubal Viseu Guarda Beja Sintra Tomar Lagos';
const rowFor = (town: string, phone: string, slug = town.toLowerCase()) => ({
  targetPageSlug: `/locations/${slug}`,
  context: `City: ${town}\nHeadline: Web design in ${town}\nPhone: ${phone}`,
});
const rows = names
  .split(' ')
  .map((town, index) => rowFor(town, `+351 21 555 01${String(index).padStart(2, '0')}`));
/** A long headline, and an address from an empty cell. */
const oddRows = [
  rowFor('Vila Nova de Famalicao e Santo Antonio das Areias', '+351 21 555 0199', 'famalicao'),
  rowFor('Sagres', '+351 21 555 0198', 'n-a'),
];

describe('the review of a batch in the console', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;
  let batchId: string;

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service } = started);
    ({ batchId } = await service.client.batches.create([...rows, ...oddRows], {
      siteId: service.demo.siteId,
      templatePageSlug: '/locations/austin',
      title: 'Portugal',
    }));
    await page.goto(`http://localhost:${service.port}/batches/${batchId}`);
    await heading('Portugal', page);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const look = () => page.getByRole('region', { name: 'Look' });
  const cards = () => look().getByRole('list', { name: 'Pages to look at' }).locator(':scope > li');
  const untilFocused = (label: string) =>
    until(`the focus on ${label}`, async () => {
      const focused = 'document.activeElement.closest(".review-card")?.ariaLabel ?? null';
      return (await page.evaluate(focused)) === label;
    });
  const reviews = async () =>
    (
      await service.request('GET', `/api/v1/agent/batches/${batchId}/reviews`, {
        headers: { Authorization: `Bearer ${service.demo.apiKey}` },
      })
    ).json as { pages: { slug: string; version: string; verdict: string }[] };
  const verdictOf = async (slug: string) =>
    (await reviews()).pages.find((reviewed) => reviewed.slug === slug)?.verdict;

  it('shows odd pages first, each with the reason, and folds the pages that are alike', async () => {
    await look()
      .getByRole('heading', { name: `${rows.length} pages that are alike` })
      .waitFor();
    const labels = await cards().evaluateAll((items: { ariaLabel: string }[]) =>
      items.map(({ ariaLabel }) => ariaLabel),
    );
    expect(labels).to.deep.equal([
      '/locations/famalicao',
      '/locations/n-a',
      `${rows.length} pages that are alike`,
    ]);
    for (const index of [0, 1])
      expect(
        await cards().nth(index).getByRole('list', { name: 'Why to look' }).isVisible(),
      ).to.equal(true);
    await expectScreen(page);
  });

  it('goes through the pages with keys, and shows each beside its template', async () => {
    await page.keyboard.press('j');
    await untilFocused('/locations/famalicao');
    await page.keyboard.press(' ');
    const dialog = page.getByRole('dialog', { name: '/locations/famalicao' });
    await dialog.getByText('Template: /locations/austin').waitFor();
    const frame = dialog.frameLocator('iframe').first();
    await frame.getByRole('heading', { level: 1, name: /Famalicao/ }).waitFor();
    await expectScreen(page);
    await page.keyboard.press(' ');
    await dialog.waitFor({ state: 'detached' });
    await untilFocused('/locations/famalicao');
    await page.keyboard.press(' ');
    await dialog.waitFor();
    await page.keyboard.press('j');
    await page.getByRole('dialog', { name: '/locations/n-a' }).waitFor();
    await page.keyboard.press(' ');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await untilFocused('/locations/n-a');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('The next page').waitFor();
    await page.keyboard.press('Escape');
  });

  it('accepts no marks while the pages are being changed, and then shows the new versions', async () => {
    const versionOf = async (slug: string) =>
      (await reviews()).pages.find((reviewed) => reviewed.slug === slug)!.version;
    const formerVersion = await versionOf('/locations/lagos');
    const isRemoval = (method: string, url: string) => method === 'PATCH' && url.endsWith('/notes');
    const sentNotes: string[][] = [];
    page.on('request', (request) => {
      if (isRemoval(request.method(), request.url()))
        sentNotes.push((request.postDataJSON() as { notes: string[] }).notes);
    });
    const release = await holdRequests(page, isRemoval);
    const removals = page.getByRole('button', { name: /^Remove on all 17: / });
    const removalCount = await removals.count();
    expect(removalCount).to.be.at.least(3);
    for (let left = removalCount; left > 0; left--) {
      await removals.first().click();
      await until('the note left the list', async () => (await removals.count()) < left);
    }
    await page.getByText(`What ${removalCount} notes report is being removed`).waitFor();
    await look().getByText('The pages are being changed. You can look').waitFor();
    expect(await cards().count()).to.equal(0);
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await release();
    await page.getByText(/ being removed/).waitFor({ state: 'detached' });
    // what a person decides while a removal runs is one request
    expect(sentNotes.map((notes) => notes.length)).to.deep.equal([1, removalCount - 1]);
    await cards().nth(2).waitFor();
    const shownVersion = await versionOf('/locations/lagos');
    expect(shownVersion).not.to.equal(formerVersion);
    expect(await verdictOf('/locations/famalicao')).to.equal('unseen');
  });

  it('stores marks by one key each, which others see after a reload', async () => {
    await cards().nth(1).focus();
    await page.keyboard.press('x');
    await cards().nth(1).getByText('Left out').waitFor();
    await untilFocused(`${rows.length} pages that are alike`);
    await page.keyboard.press('a');
    await cards().nth(2).getByText('All fine').waitFor();
    await until('the marks', async () => (await verdictOf('/locations/lagos')) === 'fine');
    await page.reload();
    await cards().nth(1).getByText('Left out · Owner').waitFor();
    await cards().nth(2).getByText('All fine').waitFor();
    expect(await verdictOf('/locations/n-a')).to.equal('left-out');
    expect(await verdictOf('/locations/famalicao')).to.equal('unseen');
    await expectScreen(page);
  });

  it('publishes the pages that are fine, and holds those that are left out or were not looked at', async () => {
    await look()
      .getByText(/^15 pages go live, 1 was not looked at and waits, 1 is left out, \d+ notes/)
      .waitFor();
    await page.getByRole('button', { name: 'Publish 15 pages' }).click();
    const dialog = page.getByRole('dialog');
    const publish = dialog.getByRole('button', { name: 'Publish', exact: true });
    await publish.waitFor();
    await expectScreen(page);
    await publish.click();
    const rowsNow = async () => (await service.client.batches.get(batchId)).rows;
    await until('the publish', async () => (await rowsNow()).published === 15);
    expect(await rowsNow()).to.include({ held: 2, committed: 0 });
    const published = await Array.fromAsync(
      service.client.batches.rows(batchId, { state: 'published' }),
    );
    const live = async (slug: string) =>
      (await service.request('GET', new URL(slug, published[0]!.publishedUrl!).href)).status;
    expect(await live('/locations/lisbon')).to.equal(200);
    expect(await live('/locations/famalicao')).to.equal(404);
    expect(await live('/locations/n-a')).to.equal(404);
    await until('the list', async () => (await cards().count()) === 2);
    await cards().nth(1).getByText('Left out · Owner').waitFor();
  });
});
