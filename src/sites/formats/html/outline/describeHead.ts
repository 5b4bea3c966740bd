import { truncateText, asOneLine } from '../../../../text/text.ts';
import { attributeOf, hasToken, metaName, type PageElement } from '../document.ts';
import { readPageLanguage } from '../language.ts';
import type { HtmlPage } from '../openHtmlPage.ts';

const MAX_FACT_LENGTH = 200;

const factMetas = new Set(['og:url', 'og:image', 'twitter:image', 'robots']);

/** Language and URLs of a page's head, in a line: `lang en; canonical https://…`. */
export function describeHead(page: HtmlPage): string {
  const facts = page.elements
    .flatMap(elementFacts)
    .map((fact) => asOneLine(truncateText(fact, MAX_FACT_LENGTH)));
  const hasCanonical = facts.some((fact) => fact.startsWith('canonical '));
  return [
    asOneLine(truncateText(`lang ${readPageLanguage(page) ?? '(none)'}`, MAX_FACT_LENGTH)),
    ...(hasCanonical ? [] : ['canonical (none)']),
    ...facts,
  ].join('; ');
}

function elementFacts(element: PageElement): string[] {
  const name = metaName(element);
  if (element.tagName === 'meta' && factMetas.has(name))
    return [`${name} ${attributeOf(element, 'content') ?? ''}`];
  if (element.tagName !== 'link') return [];
  const href = attributeOf(element, 'href') ?? '';
  if (hasToken(element, 'rel', 'canonical')) return [`canonical ${href}`];
  const language = attributeOf(element, 'hreflang');
  return language !== undefined && hasToken(element, 'rel', 'alternate')
    ? [`hreflang ${language} ${href}`]
    : [];
}
