// Takes long: a browser reviews the pages of a task and publishes them, on the real service.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import type { TaskView } from '../../../src/contract/task.ts';
import { outputOf } from '../../helpers/views.ts';
import { until } from '../../helpers/until.ts';

const slugOf = (town: string) => `/locations/${town.toLowerCase()}`;
const rowFor = (town: string, index: number) => ({
  targetPageSlug: slugOf(town),
  context: `City: ${town}\nHeadline: Web design in ${town}\nCustomer rating: 4.${index + 1}`,
});

describe('the review of a task in the console', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;
  let taskId: string;

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service } = started);
    ({ taskId } = await service.client.tasks.create({
      siteId: service.demo.siteId,
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      linkFrom: '/locations',
      items: ['Lisbon', 'Porto', 'Faro'].map(rowFor),
      title: 'Three towns',
    }));
    await service.client.tasks.waitFor(taskId);
    await page.goto(`http://localhost:${service.port}/tasks/${taskId}`);
    await heading('Three towns', page);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const look = () => page.getByRole('region', { name: 'Look' });
  const card = (slug: string) => look().getByRole('listitem', { name: slug, exact: true });
  const dialog = () => page.getByRole('dialog');
  const openTask = async () => {
    await page.goto(`http://localhost:${service.port}/tasks/${taskId}`);
    await heading('Three towns', page);
  };

  it('gives an unused value a place on all pages that have it, and undoes that', async () => {
    const pageOf = async (town: string) => {
      const { pagesCreated } = outputOf((await service.client.tasks.get(taskId)) as TaskView);
      const { previewUrl } = pagesCreated.find(({ slug }) => slug === slugOf(town))!;
      return (await service.request('GET', previewUrl!)).text;
    };
    const before = await pageOf('Porto');
    await page
      .getByRole('article', { name: slugOf('Porto') })
      .getByRole('button', { name: /^Use it as …: .*customer rating/i })
      .click();
    await expectScreen(page);
    await dialog().getByLabel('Customer rating').selectOption('Rating');
    await dialog()
      .getByLabel('Where')
      .selectOption({ label: 'All 3 pages of this task that have it' });
    await dialog().getByRole('button', { name: 'Use', exact: true }).click();
    await page.getByText('Changed on 3 pages.').waitFor();
    expect(await pageOf('Porto')).to.include('Rated 4.2 out of 5');
    expect(await pageOf('Faro')).to.include('Rated 4.3 out of 5');
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByText('Use "customer rating" as Rating on 3 pages').waitFor();
    await versions.getByRole('button', { name: 'Undo' }).click();
    await until('the page before', async () => (await pageOf('Porto')) === before);
  });

  it('leaves out the page that somebody marks with X, and publishes the others', async () => {
    await look()
      .getByText(/^4 pages go live, \d+ notes on them are open\.$/)
      .waitFor();
    await look().getByRole('button', { name: 'Show all 3' }).click();
    await card(slugOf('Porto')).focus();
    await page.keyboard.press('x');
    await card(slugOf('Porto')).getByText('Left out').waitFor();
    await look()
      .getByText(/^3 pages go live, 1 is left out, \d+ notes on them are open\.$/)
      .waitFor();
    await expectScreen(page);
    await look().getByRole('button', { name: 'Publish 3 pages' }).click();
    await dialog().getByText('1 page is left out: /locations/porto').waitFor();
    await expectScreen(page);
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Live', { exact: true }).first().waitFor();
    const { taskId: publishId } = (await service.client.tasks.list({ type: 'publish' }).next())
      .value as { taskId: string };
    const published = outputOf(await service.waitForTask(publishId));
    const { publishedUrl } = published.pagesCreated[0]!;
    const live = (slug: string) => service.request('GET', new URL(slug, publishedUrl!).href);
    expect((await live(slugOf('Lisbon'))).status).to.equal(200);
    expect((await live(slugOf('Porto'))).status).to.equal(404);
    expect((await live('/locations/')).text)
      .to.include('Faro')
      .and.to.not.include('Porto');
  });

  it('shows what was left out, and puts it back by an undo', async () => {
    await openTask();
    const article = page.getByRole('article', { name: slugOf('Porto') });
    await article.getByText('Left out', { exact: true }).waitFor();
    const versions = page.getByRole('region', { name: 'Versions' });
    await versions.getByRole('button', { name: `Undo: Leave out ${slugOf('Porto')}` }).click();
    await page.getByText('Undone').waitFor();
    await look().getByRole('button', { name: 'Show all 3' }).click();
    await card(slugOf('Porto'))
      .getByRole('button', { name: /^Put back/ })
      .click();
    await look()
      .getByText(/^4 pages go live/)
      .waitFor();
    await expectScreen(page);
  });

  it('shows the card of a new page of a batch where a note is about it', async () => {
    const rows = ['Braga', 'Tomar', 'Lagos', 'Sintra'].map(rowFor);
    const { batchId } = await service.client.batches.create(rows, {
      siteId: service.demo.siteId,
      templatePageSlug: '/locations/austin',
      linkFrom: '/locations',
      title: 'With cards',
    });
    await page.goto(`http://localhost:${service.port}/batches/${batchId}`);
    await page.getByText('Ready to review', { exact: true }).first().waitFor();
    const note = page
      .getByRole('list', { name: 'Open notes' })
      .locator(':scope > li')
      .filter({ hasText: 'block on /locations' })
      .first();
    await note.getByText(/^See \d of them$/).click();
    await note
      .getByRole('button', { name: /^Show its card on \/locations: / })
      .first()
      .click();
    const frame = dialog().frameLocator('iframe');
    const outlined = frame.locator('[style*="outline: "]');
    await outlined
      .getByText(/Braga|Tomar|Lagos|Sintra/)
      .first()
      .waitFor();
    expect(await outlined.count()).to.equal(1);
    await until('the card is in view', () =>
      outlined.evaluate((element: { getBoundingClientRect(): { top: number } }) => {
        const { top } = element.getBoundingClientRect();
        return top >= 0 && top < 2_000;
      }),
    );
    await expectScreen(page);
  });
});
