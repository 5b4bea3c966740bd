import { expect } from 'chai';
import { asHtml } from '../../formats/html/asHtml.ts';
import { diffPageTexts } from '../../../../../src/sites/pages/texts/diffPageTexts.ts';

const changes = (before: string, after: string) =>
  diffPageTexts(asHtml.slots(before), asHtml.slots(after));
const paragraphs = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `<p>${word} ${i}</p>`).join('');

describe('diffPageTexts', () => {
  it('names each change with its role, its section, and the text before and after', () => {
    const page = (title: string, text: string) =>
      `<title>${title}</title><h1>Same</h1><p>First</p><p>${text}</p><img alt="Same" src="x.png">`;
    expect(
      changes(
        page('Old', 'See <a href="/">us</a>'),
        page('New &amp; old', 'See <a href="/">them</a>'),
      ),
    ).to.deep.equal([
      { role: 'title', section: null, before: 'Old', after: 'New & old' },
      { role: 'paragraph', section: 'Same', before: 'See us', after: 'See them' },
    ]);
  });

  it('distinguishes new and removed texts from changed ones', () => {
    expect(
      changes(
        '<h2>A</h2><p>One</p><p>Two</p>',
        '<h2>A</h2><p>One</p><p>New</p><h2>B</h2><p>Two</p>',
      ),
    ).to.deep.equal([
      { role: 'paragraph', section: 'A', before: null, after: 'New' },
      { role: 'heading', section: 'A', before: null, after: 'B' },
    ]);
    expect(
      changes('<p>One</p><ul><li>Two</li></ul><p>Three</p>', '<p>One</p><p>Three</p>'),
    ).to.deep.equal([{ role: 'list-item', section: null, before: 'Two', after: null }]);
  });

  it('is empty for the same texts in other markup', () => {
    expect(
      changes('<p>Call <b>us</b></p>', '<div><p class="x">Call <i>us</i></p></div>'),
    ).to.deep.equal([]);
  });

  it('compares large pages that have next to nothing in common', () => {
    const found = changes(paragraphs(3_000, 'old'), paragraphs(2_999, 'new'));
    expect(found).to.have.lengthOf(3_000);
    expect(found.filter(({ after }) => after === null)).to.deep.equal([
      { role: 'paragraph', section: null, before: 'old 2999', after: null },
    ]);
  });
});
