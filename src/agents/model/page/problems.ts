import type { PageItem } from '../../../contract/task.ts';
import type { Slot, SlotRole } from '../../../sites/formats/page.ts';
import { isHoursAt } from '../../../sites/pages/hoursData.ts';
import { hasWords, quoted } from '../../../text/text.ts';
import { parseMarks, plainText, type Node } from '../../text/marks.ts';
import { addressSpans, findWords, reachOf } from '../../text/spans.ts';
import { factsOf } from '../../facts/findFacts.ts';
import { isKnownKey } from '../../context/contextKeys.ts';
import { unfitIn } from '../../page/unfitIn.ts';
import { junkIn } from '../../text/junk.ts';
import { isNaming, type Subject } from '../../page/subject.ts';

/** Problems of a slot's new text: sentences for the model and for people. */
export function problemsOf(slot: Slot, text: string): string[] {
  const [plain, old] = [plainText(text), plainText(slot.text)];
  const longest = longestFor(slot.role, widthOf(old));
  const broken = markProblem(slot, text);
  const markup = MARKUP.filter(({ pattern }) => pattern.test(plain) && !pattern.test(old)).map(
    ({ says }) => says,
  );
  const found = [
    ...(broken.length > 0 ? broken : markup),
    ...junkProblem(slot, plain, old),
    ...(plain !== old && isHoursAt(slot.jsonPath)
      ? ['has opening hours for programs: leave it out']
      : []),
    ...(isBare(slot, plain) && !isBare(slot, old)
      ? ["is empty, which this kind of text can't be"]
      : []),
    ...(widthOf(plain) > longest
      ? [
          `has ${widthOf(plain)} characters: ${longest} at most are possible where ${widthOf(old)} stood`,
        ]
      : []),
  ];
  return found.map((says) => `${slot.id} ${says}`);
}

/** Patterns of markup. Pages get plain text only, so markup would be visible. */
const MARKUP = [
  {
    pattern: /<(?:[a-z!?/]|\d{1,4}\/?>)/iu,
    says: 'has markup in it: only its own marks can stand there',
  },
  {
    pattern: /&(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});/iu,
    says: 'has a character reference in it: write the character',
  },
  {
    pattern: /\*\*[^\s*][^*]{0,300}\*\*|\]\([^\s)]|^#{1,6}\s|^```/u,
    says: 'has Markdown in it: write plain text',
  },
];

/**
 * Refuses placeholders such as `n/a`, and a text without an address in place of one that shows an
 * address.
 */
function junkProblem(slot: Slot, plain: string, old: string): string[] {
  const junk = junkIn(plain, isKnownKey);
  if (junk && !junkIn(old, isKnownKey))
    return [`is ${junk.what}: leave the text out, or write a real one`];
  const unfit = unfitIn(slot, old, plain);
  return unfit
    ? [`has no ${unfit.fills} in it, and shows one: leave it out where the context has none`]
    : [];
}

function markProblem(slot: Slot, text: string): string[] {
  const [own, given] = [nestingOf(slot.text), nestingOf(text)];
  const isSame =
    own && given && own.length === given.length && own.every((mark) => given.includes(mark));
  if (isSame) return [];
  const marks =
    slot.parts.length === 0
      ? 'no marks'
      : `each of its marks once, nested as in ${quoted(slot.text, 200)}`;
  return [`has broken marks: it has ${marks}`];
}

/** For each mark its number, kind and enclosing mark; null for broken marks. */
function nestingOf(marked: string): string[] | null {
  const inside = (nodes: Node[], around: number): string[] =>
    nodes.flatMap((node) =>
      typeof node === 'string'
        ? []
        : [`${node.number} ${node.isVoid} ${around}`, ...inside(node.children, node.number)],
    );
  const nodes = parseMarks(marked);
  return nodes && inside(nodes, 0);
}

const FILLED: SlotRole[] = [
  'title',
  'description',
  'social-title',
  'heading',
  'link',
  'button',
  'svg-text',
];
const isBare = ({ role }: Slot, plain: string) => FILLED.includes(role) && !hasWords(plain);

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
const longestFor = (role: SlotRole, length: number) =>
  Math.max(2 * length, length + (SLACK[role] ?? MOST_SLACK));

/** A text's width in the layout: East Asian characters count twice. */
const widthOf = (plain: string) =>
  [...plain].reduce(
    (sum, letter) => sum + (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(letter) ? 2 : 1),
    0,
  );

/** Whether texts must not name the template's subject, since the context does not name it. */
export const isBanned = ({ context }: PageItem, { old }: Subject): boolean =>
  findWords(context, old, { anyCase: true }).length === 0;

/**
 * Whether a text names the template's subject. Addresses and facts that contain the name do not
 * count, nor do words that only look alike (`Reading`, `reading`).
 */
export function namesSubject(slot: Slot, text: string, subject: Subject): boolean {
  const plain = plainText(text);
  const found = findWords(plain, subject.old, { anyCase: true });
  if (found.length === 0) return false;
  const isWord = /^\p{Lu}\S*$/u.test(subject.old);
  const others = [...addressSpans(plain), ...(isNaming(slot) ? [] : factsOf({ ...slot, text }))];
  const reach = reachOf([...others, ...findWords(plain, subject.new, { anyCase: true })]);
  return found.some(
    ({ from, to }) => !(reach(to) > from) && !(isWord && /^\p{Ll}/u.test(plain.slice(from))),
  );
}
