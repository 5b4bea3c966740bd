import { getNodeValue, parseTree, type Node as JsonNode, type ParseError } from 'jsonc-parser';
import { type AST, parseTOML } from 'toml-eslint-parser';
import { isMap, isScalar, isSeq, parseDocument, type Node as YamlNode } from 'yaml';
import { DomainError } from '../../errors.ts';
import { describePosition } from '../../text/sourceLines.ts';
import type { TextRange } from '../../text/textRange.ts';

/** The languages that front matter is written in. */
export type FrontMatterLanguage = 'yaml' | 'toml' | 'json';

/** A value in front matter, with the range of its source. */
export interface FrontMatterValue extends TextRange {
  /** `['hero', 'cards', 0, 'title']` */
  path: (string | number)[];
  value: unknown;
  /** How the value is written: the quotes, or a block (`|`, `>`). */
  style: 'plain' | 'double' | 'single' | 'block';
  /** True for a YAML value in a list or object in brackets, where a comma ends it. */
  isFlow?: true;
}

/** What stands at the start of a page's file, between its fences. */
export interface FrontMatter extends TextRange {
  language: FrontMatterLanguage;
  /** The range between the fences. */
  content: TextRange;
  values: FrontMatterValue[];
  /** The entries at the top level, in order. Tables of TOML are left out. */
  entries: FrontMatterEntry[];
  /** The lists of objects. */
  lists: FrontMatterList[];
}

/** An entry at the top level: its key with everything in it. */
export interface FrontMatterEntry extends TextRange {
  key: string;
}

/** A list of objects, with the ranges of its items. */
export interface FrontMatterList {
  path: FrontMatterValue['path'];
  items: TextRange[];
}

/** What is read of front matter. */
type FrontMatterParts = Pick<FrontMatter, 'values' | 'entries' | 'lists'>;

const FENCES: Record<string, FrontMatterLanguage> = { '---': 'yaml', '+++': 'toml', ';;;': 'json' };
/** The start of an object in JSON, and not of an expression in MDX: `{"Hello"}`. */
const jsonStart = /^\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})/;
/** Front matter with more values is unreadable. */
const MAX_VALUES = 5_000;
/** Values in lists and objects that are nested deeper are not read. */
const MAX_DEPTH = 20;

/**
 * Reads the front matter of a page.
 * @returns null if the file has none
 * @throws DomainError PAGE_UNREADABLE with line and column, if it does not parse
 */
export function readFrontMatter(source: string): FrontMatter | null {
  const start = source.startsWith('\uFEFF') ? 1 : 0;
  if (jsonStart.test(source.slice(start, start + 200))) return readJsonFrontMatter(source, start);
  const opening = /^(---|\+\+\+|;;;)[ \t]*\r?\n/.exec(source.slice(start, start + 200));
  const fence = opening?.[1];
  if (!opening || fence === undefined) return null;
  const contentStart = start + opening[0].length;
  const closing = findClosingFence(source, contentStart, fence);
  if (closing === null) return null;
  const language = FENCES[fence]!;
  const content = { start: contentStart, end: closing.start };
  refuseDeepText(source.slice(content.start, content.end));
  const parts = readShallowly(() => readParts(source, content, language));
  return { language, content, ...parts, start, end: closing.end };
}

/**
 * Reads the values of a whole document, such as the configuration of a generator.
 * @throws DomainError as `readFrontMatter`
 */
export function readDocumentValues(
  source: string,
  language: FrontMatterLanguage,
): FrontMatterValue[] {
  refuseDeepText(source);
  const start = source.startsWith('\uFEFF') ? 1 : 0;
  return readShallowly(() => readParts(source, { start, end: source.length }, language)).values;
}

/** Parsers are slow if more brackets and braces are open at a time. */
const MAX_OPEN_BRACKETS = 100;

/**
 * Counts those in quotes and comments too: front matter has no hundred of them without an end.
 * @throws DomainError LIMIT_EXCEEDED
 */
export function refuseDeepText(text: string): void {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') open++;
    else if (open > 0) open--;
    if (open > MAX_OPEN_BRACKETS) throw tooDeepError();
  }
}

/** Front matter that is nested so deeply that a parser gives up is unreadable. */
export function readShallowly<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooDeepError();
  }
}

const tooDeepError = () => new DomainError('LIMIT_EXCEEDED', 'The front matter is nested too deep');

