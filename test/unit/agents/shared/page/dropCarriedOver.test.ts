import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { unusedValuesSentence } from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { corpus } from '../../../sites/corpus.ts';
import { asHtml } from '../../../sites/formats/html/asHtml.ts';
import { inShort, makePage, pageWith } from '../../rules/page/makePage.ts';

const austin = {
  path: 'locations/austin.html',
  source: readFileSync('src/demo/site/locations/austin.html', 'utf8'),
};
const demo = corpus[0]!;
const siblings = demo.pages.filter(({ path }) => path !== austin.path);
const dropped = (content: string, context = 'City: Ottawa', data?: object) => {
  const { html, notes, faults } = makePage(pageWith(content, data), { context, facts: 'drop' });
  expect(faults).to.deep.equal([]);
  return { body: html.slice(html.indexOf('</h1>') + 5, html.indexOf('</main>')), html, notes };
};

/** Whether a text is another one with some of its lines, or parts of lines, left out. */
function isPartOf(part: string, whole: string): boolean {
  let at = 0;
  for (const line of part.split('\n')) {
    const found = whole.indexOf(line, at);
    if (found === -1) return false;
    at = found + line.length;
  }
  return true;
}

describe('writeRulesPage with "facts": "drop"', () => {
  it('removes everything that only the template can say from the demo page, and keeps every other byte', () => {
    const keep = makePage(austin, { context: 'City: Ottawa', siblings });
    const { html, notes, faults } = makePage(austin, {
      context: 'City: Ottawa',
      siblings,
      sitePaths: demo.paths,
      facts: 'drop',
    });
    expect(faults).to.deep.equal([]);
    for (const text of [
      '4.9',
      '86 clients',
      '$',
      '512',
      'austin@',
      'Juniper',
      '9:00',
      'Closed',
      '2014',
      '2027',
      'map-austin',
      '30.26',
      'aggregateRating',
      'What Ottawa clients say',
    ])
      expect(html, text).not.to.contain(text);
    for (const text of [
      '<h2 id="prices">',
      '<h2 id="visit">',
      'The coffee is good',
      '6 weeks',
      '"areaServed"',
      '"parentOrganization"',
    ])
      expect(html, text).to.contain(text);
    expect(isPartOf(html, keep.html)).to.equal(true);
    expect(new Set(notes.map(({ kind }) => kind))).to.deep.equal(new Set(['requested']));
    expect(notes.map(({ text }) => text).join()).to.contain(
      'the section "What Austin clients say"',
    );
  });

  it('keeps what the context gives', () => {
    const context = JSON.stringify({
      city: 'Ottawa',
      prices: { Starter: 'C$6,200' },
      phone: '+1 613 555 0101',
      rating: '4.8',
      reviews: '31',
    });
    const { html, faults } = makePage(austin, {
      context,
      siblings,
      sitePaths: demo.paths,
      facts: 'drop',
    });
    expect(faults).to.deep.equal([]);
    expect(html).to.contain('<td class="price">C$6,200</td>').and.not.to.contain('$9,600');
    expect(html)
      .to.contain('<a href="tel:+16135550101">+1 613 555 0101</a>')
      .and.not.to.contain('Juniper');
    expect(html)
      .to.contain('Rated 4.8 out of 5 by 31 clients')
      .and.to.match(/"ratingValue": 4.8,\s+"reviewCount": 31/);
  });

  for (const [what, content, left] of [
    [
      'a quote',
      '<h2>A</h2><p>Text.</p><blockquote><p>They built it well, and in time.</p></blockquote>',
      '<h2>A</h2><p>Text.</p>',
    ],
    [
      'a section with nothing but a heading left',
      '<section><div><p>What they say</p><h2>Clients</h2></div><div><blockquote>They built it well, and in time.</blockquote></div></section><p>Text.</p>',
      '<p>Text.</p>',
    ],
    [
      'a quote with the picture of its author',
      '<section><h2>Clients</h2><div><div>"They built it well, and in time."</div><div><img src="r.jpg" alt="Ruth Hall"><div>Ruth Hall / Owner</div></div></div></section>',
      '',
    ],
    [
      'a line with a rating',
      '<section><h2>A</h2><p>Text.</p><p>Rated 4.9 out of 5</p></section>',
      '<section><h2>A</h2><p>Text.</p></section>',
    ],
    [
      'a line in pieces',
      '<div><h3>Pro</h3><div class="a"><span>$9</span><span>/ mo.</span></div><p>Text.</p></div>',
      '<div><h3>Pro</h3><p>Text.</p></div>',
    ],
    [
      'a row with a price',
      '<table><tr><th>One</th><td>$5</td></tr><tr><th>Two</th><td>On request</td></tr></table>',
      '<table><tr><th>Two</th><td>On request</td></tr></table>',
    ],
    [
      'a table without rows',
      '<p>Text.</p><div><table><caption>Prices</caption><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>One</td><td>$5</td></tr></tbody></table></div>',
      '<p>Text.</p>',
    ],
    [
      'a term with what is said of it',
      '<dl><dt>From</dt><dd>$5</dd><dt>Ready in</dt><dd>Six weeks</dd></dl>',
      '<dl><dt>Ready in</dt><dd>Six weeks</dd></dl>',
    ],
    [
      'a map in a frame',
      '<section><h2>Visit</h2><p>Come in.</p><div><iframe src="https://www.google.com/maps/embed?pb=1"></iframe></div></section>',
      '<section><h2>Visit</h2><p>Come in.</p></section>',
    ],
    [
      'a figure',
      '<p>Text.</p><figure><img src="a.jpg" alt="A shop"><figcaption>Open since 2014</figcaption></figure>',
      '<p>Text.</p>',
    ],
    [
      'a question with its answer',
      '<details><summary>What is it?</summary><p>It is $5.</p></details><details><summary>Why?</summary><p>Because.</p></details>',
      '<details><summary>Why?</summary><p>Because.</p></details>',
    ],
  ] as const)
    it(`removes ${what}`, () => {
      const { body, notes } = dropped(content);
      expect(body).to.equal(left);
      expect(notes.map(({ kind }) => kind)).to.deep.equal(['requested']);
    });

  it('names what it can’t remove', () => {
    const { body, notes } = dropped(
      '<div>Rated 4.9 out of 5<p>Text.</p></div><h2>Only $5</h2><p>Text.</p>',
    );
    expect(body).to.contain('4.9').and.to.contain('<h2>Only $5</h2>');
    expect(inShort(notes)).to.deep.equal(['rating: 4.9', 'price: $5']);
  });

  it('removes values from structured data, together with entries that say nothing without them', () => {
    const data = {
      '@type': 'Store',
      geo: { latitude: 30.2672, longitude: -97.7431 },
      telephone: '+1 512 555 0142',
      name: 'Acme',
      review: { '@type': 'Review', reviewBody: 'They built it well.', author: 'Ruth Hall' },
      offers: [
        { '@type': 'Offer', name: 'One', price: '$5' },
        { '@type': 'Offer', name: 'Two' },
      ],
      aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.9, reviewCount: 86 },
    };
    expect(asHtml.json(dropped('<p>Text.</p>', '', data).html)).to.deep.equal({
      '@type': 'Store',
      name: 'Acme',
      offers: [{ '@type': 'Offer', name: 'Two' }],
    });
    const given = dropped(
      '<p>Text.</p>',
      'Rating: 4.8\nReviews: 31\nPhone: +1 613 555 0101',
      data,
    ).html;
    expect(asHtml.json(given)).to.deep.include({
      telephone: '+1 613 555 0101',
      aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.8, reviewCount: 31 },
    });
    expect(
      asHtml.json(
        dropped('', '', {
          '@type': 'Review',
          reviewBody: 'They built it well.',
          review: { reviewBody: 'Well.' },
        }).html,
      ),
    ).to.equal(undefined);
  });

  it('names an input value that goes together with the template’s value beside it', () => {
    const data = {
      '@type': 'Store',
      name: 'Acme',
      aggregateRating: { ratingValue: 4.9, reviewCount: 86 },
    };
    const { html, notes } = dropped(
      '<p>Text.</p><p>Rated 4.9 out of 5 by 86 clients</p>',
      'Rating: 4.7',
      data,
    );
    expect(html).not.to.match(/4\.7|aggregateRating/);
    expect(notes.map(({ text }) => text)).to.include(unusedValuesSentence(['"4.7" (rating)']));
  });

  it('names links into removed blocks, and no others', () => {
    const quotes =
      '<section id="said"><h2>Clients</h2><blockquote>They built it well, and in time.</blockquote></section>';
    const { notes, body } = dropped(`<p><a href="#said">What clients say</a></p>${quotes}`);
    expect(body).to.equal('<p><a href="#said">What clients say</a></p>');
    expect(inShort(notes).at(-1)).to.equal('part: #said');
    const without = dropped(
      `<p>Since 2014: <a href="#said">clients</a></p>${quotes}`.replace('Since', 'Open since'),
    );
    expect(inShort(without.notes).filter((note) => note.startsWith('part'))).to.deep.equal([]);
  });
});
