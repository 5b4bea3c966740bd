import { ancestors, attributeOf, closest, metaName, type Element } from '../document.ts';
import type { Addresses } from '../links/pageAddresses.ts';
import { isImage, isLink } from '../links/pageLinks.ts';
import { roleOf } from '../roles.ts';
import type { SlotRole } from '../../page.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';
import { cut, inLine } from '../../../../text/text.ts';
import { decode, parseReference } from '../../../pages/urls.ts';

const LONGEST_ADDRESS = 120;
const LONGEST_NAME = 60;
/** The most links of one text to name; further ones are counted. */
const NAMED_PARTS = 30;

/** Descriptions of a page's elements. */
export interface Descriptions {
  /** The kind of a text, with its link's target: `h3`, `a(/team)`, `h2 a(/team)`. */
  place(place: SlotPlace): string;
  /** The links in a text: ` {a(/team)}`; '' for none. */
  parts(place: SlotPlace): string;
  link(link: Element): string;
  image(image: Element): string;
  /** Whether a link or image was already described, with a text or alone. */
  isSaid(element: Element): boolean;
}

/**
 * Describes elements of a page. A link around several texts is described with the first.
 * @param isMissing whether an address leads to no page, place or file of the site
 */
export function describeElements(
  addresses: Addresses,
  isMissing: (url: string) => boolean,
): Descriptions {
  const said = new Set<Element>();
  const target = (url: string) =>
    `(${inLine(cut(targetOf(addresses, url), LONGEST_ADDRESS))})${isMissing(url) ? '(missing)' : ''}`;
  const link = (element: Element) => {
    said.add(element);
    const name = roleOf(element) === 'button' ? 'btn' : 'a';
    return name + target(attributeOf(element, 'href') ?? '');
  };
  const image = (element: Element) => {
    said.add(element);
    return `img${target(attributeOf(element, 'src') ?? '')}`;
  };

  return {
    link,
    image,
    isSaid: (element) => said.has(element),
    place: (place) => {
      const { element, attribute } = place;
      if (attribute === 'alt' && isImage(element)) return image(element);
      const around = attribute === undefined ? closest(element, isLink) : undefined;
      const linked = around && !said.has(around) ? link(around) : '';
      const kind = kindOf(place);
      return [linked !== '' && ['a', 'btn'].includes(kind) ? '' : kind, linked]
        .filter((word) => word !== '')
        .join(' ');
    },
    parts: ({ parts = [] }) => {
      const names = parts.filter(isLink).map(link);
      const rest = names.length - NAMED_PARTS;
      if (rest > 0) names.splice(NAMED_PARTS, rest, `${rest} more`);
      return names.length === 0 ? '' : ` {${names.join(', ')}}`;
    },
  };
}

/**
 * The target of an address: the slug of a page, the path of another file of the site, else the
 * address itself.
 */
function targetOf(addresses: Addresses, url: string): string {
  const { scheme, query, fragment } = parseReference(url.trim());
  const path = addresses.pathOf(url);
  if (path === undefined) return scheme.toLowerCase() === 'data:' ? scheme : url.trim();
  return (
    (addresses.fileOf(url).includes('.') && !/\.html?$/i.test(path)
      ? decode(path)
      : addresses.slugOf(url)!) +
    query +
    fragment
  );
}

const names: Partial<Record<SlotRole, string>> = {
  link: 'a',
  button: 'btn',
  'svg-text': 'svg',
  title: 'title',
};
const cells = new Set(['td', 'th', 'dt', 'dd']);

function kindOf({ slot, element, attribute }: SlotPlace): string {
  const { role, level, jsonPath } = slot;
  if (jsonPath !== undefined) return inLine(cut(jsonPath, LONGEST_NAME));
  if (element.tagName === 'meta') return inLine(cut(metaName(element), LONGEST_NAME));
  if (role === 'heading') return `h${level ?? ''}`;
  const name = names[role];
  if (name !== undefined) return name;
  if (attribute !== undefined) return '';
  if (role === 'caption') return 'caption';
  for (const { tagName } of ancestors(element)) {
    if (role === 'table-cell' && cells.has(tagName)) return tagName;
    if (role === 'list-item' && (tagName === 'li' || cells.has(tagName))) return tagName;
  }
  return role === 'other' ? cut(element.tagName, LONGEST_NAME) : 'p';
}
