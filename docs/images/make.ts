/**
 * Makes the README's pictures: the template of its request, beside the page that the real service
 * makes from it, and the console. Run it with `npm run picture`. It prints the real replies too,
 * for the README.
 */
import { writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../test/helpers/browser.ts';
import { readmeRequest } from '../../test/helpers/documents.ts';
import { type Service, startService } from '../../test/helpers/service.ts';
import { shootConsole } from './console.ts';

const save = (name: string, png: Buffer) =>
  writeFileSync(new URL(`${name}.png`, import.meta.url), png);
const PAGE = { width: 1000, height: 860 };
const SCALE = 0.8;
const colorScheme = 'light';

interface Shot {
  caption: string;
  png: Buffer;
}

/** Sends the README's request, prints its replies, and waits for the new page. */
async function makePage(service: Service): Promise<string> {
  const { text } = await service.postTask({ ...readmeRequest().body, siteId: service.demo.siteId });
  console.log(text);
  const view = await service.waitForTask((JSON.parse(text) as { taskId: string }).taskId);
  console.log(JSON.stringify(view, null, 2));
  if (view.status !== 'completed') throw new Error(view.errorMessage);
  return view.output.pagesCreated[0]!.previewUrl!;
}

async function shoot(browser: Browser, url: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: PAGE, deviceScaleFactor: SCALE, colorScheme });
  await page.goto(url, { waitUntil: 'networkidle' });
  return await page.screenshot();
}

const figure = ({ caption, png }: Shot) => `
  <figure>
    <figcaption>${caption}</figcaption>
    <img src="data:image/png;base64,${png.toString('base64')}">
  </figure>`;

const style = `
  body { margin: 0; padding: 20px; display: inline-flex; gap: 20px; background: #e7ebee; }
  figure { margin: 0; background: #fff; border-radius: 10px; overflow: hidden; box-shadow: 0 2px 8px #0003; }
  figcaption { padding: 12px 20px; font: 600 20px/1.3 system-ui, sans-serif; color: #24292f; }
  img { display: block; }`;

/** Puts the pictures side by side into one. */
async function join(browser: Browser, shots: Shot[]): Promise<Buffer> {
  const page = await browser.newPage({ colorScheme });
  await page.setContent(`<style>${style}</style>${shots.map(figure).join('')}`);
  return await page.locator('body').screenshot();
}

const service = await startService({ isEmpty: true });
const chromium = await startBrowser();
try {
  const { templatePageSlug, items } = readmeRequest().body as {
    templatePageSlug: string;
    items: { targetPageSlug: string }[];
  };
  const template = `http://northwind.sites.localhost:${service.port}${templatePageSlug}`;
  const shots = [
    { caption: `Template: ${templatePageSlug}`, png: await shoot(chromium.browser, template) },
    {
      caption: `New page: ${items[0]!.targetPageSlug}`,
      png: await shoot(chromium.browser, await makePage(service)),
    },
  ];
  save('template-and-page', await join(chromium.browser, shots));
  for (const [name, png] of Object.entries(await shootConsole(service, chromium.browser)))
    save(name, png);
} finally {
  await chromium.close();
  await service.end();
}
