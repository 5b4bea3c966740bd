// Takes long: a browser goes to addresses that name other paths of the API.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';

/** Ids as they stand in an address; browsers take `..` and `%2e%2e` away themselves. */
const ids = [
  '..%2Fkeys',
  '..%2F..%2F..%2Faccount',
  '%2E.%2Fkeys',
  '..%5Ckeys',
  '%252e%252e%252fkeys',
  '%09..%2Fkeys',
  'x%3Fy=1',
  'x%23y',
  '%2F%2Fevil.test',
  '%C3%A9',
  '%00',
  '%FF',
  '..,..%2Fkeys',
  ',',
];
const screens: [start: string, end: string, asks: RegExp][] = [
  ['/sites/', '', /^\/api\/v1\/sites\/[^/]+$/],
  ['/sites/', '/new-task', /^\/api\/v1\/sites\/[^/]+(\/pages)?$/],
  ['/tasks/', '', /^\/api\/v1\/(agent\/tasks\/[^/]+(\/run)?|sites)$/],
  ['/shared/', '', /^\/account\/shared\/[^/]+$/],
  ['/invitations/', '', /^\/account\/(invitations\/[^/]+|options)$/],
];
const WITHIN_MS = 60_000;
/** What the console asks on every screen. */
const always = new Set(['/account', '/account/key', '/api/v1/usage']);

describe('addresses of the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let page: Page;
  const asked: string[] = [];
  before(async function () {
    needProgram(this, 'Chromium');
    service = await startConsole();
    page = await service.open((await service.people.owner()).person);
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(api|account|auth)/.test(pathname)) asked.push(pathname);
    });
  });
  after(() => service?.close());

  /** A segment that there can't be: nothing is asked then. */
  const isRefused = async (id: string) =>
    id === ',' && (await page.getByText('Not found').count()) > 0;

  for (const [start, end, asks] of screens)
    it(`ask for no other path of the API: ${start}…${end}`, async () => {
      for (const id of ids) {
        asked.length = 0;
        await page.goto(`${service.origin}${start}${id}${end}`);
        const isOver = async () => asked.some((path) => asks.test(path)) || (await isRefused(id));
        await until(`the screen of ${id}`, isOver, WITHIN_MS);
        await page.waitForLoadState('networkidle');
        const others = asked.filter((path) => !always.has(path) && !asks.test(path));
        expect(others, id).to.deep.equal([]);
      }
    });
});
