import { expect } from 'chai';
import { costWords, shareOf, sumOf } from '../../../src/console/browser/estimates.ts';

describe('the cost of a table’s rows', () => {
  const estimate = {
    inputTokens: 3_120_000,
    outputTokens: 940_000,
    cost: { amount: '13.30', currency: 'USD' },
  };
  const share = shareOf(estimate, 1_000);

  it('is what the check tells, for the rows that are left', () => {
    expect(costWords('openai/gpt-5', sumOf(Array.from({ length: 1_000 }, () => share)))).to.equal(
      'openai/gpt-5 makes the pages: about 3,100,000 tokens read and 940,000 written, about 13 USD.',
    );
    expect(costWords('openai/gpt-5', sumOf([share, undefined, share]))).to.equal(
      'openai/gpt-5 makes the pages: about 6,200 tokens read and 1,900 written, about 0.027 USD.',
    );
    expect(costWords('a/b', sumOf([shareOf(estimate, 5_000)]))).to.include('under 0.01 USD');
  });

  it('is not invented where the price is not known, or no model is used', () => {
    const unpriced = shareOf({ ...estimate, cost: null }, 1_000);
    expect(costWords('a/b', sumOf([unpriced, unpriced]))).to.equal(
      'a/b makes the pages: about 6,200 tokens read and 1,900 written, at a price that is not known here.',
    );
    expect(sumOf([undefined])).to.equal(undefined);
    expect(costWords('rules', undefined)).to.match(/^The embedded agent makes the pages/);
  });
});
