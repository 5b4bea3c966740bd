import { normalizeText } from '../contract/normalizeText.ts';
import { randomBytes } from 'node:crypto';

const MAX_LENGTH = 30;
const NUMBERED = 9;
/** Labels that no site gets, because the service or its mail may need these host names. */
const RESERVED = new Set(
  'admin api app assets auth blog cdn console dashboard docs ftp help live localhost login mail preview sites smtp static status support temporal www'.split(
    ' ',
  ),
);

/**
 * Infinitely many host labels for a site, the best first: the name in [a-z0-9-], then the name with
 * numbers, then with random ends. Each has at most 30 characters, because `<taskId>--<label>` must
 * fit in the 63 of a DNS label (RFC 1035, section 2.3.4). None contains `--`.
 */
export function* labelsFor(name: string): Generator<string, never> {
  const base = baseOf(name);
  if (!RESERVED.has(base)) yield base;
  for (let number = 2; number <= NUMBERED; number++) yield withEnd(base, String(number));
  for (;;) yield withEnd(base, randomBytes(4).toString('hex'));
}

function baseOf(name: string): string {
  const plain = normalizeText(name, 'NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return cut(plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, ''), MAX_LENGTH) || 'site';
}

function withEnd(base: string, end: string): string {
  return `${cut(base, MAX_LENGTH - end.length - 1)}-${end}`;
}

function cut(label: string, length: number): string {
  return label.slice(0, length).replace(/-$/, '');
}
