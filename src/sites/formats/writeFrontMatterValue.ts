import { isCollection, parseDocument } from 'yaml';
import { collapseSpaces } from '../../text/text.ts';
import { validHtmlText } from './escape.ts';
import { rewriteRaw, type SourceKind } from './rewriteSource.ts';
import { readJsonCharacters } from './sourceCharacters.ts';
import type { FrontMatterValue } from './frontMatter.ts';

/** How a value is written. Whole: in double quotes, even if another style could hold it. */
type ValueManner = 'plain' | 'escaped' | 'whole';

/** The lines of a block stay lines. Every other text is one line. */
export const tidyValue = ({ style }: Pick<FrontMatterValue, 'style'>, text: string) => {
  const validText = validHtmlText(text).trim();
  return style === 'block' ? validText : collapseSpaces(validText);
};

/** A value, its source, and its text. */
interface ValueSource {
  value: FrontMatterValue;
  raw: string;
  text: string;
  isToml: boolean;
}

/** Strings in double quotes, in YAML, TOML and JSON. */
const quotedKind: SourceKind = {
  read: readJsonCharacters,
  escape: (text) => JSON.stringify(text).slice(1, -1),
};

/** The source of a new value, in the style of the old one if that can hold the text. */
export function writeFrontMatterValue(
  { value, raw, text, isToml }: ValueSource,
  newText: string,
  manner: ValueManner,
) {
  const tidyText = tidyValue(value, newText);
  const { style, isFlow } = value;
  if (tidyText === '') return '""';
  if (style === 'block') return writeBlock(raw, tidyText);
  if (manner === 'whole') return JSON.stringify(tidyText);
  const isOneLine = !/\n/.test(tidyText) && !/^(?:"""|''')/.test(raw);
  // TOML has no escape for a quote in single quotes
  if (style === 'single' && isOneLine && !(isToml && tidyText.includes("'")))
    return `'${isToml ? tidyText : tidyText.replaceAll("'", "''")}'`;
  if (style === 'double' && isOneLine) return writeDoubleQuoted(raw, text, tidyText);
  return style === 'plain' && isPlainYaml(tidyText, isFlow) ? tidyText : JSON.stringify(tidyText);
}

function writeDoubleQuoted(raw: string, seen: string, wanted: string): string {
  try {
    return `"${rewriteRaw(quotedKind, raw.slice(1, -1), { seen, wanted })}"`;
  } catch {
    // escapes that only YAML has, such as \x41
    return JSON.stringify(wanted);
  }
}

/** Whether YAML reads a text without quotes as this text. */
function isPlainYaml(text: string, isFlow = false): boolean {
  // lists and objects may be nested, and take exponential time
  if (/^[[{]/.test(text)) return false;
  const { contents, errors } = parseDocument(isFlow ? `[${text}]` : `k: ${text}\n`);
  const read: unknown = isCollection(contents) ? contents.get(isFlow ? 0 : 'k') : undefined;
  return errors.length === 0 && read === text;
}

/** A block's new lines, under its header (`|-`) and with the indentation of its first line. */
function writeBlock(raw: string, text: string): string {
  const [header = '|', ...lines] = raw.split(/(?<=\n)/);
  const lineEnd = header.endsWith('\r\n') ? '\r\n' : '\n';
  const indentation = /^[ \t]*/.exec(lines.find((line) => line.trim() !== '') ?? '  ')?.[0] ?? '  ';
  const tail = raw.slice(raw.trimEnd().length);
  const newLines = header.startsWith('>') ? text.replaceAll('\n', '\n\n') : text;
  const written = newLines
    .split('\n')
    .map((line) => (line === '' ? '' : indentation + line))
    .join(lineEnd);
  return header + written + tail;
}
