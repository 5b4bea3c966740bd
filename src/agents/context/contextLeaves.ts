import { cut } from '../../text/text.ts';
import { junkIn } from '../text/junk.ts';
import { withoutMarkup } from '../text/markup.ts';
import { clean, type ContextData, type Section } from './contextData.ts';
import { keysOf } from './fillKinds.ts';
import { isKnownKey } from './contextKeys.ts';
import { withoutEnd } from '../../contract/text.ts';
import { readLine } from './keyValueLines.ts';
import { plain } from './markdown.ts';
import { parseJson, parseYaml } from './contextObjects.ts';

/** A single value of a context. `owner` is the key or heading above it. */
export interface Leaf {
  owner: string;
  text: string;
}

/**
 * All values of a context as they are written, except that HTML becomes its text. Junk is left out,
 * since remarks report it.
 */
export function leavesOf(context: ContextData): Leaf[] {
  const junk = new Set(
    context.remarks?.flatMap(({ severity, value }) => (severity === 'error' ? value : [])),
  );
  const isKey = keysOf(context);
  return allLeaves(context).flatMap(({ owner, text }) => {
    const plain = withoutMarkup(text);
    const isJunk =
      plain === '' || junk.has(cut(clean(text), LONGEST)) || junkIn(plain, isKey) !== null;
    return isJunk ? [] : [{ owner, text: plain }];
  });
}

/** Characters to which a remark shortens a value. */
const LONGEST = 200;

function allLeaves({ format, source, fields, sections }: ContextData): Leaf[] {
  const data = format === 'json' ? parseJson(source) : format === 'yaml' ? parseYaml(source) : null;
  if (data) return Object.entries(data).flatMap(([owner, value]) => leavesIn(owner, value));
  if (format === 'markdown' || format === 'prose') return leavesOfLines(source);
  return [
    ...fields.flatMap(({ key, values }) => values.map((text) => ({ owner: key, text }))),
    ...sections.flatMap((section) => leavesOfSection(section.name, section)),
  ];
}

const HEADING = /^(#{1,6})\s+(\S.*)$/;
/** A line that only introduces the lines below it. */
const LABEL = /^[^-:][^:]{0,60}:$/;
/** A line without text: a rule, a fence, or the line below a table's header. */
const MARK = /^(?:```.*|[-*_|:\s]+)$/;

/** The lines of a text, each with the nearest section heading above it. */
function leavesOfLines(source: string): Leaf[] {
  const leaves: Leaf[] = [];
  let [section, label] = ['', ''];
  const lines = source.split('\n').map((line) => line.trim());
  for (const [i, line] of lines.entries()) {
    const [, level = '', title = ''] = HEADING.exec(line) ?? [];
    const text = plain((title || line).replace(/^(?:[-*+•>]|\d{1,3}[.)])\s+/, ''));
    if (level.length === 2) section = withoutEnd(text, ' #');
    if (line === '' || LABEL.test(line)) label = line.slice(0, -1);
    const found = readLine(line);
    const field = section === '' || isKnownKey(found?.key ?? '') ? found : null;
    const isHead =
      line.includes('|') && /^[-|:\s]+$/.test(lines[i + 1] ?? '') && lines[i + 1]!.includes('-');
    if (MARK.test(line) || LABEL.test(line) || level.length === 2 || isHead) continue;
    if (field) leaves.push(...field.values.map((value) => ({ owner: field.key, text: value })));
    else leaves.push({ owner: section || label || 'text', text });
  }
  return leaves;
}

/** Deepest level of nesting that is read. People do not nest deeper. */
const DEEPEST = 100;

function leavesIn(owner: string, value: unknown, depth = 0): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [{ owner, text: String(value) }];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((entry) => leavesIn(owner, entry, depth + 1));
}

function leavesOfSection(
  owner: string,
  { heading, paragraphs, items, sections, fields = [], name }: Section,
): Leaf[] {
  const own = [...paragraphs, ...items, ...fields.flatMap(({ values }) => values)];
  const named = heading !== null && name !== owner ? [heading] : [];
  const inner = sections.flatMap((section) => leavesOfSection(owner, section));
  return [...[...named, ...own].map((text) => ({ owner, text })), ...inner];
}
