import type { Match } from './phrases.ts';

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** Which one of several, as a word or a number. */
export const POSITION = `(?:(?<ordinal>${ORDINALS.join('|')}|last)|(?:number |#)?(?<number>\\d{1,3})(?:st|nd|rd|th)?)`;

/** The position that a prompt names: from 1, -1 for the last one. */
export function readPosition({ groups }: Match): number | undefined {
  const ordinal = groups['ordinal']?.toLowerCase();
  if (groups['number'] !== undefined) return Number(groups['number']);
  if (ordinal === undefined) return undefined;
  return ordinal === 'last' ? -1 : ORDINALS.indexOf(ordinal) + 1;
}
