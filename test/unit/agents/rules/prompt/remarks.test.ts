import { expect } from 'chai';
import { tokensOf } from '../../../../../src/agents/rules/prompt/language/tokens.ts';
import { parsePrompt } from './parsePrompt.ts';
import { followUps } from '../../../../../src/agents/rules/prompt/table/followUps.ts';
import { readRemark, remarks } from '../../../../../src/agents/rules/prompt/table/remarks.ts';

const HEADLINE = 'Change the headline of /a to "X"';

describe('remarks', () => {
  for (const [name, { wordings }] of Object.entries(remarks))
    it(`are read by their own wording, and are no instruction: ${name}`, () => {
      for (const [, example] of wordings) {
        expect(readRemark(tokensOf(example)!), example).to.be.an('object');
        expect(() => parsePrompt(example), example).to.throw(/not understood|no instruction/);
      }
    });

  it('stand before or behind the instruction that they are of, and end with a full stop, colon, comma or "so"', () => {
    const rename = 'rename Northwind to Southwind everywhere';
    const read = parsePrompt(rename);
    for (const prompt of [
      `We have a new name: ${rename}.`,
      `We have a new name, so please ${rename}!`,
      `We are rebranding. ${rename}`,
      `${rename}. We have a new name.`,
      `Hi, our company has a new name – ${rename}`,
      `Good morning! I have a small request: ${rename}. Thanks a lot!`,
    ])
      expect(parsePrompt(prompt), prompt).to.deep.equal(read);
  });

  it('are refused beside instructions of another kind, and with more words than they have', () => {
    for (const remark of [
      'We have a new name',
      'Our prices have changed',
      'We no longer have a free plan',
      'There is a typo',
      'The headline of /a is wrong and the footer too',
      'We have a new name, Southwind',
      'I have a small request for the footer',
    ])
      for (const prompt of [`${remark}. ${HEADLINE}`, `${HEADLINE}. ${remark}.`])
        expect(() => parsePrompt(prompt), prompt).to.throw(/not understood/);
  });

  it('say what "it" is', () => {
    const take = parsePrompt('Take the free plan off the pricing page');
    for (const prompt of [
      'We no longer have a free plan. Take it off the pricing page.',
      'The free plan is gone, so take it off the pricing page',
      "We don't offer the free plan any more. Please take it off the pricing page.",
    ])
      expect(parsePrompt(prompt), prompt).to.deep.equal(take);
    expect(parsePrompt('The headline of /a is too long. Change it to "X"')).to.deep.equal(
      parsePrompt(HEADLINE),
    );
    expect(() => parsePrompt('The story section on /a is too long. Cut it.')).to.throw(
      /not understood/,
    );
    expect(() => parsePrompt('Take it off the pricing page')).to.throw(/not understood/);
  });
});

describe('sentences that add to the one before', () => {
  for (const [name, { wordings }] of Object.entries(followUps))
    it(`are read with it, and alone are no instruction: ${name}`, () => {
      for (const [, example] of wordings) {
        expect(parsePrompt(example), example).to.have.length(1);
        const [, alone] = /^.*?(?:, please |\. )(.*)$/.exec(example)!;
        expect(() => parsePrompt(alone!), alone).to.throw(/not understood/);
        expect(() => parsePrompt(`${HEADLINE}. ${alone}`), alone).to.throw(/not understood/);
      }
    });

  it('add to no instruction about something else', () => {
    for (const prompt of [
      'We are now called "Acme Works". Change the number everywhere',
      'Our phone number is now +1 303 555 0177. Change the name everywhere',
      'Our phone number is now +1 303 555 0177. The old one was hello@acme.example',
    ])
      expect(() => parsePrompt(prompt), prompt).to.throw(/not understood/);
  });

  it('give what was there before once only', () => {
    const now = 'Our phone number changed from +1 303 555 0100 to +1 303 555 0177.';
    expect(() => parsePrompt(`${now} The old one was +1 303 555 0142.`)).to.throw(/not understood/);
  });
});
