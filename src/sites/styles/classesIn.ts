import { TokenType } from '@csstools/css-tokenizer';
import { readTokens } from './readTokens.ts';

/** The classes in a style sheet's selectors, unescaped as in a page's `class`. */
export function classesIn(css: string): string[] {
  const { tokens } = readTokens(css);
  const found = new Set<string>();
  for (const [i, token] of tokens.entries())
    if (
      token[0] === TokenType.Ident &&
      tokens[i - 1]?.[0] === TokenType.Delim &&
      tokens[i - 1]![1] === '.'
    )
      found.add(token[4].value);
  return [...found];
}
