import type { Addresses } from '../links/pageAddresses.ts';
import { mapCss } from '../../../styles/cssAddresses.ts';
import { attributeOf, tokensOf, type Element } from '../document.ts';
import { readUrl } from '../../../pages/urlHosts.ts';
import { isRefresh } from './mentions.ts';
import { spotOf } from './spotOf.ts';
import type { Gain, Spot } from '../../faults.ts';

const embedding = new Set(
  'form iframe frame frameset object embed applet portal fencedframe'.split(' '),
);
const addresses = ['action', 'src', 'data'];

/**
 * The classes, inline styles, forms and frames of a page, and elements that affect the whole page
 * (`<base>`, refresh).
 * @param at resolves the page's addresses
 * @returns each gain once, by its first key
 */
export function gainsOf(
  elements: Element[],
  at: Pick<Addresses, 'pathOf' | 'isSelf' | 'inText'>,
): Map<string, Gain> {
  const found = new Map<string, Gain>();
  const add = (keys: string[], what: string, spot: Spot) => {
    if (!found.has(keys[0]!)) found.set(keys[0]!, { ...spot, keys, what });
  };
  for (const element of elements) {
    for (const name of tokensOf(element, 'class'))
      add([`class ${name}`], `the class "${name.slice(0, 60)}"`, spotOf(element, 'class'));
    const style = attributeOf(element, 'style')?.trim();
    const moved = style && mapCss(style, (url) => at.pathOf(readUrl(url)) ?? url);
    if (moved) add([`style ${moved}`], 'an inline style', spotOf(element, 'style'));
    const { tagName } = element;
    if (embedding.has(tagName)) add(keysOf(element, at), `<${tagName}>`, spotOf(element));
    if (tagName === 'base') add(['base'], '<base>', spotOf(element));
    if (isRefresh(element)) add(['refresh'], 'a refresh', spotOf(element));
  }
  return found;
}

/**
 * The keys of a form or frame. A form that submits to its own page gets the key `self` too, since
 * its address differs on another page.
 */
function keysOf(element: Element, at: Pick<Addresses, 'pathOf' | 'isSelf' | 'inText'>): string[] {
  const { tagName } = element;
  const given = addresses.map((name) => attributeOf(element, name)).find(Boolean) ?? '';
  const isOutside = at.pathOf(given) === undefined;
  // the query of another host may have the page's own address
  const url = readUrl(
    isOutside ? at.inText(given, (own) => (at.isSelf(own) ? 'self' : own)) : given,
  );
  const leadsTo = [`${tagName} ${at.pathOf(url) ?? url}`];
  return url === '' || at.isSelf(url) ? [...leadsTo, `${tagName} self`] : leadsTo;
}

/** The gains of `after` that share no key with `before`. */
export function gained(
  before: ReadonlyMap<string, Gain>,
  after: ReadonlyMap<string, Gain>,
): Gain[] {
  const known = new Set([...before.values()].flatMap(({ keys }) => keys));
  return [...after.values()].filter(({ keys }) => !keys.some((key) => known.has(key)));
}
