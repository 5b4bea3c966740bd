import { parse } from 'postcss';
import { DomainError } from '../../../../errors.ts';
import { declarationsOf, findHidingRules, hidesElements } from '../../../styles/hidingRules.ts';
import type { PageStyles } from '../../format.ts';
import { lostPartNames } from '../../lostPartNames.ts';
import {
  attributeOf,
  childText,
  closest,
  parentOf,
  tokensOf,
  type PageElement,
  parseDocument,
} from '../document.ts';
import { lastName, matchesSelector } from './selectors.ts';

/** Classes by which common frameworks, which a page may load from another site, hide elements. */
const hidingClasses = new Set(
  'd-none hidden is-hidden hide invisible is-invisible collapse visually-hidden sr-only is-sr-only opacity-0 uk-hidden'.split(
    ' ',
  ),
);
const MAX_CONDITIONS = 50;
/** Most comparisons of an element with a selector. A page that needs more is not looked at. */
const MAX_COMPARISONS = 500_000;

/** A rule, by what it matches. */
type Matcher = (element: PageElement) => boolean;

/** How much of a page's text is hidden under a media query; '' for none. */
interface HiddenText {
  hidden: number;
  total: number;
  isHeadlineHidden: boolean;
}

/** The share of the page's text that an edit must hide to be reported. */
const LARGE_SHARE = 0.4;

/**
 * Finds what an edit of a page or of its style sheets hides from readers, for a sentence: the
 * headline, or much of the text. A rule for phones counts like one for all screens. What a button
 * opens is not hidden. Rules that show a hidden element again are not looked at, which changes
 * little when two versions are compared.
 * @throws DomainError LIMIT_EXCEEDED for a page with too many elements and style rules
 */
export function findHiddenParts(newPage: PageStyles, oldPage: PageStyles): string[] {
  const [newTexts, oldTexts] = [measurePage(newPage), measurePage(oldPage)];
  const oldText = (condition: string) => oldTexts.get(condition) ?? oldTexts.get('')!;
  const comparisons = [...newTexts].map(([condition, text]) => ({
    ...text,
    old: oldText(condition),
  }));
  const isHeadlineLost = comparisons.some(
    ({ isHeadlineHidden, old }) => isHeadlineHidden && !old.isHeadlineHidden,
  );
  // an edit may also add a hidden text, or remove one that is shown
  const isTextLost = comparisons.some(({ hidden, total, old }) => {
    const shownLess = old.total - old.hidden - (total - hidden);
    return Math.min(hidden - old.hidden, shownLess) > LARGE_SHARE * old.total;
  });
  return [
    ...(isHeadlineLost ? [lostPartNames.headline] : []),
    ...(isTextLost ? [lostPartNames.text] : []),
  ];
}

function measurePage({ source, sheets }: PageStyles): Map<string, HiddenText> {
  const { elements } = parseDocument(source);
  const body = elements.filter((element) => closest(element, ({ tagName }) => tagName === 'body'));
  const ownSheets = elements.filter(({ tagName }) => tagName === 'style').map(ownSheet);
  const rules = [...sheets, ...ownSheets].flatMap(findHidingRules);
  const rulesByCondition = Map.groupBy(rules, ({ condition }) => condition);
  const matches = limitComparisons();
  const matcherFor = (condition: string) =>
    matcherOf(new Set(rulesByCondition.get(condition)?.map(({ selector }) => selector)), matches);
  const openedIds = new Set(elements.flatMap(openedId));
  const isOpened = (element: PageElement) => openedIds.has(attributeOf(element, 'id') ?? '');
  const alwaysHidden = new Set(elements.filter(combine([isHiddenByItself, matcherFor('')])));
  const isAlwaysHidden = (element: PageElement) => alwaysHidden.has(element);
  const conditions = [...rulesByCondition.keys()].filter((condition) => condition !== '');
  return new Map([
    ['', measure(body, isAlwaysHidden, isOpened)],
    ...conditions
      .slice(0, MAX_CONDITIONS)
      .map((condition): [string, HiddenText] => [
        condition,
        measure(body, combine([isAlwaysHidden, matcherFor(condition)]), isOpened),
      ]),
  ]);
}

