import { DomainError } from '../../../../errors.ts';
import type { OutlineQuestion } from '../../format.ts';
import { remembered } from '../../../remembered.ts';
import { followersOf, isNumberAt } from '../../followers.ts';
import type { Slot } from '../../page.ts';
import { hoursValueAt } from '../../../pages/hoursData.ts';
import { locateSections } from '../changes/sections.ts';
import { usableGroups } from '../groups/usableGroups.ts';
import { numberIn, openPage, type Page } from '../openPage.ts';
import { findChrome, witnessesOf } from '../sharedSlots.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { cut } from '../../../../text/text.ts';
import { openSister } from '../template.ts';
import { headFacts } from './headLines.ts';
import { marksOf } from './marks.ts';
import { missingTargets } from './missingTargets.ts';
import { type Line, linesOf, type Part } from './outlineLines.ts';

/** Characters of an outline, about 6,000 tokens. */
const LONGEST_PAGE = 24_000;
const NEAR = 5;
/** Texts in the body shorter than this are repeated in full. */
const LONG = 24;
const LONGEST_EXCERPT = 60;

/**
 * A page for a language model, with one line for each text: `[g54.0] s55 h3 Starter`. A line has
 * the group members that start there, the text's id and kind, and its link's target. `=s55` stands
 * for the text of that id.
 * @throws DomainError NOT_FOUND if `from` is the id of none of these lines, INVALID_INPUT for an
 *   unknown group
 */
export function readOutline({ part = 'texts', from, ...asked }: OutlineQuestion): string {
  const page = openPage(asked.page);
  if (part === 'head') return headOutline(page);
  const groups = usableGroups(page);
  const lines = linesOf(page, { isMissing: missingTargets(page, asked) });
  const isChrome = chromeIn(page, asked.sisters.flatMap(openSister));
  const shown = inParts(lines.filter((line) => isChrome(line) === (part === 'chrome')));
  const written = writeLines(shown, marksOf(shown, groups, locateSections(page)));
  const first = from === undefined ? 0 : shown.findIndex(({ id }) => id === from);
  if (first === -1)
    throw new DomainError(
      'NOT_FOUND',
      `there is no "${cut(from!, 40)}" to read on from; ${nearestOf(shown, from!)}`,
    );
  return paged(
    shown.length === 0 ? [] : headLine(part, lines.length - shown.length),
    written.slice(first),
    shown.slice(first),
  );
}

/** The head of a page: a line with its language and addresses, and its texts. */
function headOutline(page: Page): string {
  const lines = linesOf(page).filter(({ part }) => part === 'head');
  const written = writeLines(lines, () => '');
  return [headFacts(page), ...written].join('\n').replace(titles.head, '');
}

/** The kinds that an outline shows for texts: `h3`, `offers[0].name`; '' for an unknown id. */
export function kindsOf(page: Page, ids: string[]): string[] {
  const byId = new Map(linesOf(page).map(({ id, kind }) => [id, kind]));
  return ids.map((id) => byId.get(id) ?? '');
}

function headLine(part: 'texts' | 'chrome', hidden: number): string[] {
  if (part === 'chrome')
    return ['These stand on other pages too: `everywhere` changes them there as well'];
  return hidden > 0 ? [`${hidden} texts of the site's chrome are hidden (part: chrome)`] : [];
}

/** Sorts lines: the body, then the head, then structured data. */
const inParts = (lines: Line[]) =>
  (['body', 'head', 'data'] as Part[]).flatMap((part) =>
    lines.filter((line) => line.part === part),
  );

export function chromeIn(page: Page, sisters: Page[]): (line: Line) => boolean {
  const places = findSlotPlaces(page);
  const chrome = findChrome(page, witnessesOf(page, sisters));
  const slots = new Set(places.map(({ slot }) => slot.id));
  return ({ id, isInLandmark }) =>
    slots.has(id) ? chrome.has(id) : isInLandmark && chrome.size > 0;
}

/** Before the first line of a part. */
const titles: Record<Part, string> = { body: '', head: 'head:\n', data: 'structured data:\n' };

/**
 * Lines with `=s55` in place of a text that is written when s55 is, and `~s55` in place of a long
 * one that only says the same.
 */
function writeLines(lines: Line[], marksOf: (position: number) => string): string[] {
  const leaders = new Map<string, Slot[]>();
  return lines.map((line, i) => {
    const { id, kind, text, parts, part, start, slot } = line;
    const same = (slot && leaders.get(text)) ?? [];
    const known = same.find((leader) => isFollowing(slot!, leader));
    const twin = part === 'body' && text.length >= LONG ? same[0] : undefined;
    if (slot) remembered(leaders, text, () => []).push(slot);
    const title = lines[i - 1]?.part === part ? '' : titles[part];
    const marks = part === 'body' ? marksOf(start) : '';
    const says = known ? `=${known.id}` : twin ? `~${twin.id}` : text.replaceAll('\n', '\n  ');
    return title + [marks, id, kind, says].filter(Boolean).join(' ') + parts;
  });
}

/** Whether a text is written when one that it repeats is. Hours and numbers are shown in full. */
const isFollowing = ({ id, role, text, jsonPath }: Slot, leader: Slot) =>
  id !== leader.id &&
  text !== '' &&
  text === leader.text &&
  hoursValueAt(jsonPath) === undefined &&
  !isNumberAt(jsonPath) &&
  followersOf(leader).includes(role);

/** The lines that fit. If lines are left, the last line names the id to continue from. */
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

function nearestOf(lines: Line[], id: string): string {
  const distance = (line: Line) =>
    Math.abs(numberOf(line.id) - numberOf(id)) +
    (familyOf(line.id) === familyOf(id) ? 0 : lines.length);
  const nearest = new Set(
    lines
      .map((line) => ({ line, distance: distance(line) }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, NEAR)
      .map(({ line }) => line),
  );
  if (nearest.size === 0) return 'the page has no texts';
  const named = lines
    .filter((line) => nearest.has(line))
    .map((line) => `${line.id} ${line.kind} "${cut(line.text, LONGEST_EXCERPT)}"`);
  return `near are ${named.join(', ')}`;
}
