import { attributeOf, parentOf, tokensOf, type PageElement } from '../document.ts';

/** Simple selectors that stand together: `main.wide:not(.open)`. */
interface Compound {
  simple: string[];
  /** How the compound before it is related: ' ' for an ancestor, '>' for the parent. */
  combinator: string;
}

const MAX_SELECTOR_LENGTH = 1_000;
const token =
  /\s*([>+~])\s*|(\s+)|(::?[\w-]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?|\[[^\]]*\]|[#.](?:[\w-]|\\.|[^\0-\x7f])+|\*|(?:[\w-]|[^\0-\x7f])+)/gy;

/** Whether a selector matches an element, as far as its tags and attributes tell. */
export function matchesSelector(element: PageElement, selector: string): boolean {
  const compounds = parseSelector(selector);
  return compounds.length > 0 && matchesFrom(element, compounds, compounds.length - 1);
}

/** What a selector requires of the element itself, to find the rules for an element quickly. */
export function lastName(selector: string): string {
  const simple = parseSelector(selector).at(-1)?.simple ?? [];
  return simple.find((name) => /^[#.]/.test(name)) ?? simple.find((name) => /^\w/.test(name)) ?? '';
}

const parsedSelectors = new Map<string, Compound[]>();
const MAX_PARSED_SELECTORS = 20_000;

function parseSelector(selector: string): Compound[] {
  const known = parsedSelectors.get(selector);
  if (known) return known;
  if (parsedSelectors.size >= MAX_PARSED_SELECTORS) parsedSelectors.clear();
  const compounds = readCompounds(selector.trim());
  parsedSelectors.set(selector, compounds);
  return compounds;
}

/** The compounds of a selector; none for one that is not understood. */
function readCompounds(selector: string): Compound[] {
  if (selector.length > MAX_SELECTOR_LENGTH) return [];
  const compounds: Compound[] = [{ simple: [], combinator: ' ' }];
  let end = 0;
  for (const match of selector.matchAll(token)) {
    const [text, sign, space, simple] = match;
    end = match.index + text.length;
    if (simple !== undefined) compounds.at(-1)!.simple.push(simple.replaceAll('\\', ''));
    else if (sign !== undefined || space !== undefined)
      compounds.push({ simple: [], combinator: sign ?? ' ' });
  }
  return end === selector.length ? compounds : [];
}

function matchesFrom(element: PageElement, compounds: Compound[], index: number): boolean {
  const { simple, combinator } = compounds[index]!;
  if (!simple.every((name) => matchesSimple(element, name))) return false;
  // what stands before an element is not looked at
  if (index === 0 || combinator === '+' || combinator === '~') return true;
  const outerCompound = compounds[index - 1]!;
  for (let outer = parentOf(element); outer; outer = parentOf(outer)) {
    if (matchesFrom(outer, compounds, index - 1)) return true;
    // an element further out has fewer elements around it
    const isLastChance =
      outerCompound.combinator === ' ' &&
      outerCompound.simple.every((name) => matchesSimple(outer, name));
    if (combinator === '>' || isLastChance) return false;
  }
  return false;
}

/** Pseudo-classes that hold in some state only, and parts of elements that have no text. */
const placePseudo = /^:(?:nth-|first-|last-|only-|has\(|lang\(|dir\(|scope|link|any-link|defined)/;

function matchesSimple(element: PageElement, simple: string): boolean {
  const name = simple.slice(1);
  switch (simple[0]) {
    case '*':
      return true;
    case '#':
      return attributeOf(element, 'id') === name;
    case '.':
      return tokensOf(element, 'class').includes(name);
    case '[':
      return matchesAttribute(element, simple);
    case ':':
      return matchesPseudo(element, simple);
    default:
      return element.tagName === simple.toLowerCase();
  }
}

function matchesPseudo(element: PageElement, pseudo: string): boolean {
  if (pseudo === ':root') return element.tagName === 'html';
  const [, name, list = ''] = /^:(not|is|where|matches)\((.*)\)$/s.exec(pseudo) ?? [];
  if (name === undefined) return placePseudo.test(pseudo) && !/^:(?:first-l)/.test(pseudo);
  const isMatch = splitList(list).some((selector) => matchesSelector(element, selector));
  return name === 'not' ? !isMatch : isMatch;
}

/** The selectors of a list. Commas in brackets do not separate them. */
const splitList = (list: string) => list.match(/(?:[^,()]|\([^()]*\))+/g) ?? [];

function matchesAttribute(element: PageElement, simple: string): boolean {
  const [, name = '', operator, written = ''] =
    /^\[\s*([\w:-]+)\s*(?:([~|^$*]?=)(.*))?\]$/s.exec(simple) ?? [];
  const value = written
    .replace(/\s[is]\s*$/i, '')
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2');
  const actual = attributeOf(element, name.toLowerCase());
  if (actual === undefined) return false;
  switch (operator) {
    case undefined:
      return true;
    case '=':
      return actual === value;
    case '^=':
      return actual.startsWith(value);
    case '$=':
      return actual.endsWith(value);
    case '*=':
      return actual.includes(value);
    case '|=':
      return actual === value || actual.startsWith(`${value}-`);
    default:
      return actual.split(/\s+/).includes(value);
  }
}
