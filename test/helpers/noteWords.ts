/** Ids of texts, groups and links, as programs know them: `s12`, `n3.alt`, `g4`, `s5+1-2`. */
const ID = /(?<![\p{L}\p{N}#/_-])[sgn]\d+(?:[.+-]\w+)*(?![\p{L}\p{N}])/u;
const PROGRAM_WORDS = /\b(?:slots?|undefined|null|NaN|\[object|innerHTML)\b/;

/** The notes that people do not understand: with an id, or with a word of programs. */
export const unreadableNotes = (texts: readonly string[]): string[] =>
  texts.filter((text) => ID.test(text) || PROGRAM_WORDS.test(text));

/** The texts of all notes in an answer of the API, wherever they stand. */
export function noteTextsIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(noteTextsIn);
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'warnings' && Array.isArray(value))
      return value.filter((one): one is string => typeof one === 'string');
    const isNote = key === 'text' && 'kind' in body && typeof value === 'string';
    return isNote ? [value] : noteTextsIn(value);
  });
}
