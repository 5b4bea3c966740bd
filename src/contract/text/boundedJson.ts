/** Limits of a JSON text. JSON.parse has none, and takes 0.4 s for 1 MB of small objects. */
export interface JsonLimits {
  /** Maximum number of objects and lists in each other. */
  depth: number;
  /** Maximum number of commas, and of objects and lists. */
  values: number;
}

/** Where a JSON text exceeds a limit. */
export interface JsonExcess {
  reason: 'depth' | 'values';
  /** In UTF-16 code units. */
  offset: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;

/**
 * Finds the position where a JSON text exceeds a limit. It reads each character at most once,
 * whether the text is valid JSON or not, so that JSON.parse never sees a text that is too complex.
 */
export function findJsonExcess(text: string, limits: JsonLimits): JsonExcess | undefined {
  let depth = 0;
  let commas = 0;
  let brackets = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === quote) offset = endOfJsonString(text, offset);
    else if (code === comma) {
      if (++commas > limits.values) return { reason: 'values', offset };
    } else if (isOpening(code)) {
      if (++depth > limits.depth) return { reason: 'depth', offset };
      if (++brackets > limits.values) return { reason: 'values', offset };
    } else if (isClosing(code)) depth--;
  }
  return undefined;
}

/** The position of a string's closing quote, or the text's length if it has none. */
export function endOfJsonString(text: string, start: number): number {
  const firstQuote = text.indexOf('"', start + 1);
  if (firstQuote === -1) return text.length;
  if (text.charCodeAt(firstQuote - 1) !== backslash) return firstQuote;
  for (let position = start + 1; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === quote) return position;
    if (code === backslash) position++;
  }
  return text.length;
}

/**
 * Parses JSON from outside whose size in bytes is limited.
 * @throws RangeError if it exceeds a limit, SyntaxError if it is not JSON
 */
export function parseBoundedJson(text: string, limits: JsonLimits): unknown {
  const excess = findJsonExcess(text, limits);
  if (excess?.reason === 'depth')
    throw new RangeError(`it nests lists and objects more than ${limits.depth} levels deep`);
  if (excess) throw new RangeError(`it contains more than ${limits.values} values`);
  return JSON.parse(text);
}
