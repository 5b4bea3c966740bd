import type { Rule } from 'postcss';
import { invalidInput } from '../invalidInput.ts';
import { cut, quoted } from '../../text/text.ts';
import { compareStyles, valueOf } from './compareStyles.ts';
import { valueProblem } from './valueProblem.ts';
import {
  declarationsOf,
  mediaText,
  readSheet,
  rulesOf,
  selectorText,
  type Sheet,
  sourceOf,
  writeValue,
} from './sheet.ts';

/** A declaration to set in a rule of a style sheet. */
export interface StyleChange {
  selector: string;
  property: string;
  value: string;
  /** The media query around the rule; absent: no media query. */
  media?: string;
}

const NAMED = 8;
const LONGEST = 80;

/**
 * Changes a declaration of an existing rule, or adds one to it. Of several rules with the selector,
 * it takes the last one with the property, else the last one.
 * @returns the style sheet, and a description of the change
 * @throws DomainError INVALID_INPUT for an unknown rule or a value that is not allowed
 */
export function setStyle(source: string, change: StyleChange): { source: string; says: string } {
  const { selector, property } = change;
  if (!/^(?:--)?[a-z_-][a-z0-9_-]{0,80}$/i.test(property))
    throw invalidInput(`${quoted(property)} is no name of a property`);
  const sheet = readSheet(source);
  const rule = ruleFor(sheet, change);
  const declaration = declarationsOf(rule).findLast(({ prop }) => isSame(prop, property));
  const old = declaration && valueOf(declaration);
  const value = change.value.trim();
  const problem = valueProblem(property, value, old);
  if (problem !== undefined)
    throw invalidInput(`A value must not have ${problem}: ${quoted(`${property}: ${value}`)}`);
  const where = quoted(selectorText(selector), LONGEST);
  if (old === value)
    return { source, says: `${property} of ${where} is ${cut(value, LONGEST)} already` };
  if (declaration) writeValue(declaration, value);
  else rule.append({ prop: property, value });
  const after = sourceOf(sheet);
  compareStyles(source, after, { mayAdd: true });
  const was = old === undefined ? 'added' : `it was ${cut(old, LONGEST)}`;
  return { source: after, says: `${where} has ${property}: ${cut(value, LONGEST)} now; ${was}` };
}

/** Compares property names. Only names of custom properties are case-sensitive. */
const isSame = (a: string, b: string) =>
  a === b || (!a.startsWith('--') && a.toLowerCase() === b.toLowerCase());

function ruleFor(sheet: Sheet, { selector, property, media = '' }: StyleChange): Rule {
  const rules = rulesOf(sheet);
  const wanted = selectorText(selector);
  const named = rules.filter(({ rule }) => selectorText(rule.selector) === wanted);
  if (named.length === 0)
    throw unknownSelector(
      wanted,
      rules.map(({ rule }) => rule.selector),
    );
  const query = mediaText(media);
  const fitting = named.filter((found) => mediaText(found.media) === query);
  if (fitting.length === 0) {
    const where = [
      ...new Set(
        named.map((found) => (found.media === '' ? 'without media' : quoted(found.media))),
      ),
    ];
    throw invalidInput(
      `${quoted(wanted, LONGEST)} has no rule ${query === '' ? 'without media' : `in the media ${quoted(media)}`}; it has rules: ${where.slice(0, NAMED).join(', ')}`,
    );
  }
  const has = ({ rule }: { rule: Rule }) =>
    declarationsOf(rule).some(({ prop }) => isSame(prop, property));
  return (fitting.findLast(has) ?? fitting.at(-1)!).rule;
}

/**
 * The error for an unknown selector. Rules are never added, since nobody has checked what a new
 * selector matches.
 */
function unknownSelector(wanted: string, selectors: string[]) {
  const words = wanted.toLowerCase().match(/[a-z][a-z0-9]+/g) ?? [];
  const alike = [...new Set(selectors.map(selectorText))].filter((selector) =>
    words.some((word) => selector.toLowerCase().includes(word)),
  );
  const shown = alike.slice(0, NAMED).map((selector) => quoted(selector, LONGEST));
  const hint = shown.length > 0 ? `; there are: ${shown.join(', ')}` : '';
  return invalidInput(
    `The style sheet has no rule ${quoted(wanted, LONGEST)}, and new ones can't be added${hint}`,
  );
}
