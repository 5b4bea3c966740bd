import { lineAt, linesOf as sourceLines, type SourceLines } from '../../../../text/lines.ts';
import { outermost, type Range } from '../../../../text/range.ts';
import { plainLine } from '../../../pages/slotText.ts';
import type { OutlineQuestion } from '../../format.ts';
import { locateSections } from '../changes/sections.ts';
import { attributeOf, isSvg, metaName, textOf } from '../document.ts';
import { usableGroups } from '../groups/usableGroups.ts';
import { openPage, type Page } from '../openPage.ts';
import { findChrome, witnessesOf } from '../sharedSlots.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { openSister } from '../template.ts';
import { headFacts } from './headLines.ts';
import { missingTargets } from './missingTargets.ts';
import { type Line, linesOf } from './outlineLines.ts';

/** Characters of an outline, about 6,000 tokens. */
const LONGEST_PAGE = 24_000;
/** Shorter texts are repeated in full. */
const LONG = 24;

/**
 * A page with the numbers of its source's lines: `52 [2 of 3: lines 50-61] h3 Starter`. The first
 * line says what the head states and lacks.
 */
export function readOutline({ isChrome = false, from, ...asked }: OutlineQuestion): string {
  const page = openPage(asked.page);
  const source = sourceLines(page.source);
  const lines = linesOf(page, missingTargets(page, asked));
  const isOfChrome = chromeIn(page, asked.siblings.flatMap(openSister));
  const shown = lines.filter((line) => isOfChrome(line) === isChrome);
  const written = writeLines(shown, { source, marksAt: blockMarks(page, source) });
  const first =
    from === undefined ? 0 : shown.findIndex(({ start }) => lineAt(source, start) >= from);
  if (first === -1) return `There is nothing from line ${from} on`;
  const hidden = lines.length - shown.length;
  const lead = isChrome ? [] : [headLine(page, source), ...hiddenLine(hidden)];
  return paged(first === 0 ? lead : [], { written, shown, source, first });
}

/** Makes a test for lines of the site's chrome. */
function chromeIn(page: Page, sisters: Page[]): (line: Line) => boolean {
  const places = findSlotPlaces(page);
  const chrome = findChrome(page, witnessesOf(page, sisters));
  const slots = new Set(places.map(({ slot }) => slot.id));
  return ({ id, isInLandmark }) =>
    slots.has(id) ? chrome.has(id) : isInLandmark && chrome.size > 0;
}

const hiddenLine = (hidden: number) =>
  hidden > 0 ? [`${hidden} texts that stand on other pages too are hidden: chrome shows them`] : [];

function headLine(page: Page, { starts }: SourceLines): string {
  const missing = missingInHead(page);
  const lacks = missing.length === 0 ? '' : `; missing in the head: ${missing.join(', ')}`;
  return `${starts.length} lines; ${headFacts(page)}${lacks}`;
}

/** What search engines, social networks and phones read of a head, and the page lacks. */
function missingInHead({ elements }: Page): string[] {
  const named = new Set(
    elements
      .filter((one) => one.tagName === 'meta' && attributeOf(one, 'content')?.trim())
      .map(metaName),
  );
  const hasTitle = elements.some(
    (element) => element.tagName === 'title' && !isSvg(element) && textOf(element).trim() !== '',
  );
  const wanted = ['description', 'viewport', 'og:title', 'og:description', 'og:image'];
  return [...(hasTitle ? [] : ['title']), ...wanted.filter((name) => !named.has(name))];
}

interface Writing {
  source: SourceLines;
  marksAt: (position: number) => string;
}

/** Lines with `= line 12` in place of a long text that stands there, first of all in the body. */
function writeLines(lines: Line[], { source, marksAt }: Writing): string[] {
  const plain = lines.map(({ text }) => plainLine(text));
  const leaders = new Map<string, number>();
  for (const isBody of [true, false])
    for (const [i, { part }] of lines.entries())
      if ((part === 'body') === isBody && plain[i]!.length >= LONG && !leaders.has(plain[i]!))
        leaders.set(plain[i]!, i);
  return lines.map(({ start, kind, parts }, i) => {
    const leader = leaders.get(plain[i]!) ?? i;
    const says = leader === i ? plain[i]! : `= line ${lineAt(source, lines[leader]!.start)}`;
    const line = `${lineAt(source, start)}`;
    return [line, marksAt(start), kind, says].filter(Boolean).join(' ') + parts;
  });
}

/**
 * Makes a function that returns the marks of repeated blocks and sections that begin up to a
 * position: `[2 of 3: lines 50-61]`. Call it with the positions in order.
 */
function blockMarks(page: Page, source: SourceLines): (position: number) => string {
  const stretch = ({ start, end }: Range) => {
    const [first, last] = [lineAt(source, start), lineAt(source, Math.max(start, end - 1))];
    return first === last ? `line ${first}` : `lines ${first}-${last}`;
  };
  const members = usableGroups(page).flatMap(({ members }) =>
    members.map((member, i) => ({
      ...member,
      text: `[${i + 1} of ${members.length}: ${stretch(member)}]`,
    })),
  );
  const around = outermost(members.map(({ start, end }) => ({ start, end })));
  const isOfMember = (section: Range) =>
    around.some(({ start, end }) => section.start >= start && section.end <= end);
  const sections = locateSections(page)
    .filter((section) => !isOfMember(section))
    .map((section) => ({ ...section, text: `[section: ${stretch(section)}]` }));
  const marks = [...members, ...sections].sort((a, b) => a.start - b.start || b.end - a.end);
  let next = 0;
  return (position) => {
    const passed: typeof marks = [];
    for (; next < marks.length && marks[next]!.start <= position; next++) passed.push(marks[next]!);
    return passed
      .filter(({ end }) => end > position)
      .map(({ text }) => text)
      .join('');
  };
}

interface Written {
  written: string[];
  shown: Line[];
  source: SourceLines;
  first: number;
}

/** The lines that fit. If lines are left, the last one names the line to continue from. */
function paged(answer: string[], { written, shown, source, first }: Written): string {
  let length = answer.join('\n').length;
  for (let i = first; i < written.length; i++) {
    length += written[i]!.length + 1;
    const line = lineAt(source, shown[i]!.start);
    const isNewLine = i > first && line > lineAt(source, shown[i - 1]!.start);
    if (length > LONGEST_PAGE && isNewLine)
      return [...answer, `${written.length - i} more: from ${line}`].join('\n');
    answer.push(written[i]!);
  }
  return answer.length === 0 ? 'no texts' : answer.join('\n');
}
