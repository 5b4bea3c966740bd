import { expect } from 'chai';
import { asOneLine, plainLines } from '../../../src/text/text.ts';

const ends = [
  '\r',
  '\r\n',
  '\v',
  '\f',
  '\x1c',
  '\x1d',
  '\x1e',
  '\x85',
  '\u2028',
  '\u2029',
  '\0',
  '\x1b',
];

describe('a text in an answer', () => {
  it('has no line end and no control character on one line', () => {
    for (const end of [...ends, '\n', '\t', '\n\r\n'])
      expect(asOneLine(`a${end}b`), JSON.stringify(end)).to.equal('a b');
  });

  it('has only its own line ends and tabs on several lines', () => {
    for (const end of ends)
      expect(plainLines(`a\n\tb${end}c`), JSON.stringify(end)).to.equal('a\n\tb c');
  });
});
