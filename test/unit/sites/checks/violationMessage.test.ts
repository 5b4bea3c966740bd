import { expect } from 'chai';
import { violationMessage } from '../../../../src/sites/checks/violationMessage.ts';
import type { ViolationCode } from '../../../../src/sites/formats/pageFindings.ts';

/** The values of a violation of each kind, and the sentence of it. */
const sentences: Record<ViolationCode, [values: string[], sentence: string]> = {
  'parse-error': [
    ['duplicate-attribute'],
    'parse error "duplicate-attribute" (expected: no new one)',
  ],
  'duplicate-id': [['faq', '2'], 'the id "faq" occurs 2 times (expected: an id that occurs once)'],
  'broken-link': [['/abuot'], '"/abuot" leads to nothing (expected: a page or file of the site)'],
  'deleted-target': [
    ['/blog'],
    '"/blog" leads to a file that the same task deletes (expected: a page or file of the site)',
  ],
  'broken-fragment': [
    ['#faq'],
    '"#faq" leads to nothing (expected: the id of an element of the page)',
  ],
  'lost-text': [
    [],
    'missing or empty (expected: a text, because the previous version of the page had one)',
  ],
  'lost-name': [
    ['berlin'],
    'does not end with "berlin" (expected: the name of the entry in its data file)',
  ],
  'new-placeholder': [['{{city}}'], 'placeholder "{{city}}" (expected: the actual text)'],
  'invalid-data': [[], 'structured data (JSON-LD) that is not valid JSON (expected: valid JSON)'],
  'hidden-recipients': [[], 'an e-mail link with hidden recipients (expected: no new one)'],
  'user-name-in-link': [[], 'a link with a user name before its host (expected: no new one)'],
  'script-data-link': [[], 'a link to data that a script created (expected: no new one)'],
  'controlling-link': [
    [],
    'a link whose page can control this one (rel="opener") (expected: no new one)',
  ],
  'deceptive-characters': [
    [],
    'characters that hide text or change its direction (expected: no new one)',
  ],
  'new-script': [
    [],
    'a script that the previous version of the page did not have (expected: no new scripts)',
  ],
  'new-code': [
    [],
    'code that the previous version of the page did not have (expected: only HTML, imports, components and template tags that the page already has)',
  ],
  'new-attribute': [
    ['ping'],
    'the attribute "ping", which no such element of the previous version had (expected: an attribute that such an element already had, or a common one: class, id, title, alt, aria-*, style, href, src and others)',
  ],
  'new-request-host': [
    ['//cdn.example'],
    'loads from or sends to "//cdn.example", which the previous version of the page did not (expected: no new external hosts)',
  ],
  'new-link-host': [
    ['//cdn.example'],
    'leads to "//cdn.example", which the previous version of the page did not (expected: no new external hosts)',
  ],
  'new-link-scheme': [
    ['data:'],
    'leads to "data:", which the previous version of the page did not (expected: a web, e-mail or telephone link)',
  ],
  'foreign-feature': [
    ['the class "card"'],
    'the class "card", which the previous version of the page did not have (expected: only what the site already has)',
  ],
};

describe('violationMessage(violation)', () => {
  for (const [code, [values, sentence]] of Object.entries(sentences))
    it(`words ${code}`, () =>
      expect(
        violationMessage({ line: 12, element: '<a href>', code: code as ViolationCode, values }),
      ).to.equal(`line 12, <a href>: ${sentence}`));

  it('cuts long values and leaves out invisible characters', () => {
    const url = `/a\u202e\u0007${'b'.repeat(100)}`;
    const message = violationMessage({
      line: 1,
      element: '<a>',
      code: 'broken-link',
      values: [url],
    });
    expect(message).to.include(`"/a${'b'.repeat(57)}…"`);
  });
});
