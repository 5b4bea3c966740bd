import { expect } from 'chai';
import { emptyPlaceSentence } from '../../../../../src/agents/rules/page/fillGroups.ts';
import { groupSentences } from '../../../../../src/agents/shared/page/groupNotes.ts';
import {
  namingSentence,
  unusedValuesSentence,
} from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { plainText } from '../../../../../src/agents/shared/text/parseMarks.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

/** The page that a context makes of a template's content, without white space between tags. */
function make(content: string, context: string) {
  const source = `<!doctype html><html><head><title>T</title></head><body><h1>Head</h1>${content}</body></html>`;
  const template = { path: 'a.html', source };
  const { slug, slots, groups, digest } = pageCalls.readTemplate(template, []);
  const written = writeRulesPage({ slug, slots, groups }, { targetPageSlug: '/b', context });
  const target = { slug: '/b', path: 'b.html' };
  const html = pageCalls.create({
    ...written,
    groups: written.groups ?? {},
    template,
    target,
    digest,
    sitePaths: [],
    siblings: [],
  });
  return {
    body: html.slice(html.indexOf('</h1>') + 5, html.indexOf('</body>')).replace(/>\s+</g, '><'),
    counts: written.groups,
    warnings: written.notes
      .map(({ text }) => text.slice('/b: '.length))
      .filter((text) => !naming.some((sentence) => text.startsWith(sentence))),
  };
}

const naming = [namingSentence('title'), namingSentence('headline')];
const list = '<h2>What we do</h2><ul><li>One</li><li>Two</li></ul>';
const cards =
  '<h2>Packages</h2><div class="row">' +
  '<article class="card"><img src="a.svg" alt="Icon"><h3>Starter</h3><p class="amount">$48 a month</p><p>Five pages.</p><a href="/s">Choose Starter</a></article>' +
  '<article class="card featured"><img src="b.svg" alt="Icon"><h3>Studio</h3><p class="amount">$96 a month</p><p>Twelve pages.</p><a href="/t">Choose Studio</a></article>' +
  '</div>';
const details = (question: string, answer: string) =>
  `<details><summary>${question}</summary><p>${answer}</p></details>`;
const questions = `<h2>Frequently asked questions</h2><div>${details('Why?', 'Because.')}${details('How?', 'Well.')}</div>`;

const person = (name: string, role: string, about: string) =>
  `<div class="card"><h5>${name}</h5><h6>${role}</h6><p>${about}</p></div>`;
const rowOf = (...own: string[]) => `<div class="row">${own.join('')}</div>`;
const [ann, bob] = [person('Ann', 'Boss', 'She leads.'), person('Bob', 'Chef', 'He cooks.')];

