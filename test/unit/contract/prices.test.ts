import { expect } from 'chai';
import { formatAmount, costOfTokens, parsePrices } from '../../../src/contract/prices.ts';

describe('parsePrices(text)', () => {
  it('reads prices per million tokens in millionths', () => {
    const prices = parsePrices(
      'openai/gpt-5=1.25/0.125/10, openai-compatible/org/qwen3:8b=0/0/0.000001',
    );
    expect([...prices]).to.deep.equal([
      ['openai/gpt-5', { input: 1_250_000n, cachedInput: 125_000n, output: 10_000_000n }],
      ['openai-compatible/org/qwen3:8b', { input: 0n, cachedInput: 0n, output: 1n }],
    ]);
  });

  for (const [text, wrong] of [
    ['openai/gpt-5', 'openai/gpt-5 '],
    ['gpt-5=1/1/1', 'gpt-5=1/1/1 '],
    ['openai/gpt-5=1/1', 'openai/gpt-5=1/1 '],
    ['openai/gpt-5=1/1/1/1', 'openai/gpt-5=1/1/1/1 '],
    ['openai/gpt-5=1/-1/1', '-1 '],
    ['openai/gpt-5=1/1/1e3', '1e3 '],
    ['openai/gpt-5=1/1/0.1234567', '0.1234567 '],
    ['openai/gpt-5=1/1/1,openai/gpt-5=2/2/2', 'openai/gpt-5 '],
  ])
    it(`rejects ${text}, and names ${wrong}`, () =>
      expect(() => parsePrices(text!)).to.throw(Error, wrong));
});

describe('costOfTokens(tokens, price)', () => {
  const [price] = parsePrices('a/b=3/0.3/15').values();

  it('counts cached tokens by their own price', () => {
    const tokens = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
    expect(formatAmount(costOfTokens(tokens, price!))).to.equal('3.42');
  });

  it('stays exact where floating point would not', () => {
    const tokens = { inputTokens: 3, cachedInputTokens: 0, outputTokens: 0 };
    const [tenth] = parsePrices('a/b=0.1/0/0').values();
    expect(formatAmount(costOfTokens(tokens, tenth!))).to.equal('0.00');
    const many = { inputTokens: 9_007_199_254_740_991, cachedInputTokens: 0, outputTokens: 1 };
    expect(formatAmount(costOfTokens(many, price!))).to.equal('27021597764.222988');
  });
});

describe('formatAmount(cost)', () => {
  for (const [cost, amount] of [
    [0n, '0.00'],
    [1n, '0.000001'],
    [360_000n, '0.36'],
    [1_500_000n, '1.50'],
    [12_345_670n, '12.34567'],
  ] as const)
    it(`writes ${cost} millionths as ${amount}`, () => expect(formatAmount(cost)).to.equal(amount));
});
