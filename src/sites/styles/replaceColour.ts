import type { Declaration } from 'postcss';
import { invalidInput } from '../invalidInput.ts';
import { cut, quoted } from '../../text/text.ts';
import { colourName, coloursIn, isColour } from './colours.ts';
import { compareStyles, valueOf } from './compareStyles.ts';
import { valueProblem } from './valueProblem.ts';
import { declarationsOf, readSheet, rulesOf, selectorText, sourceOf, writeValue } from './sheet.ts';

/** The result of replacing a colour in a style sheet. */
export interface ColourReplaced {
  source: string;
  /** The number of declarations that were changed. */
  count: number;
  /** The colours that the dark scheme has instead, or keeps. */
  dark: string[];
}

const LONGEST = 80;

function checkColour(text: string): void {
  if (!isColour(text) || valueProblem('color', text) !== undefined)
    throw invalidInput(
      `${quoted(text)} is no colour; expected one such as #1f4d43 or rgb(31 77 67)`,
    );
}

/**
 * Replaces a colour in all declarations except those of the dark scheme, where the new colour could
 * lack contrast.
 * @throws DomainError INVALID_INPUT for a text that is not one colour, and for equal colours
 */
export function replaceColour(source: string, from: string, to: string): ColourReplaced {
  checkColour(from);
  checkColour(to);
  const wanted = colourName(from);
  if (colourName(to) === wanted)
    throw invalidInput(
      `${quoted(from)} and ${quoted(to)} are the same colour: there is nothing to change`,
    );
  const sheet = readSheet(source);
  const rules = rulesOf(sheet).map(({ rule, media }) => ({
    rule,
    isDark: isDark(media, rule.selector),
  }));
  const changed: Declaration[] = [];
  const dark = new Set<string>();
  for (const { rule, isDark } of rules)
    for (const declaration of declarationsOf(rule)) {
      const value = valueOf(declaration);
      const found = coloursIn(value).filter(({ name }) => name === wanted);
      if (found.length === 0) continue;
      if (isDark) dark.add(wanted);
      else changed.push(declaration);
      if (!isDark) writeValue(declaration, replaced(value, found, to));
    }
  const names = new Set(changed.map(({ prop }) => prop).filter((prop) => prop.startsWith('--')));
  for (const { rule, isDark } of rules)
    for (const { prop, value } of isDark ? declarationsOf(rule) : [])
      if (names.has(prop)) dark.add(cut(value, LONGEST));
  const after = sourceOf(sheet);
  compareStyles(source, after, { mayAdd: false });
  return { source: after, count: changed.length, dark: [...dark] };
}

function replaced(value: string, found: { start: number; end: number }[], to: string): string {
  let [result, position] = ['', 0];
  for (const { start, end } of found) {
    result += value.slice(position, start) + to;
    position = end;
  }
  return result + value.slice(position);
}

/**
 * Whether a rule is only for the dark scheme, by its media query or by an attribute or class in its
 * selector (`[data-theme="dark"]`).
 */
const isDark = (media: string, selector: string) =>
  media.includes('prefers-color-scheme:dark') ||
  /\[data-[a-z-]{1,40}=["']?dark["']?\]|\.(?:dark|dark-mode|dark-theme|theme-dark)(?![a-z0-9-])/i.test(
    selectorText(selector),
  );
