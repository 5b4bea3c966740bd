import { expect } from 'chai';
import { costWords } from '../../../src/console/browser/words/costWords.ts';

describe('the cost of a table’s rows', () => {
  const estimate = {
    inputTokens: 3_120_000,
    outputTokens: 940_000,
    cost: { amount: '13.30', currency: 'USD' },
  };

  it('is the estimate of the check', () => {
    expect(costWords('openai/gpt-5', estimate)).to.equal(
      'openai/gpt-5 creates the pages: about 3,100,000 tokens read and 940,000 written, about 13 USD.',
    );
    const cost = { amount: '0.0033', currency: 'USD' };
    expect(costWords('a/b', { ...estimate, cost })).to.include('under 0.01 USD');
  });

  it('is not invented if the price is not known, or no model is used', () => {
    expect(costWords('a/b', { ...estimate, cost: null })).to.include(
      'at a price that is not known here.',
    );
    expect(costWords('rules', undefined)).to.match(/\brules\b/);
  });
});
