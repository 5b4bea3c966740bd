import type { PageItem } from '../../../contract/task.ts';
import type { TextSlot, SlotRole } from '../../../sites/formats/pageParts.ts';
import { isHoursAt } from '../../../sites/pages/texts/hoursData.ts';
import { hasWords } from '../../../text/text.ts';
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
import { textProblems } from './answerProblems.ts';

/** Problems of a slot's new text, worded by `answerProblems.ts`. */
export function findTextProblems(slot: TextSlot, text: string): string[] {
  const [plain, oldText] = [plainText(text), plainText(slot.text)];
  const [width, oldWidth] = [measureWidth(plain), measureWidth(oldText)];
  const longest = longestAllowed(slot.role, oldWidth);
  const markProblems = findMarkProblems(slot, text);
  const markupProblems = MARKUP_PATTERNS.filter(
    ({ pattern }) => pattern.test(plain) && !pattern.test(oldText),
  ).map(({ problem }) => textProblems[problem](slot.id));
  return [
    ...(markProblems.length > 0 ? markProblems : markupProblems),
    ...findJunkProblems(slot, plain, oldText),
    ...(plain !== oldText && isHoursAt(slot.jsonPath) ? [textProblems.hoursData(slot.id)] : []),
    ...(lacksNeededWords(slot, plain) && !lacksNeededWords(slot, oldText)
      ? [textProblems.empty(slot.id)]
      : []),
    ...(width > longest ? [textProblems.long(slot.id, width, { longest, oldWidth })] : []),
  ];
}

/** Patterns of markup. Pages get plain text only, so markup would be visible. */
const MARKUP_PATTERNS = [
  { pattern: /<(?:[a-z!?/]|\d{1,4}\/?>)/iu, problem: 'markup' },
  { pattern: /&(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});/iu, problem: 'reference' },
  { pattern: /\*\*[^\s*][^*]{0,300}\*\*|\]\([^\s)]|^#{1,6}\s|^```/u, problem: 'markdown' },
] as const;

/**
 * Refuses placeholders such as `n/a`, and a text that is not an e-mail address, a telephone number
 * or a web address in a slot that only shows one.
 */
function findJunkProblems(slot: TextSlot, plain: string, oldText: string): string[] {
  const junk = findJunk(plain, isKnownKey);
  if (junk && !findJunk(oldText, isKnownKey)) return [textProblems.junk(slot.id, junk)];
  const slotProblem = findSlotProblem(slot, oldText, plain);
  return slotProblem ? [textProblems.otherKind(slot.id, slotProblem.fills)] : [];
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
  return [textProblems.brokenMarks(slot.id, slot.parts.length === 0 ? undefined : slot.text)];
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
