import type { MarkupSite } from '../../changes.ts';
import { html as standard } from 'parse5';
import { invalidInput } from '../../../invalidInput.ts';
import { siteFiles } from '../../../checks/siteFiles.ts';
import { plainHostOf, readUrl } from '../../../pages/urlHosts.ts';
import { decode, hasHiddenReaders, parseReference } from '../../../pages/urls.ts';
import { attributeName, tokensOf, type Element, type HtmlDocument } from '../document.ts';
import type { Page } from '../openPage.ts';
import { idsOf } from '../groups/cloneIds.ts';
import { addressesOf, type Addresses } from '../links/pageAddresses.ts';
import { cut, quoted } from '../../../../text/text.ts';
import {
  allowedElements,
  isAllowedAttribute,
  isAllowedElement,
  isFreeName,
} from './allowedMarkup.ts';
import { readFragment, type Fragment } from './readFragment.ts';

const NAMED = 12;
const HINTED = 20;

/** The classes of new markup, allowed or not. */
export function classesOfMarkup(html: string): string[] {
  const { elements } = readFragment(html);
  return [...new Set(elements.flatMap(({ element }) => tokensOf(element, 'class')))];
}

/** The outermost elements of new markup, allowed or not. */
export const rootsOfMarkup = (html: string): Element[] =>
  readFragment(html)
    .elements.filter(({ depth }) => depth === 0)
    .map(({ element }) => element);

/** The page and site that get the new markup. */
interface Place {
  page: HtmlDocument;
  addresses: Addresses;
  answers: (path: string) => boolean;
  classes: Set<string>;
  /** Ids of the page; `own` has the ids of the markup. */
  ids: Set<string>;
  own: Set<string>;
}

/**
 * Parses and checks new markup for a page. It is accepted unchanged, or refused.
 * @throws DomainError INVALID_INPUT naming everything that is not allowed
 */
export function checkMarkup(html: string, page: Page, site: MarkupSite): Fragment {
  const fragment = readFragment(html);
  const own = fragment.elements.flatMap(({ element }) => tokensOf(element, 'id'));
  const files = siteFiles(site.sitePaths);
  const place: Place = {
    page,
    addresses: addressesOf(page),
    answers: (path) => files.answers(path),
    classes: new Set(site.classes),
    ids: new Set(page.elements.flatMap(idsOf).map((id) => id.toLowerCase())),
    own: new Set(own),
  };
  const seen = new Set<string>();
  const twice = own
    .filter((id) => seen.has(id) || !seen.add(id))
    .map((id) => `the id ${quoted(id)} twice`);
  const found = [
    ...fragment.problems,
    ...twice,
    ...fragment.elements.flatMap((nested) => problemsOf(nested, place)),
  ];
  const problems = [...new Set(found)];
  if (problems.length === 0) return fragment;
  const rest = problems.length - NAMED;
  const list = problems.slice(0, NAMED).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  const isOther = fragment.elements.some(({ tagName }) => !isAllowedElement(tagName));
  const hint = isOther ? `. New markup may have: ${allowedElements}` : '';
  throw invalidInput(`Not inserted; refused: ${list}${hint}`);
}

function problemsOf({ element, tagName }: Fragment['elements'][number], place: Place): string[] {
  if (!isAllowedElement(tagName) || element.namespaceURI !== standard.NS.HTML)
    return [`<${cut(tagName, 40)}>`];
  const names = element.attrs.map(attributeName);
  const other = names.filter((name) => !isAllowedAttribute(tagName, name));
  const values = element.attrs
    .filter(({ name }) => isAllowedAttribute(tagName, name))
    .map((attribute) => valueProblem(element, attribute, place))
    .filter((problem) => problem !== undefined);
  const hasUnseen = element.childNodes.some((node) => 'value' in node && unseen.test(node.value));
  const missing = tagName === 'img' ? ['src', 'alt'].filter((name) => !names.includes(name)) : [];
  return [
    ...other.map((name) => `the attribute ${quoted(name)} of <${tagName}>`),
    ...values,
    ...(hasUnseen ? [`an invisible character in <${tagName}>`] : []),
    ...missing.map((name) => `<img> without ${name}`),
  ];
}

type Attribute = Pick<Element['attrs'][number], 'name' | 'value'>;

