import type { PageClaim } from '../../pageParts.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import { attributeOf, metaName, textContentOf, type PageElement } from '../document.ts';
import { isBlank, validHtmlLine } from '../../escape.ts';
import { truncateText } from '../../../../text/text.ts';

const MAP_HOSTS =
  /^(?:https?:)?\/\/(?:(?:[\w-]+\.)*google(?:\.[a-z]{2,3}){1,2}\/maps|maps\.|(?:www\.)?(?:openstreetmap\.org|bing\.com\/maps|waze\.com|mapbox\.com|google\.[a-z]{2,3}\/maps)|goo\.gl\/maps|(?:[\w-]+\.){0,3}(?:mapbox|maptiler)\.com|yandex\.[a-z]{2,3}\/maps)|^geo:/i;
const LATITUDE = '-?\\d{1,2}\\.\\d{3,}';
const LONGITUDE = '-?\\d{1,3}\\.\\d{3,}';
/** Coordinates in a URL: `@30.2672,-97.7431`, `lat=30.2672&lng=-97.7431`. */
const COORDINATES = new RegExp(
  `(?<![\\d.])${LATITUDE}(?:[,/;+]|%2C|&[\\w-]{1,20}=){1,2}\\s?${LONGITUDE}|\\blat(?:itude)?=${LATITUDE}`,
  'i',
);

/** Whether a URL leads to a map, or names a point on one. */
export const isMapAddress = (url: string) => MAP_HOSTS.test(url.trim()) || COORDINATES.test(url);

const picturesOfMaps = /(?:^|[^\p{L}])(?:map|staticmap|stadtplan|karte)(?=[^\p{L}]|$)/iu;
/** Whether an image shows a map, by its file's name or its alternative text. */
export const isMapPicture = (element: PageElement) => {
  const alt = attributeOf(element, 'alt') ?? '';
  const [path = ''] = (attributeOf(element, 'src') ?? '').split(/[?#]/);
  const file = path.slice(path.lastIndexOf('/') + 1);
  return (
    (picturesOfMaps.test(file) && !isBlank(alt)) || /\bmap (?:of|with|showing)\b|^map\b/i.test(alt)
  );
};
/** Whether a URL in structured data leads to a map or to an image of one. */
export const isMapOfData = (key: string, url: string) =>
  key === 'hasMap' ||
  isMapAddress(url) ||
  (/\.(?:svg|png|jpe?g|webp)$/i.test(url) &&
    picturesOfMaps.test(url.slice(url.lastIndexOf('/') + 1)));

/** `meta` elements with a position, which are claims. */
export const metaPlaces = /^(?:geo\.(?:position|placename|region)|icbm|place:location:l\w+)$/;
const urlAttributes: Record<string, string> = {
  iframe: 'src',
  embed: 'src',
  object: 'data',
  a: 'href',
  area: 'href',
};
const MAX_NAME_LENGTH = 80;

/** The map or the coordinates that an element shows. */
export function readMap(element: PageElement): Pick<PageClaim, 'kind' | 'text'> | undefined {
  const { tagName } = element;
  if (tagName === 'meta')
    return metaPlaces.test(metaName(element))
      ? { kind: 'coordinates', text: attributeOf(element, 'content') ?? '' }
      : undefined;
  const latitude = attributeOf(element, 'data-lat') ?? attributeOf(element, 'data-latitude');
  const longitude =
    attributeOf(element, 'data-lng') ??
    attributeOf(element, 'data-lon') ??
    attributeOf(element, 'data-longitude');
  if (latitude && longitude) return { kind: 'coordinates', text: `${latitude}, ${longitude}` };
  const url =
    attributeOf(element, urlAttributes[tagName] ?? '') ?? attributeOf(element, 'data-src') ?? '';
  if (urlAttributes[tagName] && isMapAddress(url))
    return { kind: 'map', text: mapName(element, url) };
  const src = attributeOf(element, 'src') ?? '';
  return tagName === 'img' && (isMapPicture(element) || isMapAddress(src))
    ? { kind: 'map', text: mapName(element, src) }
    : undefined;
}

function mapName(element: PageElement, url: string): string {
  const texts = [
    textContentOf(element),
    attributeOf(element, 'title'),
    attributeOf(element, 'aria-label'),
    attributeOf(element, 'alt'),
  ];
  const name = texts.map((text) => validHtmlLine(text ?? '')).find(Boolean);
  return plainLine(truncateText(name ?? url.split(/[?#]/)[0]!, MAX_NAME_LENGTH));
}
