import type { SideEffects } from './format.ts';
import type { FrontMatter, FrontMatterValue } from './frontMatter.ts';
import { lostPartNames } from './lostPartNames.ts';
import type { StaleDetail } from './pageFindings.ts';

/** A page's path and front matter. */
interface StatedPage {
  path: string;
  frontMatter: FrontMatter | null;
}

/**
 * What a change of a page did to its front matter. A new page is compared with its template, of
 * whose keys it leaves out some.
 */
export function frontMatterEffects(
  before: StatedPage,
  after: StatedPage,
): Pick<SideEffects, 'setup' | 'staleDetails'> {
  const isNew = before.path !== after.path;
  const kept = new Set((after.frontMatter?.entries ?? []).map(({ key }) => key));
  const lostKeys = (before.frontMatter?.entries ?? []).flatMap(({ key }) =>
    isNew || kept.has(key) ? [] : [key],
  );
  return {
    setup: {
      removed: lostKeys.map(lostPartNames.frontMatter),
      isUnlisted: !isDraft(before) && isDraft(after),
    },
    staleDetails: isNew ? listCopiedDetails(after) : [],
  };
}

/** Whether a page's front matter keeps it from readers or search engines. */
export const isDraft = ({ frontMatter }: Pick<StatedPage, 'frontMatter'>): boolean =>
  (frontMatter?.values ?? []).some(hidesPage);

const hidesPage = ({ path, value }: FrontMatterValue) =>
  path.length === 1 && /^(?:draft|noindex|unlisted)$/.test(String(path[0])) && value === true;

/** What a new page has of its template, and most likely should not have. */
const listCopiedDetails = ({ frontMatter }: StatedPage): StaleDetail[] =>
  (frontMatter?.values ?? [])
    .filter((value) => hidesPage(value) || isNumericId(value))
    .map((value) => {
      const statement = `${String(value.path[0])}: ${String(value.value)}`;
      const effect = hidesPage(value)
        ? 'so the site may not show the page'
        : 'so two pages have the same id';
      const noteText = `the front matter says "${statement}", as the template's does, ${effect}`;
      return { noteText, values: [statement] };
    });

/** Whether a value is an id that a new page cannot derive from its name. */
const isNumericId = ({ path, value }: FrontMatterValue) =>
  path.length === 1 && path[0] === 'id' && typeof value === 'number';
