// Takes long: the service adds three sites that others wrote, and Chromium opens each new page next
// to its template, in the width of a telephone and in that of a desk. PICTURES=folder keeps what it
// sees: for each page and width, the template on the left and the page on the right.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Note, noteValues } from '../../../src/contract/task.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { unreadableNotes } from '../../helpers/noteWords.ts';
import { needProgram } from '../../helpers/programs.ts';
import { type Service, sharedService } from '../../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../../helpers/team/site.ts';
import { measureLayout, type PageLayout } from './pageLayout.ts';
import { authoredSites, type AuthoredPage } from './authoredSites.ts';

const widths = [390, 1440];
const packages = resolve(import.meta.dirname, '../../../node_modules');
const pictures = process.env['PICTURES'];
/** What the pages load from other hosts, of which the packages have a copy. */
const copies = new Map([
  [
    '/bootstrap/4.3.1/css/bootstrap.min.css',
    'shards-ui/node_modules/bootstrap/dist/css/bootstrap.min.css',
  ],
]);

describe('pages of sites that others wrote, in Chromium', function () {
  this.timeout(600_000);
  let service: Service;
  let chromium: Awaited<ReturnType<typeof startBrowser>>;
  before(async function () {
    needProgram(this, 'Chromium');
    service = await sharedService();
    chromium = await startBrowser();
  });
  after(async () => {
    await chromium?.close();
    removeTeamSites();
  });

  for (const { name, folder, pages } of authoredSites)
    it(`read like pages of their own, and look like their templates: ${name}`, async () => {
      const host = name.replaceAll('.', '-');
      const site = await TeamSite.register(service, host, join(packages, folder));
      const tasks = await Promise.all(pages.map((page) => generate(site, page)));
      for (const [index, page] of pages.entries()) {
        const { notes, previewUrl } = tasks[index]!;
        const problems = findNoteProblems(notes);
        for (const width of widths) {
          const template = await open(site.live(page.template), width);
          const created = await open(previewUrl, width);
          const name = `${host}${page.target.replaceAll('/', '-')}-${width}`;
          if (pictures) await takePicture([template, created], name);
          const found = [
            ...findSilentTexts(created.layout, page, notes),
            ...compareLayouts(created.layout, template.layout, width),
            ...subtract(created.failures, template.failures).map((path) => `fails: ${path}`),
          ];
          problems.push(...found.map((problem) => `at ${width} pixels, ${problem}`));
          await Promise.all([template.page.close(), created.page.close()]);
        }
        const readableNotes = notes.map(({ text }) => text).join('\n');
        expect(problems, `${page.target}, with the notes:\n${readableNotes}`).to.deep.equal([]);
      }
    });

  async function generate(site: TeamSite, { template, target, context }: AuthoredPage) {
    const task = await site.run({
      command: 'generate_pages',
      templatePageSlug: template,
      items: [{ targetPageSlug: target, context }],
    });
    if (task.status !== 'completed') throw new Error(`The task failed: ${JSON.stringify(task)}`);
    const { notes = [], pagesCreated } = task.output;
    return { notes, previewUrl: pagesCreated[0]!.previewUrl! };
  }

  /** Opens a page. Requests to other hosts fail, except for files that a package has. */
  async function open(url: string, width: number) {
    const page = await chromium.browser.newPage({ viewport: { width, height: 900 } });
    const failures: string[] = [];
    await page.route(
      ({ hostname }) => !hostname.endsWith('localhost'),
      (route) => {
        const { pathname } = new URL(route.request().url());
        const path = copies.get(pathname);
        return path === undefined
          ? route.abort()
          : route.fulfill({
              path: join(packages, path),
              headers: { 'access-control-allow-origin': '*' },
            });
      },
    );
    page.on('requestfailed', (request) => failures.push(pathOf(request.url())));
    page.on('response', (response) => {
      if (response.status() >= 400) failures.push(pathOf(response.url()));
    });
    await page.goto(url, { waitUntil: 'load' });
    const layout = await measureLayout(page);
    return { page, layout, failures };
  }

  /** Both pages beside each other, each as tall as it is. */
  async function takePicture(opened: { page: Page }[], name: string) {
    mkdirSync(pictures!, { recursive: true });
    const images: string[] = [];
    for (const { page } of opened) {
      const picture = await page.screenshot({ fullPage: true });
      images.push(`<img src="data:image/png;base64,${picture.toString('base64')}">`);
    }
    const page = await chromium.browser.newPage();
    const style = 'display: flex; align-items: start; gap: 20px; width: max-content; margin: 0';
    await page.setContent(`<!doctype html><body style="${style}">${images.join('')}`);
    await page.locator('body').screenshot({ path: join(pictures!, `${name}.png`) });
    await page.close();
  }
});

const pathOf = (url: string) => new URL(url).pathname;

const subtract = (values: string[], known: string[]) =>
  [...new Set(values)].filter((value) => !known.includes(value));

function findNoteProblems(notes: readonly Note[]): string[] {
  const kinds = notes.map(({ kind }) => kind);
  return [
    ...kinds.filter((kind, index) => kinds.indexOf(kind) < index).map((kind) => `again: ${kind}`),
    ...unreadableNotes(notes.map(({ text }) => text)).map((text) => `not readable: ${text}`),
  ];
}

/** The template's persons, towns and numbers that the page shows although no note names them. */
function findSilentTexts(
  { text }: PageLayout,
  { own }: AuthoredPage,
  notes: readonly Note[],
): string[] {
  const noted = notes.flatMap(noteValues).join('\n');
  return own
    .filter((value) => text.includes(value) && !noted.includes(value))
    .map((value) => `still there without a note: ${value}`);
}

/** An element may be so many times as high as those of its kind in the template. */
const MAX_RATIO = 2.5;
const LINE_HEIGHT = 30;
const COLLAPSED = 8;

function compareLayouts(created: PageLayout, template: PageLayout, width: number): string[] {
  const heights = Object.entries(created.heights).flatMap(([path, values]) => {
    const known = template.heights[path] ?? values;
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const isFitting = (value: number) =>
      value <= most * MAX_RATIO + LINE_HEIGHT && value >= Math.min(least, COLLAPSED);
    const shown = `${values.map(Math.round).join()}, not ${known.map(Math.round).join()}`;
    return values.every(isFitting) ? [] : [`its heights are ${shown}: ${path}`];
  });
  const widest = Math.max(template.width, width);
  return [
    ...(created.width > widest ? [`is ${created.width} wide, not ${widest}`] : []),
    ...subtract(created.empty, template.empty).map((path) => `is empty: ${path}`),
    ...subtract(Object.keys(template.heights), Object.keys(created.heights)).map(
      (path) => `is gone: ${path}`,
    ),
    ...heights,
  ];
}
