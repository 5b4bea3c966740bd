import { html, type ParserError } from 'parse5';
import type { PageFile } from '../../contract/site.ts';
import { addressesOf } from '../addresses.ts';
import {
  attributeOf,
  isSvg,
  parseDocument,
  textOf,
  type Element,
  type HtmlDocument,
} from '../formats/html/document.ts';
import { isElement } from '../formats/html/document.ts';
import { findPlaces } from '../formats/html/places.ts';
import { isBlank } from '../formats/html/text.ts';
import { decode, parseReference, slugOfUrl } from '../urls.ts';
import { codeOf } from './code.ts';
import { insideTemplates } from './elements.ts';
import { findPlaceholders } from './placeholders.ts';
import { originOf, referencesIn, type Reference } from './references.ts';
import { spotOf, type Spot } from './spot.ts';

/** An address that leads to the site. */
export interface SiteReference extends Reference {
  /** From the site's root, as it is written. */
  path: string;
}

/** What the checks compare of a page before and after a change. */
export interface Facts {
  /** Parse errors, by their code and the tag that they stand at: a copy of a tag brings no new one. */
  errors: Map<string, Spot>;
  /** How often each id stands, and where last. */
  ids: Map<string, { count: number; spot: Spot }>;
  /** Names that a fragment can lead to. */
  anchors: Set<string>;
  /** Addresses that lead to the site. */
  references: SiteReference[];
  /** All addresses, as browsers read them. */
  urls: Set<string>;
  /** Fragments of links to the page itself. */
  fragments: Map<string, Spot>;
  /** Whom the page asks when it is opened, and whom when a link is followed. */
  loads: Map<string, Spot>;
  links: Map<string, Spot>;
  code: Map<string, Spot>;
  placeholders: Map<string, Spot>;
  title: boolean;
  heading: boolean;
}

/**
 * Reads a page for the checks, parsing it once.
 * @throws LIMIT_EXCEEDED for a page that is too large, too deep or has too many texts
 */
export function factsOf(file: PageFile, source: string): Facts {
  const errors: Facts['errors'] = new Map();
  const onParseError = (error: ParserError) => {
    const { startLine: line } = error;
    const tag = tagAt(source, error.startOffset);
    const key = `${error.code} at ${tag}`;
    if (!errors.has(key)) errors.set(key, { line, element: tag });
  };
  const page = parseDocument(source, onParseError);
  const elements = [...page.numbers.keys()];
  const addresses = addressesOf(page, { template: file, target: file });
  const found = elements.flatMap(referencesIn);
  const inTemplates = insideTemplates(page).flatMap(referencesIn);
  const nameOf = (url: string) => addresses.pathOf(url) ?? url;
  const references = found.flatMap((reference) => {
    const path = reference.kind === 'base' ? undefined : addresses.pathOf(reference.url);
    return path === undefined ? [] : [{ ...reference, path }];
  });
  for (const element of elements.filter(isLeftOpen)) {
    const { line, element: tag } = spotOf(element);
    errors.set(`${LEFT_OPEN} at ${tag} ${attributeOf(element, 'class') ?? ''}`, { line, element: tag });
  }
  return {
    errors,
    ids: idsOf(elements),
    anchors: anchorsOf(elements),
    references,
    urls: new Set(found.map(({ url }) => url)),
    fragments: fragmentsOf(found, (url) => url.startsWith('#') || slugOfUrl(nameOf(url)) === file.slug),
    ...originsOf([...found, ...inTemplates]),
    code: codeOf(page, nameOf),
    placeholders: placeholdersOf(page),
    title: elements.some((element) => element.tagName === 'title' && !isSvg(element) && !isBlank(textOf(element))),
    heading: elements.some((element) => element.tagName === 'h1' && hasContent(element)),
  };
}

/** The parser does not report this one. */
const LEFT_OPEN = 'element-without-end-tag';
const endsByItself = new Set(
  'html head body p li dt dd rt rp optgroup option colgroup caption thead tbody tfoot tr td th area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr image plaintext'.split(
    ' ',
  ),
);
const isLeftOpen = ({ tagName, namespaceURI, sourceCodeLocation: place }: Element) =>
  place?.startTag !== undefined &&
  place.endTag === undefined &&
  namespaceURI === html.NS.HTML &&
  !endsByItself.has(tagName);

/** The tag that a position is in, or that stands before it. */
function tagAt(source: string, offset: number): string {
  const start = source.slice(Math.max(0, offset - 200), offset + 1).lastIndexOf('<');
  const at = Math.max(0, offset - 200) + start;
  const [tag] = start < 0 ? [] : (/^<\/?[a-z][a-z0-9-]{0,30}/i.exec(source.slice(at, at + 33)) ?? []);
  return tag ? `${tag.toLowerCase()}>` : 'text';
}

function idsOf(elements: Element[]): Facts['ids'] {
  const ids: Facts['ids'] = new Map();
  for (const element of elements) {
    const id = attributeOf(element, 'id');
    if (id) ids.set(id, { count: (ids.get(id)?.count ?? 0) + 1, spot: spotOf(element, 'id') });
  }
  return ids;
}

const anchorsOf = (elements: Element[]) =>
  new Set(
    elements.flatMap((element) =>
      [attributeOf(element, 'id'), element.tagName === 'a' ? attributeOf(element, 'name') : undefined].map((name) =>
        decode(name),
      ),
    ),
  );

function fragmentsOf(references: Reference[], isOwn: (url: string) => boolean): Facts['fragments'] {
  const own = references.filter(({ url, sure, kind }) => sure && kind !== 'base' && url.includes('#') && isOwn(url));
  return firstOf(own.map(({ url, spot }) => [decode(parseReference(url).fragment.slice(1)), spot]));
}

function originsOf(references: Reference[]): Pick<Facts, 'loads' | 'links'> {
  const asked = (isLink: boolean) =>
    references.flatMap(({ url, kind, spot }): [string, Spot][] => {
      const origin = (kind === 'link') === isLink ? originOf(url) : undefined;
      return origin === undefined ? [] : [[origin, spot]];
    });
  return { loads: firstOf(asked(false)), links: firstOf(asked(true)) };
}

const placeholdersOf = (page: HtmlDocument): Facts['placeholders'] =>
  firstOf(
    findPlaces(page).flatMap((place) =>
      findPlaceholders(place).map((text): [string, Spot] => [text, spotOf(place.element, place.attribute)]),
    ),
  );

/** Of several with one key the first, which is found at the first place of the page. */
const firstOf = (pairs: [string, Spot][]) => new Map(pairs.toReversed());

const hasContent = (heading: Element): boolean =>
  !isBlank(textOf(heading)) || heading.childNodes.some((child) => isElement(child) && hasAlt(child));

const hasAlt = (element: Element): boolean =>
  !isBlank(attributeOf(element, 'alt') ?? '') || element.childNodes.some((child) => isElement(child) && hasAlt(child));
