import { lineAt, sourceLines, type SourceLines } from '../../../../text/sourceLines.ts';
import { outermostRanges, type TextRange } from '../../../../text/textRange.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import type { OutlineQuery } from '../../format.ts';
import { fitOutline, outlineTexts } from '../../outlineTexts.ts';
import { locateSections } from '../changes/sections.ts';
import { attributeOf, isSvg, metaName, textContentOf } from '../document.ts';
import { usableGroups } from '../groups/usableGroups.ts';
import { openHtmlPage, type HtmlPage } from '../openHtmlPage.ts';
import { findChrome, createSiblingEvidence } from '../findChrome.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { openSibling } from '../template.ts';
import { describeHead } from './describeHead.ts';
import { createMissingTest } from './missingTargets.ts';
import { type OutlineLine, listOutlineLines } from './outlineLines.ts';

/**
 * The outline of a page: what a language model reads before it edits the page's HTML.
 * `outlineLines.ts` lists the texts, links and images of the page, `describeElements.ts` and
 * `describeHead.ts` say what they are, and this file writes the lines, each with its line number in
 * the source. A link that leads nowhere is marked (`missingTargets.ts`).
 *
 *     80 lines; lang en; canonical https://www.example.com/team; missing in the head: og:image
 *     52 [2 of 3: lines 50-61] h3 Starter
 *     53 a(/pricing) See all prices
 */

/** Shorter texts are written in full each time. */
const MIN_REPEATED_LENGTH = 24;

/**
 * Reads the outline of a page: see `FormatCalls.outline`. The first line says what the head states
 * and lacks.
 */
export function readOutline({ isChrome = false, from, ...query }: OutlineQuery): string {
  const page = openHtmlPage(query.page);
  const source = sourceLines(page.source);
  const lines = listOutlineLines(page, createMissingTest(page, query));
  const isChromeLine = createChromeTest(page, query.siblings.flatMap(openSibling));
  const shownLines = lines.filter((line) => isChromeLine(line) === isChrome);
  const writtenLines = writeLines(shownLines, { source, marksAt: createBlockMarks(page, source) });
  const hidden = lines.length - shownLines.length;
  const lead = isChrome
    ? []
    : [
        outlineTexts.head(source.starts.length, describeHead(page), missingInHead(page)),
        ...(hidden > 0 ? [outlineTexts.hidden(hidden)] : []),
      ];
  return fitOutline(lead, { written: writtenLines, shown: shownLines, source, from });
}

/** Makes a test for lines of the site's chrome. */
function createChromeTest(page: HtmlPage, siblings: HtmlPage[]): (line: OutlineLine) => boolean {
  const places = findSlotPlaces(page);
  const chrome = findChrome(page, createSiblingEvidence(page, siblings));
  const slots = new Set(places.map(({ slot }) => slot.id));
  return ({ id, isInLandmark }) =>
    slots.has(id) ? chrome.has(id) : isInLandmark && chrome.size > 0;
}

/** What search engines, social networks and phones read in a head, and the page lacks. */
function missingInHead({ elements }: HtmlPage): string[] {
  const presentNames = new Set(
    elements
      .filter((element) => element.tagName === 'meta' && attributeOf(element, 'content')?.trim())
      .map(metaName),
  );
  const hasTitle = elements.some(
    (element) =>
      element.tagName === 'title' && !isSvg(element) && textContentOf(element).trim() !== '',
  );
  const requiredNames = ['description', 'viewport', 'og:title', 'og:description', 'og:image'];
  return [
    ...(hasTitle ? [] : ['title']),
    ...requiredNames.filter((name) => !presentNames.has(name)),
  ];
}

interface LineContext {
  source: SourceLines;
  marksAt: (position: number) => string;
}

/**
 * Writes the lines. A long text that occurs twice is written once, in the body if it occurs there.
 * The other lines refer to it by `= line 12`.
 */
function writeLines(lines: OutlineLine[], { source, marksAt }: LineContext): string[] {
  const plainTexts = lines.map(({ text }) => plainLine(text));
  const leaders = new Map<string, number>();
  for (const isBody of [true, false])
    for (const [i, { part }] of lines.entries())
      if (
        (part === 'body') === isBody &&
        plainTexts[i]!.length >= MIN_REPEATED_LENGTH &&
        !leaders.has(plainTexts[i]!)
      )
        leaders.set(plainTexts[i]!, i);
  return lines.map(({ start, kind, links }, i) => {
    const leader = leaders.get(plainTexts[i]!) ?? i;
    const lineText =
      leader === i ? plainTexts[i]! : `= line ${lineAt(source, lines[leader]!.start)}`;
    const line = `${lineAt(source, start)}`;
    return [line, marksAt(start), kind, lineText].filter(Boolean).join(' ') + links;
  });
}

/**
 * Makes a function that returns the marks of repeated blocks and sections that begin up to a
 * position: `[2 of 3: lines 50-61]`. Call it with the positions in order.
 */
function createBlockMarks(page: HtmlPage, source: SourceLines): (position: number) => string {
  const lineRange = ({ start, end }: TextRange) => {
    const [first, last] = [lineAt(source, start), lineAt(source, Math.max(start, end - 1))];
    return first === last ? `line ${first}` : `lines ${first}-${last}`;
  };
  const members = usableGroups(page).flatMap(({ members }) =>
    members.map((member, i) => ({
      ...member,
      text: outlineTexts.member(i + 1, members.length, lineRange(member)),
    })),
  );
  const outermostMembers = outermostRanges(members.map(({ start, end }) => ({ start, end })));
  const isOfMember = (section: TextRange) =>
    outermostMembers.some(({ start, end }) => section.start >= start && section.end <= end);
  const sections = locateSections(page)
    .filter((section) => !isOfMember(section))
    .map((section) => ({ ...section, text: `[section: ${lineRange(section)}]` }));
  const marks = [...members, ...sections].sort(
    (first, second) => first.start - second.start || second.end - first.end,
  );
  let nextMark = 0;
  return (position) => {
    const passedMarks: typeof marks = [];
    for (; nextMark < marks.length && marks[nextMark]!.start <= position; nextMark++)
      passedMarks.push(marks[nextMark]!);
    return passedMarks
      .filter(({ end }) => end > position)
      .map(({ text }) => text)
      .join('');
  };
}
