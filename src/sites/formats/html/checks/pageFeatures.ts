import type { UrlResolver } from '../links/urlResolver.ts';
import { OWNERSHIP_PROOF } from '../../../checks/violationMessage.ts';
import { mapCssUrls } from '../../../styles/cssAddresses.ts';
import { attributeOf, tokensOf, type PageElement } from '../document.ts';
import { readUrl } from '../../../pages/urls/urlHosts.ts';
import { isRefresh } from './mentions.ts';
import { isOwnershipProof } from './pageSetup.ts';
import { sourcePosition } from './sourcePosition.ts';
import type { PageFeature, SourcePosition } from '../../pageFindings.ts';

/** Elements whose URL must not change with the texts, because the check refuses a new one. */
export const embeddingTags = new Set(
  'form iframe frame frameset object embed applet portal fencedframe'.split(' '),
);
const urlAttributes = ['action', 'src', 'data'];

/**
 * The classes, inline styles, forms and frames of a page, and elements that affect the whole page
 * (`<base>`, refresh).
 * @param urlResolver resolves the page's URLs
 * @returns each feature once, by its first key
 */
export function findPageFeatures(
  elements: PageElement[],
  urlResolver: Pick<UrlResolver, 'pathOf' | 'isSelf' | 'inText'>,
): Map<string, PageFeature> {
  const features = new Map<string, PageFeature>();
  const addFeature = (keys: string[], description: string, spot: SourcePosition) => {
    if (!features.has(keys[0]!)) features.set(keys[0]!, { ...spot, keys, what: description });
  };
  for (const element of elements) {
    for (const name of tokensOf(element, 'class'))
      addFeature(
        [`class ${name}`],
        `the class "${name.slice(0, 60)}"`,
        sourcePosition(element, 'class'),
      );
    const style = attributeOf(element, 'style')?.trim();
    const movedStyle = style && mapCssUrls(style, (url) => urlResolver.pathOf(readUrl(url)) ?? url);
    if (movedStyle)
      addFeature([`style ${movedStyle}`], 'an inline style', sourcePosition(element, 'style'));
    const { tagName } = element;
    if (embeddingTags.has(tagName))
      addFeature(embeddingKeys(element, urlResolver), `<${tagName}>`, sourcePosition(element));
    if (tagName === 'base') addFeature(['base'], '<base>', sourcePosition(element));
    if (isRefresh(element)) addFeature(['refresh'], 'a refresh', sourcePosition(element));
    if (isOwnershipProof(element)) {
      const proof = ['name', 'property', 'content'].map((name) => attributeOf(element, name) ?? '');
      addFeature([`proof ${proof.join(' ')}`], OWNERSHIP_PROOF, sourcePosition(element));
    }
    for (const name of ['formaction', 'formmethod']) {
      const value = attributeOf(element, name);
      if (value === undefined) continue;
      const target = urlResolver.pathOf(readUrl(value)) ?? value;
      addFeature([`${name} ${target}`], `a ${name}`, sourcePosition(element, name));
    }
  }
  return features;
}

/**
 * The keys of a form or frame. A form that submits to its own page gets the key `self` too, since
 * its URL differs on another page.
 */
function embeddingKeys(
  element: PageElement,
  urlResolver: Pick<UrlResolver, 'pathOf' | 'isSelf' | 'inText'>,
): string[] {
  const { tagName } = element;
  const givenUrl = urlAttributes.map((name) => attributeOf(element, name)).find(Boolean) ?? '';
  const isOutside = urlResolver.pathOf(givenUrl) === undefined;
  // the query of another host may have the page's own URL
  const url = readUrl(
    isOutside
      ? urlResolver.inText(givenUrl, (own) => (urlResolver.isSelf(own) ? 'self' : own))
      : givenUrl,
  );
  const rights = embeddingRights(element);
  const targetKeys = [`${tagName} ${urlResolver.pathOf(url) ?? url}${rights}`];
  return url === '' || urlResolver.isSelf(url)
    ? [...targetKeys, `${tagName} self${rights}`]
    : targetKeys;
}

/** How a form sends its fields, or what a frame may do, unless it is the usual. */
function embeddingRights(element: PageElement): string {
  const valueOf = (name: string) => attributeOf(element, name)?.trim().toLowerCase();
  if (element.tagName === 'form') return valueOf('method') === 'post' ? ' post' : '';
  return ['sandbox', 'allow']
    .map((name) => [name, valueOf(name)])
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');
}

/** The new features that share no key with an old one. */
export function addedFeatures(
  oldFeatures: ReadonlyMap<string, PageFeature>,
  newFeatures: ReadonlyMap<string, PageFeature>,
): PageFeature[] {
  const knownKeys = new Set([...oldFeatures.values()].flatMap(({ keys }) => keys));
  return [...newFeatures.values()].filter(({ keys }) => !keys.some((key) => knownKeys.has(key)));
}
