import { DomainError } from '../../../../errors.ts';
import { findBlocks, idsIn } from '../blocks/findBlocks.ts';
import { parseDocument } from '../document.ts';
import { gainedDoubles } from '../links/doubledLinks.ts';
import { openPage } from '../openPage.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import type { PageCheck, PageFaults, PageSource, SideEffects } from '../../format.ts';
import { findFaults } from './findFaults.ts';
import { gained } from './gains.ts';
import { keptBeside } from './keptBeside.ts';
import { inspectPage, type Inspection } from './inspectPage.ts';
import { sameSetup, setupChange } from './pageSetup.ts';
import { NAMED_FAULTS } from '../../../checks/namedFaults.ts';
import { gainedOutsiders } from '../../../checks/findOutsiders.ts';
import { type SiteFiles, siteFiles } from '../../../checks/siteFiles.ts';

/** A page with more gains is refused, since searching the site for each takes time. */
const MOST_GAINS = 1_000;
const MOST_DOUBLED = 20;
const TOO_MANY = `A page gets more than ${MOST_GAINS} classes, inline styles, forms and frames that it had not`;
/**
 * The facts of the last template are cached, up to this many characters, since a task makes up to
 * ten pages from one template.
 */
const KEPT_CHARACTERS = 1_000_000;
let files: { paths: string[]; site: SiteFiles } | undefined;
let kept: { page: PageSource; facts: Inspection } | undefined;

/**
 * Compares a page with what it was before. Each version is parsed once.
 * @throws LIMIT_EXCEEDED for a page that is too large, too deep or has too many texts
 */
export function checkPage({
  path,
  before,
  after,
  sitePaths,
  deleted = [],
  removed,
  newLinks,
}: PageCheck): PageFaults {
  const site = knownFiles(sitePaths);
  const siteBefore = deleted.length === 0 ? site : siteFiles([...sitePaths, ...deleted]);
  const samePage = before?.path === path;
  const old = before && knownFacts(before);
  const now = read({ path, source: after });
  const lost = before && removed?.length ? idsOfBlocks(before.source, removed) : [];
  const removedIds = new Set(lost);
  const sides = { before: old, after: now, site, siteBefore, samePage, newLinks, removedIds };
  const faults = findFaults(sides);
  const gains = old === null ? [] : gained(old.gains, now.gains);
  if (gains.length > MOST_GAINS) throw new DomainError('LIMIT_EXCEEDED', TOO_MANY);
  return {
    faults: faults.slice(0, NAMED_FAULTS),
    more: Math.max(0, faults.length - NAMED_FAULTS),
    gains,
    ...effectsOf(old, now, siteBefore),
    ...(removed && { setup: sameSetup }),
  };
}

const effectsOf = (
  before: Inspection | null,
  after: Inspection,
  site?: SiteFiles,
): SideEffects => ({
  outsiders: gainedOutsiders(before?.outsiders ?? new Map(), after.outsiders),
  doubled: gainedDoubles(before?.doubled ?? new Map(), after.doubled).slice(0, MOST_DOUBLED),
  setup: setupChange(before?.setup ?? null, after.setup),
  beside: before === null ? [] : keptBeside(before.beside, after.beside, site),
});

/** The effects of a change of a page's source. Throws as `checkPage`. */
export const sideEffects = ({ path, source }: PageSource, before: string): SideEffects =>
  effectsOf(read({ path, source: before }), read({ path, source }));

/** A site's files, indexed once for all pages of a step. */
function knownFiles(paths: string[]): SiteFiles {
  if (files?.paths !== paths) files = { paths, site: siteFiles(paths) };
  return files.site;
}

/** HTML ids in the blocks that were removed on purpose. */
function idsOfBlocks(source: string, ids: string[]): string[] {
  const page = parseDocument(source);
  return idsIn(findBlocks(page, findSlotPlaces(page)).filter(({ id }) => ids.includes(id)));
}

const read = ({ path, source }: PageSource) => inspectPage(openPage({ path, source }));

function knownFacts(page: PageSource): Inspection {
  if (kept?.page.path === page.path && kept.page.source === page.source) return kept.facts;
  kept = undefined;
  const facts = read(page);
  if (page.source.length <= KEPT_CHARACTERS) kept = { page, facts };
  return facts;
}
