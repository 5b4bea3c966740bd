import { cut, inLine } from '../../../../text/text.ts';
import { missingHead } from '../changes/headTexts.ts';
import { attributeOf, hasToken, metaName, type Element } from '../document.ts';
import { languageOf } from '../language.ts';
import type { Page } from '../openPage.ts';
import type { Line } from './outlineLines.ts';

const LONGEST_FACT = 200;

/** Lines for the texts of the head that a page lacks. Writing their ids makes them. */
export const missingLines = (page: Page): Line[] =>
  missingHead(page).map((name) => ({
    id: `head.${name}`,
    kind: name,
    text: '(none)',
    parts: '',
    part: 'head',
    isInLandmark: false,
    start: Infinity,
    end: Infinity,
  }));

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
