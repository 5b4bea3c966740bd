import { plainLine } from '../../../pages/slotText.ts';
import { collapse } from '../../../../text/text.ts';
import { isDaysAt, isHoursAt } from '../../../pages/hoursData.ts';
import { remembered } from '../../../remembered.ts';
import type { Page } from '../openPage.ts';
import { landmarkOf } from '../roles.ts';
import { isHuman, pathText, type JsonLeaf } from '../slots/jsonLd.ts';
import { leavesOf } from '../slots/plainSlotPlaces.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';

/** Properties whose objects describe a part of a page that it may lack (schema.org). */
const PARTS = new Set(
  'offers hasOfferCatalog review reviews aggregateRating mainEntity hasPart itemListElement step'.split(
    ' ',
  ),
);
/** Characters of a text that may be one paragraph of a longer value. */
const LONG = 24;

/**
 * Ids of the values in structured data that describe what a page no longer shows: the blocks, and
 * the entries in them, whose texts all stood in parts that were left out. What also has texts that
 * stood nowhere on the page stays.
 * @param before the page with all of its parts
 */
export function leftOutValues(page: Page, before: Page): string[] {
  const [now, then] = [countsOfTexts(page), countsOfTexts(before)];
  const lost = new Set(
    [...then].filter(([text, count]) => all(count) > all(now.get(text))).map(([text]) => text),
  );
  if (lost.size === 0) return [];
  // a word of the footer may happen to be that of an entry too: `Studio`
  const shown = new Set(
    [...now].filter(([text, { own }]) => own > 0 || !lost.has(text)).map(([text]) => text),
  );
  const [isShown, isLost] = [saidIn(shown), saidIn(lost)];
  return page.elements.flatMap((element) => {
    const leaves = leavesOf(page, element);
    const counts = new Map<string, { shown: number; lost: number; other: number }>();
    for (const leaf of leaves) {
      if (typeof leaf.value !== 'string' || !isHuman(leaf) || isBeside(leaf)) continue;
      const counted = isShown(leaf.value) ? 'shown' : isLost(leaf.value) ? 'lost' : 'other';
      for (const entry of entriesOf(leaf)) {
        const count = counts.get(entry) ?? { shown: 0, lost: 0, other: 0 };
        count[counted]++;
        counts.set(entry, count);
      }
    }
    const isGone = (entry: string) => {
      const count = counts.get(entry);
      if (!count || count.shown > 0 || count.other > 0) return false;
      return count.lost > 0;
    };
    const number = page.numbers.get(element);
    return leaves.flatMap((leaf, i) => (entriesOf(leaf).some(isGone) ? [`s${number}.${i}`] : []));
  });
}

/** Whether a value says nothing of what a page shows: opening hours, and places in a list. */
const isBeside = ({ path, value }: JsonLeaf) =>
  isHoursAt(pathText(path)) ||
  isDaysAt(pathText(path)) ||
  (path.at(-1) === 'position' && /^\d+$/.test(String(value)));

/** How often a text stands in a page's own content, and in landmarks around it. */
interface Count {
  own: number;
  around: number;
}
const all = ({ own, around }: Count = { own: 0, around: 0 }) => own + around;

function countsOfTexts(page: Page): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const { slot, element } of findSlotPlaces(page)) {
    if (slot.role === 'structured-data') continue;
    const text = folded(plainLine(slot.text));
    remembered(counts, text, () => ({ own: 0, around: 0 }))[
      landmarkOf(element) ? 'around' : 'own'
    ]++;
  }
  return counts;
}

const folded = (text: string) => collapse(text).trim().toLowerCase();

/** Makes a test for values that are among some texts, or hold a longer one of them. */
function saidIn(texts: ReadonlySet<string>): (value: string) => boolean {
  const long = [...texts].filter((text) => text.length >= LONG);
  return (value) => {
    const own = folded(value);
    return texts.has(own) || (own.length > LONG && long.some((text) => own.includes(text)));
  };
}

/** The entries that a value is in, outermost first: its block, and the members of lists. */
const entriesOf = ({ path }: JsonLeaf): string[] =>
  path.flatMap((_, i) => {
    const isEntry = i === 0 || typeof path[i - 1] === 'number' || PARTS.has(String(path[i - 1]));
    return isEntry ? [JSON.stringify(path.slice(0, i))] : [];
  });
