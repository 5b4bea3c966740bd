import { expect } from 'chai';
import { pageNames } from '../../../src/browser/counts.ts';

describe("the browsers' words for numbers", () => {
  it('name the first pages, and count the others', () => {
    expect(pageNames({ count: 2, slugs: ['/a', '/b'] })).to.equal('/a, /b');
    const slugs = Array.from({ length: 100 }, (_, n) => `/${n}`);
    expect(pageNames({ count: 120, slugs })).to.equal('/0, /1, /2, /3, /4 and 115 more');
  });
});
