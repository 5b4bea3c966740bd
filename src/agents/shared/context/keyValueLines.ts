import { foldWords } from '../text/foldText.ts';
import { findJunk } from '../text/findJunk.ts';
import { isKnownKey } from './contextKeys.ts';
import { cleanLine, type ContextField } from './contextData.ts';

const KEY_VALUE_LINE =
  /^\s*(?:[-*•]\s+)?(?:\*\*|__)?(\p{L}[\p{L}\p{M}\p{N} _/()'’.-]{0,40}?)(?:\*\*|__)?\s*[:=](?!\/\/)(?:\*\*|__)?(?:\s+|(?<==)\s*)(?:\*\*|__)?(\S.*)$/u;
const LONGEST_KEY_WORDS = 4;

/**
 * Reads a text that consists of `Key: value` lines. null if any line differs, or if a value is in
 * YAML notation.
 */
export function readKeyValueLines(text: string): ContextField[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const fields = lines.map((line) => (/^\s/.test(line) ? null : readKeyValueLine(line)));
  if (
    fields.length === 0 ||
    fields.some((field) => field === null || isYamlNotation(field.values[0]!))
  )
    return null;
  return mergeFields(fields as ContextField[]);
}

/**
 * Whether a value is in YAML notation. Unfilled merge fields (`{{city}}`, `[City]`) and character
 * references are not.
 */
const isYamlNotation = (value: string) =>
  /^[[{|>&*!]/.test(value) && !/^&#?\w{2,31};/.test(value) && findJunk(value, isKnownKey) === null;

/** Reads one `Key: value` line. The line may be a list item, and its key may be bold. */
export function readKeyValueLine(line: string): ContextField | null {
  const match = KEY_VALUE_LINE.exec(line);
  const key = foldWords(match?.[1] ?? '');
  const value = cleanLine(match?.[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
  return key === '' || value === '' || key.split(' ').length > LONGEST_KEY_WORDS
    ? null
    : { key, values: [value] };
}

/** Merges fields that have the same key. */
export function mergeFields(fields: ContextField[]): ContextField[] {
  const fieldsByKey = new Map<string, ContextField>();
  for (const field of fields) {
    const values = fieldsByKey.get(field.key)?.values ?? [];
    for (const value of field.values) values.push(value);
    fieldsByKey.set(field.key, { ...field, values });
  }
  return [...fieldsByKey.values()];
}
