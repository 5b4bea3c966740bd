import { expect } from 'chai';
import fc from 'fast-check';
import {
  escapeMarks,
  joinPieces,
  type TextPiece,
  parsePieces,
  plainLine,
} from '../../../../../src/sites/pages/texts/slotText.ts';
import { casesOf } from '../../../../helpers/cases.ts';

const text = fc.string({ unit: fc.constantFrom('\\', '<', '1', '>', '/', 'a'), minLength: 1 });
const mark = fc.record({ kind: fc.constantFrom('open', 'close', 'void'), part: fc.constant(1) });

describe('slot texts', () => {
  it('are split as they were joined, whatever backslashes and angle brackets they contain', () => {
    fc.assert(
      fc.property(text, mark, text, (before, between, after) => {
        const pieces = [
          { kind: 'text', text: before },
          between,
          { kind: 'text', text: after },
        ] as TextPiece[];
        expect(parsePieces(joinPieces(pieces))).to.deep.equal(pieces);
      }),
      { numRuns: casesOf(2_000) },
    );
  });

  it('hold escaped marks as plain text', () => {
    fc.assert(
      fc.property(text, (plain) => {
        expect(parsePieces(escapeMarks(plain))).to.deep.equal([{ kind: 'text', text: plain }]);
      }),
    );
  });

  it('are read without the marks of their parts', () => {
    expect(plainLine('Call <1>us</1><2/>today \\<1>')).to.equal('Call us today <1>');
  });

  it('are read in one pass, however many backslashes they contain', () => {
    const slashes = '\\'.repeat(1_000_000);
    expect(parsePieces(slashes)).to.deep.equal([{ kind: 'text', text: slashes }]);
  });
});
