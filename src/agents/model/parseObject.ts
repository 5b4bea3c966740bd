/** Characters of JSON that are parsed on the main thread: more than a page has. */
const LIMIT = 400_000;

/**
 * The JSON of a model's answer. A local model that knows no schemas may put it into a code fence,
 * or write a sentence before or after it: what stands between the first and the last brace is tried
 * too.
 * @returns undefined where there is no JSON
 */
export function parseObject(text: string): unknown {
  if (text.length > LIMIT) return undefined;
  return parsed(text) ?? parsed(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
