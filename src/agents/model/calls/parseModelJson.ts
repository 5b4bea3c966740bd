import { type JsonLimits, parseBoundedJson } from '../../../contract/text/boundedJson.ts';

/** Most characters of JSON that are parsed on the main thread. No page has more. */
const MAX_JSON_CHARACTERS = 400_000;
/** A page has at most 3,000 texts, with an id each. */
const answerLimits: JsonLimits = { depth: 32, values: 25_000 };

/**
 * Parses the JSON of a model's answer. A local model without support for schemas may add a code
 * fence or sentences around it. So the text from the first to the last brace is tried too.
 * @returns undefined if there is no JSON
 */
export function parseModelJson(text: string): unknown {
  if (text.length > MAX_JSON_CHARACTERS) return undefined;
  return (
    tryParseBounded(text) ??
    tryParseBounded(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  );
}

function tryParseBounded(text: string): unknown {
  try {
    return parseBoundedJson(text, answerLimits);
  } catch {
    return undefined;
  }
}
