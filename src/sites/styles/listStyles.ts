import { TokenType } from '@csstools/css-tokenizer';
import { coloursIn } from './colours.ts';
import { valueOf } from './compareStyles.ts';
import { declarationsOf, oneSpace, readSheet, rulesOf, selectorText } from './sheet.ts';
import { readTokens } from './readTokens.ts';

/** The parts of a style sheet that an agent can change or use. */
export interface StyleListing {
  /** Custom properties with their values, and the rule that each is in. */
  properties: { media: string; selector: string; name: string; value: string }[];
  /** Colours as first written, with their number of uses, most frequent first. */
  colours: [colour: string, count: number][];
  classes: string[];
  /** Rules that match the search. */
  rules: { media: string; selector: string; declarations: string[] }[];
}

const LONGEST_VALUE = 160;
const MOST_RULES = 200;

/**
 * Lists a style sheet's custom properties, colours and classes, and the rules that match a search.
 * @param search words to find in selectors, media queries, properties and values of rules
 * @throws DomainError INVALID_INPUT for a text that is no style sheet
 */
export function listStyles(source: string, search = ''): StyleListing {
  const words = oneSpace(search).toLowerCase();
  const listing: StyleListing = {
    properties: [],
    colours: [],
    classes: classesIn(source),
    rules: [],
  };
  const colours = new Map<string, [written: string, count: number]>();
  for (const { rule, media } of rulesOf(readSheet(source))) {
    const selector = selectorText(rule.selector);
    const declarations = declarationsOf(rule).map((declaration) => ({
      name: declaration.prop,
      value: oneSpace(valueOf(declaration)),
    }));
    for (const { name, value } of declarations) {
      countColours(colours, value);
      if (name.startsWith('--'))
        listing.properties.push({ media, selector, name, value: value.slice(0, LONGEST_VALUE) });
    }
    const texts = declarations.map(
      ({ name, value }) => `${name}: ${value.slice(0, LONGEST_VALUE)}`,
    );
    const isWanted = [selector, media, ...texts].some((text) => text.toLowerCase().includes(words));
    if (words !== '' && isWanted && listing.rules.length < MOST_RULES)
      listing.rules.push({ media, selector, declarations: texts });
  }
  listing.colours = [...colours.values()].sort((a, b) => b[1] - a[1]);
  return listing;
}

function countColours(colours: Map<string, [written: string, count: number]>, value: string) {
  for (const { name, start, end } of coloursIn(value)) {
    const known = colours.get(name) ?? [value.slice(start, end), 0];
    colours.set(name, known);
    known[1]++;
  }
}

/** The classes in a style sheet's selectors, unescaped as in a page's `class`. */
export function classesIn(css: string): string[] {
  const { tokens } = readTokens(css);
  const found = new Set<string>();
  for (const [i, token] of tokens.entries())
    if (
      token[0] === TokenType.Ident &&
      tokens[i - 1]?.[0] === TokenType.Delim &&
      tokens[i - 1]![1] === '.'
    )
      found.add(token[4].value);
  return [...found];
}
