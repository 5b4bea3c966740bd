import { fieldOf, type Field } from '../instructions.ts';
import { readPageName, readPageNames } from '../pageNames.ts';
import type { Instruction, PageName, Scope } from '../instructions.ts';
import { QUOTE } from '../quotes.ts';

/** Pieces of the rules' regular expressions, and what reads their groups. */

export const VERB =
  '(?:change|set|update|make|edit|rewrite|rename|replace|swap|substitute|find|delete|remove|drop|take down|get rid of|create|add|insert|append|copy|duplicate|clone|move|link|point)';
export const FIELD =
  '(?:(?:main |hero |page )?(?:headline|heading|header|h1)|(?:page |meta |seo |browser |html )?title(?: tag)?|(?:page |meta |seo )?description)';

export const SET = '(?:change|set|update|make|edit|rewrite|rename)';
export const OF = '(?:of|on|for|in|at)';
export const IN = '(?:of|on|for|in|at|from)';
export const EVERYWHERE =
  '(?<everywhere>everywhere|site-?wide|on (?:every|each) page|on all (?:the )?pages|(?:across|throughout|on|in) the (?:whole |entire )?(?:site|website))';
/** The words between a thing and its new text. */
export const TO =
  '(?: (?:to be|to read|to say|to|as|into|with|say|read|be|(?:should|must) (?:be|read|say)):?| ?[=:]) ?';
export const page = '(?<page>.+?)';

export const quote = (name: string) => QUOTE.replace('(', `(?<${name}>`);
export const UNDER = `(?:under|below|beneath|in|of) (?:the )?(?:(?:sub-?)?heading |headline |section )?${quote('section')}(?: section)?`;
const WHAT =
  '(?:(?:the|all|every|each|any) )?(?:(?:text|texts|word|words|phrase|sentence|name|occurrences? of|instances? of|mentions? of) )?';
export const value = (name: string) => `${WHAT}(?:${quote(name)}|(?<${name}Plain>[^ ,;:]+(?: [^ ,;:]+){0,4}?))`;

/** What a piece of a prompt matched, with its quoted texts. */
export class Match {
  readonly groups: Record<string, string | undefined>;
  readonly quotes: string[];

  constructor(groups: Record<string, string | undefined>, quotes: string[]) {
    this.groups = groups;
    this.quotes = quotes;
  }

  /** The quoted text of a group. */
  text(name: string): string | undefined {
    const quoted = this.groups[name];
    return quoted === undefined ? undefined : this.quotes[Number(quoted)]!;
  }

  /**
   * A quoted text, or an unquoted name or number: any other unquoted words may be a description of the text that is
   * wanted.
   */
  value(name: string): string | null {
    const plain = this.groups[`${name}Plain`] ?? '';
    const isName = plain.split(' ').every((word) => /^[\p{Lu}\p{N}$€£+]/u.test(word));
    return this.text(name) ?? (isName ? plain : null);
  }

  field(): Field {
    return fieldOf(this.groups['field']!);
  }

  /** The page of a group: undefined where none is named, null where it is no name of a page. */
  page(name = 'page'): PageName | null | undefined {
    const text = this.groups[name];
    return text === undefined ? undefined : readPageName(text, this.quotes);
  }

  /** Pages, or everywhere; undefined and null as in `page`. */
  scope(): Scope | undefined {
    if (this.groups['everywhere'] !== undefined) return 'everywhere';
    const pages = this.groups['pages'];
    return pages === undefined ? undefined : readPageNames(pages, this.quotes);
  }
}

export interface Rule {
  pattern: RegExp;
  read: (match: Match) => Instruction | null;
}

export const rule =
  (read: Rule['read']) =>
  (pattern: string): Rule => ({ pattern: new RegExp(`^${pattern}$`, 'iu'), read });

/** A rule whose place may stand before it, in the middle, at its end, or be left out. */
export const placed = (read: Rule['read'], places: string[], head: string, tail: string): Rule[] => [
  ...places.flatMap((place) =>
    [`${head} ${place}${tail}`, `${head}${tail},? ${place}`, `${place},? ${head}${tail}`].map(rule(read)),
  ),
  rule(read)(head + tail),
];

export const PAGE = [`${IN} ${page}`];
export const PAGES = [EVERYWHERE, `${IN} (?<pages>.+?)`];
