import type { JsonSchema } from './operation.ts';

/** Example values for the patterns in the document. */
const examplesByPattern: Record<string, string> = {
  '\\S': 'Web design in Lisbon',
  '^/': '/locations/lisbon',
  '^\\d+$': '42',
  '^\\d{4}-(?:0[1-9]|1[0-2])$': '2026-11',
  '^3\\.1\\.\\d+$': '3.1.1',
  '^bg-[a-z0-9]{22}$': 'bg-9l00ic0rmn9rfdhuo4s2eo',
  '^[0-9a-f]{40,64}$': 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00',
  '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$': '2ccccd9d-5b1e-4b77-8593-be03be951734',
  '^(/[^\\s%?#\\\\]*|[^\\s%?#\\\\/][^\\s%?#\\\\]{0,198})$': '/locations/lisbon',
  '^(/(?:[^\\s%?#\\\\]| )*|[^\\s%?#\\\\/](?:[^\\s%?#\\\\]| ){0,198})$': '/locations/lisbon',
  '^[^?#\\\\\\s]*$': '/blog/:slug',
  '^[^\\x00-\\x1f\\x7f-\\x9f]*$': 'Acme 2026-11',
  '^\\s*[^<>\\s][^<>]*$': 'Acme Website',
  '^[^<>\\x00-\\x1f\\x7f-\\x9f]*$': 'Acme Website',
  '^[\\x21-\\x39\\x3b-\\x7e]+$': 'x-access-token',
  '^[\\x21-\\x7e]+$': 'ghp_0000000000000000000000000000000000',
  '^[\\w.-]+$': '123456',
  '^-----BEGIN [A-Z ]*PRIVATE KEY-----':
    '-----BEGIN RSA PRIVATE KEY-----\nMII…\n-----END RSA PRIVATE KEY-----',
  '^[\\x21-\\x7e]{1,255}$': 'order-1047',
  '^[A-Za-z0-9._-]{1,128}$': '6f1c4d0e-3a52-4f0e-9d38-0c5f5a0e6b11',
  '^v1,[A-Za-z0-9+/]{43}=$': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  '^"(create|check|read)(-person|-organization)?";q=\\d+;w=\\d+$': '"create";q=60;w=60',
  '^"(create|check|read)(-person|-organization)?";r=\\d+;t=\\d+$': '"create";r=59;t=60',
  '^[A-Z]+(, [A-Z]+)*$': 'HEAD, GET',
  '^[A-Z]+(_[A-Z]+)*(;reason=("([^"\\\\]|\\\\["\\\\])*"|%"([^"\\\\]|\\\\["\\\\])*"))?$':
    'INVALID_CALLBACK_URL;reason="its host is a private address"',
  '^(W/)?"[A-Za-z0-9_-]+"$': 'W/"sQCDorDYNCR_p3b9aIN_AaKVFlu6wYFe46TvpT_NPH8"',
  '^Bearer$': 'Bearer',
};

/**
 * Rewrites a pattern so that ECMA-262 (with and without `u`), Python and RE2 all accept it: without
 * Unicode properties and look-aheads. Surrogates and Unicode's line ends are left out, because no
 * notation for them works in all four. The service still refuses them.
 */
export function portablePattern(pattern: string): JsonSchema {
  const plainPattern = pattern
    .replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f')
    .replaceAll('\\p{Cs}', '')
    .replaceAll('\\u2028\\u2029', '');
  return plainPattern === '^[^]*$' ? {} : { pattern: plainPattern };
}

export const exampleOfPattern = (pattern = '') => examplesByPattern[pattern];

/** Adds an example to each pattern in a part of the document. */
export function withExamples<T>(documentPart: T): T {
  if (Array.isArray(documentPart)) return documentPart.map(withExamples) as T;
  if (typeof documentPart !== 'object' || documentPart === null) return documentPart;
  const partWithExamples = Object.fromEntries(
    Object.entries(documentPart).map(([name, value]) => [name, withExamples(value)]),
  );
  const { pattern } = partWithExamples;
  const example = typeof pattern === 'string' ? examplesByPattern[pattern] : undefined;
  return (
    example === undefined || 'examples' in partWithExamples
      ? partWithExamples
      : { ...partWithExamples, examples: [example] }
  ) as T;
}
