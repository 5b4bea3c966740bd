import { collapseSpaces, hasWords } from '../../../../text/text.ts';
import { attributeName, parentOf, rangeOf, textContentOf, type PageElement } from '../document.ts';

/**
 * Counters: numbers in attributes that repeat the number of a text. A script counts up to such a
 * number, or screen readers say it. This file finds them, `updateCounters.ts` updates them when
 * their text changes, and `staleCounters.ts` reports those that stayed. If `5,234` becomes `6,100`
 * in `<b data-count="5234">5,234</b>`, the attribute becomes `6100`.
 */

/** A number in an attribute that may repeat that of a text. */
export interface NumberAttribute {
  element: PageElement;
  name: string;
  /** The attribute's value, as it is written. */
  value: string;
  /** The number of the value, in a uniform notation. */
  number: string;
  /** The text in the element or around it. */
  text: string;
  /** The number of this text; undefined if it has none, or several. */
  shown: string | undefined;
  /** The element that has this text: `element`, or one of the three elements around it. */
  textElement: PageElement;
}

/** Attributes that are made for counters and progress bars. */
const COUNTER =
  /^(?:data-)?(?:pure)?count(?:er|up)?(?:-?(?:to|up|end|value|number|target|max))?$|^data-target$|^data-final(?:-?(?:value|number))?$|^aria-valuenow$/;
/** Other attributes that may repeat the number of a text. */
const REPEATING = /^(?:data-[\w-]+|aria-valuetext|value)$/;
/** Attributes with numbers for the layout or for movement. */
const OTHER =
  /delay|duration|speed|interval|offset|index|order|slide|step|(?:^|-)(?:id|min|max|from|start|width|height|size|col|row|level|page|time|decimals?|wow|aos|bs|year|lat|lng|zoom)(?:-|$)/;
const VALUED = new Set(['progress', 'meter', 'data', 'li', 'input']);

const NUMBER = /\p{Nd}+(?:[.,'’\u00a0\u202f ]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}+)?/gu;

/** The numbers of a text, as they are written. */
export const numbersIn = (text: string): string[] => text.match(NUMBER) ?? [];

/** A number in a uniform notation: `5234` for `5,234`, `5.234` and `5 234`; `4.9` for `4,9`. */
export const plainNumber = (number: string): string =>
  number
    .replace(/[^\p{Nd}](?=\p{Nd}{3}(?!\p{Nd}))/gu, '')
    .replace(/[^\p{Nd}]/gu, '.')
    .replace(/^0+(?=\p{Nd})/u, '');

/** The attributes with a number that stand beside a text. */
export const findNumberAttributes = (elements: readonly PageElement[]): NumberAttribute[] =>
  elements.flatMap((element) => {
    const attributes = element.attrs.flatMap((attribute) => {
      const name = attributeName(attribute).toLowerCase();
      const { value } = attribute;
      return hasNumber(name, value) && isCandidate(element, name) ? [{ name, value }] : [];
    });
    const counterText = attributes.length > 0 ? findCounterText(element) : undefined;
    if (!counterText) return [];
    return attributes.map(({ name, value }) => {
      const number = plainNumber(numbersIn(value)[0]!);
      return { element, name, value, number, ...counterText };
    });
  });

/**
 * Whether an attribute's number is that of its text: a script counts to it, also from 0, or a
 * screen reader says it.
 */
export const isCounter = ({ name, number, shown }: NumberAttribute): boolean =>
  shown !== undefined && (COUNTER.test(name) || number === shown || shown === '0');

/** Whether an element is empty, and a script fills it with an attribute's number. */
export const isEmptyCounter = ({ name, shown, element }: NumberAttribute): boolean =>
  shown === undefined && COUNTER.test(name) && !hasWords(textContentOf(element));

/** Whether a value is a number, or for screen readers a sentence with one: `75 percent`. */
const hasNumber = (name: string, value: string) =>
  name === 'aria-valuetext'
    ? numbersIn(value.slice(0, MAX_SENTENCE_LENGTH)).length === 1
    : /^\p{Nd}[\p{Nd}.,'’]{0,14}%?$/u.test(value.replace(/\s+/g, ''));

const MAX_SENTENCE_LENGTH = 80;

const isCandidate = ({ tagName }: PageElement, name: string) =>
  COUNTER.test(name) ||
  (REPEATING.test(name) && !OTHER.test(name) && (name !== 'value' || VALUED.has(tagName)));

/** How many elements around a counter its text may be. */
const MAX_LEVELS = 3;
const MAX_SOURCE_LENGTH = 2_000;

/**
 * The text beside an attribute: the first one with a number, in its element or around it, else the
 * first one with words.
 */
function findCounterText(
  element: PageElement,
): Pick<NumberAttribute, 'textElement' | 'text' | 'shown'> | undefined {
  let firstText: Pick<NumberAttribute, 'textElement' | 'text' | 'shown'> | undefined;
  let textElement: PageElement | undefined = element;
  for (let level = 0; textElement && level <= MAX_LEVELS; level++) {
    const { start, end } = rangeOf(textElement);
    if (start < 0 || end - start > MAX_SOURCE_LENGTH) break;
    const text = collapseSpaces(textContentOf(textElement)).trim();
    const [number, ...otherNumbers] = numbersIn(text);
    const shown = number === undefined || otherNumbers.length > 0 ? undefined : plainNumber(number);
    if (number !== undefined) return { textElement, text, shown };
    if (hasWords(text)) firstText ??= { textElement, text, shown };
    textElement = parentOf(textElement);
  }
  return firstText;
}
