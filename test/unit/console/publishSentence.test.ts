import { expect } from 'chai';
import { publishSentence } from '../../../src/console/browser/words/reviewWords.ts';

describe('publishSentence(counts)', () => {
  const counts = { live: 281, linkFrom: undefined, unseen: 0, leftOut: 0, openNotes: 0 };

  it('says which pages go live, which wait, and which are left out', () => {
    const all = { ...counts, linkFrom: '/locations', unseen: 9, leftOut: 5, openNotes: 3 };
    expect(publishSentence(all)).to.equal(
      '281 pages and /locations go live, 9 were not looked at and wait, 5 are left out, 3 notes on them are open.',
    );
    expect(publishSentence({ ...counts, live: 1, unseen: 1, leftOut: 1, openNotes: 1 })).to.equal(
      '1 page goes live, 1 was not looked at and waits, 1 is left out, 1 note on them is open.',
    );
    expect(publishSentence({ ...counts, live: 0, unseen: 2 })).to.equal(
      'No page is marked as fine, 2 were not looked at and wait.',
    );
  });
});
