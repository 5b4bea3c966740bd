import type { PageFile } from '../../../../contract/site.ts';
import { DomainError } from '../../../../errors.ts';
import { findChrome, witnessesOf } from '../sharedSlots.ts';
import type { HtmlDocument } from '../document.ts';
import type { Range } from '../../../../text/range.ts';
import { numberIn } from '../openPage.ts';
import type { Group } from '../groups/findGroups.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { cut } from '../../../../text/text.ts';
import { type Line, linesOf, type Part } from './outlineLines.ts';

/** Characters of an answer, about 6,000 tokens. */
const LONGEST_PAGE = 24_000;
const NEAR = 5;
const LONGEST_EXCERPT = 60;
/** A repeat of a shorter text in the body is written out. */
const SHORT = 24;

export interface OutlineView {
  /** `chrome`: what stands on every page of the site; else the page's own texts. */
  part: 'texts' | 'chrome';
  /** The id of the first line to show. */
  from?: string;
  /** Only what stands in this stretch, of either part. */
  within?: Range;
}

export interface OpenOutline {
  page: HtmlDocument;
  file: PageFile;
  sisters: HtmlDocument[];
  /** Repeated blocks, by the ids that they are known by. */
  groups: { id: string; group: Group }[];
}

/**
 * A page for a language model: a line a text, `[g54.0] s55 h3 Starter`, with the groups that it
 * begins a member of, its id, its kind, and where its link leads; `=s55` is the text of that id.
 * @throws DomainError NOT_FOUND for `from` that is no id of these lines
 */
export function outlineOf(
  { page, file, sisters, groups }: OpenOutline,
  { part, from, within }: OutlineView,
): string {
  const lines = linesOf(page, file);
  const isChrome = chromeIn(page, sisters);
  const isShown = (line: Line) =>
    within
      ? line.start >= within.start && line.end <= within.end
      : isChrome(line) === (part === 'chrome');
  const shown = inParts(lines.filter(isShown));
  const written = writeLines(shown, groups);
  const first = from === undefined ? 0 : shown.findIndex(({ id }) => id === from);
  if (first === -1)
    throw new DomainError(
      'NOT_FOUND',
      `there is no "${cut(from!, 40)}" to read on from; ${near(shown, from!)}`,
    );
  return paged(
    within || shown.length === 0 ? [] : headLine(part, lines.length - shown.length),
    written.slice(first),
    shown.slice(first),
  );
}

function headLine(part: OutlineView['part'], hidden: number): string[] {
  if (part === 'chrome')
    return ['These stand on other pages too: `everywhere` changes them there as well'];
  return hidden > 0 ? [`${hidden} texts of the site's chrome are hidden (part: chrome)`] : [];
}

/** Texts of the body, then what the head says, then structured data. */
const inParts = (lines: Line[]) =>
  (['body', 'head', 'data'] as Part[]).flatMap((part) =>
    lines.filter((line) => line.part === part),
  );

function chromeIn(page: HtmlDocument, sisters: HtmlDocument[]): (line: Line) => boolean {
  const places = findSlotPlaces(page);
  const chrome = findChrome(places, sisters, witnessesOf(page, sisters));
  const slots = new Set(places.map(({ slot }) => slot.id));
  return ({ id, isInLandmark }) =>
    slots.has(id) ? chrome.has(id) : isInLandmark && chrome.size > 0;
}

const titles: Record<Part, string> = { body: '', head: 'head:\n', data: 'structured data:\n' };

function writeLines(lines: Line[], groups: OpenOutline['groups']): string[] {
  const first = new Map<string, string>();
  const starts = lines.filter(({ part }) => part === 'body').map(({ start }) => start);
  const marksOf = groupMarks(
    groups.filter(({ group }) => starts[indexFrom(starts, group.start)]! < group.end),
  );
  return lines.map((line, i) => {
    const { id, kind, text, parts, part, start } = line;
    const known = part === 'body' && text.length < SHORT ? undefined : first.get(text);
    if (!first.has(text)) first.set(text, id);
    const title = lines[i - 1]?.part === part ? '' : titles[part];
    const marks = part === 'body' ? marksOf(start) : '';
    const says = known === undefined ? text.replaceAll('\n', '\n  ') : `=${known}`;
    return title + [marks, id, kind, says].filter((word) => word !== '').join(' ') + parts;
  });
}

/** The index of the first of some sorted positions that is not before another one. */
function indexFrom(starts: number[], position: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The marks of the members that begin, and of the groups that end, up to a position; it is asked
 * for each line once.
 */
function groupMarks(groups: OpenOutline['groups']): (position: number) => string {
  const marks = groups.flatMap(({ id, group }) => [
    ...group.members.map(({ start }, i) => ({
      at: start,
      order: 1,
      text: `[${id}.${i}${i === group.slotGroup.pattern ? '*' : ''}]`,
    })),
    { at: group.end, order: 0, text: `[/${id}]` },
  ]);
  marks.sort((a, b) => a.at - b.at || a.order - b.order);
  let next = 0;
  return (position) => {
    const passed: string[] = [];
    for (; next < marks.length && marks[next]!.at <= position; next++)
      passed.push(marks[next]!.text);
    return passed.join('');
  };
}

/** As many lines as fit, and from where to read on. */
function paged(answer: string[], written: string[], lines: Line[]): string {
  let length = answer.join('\n').length;
  for (const [i, line] of written.entries()) {
    length += line.length + 1;
    if (length > LONGEST_PAGE && i > 0)
      return [...answer, `${written.length - i} more: from ${lines[i]!.id}`].join('\n');
    answer.push(line);
  }
  return answer.length === 0 ? 'no texts' : answer.join('\n');
}

const numberOf = (id: string) => Number(/\d+/.exec(numberIn(id))?.[0] ?? 0);
const familyOf = (id: string) => numberIn(id).startsWith('n');

/** The ids that come nearest to one that the page does not have, with what they are. */
export function near(lines: Line[], id: string): string {
  const distance = (line: Line) =>
    Math.abs(numberOf(line.id) - numberOf(id)) +
    (familyOf(line.id) === familyOf(id) ? 0 : lines.length);
  const nearest = lines
    .map((line, i) => ({ line, i, distance: distance(line) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR)
    .sort((a, b) => a.i - b.i);
  if (nearest.length === 0) return 'the page has no texts';
  return `near are ${nearest.map(({ line }) => `${line.id} ${line.kind} "${cut(line.text, LONGEST_EXCERPT)}"`).join(', ')}`;
}
