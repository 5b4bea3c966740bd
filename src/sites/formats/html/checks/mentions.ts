import { attributeOf, type PageElement } from '../document.ts';
import { findCssUrls } from '../../../styles/cssAddresses.ts';

/** Attributes that load nothing: words for people, or names that look like URLs. */
const textAttributes = new Set([
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
/** Whether an attribute loads nothing, because it has words for people or a mere name. */
export const isTextAttribute = ({ tagName }: PageElement, name: string): boolean =>
  (textAttributes.has(name) && !(name === 'value' && tagName === 'param')) ||
  /^(aria-|xmlns:)/.test(name);

/** Whether an element is a `meta` refresh. */
export const isRefresh = (element: PageElement): boolean =>
  element.tagName === 'meta' &&
  (attributeOf(element, 'http-equiv') ?? '').trim().toLowerCase() === 'refresh';

const separators = /[\s"'`,;=()[\]{}<>|]+/;

/** The parts of an attribute's value that a script or an unknown browser may use as URLs. */
export const findMentions = (value: string): string[] =>
  /[/\\:]/.test(value)
    ? [
        ...new Set([
          value,
          ...value.split(';'),
          ...value.split(separators),
          ...findCssUrls(value).map(({ url }) => url),
        ]),
      ]
    : [];
