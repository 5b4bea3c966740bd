import type { Token } from './tokens.ts';

/** One way to read a slot of a shape. `loose`: its end is uncertain. */
export interface Reading {
  /** Index of the token behind the reading. */
  end: number;
  value: unknown;
  loose?: boolean;
}

/** Returns all readings of a slot that begin at a token, the likelier ones first. */
export type Reader = (tokens: Token[], at: number) => Reading[];

/** Returns a single reading, or none if there is no value. */
export const readAs = (end: number, value: unknown): Reading[] =>
  value === undefined || value === null ? [] : [{ end, value }];

/** Whether the tokens from a place on are these words. */
export const says = (tokens: Token[], at: number, words: string[]): boolean =>
  words.every((word, i) => tokens[at + i]?.word === word);
