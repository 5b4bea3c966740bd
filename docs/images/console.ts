import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { Service } from '../../test/helpers/service.ts';

const WINDOW = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const;
const cities = [
  'Lisbon',
  'Porto',
  'Braga',
  'Coimbra',
  'Faro',
  'Évora',
  'Aveiro',
  'Leiria',
  'Viseu',
  'Setúbal',
];
const table = [
  'City\tHeadline\tLead',
  ...cities.map(
    (city) => `${city}\tWeb design in ${city}\tWebsites for the shops and studios of ${city}.`,
  ),
].join('\n');

/**
 * Makes the pictures of the console: from the printed link over a table to a page that is edited by
 * hand.
 * @param service with an empty data folder, so that it has printed its link
 * @returns the pictures by name
 */
export async function shootConsole(
  service: Service,
  browser: Browser,
): Promise<Record<string, Buffer>> {
  const page = await browser.newPage(WINDOW);
  await enter(page, service);
  await page.getByRole('link', { name: 'Northwind', exact: true }).click();
  const template = page.getByRole('link', { name: 'Use as template: Web design in Austin' });
  await template.waitFor();
  const site = await page.screenshot();

  await template.click();
  await page.getByLabel('Table', { exact: true }).fill(table);
  await page.getByRole('button', { name: 'Use this table' }).click();
  await page.getByLabel('Page that links to the new ones').selectOption('/locations');
  await page.getByRole('button', { name: /^Row 10: .* facts? from Austin/ }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).scrollIntoViewIfNeeded();
  const rows = await page.screenshot();

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const lisbon = page.getByRole('article', { name: '/locations/lisbon' });
  for (const title of ['Preview', 'Template: /locations/austin'])
    await drawn(lisbon.frameLocator(`iframe[title="${title}"]`));
  const task = await page.screenshot();

  const opened = page.waitForEvent('popup');
  await lisbon.getByRole('link', { name: 'Edit', exact: true }).click();
  const editor = await opened;
  await editor.setViewportSize(WINDOW.viewport);
  await editor.frameLocator('#frame').getByText('Web design in Lisbon').first().click();
  await drawn(editor.frameLocator('#frame'));
  return {
    'console-site': site,
    'console-table': rows,
    'console-task': task,
    'console-editor': await editor.screenshot({ clip: { x: 0, y: 0, width: 1280, height: 640 } }),
  };
}

async function enter(page: Page, { launched }: Service): Promise<void> {
  await page.goto(/http\S+\/welcome#token=\S+/.exec(launched.stderr)![0]);
  await page.getByLabel('Your name').fill('Maren Holt');
  await page.getByLabel('E-mail').fill('maren@northwind.example');
  await page.getByLabel('Password').fill('four plain words here');
  await page.getByRole('button', { name: 'Begin' }).click();
}

/** Waits for the pictures of a page in a frame. Lazy ones further down would not come. */
async function drawn(frame: FrameLocator): Promise<void> {
  await frame.locator('h1').first().waitFor();
  await frame
    .locator('body')
    .evaluate(
      "Promise.allSettled([...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode()))",
    );
}
