import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

const decoder = new TextDecoder('utf-8', { fatal: true });
const deepest = 32;
const MOST_COMMAS = 2_000;

/**
 * Parses JSON from outside. It is stricter than JSON.parse, which accepts duplicate names, and
 * bodies that take seconds to validate. Refuses invalid UTF-8, duplicate names in an object,
 * `__proto__`, more than 32 levels, and too many commas.
 * @param mostCommas default 2,000
 * @throws SyntaxError with the fault and its position, without the text (RFC 8259, sections 4, 8.1
 *   and 9)
 */
export function parseJson(bytes: Uint8Array, mostCommas = MOST_COMMAS): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new SyntaxError('it is not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError(`it cannot be parsed${faultIn(text)}`);
  }
  checkShape(text, mostCommas);
  return value;
}

/** Checks depth, commas and names of a text that is valid JSON. */
function checkShape(text: string, mostCommas: number): void {
  const open: (Set<string> | null)[] = [];
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '{' || char === '[') {
      if (open.push(char === '{' ? new Set() : null) > deepest)
        throw refused('it is nested too deeply', text, i);
    } else if (char === '}' || char === ']') open.pop();
    else if (char === ',' && ++commas > mostCommas)
      throw refused('it holds too many values', text, i);
    else if (char === '"') {
      const end = endOfString(text, i);
      const fault =
        isName(text, end) && addName(open.at(-1), JSON.parse(text.slice(i, end + 1)) as string);
      if (fault) throw refused(fault, text, i);
      i = end;
    }
  }
}

/** @returns the fault if the name is not allowed */
function addName(names: Set<string> | null | undefined, name: string): string | undefined {
  if (name === '__proto__') return 'it holds a forbidden name';
  if (names?.has(name)) return 'an object holds the same name twice';
  names?.add(name);
  return undefined;
}

const refused = (why: string, text: string, offset: number) =>
  new SyntaxError(`${why}${placeOf(text, offset)}`);

/** Line and column, counted from 1 as editors do; columns in UTF-16 units. */
function placeOf(text: string, offset: number): string {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return ` at line ${line}, column ${offset - start + 1}`;
}

const faults: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'an unexpected word or sign',
  InvalidNumberFormat: 'a number is malformed',
  UnexpectedEndOfNumber: 'a number is malformed',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is more after its end',
  InvalidCommentToken: 'there are no comments in JSON',
  UnexpectedEndOfComment: 'there are no comments in JSON',
  UnexpectedEndOfString: 'a string does not end on its line',
  InvalidUnicode: 'a string has a wrong escape',
  InvalidEscapeCharacter: 'a string has a wrong escape',
  InvalidCharacter: 'a string has a control character',
};

class Fault extends Error {
  readonly code: ParseErrorCode;
  readonly offset: number;

  constructor(code: ParseErrorCode, offset: number) {
    super();
    this.code = code;
    this.offset = offset;
  }
}

/**
 * Position and cause of a syntax error. For a broken string, the position is its beginning. Empty
 * if unknown.
 */
function faultIn(text: string): string {
  try {
    const onError = (code: ParseErrorCode, offset: number) => {
      throw new Fault(code, offset);
    };
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof Fault)) return ''; // nested too deeply for the stack
    const why = faults[printParseErrorCode(error.code)];
    return placeOf(text, error.offset) + (why === undefined ? '' : `: ${why}`);
  }
  return '';
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, position: number): boolean {
  let slashes = 0;
  while (text[position - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Whether a string is a name: in valid JSON only a name is followed by a colon. */
function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (' \t\r\n'.includes(text[next] ?? 'x')) next++;
  return text[next] === ':';
}
