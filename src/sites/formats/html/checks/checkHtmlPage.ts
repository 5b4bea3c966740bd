import { DomainError } from '../../../../errors.ts';
import { createCheckResult, noSideEffects } from '../../checkResult.ts';
import { findBlocks, linkableIds } from '../blocks/findBlocks.ts';
import { parseDocument } from '../document.ts';
import { addedDuplicates } from '../links/duplicateLinks.ts';
import { openHtmlPage } from '../openHtmlPage.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { PageCheck, PageCheckResult, PageSource, SideEffects } from '../../format.ts';
import { referencesInPage } from './elementReferences.ts';
import { findViolations } from './findViolations.ts';
import { addedFeatures } from './pageFeatures.ts';
import { findStaleDetails } from './staleDetails.ts';
import { inspectPage, type PageInspection } from './inspectPage.ts';
import { sameSetup, compareSetups } from './pageSetup.ts';
import { addedReferences } from '../../../checks/externalReferences.ts';
import { type SiteFiles, indexSiteFiles } from '../../../checks/siteFiles.ts';

/**
 * Checks a changed page against its former version or its template. `inspectPage.ts` collects the
 * facts of both versions, such as ids, URLs, scripts and hosts, and the checks compare them. What
 * was wrong before may stay.
 *
 * - `findViolations.ts` finds violations, which fail the task: broken links, duplicate ids, new
 *   scripts or hosts.
 * - `pageFeatures.ts` finds added classes, inline styles, forms and frames, which another page of
 *   the site must have too.
 * - `pageSetup.ts` and `staleDetails.ts` find what a person should check, such as a lost script or
 *   an old picture. `hiddenText.ts`, with the style sheets of the site, finds what is hidden.
 *
 * A new link to a page that the site does not have gives this violation:
 *
 *     { line: 12, element: '<a href>', code: 'broken-link', values: ['/abuot'] }
 */

/** A page with more added features is refused, since searching the site for each takes time. */
const MAX_FEATURES = 1_000;
const MAX_DUPLICATES = 20;
const TOO_MANY = `The task adds more than ${MAX_FEATURES} new classes, inline styles, forms and frames to the page`;
/**
 * The facts of the last template are cached, up to this many characters, since a task makes up to
 * ten pages from one template.
 */
const MAX_KEPT_CHARACTERS = 1_000_000;
let knownSite: { paths: string[]; site: SiteFiles } | undefined;
let keptTemplate: { page: PageSource; facts: PageInspection } | undefined;

/**
 * Compares a page with what it was before: see `FormatCalls.check`. Each version is parsed once.
 * @throws LIMIT_EXCEEDED for a page that is too large or too deep, or has too many texts or added
 *   features
 */
export function checkHtmlPage({
  path,
  before,
  after,
  sitePaths,
  deleted = [],
  removed,
  mayAddLinks,
}: PageCheck): PageCheckResult {
  const site = indexKnownFiles(sitePaths);
  const siteBefore = deleted.length === 0 ? site : indexSiteFiles([...sitePaths, ...deleted]);
  const samePage = before?.path === path;
  const oldFacts = before && inspectCached(before);
  const newFacts = inspectSource({ path, source: after });
  const lostIds = before && removed?.length ? idsInBlocks(before.source, removed) : [];
  const removedIds = new Set(lostIds);
  const sides = {
    before: oldFacts,
    after: newFacts,
    site,
    siteBefore,
    samePage,
    mayAddLinks,
    removedIds,
  };
  const violations = findViolations(sides);
  const gains = oldFacts === null ? [] : addedFeatures(oldFacts.gains, newFacts.gains);
  if (gains.length > MAX_FEATURES) throw new DomainError('LIMIT_EXCEEDED', TOO_MANY);
  const effects = sideEffectsBetween(oldFacts, newFacts, siteBefore);
  return createCheckResult(violations, { ...effects, ...(removed && { setup: sameSetup }) }, gains);
}

const sideEffectsBetween = (
  oldFacts: PageInspection | null,
  newFacts: PageInspection,
  site?: SiteFiles,
): SideEffects => ({
  externalReferences: addedReferences(
    oldFacts?.externalReferences ?? new Map(),
    newFacts.externalReferences,
  ),
  duplicates: addedDuplicates(oldFacts?.duplicates ?? new Map(), newFacts.duplicates).slice(
    0,
    MAX_DUPLICATES,
  ),
  setup: compareSetups(oldFacts?.setup ?? null, newFacts.setup),
  staleDetails:
    oldFacts === null ? [] : findStaleDetails(oldFacts.textDetails, newFacts.textDetails, site),
});

/** What a change of a page did besides its texts. Throws as `checkHtmlPage`. */
export function findSideEffects({ path, source }: PageSource, oldSource: string): SideEffects {
  if (oldSource !== '' && source !== '')
    return sideEffectsBetween(
      inspectSource({ path, source: oldSource }),
      inspectSource({ path, source }),
    );
  const references = addedReferences(referencesInPage(oldSource), referencesInPage(source));
  return { ...noSideEffects, externalReferences: references };
}

/** A site's files, indexed once for all pages of an activity. */
function indexKnownFiles(paths: string[]): SiteFiles {
  if (knownSite?.paths !== paths) knownSite = { paths, site: indexSiteFiles(paths) };
  return knownSite.site;
}

/** HTML ids in the blocks that were removed on purpose. */
function idsInBlocks(source: string, ids: string[]): string[] {
  const page = parseDocument(source);
  return linkableIds(findBlocks(page, findSlotPlaces(page)).filter(({ id }) => ids.includes(id)));
}

const inspectSource = ({ path, source }: PageSource) => inspectPage(openHtmlPage({ path, source }));

function inspectCached(page: PageSource): PageInspection {
  if (keptTemplate?.page.path === page.path && keptTemplate.page.source === page.source)
    return keptTemplate.facts;
  keptTemplate = undefined;
  const facts = inspectSource(page);
  if (page.source.length <= MAX_KEPT_CHARACTERS) keptTemplate = { page, facts };
  return facts;
}
