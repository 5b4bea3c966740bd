import { expect } from 'chai';
import {
  listReviewEntries,
  slugsOfEntry,
  unfoldEntries,
} from '../../../src/console/browser/screens/reviews/reviewEntries.ts';
import { placeNames } from '../../../src/console/browser/words/reviewWords.ts';
import type { PageReview, ReviewPlace } from '../../../src/contract/responses.ts';

const page = (
  slug: string,
  placeIds: string[],
  codes: PageReview['oddities'] = [],
): PageReview => ({
  slug,
  version: 'v1',
  templatePageSlug: '/austin',
  previewUrl: null,
  editUrl: null,
  openNotes: 0,
  texts: placeIds.map((placeId) => ({ placeId, slot: placeId, text: slug })),
  oddities: codes,
  marks: [],
  verdict: 'unseen',
});

describe('listReviewEntries(pages)', () => {
  it('folds pages that differ at the same places, and keeps odd pages and small groups apart', () => {
    const pages = [
      page('/odd', ['a'], [{ code: 'address' }]),
      ...['/1', '/2', '/3'].map((slug) => page(slug, ['a'])),
      ...['/4', '/5'].map((slug) => page(slug, ['a', 'b'])),
    ];
    const entries = listReviewEntries(pages);
    expect(entries.map(slugsOfEntry)).to.deep.equal([['/odd'], ['/1', '/2', '/3'], ['/4'], ['/5']]);
    const unfolded = unfoldEntries(entries, new Set([entries[1]!.key]));
    expect(unfolded.map(slugsOfEntry)).to.deep.equal([
      ['/odd'],
      ['/1', '/2', '/3'],
      ['/1'],
      ['/2'],
      ['/3'],
      ['/4'],
      ['/5'],
    ]);
  });
});

describe('placeNames(places)', () => {
  it('names the words that differ, or what the text is', () => {
    const place = (fields: Partial<ReviewPlace>): ReviewPlace => ({
      placeId: '1',
      role: 'paragraph',
      section: null,
      slot: 's1',
      text: 'Austin',
      ...fields,
    });
    const city = place({ words: 'Austin' });
    expect(placeNames([city])).to.equal('“Austin”');
    expect(placeNames([city, city, place({ role: 'link' }), place({ words: '2014' })])).to.equal(
      '“Austin”, link and “2014”',
    );
  });
});
