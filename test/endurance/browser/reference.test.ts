// Takes long: a browser opens operations of the reference, which takes it seconds for each.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { keys, startApi, type TestApi } from '../../helpers/api.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { expectAccessible } from '../../helpers/consolePeople.ts';
import { document } from '../../helpers/openapi.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';

const widths = [1280, 390];

/**
 * Swagger UI reads the whole document for each operation that is opened, which takes seconds, and
 * longer with all of them open.
 */
const OPEN_AT_ONCE = 7;
const WITHIN_MS = 120_000;

const webhooks = document.components.pathItems;
const named = Object.entries({ ...document.paths, ...webhooks }).flatMap(
  ([path, { servers: _, ...methods }]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Which of them are opened: one in so many, as they are made of the same parts. */
const EVERY = 15;
const opened = named.map((_, index) => index).filter((index) => index % EVERY === 0);

/** Open operations, in a window of one of the widths. */
interface Open {
  pageWidth: number;
  refusesRoles: boolean;
}
const open = '.opblock.is-open';
const control = '.opblock-summary-control';
const click = (controls: string) => `for (const control of ${controls}) control.click()`;
const countOpen = `document.querySelectorAll('${open}').length`;
const countShown = `document.querySelectorAll('${open}:has(.responses-table)').length`;
const look = `({
  pageWidth: document.documentElement.scrollWidth,
  refusesRoles: [...document.querySelectorAll('${open}')].some(({ textContent }) =>
    textContent.includes('This key has the role viewer')),
})`;

describe('the page at /docs, in Chromium', function () {
  this.timeout(3 * WITHIN_MS * Math.ceil(opened.length / OPEN_AT_ONCE));
  let api: TestApi;
  let chromium: Awaited<ReturnType<typeof startBrowser>>;
  let page: Page;
  const requests: string[] = [];
  const problems: string[] = [];
  before(async function () {
    needProgram(this, 'Chromium');
    chromium = await startBrowser();
    api = await startApi();
    page = await chromium.browser.newPage();
    page.setDefaultTimeout(WITHIN_MS);
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    await openReference();
  });
  after(async () => {
    await chromium?.close();
    await api?.close();
  });

  const operation = (number: number) => page.locator('.opblock').nth(number);
  async function openReference(): Promise<void> {
    await page.goto(`http://127.0.0.1:${api.port}/docs`);
    await operation(named.length - 1).waitFor({ timeout: WITHIN_MS });
  }
  const setWidth = (width: number) => page.setViewportSize({ width, height: 900 });

  async function shown() {
    const [methods, paths] = [
      page.locator('.opblock-summary-method'),
      page.locator('.opblock-summary-path'),
    ];
    const texts = await paths.allTextContents();
    return (await methods.allTextContents()).map(
      (method, i) => `${method} ${texts[i]!.replaceAll('\u200b', '')}`,
    );
  }

  it('passes axe, and tries a request with a key that it stores nowhere', async () => {
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await expectAccessible(page);
    await page.locator('.modal-ux input').fill(keys.member);
    await page.locator('.modal-ux').getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.modal-ux .btn-done').click();
    const tried = page.locator('#operations-Sites-listSites');
    await tried.locator(control).click();
    await tried.getByRole('button', { name: 'Try it out' }).click();
    await tried.getByRole('button', { name: 'Execute' }).click();
    const answer = tried.locator('.live-responses-table tbody .response-col_status');
    await answer.waitFor();
    expect((await answer.textContent())!.trim()).to.equal('200');
    await expectAccessible(page);
    const stored = 'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])';
    expect(await page.evaluate(stored)).to.not.include(keys.member.slice(3));
    // without the fragment, which would open the operation again
    await page.goto('about:blank');
    await openReference();
    expect(await page.locator('.authorization__btn.locked').count()).to.equal(0);
  });

  describe('with each operation open', () => {
    const seen = new Map(widths.map((width) => [width, [] as Open[]]));
    let count = 0;
    before(async () => {
      for (let i = 0; i < opened.length; i += OPEN_AT_ONCE) {
        const group = opened.slice(i, i + OPEN_AT_ONCE);
        await page.evaluate(
          click(
            `[...document.querySelectorAll('${control}')].filter((_, i) => [${group.join()}].includes(i))`,
          ),
        );
        await until(
          'what was opened',
          async () => (await page.evaluate<number>(countShown)) === group.length,
          WITHIN_MS,
        );
        count += group.length;
        for (const [width, looks] of seen) {
          await setWidth(width);
          looks.push(await page.evaluate<Open>(look));
        }
        await page.evaluate(click(`document.querySelectorAll('${open} ${control}')`));
        await until(
          'all to close',
          async () => (await page.evaluate<number>(countOpen)) === 0,
          WITHIN_MS,
        );
      }
    });

    for (const width of widths)
      it(`shows every operation and webhook at ${width} pixels, opens one in ${EVERY}, and requests only its own host`, async () => {
        await setWidth(width);
        expect(await shown()).to.have.members(named);
        expect(count).to.equal(opened.length);
        const looks = seen.get(width)!;
        expect(new Set(looks.map(({ pageWidth }) => pageWidth))).to.deep.equal(new Set([width]));
        expect(looks.filter(({ refusesRoles }) => refusesRoles)).to.not.be.empty;
        expect(
          requests.filter(
            (url) =>
              !/^(http:\/\/127\.0\.0\.1:\d+\/(docs|api\/v1\/(openapi\.json|sites))|data:|about:blank)/.test(
                url,
              ),
          ),
        ).to.be.empty;
        expect(problems).to.be.empty;
      });
  });
});
