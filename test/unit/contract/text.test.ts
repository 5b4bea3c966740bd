import { expect } from 'chai';
import fc from 'fast-check';
import {
  firstPromptLine,
  summarySiteName,
  summaryLine,
} from '../../../src/contract/text/summaries.ts';
import { expectLinear } from '../../helpers/growth.ts';
import { casesOf } from '../../helpers/cases.ts';

/** What the server counts: the JSON of a payload. */
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text));

describe('a summary for the Temporal UI', () => {
  const cases: [name: string, prompt: string, line: string][] = [
    [
      'the first line that says something',
      '\n \u200b\n  Change  the\tphone\nand more',
      'Change the phone',
    ],
    [
      'a line after any kind of line end',
      'Change it\u2028![x](https://evil.example/p.png)',
      'Change it',
    ],
    [
      'no pictures, links, code or HTML',
      '![a](https://e.example/p) [b](c) `d` <img src=x> **e** |f|',
      '!a(https://e.example/p) b(c) d img src=x e f',
    ],
    [
      'nothing invisible, and no other direction',
      'Pay\u202E\u2066 10\u200D\u{E0041}\u0007 now',
      'Pay 10 now',
    ],
    [
      'no key',
      'Use ak_ZxKssrVEKlBTVQo0q6HeFzoyMltZNMnM and sk-proj-Abcdef1234567890xyz',
      'Use … and sk-proj-…',
    ],
    ['no token', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.x is it', '….x is it'],
    ['no password of a URL', 'Read https://me:pa55@git.example/x', 'Read https://…@git.example/x'],
    [
      'slugs and long words as they are',
      'Change /services/web-design-2026-denver to Unternehmensberatungen',
      'Change /services/web-design-2026-denver to Unternehmensberatungen',
    ],
    ['nothing of what says nothing', ' \n\u200b\n', ''],
  ];
  for (const [name, prompt, line] of cases)
    it(`of a prompt has ${name}`, () => {
      expect(summaryLine(firstPromptLine(prompt))).to.equal(line);
    });

  it('is cut between two characters, and marks the cut', () => {
    expect(summaryLine('a'.repeat(101))).to.equal(`${'a'.repeat(99)}…`);
    expect(summaryLine(`${'a'.repeat(98)}😀b`)).to.equal(`${'a'.repeat(98)}…`);
    expect(summarySiteName('N'.repeat(90))).to.equal(`${'N'.repeat(39)}…`);
  });

  it('contains the ID of a site without a name', () => {
    for (const name of [undefined, '', ' ', '``', '\u202E'])
      expect(summarySiteName(name)).to.equal('the site');
  });

  it('is one line that the server accepts, whatever it contains', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('"', '\\', '\n', '\0', '😀', '\ud800', '€', '|', 'ä', ' '),
    });
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 60 }), (parts) => {
        const line = summaryLine(parts.join(''));
        expect(bytesOf(line)).to.be.at.most(400);
        expect(line)
          .to.match(/^[^\p{C}`*<>[\]|\\]*$/u)
          .and.equal(line.toWellFormed());
      }),
      { numRuns: casesOf(50) },
    );
  });

  it('takes no longer for a longer prompt', () => {
    for (const unit of ['\n', 'a1', '//', '//a@', ' ', '😀', '['])
      expectLinear(20_000, (size) => void summaryLine(firstPromptLine(unit.repeat(size))), unit);
  });
});
