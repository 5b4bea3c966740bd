import { ancestors, attributeOf, closest, metaName, type PageElement } from '../document.ts';
import type { UrlResolver } from '../links/urlResolver.ts';
import { isImageElement, isLinkElement } from '../links/pageLinks.ts';
import { roleOf } from '../roles.ts';
import type { SlotRole } from '../../pageParts.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { truncateText, asOneLine } from '../../../../text/text.ts';
import { decodeUrlPart, parseReference } from '../../../pages/urls/urls.ts';

const MAX_URL_LENGTH = 120;
const MAX_NAME_LENGTH = 60;
/** The most links of one text to name; further ones are counted. */
const MAX_NAMED_LINKS = 30;

/** Describes elements of a page in a few words, for a line of its outline. */
export interface ElementDescriptions {
  /** The kind of a text, with its link's target: `h3`, `a(/team)`, `h2 a(/team)`. */
  textKind(place: SlotPlace): string;
  /** The links in a text: ` {a(/team)}`; '' for none. */
  linksIn(place: SlotPlace): string;
  /** A link with its target: `a(/team)`, `btn(/book)`, `a(/old)(missing)`. */
  link(link: PageElement): string;
  /** An image with its file: `img(/shop.jpg)`. */
  image(image: PageElement): string;
  /** Whether a link or image was already described, with a text or alone. */
  isDescribed(element: PageElement): boolean;
}

/**
 * Makes the descriptions of a page's elements. Remembers what was described: a link around several
 * texts is described only with the first one, as in `h3 a(/team)`.
 * @param urlResolver resolves the page's URLs
 * @param isMissing whether a URL leads to a page, file or place that the site does not have
 */
export function describeElements(
  urlResolver: UrlResolver,
  isMissing: (url: string) => boolean,
): ElementDescriptions {
  const described = new Set<PageElement>();
  const describeTarget = (url: string) =>
    `(${asOneLine(truncateText(shownTarget(urlResolver, url), MAX_URL_LENGTH))})${isMissing(url) ? '(missing)' : ''}`;
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
    isDescribed: (element) => described.has(element),
    textKind: (place) => {
      const { element, attribute } = place;
      if (attribute === 'alt' && isImageElement(element)) return image(element);
      const surroundingLink = attribute === undefined ? closest(element, isLinkElement) : undefined;
      const linkDescription =
        surroundingLink && !described.has(surroundingLink) ? link(surroundingLink) : '';
      const kind = describeTextKind(place);
      return [linkDescription !== '' && ['a', 'btn'].includes(kind) ? '' : kind, linkDescription]
        .filter((word) => word !== '')
        .join(' ');
    },
    linksIn: ({ inlineElements: inlineElements = [] }) => {
      const names = inlineElements.filter(isLinkElement).map(link);
      const moreCount = names.length - MAX_NAMED_LINKS;
      if (moreCount > 0) names.splice(MAX_NAMED_LINKS, moreCount, `${moreCount} more`);
      return names.length === 0 ? '' : ` {${names.join(', ')}}`;
    },
  };
}

/** The target of a URL: a page's slug, the path of another file of the site, else the URL. */
function shownTarget(urlResolver: UrlResolver, url: string): string {
  const { scheme, query, fragment } = parseReference(url.trim());
  const path = urlResolver.pathOf(url);
  if (path === undefined) return scheme.toLowerCase() === 'data:' ? scheme : url.trim();
  return (
    (urlResolver.fileOf(url).includes('.') && !/\.html?$/i.test(path)
      ? decodeUrlPart(path)
      : urlResolver.slugOf(url)!) +
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
