import { hasHiddenReaders, parseReference } from '../../../pages/urls/urls.ts';
import { attributeOf, hasToken, isText, type PageElement } from '../document.ts';
import type { SourcePosition } from '../../pageFindings.ts';
import type { PageReference } from './references.ts';
import { sourcePosition } from './sourcePosition.ts';

/** Characters that show a text in another order than it is written, and tags that nobody sees. */
const deceptiveCharacters = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/gu;

/**
 * What misleads readers: e-mail links with hidden recipients, links with a name before their host
 * or to data of a script, and characters that change the order of a text.
 * @returns positions by key. The first line of a key says what was found. The second one has the
 *   URL, or the character and how many of it the page has up to there
 */
export function findMisleading(
  elements: PageElement[],
  references: PageReference[],
): Map<string, SourcePosition> {
  const places = new Map<string, SourcePosition>();
  const counts = new Map<string, number>();
  const addPlace = (what: string | undefined, spot: SourcePosition) => {
    if (what !== undefined && !places.has(what)) places.set(what, spot);
  };
  for (const { url, kind, spot } of references)
    if (kind === 'link') addPlace(misleadingLink(url), spot);
  for (const element of elements) {
    if (hasToken(element, 'rel', 'opener'))
      addPlace(
        `a link whose page can control this one (rel="opener")\n${attributeOf(element, 'href')}`,
        sourcePosition(element, 'rel'),
      );
    const texts = element.childNodes.filter(isText).map(({ value }) => value);
    const values = element.attrs.map(({ value }) => value);
    for (const [character] of [...texts, ...values].flatMap((text) => [
      ...text.matchAll(deceptiveCharacters),
    ])) {
      const count = (counts.get(character) ?? 0) + 1;
      counts.set(character, count);
      addPlace(
        `characters that hide text or change its direction\n${character} ${count}`,
        sourcePosition(element),
      );
    }
  }
  return places;
}

function misleadingLink(url: string): string | undefined {
  const { scheme, authority } = parseReference(url);
  if (hasHiddenReaders(url)) return `an e-mail link with hidden recipients\n${url}`;
  if (authority.includes('@')) return `a link with a user name before its host\n${url}`;
  if (/^(?:blob|filesystem):$/i.test(scheme)) return `a link to data that a script created\n${url}`;
  return undefined;
}
