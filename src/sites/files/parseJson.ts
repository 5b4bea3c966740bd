import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { endOfJsonString, findJsonExcess } from '../../contract/text/boundedJson.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const maxDepth = 32;
const MAX_COMMAS = 2_000;
/** Most characters in which the cause of a syntax error is searched. */
const MAX_SEARCHED_LENGTH = 200_000;
/** Most characters of the number or word that a syntax error names. */
const MAX_WORD_LENGTH = 100;

/**
 * Parses JSON from outside. It is stricter than JSON.parse (RFC 8259, sections 4, 8.1 and 9): it
 * refuses invalid UTF-8, duplicate names in an object, `__proto__`, more than 32 levels, and so
 * many values that they would take seconds to validate.
 * @param maxCommas how many values are allowed; default 2,000
 * @throws SyntaxError with the problem and its position, without the text
 */
export function parseJson(bytes: Uint8Array, maxCommas = MAX_COMMAS): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new SyntaxError('it is not UTF-8');
  }
  const excess = findJsonExcess(text, { depth: maxDepth, values: maxCommas });
  if (excess) {
    const reason =
      excess.reason === 'depth' ? 'it is nested too deeply' : 'it contains too many values';
    throw jsonSyntaxError(reason, text, excess.offset);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError(`it cannot be parsed${describeSyntaxFault(text)}`);
  }
  checkMemberNames(text);
  return value;
}

/** Checks the names in a text that is valid JSON. */
function checkMemberNames(text: string): void {
  const openNames: (Set<string> | null)[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '{' || character === '[')
      openNames.push(character === '{' ? new Set() : null);
    else if (character === '}' || character === ']') openNames.pop();
    else if (character === '"') {
      const end = endOfJsonString(text, i);
      const fault =
        isMemberName(text, end) &&
        addMemberName(openNames.at(-1), JSON.parse(text.slice(i, end + 1)) as string);
      if (fault) throw jsonSyntaxError(fault, text, i);
      i = end;
    }
  }
}

/** Adds the name of a member to those of its object. Returns the problem if it is not allowed. */
function addMemberName(names: Set<string> | null | undefined, name: string): string | undefined {
  if (name === '__proto__') return 'it contains a forbidden name';
  if (names?.has(name)) return 'an object contains the same name twice';
  names?.add(name);
  return undefined;
}

const jsonSyntaxError = (reason: string, text: string, offset: number) =>
  new SyntaxError(`${reason}${positionWords(text, offset)}`);

/** Line and column, counted from 1 as editors do; columns in UTF-16 units. */
function positionWords(text: string, offset: number): string {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return ` at line ${line}, column ${offset - start + 1}`;
}

/** What the parser says of an error, in words: `comma expected`. */
const errorCodeWords = (code: ParseErrorCode) =>
  printParseErrorCode(code)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();

class JsonSyntaxFault extends Error {
  readonly code: ParseErrorCode;
  readonly offset: number;
  /** Characters of the wrong word or string. */
  readonly length: number;

  constructor(code: ParseErrorCode, offset: number, length: number) {
    super();
    this.code = code;
    this.offset = offset;
    this.length = length;
  }
}

/** Whether the searched part of the text may end in the middle of the word that is wrong. */
const mayBeCut = (text: string, { offset, length }: JsonSyntaxFault): boolean =>
  text.length > MAX_SEARCHED_LENGTH && offset + length >= MAX_SEARCHED_LENGTH - MAX_WORD_LENGTH;

/**
 * Position and cause of a syntax error. For a broken string, the position is its beginning. Empty
 * if unknown.
 */
function describeSyntaxFault(text: string): string {
  try {
    const onError = (code: ParseErrorCode, offset: number, length: number) => {
      throw new JsonSyntaxFault(code, offset, length);
    };
    const options = { disallowComments: true, allowTrailingComma: false };
    visit(text.slice(0, MAX_SEARCHED_LENGTH), { onError }, options);
  } catch (error) {
    if (!(error instanceof JsonSyntaxFault)) throw error;
    if (mayBeCut(text, error)) return '';
    return `${positionWords(text, error.offset)}: ${errorCodeWords(error.code)}`;
  }
  return '';
}

/** Whether a string is a name: in valid JSON only a name is followed by a colon. */
function isMemberName(text: string, end: number): boolean {
  let position = end + 1;
  while (' \t\r\n'.includes(text[position] ?? 'x')) position++;
  return text[position] === ':';
}
