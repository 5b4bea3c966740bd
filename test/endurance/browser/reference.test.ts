// Takes long: a browser opens every operation of the reference.
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startApi, type TestApi } from '../../helpers/api.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { document } from '../../helpers/openapi.ts';
import { needProgram } from '../../helpers/programs.ts';

describe('the page at /docs, in Chromium', function () {
  this.timeout(300_000);
  let api: TestApi;
  let chromium: { browser: Browser; close(): Promise<void> };
  before(async function () {
    needProgram(this, 'Chromium');
    chromium = await startBrowser();
    api = await startApi();
  });
  after(async () => {
    await chromium?.close();
    await api?.close();
  });

  /** The page once the reference is there, with what it asked for and what went wrong on it. */
  async function open(width: number) {
    const page = await chromium.browser.newPage({ viewport: { width, height: 900 } });
    const requests: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    await page.goto(`http://127.0.0.1:${api.port}/docs`);
    await page
      .locator('.opblock')
      .nth(named().length - 1)
      .waitFor();
    return { page, requests, problems };
  }

  const named = () => {
    const paths = Object.entries({ ...document.paths, ...document.webhooks });
    return paths.flatMap(([path, { servers: _, ...methods }]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  };

  async function shown(page: Page) {
    const [methods, paths] = [page.locator('.opblock-summary-method'), page.locator('.opblock-summary-path')];
    const texts = await paths.allTextContents();
    return (await methods.allTextContents()).map((method, i) => `${method} ${texts[i]!.replaceAll('\u200b', '')}`);
  }

  for (const width of [1280, 390])
    it(`shows every operation and webhook at ${width} pixels, opens each, and asks only its own host`, async () => {
      const { page, requests, problems } = await open(width);
      expect(await shown(page)).to.have.members(named());
      let refusals = 0;
      for (let i = 0; i < named().length; i++) {
        // one at a time: with all of them open, each click takes seconds
        const click = () => page.evaluate(`document.querySelectorAll('.opblock-summary-control')[${i}].click()`);
        await click();
        await page.locator('.opblock.is-open .responses-table').first().waitFor({ timeout: 60_000 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
        refusals += await page.getByText('Forbidden: the API key has the role').count();
        await click();
        await page.locator('.opblock.is-open').waitFor({ state: 'detached', timeout: 60_000 });
      }
      expect(refusals).to.be.above(0);
      expect(requests.filter((url) => !/^(http:\/\/127\.0\.0\.1:\d+\/(docs|api\/v1\/openapi\.json)|data:)/.test(url)))
        .to.be.empty;
      expect(problems).to.be.empty;
      await page.close();
    });

  it('asks for no key, and its links lead somewhere', async () => {
    const { page } = await open(1280);
    expect(await page.locator('input[type=text], input[type=password], .authorize').count()).to.equal(0);
    for (const link of await page.locator('nav a').all()) {
      const path = await link.getAttribute('href');
      expect((await api.request('GET', path!)).status, path!).to.equal(200);
    }
    await page.close();
  });
});
