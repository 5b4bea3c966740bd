import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { npmSites } from '../../../sites/corpus.ts';
import { inShort, makePage, pageWith } from '../../rules/page/makePage.ts';

const keptOf = (content: string, context = 'City: Ottawa', data?: object) =>
  inShort(makePage(pageWith(content, data), { context }).notes);
const austin = {
  path: 'locations/austin.html',
  source: readFileSync('src/demo/site/locations/austin.html', 'utf8'),
};

describe('writeRulesPage: notes on what only the template says', () => {
  const quote = 'They asked better questions than my bank.';
  const author = 'Ruth Hall, owner, Hall Bakery';

  for (const content of [
    `<blockquote><p>${quote}</p></blockquote>`,
    `<blockquote>${quote}<footer>${author}</footer></blockquote>`,
    `<figure><blockquote><p>${quote}</p></blockquote><figcaption>${author}</figcaption></figure>`,
    `<blockquote><p>${quote}</p></blockquote><p>— ${author}</p>`,
    `<div class="testimonial"><h5>Ruth Hall</h5><p>${quote}</p></div>`,
    `<div class="row"><div class="testimonial-item"><p>${quote}</p><p>${author}</p></div></div>`,
    `<section><p>“${quote}”</p><p>${author}</p></section>`,
    `<div><div class="a">"${quote}"</div><div class="b"><img src="r.jpg" alt=""><div>Ruth Hall / Owner</div></div></div>`,
    `<p>“${quote}” — Ruth Hall</p>`,
    `<p>“${quote}” says Ruth Hall.</p>`,
    `<p>Ruth Hall says <q>${quote}</q></p>`,
  ])
    it(`names a quote: ${content}`, () => {
      const notes = keptOf(content);
      expect(notes).to.have.length(1);
      expect(notes[0]).to.match(/^quote: .*They asked better questions/);
    });

  for (const content of [
    `<blockquote><p>Simply great.</p><footer>Ruth Hall</footer></blockquote>`,
    `<div class="testimonial"><p>“Great work!”</p><p>${author}</p></div>`,
  ])
    it(`names a short quote: ${content}`, () => {
      const notes = keptOf(content);
      expect(notes).to.have.length(1);
      expect(notes[0]).to.match(/^quote: /);
    });

  it('names no quote if nobody says anything', () => {
    for (const content of [
      '<p>We call it “the morning page” for a reason.</p><p>Your Own Page</p>',
      '<p>“Words first” is our rule.</p>',
      '<h2>“Words first”</h2><p>Read them aloud.</p>',
      '<p class="quote-button">Get a quote</p>',
      '<blockquote><p>Words first.</p></blockquote>',
      '<div class="review"><h3>Our Reviews</h3><p>Read them</p></div>',
      '<ul><li>“Five pages at least”</li></ul>',
      `</main><footer><blockquote>${quote}</blockquote></footer><main>`,
    ])
      expect(keptOf(content), content).to.deep.equal([]);
  });

  it('changes no words of a quote, and attributes no other text to its author', () => {
    const page = pageWith(
      `<section><h2>What clients say</h2><blockquote><p>The best of Austin, by far.</p><footer>Ann Lee, Austin Shoes</footer></blockquote></section>`,
    );
    const { html, notes } = makePage(page, {
      context: '# Sites in Ottawa\n\n## What clients say\n\nAll of them are glad.',
    });
    expect(html).to.contain(
      '<p>The best of Austin, by far.</p><footer>Ann Lee, Austin Shoes</footer>',
    );
    expect(inShort(notes).filter((note) => !note.startsWith('template'))).to.deep.equal([
      'unused: All of them are glad.',
      'quote: The best of Austin, by far.',
    ]);
  });

  it('names the author to whom new words would be attributed', () => {
    const figure = (text: string, name: string) =>
      `<figure class="quote"><blockquote><p>${text}</p></blockquote><figcaption>${name}</figcaption></figure>`;
    const page = `<section><h2>What clients say</h2><div>${figure(quote, author)}${figure('We like it here, all of us.', 'Bo Li, Li Toys')}</div></section>`;
    const context =
      '## What clients say\n- They came and built it, and it works.\n- They answer on the same day.';
    const { notes, html } = makePage(pageWith(page), { context });
    const isEmptied = html.includes('<figcaption></figcaption>');
    expect(isEmptied || notes.some(({ text }) => text.includes('author of a new quote'))).to.equal(
      true,
    );
  });

  for (const [content, told] of [
    ['<p>4.9 / 5</p>', 'rating: 4.9'],
    ['<p>Rated 4.9 out of 5</p>', 'rating: 4.9'],
    ['<p>4,9 von 5 Sternen</p>', 'rating: 4,9'],
    ['<p>★★★★★</p>', 'rating: ★★★★★'],
    ['<span class="rating">★ ★ ★ ★ ☆</span>', 'rating: ★★★★☆'],
    [
      '<p><i class="bi bi-star-fill"></i><i class="bi bi-star-fill"></i><i class="bi bi-star-half"></i></p>',
      'rating: ★★★',
    ],
    ['<p>120 reviews</p>', 'rating: 120'],
    ['<p>Over 1,200+ Google reviews</p>', 'rating: 1,200+'],
    [
      '<iframe src="https://www.google.com/maps/embed?pb=1" title="Our office"></iframe>',
      'contact: Our office',
    ],
    ['<p><a href="https://maps.app.goo.gl/abc">Find us</a></p>', 'contact: Find us'],
    [
      '<p><a href="https://www.openstreetmap.org/#map=16/30.2672/-97.7431">Directions</a></p>',
      'contact: Directions',
    ],
    [
      '<p><a href="https://acme.example/find?ll=30.2672,-97.7431">Directions</a></p>',
      'contact: Directions',
    ],
    ['<p><a href="geo:30.2672,-97.7431">Here</a></p>', 'contact: Here'],
    ['<img src="map-austin.svg" alt="Streets around us">', 'contact: Streets around us'],
    ['<div data-lat="30.2672" data-lng="-97.7431"></div>', 'contact: 30.2672, -97.7431'],
  ] as const)
    it(`names ${told}`, () => expect(keptOf(content)).to.deep.equal([told]));

  it('names the claims of structured data and of the head', () => {
    const data = {
      aggregateRating: { ratingValue: 4.9, reviewCount: 86 },
      review: [{ '@type': 'Review', reviewBody: quote, author: { name: 'Ruth Hall' } }],
      geo: { latitude: 30.2672, longitude: -97.7431 },
      hasMap: 'https://acme.example/m',
    };
    expect(keptOf('<p>Text.</p>', 'City: Ottawa', data)).to.deep.equal([
      `quote: ${quote}`,
      'rating: 4.9; 86',
      'contact: 30.2672; -97.7431; https://acme.example/m',
    ]);
    const page = pageWith('');
    const source = page.source.replace(
      '<title>',
      '<meta name="geo.position" content="30.2672;-97.7431"><title>',
    );
    expect(inShort(makePage({ ...page, source }, { context: '' }).notes)).to.deep.equal([
      'contact: 30.2672;-97.7431',
    ]);
  });

  it('names no review of structured data that is rewritten, but names the one beside it', () => {
    const said = [quote, 'We had a date and a price, and both held.'];
    const names = ['Ruth Hall', 'Marcus Deane'];
    const content = `<section><h2>What clients say</h2><div>${said.map((text, i) => `<figure class="quote"><blockquote><p>${text}</p></blockquote><figcaption>${names[i]}</figcaption></figure>`).join('')}</div></section>`;
    const review = said.map((reviewBody, i) => ({
      '@type': 'Review',
      reviewBody,
      author: { name: names[i] },
    }));
    const context = '{"testimonials":[{"quote":"They listened, all of them.","name":"Ana Ruiz"}]}';
    const { notes } = makePage(pageWith(content, { '@type': 'Store', review }), { context });
    expect(inShort(notes).filter((note) => note.startsWith('quote'))).to.deep.equal([
      `quote: ${said[1]}`,
    ]);
  });

  it('names nothing that the context gives', () => {
    expect(
      keptOf('<p>Rated 4.9 out of 5 by 86 clients</p><p>★★★★★</p>', 'Rating: 4.8\nReviews: 31'),
    ).to.deep.equal([]);
    expect(keptOf(`<blockquote>${quote}</blockquote>`, `Quote: ${quote}`)).to.deep.equal([]);
    expect(
      keptOf('<p>120 reviews</p>', 'Address: 120 Elm Street, Ottawa').filter((note) =>
        note.startsWith('rating'),
      ),
    ).to.deep.equal(['rating: 120']);
  });

  it('points links with other words to the new number if the page shows the old one', () => {
    const page = pageWith(
      '<p><a href="tel:+15125550142">Call now</a> <a href="tel:+15125550142">(512) 555-0142</a> <a href="tel:+13035550100">Call Denver</a></p>',
    );
    const { html, faults } = makePage(page, { context: 'City: Ottawa\nPhone: (613) 555-0101' });
    expect(html)
      .to.contain('<a href="tel:+16135550101">Call now</a>')
      .and.to.contain('<a href="tel:+13035550100">');
    expect(faults).to.deep.equal([]);
  });

  it('names each kind once on a whole page', () => {
    const kinds = makePage(austin, { context: 'City: Ottawa' }).notes.map(({ kind }) => kind);
    expect(kinds).to.deep.equal('quote date rating price contact'.split(' '));
  });

  it('names quotes on pages of other authors, and nothing on pages without quotes', () => {
    const pages = npmSites.flatMap(({ name, pages }) => pages.map((page) => ({ name, page })));
    const found = pages.filter(({ page }) =>
      makePage(page, { context: '', slug: '/x' }).notes.some(({ kind }) =>
        ['quote', 'rating'].includes(kind),
      ),
    );
    expect(found.map(({ name, page }) => `${name}/${page.path}`)).to.deep.equal([
      'startbootstrap-modern-business/index.html',
      'startbootstrap-clean-blog/post.html',
    ]);
  });
});
