import { expect } from 'chai';
import { forgePath } from '../../../src/forges/forgePaths.ts';

describe('path`…`', () => {
  for (const [value, expected] of [
    ['a/../b c', '/branches/a%2F..%2Fb%20c'],
    [7, '/branches/7'],
    ['half of a pair \ud800', '/branches/half%20of%20a%20pair%20%EF%BF%BD'],
  ] as const)
    it(`encodes ${JSON.stringify(value)} as one segment`, () => {
      expect(forgePath`/branches/${value}`).to.equal(expected);
    });
});
