import { quoteText } from '../../text/text.ts';
import type { PageViolation, ViolationCode } from '../formats/pageFindings.ts';

/** What a violation's message says: the problem, with the violation's values, and what is right. */
interface ViolationWords {
  problem: (...values: string[]) => string;
  expected: string;
}

const violationWords: Record<ViolationCode, ViolationWords> = {
  'parse-error': { problem: (name = '') => `parse error "${name}"`, expected: 'no new one' },
  'duplicate-id': {
    problem: (id = '', count) => `the id ${quoteText(id)} occurs ${count} times`,
    expected: 'an id that occurs once',
  },
  'broken-link': {
    problem: (url = '') => `${quoteText(url)} leads to nothing`,
    expected: 'a page or file of the site',
  },
  'deleted-target': {
    problem: (url = '') => `${quoteText(url)} leads to a file that the same task deletes`,
    expected: 'a page or file of the site',
  },
  'broken-fragment': {
    problem: (fragment = '') => `${quoteText(fragment)} leads to nothing`,
    expected: 'the id of an element of the page',
  },
  'lost-text': {
    problem: () => 'missing or empty',
    expected: 'a text, because the previous version of the page had one',
  },
  'lost-name': {
    problem: (name = '') => `does not end with ${quoteText(name)}`,
    expected: 'the name of the entry in its data file',
  },
  'new-placeholder': {
    problem: (text = '') => `placeholder ${quoteText(text)}`,
    expected: 'the actual text',
  },
  'invalid-data': {
    problem: () => 'structured data (JSON-LD) that is not valid JSON',
    expected: 'valid JSON',
  },
  'hidden-recipients': {
    problem: () => 'an e-mail link with hidden recipients',
    expected: 'no new one',
  },
  'user-name-in-link': {
    problem: () => 'a link with a user name before its host',
    expected: 'no new one',
  },
  'script-data-link': {
    problem: () => 'a link to data that a script created',
    expected: 'no new one',
  },
  'controlling-link': {
    problem: () => 'a link whose page can control this one (rel="opener")',
    expected: 'no new one',
  },
  'deceptive-characters': {
    problem: () => 'characters that hide text or change its direction',
    expected: 'no new one',
  },
  'new-script': {
    problem: () => 'a script that the previous version of the page did not have',
    expected: 'no new scripts',
  },
  'new-code': {
    problem: () => 'code that the previous version of the page did not have',
    expected: 'only HTML, imports, components and template tags that the page already has',
  },
  'new-attribute': {
    problem: (name = '') =>
      `the attribute ${quoteText(name)}, which no such element of the previous version had`,
    expected:
      'an attribute that such an element already had, or a common one: class, id, title, alt, aria-*, style, href, src and others',
  },
  'new-request-host': {
    problem: (origin = '') =>
      `loads from or sends to ${quoteText(origin)}, which the previous version of the page did not`,
    expected: 'no new external hosts',
  },
  'new-link-host': {
    problem: (origin = '') =>
      `leads to ${quoteText(origin)}, which the previous version of the page did not`,
    expected: 'no new external hosts',
  },
  'new-link-scheme': {
    problem: (origin = '') =>
      `leads to ${quoteText(origin)}, which the previous version of the page did not`,
    expected: 'a web, e-mail or telephone link',
  },
  'foreign-feature': {
    problem: (feature) => `${feature}, which the previous version of the page did not have`,
    expected: 'only what the site already has',
  },
};

/** What a violation calls an element that proves to a search engine who owns the site. */
export const OWNERSHIP_PROOF = 'a verification of who owns the site';

/** A violation for messages: `line 12, <a>: "/abuot" leads to nothing (expected: …)`. */
export function violationMessage({ line, element, code, values }: PageViolation): string {
  const { problem, expected } = violationWords[code];
  return `line ${line}, ${element}: ${problem(...values)} (expected: ${expected})`;
}