function findClosingFence(source: string, from: number, fence: string): TextRange | null {
  for (let lineStart = from; lineStart < source.length;) {
    const lineEnd = source.indexOf('\n', lineStart);
    const end = lineEnd < 0 ? source.length : lineEnd + 1;
    if (source.slice(lineStart, end).trimEnd() === fence) return { start: lineStart, end };
    lineStart = end;
  }
  return null;
}

function readJsonFrontMatter(source: string, start: number): FrontMatter | null {
  const problems: ParseError[] = [];
  const tree = readShallowly(() =>
    parseTree(source.slice(start), problems, { allowTrailingComma: true }),
  );
  if (tree?.type !== 'object') return null;
  const content = { start, end: start + tree.offset + tree.length };
  // what follows the object is the page's Markdown
  const [problem] = problems.filter(({ offset }) => start + offset < content.end);
  const isWhole = source[content.end - 1] === '}';
  if (problem || !isWhole)
    throw unreadableAt(source, start + ((problem ?? problems[0])?.offset ?? 0), 'JSON');
  return { language: 'json', content, ...readJson(tree, start), ...content };
}

function readParts(
  source: string,
  { start, end }: TextRange,
  language: FrontMatterLanguage,
): FrontMatterParts {
  const text = source.slice(start, end);
  if (language === 'yaml') return readYaml(source, text, start);
  if (language === 'toml') return readToml(source, text, start);
  const problems: ParseError[] = [];
  const tree = parseTree(text, problems, { allowTrailingComma: true });
  if (!tree || problems.length > 0)
    throw unreadableAt(source, start + (problems[0]?.offset ?? 0), 'JSON');
  return readJson(tree, start);
}

/** Parses YAML. Its errors have only positions: a broken text may have thousands of them. */
export const parseYaml = (text: string) =>
  parseDocument(text, { keepSourceTokens: false, uniqueKeys: false, prettyErrors: false });

function readYaml(source: string, text: string, offset: number): FrontMatterParts {
  const document = parseYaml(text);
  const [problem] = document.errors;
  if (problem) throw unreadableAt(source, offset + problem.pos[0], 'YAML');
  const [values, lists]: [FrontMatterValue[], FrontMatterList[]] = [[], []];
  const visit = (node: YamlNode | null, path: FrontMatterValue['path'], isInFlow = false) => {
    if (path.length > MAX_DEPTH) return;
    const isFlow = isInFlow || ((isMap(node) || isSeq(node)) && node.flow === true);
    if (isMap(node))
      for (const { key, value } of node.items)
        visit(value as YamlNode | null, [...path, isScalar(key) ? String(key.value) : '?'], isFlow);
    else if (isSeq(node)) {
      if (node.items.every((item) => isMap(item)))
        lists.push({
          path,
          items: node.items.map(({ range }) => {
            const [from, to] = range!;
            if (isFlow) return { start: offset + from, end: offset + to };
            return {
              start: offset + text.lastIndexOf('-', from),
              end: endOfLine(source, offset, range!),
            };
          }),
        });
      for (const [index, item] of node.items.entries())
        visit(item as YamlNode, [...path, index], isFlow);
    } else if (isScalar(node) && node.range) {
      const [from, to] = node.range;
      values.push({
        path,
        value: node.value,
        style: yamlStyles[node.type ?? 'PLAIN'] ?? 'plain',
        ...(isFlow && { isFlow }),
        start: offset + from,
        end: offset + to,
      });
      refuseTooMany(values);
    }
  };
  const { contents } = document;
  visit(contents, []);
  const entries = isMap(contents) && !contents.flow ? contents.items : [];
  return {
    values,
    lists,
    entries: entries.flatMap(({ key, value }) => {
      if (!isScalar(key) || !key.range) return [];
      const [start, keyEnd] = key.range;
      const end = (value as YamlNode | null)?.range?.[1] ?? keyEnd;
      const range = [start, Math.max(end, keyEnd)] as const;
      return [
        { key: String(key.value), start: offset + start, end: endOfLine(source, offset, range) },
      ];
    }),
  };
}

/** Where the last line of a value ends, without blanks: after a comment in it. */
export function endOfLine(
  source: string,
  offset: number,
  [from, to]: readonly [number, number, ...number[]],
) {
  const last = offset + from + source.slice(offset + from, offset + to).trimEnd().length;
  const newline = source.indexOf('\n', last);
  return last + source.slice(last, newline < 0 ? undefined : newline).trimEnd().length;
}

const yamlStyles: Record<string, FrontMatterValue['style']> = {
  QUOTE_DOUBLE: 'double',
  QUOTE_SINGLE: 'single',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};

