// Takes long: a browser settles and drops notes of pages, on the real service.
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectScreen } from '../../helpers/consolePeople.ts';
import { type OwnConsole, startOwnConsole } from '../../helpers/ownConsole.ts';
import { until } from '../../helpers/until.ts';

const cities = Array.from({ length: 12 }, (_, i) => `Town ${String.fromCharCode(65 + i)}`);

describe('notes in the console', function () {
  this.timeout(300_000);
  let started: OwnConsole | undefined;
  let service: OwnConsole['service'];
  let page: Page;
  let [firstTask, lastTask]: string[] = [];

  before(async function () {
    started = await startOwnConsole(this);
    ({ page, service } = started);
  });
  after(() => started?.close());
  afterEach(async function () {
    await started?.expectNoProblems(this);
  });

  const article = (slug: string) => page.getByRole('article', { name: slug, exact: true });
  const showAll = async (of: Locator) => {
    const all = of.getByRole('button', { name: /^Show all/ });
    if ((await all.count()) > 0) await all.click();
  };

  it('a task is shown with its pages', async () => {
    const start = (some: string[]) =>
      service.createTask({
        command: 'generate_pages',
        templatePageSlug: '/locations/austin',
        items: some.map((city) => ({
          targetPageSlug: `/locations/${city.toLowerCase().replace(' ', '-')}`,
          context: `City: ${city}\nHeadline: Web design in ${city}`,
        })),
      });
    const addressOf = (taskId: string) => `http://localhost:${service.port}/tasks/${taskId}`;
    firstTask = addressOf(await start(cities.slice(0, 10)));
    lastTask = addressOf(await start(cities.slice(10)));
    await page.goto(firstTask);
    await article('/locations/town-a').waitFor({ timeout: 60_000 });
  });

  it('a note is settled by a click, and opened again', async () => {
    const first = article('/locations/town-a');
    const open = () =>
      first.getByRole('list', { name: 'Notes', exact: true }).getByRole('listitem');
    await showAll(first);
    const count = await open().count();
    const keep = first.getByRole('button', { name: /^Keep: / }).first();
    await keep.click();
    await until('one is settled', async () => (await open().count()) === count - 1);
    await first.getByText('1 settled note').click();
    await first.getByText(/Kept on purpose by /).waitFor();
    await expectScreen(page);
    await first.getByRole('button', { name: /^Open again: / }).click();
    await until('it is open again', async () => (await open().count()) === count);
  });

  it('a note that is settled by the keyboard hands the focus to the next one, and the last one to its page', async () => {
    const last = article('/locations/town-b');
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.ariaLabel ?? document.activeElement.textContent',
      );
    await showAll(last);
    const keeps = last.getByRole('button', { name: /^Keep: / });
    const names = await keeps.evaluateAll((all: { ariaLabel: string }[]) =>
      all.map(({ ariaLabel }) => ariaLabel),
    );
    expect(names.length).to.be.above(1);
    await keeps.first().focus();
    for (const next of [...names.slice(1), '/locations/town-b']) {
      await page.keyboard.press('Enter');
      await until(`the focus at ${next}`, async () => (await focused()) === next);
    }
    await last.getByText(`${names.length} settled notes`).waitFor();
    expect(await focused()).to.equal('/locations/town-b');
  });

  it('quotes are dropped on all pages of a task that still say it', async () => {
    const first = article('/locations/town-a');
    await showAll(first);
    await first.getByRole('button', { name: /^Drop: 2 quotes of the template/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Take it out?' });
    await dialog
      .getByLabel('Where')
      .selectOption({ label: 'All 9 pages of this task that say it' });
    await expectScreen(page);
    await dialog.getByRole('button', { name: 'Drop', exact: true }).click();
    await page.waitForURL((url) => url.href !== firstTask);
    for (const slug of ['/locations/town-a', '/locations/town-j']) {
      await article(slug).waitFor({ timeout: 60_000 });
      await showAll(article(slug));
      const notes = article(slug).getByRole('list', { name: 'Notes', exact: true });
      await notes.getByText('The rating').first().waitFor();
      expect(await notes.getByText(/quotes of the template/).count(), slug).to.equal(0);
    }
    await page.goto(firstTask!);
    await article('/locations/town-j').getByText('1 settled note').click();
    await article('/locations/town-j')
      .getByText(/Dropped by .* in another task/)
      .waitFor();
  });

  it('settled all, nothing is to check', async () => {
    await page.goto(lastTask!);
    await page.getByText(/\d+ things to check/).waitFor();
    for (const slug of ['/locations/town-k', '/locations/town-l']) {
      await article(slug)
        .getByRole('button', { name: /^All \d+ are done$/ })
        .click();
      await until(
        `${slug} has none left`,
        async () =>
          (await article(slug)
            .getByRole('button', { name: /^Done: / })
            .count()) === 0,
      );
    }
    for (const note of await page.getByRole('button', { name: /^Done: / }).all())
      await note.click();
    await page.getByText('all checked').waitFor();
    await expectScreen(page);
  });
});
