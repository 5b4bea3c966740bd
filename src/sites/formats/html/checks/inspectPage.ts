import { addressesOf } from '../links/pageAddresses.ts';
import { attributeOf, childrenOf, isSvg, textOf, within, type Element } from '../document.ts';
import type { Page } from '../openPage.ts';
import { type DoubledLinks, doubledLinks } from '../links/doubledLinks.ts';
import { jsonOf } from '../slots/plainSlotPlaces.ts';
import { isBlank } from '../escape.ts';
import { decode, parseReference, slugOfUrl } from '../../../pages/urls.ts';
import { attributesOf } from './allowedAttributes.ts';
import { codeOf } from './codeOf.ts';
import { allElements } from '../insideTemplates.ts';
import { misleadingIn } from './misleading.ts';
import { gainsOf } from './gains.ts';
import { type PageSetup, setupOf } from './pageSetup.ts';
import { type BesideTexts, besideTexts } from './keptBeside.ts';
import type { Gain, Spot } from '../../faults.ts';
import type { Outsiders } from '../../../checks/findOutsiders.ts';
import { outsidersIn } from './outsidersIn.ts';
import { addHiddenErrors } from './hiddenErrors.ts';
import { placeholdersOn } from './findPlaceholders.ts';
import { referencesIn, type Reference } from './references.ts';
import { originOf } from '../../../checks/originOf.ts';
import { spotOf } from './spotOf.ts';

/** An address in this site. */
export interface SiteReference extends Reference {
  /** The path from the site's root, not decoded. */
  path: string;
}

/** The facts of a page that the checks compare before and after a change. */
export interface Inspection {
  /** Parse errors by code and tag, so that copying a tag adds no new error. */
  errors: Map<string, Spot>;
  /** The number of uses of each id, and its last place. */
  ids: Map<string, { count: number; spot: Spot }>;
  /** Ids and names that a fragment can name. */
  anchors: Set<string>;
  /** Addresses in this site. */
  references: SiteReference[];
  /** All addresses, normalized as browsers do. */
  urls: Set<string>;
  /** Fragments in links to the page itself. */
  fragments: Map<string, Spot>;
  /**
   * Hosts that get requests when the page is opened (`loads`), and when a link is followed
   * (`links`).
   */
  loads: Map<string, Spot>;
  links: Map<string, Spot>;
  /** Hosts that a script may request, since an attribute or style rule has their address. */
  mentions: Map<string, Spot>;
  /** Pairs of element and attribute: `img alt`. */
  attributes: Map<string, Spot>;
  code: Map<string, Spot>;
  /** Classes, inline styles, forms, frames and the like. */
  gains: Map<string, Gain>;
  /** Outsiders that the page links to, loads from or names. */
  outsiders: Outsiders;
  /** Links that a navigation or list has more than once. */
  doubled: DoubledLinks;
  placeholders: Map<string, Spot>;
  /** Blocks of JSON-LD that are no JSON, by their texts. */
  brokenData: Map<string, Spot>;
  /** Scripts, style sheets and declarations that are in effect. */
  setup: PageSetup;
  beside: BesideTexts;
  /** What misleads readers, such as a link to mail with hidden readers. */
  misleading: Map<string, Spot>;
  /** Whether it has a title, and a headline, that are not empty. */
  title: boolean;
  h1: boolean;
}

/**
 * Collects the facts of a page for the checks. A page that the same thread has just made is parsed
 * already.
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
    code: codeOf(page, addresses),
    gains: gainsOf(all, addresses),
    outsiders: outsidersIn(all),
    doubled: doubledLinks(page),
    placeholders: firstOf(placeholdersOn(page)),
    brokenData: brokenDataOf(elements),
    setup: setupOf(page, nameOf),
    beside: besideTexts(page),
    misleading: misleadingIn(all, all.flatMap(referencesIn)),
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

const brokenDataOf = (elements: readonly Element[]): Inspection['brokenData'] =>
  firstOf(
    elements.flatMap((element): [string, Spot][] => {
      const text = jsonOf(element)?.text;
      return text === undefined || isBlank(text) || isJson(text) ? [] : [[text, spotOf(element)]];
    }),
  );

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A map that keeps the first of several places with the same key. */
const firstOf = (pairs: [string, Spot][]) => new Map(pairs.toReversed());

const hasContent = (heading: Element): boolean =>
  !isBlank(textOf(heading)) ||
  within(childrenOf(heading)).some((element) => !isBlank(attributeOf(element, 'alt') ?? ''));
