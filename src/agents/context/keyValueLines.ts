import { foldWords } from '../text/fold.ts';
import { junkIn } from '../text/junk.ts';
import { isKnownKey } from './contextKeys.ts';
import { clean, type Field } from './contextData.ts';

const LINE =
  /^\s*(?:[-*•]\s+)?(?:\*\*|__)?(\p{L}[\p{L}\p{M}\p{N} _/()'’.-]{0,40}?)(?:\*\*|__)?\s*[:=](?!\/\/)(?:\*\*|__)?(?:\s+|(?<==)\s*)(?:\*\*|__)?(\S.*)$/u;
const LONGEST_KEY_WORDS = 4;

/**
 * Reads a text that consists of `Key: value` lines. null if any line differs, or if a value is in
 * YAML notation.
 */
export function readLines(text: string): Field[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const fields = lines.map((line) => (/^\s/.test(line) ? null : readLine(line)));
  if (fields.length === 0 || fields.some((field) => field === null || isYaml(field.values[0]!)))
    return null;
  return joined(fields as Field[]);
}

/**
 * Whether a value is in YAML notation. Unfilled merge fields (`{{city}}`, `[City]`) and character
 * references are not.
 */
const isYaml = (value: string) =>
  /^[[{|>&*!]/.test(value) && !/^&#?\w{2,31};/.test(value) && junkIn(value, isKnownKey) === null;

/** Reads one `Key: value` line. The line may be a list item, and its key may be bold. */
export function readLine(line: string): Field | null {
  const match = LINE.exec(line);
  const key = foldWords(match?.[1] ?? '');
  const value = clean(match?.[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
  return key === '' || value === '' || key.split(' ').length > LONGEST_KEY_WORDS
    ? null
    : { key, values: [value] };
}

/** Merges fields that have the same key. */
export function joined(fields: Field[]): Field[] {
  const byKey = new Map<string, Field>();
  for (const field of fields) {
    const values = byKey.get(field.key)?.values ?? [];
    for (const value of field.values) values.push(value);
    byKey.set(field.key, { ...field, values });
  }
  return [...byKey.values()];
}
