import { expect } from 'chai';
import fc from 'fast-check';
import { restoreLineEnds, textareaValue } from '../../../../src/editor/browser/lineEnds.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', '\r\n', '\n', '\r', '\uFEFF'), { maxLength: 12 })
  .map((pieces) => pieces.join(''));

describe('restoreLineEnds(typed, original)', () => {
  it('returns an unchanged source to the last byte', () => {
    fc.assert(
      fc.property(
        text,
        (source) => void expect(restoreLineEnds(textareaValue(source), source)).to.equal(source),
      ),
    );
  });

  it('changes no line end before and after the changed lines', () => {
    const original = 'one\r\ntwo\nthree\r\nfour\rfive';
    for (const [typed, wanted] of [
      ['one\ntwo!\nthree\nfour\nfive', 'one\r\ntwo!\nthree\r\nfour\rfive'],
      ['one\ntwo\nnew\nthree\nfour\nfive', 'one\r\ntwo\nnew\nthree\r\nfour\rfive'],
      ['one\nfour\nfive', 'one\r\nfour\rfive'],
      ['', ''],
      ['zero\none\ntwo\nthree\nfour\nfive\n', 'zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\n'],
    ] as const)
      expect(restoreLineEnds(typed, original), JSON.stringify(typed)).to.equal(wanted);
  });

  it('keeps what was typed, except for its line ends', () => {
    fc.assert(
      fc.property(text, text, (typed, original) => {
        const lines = typed.replace(/[\r\uFEFF]/g, '');
        expect(textareaValue(restoreLineEnds(lines, original))).to.equal(lines);
      }),
    );
  });
});
