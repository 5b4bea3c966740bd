import type { Token } from './tokens.ts';

/** One reading of a slot. `loose`: another one may be as good. */
export interface Reading {
  end: number;
  value: unknown;
  loose?: boolean;
}

export type Reader = (tokens: Token[], at: number) => Reading[];
