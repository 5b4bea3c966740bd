import { expect } from 'chai';
import { unreadPart } from '../../../../../src/agents/rules/prompt/unreadPart.ts';
import { parsePrompt } from './parsePrompt.ts';

describe('what keeps a sentence from being an instruction', () => {
  const rows: [string, string | undefined][] = [
    ['Starter costs $5,200, not Studio', 'not Studio'],
    ['Delete /about if nobody objects', 'if nobody objects'],
    ['Rename the company to Southwind Works next week', 'next week'],
    ['Change the price of Starter from $4,800 to $5,200 (was $4,900)', '(was $4,900)'],
    ['Replace "A" with "B" everywhere except on /contact', 'except on /contact'],
    ['Never delete /about', 'Never'],
    ['Anna said: Starter costs $5,200', 'Anna said'],
    ['Make it pop', undefined],
    ['Delete /about '.repeat(100), undefined],
  ];
  for (const [sentence, unread] of rows)
    it(`is ${unread ?? 'nothing'}: ${sentence.slice(0, 70)}`, () => {
      expect(unreadPart(sentence)).to.equal(unread);
      const message = unread && ` (no wording has a place for "${unread}"). `;
      if (message) expect(() => parsePrompt(sentence)).to.throw(message);
    });
});
