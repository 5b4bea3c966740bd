import { expect } from 'chai';
import { numberToDial, internationalNumber } from '../../../src/text/dialling.ts';

describe('dialled', () => {
  const cases: [number: string, old: string, country: string | undefined, expected: string][] = [
    ['+1 613 555 0101', '+15125550142', undefined, '+16135550101'],
    ['0049 221 123456', '+15125550142', undefined, '+49221123456'],
    ['+49 (0)221 123456', '+15125550142', undefined, '+49221123456'],
    ['(613) 555-0101', '+15125550142', undefined, '+16135550101'],
    ['1-613-555-0101', '+15125550142', undefined, '+16135550101'],
    ['0221 123456', '+15125550142', 'DE', '+49221123456'],
    ['0221 123456', '+15125550142', undefined, '0221123456'],
    ['0221/123456', '+49301234567', undefined, '+49221123456'],
    ['020 7946 0018', '+15125550142', 'GB', '+442079460018'],
    ['21 555 0100', '+351220000000', undefined, '+351215550100'],
    ['06 6982 0000', '+15125550142', 'IT', '+390669820000'],
    ['(613) 555-0101', '+49301234567', undefined, '6135550101'],
    ['(613) 555-0101', '+49301234567', 'CA', '+16135550101'],
  ];
  for (const [number, old, country, expected] of cases)
    it(`${number} in place of ${old}${country ? ` in ${country}` : ''} is ${expected}`, () =>
      expect(numberToDial(number, old, country)).to.equal(expected));

  it('returns groups of digits for people', () => {
    expect(internationalNumber('(613) 555-0101', '+1-512-555-0142')).to.equal('+1-613-555-0101');
    expect(internationalNumber('089 123 45 67', '', 'DE')).to.equal('+49-89-123-45-67');
    expect(internationalNumber('call us', '', 'DE')).to.equal(null);
  });
});
