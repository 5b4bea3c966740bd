import type { AnySchema, ValidationErrorItem } from 'joi';
import { distance } from 'fastest-levenshtein';

const LONGEST = 60;
/** Maximum share of letters that may differ. If the first letter differs, no other may. */
const DIFFERENT = 0.4;
const MOST_DIFFERENT = 3;

/**
 * Finds the most similar name. Upper case, spaces, `_` and `-` don't matter: `site_id` matches
 * `siteId`.
 * @param written the client's text; nothing matches one of over 60 characters
 * @returns undefined if no name is similar enough
 */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  if (written.length > LONGEST) return undefined;
  const letters = lettersOf(written);
  let found: { name: string; away: number } | undefined;
  for (const name of names) {
    if (name === written) continue;
    const away = distance(letters, lettersOf(name));
    const most = Math.min(
      MOST_DIFFERENT,
      Math.floor(Math.max(letters.length, name.length) * DIFFERENT),
    );
    const begins = letters[0] === lettersOf(name)[0];
    if (away <= (begins ? most : Math.min(most, 1)) && (!found || away < found.away))
      found = { name, away };
  }
  return found?.name;
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** Suggests a correction for an unknown field or a value that the schema does not list. */
export function meant<T>(
  schema: AnySchema<T>,
  { type, path, context }: ValidationErrorItem,
): string | undefined {
  if (type === 'any.only' && typeof context?.['value'] === 'string')
    return nearest(context['value'], validsOf(context));
  if (type !== 'object.unknown') return undefined;
  return nearest(String(path.at(-1)), namesAt(schema.describe() as Described, path.slice(0, -1)));
}

const validsOf = (context: NonNullable<ValidationErrorItem['context']>) =>
  ((context['valids'] ?? []) as unknown[]).filter((valid) => typeof valid === 'string');

/** The parts of Joi's `describe()` that contain other schemas. */
interface Described {
  keys?: Record<string, Described>;
  items?: Described[];
  whens?: Choice[];
  matches?: Choice[];
}
interface Choice {
  switch?: Choice[];
  then?: Described;
  otherwise?: Described;
  schema?: Described;
}

/** The names of the fields at a path, in all alternatives of the schema. */
function namesAt(described: Described, path: (string | number)[]): Set<string> {
  const [next, ...rest] = path;
  const { keys = {}, items = [], whens = [], matches = [] } = described;
  const inside = typeof next === 'string' ? [keys[next]] : items;
  const names =
    next === undefined
      ? Object.keys(keys)
      : inside.flatMap((one) => (one ? [...namesAt(one, rest)] : []));
  const others = [...whens, ...matches]
    .flatMap(schemasOf)
    .flatMap((one) => [...namesAt(one, path)]);
  return new Set([...names, ...others]);
}

const schemasOf = ({ switch: choices = [], then, otherwise, schema }: Choice): Described[] => [
  ...choices.flatMap(schemasOf),
  ...[then, otherwise, schema].filter((one) => one !== undefined),
];
