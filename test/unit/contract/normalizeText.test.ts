import { expect } from 'chai';
import fc from 'fast-check';
import { type NormalizationForm, normalizeText } from '../../../src/contract/normalizeText.ts';

const forms: NormalizationForm[] = ['NFC', 'NFD', 'NFKC', 'NFKD'];

describe('normalizeText', () => {
  it('returns what the engine returns for texts with up to 30 marks in a row', () => {
    const unit = fc.constantFrom('e', '\u0301', '\u0323', 'ﬁ', 'Å', '각', '\uFF9E', ' ', '\u0344');
    const texts = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));
    fc.assert(
      fc.property(texts, fc.constantFrom(...forms), (text, form) => {
        expect(normalizeText(text, form)).to.equal(text.normalize(form));
      }),
    );
  });

  it('puts U+034F behind each 30th mark of a longer run', () => {
    const marks = '\u0301'.repeat(61);
    expect(normalizeText(`x${marks}`, 'NFD')).to.equal(
      `x${['\u0301'.repeat(30), '\u0301'.repeat(30), '\u0301'].join('\u034F')}`,
    );
    expect(normalizeText(`x${'\u0301'.repeat(30)}`, 'NFD')).to.equal(`x${'\u0301'.repeat(30)}`);
  });

  it('returns a text that it has normalized unchanged', () => {
    for (const form of forms) {
      const once = normalizeText('x\u0323\u0301'.repeat(2) + '\u0301\u0323'.repeat(100), form);
      expect(normalizeText(once, form)).to.equal(once);
    }
  });

  it('names the length of a text that is too long', () => {
    expect(() => normalizeText('x'.repeat(2_097_153), 'NFC')).to.throw(RangeError, '2097153');
  });

  // runs of each kind of mark: canonical, halfwidth, outside the basic plane, expanding
  for (const marks of ['\u0301\u0323', '\uFF9E\u0323', '\u{1D165}\u0323', '\u0344\u0323'])
    it(`takes time in proportion to the number of marks: ${escape(marks)} (wall time)`, () => {
      const text = `x${marks.repeat(100_000)}`;
      const began = performance.now();
      for (const form of forms) normalizeText(text, form);
      // the engine alone takes over a minute, this 0.2 s
      expect(performance.now() - began).to.be.below(10_000);
    });
});
