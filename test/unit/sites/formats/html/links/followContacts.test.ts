import { expect } from 'chai';
import { parseDocument } from '../../../../../../src/sites/formats/html/document.ts';
import { followContacts } from '../../../../../../src/sites/formats/html/links/followContacts.ts';

describe('followContacts', () => {
  const link = (href: string, text: string) => `<a href="tel:${href}">${text}</a>`;
  const follow = (href: string, old: string, now: string, country?: string) =>
    followContacts(parseDocument(link(href, old)), link(href, now), { countryOf: () => country });

  it('links to national numbers, also if the old number was shown with a zero or without its code', () => {
    expect(follow('+4930123456', '030 123456', '0221 123456')).to.equal(
      link('+49221123456', '0221 123456'),
    );
    expect(follow('+15125550142', '(512) 555-0142', '(613) 555-0101')).to.equal(
      link('+16135550101', '(613) 555-0101'),
    );
    expect(follow('+998712000000', '71 200 00 00', '71 200 00 01')).to.equal(
      link('+998712000001', '71 200 00 01'),
    );
    expect(follow('+15125550142', '+1 512 555 0142', '0221 123456', 'DE')).to.equal(
      link('+49221123456', '0221 123456'),
    );
  });

  it('keeps the target if a link showed another text, or shows no number now', () => {
    for (const [old, now] of [
      ['Call us', '(613) 555-0101'],
      ['(512) 555-0142', 'Call us'],
      ['(512) 555-0142', '555 0100'],
    ])
      expect(follow('+15125550142', old!, now!)).to.equal(link('+15125550142', now!));
  });
});
