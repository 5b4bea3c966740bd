import { hasHiddenReaders, parseReference } from '../../../pages/urls/urls.ts';
import { attributeOf, hasToken, isText, type PageElement } from '../document.ts';
import type { MisleadingCode, SourcePosition } from '../../pageFindings.ts';
import type { PageReference } from './references.ts';
import { sourcePosition } from './sourcePosition.ts';

/** Characters that show a text in another order than it is written, and tags that nobody sees. */
const deceptiveCharacters = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/gu;

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

function misleadingLinkCode(url: string): MisleadingCode | undefined {
  const { scheme, authority } = parseReference(url);
  if (hasHiddenReaders(url)) return 'hidden-recipients';
  if (authority.includes('@')) return 'user-name-in-link';
  if (/^(?:blob|filesystem):$/i.test(scheme)) return 'script-data-link';
  return undefined;
}
