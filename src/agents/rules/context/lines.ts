import { foldWords } from '../../text/fold.ts';
import { clean, type Field } from './data.ts';

const LINE =
  /^\s*(?:[-*•]\s+)?(?:\*\*|__)?(\p{L}[\p{L}\p{M}\p{N} _/()'’.-]{0,40}?)(?:\*\*|__)?\s*[:=](?!\/\/)(?:\*\*|__)?(?:\s+|(?<==)\s*)(?:\*\*|__)?(\S.*)$/u;
const LONGEST_KEY_WORDS = 4;

/**
 * Reads a text whose every line is `Key: value`; null where another line stands in it, or a value in YAML's own
 * notation.
 */
export function readLines(text: string): Field[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const fields = lines.map((line) => (/^\s/.test(line) ? null : readLine(line)));
  if (fields.length === 0 || fields.some((field) => field === null || /^[[{|>&*!]/.test(field.values[0]!))) return null;
  return joined(fields as Field[]);
}

/** Reads one `Key: value` line, also as a list item or with a bold key. */
export function readLine(line: string): Field | null {
  const match = LINE.exec(line);
  const key = foldWords(match?.[1] ?? '');
  const value = clean(match?.[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
  return key === '' || value === '' || key.split(' ').length > LONGEST_KEY_WORDS ? null : { key, values: [value] };
}

/** Fields of one key as one field with all their values. */
export function joined(fields: Field[]): Field[] {
  const byKey = new Map<string, Field>();
  for (const field of fields) {
    const values = byKey.get(field.key)?.values ?? [];
    for (const value of field.values) values.push(value);
    byKey.set(field.key, { ...field, values });
  }
  return [...byKey.values()];
}
