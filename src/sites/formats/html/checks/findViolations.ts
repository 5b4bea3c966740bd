import { quoteText } from '../../../../text/text.ts';
import { decodeUrlPart } from '../../../pages/urls/urls.ts';
import { allowedAttributes, attributeOfKey, mayAddAttribute } from './allowedAttributes.ts';
import type { PageInspection, SiteReference } from './inspectPage.ts';
import type { SiteFiles } from '../../../checks/siteFiles.ts';
import type { PageViolation, SourcePosition } from '../../pageFindings.ts';

/** What the checks compare: the facts of a page before and after a change. */
export interface ComparedInspections {
  /** null for a page that was not made from another one. */
  before: PageInspection | null;
  after: PageInspection;
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

/** Quotes a URL without its query and fragment, which can hold secrets. */
const quoteUrl = (url: string) => quoteText(url.replace(/(?<=.)[?#].*/s, ''));

/** Makes a violation for each key of `newPlaces` that `oldPlaces` does not have. */
const addedViolations = <T extends SourcePosition>(
  oldPlaces: { has(key: string): boolean } | undefined,
  newPlaces: Map<string, T>,
  describe: (key: string) => Omit<PageViolation, keyof SourcePosition>,
): PageViolation[] =>
  [...newPlaces].flatMap(([key, { line, element }]) =>
    oldPlaces?.has(key) ? [] : [{ line, element, ...describe(key) }],
  );

const newParseErrors = ({ before, after }: ComparedInspections) =>
  addedViolations(before?.errors, after.errors, (key) => ({
    problem: `parse error "${key.split(' ')[0]}"`,
    expected: 'no new one',
  }));

const duplicateIds = ({ before, after }: ComparedInspections): PageViolation[] =>
  [...after.ids]
    .filter(([id, { count }]) => count > Math.max(1, before?.ids.get(id)?.count ?? 0))
    .map(([id, { count, spot }]) => ({
      ...spot,
      problem: `the id ${quoteText(id)} occurs ${count} times`,
      expected: 'an id that occurs once',
    }));

/**
 * URLs that are broken now and were not before. A page's old link to a page that the same task
 * deletes is not a violation: deleting a page warns of such links on all pages.
 */
function brokenReferences({
  before,
  after,
  site,
  siteBefore,
  samePage,
}: ComparedInspections): PageViolation[] {
  const brokenPaths = new Set<string>();
  const files = new Set<string>();
  for (const { path, url, isCertain } of before?.references ?? [])
    if (isCertain && !siteBefore.answers(path)) brokenPaths.add(decodeUrlPart(path));
    else if (!isCertain && siteBefore.holds(path)) files.add(url);
  const oldSiteUrls = new Set(before?.references.map(({ url }) => url));
  const wasOutside = (url: string) =>
    before !== null && before.urls.has(url) && !oldSiteUrls.has(url);
  const isBroken = ({ path, url, isCertain }: SiteReference) =>
    isCertain
      ? !site.answers(path) && !brokenPaths.has(decodeUrlPart(path)) && !wasOutside(url)
      : files.has(url) && !site.holds(path);
  const isWarnedOf = ({ kind, url, path }: SiteReference) =>
    samePage && kind === 'link' && oldSiteUrls.has(url) && siteBefore.answers(path);
  const broken = after.references.filter(
    (reference) => isBroken(reference) && !isWarnedOf(reference),
  );
  return broken.map(({ url, path, spot }) => ({
    ...spot,
    problem: `${quoteUrl(url)} leads to ${siteBefore.answers(path) ? 'a file that the same task deletes' : 'nothing'}`,
    expected: 'a page or file of the site',
  }));
}

const isKnownFragment = ({ anchors }: PageInspection, fragment: string) =>
  fragment === '' ||
  fragment.toLowerCase() === 'top' ||
  fragment.startsWith(':~:') ||
  anchors.has(fragment);

function brokenFragments({ before, after, removedIds }: ComparedInspections): PageViolation[] {
  const wasBroken = (fragment: string) =>
    before?.fragments.has(fragment) && !isKnownFragment(before, fragment);
  const isBroken = (fragment: string) =>
    !isKnownFragment(after, fragment) && !removedIds.has(fragment) && !wasBroken(fragment);
  return [...after.fragments]
    .filter(([fragment]) => isBroken(fragment))
    .map(([fragment, spot]) => ({
      ...spot,
      problem: `${quoteText(`#${fragment}`)} leads to nothing`,
      expected: 'the id of an element of the page',
    }));
}

const lostNames = ({ before, after }: ComparedInspections): PageViolation[] =>
  (['title', 'h1'] as const)
    .filter((name) => before?.[name] && !after[name])
    .map((name) => ({
      line: 1,
      element: `<${name}>`,
      problem: 'missing or empty',
      expected: `a text, because the previous version of the page had one`,
    }));

const newPlaceholders = ({ before, after }: ComparedInspections) =>
  addedViolations(before?.placeholders, after.placeholders, (text) => ({
    problem: `placeholder ${quoteText(text)}`,
    expected: 'the actual text',
  }));

/** Search engines pass over a whole block of JSON-LD that is not valid JSON. */
const brokenData = ({ before, after }: ComparedInspections): PageViolation[] =>
  after.brokenData.size > (before?.brokenData.size ?? 0)
    ? addedViolations(before?.brokenData, after.brokenData, () => ({
        problem: 'structured data (JSON-LD) that is not valid JSON',
        expected: 'valid JSON',
      }))
    : [];

const newMisleading = ({ before, after }: ComparedInspections) =>
  addedViolations(before?.misleading, after.misleading, (key) => ({
    problem: key.split('\n', 1)[0]!,
    expected: 'no new one',
  }));

const newCode = ({ before, after }: ComparedInspections) =>
  before === null
    ? []
    : addedViolations(before.code, after.code, () => ({
        problem: 'a script that the previous version of the page did not have',
        expected: 'no new scripts',
      }));

function newAttributes({ before, after }: ComparedInspections): PageViolation[] {
  if (before === null) return [];
  const refusedAttributes = [...after.attributes].filter(([key]) => !mayAddAttribute(key));
  return addedViolations(before.attributes, new Map(refusedAttributes), (key) => ({
    problem: `the attribute ${quoteText(attributeOfKey(key))}, which no such element of the previous version had`,
    expected: allowedAttributes,
  }));
}

const quotedOrigin = (origin: string) => (/^data:/i.test(origin) ? '"data:"' : quoteUrl(origin));

function newOrigins({ before, after, newLinks }: ComparedInspections): PageViolation[] {
  if (before === null) return [];
  const describeRequest = (origin: string) => ({
    problem: `loads from or sends to ${quotedOrigin(origin)}, which the previous version of the page did not`,
    expected: 'no new external hosts',
  });
  const loads = addedViolations(before.loads, after.loads, describeRequest);
  const unloadedMentions = new Map(
    [...after.mentions].filter(([origin]) => !after.loads.has(origin)),
  );
  const mentions = addedViolations(
    new Map([...before.loads, ...before.mentions]),
    unloadedMentions,
    describeRequest,
  );
  const knownOrigins = new Map([...before.loads, ...before.links]);
  const addedLinks = [...after.links].filter(([origin]) => !(newLinks && origin.startsWith('//')));
  const links = addedViolations(knownOrigins, new Map(addedLinks), (origin) => ({
    problem: `leads to ${quotedOrigin(origin)}, which the previous version of the page did not`,
    expected: newLinks ? 'a web, e-mail or telephone link' : 'no new external hosts',
  }));
  return [...loads, ...mentions, ...links];
}

const violationChecks = [
  newParseErrors,
  duplicateIds,
  brokenReferences,
  brokenFragments,
  lostNames,
  newPlaceholders,
  brokenData,
  newMisleading,
  newCode,
  newAttributes,
  newOrigins,
];

/** All violations of the page after the change, in line order. */
export const findViolations = (inspections: ComparedInspections): PageViolation[] =>
  violationChecks
    .flatMap((check) => check(inspections))
    .sort((first, second) => first.line - second.line);
