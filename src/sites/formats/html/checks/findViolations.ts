import { decodeUrlPart } from '../../../pages/urls/urls.ts';
import { shownUrl } from '../../checkResult.ts';
import { attributeOfKey, mayAddAttribute } from './allowedAttributes.ts';
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
  mayAddLinks: boolean;
  /** HTML ids in blocks that were removed on purpose. */
  removedIds: ReadonlySet<string>;
}

/** Makes a violation for each key of `newPlaces` that `oldPlaces` does not have. */
const addedViolations = <T extends SourcePosition>(
  oldPlaces: { has(key: string): boolean } | undefined,
  newPlaces: Map<string, T>,
  describe: (key: string, place: T) => Omit<PageViolation, keyof SourcePosition>,
): PageViolation[] =>
  [...newPlaces].flatMap(([key, place]) =>
    oldPlaces?.has(key)
      ? []
      : [{ line: place.line, element: place.element, ...describe(key, place) }],
  );

const newParseErrors = ({ before, after }: ComparedInspections) =>
  addedViolations(before?.errors, after.errors, (key) => ({
    code: 'parse-error',
    values: [key.split(' ')[0]!],
  }));

const duplicateIds = ({ before, after }: ComparedInspections): PageViolation[] =>
  [...after.ids]
    .filter(([id, { count }]) => count > Math.max(1, before?.ids.get(id)?.count ?? 0))
    .map(([id, { count, spot }]) => ({
      ...spot,
      code: 'duplicate-id',
      values: [id, `${count}`],
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
    code: siteBefore.answers(path) ? 'deleted-target' : 'broken-link',
    values: [shownUrl(url)],
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
      code: 'broken-fragment',
      values: [`#${fragment}`],
    }));
}

const lostNames = ({ before, after }: ComparedInspections): PageViolation[] =>
  (['title', 'h1'] as const)
    .filter((name) => before?.[name] && !after[name])
    .map((name) => ({
      line: 1,
      element: `<${name}>`,
      code: 'lost-text',
      values: [],
    }));

const newPlaceholders = ({ before, after }: ComparedInspections) =>
  addedViolations(before?.placeholders, after.placeholders, (text) => ({
    code: 'new-placeholder',
    values: [text],
  }));

/** Search engines pass over a whole block of JSON-LD that is not valid JSON. */
const brokenData = ({ before, after }: ComparedInspections): PageViolation[] =>
  after.brokenData.size > (before?.brokenData.size ?? 0)
    ? addedViolations(before?.brokenData, after.brokenData, () => ({
        code: 'invalid-data',
        values: [],
      }))
    : [];

const newMisleading = ({ before, after }: ComparedInspections) =>
  addedViolations(before?.misleading, after.misleading, (_key, { code }) => ({
    code,
    values: [],
  }));

const newCode = ({ before, after }: ComparedInspections) =>
  before === null
    ? []
    : addedViolations(before.code, after.code, () => ({
        code: 'new-script',
        values: [],
      }));

function newAttributes({ before, after }: ComparedInspections): PageViolation[] {
  if (before === null) return [];
  const refusedAttributes = [...after.attributes].filter(([key]) => !mayAddAttribute(key));
  return addedViolations(before.attributes, new Map(refusedAttributes), (key) => ({
    code: 'new-attribute',
    values: [attributeOfKey(key)],
  }));
}

function newOrigins({ before, after, mayAddLinks }: ComparedInspections): PageViolation[] {
  if (before === null) return [];
  const describeRequest = (origin: string) => ({
    code: 'new-request-host' as const,
    values: [shownUrl(origin)],
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
  const addedLinks = [...after.links].filter(
    ([origin]) => !(mayAddLinks && origin.startsWith('//')),
  );
  const links = addedViolations(knownOrigins, new Map(addedLinks), (origin) => ({
    code: mayAddLinks ? 'new-link-scheme' : 'new-link-host',
    values: [shownUrl(origin)],
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

/** All violations of the page after the change. */
export const findViolations = (inspections: ComparedInspections): PageViolation[] =>
  violationChecks.flatMap((check) => check(inspections));
