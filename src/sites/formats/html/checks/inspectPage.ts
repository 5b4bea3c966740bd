import { addressesOf } from '../links/pageAddresses.ts';
import {
  attributeOf,
  childrenOf,
  isSvg,
  textOf,
  within,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import type { Page } from '../openPage.ts';
import { type DoubledLinks, doubledLinks } from '../links/doubledLinks.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { isBlank } from '../escape.ts';
import { decode, parseReference, slugOfUrl } from '../../../pages/urls.ts';
import { attributesOf } from './allowedAttributes.ts';
import { codeOf } from './codeOf.ts';
import { allElements } from './insideTemplates.ts';
import { gainsOf } from './gains.ts';
import type { Gain, Spot } from '../../faults.ts';
import type { Outsiders } from '../../../checks/findOutsiders.ts';
import { outsidersIn } from './outsidersIn.ts';
import { addHiddenErrors } from './hiddenErrors.ts';
import { findPlaceholders } from './findPlaceholders.ts';
import { referencesIn, type Reference } from './references.ts';
import { originOf } from '../../../checks/originOf.ts';
import { spotOf } from './spotOf.ts';

/** An address that leads to the site. */
export interface SiteReference extends Reference {
  /** From the site's root, as it is written. */
  path: string;
}

/** What the checks compare of a page before and after a change. */
export interface Inspection {
  /** Parse errors, by their code and tag, so that a copy of a tag has no new one. */
  errors: Map<string, Spot>;
  /** How often each id stands, and its last place. */
  ids: Map<string, { count: number; spot: Spot }>;
  /** Names that a fragment can lead to. */
  anchors: Set<string>;
  /** Addresses that lead to the site. */
  references: SiteReference[];
  /** All addresses, as browsers read them. */
  urls: Set<string>;
  /** Fragments of links to the page itself. */
  fragments: Map<string, Spot>;
  /** Hosts that the page asks when it is opened (`loads`), and when a link is followed. */
  loads: Map<string, Spot>;
  links: Map<string, Spot>;
  /** Hosts that a script may ask, since their addresses stand in an attribute or in style rules. */
  mentions: Map<string, Spot>;
  /** Kinds of elements with the attributes that such an element has. */
  attributes: Map<string, Spot>;
  code: Map<string, Spot>;
  /** Classes, inline styles, forms, frames and the like. */
  gains: Map<string, Gain>;
  /** Whom the page leads to, asks or names outside of its site. */
  outsiders: Outsiders;
  /** Links that stand more than once in a navigation or list. */
  doubled: DoubledLinks;
  placeholders: Map<string, Spot>;
  /** Whether it has a title and a headline that are not empty. */
  title: boolean;
  h1: boolean;
}

/**
 * Reads a page for the checks. Where the same thread has just made it, it is parsed already.
 * @throws LIMIT_EXCEEDED for a page that is too large, too deep or has too many texts
 */
export function inspectPage(page: Page): Inspection {
  const errors: Inspection['errors'] = new Map(page.errors);
  addHiddenErrors(page, (key, spot) => {
    if (!errors.has(key)) errors.set(key, spot);
  });
  const { elements } = page;
  const addresses = addressesOf(page);
  const all = allElements(page);
  const found = elements.flatMap(referencesIn).filter(({ kind }) => kind !== 'mention');
  const nameOf = (url: string) => addresses.pathOf(url) ?? url;
  const references = found.flatMap((reference) => {
    const path = reference.kind === 'base' ? undefined : addresses.pathOf(reference.url);
    return path === undefined ? [] : [{ ...reference, path }];
  });
  return {
    errors,
    ids: idsOf(elements),
    anchors: anchorsOf(elements),
    references,
    urls: new Set(found.map(({ url }) => url)),
    fragments: fragmentsOf(
      found,
      (url) => url.startsWith('#') || slugOfUrl(nameOf(url)) === page.file.slug,
    ),
    ...originsOf(all.flatMap(referencesIn)),
    attributes: attributesOf(all),
    code: codeOf(page, nameOf),
    gains: gainsOf(all, addresses),
    outsiders: outsidersIn(all),
    doubled: doubledLinks(page),
    placeholders: placeholdersOf(page),
    title: elements.some(
      (element) => element.tagName === 'title' && !isSvg(element) && !isBlank(textOf(element)),
    ),
    h1: elements.some((element) => element.tagName === 'h1' && hasContent(element)),
  };
}

function idsOf(elements: readonly Element[]): Inspection['ids'] {
  const ids: Inspection['ids'] = new Map();
  for (const element of elements) {
    const id = attributeOf(element, 'id');
    if (id) ids.set(id, { count: (ids.get(id)?.count ?? 0) + 1, spot: spotOf(element, 'id') });
  }
  return ids;
}

const anchorsOf = (elements: readonly Element[]) =>
  new Set(
    elements.flatMap((element) => [
      decode(attributeOf(element, 'id')),
      decode(element.tagName === 'a' ? attributeOf(element, 'name') : undefined),
    ]),
  );

function fragmentsOf(
  references: Reference[],
  isOwn: (url: string) => boolean,
): Inspection['fragments'] {
  const own = references.filter(
    ({ url, sure, kind }) => sure && kind !== 'base' && url.includes('#') && isOwn(url),
  );
  return firstOf(own.map(({ url, spot }) => [decode(parseReference(url).fragment.slice(1)), spot]));
}

function originsOf(references: Reference[]): Pick<Inspection, 'loads' | 'links' | 'mentions'> {
  const asked = (...kinds: Reference['kind'][]) =>
    firstOf(
      references.flatMap((reference): [string, Spot][] => {
        const origin = kinds.includes(reference.kind) ? originOf(reference) : undefined;
        return origin === undefined ? [] : [[origin, reference.spot]];
      }),
    );
  return {
    loads: asked('load', 'embed', 'base'),
    links: asked('link'),
    mentions: asked('mention'),
  };
}

const placeholdersOf = (page: HtmlDocument): Inspection['placeholders'] =>
  firstOf(
    findSlotPlaces(page).flatMap((place) =>
      findPlaceholders(place).map((text): [string, Spot] => [
        text,
        spotOf(place.element, place.attribute),
      ]),
    ),
  );

/** Of several with the same key the first. */
const firstOf = (pairs: [string, Spot][]) => new Map(pairs.toReversed());

const hasContent = (heading: Element): boolean =>
  !isBlank(textOf(heading)) ||
  within(childrenOf(heading)).some((element) => !isBlank(attributeOf(element, 'alt') ?? ''));
