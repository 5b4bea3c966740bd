import { plainLine } from '../../../pages/texts/slotText.ts';
import { collapseSpaces } from '../../../../text/text.ts';
import { isDaysAt, isHoursAt } from '../../../pages/texts/hoursData.ts';
import { getOrCreate } from '../../../remembered.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { landmarkOf } from '../roles.ts';
import { isHumanText, type JsonLeaf } from '../slots/jsonLd.ts';
import { pathText } from '../../pathText.ts';
import { readJsonLeaves } from '../slots/plainSlotPlaces.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

/** Properties whose objects describe a part of a page that it may lack (schema.org). */
const PARTS = new Set(
  'offers hasOfferCatalog review reviews aggregateRating mainEntity hasPart itemListElement step'.split(
    ' ',
  ),
);
/** Characters of a text that may be one paragraph of a longer value. */
const LONG_TEXT = 24;

/**
 * Finds structured data that describes what a page no longer shows. An entry of the data (a block,
 * a member of a list, an object such as `offers`) is left out if all of its texts were on the full
 * page and none is on this one.
 * @param fullPage the page with all of its parts
 * @returns ids of the values in these entries: `s12.3`
 */
export function findLeftOutValues(page: HtmlPage, fullPage: HtmlPage): string[] {
  const [currentCounts, formerCounts] = [countTexts(page), countTexts(fullPage)];
  const lost = new Set(
    [...formerCounts]
      .filter(([text, count]) => totalCount(count) > totalCount(currentCounts.get(text)))
      .map(([text]) => text),
  );
  if (lost.size === 0) return [];
  // a word of the footer may happen to be that of an entry too: `Studio`
  const shown = new Set(
    [...currentCounts]
      .filter(([text, { own }]) => own > 0 || !lost.has(text))
      .map(([text]) => text),
  );
  const [isShown, isLost] = [createTextTest(shown), createTextTest(lost)];
  return page.elements.flatMap((element) => {
    const leaves = readJsonLeaves(page, element);
    const counts = new Map<string, { shown: number; lost: number; other: number }>();
    for (const leaf of leaves) {
      if (typeof leaf.value !== 'string' || !isHumanText(leaf) || isUnrelated(leaf)) continue;
      const category = isShown(leaf.value) ? 'shown' : isLost(leaf.value) ? 'lost' : 'other';
      for (const entry of entryPaths(leaf)) {
        const count = counts.get(entry) ?? { shown: 0, lost: 0, other: 0 };
        count[category]++;
        counts.set(entry, count);
      }
    }
    const isEntryGone = (entry: string) => {
      const count = counts.get(entry);
      if (!count || count.shown > 0 || count.other > 0) return false;
      return count.lost > 0;
    };
    const number = page.elementNumbers.get(element);
    return leaves.flatMap((leaf, i) =>
      entryPaths(leaf).some(isEntryGone) ? [`s${number}.${i}`] : [],
    );
  });
}

/** Whether a value says nothing of what a page shows: opening hours, and places in a list. */
const isUnrelated = ({ path, value }: JsonLeaf) =>
  isHoursAt(pathText(path)) ||
  isDaysAt(pathText(path)) ||
  (path.at(-1) === 'position' && /^\d+$/.test(String(value)));

/** How often a text stands in a page's own content, and in landmarks around it. */
interface TextCount {
  own: number;
  around: number;
}
const totalCount = ({ own, around }: TextCount = { own: 0, around: 0 }) => own + around;

function countTexts(page: HtmlPage): Map<string, TextCount> {
  const counts = new Map<string, TextCount>();
  for (const { slot, element } of findSlotPlaces(page)) {
    if (slot.role === 'structured-data') continue;
    const text = foldCase(plainLine(slot.text));
    getOrCreate(counts, text, () => ({ own: 0, around: 0 }))[
      landmarkOf(element) ? 'around' : 'own'
    ]++;
  }
  return counts;
}

const foldCase = (text: string) => collapseSpaces(text).trim().toLowerCase();

/** Makes a test for values that are among some texts, or hold a longer one of them. */
function createTextTest(texts: ReadonlySet<string>): (value: string) => boolean {
  const longTexts = [...texts].filter((text) => text.length >= LONG_TEXT);
  return (value) => {
    const foldedValue = foldCase(value);
    return (
      texts.has(foldedValue) ||
      (foldedValue.length > LONG_TEXT && longTexts.some((text) => foldedValue.includes(text)))
    );
  };
}

/** The entries that a value is in, outermost first: its block, and the members of lists. */
const entryPaths = ({ path }: JsonLeaf): string[] =>
  path.flatMap((_, i) => {
    const isEntry = i === 0 || typeof path[i - 1] === 'number' || PARTS.has(String(path[i - 1]));
    return isEntry ? [JSON.stringify(path.slice(0, i))] : [];
  });
