import { createUrlResolver } from '../links/urlResolver.ts';
import {
  attributeOf,
  childrenOf,
  isSvg,
  textContentOf,
  within,
  type PageElement,
} from '../document.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { type DuplicateLinks, findDuplicateLinks } from '../links/duplicateLinks.ts';
import { readJsonLd } from '../slots/plainSlotPlaces.ts';
import { isBlank } from '../../escape.ts';
import { decodeUrlPart, parseReference, slugOfUrl } from '../../../pages/urls/urls.ts';
import { findAttributes } from './allowedAttributes.ts';
import { findCode } from './findCode.ts';
import { allElements } from '../insideTemplates.ts';
import { findMisleading, type MisleadingPlace } from './misleading.ts';
import { findPageFeatures } from './pageFeatures.ts';
import { type PageSetup, readPageSetup } from './pageSetup.ts';
import { type TextDetails, findTextDetails } from './staleDetails.ts';
import type { PageFeature, SourcePosition } from '../../pageFindings.ts';
import type { ReferenceIndex } from '../../../checks/externalReferences.ts';
import { referencesInElements } from './elementReferences.ts';
import { addHiddenErrors } from './hiddenErrors.ts';
import { placeholdersOn } from './placeholdersInSlot.ts';
import { referencesIn, type PageReference } from './references.ts';
import { referencedOrigin } from '../../../checks/referencedOrigin.ts';
import { sourcePosition } from './sourcePosition.ts';

/** A URL in this site. */
export interface SiteReference extends PageReference {
  /** The path from the site's root, not decoded. */
  path: string;
}

/** The facts of a page that the checks compare before and after a change. */
export interface PageInspection {
  /** Parse errors by code and tag, so that copying a tag adds no new error. */
  errors: Map<string, SourcePosition>;
  /** The number of uses of each id, and its last place. */
  ids: Map<string, { count: number; spot: SourcePosition }>;
  /** Ids and names that a fragment can name. */
  anchors: Set<string>;
  /** URLs in this site. */
  references: SiteReference[];
  /** All URLs, normalized as browsers do. */
  urls: Set<string>;
  /** Fragments in links to the page itself. */
  fragments: Map<string, SourcePosition>;
  /** Hosts that get requests when the page is opened (`loads`) or a link followed (`links`). */
  loads: Map<string, SourcePosition>;
  links: Map<string, SourcePosition>;
  /** Hosts that a script may request, since an attribute or style rule has their URL. */
  mentions: Map<string, SourcePosition>;
  /** Pairs of element and attribute: `img alt`. */
  attributes: Map<string, SourcePosition>;
  code: Map<string, SourcePosition>;
  /** Classes, inline styles, forms, frames and the like. */
  gains: Map<string, PageFeature>;
  /** External references: outside hosts, mailboxes and numbers that the page links to or names. */
  externalReferences: ReferenceIndex;
  /** Links that a navigation or list has more than once. */
  duplicates: DuplicateLinks;
  placeholders: Map<string, SourcePosition>;
  /** Blocks of JSON-LD that are not valid JSON, by their texts. */
  brokenData: Map<string, SourcePosition>;
  /** Scripts, style sheets and declarations that are in effect. */
  setup: PageSetup;
  textDetails: TextDetails;
  /** What misleads readers, such as an e-mail link with hidden recipients. */
  misleading: Map<string, MisleadingPlace>;
  /** Whether it has a title, and a headline, that are not empty. */
  title: boolean;
  h1: boolean;
}

/**
 * Collects the facts of a page that the checks compare.
 * @throws LIMIT_EXCEEDED for a page that has too many texts
 */
