import type { Instruction, PageName, Scope } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';

/**
 * A kind of instruction: the wordings in which it is understood, each with its example, and what
 * they ask for.
 */
export interface Row {
  /** Wording and example. The first example is the one that documentation and refusals show. */
  wordings: [shape: string, example: string][];
  /**
   * How it is proposed: `{page}`, `{heading}`, `{button}`, `{entry}` and `{item}` stand for names
   * of the site.
   */
  hint: string;
  /** Null where the wording says something else after all. */
  read: (found: Found) => Instruction | null;
}

export const textIn = (found: Found, name: string) => found[name] as string | undefined;

/** The only page that is named: null for none, undefined where it is not one page. */
export function pageIn({ pages }: Found): PageName | null | undefined {
  if (pages === undefined) return null;
  return Array.isArray(pages) && pages.length === 1 ? (pages[0] as PageName) : undefined;
}

/** The pages that are named, or everywhere; null for none. */
export const scopeIn = ({ pages }: Found): Scope => (pages ?? null) as Scope;
