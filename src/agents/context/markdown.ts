import { withoutEnd } from '../../contract/text.ts';
import { clean, newSection, type Field, type Parts, type Section } from './contextData.ts';
import { foldWords } from '../text/fold.ts';
import { factKeys, isKnownKey, isSubjectOrFact } from './contextKeys.ts';
import { joinLines, quoteOf } from './citedQuotes.ts';
import { WRAPPERS } from './contextObjects.ts';
import { joined, readLine } from './keyValueLines.ts';
import { isQuestion, readQuestions } from './questions.ts';
import { isTable, readTable } from './markdownTables.ts';

const HEADING = /^(#{1,6})\s+(\S.*)$/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/;

export const hasHeading = (text: string): boolean =>
  text.split('\n').some((line) => HEADING.test(line));
export const hasList = (text: string): boolean => text.split('\n').some((line) => ITEM.test(line));

/**
 * Reads headings, paragraphs and lists, without inline marks.
 * - A first-level heading becomes the field `h1`.
 * - `Key: value` lines before the first heading become fields, even between other lines.
 * - Below a lower heading, only a fact's key makes a field (`### Starter`, `Price: $9`).
 * - Below a heading that only groups keys (`## Contact`), each known key makes a field of the page.
 * - The rows of a table become sections.
 */
export function readMarkdown(text: string): Parts {
  const fields: Field[] = [];
  const root = newSection('');
  const open: { level: number; section: Section }[] = [{ level: 1, section: root }];
  const read = blocksOf(text);
  // a single bold question may be a slogan, not a list of questions
  const areAsked = read.filter(isAsked).length > 1;
  const blocks = withAnswers(read, areAsked);
  for (const [i, block] of blocks.entries()) {
    const heading = HEADING.exec(block);
    if (open.at(-1)!.level === BELOW_ALL && !isEntry(block) && !AUTHOR.test(block)) open.pop();
    const current = open.at(-1)!.section;
    const place = { current, root, fields };
    if (heading?.[1]!.length === 1 && !fields.some(({ key }) => key === 'h1'))
      fields.push({ key: 'h1', values: [headingText(heading[2]!)] });
    else if (heading) openSection(open, heading[1]!.length, headingText(heading[2]!));
    else if (isTable(block)) current.sections.push(...readTable(block, plain));
    else if (ITEM.test(block)) addItem(place, block);
    else if (QUOTE.test(block) && current !== root) current.items.push(entry(block));
    else if (AUTHOR.test(block) && current.items.length > 0)
      current.items.push(`${current.items.pop()} ${plain(block)}`);
    else if (isEntry(blocks[i + 1] ?? '') && NAME.test(block))
      openSection(open, BELOW_ALL, plain(block).slice(0, -1), null);
    else if (current === root && NAME.test(firstLine(block)) && block.includes('\n'))
      addNamed(place, block);
    else addText(place, block, { isBold: current !== root || areAsked });
  }
  for (const own of root.sections) gatherQuotes(own);
  const sections = root.sections.filter((own) => !isGroup(own) || !isEmpty(own));
  return { fields: joined(fields), sections, paragraphs: root.paragraphs };
}

/** Where the next block is added. */
interface Place {
  current: Section;
  /** The section of all text before the first heading. */
  root: Section;
  fields: Field[];
}

/** Joins a question that is a paragraph with the answer in the paragraphs below it. */
function withAnswers(blocks: string[], areAsked: boolean): string[] {
  const joined: string[] = [];
  let [isOpen, isInside] = [false, areAsked];
  for (const block of blocks) {
    const isAnswer = isOpen && isParagraph(block) && !isAsked(block);
    if (isAnswer) joined.push(`${joined.pop()}\n${block}`);
    else joined.push(block);
    isInside ||= (HEADING.exec(block)?.[1]?.length ?? 0) > 1;
    isOpen = isAnswer || (isInside && isAsked(block));
  }
  return joined;
}

const firstLine = (block: string) => block.split('\n', 1)[0]!;
const isAsked = (block: string) => isQuestion(firstLine(block));

const isParagraph = (block: string) =>
  ![HEADING, ITEM, QUOTE, AUTHOR, NAME].some((other) => other.test(block)) &&
  !isTable(block) &&
  !isKnownKey(readLine(firstLine(block))?.key ?? '');

/** A line that introduces the list or lines right below it: `Testimonials:`. */
const NAME = /^(?:\*\*|__)?\p{L}[^\n:]{0,60}:(?:\*\*|__)?$/u;
const BELOW_ALL = 7;
/** A horizontal rule: `* * *`. */
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^>\s?\S/;
const AUTHOR = /^(?:—|–|--)\s?\p{Lu}[^\n]{0,100}$/u;
const isEntry = (block: string) => ITEM.test(block) || QUOTE.test(block) || isAsked(block);

/** The text of a list item or a block quotation. */
const entry = (block: string) =>
  plain(joinLines((ITEM.exec(block)?.[1] ?? block).replace(/^>\s?/gm, '')));

function addNamed({ root, fields }: Place, block: string) {
  const [first = '', ...lines] = block.split('\n').map(plain);
  const name = first.slice(0, -1);
  const [key, quotes] = [foldWords(name), lines.filter((line) => quoteOf(line) !== null)];
  const asked = readQuestions(block.split('\n').slice(1), plain);
  if (asked) root.sections.push(newSection(name, { sections: asked }));
  else if (quotes.length === lines.length) root.sections.push(newSection(name, { items: quotes }));
  else if (isKnownKey(key))
    fields.push({ key, values: [lines.join(factKeys.address.includes(key) ? ', ' : ' ')] });
  else root.sections.push(newSection(name, { paragraphs: [lines.join(' ')] }));
}

/** Turns paragraphs that are quotations with their authors into list items. */
function gatherQuotes(own: Section) {
  const isQuote = (text: string) => Boolean(quoteOf(text)?.author);
  if (own.items.length === 0) {
    own.items = own.paragraphs.filter(isQuote);
    own.paragraphs = own.paragraphs.filter((text) => !isQuote(text));
  }
  for (const inner of own.sections) gatherQuotes(inner);
}

/** A heading's text. Marks at its end are no part of it: `## Title ##`. */
const headingText = (text: string) => plain(withoutEnd(text, '#') || '#');

function openSection(
  open: { level: number; section: Section }[],
  level: number,
  name: string,
  heading: string | null = name,
) {
  while (open.length > 1 && open.at(-1)!.level >= level) open.pop();
  const section = newSection(name, { heading });
  open.at(-1)!.section.sections.push(section);
  open.push({ level, section });
}

/** Whether a section's heading only groups keys: `Contact`, `SEO`. */
const isGroup = ({ name }: Section) => WRAPPERS.has(foldWords(name));

const isEmpty = ({ paragraphs, items, sections, fields = [] }: Section) =>
  paragraphs.length + items.length + sections.length + fields.length === 0;

/** How `Key: value` lines are read at a place, and where their fields go. */
function fieldsAt({ current, root, fields }: Place): {
  read: (line: string) => Field | null;
  add: (found: Field[]) => void;
} {
  const addToPage = (found: Field[]) => void fields.push(...found);
  if (current === root) return { read: readLine, add: addToPage };
  if (isGroup(current)) return { read: knownFieldOf, add: addToPage };
  return { read: factOf, add: (found) => void (current.fields ??= []).push(...found) };
}

function addItem(place: Place, block: string) {
  const { read, add } = fieldsAt(place);
  const field = read(block);
  if (field) add([field]);
  else place.current.items.push(entry(block));
}

/**
 * Adds a block. Questions with answers go to the section of their heading, or else to the section
 * before; other text becomes a paragraph.
 * @param isBold whether a bold line may be a question
 */
function addText(place: Place, block: string, { isBold }: { isBold: boolean }) {
  const { current, root } = place;
  const asked = readQuestions(block.split('\n'), plain, { isBold });
  if (!asked) return addParagraph(place, block);
  if (current === root && !root.sections.at(-1)?.sections.length)
    root.sections.push(newSection('FAQ'));
  (current === root ? root.sections.at(-1)! : current).sections.push(...asked);
}

const LONGEST_TOWN = 60;
const MOST_TOWN_LINES = 2;

/** Joins the lines behind `Address: 12 Elm Street` to this line if they may be the town. */
function withTown(lines: string[]): string[] {
  const found: string[] = [];
  let free = 0;
  for (const line of lines) {
    const key = readLine(line)?.key;
    const isTown =
      free > 0 && key === undefined && line.length < LONGEST_TOWN && !/[.!?…]$/u.test(line);
    if (isTown) found.push(`${found.pop()}, ${line}`);
    else found.push(line);
    const isAddress = key !== undefined && factKeys.address.includes(key);
    if (isTown) free--;
    else free = isAddress ? MOST_TOWN_LINES : 0;
  }
  return found;
}

function addParagraph(place: Place, block: string) {
  const { read, add } = fieldsAt(place);
  const lines = withTown(block.split('\n')).map((line) => ({ line, field: read(line) }));
  const found = lines.flatMap(({ field }) => field ?? []);
  if (found.length > 0) add(found);
  const text = lines.flatMap(({ line, field }) => (field ? [] : [line])).join('\n');
  if (text !== '') place.current.paragraphs.push(plain(text));
}

/** Reads a line that gives a fact, such as `Price: $9`. null for other lines. */
function factOf(line: string): Field | null {
  const field = readLine(line);
  return field && isSubjectOrFact(field.key) ? field : null;
}

/** Reads a line whose key has a meaning on every template. null for other lines. */
function knownFieldOf(line: string): Field | null {
  const field = readLine(line);
  return field && isKnownKey(field.key) ? field : null;
}

/**
 * Splits Markdown into headings, list items and paragraphs, each as its source. A paragraph keeps
 * its lines.
 */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let joins = false;
  for (const line of text.split('\n')) {
    const isFirstQuoted = QUOTE.test(line) && !QUOTE.test(blocks.at(-1) ?? '');
    const starts =
      [HEADING, ITEM, NAME].some((first) => first.test(line)) ||
      isFirstQuoted ||
      endsNamed(blocks, line);
    const isBreak = line.trim() === '' || RULE.test(line);
    if (!isBreak && (starts || !joins)) blocks.push(line.trim());
    else if (!isBreak) blocks.push(`${blocks.pop()}\n${line.trim()}`);
    joins = !isBreak && !HEADING.test(line);
  }
  return blocks;
}

/**
 * Whether a line ends the lines that belong to the name above: `Phone: 1` is no part of `Address:`.
 */
const endsNamed = (blocks: string[], line: string) =>
  NAME.test(firstLine(blocks.at(-1) ?? '')) && isKnownKey(readLine(line)?.key ?? '');

/** The visible text of inline Markdown. */
export function plain(markdown: string): string {
  const text = markdown
    .replace(/^>\s?/gm, '')
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.{1,300}?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.{1,300}?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`([^`]{1,300})`/g, '$1');
  return clean(text);
}
