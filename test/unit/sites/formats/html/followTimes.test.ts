import { expect } from 'chai';
import { parseDocument } from '../../../../../src/sites/formats/html/document.ts';
import { followTimes } from '../../../../../src/sites/formats/html/followTimes.ts';

describe('followTimes', () => {
  const time = (text: string, date?: string) =>
    `<p><time${date ? ` datetime="${date}"` : ''}>${text}</time></p>`;
  const old = '2026-01-11';
  const follow = (text: string) =>
    followTimes(parseDocument(time('January 11, 2026', old)), time(text, old));

  for (const [text, date] of [
    ['March 1, 2027', '2027-03-01'],
    ['1 March 2027', '2027-03-01'],
    ['1. März 2027', '2027-03-01'],
    ['1 de março de 2027', '2027-03-01'],
    ['March 2027', '2027-03'],
    ['2027', '2027'],
    ['January 11, 2026', old],
    ['01/02/2027', undefined],
    ['soon', undefined],
  ] as const)
    it(`returns ${date ?? 'no date'} for ${text}`, () =>
      expect(follow(text)).to.equal(time(text, date)));
});
