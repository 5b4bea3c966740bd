import { cut, inLine } from '../../../../text/text.ts';
import { attributeOf, hasToken, metaName, type Element } from '../document.ts';
import { languageOf } from '../language.ts';
import type { Page } from '../openPage.ts';

const LONGEST_FACT = 200;

const addresses = new Set(['og:url', 'og:image', 'twitter:image', 'robots']);

/** Language and addresses of a page's head, in a line: `lang en; canonical https://…`. */
export function headFacts(page: Page): string {
  const facts = page.elements.flatMap(factOf).map((fact) => inLine(cut(fact, LONGEST_FACT)));
  const hasCanonical = facts.some((fact) => fact.startsWith('canonical '));
  return [
    inLine(cut(`lang ${languageOf(page) ?? '(none)'}`, LONGEST_FACT)),
    ...(hasCanonical ? [] : ['canonical (none)']),
    ...facts,
  ].join('; ');
}

function factOf(element: Element): string[] {
  const name = metaName(element);
  if (element.tagName === 'meta' && addresses.has(name))
    return [`${name} ${attributeOf(element, 'content') ?? ''}`];
  if (element.tagName !== 'link') return [];
  const href = attributeOf(element, 'href') ?? '';
  if (hasToken(element, 'rel', 'canonical')) return [`canonical ${href}`];
  const language = attributeOf(element, 'hreflang');
  return language !== undefined && hasToken(element, 'rel', 'alternate')
    ? [`hreflang ${language} ${href}`]
    : [];
}
