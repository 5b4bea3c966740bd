import type { PageItem } from '../../../contract/task.ts';
import type { TextSlot, SlotRole } from '../../../sites/formats/pageParts.ts';
import { isHoursAt } from '../../../sites/pages/texts/hoursData.ts';
import { hasWords, quoteText } from '../../../text/text.ts';
import { parseMarks, plainText, type MarkedNode } from '../../shared/text/parseMarks.ts';
import {
  findAddressSpans,
  findWords,
  createFurthestEndFinder,
} from '../../shared/text/textSpans.ts';
import { findSlotFacts } from '../../shared/facts/findFacts.ts';
import { isKnownKey } from '../../shared/context/contextKeys.ts';
import { findSlotProblem } from '../../shared/page/findSlotProblem.ts';
import { findJunk } from '../../shared/text/findJunk.ts';
import { isNamingSlot, type PageTopics } from '../../shared/page/pageTopics.ts';

/**
 * Problems of a slot's new text, as sentences for the model and for people:
 * `s12 has Markdown in it: write plain text`.
 */
export function findTextProblems(slot: TextSlot, text: string): string[] {
  const [plain, oldText] = [plainText(text), plainText(slot.text)];
  const longest = longestAllowed(slot.role, measureWidth(oldText));
  const markProblems = findMarkProblems(slot, text);
  const markupProblems = MARKUP_PATTERNS.filter(
    ({ pattern }) => pattern.test(plain) && !pattern.test(oldText),
  ).map(({ problem }) => problem);
  const problems = [
    ...(markProblems.length > 0 ? markProblems : markupProblems),
    ...findJunkProblems(slot, plain, oldText),
    ...(plain !== oldText && isHoursAt(slot.jsonPath)
      ? ['has opening hours for programs: leave it out']
      : []),
    ...(lacksNeededWords(slot, plain) && !lacksNeededWords(slot, oldText)
      ? ["is empty, which this kind of text can't be"]
      : []),
    ...(measureWidth(plain) > longest
      ? [
          `has ${measureWidth(plain)} characters: at most ${longest} are allowed in place of ${measureWidth(oldText)}`,
        ]
      : []),
  ];
  return problems.map((problem) => `${slot.id} ${problem}`);
}

/** Patterns of markup. Pages get plain text only, so markup would be visible. */
const MARKUP_PATTERNS = [
  {
    pattern: /<(?:[a-z!?/]|\d{1,4}\/?>)/iu,
    problem: 'has markup in it: only its own marks can stand there',
  },
  {
    pattern: /&(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});/iu,
    problem: 'has a character reference in it: write the character',
  },
  {
    pattern: /\*\*[^\s*][^*]{0,300}\*\*|\]\([^\s)]|^#{1,6}\s|^```/u,
    problem: 'has Markdown in it: write plain text',
  },
];

/**
 * Refuses placeholders such as `n/a`, and a text that is not an e-mail address, a telephone number
 * or a web address in a slot that only shows one.
 */
function findJunkProblems(slot: TextSlot, plain: string, oldText: string): string[] {
  const junk = findJunk(plain, isKnownKey);
  if (junk && !findJunk(oldText, isKnownKey))
    return [`is ${junk.what}: leave the text out, or write a real one`];
  const slotProblem = findSlotProblem(slot, oldText, plain);
  return slotProblem
    ? [`has no ${slotProblem.fills} in it, and shows one: leave it out where the context has none`]
    : [];
}

/** A new text must have the same marks as the old one (`<1>…</1>`), nested as before. */
function findMarkProblems(slot: TextSlot, text: string): string[] {
  const [oldNesting, newNesting] = [describeNesting(slot.text), describeNesting(text)];
  const isSameNesting =
    oldNesting &&
    newNesting &&
    oldNesting.length === newNesting.length &&
    oldNesting.every((mark) => newNesting.includes(mark));
  if (isSameNesting) return [];
  const marks =
    slot.parts.length === 0
      ? 'no marks'
      : `each of its marks once, nested as in ${quoteText(slot.text, 200)}`;
  return [`has broken marks: it has ${marks}`];
}

/** For each mark its number, kind and enclosing mark; null for broken marks. */
function describeNesting(marked: string): string[] | null {
  const nestingOf = (nodes: MarkedNode[], enclosingNumber: number): string[] =>
    nodes.flatMap((node) =>
      typeof node === 'string'
        ? []
        : [
            `${node.number} ${node.isVoid} ${enclosingNumber}`,
            ...nestingOf(node.children, node.number),
          ],
    );
  const nodes = parseMarks(marked);
  return nodes && nestingOf(nodes, 0);
}

const NEVER_EMPTY_ROLES: SlotRole[] = [
  'title',
  'description',
  'social-title',
  'heading',
  'link',
  'button',
  'svg-text',
];
const lacksNeededWords = ({ role }: TextSlot, plain: string) =>
  NEVER_EMPTY_ROLES.includes(role) && !hasWords(plain);

/** Characters that a text may be longer than the template's, if twice its length is less. */
const SLACK: Partial<Record<SlotRole, number>> = {
  'svg-text': 12,
  button: 20,
  link: 30,
  title: 40,
  'social-title': 40,
  heading: 40,
  'table-cell': 60,
  'list-item': 80,
};
const MOST_SLACK = 120;
const longestAllowed = (role: SlotRole, length: number) =>
  Math.max(2 * length, length + (SLACK[role] ?? MOST_SLACK));

/** A text's width in the layout: East Asian characters count twice. */
const measureWidth = (plain: string) =>
  [...plain].reduce(
    (sum, letter) => sum + (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(letter) ? 2 : 1),
    0,
  );

/** Whether texts must not name the template's topic, because the context does not name it. */
export const isTopicBanned = ({ context }: PageItem, { old }: PageTopics): boolean =>
  findWords(context, old, { anyCase: true }).length === 0;

/**
 * Whether a text names the template's topic. Addresses and facts that contain the name do not
 * count, nor do words that only look alike (`Reading`, `reading`).
 */
export function namesTemplateTopic(slot: TextSlot, text: string, topics: PageTopics): boolean {
  const plain = plainText(text);
  const mentions = findWords(plain, topics.old, { anyCase: true });
  if (mentions.length === 0) return false;
  const isWord = /^\p{Lu}\S*$/u.test(topics.old);
  const protectedSpans = [
    ...findAddressSpans(plain),
    ...(isNamingSlot(slot) ? [] : findSlotFacts({ ...slot, text })),
  ];
  const furthestEnd = createFurthestEndFinder([
    ...protectedSpans,
    ...findWords(plain, topics.new, { anyCase: true }),
  ]);
  return mentions.some(
    ({ from, to }) => !(furthestEnd(to) > from) && !(isWord && /^\p{Ll}/u.test(plain.slice(from))),
  );
}
