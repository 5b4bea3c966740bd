import { expect } from 'chai';
import fc from 'fast-check';
import { judgeNumbers, telephoneSpans } from '../../../src/text/telephoneSpans.ts';
import { casesOf } from '../../helpers/cases.ts';

const found = (text: string, ...countries: string[]) =>
  telephoneSpans(text, {}, countries.length > 0 ? { countries } : undefined).map(({ from, to }) =>
    text.slice(from, to),
  );

const OTHERS = [
  'Our app needs Android 13.0.1 or later. See section 5.1.2 of the terms.',
  'Introduced in Nginx 0.6.23, and in Chrome 120.0.6099.109',
  'IBAN DE89 3704 0044 0532 0130 00',
  'GB29 NWBK 6016 1331 9268 19',
  'ISBN 978-3-16-148410-0',
  '0-306-40615-2',
  'Part no. 4711-0815-12',
  'Part 512-555-0199-A and A-512-555-0199',
  'Order 512-555-0134',
  '192.168.178.101',
  '2026-11-29 10:12',
  'Since 1998 – 2024',
  '10 000 000 visitors, whom we call 10 000 times',
  '4111 1111 1111 1111',
];

describe('telephone numbers in a text', () => {
  for (const text of OTHERS)
    it(`are not found in "${text}"`, () => {
      for (const country of ['US', 'DE', 'PT', 'GB'])
        expect(found(text, country), country).to.deep.equal([]);
      expect(found(text)).to.deep.equal([]);
    });

  it('are recognized by a label, a country code, or the numbers of the country', () => {
    expect(found('Call us: 555 0134', 'US')).to.deep.equal(['555 0134']);
    expect(found('Fax 0221 12345', 'US')).to.deep.equal(['0221 12345']);
    expect(found('+351 21 000 0000', 'US')).to.deep.equal(['+351 21 000 0000']);
    expect(found('0221/123 45 67', 'DE')).to.deep.equal(['0221/123 45 67']);
    expect(found('0221/123 45 67', 'US')).to.deep.equal([]);
    expect(found('(512) 555-0134.', 'US')).to.deep.equal(['(512) 555-0134']);
    expect(found('0221 1234567 / 0221 7654321', 'DE')).to.have.length(2);
  });

  it('are recognized by links that dial them, and by a label beside them', () => {
    const hints = { countries: ['US'], dialled: ['5125550134'] };
    expect(judgeNumbers('Or 555 0134', hints)).to.deep.equal({ '555 0134': true });
    expect(judgeNumbers('555 0134', { countries: ['US'], isLabelled: true })).to.deep.equal({
      '555 0134': true,
    });
    expect(judgeNumbers('0221 1234567', { countries: ['US'] })).to.deep.equal({
      '0221 1234567': false,
    });
    expect(judgeNumbers('Android 13.0.1', hints)).to.equal(undefined);
  });

  it('are never versions, IP addresses, IBANs or book numbers', () => {
    const number = (max: number) => fc.integer({ min: 0, max });
    const version = fc
      .array(number(40), { minLength: 3, maxLength: 4 })
      .map((parts) => parts.join('.'));
    const address = fc
      .array(number(255), { minLength: 4, maxLength: 4 })
      .map((parts) => parts.join('.'));
    const iban = fc
      .stringMatching(/^[A-Z]{2}\d{2} \d{4} \d{4} \d{4} \d{4} \d{2}$/)
      .map((text) => `to ${text}`);
    const isbn = fc.stringMatching(/^97[89]-\d-\d{2}-\d{6}-\d$/);
    const country = fc.constantFrom('US', 'DE', 'PT', 'GB', 'FR');
    fc.assert(
      fc.property(fc.oneof(version, address, iban, isbn), country, (text, own) => {
        expect(found(`See ${text} here`, own)).to.deep.equal([]);
      }),
      { numRuns: casesOf(500) },
    );
  });
});
