import { quoted } from '../../../../text/text.ts';
import { decode } from '../../../pages/urls.ts';
import { allowedAttributes, attributeIn, mayBeAdded } from './allowedAttributes.ts';
import type { Inspection, SiteReference } from './inspectPage.ts';
import type { SiteFiles } from '../../../checks/siteFiles.ts';
import type { Fault, Spot } from '../../faults.ts';

export interface Sides {
  /** null for a page that was not made from another one. */
  before: Inspection | null;
  after: Inspection;
  /** The site's files after the change. `siteBefore` also has the files that the change deletes. */
  site: SiteFiles;
  siteBefore: SiteFiles;
  /** Whether `before` is an older version of the page, not the template of a new one. */
  samePage: boolean;
  /** Whether the change may add links to hosts that `before` does not link to. */
  newLinks: boolean;
  /** HTML ids in blocks that were removed on purpose. */
  removedIds: ReadonlySet<string>;
}

/** Quotes an address without its query and fragment, which can hold secrets. */
const quoteUrl = (url: string) => quoted(url.replace(/(?<=.)[?#].*/s, ''));

/** Makes a fault for each key of `after` that `before` does not have. */
const added = <T extends Spot>(
  before: { has(key: string): boolean } | undefined,
  after: Map<string, T>,
  say: (key: string) => Omit<Fault, keyof Spot>,
): Fault[] =>
  [...after].flatMap(([key, { line, element }]) =>
    before?.has(key) ? [] : [{ line, element, ...say(key) }],
  );

const parseErrors = ({ before, after }: Sides) =>
  added(before?.errors, after.errors, (key) => ({
    problem: `parse error "${key.split(' ')[0]}"`,
    expected: 'none that the page before had not',
  }));

const doubledIds = ({ before, after }: Sides): Fault[] =>
  [...after.ids]
    .filter(([id, { count }]) => count > Math.max(1, before?.ids.get(id)?.count ?? 0))
    .map(([id, { count, spot }]) => ({
      ...spot,
      problem: `the id ${quoted(id)} stands ${count} times`,
      expected: 'every id once',
    }));

/**
 * Addresses that are broken now and were not before. A page's old link to a page that the same task
 * deletes is no fault here: deleting a page warns of such links on all pages.
 */
function brokenReferences({ before, after, site, siteBefore, samePage }: Sides): Fault[] {
  const nowhere = new Set<string>();
  const files = new Set<string>();
  for (const { path, url, sure } of before?.references ?? [])
    if (sure && !siteBefore.answers(path)) nowhere.add(decode(path));
    else if (!sure && siteBefore.holds(path)) files.add(url);
  const inside = new Set(before?.references.map(({ url }) => url));
  const isOutside = (url: string) => before !== null && before.urls.has(url) && !inside.has(url);
  const isBroken = ({ path, url, sure }: SiteReference) =>
    sure
      ? !site.answers(path) && !nowhere.has(decode(path)) && !isOutside(url)
      : files.has(url) && !site.holds(path);
  const isWarnedOf = ({ kind, url, path }: SiteReference) =>
    samePage && kind === 'link' && inside.has(url) && siteBefore.answers(path);
  const broken = after.references.filter(
    (reference) => isBroken(reference) && !isWarnedOf(reference),
  );
  return broken.map(({ url, path, spot }) => ({
    ...spot,
    problem: `${quoteUrl(url)} leads to ${siteBefore.answers(path) ? 'a file that the same task deletes' : 'nothing'}`,
    expected: 'a page or file of the site',
  }));
}

const named = ({ anchors }: Inspection, fragment: string) =>
  fragment === '' ||
  fragment.toLowerCase() === 'top' ||
  fragment.startsWith(':~:') ||
  anchors.has(fragment);

function brokenFragments({ before, after, removedIds }: Sides): Fault[] {
  const wasBroken = (fragment: string) =>
    before?.fragments.has(fragment) && !named(before, fragment);
  const isBroken = (fragment: string) =>
    !named(after, fragment) && !removedIds.has(fragment) && !wasBroken(fragment);
  return [...after.fragments]
    .filter(([fragment]) => isBroken(fragment))
    .map(([fragment, spot]) => ({
      ...spot,
      problem: `${quoted(`#${fragment}`)} leads to nothing`,
      expected: 'an element of the page with that id',
    }));
}

const lostNames = ({ before, after }: Sides): Fault[] =>
  (['title', 'h1'] as const)
    .filter((name) => before?.[name] && !after[name])
    .map((name) => ({
      line: 1,
      element: `<${name}>`,
      problem: 'missing or empty',
      expected: `a text, as the page before had one`,
    }));

const placeholders = ({ before, after }: Sides) =>
  added(before?.placeholders, after.placeholders, (text) => ({
    problem: `placeholder ${quoted(text)}`,
    expected: 'the text that belongs there',
  }));

/** Search engines pass over a whole block of JSON-LD that is no JSON. */
const brokenData = ({ before, after }: Sides): Fault[] =>
  after.brokenData.size > (before?.brokenData.size ?? 0)
    ? added(before?.brokenData, after.brokenData, () => ({
        problem: 'structured data (JSON-LD) that is no JSON',
        expected: 'JSON that can be parsed',
      }))
    : [];

const misleading = ({ before, after }: Sides) =>
  added(before?.misleading, after.misleading, (key) => ({
    problem: key.split('\n', 1)[0]!,
    expected: 'none that the page before had not',
  }));

const newCode = ({ before, after }: Sides) =>
  before === null
    ? []
    : added(before.code, after.code, () => ({
        problem: 'a script that the page before had not',
        expected: 'its scripts only',
      }));

function newAttributes({ before, after }: Sides): Fault[] {
  if (before === null) return [];
  const refused = [...after.attributes].filter(([key]) => !mayBeAdded(key));
  return added(before.attributes, new Map(refused), (key) => ({
    problem: `the attribute ${quoted(attributeIn(key))}, which no such element of the page before had`,
    expected: allowedAttributes,
  }));
}

const quotedOrigin = (origin: string) => (/^data:/i.test(origin) ? '"data:"' : quoteUrl(origin));

function newOrigins({ before, after, newLinks }: Sides): Fault[] {
  if (before === null) return [];
  const asks = (origin: string) => ({
    problem: `asks ${quotedOrigin(origin)}, which the page before did not`,
    expected: 'its outside hosts only',
  });
  const loads = added(before.loads, after.loads, asks);
  const unasked = new Map([...after.mentions].filter(([origin]) => !after.loads.has(origin)));
  const mentions = added(new Map([...before.loads, ...before.mentions]), unasked, asks);
  const known = new Map([...before.loads, ...before.links]);
  const asked = [...after.links].filter(([origin]) => !(newLinks && origin.startsWith('//')));
  const links = added(known, new Map(asked), (origin) => ({
    problem: `leads to ${quotedOrigin(origin)}, which the page before did not`,
    expected: newLinks
      ? 'an address of the web, a mailbox or a telephone'
      : 'its outside hosts only',
  }));
  return [...loads, ...mentions, ...links];
}

const checks = [
  parseErrors,
  doubledIds,
  brokenReferences,
  brokenFragments,
  lostNames,
  placeholders,
  brokenData,
  misleading,
  newCode,
  newAttributes,
  newOrigins,
];

/** All faults of the page after the change, in line order. */
export const findFaults = (sides: Sides): Fault[] =>
  checks.flatMap((check) => check(sides)).sort((a, b) => a.line - b.line);
