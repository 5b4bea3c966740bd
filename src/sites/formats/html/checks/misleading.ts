import { attributeOf, hasToken, isText, type PageElement } from '../document.ts';
import type { MisleadingCode, SourcePosition } from '../../pageFindings.ts';
import { deceptiveCharacters, misleadingLinkCode } from '../../misleadingParts.ts';
import type { PageReference } from './references.ts';
import { sourcePosition } from './sourcePosition.ts';

/** A place that misleads readers, and how. */
export interface MisleadingPlace extends SourcePosition {
  code: MisleadingCode;
}

/**
 * What misleads readers: e-mail links with hidden recipients, links with a name before their host
 * or to data of a script, and characters that change the order of a text.
 * @returns places by key: the code with the URL, or with the character and how many of it the page
 *   has up to there
 */
export function findMisleading(
  elements: PageElement[],
  references: PageReference[],
): Map<string, MisleadingPlace> {
  const places = new Map<string, MisleadingPlace>();
  const counts = new Map<string, number>();
  const addPlace = (value: string, place: MisleadingPlace) => {
    const key = `${place.code} ${value}`;
    if (!places.has(key)) places.set(key, place);
  };
  for (const { url, kind, spot } of references) {
    const code = kind === 'link' ? misleadingLinkCode(url) : undefined;
    if (code !== undefined) addPlace(url, { ...spot, code });
  }
  for (const element of elements) {
    if (hasToken(element, 'rel', 'opener'))
      addPlace(attributeOf(element, 'href') ?? '', {
        ...sourcePosition(element, 'rel'),
        code: 'controlling-link',
      });
    const texts = element.childNodes.filter(isText).map(({ value }) => value);
    const values = element.attrs.map(({ value }) => value);
    for (const [character] of [...texts, ...values].flatMap((text) => [
      ...text.matchAll(deceptiveCharacters),
    ])) {
      const count = (counts.get(character) ?? 0) + 1;
      counts.set(character, count);
      addPlace(`${character} ${count}`, {
        ...sourcePosition(element),
        code: 'deceptive-characters',
      });
    }
  }
  return places;
}
