import { expect } from 'chai';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { DomainError } from '../../../../../src/errors.ts';
import { corpus } from '../../../sites/corpus.ts';
import { memoryTree } from '../../memoryTree.ts';
import { carryOut, carryOutAtOnce } from './carryOut.ts';
import { testPages as pool } from '../../../../helpers/threads.ts';
import { casesIn, casesOf } from '../../../../helpers/cases.ts';

const RUNS = 12;
/** Of what reads every page of a site several times. */
const FEW = 4;
const sites = corpus.slice(0, 2).map(({ name, pages, paths }) => ({
  name,
  pages: pages.filter(({ path }) => path !== '404.html'),
  tree: memoryTree({
    ...Object.fromEntries(paths.map((path) => [path, ''])),
    ...Object.fromEntries(pages.map(({ path, source }) => [path, source])),
  }),
}));
const slugOf = (path: string) => `/${path.replace(/(^|\/)index\.html$|\.html$/, '')}`;
const quoted = (text: string) => `"${text.replaceAll('"', '\\"')}"`;

/** Texts that would do harm if they were read as markup, marks of parts, quotes or instructions. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        '<1>',
        '</1>',
        '<2/>',
        '\\<1>',
        '&amp;',
        '</p>',
        '<script>',
        '-->',
        ']]>',
        '$x',
        '$&',
        ' Delete /about. ',
        '; ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => `${parts.join('')}x9`.normalize('NFC'))
  .filter((text) => !/[\uE000\uE001\p{Cc}\p{Cn}\u00a0]/u.test(text));
const seen = (text: string) => text.replace(/\s+/g, ' ').trim();

type Element = Tree.Element;
const elementsOf = (source: string): Element[] => {
  const below = (node: Tree.ParentNode): Element[] =>
    node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...below(child)] : []));
  return below(parse(source, { sourceCodeLocationInfo: true }));
};
const valueOf = ({ attrs }: Element, name: string) =>
  attrs.find((attribute) => attribute.name === name)?.value;
const textOf = (node: Tree.ParentNode): string =>
  node.childNodes
    .map((child) => ('value' in child ? child.value : 'childNodes' in child ? textOf(child) : ''))
    .join('');
const named = (source: string, tag: string) =>
  elementsOf(source).filter(({ tagName }) => tagName === tag);

/** Whether `after` is `before` with one stretch put in. */
function isInsertion(before: string, after: string) {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  return after.length > before.length && after.endsWith(before.slice(start));
}

/** Whether everything of `before` outside of some stretches stands in `after`, in its order. */
function keepsOutside(before: string, after: string, inside: { start: number; end: number }[]) {
  const ends = [0, ...inside.map(({ end }) => end)];
  const pieces = ends.map((end, i) => before.slice(end, inside[i]?.start ?? before.length));
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    const found = i === pieces.length - 1 ? after.length - piece.length : after.indexOf(piece, at);
    if (found < at || (i === 0 && found !== 0) || !after.startsWith(piece, found)) return false;
    at = found + piece.length;
  }
  return true;
}

const bodyOf = ({ sourceCodeLocation: place }: Element) => ({
  start: place!.startOffset,
  end: place!.endOffset,
});
/** A page with its addresses as they are from the site's root. */
const resolved = (path: string, source: string) =>
  source.replace(
    /(href|src)="([^"]*)"/g,
    (_, name: string, url: string) =>
      `${name}="${new URL(url, `https://site.example/${path}`).href}"`,
  );

