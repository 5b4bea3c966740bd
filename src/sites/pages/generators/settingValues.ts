import { readDocumentValues } from '../../formats/frontMatter.ts';
import type { PageSource } from '../../formats/format.ts';
import { readPlainSettings, type SettingValue } from './plainSettings.ts';

export type { SettingValue };

/** Reads the values of a configuration file in YAML, TOML, JSON, JavaScript or TypeScript. */
export function readSettings({ path, source }: PageSource): SettingValue[] {
  if (/\.[cm]?[jt]s$/.test(path)) return readPlainSettings(source);
  const language = /\.ya?ml$/.test(path) ? 'yaml' : path.endsWith('.toml') ? 'toml' : 'json';
  return readDocumentValues(source, language);
}

/** The value at a path, whose names are in capitals or not; undefined if there is none. */
export function valueAt(values: SettingValue[], ...path: string[]): unknown {
  const key = pathKey(path);
  return values.findLast((value) => pathKey(value.path) === key)?.value;
}

/** The same for a text. Numbers and booleans are texts too: `slug: 2024`. */
export function textAt(values: SettingValue[], ...path: string[]): string | undefined {
  const value = valueAt(values, ...path);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** The texts of a list. */
export const listAt = (values: SettingValue[], ...path: string[]): string[] =>
  values.flatMap(({ path: itemPath, value }) =>
    typeof itemPath.at(-1) === 'number' && pathKey(itemPath.slice(0, -1)) === pathKey(path)
      ? [String(value)]
      : [],
  );

/** The names of the entries of an object: `languages` → `en`, `de`. */
export const namesBelow = (values: SettingValue[], name: string): string[] => [
  ...new Set(
    values.flatMap(({ path: [first, second] }) =>
      pathKey([first ?? '']) === pathKey([name]) && second !== undefined
        ? [String(second).toLowerCase()]
        : [],
    ),
  ),
];

const pathKey = (path: (string | number)[]) => path.join('\0').toLowerCase();