/** Attributes whose values are ids of elements of the page. */
const naming = new Set(
  'aria-labelledby aria-describedby aria-controls aria-details aria-owns aria-flowto aria-activedescendant aria-errormessage headers'.split(
    ' ',
  ),
);
const simple: Record<string, RegExp> = {
  target: /^_blank$/,
  rel: /^(?:(?:noopener|noreferrer|nofollow|external|author|help|license|next|prev|tag)(?: |$))+$/,
  role: /^(?:list|listitem|img|group|note|region|separator|table|row|cell|presentation|none|button|doc-[a-z]{1,20})$/,
  loading: /^(?:lazy|eager)$/,
  decoding: /^(?:async|sync|auto)$/,
  dir: /^(?:ltr|rtl|auto)$/,
  lang: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/,
  width: /^\d{1,5}$/,
  height: /^\d{1,5}$/,
};

/**
 * Control and invisible characters. For attribute values, whose character references are already
 * decoded.
 */
const unseen =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u{e0000}-\u{e0fff}]/u;

function valueProblem(
  element: Element,
  { name, value }: Attribute,
  place: Place,
): string | undefined {
  const { tagName } = element;
  if (unseen.test(value)) return `an invisible character in ${quoted(name)}`;
  if (name === 'class') return classProblem(element, place);
  if (name === 'id') return idProblem(value, place);
  if (name === 'href' || name === 'cite' || name === 'src')
    return addressProblem(tagName, { name, value }, place);
  if (naming.has(name)) {
    const unknown = tokensOf(element, name).find(
      (id) => !place.own.has(id) && !place.ids.has(id.toLowerCase()),
    );
    return unknown === undefined
      ? undefined
      : `${name} with ${quoted(unknown)}, which is no id of the page`;
  }
  return simple[name] && !simple[name].test(value)
    ? `${name}=${quoted(value)} of <${tagName}>`
    : undefined;
}

function classProblem(element: Element, { classes, page }: Place): string | undefined {
  const unknown = [...new Set(tokensOf(element, 'class'))].filter((name) => !classes.has(name));
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, NAMED).map((name) => `\`${cut(name, 40)}\``);
  return `class ${named.join(', ')} ${unknown.length === 1 ? 'is' : 'are'} not the site's; there are: ${alike(unknown[0]!, page).join(', ')}`;
}

/** Classes of the page. Classes that share a word with `name` come first. */
function alike(name: string, { elements }: HtmlDocument): string[] {
  const words = name
    .toLowerCase()
    .split(/[-_]/)
    .filter((word) => word.length > 2);
  const all = [...new Set(elements.flatMap((element) => tokensOf(element, 'class')))];
  const isAlike = (other: string) => words.some((word) => other.toLowerCase().includes(word));
  return [...all.filter(isAlike), ...all.filter((other) => !isAlike(other))].slice(0, HINTED);
}

function idProblem(value: string, { ids }: Place): string | undefined {
  if (ids.has(value.toLowerCase())) return `the id ${quoted(value)}, which the page has already`;
  return isFreeName(value)
    ? undefined
    : `the id ${quoted(value)}; expected one such as "our-team", and no name that scripts know`;
}

function addressProblem(
  tagName: string,
  { name, value }: Attribute,
  place: Place,
): string | undefined {
  const url = readUrl(value);
  const refused = (why: string) => `${name}=${quoted(value)} of <${tagName}>: ${why}`;
  if (url !== value || /[\s\\]/.test(value))
    return refused('spaces and backslashes are not for addresses');
  const { scheme, authority, path, fragment } = parseReference(url);
  if (tagName !== 'img' && /^(?:mailto|tel):$/i.test(scheme))
    return path === '' || hasHiddenReaders(url)
      ? refused('somebody is named, with a subject and a body at most')
      : undefined;
  const own = place.addresses.pathOf(url);
  if (own === undefined && (scheme || authority)) {
    const isOfWeb = /^https:$/i.test(scheme) && plainHostOf(url) !== undefined;
    if (!isOfWeb) return refused('only pages and files of the site, https, mailto and tel');
    return tagName === 'img' ? refused('only files of the site') : undefined;
  }
  if (url.startsWith('#'))
    return leadsNowhere(decode(fragment.slice(1)), place)
      ? refused('the page has no such place')
      : undefined;
  if (url === '' || own === undefined) return refused('no address');
  return place.answers(own) ? undefined : refused('the site has no such page or file');
}

const leadsNowhere = (id: string, { ids, own }: Place) =>
  id === '' || !(own.has(id) || ids.has(id.toLowerCase()));
