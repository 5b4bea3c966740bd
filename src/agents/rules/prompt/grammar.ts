import { fieldOf, type Instruction } from './instructions.ts';
import { readDeletedPages, readPageName, readPageNames } from './pageNames.ts';
import { QUOTE } from './quotes.ts';

/** Longer texts (quotes taken out) are no instruction of ours; also what keeps matching cheap. */
const LONGEST = 300;

export const VERB =
  '(?:change|set|update|make|edit|rewrite|rename|replace|swap|substitute|find|delete|remove|drop|take down|get rid of)';
export const FIELD =
  '(?:(?:main |hero |page )?(?:headline|heading|header|h1)|(?:page |meta |seo |browser |html )?title(?: tag)?|(?:page |meta |seo )?description)';

const SET = '(?:change|set|update|make|edit|rewrite|rename)';
const REPLACE = '(?:replace|swap|substitute|change|rename|update)';
const field = `(?<field>${FIELD})`;
const page = '(?<page>.+?)';
const quote = (name: string) => QUOTE.replace('(', `(?<${name}>`);
const OF = '(?:of|on|for|in|at)';
const IN = '(?:of|on|for|in|at|from)';
const TO = `(?:(?: from ${quote('old')})? (?:to be|to read|to say|to|as|into|with|say|read|be|(?:should|must) (?:be|read|say)):?| ?[=:])`;
const text = quote('text');
const EVERYWHERE =
  '(?<everywhere>everywhere|site-?wide|on (?:every|each) page|on all (?:the )?pages|(?:across|throughout|on|in) the (?:whole |entire )?(?:site|website))';
const WHAT =
  '(?:(?:the|all|every|each|any) )?(?:(?:text|texts|word|words|phrase|sentence|name|occurrences? of|instances? of|mentions? of) )?';
const value = (name: string) => `${WHAT}(?:${quote(name)}|(?<${name}Plain>[^ ,;:]+(?: [^ ,;:]+){0,4}?))`;
const WITH = '(?:with|by|to|for|into)';

type Groups = Record<string, string | undefined>;
interface Rule {
  pattern: RegExp;
  read: (groups: Groups, quotes: string[]) => Instruction | null;
}

const rule =
  (read: Rule['read']) =>
  (pattern: string): Rule => ({ pattern: new RegExp(`^${pattern}$`, 'iu'), read });

const set = rule((groups, quotes) => {
  const page = groups['page'] === undefined ? undefined : readPageName(groups['page'], quotes);
  if (page === null) return null;
  const [field, text] = [fieldOf(groups['field']!), quotes[Number(groups['text'])]!];
  const old = groups['old'] === undefined ? {} : { old: quotes[Number(groups['old'])]! };
  return { kind: 'set', field, page: page ?? null, text, ...old };
});

const replace = rule((groups, quotes) => {
  const [from, to] = [valueOf(groups, 'from', quotes), valueOf(groups, 'to', quotes)];
  const pages = groups['pages'] === undefined ? undefined : readPageNames(groups['pages'], quotes);
  if (from === null || to === null || pages === null) return null;
  return { kind: 'replace', from, to, pages: groups['everywhere'] === undefined ? (pages ?? null) : 'everywhere' };
});

const erase = rule((groups, quotes) => {
  const pages = readDeletedPages(groups['pages']!, quotes);
  return pages && { kind: 'delete', pages };
});

/** A quoted text, or an unquoted name or number: any other unquoted words may be a description of the text that is wanted. */
function valueOf(groups: Groups, name: string, quotes: string[]): string | null {
  const quoted = groups[name];
  if (quoted !== undefined) return quotes[Number(quoted)]!;
  const plain = groups[`${name}Plain`]!;
  return plain.split(' ').every((word) => /^[\p{Lu}\p{N}$€£+]/u.test(word)) ? plain : null;
}

/** In the order in which they are tried. */
const RULES: Rule[] = [
  set(`(?:${SET} )?(?:the |its )?${field}${TO} ?${text}`),
  set(`(?:${SET} )?(?:the )?${field} ${OF} ${page}${TO} ?${text}`),
  set(`${SET} (?:the )?${field}${TO} ?${text} ${OF} ${page}`),
  set(`${OF} ${page},? ${SET} (?:the |its )?${field}${TO} ?${text}`),
  set(`(?:${SET} )?${page}(?:['’]s?)? ${field}${TO} ?${text}`),
  ...[EVERYWHERE, `${IN} (?<pages>.+?)`].flatMap((scope) => [
    replace(`${REPLACE} ${value('from')} ${WITH} ${value('to')},? ${scope}`),
    replace(`${scope},? ${REPLACE} ${value('from')} ${WITH} ${value('to')}`),
    replace(`${REPLACE} ${value('from')} ${scope} ${WITH} ${value('to')}`),
    replace(`find ${value('from')} ${scope} and (?:replace|change) it ${WITH} ${value('to')}`),
    replace(`find ${value('from')} and (?:replace|change) it ${WITH} ${value('to')},? ${scope}`),
  ]),
  replace(`${REPLACE} ${value('from')} ${WITH} ${value('to')}`),
  erase('(?:delete|remove|drop|take down|get rid of) (?<pages>.+)'),
];

/**
 * Reads one instruction whose quoted texts are taken out.
 * @returns what it asks for, or null where no rule fits
 */
export function readInstruction(text: string, quotes: string[]): Instruction | null {
  if (text.length > LONGEST) return null;
  for (const { pattern, read } of RULES) {
    const groups = pattern.exec(text)?.groups;
    const result = groups ? read(groups, quotes) : null;
    if (result) return result;
  }
  return null;
}