describe('writeRulesPage: lists and repeated blocks', () => {
  it('a grid has the entries of the context in its rows, which have a line below each name', () => {
    const people =
      '| Name | Role | About |\n| --- | --- | --- |\n| Ina | Founder | Tastes. |\n| Lars | Roaster | Roasts. |\n| Wen | Buyer | Travels. |';
    const grid = `<h2>Team</h2><div>${rowOf(ann, bob)}${rowOf(bob, ann)}</div>`;
    const { body, warnings } = make(grid, `## Team\n${people}`);
    const [ina, lars, wen] = [
      person('Ina', 'Founder', 'Tastes.'),
      person('Lars', 'Roaster', 'Roasts.'),
      person('Wen', 'Buyer', 'Travels.'),
    ];
    expect(body).to.equal(`<h2>Team</h2><div>${rowOf(ina, lars)}${rowOf(wen)}</div>`);
    expect(warnings).to.deep.equal([]);
  });

  const items = (texts: string[]) =>
    `<h2>What we do</h2><ul>${texts.map((text) => `<li>${text}</li>`).join('')}</ul>`;

  it('gives a list as many items as the context has, in whatever form', () => {
    for (const context of [
      '## What we do\n- A\n- B\n- C',
      '{"what we do": ["A", {"name": "B"}, "C"]}',
      '{"what we do": ["A", "B", "C"]}',
      'what we do:\n  - A\n  - B\n  - C',
      '{"sections": [{"heading": "What we do", "items": ["A", "B", "C"]}]}',
    ]) {
      const { body, counts, warnings } = make(list, context);
      expect(body, context).to.equal(items(['A', 'B', 'C']));
      expect(Object.values(counts ?? {})).to.deep.equal([3]);
      expect(warnings, context).to.deep.equal([]);
    }
    expect(make(list, '## What we do\n- A').body).to.equal(items(['A']));
    expect(make(list, '{"what we do": ["A"]}').body).to.equal(items(['A']));
    expect(make(list, '## What we do\n- A\n- B').counts).to.equal(undefined);
  });

  it('takes the first twelve of more items, keeps the list for an empty one, and notes both', () => {
    const many = Array.from({ length: 15 }, (_, i) => `Item ${i + 1}`);
    const { body, warnings } = make(
      list,
      `## What we do\n${many.map((text) => `- ${text}`).join('\n')}`,
    );
    expect(body).to.equal(items(many.slice(0, 12)));
    expect(warnings).to.deep.equal([
      unusedValuesSentence(['"Item 13", "Item 14", "Item 15" (What we do)']),
      groupSentences.omitted('What we do', 3, 15),
    ]);
    const empty = make(list, '{"headline": "H", "what we do": []}');
    expect(empty.body).to.equal(list);
    expect(empty.warnings).to.deep.equal([groupSentences.empty('what we do')]);
  });

  it('gives each card its own name, text, price and button, also from headings and tables', () => {
    const card = (
      [src, href, classes]: [src: string, href: string, classes: string],
      name: string,
      price: string,
      text: string,
    ) =>
      `<article class="${classes}"><img src="${src}.svg" alt="Icon"><h3>${name}</h3><p class="amount">${price}</p><p>${text}</p><a href="/${href}">Choose ${name}</a></article>`;
    const expected =
      '<h2>Packages</h2><div class="row">' +
      card(['a', 's', 'card'], 'Solo', '€5 a month', 'For one.') +
      card(['b', 't', 'card featured'], 'Duo', '€9 a month', 'For two.') +
      card(['b', 't', 'card featured'], 'Trio', '€12 a month', 'For three.') +
      '</div>';
    for (const context of [
      '{"packages": [{"name": "Solo", "price": "€5", "text": "For one."}, {"name": "Duo", "price": "€9", "text": "For two."}, {"name": "Trio", "price": "€12", "description": "For three."}]}',
      '## Packages\n### Solo\nPrice: €5\n\nFor one.\n### Duo\nFor two.\n- Price: €9\n### Trio\nPrice: €12\nFor three.',
      '## Packages\n\n| Name | Price | Text |\n|---|---|---|\n| Solo | €5 | For one. |\n| Duo | €9 | For two. |\n| Trio | €12 | For three. |',
    ])
      expect(make(cards, context).body, context).to.equal(expected);
  });

  it("never shows another card's price or text, but empties and names missing values", () => {
    const { body, warnings } = make(
      cards,
      '{"packages": [{"name": "Solo"}, {"name": "Studio", "price": "€9"}, {"name": "Trio", "text": "For three."}]}',
    );
    const [solo, studio, trio] = body.split('</article>');
    expect(solo).to.contain(
      '<h3>Solo</h3><p class="amount"></p><p></p><a href="/s">Choose Solo</a>',
    );
    expect(studio).to.contain(
      '<h3>Studio</h3><p class="amount">€9 a month</p><p>Twelve pages.</p>',
    );
    expect(trio).to.contain(
      '<h3>Trio</h3><p class="amount"></p><p>For three.</p><a href="/t">Choose Trio</a>',
    );
    expect(warnings).to.deep.equal([
      [
        groupSentences.copied('packages', 2),
        emptyPlaceSentence('"Solo" of "packages"', ['price', 'text']),
        emptyPlaceSentence('"Trio" of "packages"', ['price']),
      ].join('; '),
    ]);
  });

  it("gives a quote its author and description, and keeps no link with another one's number", () => {
    const quote = (text: string, by: string) =>
      `<figure class="quote"><blockquote><p>${text}</p></blockquote><figcaption>${by}</figcaption></figure>`;
    const quotes = `<h2>What clients say</h2>${quote('Good.', '<b>Ann</b> owner, Acme')}${quote('Fine.', '<b>Bob</b> cook')}`;
    const { body } = make(
      quotes,
      '{"testimonials": [{"quote": "Well.", "name": "Cleo", "role": "smith"}, {"text": "So."}]}',
    );
    expect(body).to.equal(
      `<h2>What clients say</h2>${quote('Well.', '<b>Cleo</b> smith')}${quote('So.', '<b></b>')}`,
    );
    const shop = (name: string, phone: string) =>
      `<div class="shop"><h3>${name}</h3><p>Open.</p><a href="tel:+1512555014">${phone}</a></div>`;
    const shops = make(
      `<h2>Shops</h2>${shop('A', '+1 512 555 014')}${shop('B', '+1 512 555 015')}`,
      '{"shops": [{"name": "C", "text": "New.", "phone": "+351 21 000 000"}, {"name": "D", "text": "Old."}]}',
    );
    expect(shops.body).to.contain('>+351 21 000 000</a>').and.not.contain('512 555');
    expect(shops.warnings).to.deep.equal([
      emptyPlaceSentence('"D" of "shops"', ['telephone number']),
    ]);
  });

  it('reads one object with a quote and its author as a list of one', () => {
    const quote = (text: string, by: string) =>
      `<figure class="quote"><blockquote><p>${text}</p></blockquote><figcaption>${by}</figcaption></figure>`;
    const quotes = `<h2>What clients say</h2>${quote('Good.', '<b>Ann</b> owner, Acme')}${quote('Fine.', '<b>Bob</b> cook')}`;
    for (const context of [
      '{"testimonial": {"quote": "Well.", "author": "Cleo, smith"}}',
      '{"testimonial": {"text": "Well.", "name": "Cleo", "role": "smith"}}',
      '{"review": {"quote": "Well.", "author": {"name": "Cleo", "role": "smith"}}}',
    ])
      expect(make(quotes, context).body, context).to.equal(
        `<h2>What clients say</h2>${quote('Well.', '<b>Cleo</b> smith')}`,
      );
  });

  it('reads questions and answers as pairs, sentences or headings', () => {
    const expected = `<h2>Frequently asked questions</h2><div>${details('Who?', 'We.')}${details('When?', 'Now.')}${details('Where?', 'Here.')}</div>`;
    for (const context of [
      '{"faq": [{"q": "Who?", "a": "We."}, {"question": "When?", "answer": "Now."}, {"title": "Where?", "text": "Here."}]}',
      '## Frequently asked questions\n- Who? We.\n- When? Now.\n- Where? Here.',
      '## Frequently asked questions\n### Who?\nWe.\n### When?\nNow.\n### Where?\nHere.',
    ])
      expect(make(questions, context).body, context).to.equal(expected);
    expect(
      make(
        questions.replace('Frequently asked questions', 'Good to know'),
        '{"faq": [{"q": "Who?", "a": "We."}]}',
      ).body,
    ).to.equal(`<h2>Good to know</h2><div>${details('Who?', 'We.')}</div>`);
  });

  it('never uses running text as the answer to a question of the template', () => {
    const { body, warnings } = make(
      questions,
      '{"headline": "H", "faq": "Ask us anything by phone."}',
    );
    expect(body).to.equal(questions);
    expect(warnings).to.deep.equal([unusedValuesSentence(['"Ask us anything by phone." (faq)'])]);
  });

  it('reads questions and answers from lines and bold questions', () => {
    for (const context of [
      'City: Reno\n\nFAQ:\nQ: Who?\nA: We.\nQ: When?\nA: Now.',
      'City: Reno\n\nFAQ:\n\nQ: Who?\nA: We.\n\nQ: When?\nA: Now.',
      '## Frequently asked questions\n\n**Who?**\nWe.\n\n**When?** Now.',
    ])
      expect(make(questions, context).body, context).to.equal(
        `<h2>Frequently asked questions</h2><div>${details('Who?', 'We.')}${details('When?', 'Now.')}</div>`,
      );
  });

  it('replaces a price with the price on a line with the same name', () => {
    const table = (s: string, m: string) =>
      `<h2>Prices</h2><table><tr><th>Plan<th>Ready in<th>Cost<tbody><tr><td>Solo<td>4 weeks<td>${s}<tr><td>Duo<td>6 weeks<td>${m}</table>`;
    expect(make(table('$1', '$2'), '## Prices\n- Solo: $3,900\n- Duo: $7,900').body).to.equal(
      table('$3,900', '$7,900'),
    );
  });

  it("fills rows by the columns' headings", () => {
    const table =
      '<h2>Prices</h2><table><tr><th>Plan<th>Pages<th>Cost<tbody><tr><td>S<td>5<td>$1<tr><td>M<td>9<td>$2</table>';
    const { body, warnings } = make(
      table,
      '## Prices\n\n| Plan | Cost | Pages | Colour |\n|--|--|--|--|\n| L | €3 | 20 | red |',
    );
    expect(body).to.contain('<tbody><tr><td>L<td>20<td>€3</table>');
    expect(warnings).to.deep.equal([unusedValuesSentence(['"red" (Prices)'])]);
  });

  it('gives a list inside a card as many items as its entry', () => {
    const card = (name: string, ...texts: string[]) =>
      `<div class="card"><h3>${name}</h3><ul>${texts.map((text) => `<li>${text}</li>`).join('')}</ul></div>`;
    const page = `<h2>Plans</h2><div>${card('A', 'a1', 'a2')}${card('B', 'b1', 'b2')}</div>`;
    const context =
      '{"plans": [{"name": "X", "features": ["x1"]}, {"name": "Y", "features": ["y1", "y2"]}, {"name": "Z", "features": ["z1", "z2", "z3"]}, {"name": "W"}]}';
    const { body, counts, warnings } = make(page, context);
    expect(body).to.equal(
      `<h2>Plans</h2><div>${card('X', 'x1')}${card('Y', 'y1', 'y2')}${card('Z', 'z1', 'z2', 'z3')}${card('W', '')}</div>`,
    );
    expect(Object.values(counts!).sort()).to.deep.equal([1, 1, 3, 4]);
    expect(warnings).to.deep.equal([emptyPlaceSentence('"plans: W"', ['text'])]);
  });

  it('updates structured data for entries that stay, and removes that of removed entries', () => {
    const json = (name: string) => `{"@type":"Question","name":"${name}"}`;
    const script = `<script type="application/ld+json">{"@type":"FAQPage","mainEntity":[${json('Why is it so?')},${json('How is it so?')}]}</script>`;
    const page =
      script + questions.replace('Why?', 'Why is it so?').replace('How?', 'How is it so?');
    const { body, warnings } = make(page, '{"faq": [{"q": "Who is it?", "a": "We."}]}');
    expect(body).to.contain(`[${json('Who is it?')}]`);
    expect(warnings).to.deep.equal([]);
  });

  it('writes a page without template text in another entry, whatever the texts contain', () => {
    const hostile = ['<1>a</1>', '</x><y>x</y>', '"\'&a', '\\<2/>', '+1'];
    const { body } = make(list, JSON.stringify({ 'what we do': hostile }));
    const read = pageCalls.read({ path: 'b.html', source: body });
    expect(
      read.slots.filter(({ role }) => role === 'list-item').map(({ text }) => plainText(text)),
    ).to.deep.equal(hostile);
  });
});
