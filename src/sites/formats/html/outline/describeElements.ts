import { ancestors, attributeOf, closest, metaName, type PageElement } from '../document.ts';
import type { UrlResolver } from '../links/urlResolver.ts';
import { isImageElement, isLinkElement } from '../links/pageLinks.ts';
import { roleOf } from '../roles.ts';
import type { SlotRole } from '../../pageParts.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { truncateText, asOneLine } from '../../../../text/text.ts';
import { decodeUrlPart, parseReference } from '../../../pages/urls/urls.ts';

const MAX_ADDRESS_LENGTH = 120;
const MAX_NAME_LENGTH = 60;
/** The most links of one text to name; further ones are counted. */
const NAMED_PARTS = 30;

/** Describes elements of a page in a few words, for a line of its outline. */
export interface ElementDescriptions {
  /** The kind of a text, with its link's target: `h3`, `a(/team)`, `h2 a(/team)`. */
  place(place: SlotPlace): string;
  /** The links in a text: ` {a(/team)}`; '' for none. */
  parts(place: SlotPlace): string;
  /** A link with its target: `a(/team)`, `btn(/book)`, `a(/old)(missing)`. */
  link(link: PageElement): string;
  /** An image with its file: `img(/shop.jpg)`. */
  image(image: PageElement): string;
  /** Whether a link or image was already described, with a text or alone. */
  isSaid(element: PageElement): boolean;
}

/**
 * Makes the descriptions of a page's elements. Remembers what was described: a link around several
 * texts is described only with the first one, as in `h3 a(/team)`.
 * @param addresses resolves the page's URLs
 * @param isMissing whether a URL leads to a page, file or place that the site does not have
 */
export function describeElements(
  addresses: UrlResolver,
  isMissing: (url: string) => boolean,
): ElementDescriptions {
  const described = new Set<PageElement>();
  const describeTarget = (url: string) =>
    `(${asOneLine(truncateText(shownTarget(addresses, url), MAX_ADDRESS_LENGTH))})${isMissing(url) ? '(missing)' : ''}`;
  const link = (element: PageElement) => {
    described.add(element);
    const name = roleOf(element) === 'button' ? 'btn' : 'a';
    return name + describeTarget(attributeOf(element, 'href') ?? '');
  };
  const image = (element: PageElement) => {
    described.add(element);
    return `img${describeTarget(attributeOf(element, 'src') ?? '')}`;
  };

  return {
    link,
    image,
    isSaid: (element) => described.has(element),
    place: (place) => {
      const { element, attribute } = place;
      if (attribute === 'alt' && isImageElement(element)) return image(element);
      const surroundingLink = attribute === undefined ? closest(element, isLinkElement) : undefined;
      const linkWords =
        surroundingLink && !described.has(surroundingLink) ? link(surroundingLink) : '';
      const kind = describeTextKind(place);
      return [linkWords !== '' && ['a', 'btn'].includes(kind) ? '' : kind, linkWords]
        .filter((word) => word !== '')
        .join(' ');
    },
    parts: ({ parts = [] }) => {
      const names = parts.filter(isLinkElement).map(link);
      const moreCount = names.length - NAMED_PARTS;
      if (moreCount > 0) names.splice(NAMED_PARTS, moreCount, `${moreCount} more`);
      return names.length === 0 ? '' : ` {${names.join(', ')}}`;
    },
  };
}

/** The target of a URL: a page's slug, the path of another file of the site, else the URL. */
function shownTarget(addresses: UrlResolver, url: string): string {
  const { scheme, query, fragment } = parseReference(url.trim());
  const path = addresses.pathOf(url);
  if (path === undefined) return scheme.toLowerCase() === 'data:' ? scheme : url.trim();
  return (
    (addresses.fileOf(url).includes('.') && !/\.html?$/i.test(path)
      ? decodeUrlPart(path)
      : addresses.slugOf(url)!) +
    query +
    fragment
  );
}

const roleNames: Partial<Record<SlotRole, string>> = {
  link: 'a',
  button: 'btn',
  'svg-text': 'svg',
  title: 'title',
};
const cellTags = new Set(['td', 'th', 'dt', 'dd']);

function describeTextKind({ slot, element, attribute }: SlotPlace): string {
  const { role, level, jsonPath } = slot;
  if (jsonPath !== undefined) return asOneLine(truncateText(jsonPath, MAX_NAME_LENGTH));
  if (element.tagName === 'meta')
    return asOneLine(truncateText(metaName(element), MAX_NAME_LENGTH));
  if (role === 'heading') return `h${level ?? ''}`;
  const name = roleNames[role];
  if (name !== undefined) return name;
  if (attribute !== undefined) return '';
  if (role === 'caption') return 'caption';
  for (const { tagName } of ancestors(element)) {
    if (role === 'table-cell' && cellTags.has(tagName)) return tagName;
    if (role === 'list-item' && (tagName === 'li' || cellTags.has(tagName))) return tagName;
  }
  return role === 'other' ? truncateText(element.tagName, MAX_NAME_LENGTH) : 'p';
}