/** Compares elements with selectors. @throws LIMIT_EXCEEDED if there is too much to compare */
function limitComparisons(): typeof matchesSelector {
  let comparisons = 0;
  return (element, selector) => {
    if (++comparisons > MAX_COMPARISONS)
      throw new DomainError('LIMIT_EXCEEDED', 'The page has too many elements and style rules');
    return matchesSelector(element, selector);
  };
}

/** The id of what a button opens, such as an answer under its question. */
const openedId = ({ attrs }: PageElement): string[] =>
  attrs
    .filter(({ name }) => /^(?:aria-controls|popovertarget|data-(?:.*-)?target)$/.test(name))
    .map(({ value }) => value.replace('#', ''))
    .filter((id) => id !== '');

const combine =
  (matchers: Matcher[]): Matcher =>
  (element) =>
    matchers.some((matches) => matches(element));

function ownSheet(style: PageElement): string {
  const media = attributeOf(style, 'media') ?? '';
  return media === '' ? childText(style) : `@media ${media} {${childText(style)}}`;
}

/** Whether one of the selectors matches. Tries only those that name something of the element. */
function matcherOf(selectors: ReadonlySet<string>, matches: typeof matchesSelector): Matcher {
  const selectorsByName = Map.groupBy(selectors, lastName);
  return (element) => {
    const names = [
      '',
      element.tagName,
      `#${attributeOf(element, 'id') ?? ''}`,
      ...tokensOf(element, 'class').map((name) => `.${name}`),
    ];
    return names.some((name) =>
      (selectorsByName.get(name) ?? []).some((selector) => matches(element, selector)),
    );
  };
}

/** Whether an element is hidden by its own attributes. */
function isHiddenByItself(element: PageElement): boolean {
  const { tagName } = element;
  if (tagName === 'noscript' || attributeOf(element, 'hidden') !== undefined) return true;
  if (attributeOf(element, 'aria-hidden') === 'true') return true;
  if (attributeOf(element, 'inert') !== undefined) return true;
  if (attributeOf(element, 'popover') !== undefined) return true;
  if (tagName === 'dialog' && attributeOf(element, 'open') === undefined) return true;
  if (tokensOf(element, 'class').some((name) => hidingClasses.has(name))) return true;
  const style = attributeOf(element, 'style');
  if (style === undefined) return false;
  try {
    return hidesElements(declarationsOf(parse(style, { map: false })));
  } catch {
    return false;
  }
}

function measure(body: PageElement[], hides: Matcher, isOpened: Matcher): HiddenText {
  const hiddenElements = new Set<PageElement>();
  const result = { hidden: 0, total: 0, isHeadlineHidden: false };
  const headlines = body.filter(({ tagName }) => tagName === 'h1');
  for (const element of body) {
    const outer = parentOf(element);
    const isInside = outer && (hiddenElements.has(outer) || isHiddenRoot(outer, hides));
    if (isInside || (hides(element) && !isOpened(element))) hiddenElements.add(element);
    if (element.tagName === 'script' || element.tagName === 'style') continue;
    const { length } = childText(element).trim();
    result.total += length;
    if (hiddenElements.has(element)) result.hidden += length;
  }
  result.isHeadlineHidden =
    headlines.length > 0 &&
    headlines.every((headline) => hiddenElements.has(headline) || isFolded(headline));
  return result;
}

/** Whether an element is in `details` that readers must open first. */
const isFolded = (element: PageElement) =>
  closest(
    element,
    ({ tagName, attrs }) => tagName === 'details' && !attrs.some(({ name }) => name === 'open'),
  ) !== undefined;

const isHiddenRoot = (element: PageElement, hides: Matcher) =>
  element.tagName === 'html' && hides(element);
