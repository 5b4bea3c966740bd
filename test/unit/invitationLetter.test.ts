import { expect } from 'chai';
import { invitationLetter } from '../../src/accounts/invitationLetter.ts';
import { hasAddress } from '../../src/contract/text/nameRule.ts';

const url = 'https://console.example/invitations/1';
const letterOf = (organization: string, email = 'ada@example.com') =>
  invitationLetter({ organization, role: 'member', by: { name: organization, email }, url });

/** Signs and what is no character of a script: a letter leaves some of them out. */
const characters = Array.from({ length: 0x700 - 0x21 }, (_, i) => String.fromCodePoint(0x21 + i))
  .filter((one) => /[\p{C}\p{P}\p{S}]/u.test(one))
  .concat('\ue000', '\uf8ff', '\ufffc', '\u{f0000}', '\u{10fffd}');

describe('invitationLetter(invitation)', () => {
  it('contains no URL from a name, whatever characters it has', () => {
    for (const address of ['evil.test', '203.0.113.7', 'tel:555', 'mailto:x', 'https://evil'])
      for (const one of characters)
        for (let i = 1; i < address.length; i++) {
          const { subject } = letterOf(address.slice(0, i) + one + address.slice(i));
          expect(
            hasAddress(subject),
            `${address} with ${escape(one)} at ${i}: ${subject}`,
          ).to.equal(false);
        }
  });

  it("contains no URL of a page in the inviter's e-mail address", () => {
    const accounts = [
      'www.evil.test/login',
      'evil.test?x',
      'evil.test#x',
      '=?utf-8?q?x?=',
      'evil.test/=x',
    ];
    for (const account of accounts)
      expect(letterOf('Acme', `${account}@example.com`).text, account).to.not.contain(account);
    for (const account of ['ada', 'ada.lovelace', 'a_b+c-d', "o'neill", 'jörg'])
      expect(letterOf('Acme', `${account}@example.com`).text).to.contain(
        `Acme (${account}@example.com)`,
      );
  });
});

const escape = (text: string) => text.codePointAt(0)!.toString(16);