describe('instructions', function () {
  this.timeout(120_000);

  for (const { name, pages, tree: whole } of sites) {
    /** Null where the prompt is refused because it fits several places. */
    const edit = async (prompt: string, path?: string) => {
      const tree =
        path === undefined
          ? whole
          : memoryTree({ [path]: pages.find((page) => page.path === path)!.source });
      try {
        const first = await carryOutAtOnce(tree, pool, prompt);
        expect((await carryOut(tree, pool, prompt)).changed).to.deep.equal(first.changed);
        return first.changed;
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'INVALID_INPUT') throw error;
        return null;
      }
    };
    /** Over things of the site and hostile texts; some of the prompts must be carried out. */
    const check = async <T>(
      things: T[],
      property: (thing: T, text: string) => Promise<boolean>,
    ) => {
      let done = 0;
      const run = async (thing: T, text: string) => {
        if (await property(thing, text)) done++;
      };
      await fc.assert(fc.asyncProperty(fc.constantFrom(...things), hostile, run), {
        numRuns: casesOf(RUNS),
      });
      expect(done).to.be.greaterThan(0);
    };
    const everyElement = (tag: string) =>
      pages.flatMap(({ path, source }) =>
        named(source, tag).map((element) => ({ path, source, element })),
      );

    it(`write a paragraph as text, and change no other byte, on ${name}`, () =>
      check(
        everyElement('p').filter(
          ({ element }) =>
            /\w/.test(textOf(element)) && !element.childNodes.some((child) => 'tagName' in child),
        ),
        async ({ path, source, element }, text) => {
          const changed = await edit(
            `Change the paragraph ${quoted(seen(textOf(element)))} on ${slugOf(path)} to ${quoted(text)}`,
            path,
          );
          if (!changed) return false;
          const after = changed.get(path)!;
          expect([...changed.keys()]).to.deep.equal([path]);
          const data = elementsOf(source).filter(
            (other) => valueOf(other, 'type') === 'application/ld+json',
          );
          expect(keepsOutside(source, after, [...data, element].map(bodyOf))).to.equal(true);
          expect(named(after, 'p').map((paragraph) => seen(textOf(paragraph)))).to.include(
            seen(text),
          );
          expect(elementsOf(after)).to.have.length(elementsOf(source).length);
          return true;
        },
      ));

    if (name === 'the demo site')
      it(`add an item as text, and remove it again without a trace, on ${name}`, () =>
        check(
          everyElement('li').filter(
            ({ element }) =>
              /\w/.test(textOf(element)) && !element.childNodes.some((child) => 'tagName' in child),
          ),
          async ({ path, source, element }, text) => {
            const after = quoted(seen(textOf(element)));
            const place = `on ${slugOf(path)}`;
            const headings = elementsOf(
              source.slice(0, element.sourceCodeLocation!.startOffset),
            ).filter(({ tagName }) => /^h[1-6]$/.test(tagName));
            const under = quoted(seen(textOf(headings.at(-1) ?? element)));
            const add = `Add the list item ${quoted(text)} to the list under ${under} ${place} after ${after}`;
            const changed = await edit(add, path);
            if (!changed) return false;
            expect([...changed.keys()]).to.deep.equal([path]);
            expect(isInsertion(source, changed.get(path)!)).to.equal(true);
            expect(named(changed.get(path)!, 'li').map((item) => seen(textOf(item)))).to.include(
              seen(text),
            );
            expect([
              ...((await edit(`${add}\nRemove the list item ${quoted(text)} ${place}`, path)) ?? [
                ['refused'],
              ]),
            ]).to.deep.equal([]);
            return true;
          },
        ));

    it(`move a page away and back: every URL leads where it led, and no other byte changes, on ${name}`, async () => {
      for (const { path } of casesIn(pages.filter(({ path }) => path !== 'index.html')))
        for (const place of ['/moved/to/there', `${slugOf(path)}/x`]) {
          const slug = slugOf(path);
          const changed = (await edit(`Move ${slug} to ${place}. Move ${place} to ${slug}`))!;
          for (const [file, content] of changed) {
            const source = pages.find((page) => page.path === file)!.source;
            expect(resolved(file, content!), `${slug} ${place}: ${file}`).to.equal(
              resolved(file, source),
            );
          }
        }
    });

    it(`swap two items and two sections back to their positions on ${name}`, async () => {
      let done = 0;
      const swap = async ({ path, source, heading, other }: (typeof pairs)[number]) => {
        const [one, two] = [quoted(heading), quoted(other)];
        const there = await edit(`Move the section ${one} after ${two} on ${slugOf(path)}`, path);
        if (!there?.get(path)) return;
        done++;
        expect([...there.get(path)!].sort().join('')).to.equal([...source].sort().join(''));
        const back = `Move the section ${one} after ${two} on ${slugOf(path)}. Move the section ${one} before ${two} on ${slugOf(path)}`;
        expect([...((await edit(back, path)) ?? [])]).to.deep.equal([]);
      };
      const pairs = pages.flatMap(({ path, source }) => {
        const headings = named(source, 'h2').map((heading) => seen(textOf(heading)));
        const between = source.split('<h2').slice(1); // a section without a heading of its own can't be named
        return headings
          .slice(1)
          .map((other, i) => ({ path, source, heading: headings[i]!, other }))
          .filter((_, i) => between[i]!.split('<section').length <= 2);
      });
      for (const pair of casesIn(pairs)) await swap(pair);
      expect(done).to.be.greaterThan(0);
    });

    it(`write any name into the navigation as text, and remove it again without a trace, on ${name}`, () =>
      fc.assert(
        fc.asyncProperty(fc.constantFrom('/about', '/pricing'), hostile, async (page, text) => {
          const [now, add] = [quoted(text), `Add ${page} to the navigation as ${quoted(text)}`];
          const added = (await edit(add))!;
          expect(added.size).to.be.greaterThan(pages.length - 2);
          for (const [path, content] of added) {
            const { source } = pages.find((page) => page.path === path) ?? { source: '' };
            if (source === '') continue;
            expect(isInsertion(source, content!), path).to.equal(true);
            expect(named(content!, 'a').map((link) => seen(textOf(link)))).to.include(seen(text));
          }
          expect([
            ...((await edit(`${add}\nRemove the menu entry ${now}`)) ?? [['refused']]),
          ]).to.deep.equal([]);
        }),
        { numRuns: casesOf(FEW) },
      ));
  }
});
