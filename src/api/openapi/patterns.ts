import type { JsonSchema } from './operation.ts';

/**
 * Rewrites a pattern so that ECMA-262 (with and without `u`), Python and RE2 all accept it: without
 * Unicode properties and look-aheads. Surrogates and Unicode's line ends are left out, because no
 * notation for them works in all four. The service still refuses them.
 */
export function portable(pattern: string): JsonSchema {
  const plain = pattern
    .replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f')
    .replaceAll('\\p{Cs}', '')
    .replaceAll('\\u2028\\u2029', '');
  return plain === '^[^]*$' ? {} : { pattern: plain };
}
