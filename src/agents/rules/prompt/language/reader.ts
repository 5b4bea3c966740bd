import type { Token } from './tokens.ts';

/** One reading of a slot. `loose`: its end is not certain. */
export interface Reading {
  /** Index of the token behind it. */
  end: number;
  value: unknown;
  loose?: boolean;
}

/** Returns all readings of a slot at a place of a text, the likelier ones first. */
export type Reader = (tokens: Token[], at: number) => Reading[];

/** A single reading; none without a value. */
export const readAs = (end: number, value: unknown): Reading[] =>
  value === undefined || value === null ? [] : [{ end, value }];

/** Whether words stand at a place of a text. */
export const says = (tokens: Token[], at: number, words: string[]): boolean =>
  words.every((word, i) => tokens[at + i]?.word === word);
