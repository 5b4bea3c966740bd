// Takes long: five generators of other people build their sites with edited and new pages.
import { expect } from 'chai';
import { decodeHTML } from 'entities';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PageSource } from '../../src/sites/formats/format.ts';
import { markdown } from '../../src/sites/formats/markdown/markdown.ts';
import type { PageUrlRule } from '../../src/contract/site.ts';
import { findConfiguration } from '../../src/sites/pages/generators/configurationFiles.ts';
import { pageUrlPath } from '../../src/sites/pages/generators/pageUrlPath.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { needProgram } from '../helpers/programs.ts';
import { installScript } from '../helpers/siteGenerators/install.ts';
import { buildSite, starters } from '../helpers/siteGenerators/starters.ts';
import {
  createRandom,
  editAtRandom,
  expectSameBytes,
  followAtRandom,
  phrases,
} from '../unit/sites/formats/markdown/randomEdits.ts';

const EDITS_PER_PAGE = 12;
const { calls, paths } = markdown;
const date = '2024-05-06T07:08:09.000Z';

describe('sites of generators', function () {
  this.timeout(900_000);
  const folder = temporaryFolder();
  const table: Record<string, { pages: number; edits: number; refusals: number; builds: number }> =
    {};
  let tools: string;
  before(function () {
    needProgram(this, 'generators of sites');
    tools = execFileSync('bash', [installScript], { encoding: 'utf8' }).trim();
  });
  after(() => {
    console.table(table);
    folder.remove();
  });

  for (const [name, starter] of Object.entries(starters))
    describe(name, () => {
      const site = join(folder.path, name, 'starter');
      const counts = { pages: 0, edits: 0, refusals: 0, builds: 0 };
      let pages: PageSource[];
      before(async () => {
        mkdirSync(dirname(site), { recursive: true });
        await starter.create(site, tools);
        pages = globSync('**/*.{md,mdx,markdown}', { cwd: site })
          .sort()
          .map((path) => ({ path, source: readFileSync(join(site, path), 'utf8') }));
        counts.pages = pages.length;
        table[name] = counts;
      });

      it('keep every byte of pages that get no other text, and get random edits as asked', () => {
        const random = createRandom(44);
        expect(pages.length).to.be.greaterThan(1);
        for (const page of pages) {
          expectSameBytes(page);
          for (let i = 0; i < EDITS_PER_PAGE; i++) {
            followAtRandom(page, random);
            const edit = editAtRandom(page, random);
            if (edit) counts.edits++;
            if (edit === 'refused') counts.refusals++;
          }
        }
        expect(counts.edits).to.be.greaterThan(2 * counts.pages);
        expect(counts.refusals).to.be.lessThan(counts.edits / 5);
      });

      if (starter.build)
        it('show the new texts of edited and new pages where their generator builds them', async () => {
          const newPages = starter.newPages.map((page, i) => ({
            ...page,
            ...createPage(pages, page, `Quillon${i}`),
          }));
          const written = pages.flatMap((page, i) => writePhrases(page, i, site));
          const shownTexts = written.filter((text) => text !== null);
          counts.edits += written.length;
          counts.refusals += written.length - shownTexts.length;
          for (const { path, source } of newPages) writeFile(site, path, source);
          await buildSite(site, tools, starter);
          counts.builds++;
          const output = join(site, starter.build!.output);
          const textsOfSite = globSync('**/*.html', { cwd: output })
            .map((path) => readText(join(output, path)))
            .join('\n');
          expect(shownTexts.length).to.be.greaterThan(pages.length);
          for (const text of shownTexts) expect(textsOfSite).to.include(text);
          const builtFileOf = (page: PageSource) => {
            const urlPath = findUrlPath(site, page, starter.rules);
            const file = urlPath === null ? null : findBuiltFile(output, urlPath);
            expect(file, `${page.path} at ${urlPath}`).to.not.equal(undefined);
            return file;
          };
          expect(pages.filter((page) => builtFileOf(page) !== null)).to.have.length.above(1);
          for (const { texts, ...page } of newPages) {
            const builtText = readText(builtFileOf(page)!);
            for (const text of texts) expect(builtText, page.path).to.include(text);
          }
        });
    });
});

/** The path of a page in the URLs of its site, as a task finds it; null if it is not known. */
function findUrlPath(site: string, page: PageSource, rules: PageUrlRule[] = []): string | null {
  const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('node_modules'),
  );
  const files = (findConfiguration(names)?.filesFor(page.path) ?? [])
    .filter((name) => names.includes(name))
    .map((name) => ({ path: name, source: readFileSync(join(site, name), 'utf8') }));
  const urlPath = pageUrlPath(page, { files, rules });
  return urlPath === null ? null : decodeURI(urlPath);
}

/** The file that a host serves at a path; undefined if the generator built none. */
const findBuiltFile = (output: string, urlPath: string): string | undefined =>
  (urlPath.endsWith('/') ? [`${urlPath}index.html`] : [urlPath, `${urlPath}.html`])
    .map((name) => join(output, name))
    .find((file) => existsSync(file));

/** Makes a new page of a template, with another title, headline and paragraph. */
function createPage(
  pages: PageSource[],
  { template: path, slug }: { template: string; slug: string },
  word: string,
): PageSource & { texts: string[] } {
  const template = pages.find((page) => page.path === path)!;
  const siblings = pages.filter((page) => page !== template);
  const { slots, digest } = calls.readTemplate(template, siblings);
  const newTexts = slots.flatMap(({ id, role, level, parts }): [string, string][] => {
    if (role === 'title' || level === 1) return [[id, `${word} by the river`]];
    return role === 'paragraph' && parts.length === 0 ? [[id, `${word} has ${id} now.`]] : [];
  });
  expect(newTexts, path).to.not.be.empty;
  const target = { slug, path: paths.pathOf(slug, path) };
  const sitePaths = pages.map((page) => page.path);
  const texts = Object.fromEntries(newTexts);
  const source = calls.create({ template, target, texts, date, digest, siblings, sitePaths });
  const { violations } = calls.check({
    path: target.path,
    before: template,
    after: source,
    sitePaths: [...sitePaths, target.path],
    mayAddLinks: false,
  });
  expect(violations, path).to.deep.equal([]);
  return { path: target.path, source, texts: Object.values(texts) };
}

/**
 * Writes a phrase that means something in Markdown before each text of a page that its readers see.
 * @returns what each text begins with now; null where that was refused
 */
function writePhrases({ path, source }: PageSource, number: number, site: string) {
  const slots = calls
    .read({ path, source })
    .slots.filter(({ role }) => ['heading', 'paragraph', 'list-item'].includes(role));
  let edited = source;
  const beginnings = slots.map(({ id, text }, i) => {
    const phrase = `Zephyr${number}${i} ${phrases[(number + i) % phrases.length]} x`;
    try {
      edited = calls.setTexts({ path, source: edited }, { [id]: `${phrase} ${text}` });
      return phrase;
    } catch (error) {
      expect(error).to.have.property('code', 'INVALID_INPUT');
      return null;
    }
  });
  writeFile(site, path, edited);
  return beginnings;
}

/** The text of an HTML file, as its readers see it. */
const readText = (file: string) =>
  decodeHTML(readFileSync(file, 'utf8').replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ');

function writeFile(site: string, path: string, source: string): void {
  mkdirSync(dirname(join(site, path)), { recursive: true });
  writeFileSync(join(site, path), source);
}
