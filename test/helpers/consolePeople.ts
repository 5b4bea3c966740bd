import axe from 'axe-core';
import { expect } from 'chai';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const WITHIN_MS = 120_000;

/** Of an element. */
interface Widths {
  scrollWidth: number;
  clientWidth: number;
}

interface AxeResult {
  violations: {
    id: string;
    impact: string;
    nodes: { target: string[]; failureSummary: string }[];
  }[];
}

/**
 * People with browsers of their own. What a page refuses, and its requests to other hosts, are
 * problems.
 */
export class People {
  problems: string[] = [];
  /** Every address that a browser was at, or asked. */
  readonly addresses = new Set<string>();
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * Somebody's browser, who is not signed in. Nothing moves in it: contrasts are asked of no colour
   * on its way.
   */
  async come(): Promise<Page> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(WITHIN_MS);
    context.on('response', (response) => {
      if (response.status() >= 500) this.problems.push(`${response.status()} of ${response.url()}`);
    });
    context.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.problems.push(message.text());
    });
    context.on('weberror', (error) => this.problems.push(String(error.error())));
    context.on('page', (page) =>
      page.on('framenavigated', (frame) => this.addresses.add(frame.url())),
    );
    context.on('request', (request) => {
      this.addresses.add(request.url());
      const { protocol, hostname } = new URL(request.url());
      const isOurs = hostname === 'localhost' || /\.(sites|preview)\.localhost$/.test(hostname);
      if (/^https?:$/.test(protocol) && !isOurs) this.problems.push(`asks ${request.url()}`);
    });
    return context.newPage();
  }
}

/**
 * What axe finds serious or worse. It comes in past the page's policy, which lets nothing in.
 * @param rules those to check; default: all
 */
export async function expectAccessible(page: Page, ...rules: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) => {
    const options = { awaitPromise: true, returnByValue: true, allowUnsafeEvalBlockedByCSP: true };
    return (await session.send('Runtime.evaluate', { expression, ...options })).result
      .value as unknown;
  };
  if ((await evaluate('typeof axe')) === 'undefined') await evaluate(`${axe.source}; 0`);
  const options = {
    iframes: false,
    resultTypes: ['violations'],
    ...(rules.length > 0 && { runOnly: rules }),
  };
  const { violations } = (await evaluate(
    `axe.run(document, ${JSON.stringify(options)})`,
  )) as AxeResult;
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
  expect(told.join('\n')).to.equal('');
  await session.detach();
}

/**
 * The same of a whole screen: as it is, in dark, where only contrasts are others, and at the widths
 * of a tablet and a phone. A tablet's layout has the same texts in other places, so only what
 * depends on places is asked there.
 * @param picture its name in the folder PICTURES, if that is set: it is then taken in each width,
 *   light and dark
 */
export async function expectScreen(page: Page, picture?: string): Promise<void> {
  const size = page.viewportSize()!;
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await settled(page);
  await expectAccessible(page, 'color-contrast');
  await page.setViewportSize({ width: 820, height: 1180 });
  await settled(page);
  await expectAccessible(page, 'color-contrast', 'scrollable-region-focusable');
  expect(await overflowOf(page)).to.equal(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  await expectAccessible(page);
  expect(await overflowOf(page)).to.equal(0);
  if (pictures && picture !== undefined) await takePictures(page, join(pictures, picture));
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
}

const pictures = process.env['PICTURES'];

async function takePictures(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 820, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await page.screenshot({ path: `${path}-${width}-${colorScheme}.png` });
    }
}

/** Two frames later the page is drawn as it was asked to be. */
const settled = (page: Page) =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))',
  );

/** By how many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.locator('html').evaluate((root: Widths) => root.scrollWidth - root.clientWidth);

/** Waits for a screen. */
export const heading = (name: string | RegExp, at: Page) =>
  at.getByRole('heading', { level: 1, name }).waitFor();
