/** A value of a configuration or of front matter: `['permalinks', 'posts']`, `'/:year/:slug'`. */
export interface SettingValue {
  path: (string | number)[];
  /** undefined if only the generator knows it, such as the result of a function. */
  value: unknown;
}

/** One piece of JavaScript: a comment or blanks, a text, which may have no end, a name, a sign. */
const piece =
  /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\s+|'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|`(?:[^`\\]|\\[^])*`?|[\w$]+|[^]/g;
const literal = /^(?:'[^'\\]*'|"[^"\\]*"|`[^`\\$]*`|true|false|\d+)$/;
/** Nested deeper than this, no generator has a setting. */
const MAX_DEPTH = 20;

/**
 * Reads the settings of a configuration that is a program, without running it: each `name: value`
 * with the names of the objects around it. A value that is not a plain text, number or boolean is
 * undefined.
 *
 * `defineConfig({ docs: { routeBasePath: '/', path: docsFolder } })` →
 * `['docs', 'routeBasePath']` is `'/'`, and `['docs', 'path']` is unknown.
 */
export function readPlainSettings(source: string): SettingValue[] {
  const tokens = (source.match(piece) ?? []).filter((token) => !/^(?:\s|\/[/*])/.test(token));
  const values: SettingValue[] = [];
  const openNames: (string | null)[] = [];
  let name: string | null = null;
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if ('{[('.includes(token)) {
      openNames.push(name);
      name = null;
    } else if ('}])'.includes(token)) openNames.pop();
    else if (next === ':' && /^[\w$'"]/.test(token) && '{,'.includes(tokens[i - 1] ?? '')) {
      name = token.replace(/^['"]|['"]$/g, '');
      const value = tokens[i + 2] ?? '';
      if (openNames.length > MAX_DEPTH) continue;
      const isPlain = literal.test(value) && [',', '}', undefined].includes(tokens[i + 3]);
      if (!'{['.includes(value) || value === '')
        values.push({
          path: pathTo(openNames, name),
          value: isPlain ? readLiteral(value) : undefined,
        });
    } else if (token === ',') name = null;
    else if (isShorthand(tokens, i) && openNames.length <= MAX_DEPTH)
      values.push({ path: pathTo(openNames, token), value: undefined });
  }
  return values;
}

/** `{ rewrites }`, and a method: `{ rewrites(path) { … } }` */
const isShorthand = (tokens: string[], i: number) =>
  /^[\w$]+$/.test(tokens[i]!) &&
  '{,'.includes(tokens[i - 1] ?? ';') &&
  ',}('.includes(tokens[i + 1] ?? ';');

const pathTo = (openNames: (string | null)[], name: string) => [
  ...openNames.filter((openName) => openName !== null),
  name,
];

function readLiteral(token: string): unknown {
  if (token === 'true' || token === 'false') return token === 'true';
  return /^\d/.test(token) ? Number(token) : token.slice(1, -1);
}