function readToml(source: string, text: string, offset: number): FrontMatterParts {
  const [values, lists]: [FrontMatterValue[], FrontMatterList[]] = [[], []];
  const rangeOf = ({ range: [from, to] }: AST.TOMLNode) => ({
    start: offset + from,
    end: offset + to,
  });
  const visit = (node: AST.TOMLContentNode, path: FrontMatterValue['path']) => {
    if (path.length > MAX_DEPTH) return;
    if (node.type === 'TOMLArray') {
      if (node.elements.every(({ type }) => type === 'TOMLInlineTable'))
        lists.push({ path, items: node.elements.map(rangeOf) });
      for (const [index, item] of node.elements.entries()) visit(item, [...path, index]);
    } else if (node.type === 'TOMLInlineTable') for (const pair of node.body) visitPair(pair, path);
    else {
      const first = text[node.range[0]];
      const style = first === '"' ? 'double' : first === "'" ? 'single' : 'plain';
      values.push({ path, value: node.value, style, ...rangeOf(node) });
      refuseTooMany(values);
    }
  };
  const visitPair = ({ key, value }: AST.TOMLKeyValue, path: FrontMatterValue['path']) =>
    visit(value, [
      ...path,
      ...key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value)),
    ]);
  const entries: FrontMatterEntry[] = [];
  const tables = new Map<string, FrontMatterList>();
  for (const node of parseToml(source, text, offset).body[0].body)
    if (node.type === 'TOMLKeyValue') {
      const [first] = node.key.keys;
      const key = first?.type === 'TOMLBare' ? first.name : (first?.value ?? '');
      entries.push({ key, ...rangeOf(node) });
      visitPair(node, []);
    } else {
      const path = node.resolvedKey;
      const [firstKey, index] = path;
      const name = String(firstKey);
      if (typeof index === 'number') {
        const list = tables.get(name) ?? { path: [name], items: [] };
        tables.set(name, list);
        if (path.length === 2) list.items.push(rangeOf(node));
        else if (list.items[index]) list.items[index].end = rangeOf(node).end;
      }
      for (const pair of node.body) visitPair(pair, path);
    }
  return { values, entries, lists: [...lists, ...tables.values()] };
}

function parseToml(source: string, text: string, offset: number): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    const index = (error as { index?: number }).index ?? 0;
    throw unreadableAt(source, offset + index, 'TOML');
  }
}

function readJson(tree: JsonNode, offset: number): FrontMatterParts {
  const [values, lists]: [FrontMatterValue[], FrontMatterList[]] = [[], []];
  const rangeOf = (node: JsonNode) => ({
    start: offset + node.offset,
    end: offset + node.offset + node.length,
  });
  const visit = (node: JsonNode, path: FrontMatterValue['path']) => {
    if (path.length > MAX_DEPTH) return;
    const children = node.children ?? [];
    if (node.type === 'object')
      for (const { children: [key, value] = [] } of children)
        if (key && value) visit(value, [...path, String(key.value)]);
    if (node.type === 'array') {
      if (children.every(({ type }) => type === 'object'))
        lists.push({ path, items: children.map(rangeOf) });
      for (const [index, item] of children.entries()) visit(item, [...path, index]);
    }
    if (node.type === 'object' || node.type === 'array') return;
    const style = node.type === 'string' ? 'double' : 'plain';
    values.push({ path, value: getNodeValue(node), style, ...rangeOf(node) });
    refuseTooMany(values);
  };
  visit(tree, []);
  const entries = (tree.children ?? []).flatMap((node) => {
    const key: unknown = node.children?.[0]?.value;
    return typeof key === 'string' ? [{ key, ...rangeOf(node) }] : [];
  });
  return { values, entries, lists };
}

/** Whether front matter has these values, in this order. Those in `changed` may be others. */
export const haveSameValues = (
  expected: FrontMatterValue[],
  { values = [] }: Partial<FrontMatter>,
  changed: ReadonlySet<FrontMatterValue>,
): boolean =>
  values.length === expected.length &&
  expected.every((value, i) => {
    const describe = (one: FrontMatterValue) =>
      JSON.stringify([one.path.map(String), changed.has(value) || one.value]);
    return describe(value) === describe(values[i]!);
  });

function refuseTooMany(values: FrontMatterValue[]) {
  if (values.length > MAX_VALUES)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The front matter has more than ${MAX_VALUES} values, which is the limit`,
    );
}

/** @param language for the message: `YAML` */
export const unreadableAt = (source: string, offset: number, language: string): DomainError =>
  new DomainError(
    'PAGE_UNREADABLE',
    `${describePosition(source, offset)}: this is not valid ${language}`,
  );