export function inspectPage(page: HtmlPage): PageInspection {
  const errors: PageInspection['errors'] = new Map(page.errors);
  addHiddenErrors(page, (key, spot) => {
    if (!errors.has(key)) errors.set(key, spot);
  });
  const { elements } = page;
  const urlResolver = createUrlResolver(page);
  const everyElement = allElements(page);
  const allReferences = elements.flatMap(referencesIn).filter(({ kind }) => kind !== 'mention');
  const pathOrUrl = (url: string) => urlResolver.pathOf(url) ?? url;
  const references = allReferences.flatMap((reference) => {
    const path = reference.kind === 'base' ? undefined : urlResolver.pathOf(reference.url);
    return path === undefined ? [] : [{ ...reference, path }];
  });
  return {
    errors,
    ids: countIds(elements),
    anchors: anchorNames(elements),
    references,
    urls: new Set(allReferences.map(({ url }) => url)),
    fragments: ownFragments(
      allReferences,
      (url) => url.startsWith('#') || slugOfUrl(pathOrUrl(url)) === page.file.slug,
    ),
    ...originsByUse(everyElement.flatMap(referencesIn)),
    attributes: findAttributes(everyElement),
    code: findCode(page, urlResolver),
    gains: findPageFeatures(everyElement, urlResolver),
    externalReferences: referencesInElements(everyElement),
    duplicates: findDuplicateLinks(page),
    placeholders: keepFirst(placeholdersOn(page)),
    brokenData: findBrokenData(elements),
    setup: readPageSetup(page, urlResolver),
    textDetails: findTextDetails(page),
    misleading: findMisleading(everyElement, everyElement.flatMap(referencesIn)),
    title: elements.some(
      (element) =>
        element.tagName === 'title' && !isSvg(element) && !isBlank(textContentOf(element)),
    ),
    h1: elements.some((element) => element.tagName === 'h1' && hasContent(element)),
  };
}

function countIds(elements: readonly PageElement[]): PageInspection['ids'] {
  const ids: PageInspection['ids'] = new Map();
  for (const element of elements) {
    const id = attributeOf(element, 'id');
    if (id)
      ids.set(id, { count: (ids.get(id)?.count ?? 0) + 1, spot: sourcePosition(element, 'id') });
  }
  return ids;
}

const anchorNames = (elements: readonly PageElement[]) =>
  new Set(
    elements.flatMap((element) => [
      decodeUrlPart(attributeOf(element, 'id')),
      decodeUrlPart(element.tagName === 'a' ? attributeOf(element, 'name') : undefined),
    ]),
  );

function ownFragments(
  references: PageReference[],
  isOwnUrl: (url: string) => boolean,
): PageInspection['fragments'] {
  const ownReferences = references.filter(
    ({ url, isCertain, kind }) =>
      isCertain && kind !== 'base' && url.includes('#') && isOwnUrl(url),
  );
  return keepFirst(
    ownReferences.map(({ url, spot }) => [
      decodeUrlPart(parseReference(url).fragment.slice(1)),
      spot,
    ]),
  );
}

function originsByUse(
  references: PageReference[],
): Pick<PageInspection, 'loads' | 'links' | 'mentions'> {
  const originsOfKinds = (...kinds: PageReference['kind'][]) =>
    keepFirst(
      references.flatMap((reference): [string, SourcePosition][] => {
        const origin = kinds.includes(reference.kind) ? referencedOrigin(reference) : undefined;
        return origin === undefined ? [] : [[origin, reference.spot]];
      }),
    );
  return {
    loads: originsOfKinds('load', 'embed', 'base'),
    links: originsOfKinds('link'),
    mentions: originsOfKinds('mention'),
  };
}

const findBrokenData = (elements: readonly PageElement[]): PageInspection['brokenData'] =>
  keepFirst(
    elements.flatMap((element): [string, SourcePosition][] => {
      const text = readJsonLd(element)?.text;
      return text === undefined || isBlank(text) || isJson(text)
        ? []
        : [[text, sourcePosition(element)]];
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

/** A map that keeps the first of several positions with the same key. */
const keepFirst = (pairs: [string, SourcePosition][]) => new Map(pairs.toReversed());

const hasContent = (heading: PageElement): boolean =>
  !isBlank(textContentOf(heading)) ||
  within(childrenOf(heading)).some((element) => !isBlank(attributeOf(element, 'alt') ?? ''));
