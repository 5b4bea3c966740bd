import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import {
  cleanLine,
  newSection,
  type ContextField,
  type ContextParts,
  type ContextSection,
} from './contextData.ts';
import { foldWords } from '../text/foldText.ts';
import { factKeys, isKnownKey, isTopicOrFactKey } from './contextKeys.ts';
import { joinEntryLines, readQuote } from './citedQuotes.ts';
import { GROUPING_KEYS } from './jsonAndYaml.ts';
import { mergeFields, readKeyValueLine } from './keyValueLines.ts';
import { isQuestionLine, readQuestionLines } from './questionLines.ts';
import { isMarkdownTable, readMarkdownTable } from './markdownTables.ts';

const HEADING_LINE = /^(#{1,6})\s+(\S.*)$/;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/;

export const hasMarkdownHeading = (text: string): boolean =>
  text.split('\n').some((line) => HEADING_LINE.test(line));
export const hasMarkdownList = (text: string): boolean =>
  text.split('\n').some((line) => LIST_ITEM.test(line));

/**
 * Reads headings, paragraphs and lists, without inline marks.
 * - A first-level heading becomes the field `h1`.
 * - `Key: value` lines before the first heading become fields, even between other lines.
 * - Below a lower heading, only a fact's key makes a field (`### Starter`, `Price: $9`).
 * - Below a heading that only groups keys (`## Contact`), each known key makes a field of the page.
 * - The rows of a table become sections.
 */
export function readMarkdown(text: string): ContextParts {
  const fields: ContextField[] = [];
  const root = newSection('');
  const openSections: { level: number; section: ContextSection }[] = [{ level: 1, section: root }];
  const rawBlocks = splitMarkdownBlocks(text);
  // a single bold question may be a slogan, not a list of questions
  const hasQuestions = rawBlocks.filter(beginsWithQuestion).length > 1;
  const blocks = joinAnswers(rawBlocks, hasQuestions);
  for (const [index, block] of blocks.entries()) {
    const heading = HEADING_LINE.exec(block);
    if (
      openSections.at(-1)!.level === LOWEST_LEVEL &&
      !isEntryBlock(block) &&
      !AUTHOR_LINE.test(block)
    )
      openSections.pop();
    const current = openSections.at(-1)!.section;
    const destination = { current, root, fields };
    if (heading?.[1]!.length === 1 && !fields.some(({ key }) => key === 'h1'))
      fields.push({ key: 'h1', values: [readHeadingText(heading[2]!)] });
    else if (heading) openSection(openSections, heading[1]!.length, readHeadingText(heading[2]!));
    else if (isMarkdownTable(block))
      current.sections.push(...readMarkdownTable(block, plainMarkdown));
    else if (LIST_ITEM.test(block)) addListItem(destination, block);
    else if (QUOTED_LINE.test(block) && current !== root) current.items.push(readEntryText(block));
    else if (AUTHOR_LINE.test(block) && current.items.length > 0)
      current.items.push(`${current.items.pop()} ${plainMarkdown(block)}`);
    else if (isEntryBlock(blocks[index + 1] ?? '') && INTRODUCING_LINE.test(block))
      openSection(openSections, LOWEST_LEVEL, plainMarkdown(block).slice(0, -1), null);
    else if (current === root && INTRODUCING_LINE.test(firstLine(block)) && block.includes('\n'))
      addNamedBlock(destination, block);
    else addTextBlock(destination, block, { isBold: current !== root || hasQuestions });
  }
  for (const section of root.sections) gatherQuotes(section);
  const sections = root.sections.filter(
    (section) => !isGroupingSection(section) || !hasNoContent(section),
  );
  return { fields: mergeFields(fields), sections, paragraphs: root.paragraphs };
}

/** Where the next block, such as a paragraph or a list item, is added. */
interface BlockDestination {
  current: ContextSection;
  /** The section of all text before the first heading. */
  root: ContextSection;
  fields: ContextField[];
}

/** Joins a question that is a paragraph with the answer in the paragraphs below it. */
function joinAnswers(blocks: string[], hasQuestions: boolean): string[] {
  const joinedBlocks: string[] = [];
  let [isAnswerExpected, isInside] = [false, hasQuestions];
  for (const block of blocks) {
    const isAnswer = isAnswerExpected && isParagraphBlock(block) && !beginsWithQuestion(block);
    if (isAnswer) joinedBlocks.push(`${joinedBlocks.pop()}\n${block}`);
    else joinedBlocks.push(block);
    isInside ||= (HEADING_LINE.exec(block)?.[1]?.length ?? 0) > 1;
    isAnswerExpected = isAnswer || (isInside && beginsWithQuestion(block));
  }
  return joinedBlocks;
}

const firstLine = (block: string) => block.split('\n', 1)[0]!;
const beginsWithQuestion = (block: string) => isQuestionLine(firstLine(block));

const isParagraphBlock = (block: string) =>
  ![HEADING_LINE, LIST_ITEM, QUOTED_LINE, AUTHOR_LINE, INTRODUCING_LINE].some((pattern) =>
    pattern.test(block),
  ) &&
  !isMarkdownTable(block) &&
  !isKnownKey(readKeyValueLine(firstLine(block))?.key ?? '');

/** A line that introduces the list or lines right below it: `Testimonials:`. */
const INTRODUCING_LINE = /^(?:\*\*|__)?\p{L}[^\n:]{0,60}:(?:\*\*|__)?$/u;
const LOWEST_LEVEL = 7;
/** A horizontal rule: `* * *`. */
const HORIZONTAL_RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const QUOTED_LINE = /^>\s?\S/;
const AUTHOR_LINE = /^(?:—|–|--)\s?\p{Lu}[^\n]{0,100}$/u;
const isEntryBlock = (block: string) =>
  LIST_ITEM.test(block) || QUOTED_LINE.test(block) || beginsWithQuestion(block);

/** The text of a list item or a block quotation. */
const readEntryText = (block: string) =>
  plainMarkdown(joinEntryLines((LIST_ITEM.exec(block)?.[1] ?? block).replace(/^>\s?/gm, '')));

function addNamedBlock({ root, fields }: BlockDestination, block: string) {
  const [introduction = '', ...lines] = block.split('\n').map(plainMarkdown);
  const name = introduction.slice(0, -1);
  const [key, quotes] = [foldWords(name), lines.filter((line) => readQuote(line) !== null)];
  const questions = readQuestionLines(block.split('\n').slice(1), plainMarkdown);
  if (questions) root.sections.push(newSection(name, { sections: questions }));
  else if (quotes.length === lines.length) root.sections.push(newSection(name, { items: quotes }));
  else if (isKnownKey(key))
    fields.push({ key, values: [lines.join(factKeys.address.includes(key) ? ', ' : ' ')] });
  else root.sections.push(newSection(name, { paragraphs: [lines.join(' ')] }));
}

/** Turns paragraphs that are quotations with their authors into list items. */
function gatherQuotes(section: ContextSection) {
  const isQuote = (text: string) => Boolean(readQuote(text)?.author);
  if (section.items.length === 0) {
    section.items = section.paragraphs.filter(isQuote);
    section.paragraphs = section.paragraphs.filter((text) => !isQuote(text));
  }
  for (const subsection of section.sections) gatherQuotes(subsection);
}

/** A heading's text, without the signs at its end: `## Title ##`. */
const readHeadingText = (text: string) => plainMarkdown(trimEndCharacters(text, '#') || '#');

function openSection(
  openSections: { level: number; section: ContextSection }[],
  level: number,
  name: string,
  heading: string | null = name,
) {
  while (openSections.length > 1 && openSections.at(-1)!.level >= level) openSections.pop();
  const section = newSection(name, { heading });
  openSections.at(-1)!.section.sections.push(section);
  openSections.push({ level, section });
}

/** Whether a section's heading only groups keys: `Contact`, `SEO`. */
const isGroupingSection = ({ name }: ContextSection) => GROUPING_KEYS.has(foldWords(name));

const hasNoContent = ({ paragraphs, items, sections, fields = [] }: ContextSection) =>
  paragraphs.length + items.length + sections.length + fields.length === 0;

/** How `Key: value` lines are read in the current section, and where their fields go. */
function chooseFieldReader({ current, root, fields }: BlockDestination): {
  read: (line: string) => ContextField | null;
  add: (newFields: ContextField[]) => void;
} {
  const addToPage = (newFields: ContextField[]) => void fields.push(...newFields);
  if (current === root) return { read: readKeyValueLine, add: addToPage };
  if (isGroupingSection(current)) return { read: readKnownField, add: addToPage };
  return {
    read: readFactField,
    add: (newFields) => void (current.fields ??= []).push(...newFields),
  };
}

function addListItem(destination: BlockDestination, block: string) {
  const { read, add } = chooseFieldReader(destination);
  const field = read(block);
  if (field) add([field]);
  else destination.current.items.push(readEntryText(block));
}

/**
 * Adds a block of text. Questions with answers go to the section of their heading, or else to the
 * section before. Other text becomes a paragraph.
 * @param isBold whether a bold line may be a question
 */
function addTextBlock(
  destination: BlockDestination,
  block: string,
  { isBold }: { isBold: boolean },
) {
  const { current, root } = destination;
  const questions = readQuestionLines(block.split('\n'), plainMarkdown, { isBold });
  if (!questions) return addParagraphBlock(destination, block);
  if (current === root && !root.sections.at(-1)?.sections.length)
    root.sections.push(newSection('FAQ'));
  (current === root ? root.sections.at(-1)! : current).sections.push(...questions);
}

const LONGEST_TOWN = 60;
const MOST_TOWN_LINES = 2;

/** Joins the lines behind `Address: 12 Elm Street` to this line if they may be the town. */
function joinTownLines(lines: string[]): string[] {
  const joinedLines: string[] = [];
  let townLinesAllowed = 0;
  for (const line of lines) {
    const key = readKeyValueLine(line)?.key;
    const isTown =
      townLinesAllowed > 0 &&
      key === undefined &&
      line.length < LONGEST_TOWN &&
      !/[.!?…]$/u.test(line);
    if (isTown) joinedLines.push(`${joinedLines.pop()}, ${line}`);
    else joinedLines.push(line);
    const isAddress = key !== undefined && factKeys.address.includes(key);
    if (isTown) townLinesAllowed--;
    else townLinesAllowed = isAddress ? MOST_TOWN_LINES : 0;
  }
  return joinedLines;
}

function addParagraphBlock(destination: BlockDestination, block: string) {
  const { read, add } = chooseFieldReader(destination);
  const lines = joinTownLines(block.split('\n')).map((line) => ({ line, field: read(line) }));
  const foundFields = lines.flatMap(({ field }) => field ?? []);
  if (foundFields.length > 0) add(foundFields);
  const text = lines.flatMap(({ line, field }) => (field ? [] : [line])).join('\n');
  if (text !== '') destination.current.paragraphs.push(plainMarkdown(text));
}

/** Reads a line that gives a fact, such as `Price: $9`. null for other lines. */
function readFactField(line: string): ContextField | null {
  const field = readKeyValueLine(line);
  return field && isTopicOrFactKey(field.key) ? field : null;
}

/** Reads a line whose key has a meaning on every template. null for other lines. */
function readKnownField(line: string): ContextField | null {
  const field = readKeyValueLine(line);
  return field && isKnownKey(field.key) ? field : null;
}

/**
 * Splits Markdown into headings, list items and paragraphs, each as its source. A paragraph keeps
 * its lines.
 */
function splitMarkdownBlocks(text: string): string[] {
  const blocks: string[] = [];
  let joinsPrevious = false;
  for (const line of text.split('\n')) {
    const isFirstQuoted = QUOTED_LINE.test(line) && !QUOTED_LINE.test(blocks.at(-1) ?? '');
    const startsBlock =
      [HEADING_LINE, LIST_ITEM, INTRODUCING_LINE].some((pattern) => pattern.test(line)) ||
      isFirstQuoted ||
      endsNamedLines(blocks, line);
    const isBreak = line.trim() === '' || HORIZONTAL_RULE.test(line);
    if (!isBreak && (startsBlock || !joinsPrevious)) blocks.push(line.trim());
    else if (!isBreak) blocks.push(`${blocks.pop()}\n${line.trim()}`);
    joinsPrevious = !isBreak && !HEADING_LINE.test(line);
  }
  return blocks;
}

/**
 * Whether a line ends the lines that belong to the name above: `Phone: 1` does not belong to
 * `Address:`.
 */
const endsNamedLines = (blocks: string[], line: string) =>
  INTRODUCING_LINE.test(firstLine(blocks.at(-1) ?? '')) &&
  isKnownKey(readKeyValueLine(line)?.key ?? '');

/** The visible text of inline Markdown. */
export function plainMarkdown(markdown: string): string {
  const text = markdown
    .replace(/^>\s?/gm, '')
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.{1,300}?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.{1,300}?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`([^`]{1,300})`/g, '$1');
  return cleanLine(text);
}
