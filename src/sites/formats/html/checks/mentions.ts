import { attributeOf, type Element } from '../document.ts';
import { cssAddresses } from '../../../styles/cssAddresses.ts';

/** Attributes that load nothing: words for people, or names that look like addresses. */
const words = new Set([
  'alt',
  'title',
  'placeholder',
  'label',
  'summary',
  'abbr',
  'content',
  'value',
  'xmlns',
  'itemtype',
  'itemid',
  'vocab',
  'typeof',
  'property',
  'prefix',
  'resource',
  'about',
  'datatype',
]);
export const holdsWords = ({ tagName }: Element, name: string): boolean =>
  (words.has(name) && !(name === 'value' && tagName === 'param')) || /^(aria-|xmlns:)/.test(name);

/** Whether an element is a `meta` refresh. */
export const isRefresh = (element: Element): boolean =>
  element.tagName === 'meta' &&
  (attributeOf(element, 'http-equiv') ?? '').trim().toLowerCase() === 'refresh';

const marks = /[\s"'`,;=()[\]{}<>|]+/;

/** The parts of an attribute's value that a script or an unknown browser may use as addresses. */
export const mentionsIn = (value: string): string[] =>
  /[/\\:]/.test(value)
    ? [
        ...new Set([
          value,
          ...value.split(';'),
          ...value.split(marks),
          ...cssAddresses(value).map(({ url }) => url),
        ]),
      ]
    : [];
