import { expect } from 'chai';
import {
  carriedOverSentence,
  describeUnusedValues,
  unusedValuesSentence,
  INVALID_VALUE_SENTENCE,
} from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { differentFactsReason } from '../../../../../src/agents/shared/page/replacementFacts.ts';
import { listTemplateKeys } from '../../../../../src/agents/rules/page/listTemplateKeys.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { makePage, pageWith } from './makePage.ts';

const made = (content: string, context: string, data?: object) => {
  const { html, notes, faults } = makePage(pageWith(content, data), { context });
  expect(faults).to.deep.equal([]);
  return { html, notes: notes.map(({ text }) => text) };
};

describe('writeRulesPage: opening hours', () => {
  const table =
    '<table><tr><th>Mon–Fri</th><td>9:00–17:00</td></tr><tr><th>Saturday</th><td>Closed</td></tr></table>';
  const hours = 'Hours: Mon-Thu 8:00-18:00, Fri 8:00-12:00';

  it('are replaced as one text, also as a list of days and times', () => {
    const { html, notes } = made(
      '<p>Open Mon–Thu 9:00–17:00, Fri 9:00–15:00 and Sat closed.</p>',
      `City: Ottawa\n${hours}`,
    );
    expect(html).to.contain('<p>Open Mon-Thu 8:00-18:00, Fri 8:00-12:00.</p>');
    expect(notes).to.deep.equal([]);
  });

  it('are replaced for one section, with as many lines as the template has', () => {
    const list = '<ul><li>Mon–Fri 9:00–17:00</li><li>Sat 10:00–12:00</li></ul>';
    const context = '# Ottawa\n\n## Opening hours\n\n- Mon–Thu 8–18\n- Fri 8–12';
    expect(made(list, context).html).to.contain('<li>Mon–Thu 8–18</li><li>Fri 8–12</li>');
  });

  it('stay in a table of days and in structured data, and are named as a whole', () => {
    const data = { '@type': 'Store', openingHours: 'Mo-Fr 09:00-17:00' };
    const { html, notes } = made(table, `City: Ottawa\n${hours}`, data);
    expect(html).to.contain(table).and.to.contain('Mo-Fr 09:00-17:00');
    expect(notes).to.deep.equal([
      unusedValuesSentence([
        describeUnusedValues(
          ['Mon-Thu 8:00-18:00, Fri 8:00-12:00'],
          'hours',
          differentFactsReason('several'),
        ),
      ]),
      carriedOverSentence('opening hours', ['9:00–17:00', 'Closed']),
    ]);
  });
});

describe('writeRulesPage: ratings', () => {
  const content = '<p>Rated 4.9 out of 5 by 37 clients</p><p aria-hidden="true">★★★★★</p>';

  for (const [given, shown, isAsStars] of [
    ['4.8/5', '4.8', true],
    ['4,8', '4,8', true],
    ['★★★★★', '5', true],
    ['⭐⭐⭐⭐⭐', '5', true],
    ['4,8 von 5 Sternen', '4,8', true],
    ['★★★★☆', '4', false],
    ['4.2 stars', '4.2', false],
  ] as const)
    it(`are numbers that stars are compared with: ${given}`, () => {
      const { html, notes } = made(content, `City: Ottawa\nRating: ${given}\nReviews: 41`);
      expect(html).to.contain(`Rated ${shown} out of 5 by 41 clients`);
      expect(notes).to.deep.equal(isAsStars ? [] : [carriedOverSentence('rating', ['★★★★★'])]);
    });

  it('are not read on another scale', () => {
    for (const given of ['9.2/10', '4/10', '96 %']) {
      const { html, notes } = made(content, `City: Ottawa\nRating: ${given}\nReviews: 41`);
      expect(html, given).to.contain('Rated 4.9 out of 5');
      const [, afterValue] = notes[0]!.split(`${INVALID_VALUE_SENTENCE}"${given}"`);
      expect(afterValue).to.match(/ 0 to 5\b.* \(rating\)$/);
    }
  });
});

describe('writeRulesPage: labels of small words', () => {
  const list = (touch: string, place: string) =>
    `<dl><dt>Get in touch</dt><dd>${touch}</dd><dt>Where we are</dt><dd>${place}</dd></dl>`;

  for (const context of [
    'City: Ottawa\nGet in touch: Ring Bob\nWhere we are: By the bridge',
    'city;get in touch;where we are\nOttawa;Ring Bob;By the bridge',
    '{"city":"Ottawa","getInTouch":"Ring Bob","where_we_are":"By the bridge"}',
    '# Web design in Ottawa\n\n## Get in touch\n\nRing Bob\n\n## Where are we?\n\nBy the bridge',
    'City: Ottawa\n\n- **Get in touch**: Ring Bob\n- **Where we are**: By the bridge',
  ])
    it(`are read as keys: ${context.replaceAll('\n', '↵')}`, () => {
      const { html, notes } = made(list('Write to Ann', 'Behind the mill'), context);
      expect(html).to.contain(list('Ring Bob', 'By the bridge'));
      expect(notes).to.deep.equal([]);
    });

  it('are not read as keys with other words', () => {
    const { html, notes } = made(
      list('Write to Ann', 'Behind the mill'),
      'City: Ottawa\nWhere we work: At home\nWho we are: Bob',
    );
    expect(html).to.contain(list('Write to Ann', 'Behind the mill'));
    expect(notes).to.deep.equal([
      unusedValuesSentence(['"At home" (where we work)', '"Bob" (who we are)']),
    ]);
  });
});

describe('writeRulesPage: prices by name', () => {
  const card = (name: string, price: string) =>
    `<div><h3>${name}</h3><p>${price}</p><p>a month</p></div>`;
  const cards = (...own: [string, string][]) =>
    `<h2>What it costs</h2><div>${own.map(([name, price]) => card(name, price)).join('')}</div>`;
  const template = cards(['Starter', '$5'], ['Pro', '$9'], ['Team', '$19']);

  for (const context of [
    '{"city":"Ottawa","prices":{"Starter":{"price":"C$6,200","period":"a month"},"Pro":{"price":"C$9"}}}',
    'city: Ottawa\nprices:\n  Starter:\n    amount: C$6,200\n  Pro:\n    amount: C$9',
    '{"stadt":"Ottawa","pakete":{"Starter":{"preis":"C$6,200"},"Pro":{"preis":"C$9"}}}',
    '{"city":"Ottawa","plans":[{"tier":"Starter","rate":"C$6,200"},{"tier":"Pro","rate":"C$9"}]}',
  ])
    it(`are the prices of the blocks with these names: ${context.replaceAll('\n', '↵')}`, () => {
      const { html, notes } = made(template, context);
      expect(html).to.contain(cards(['Starter', 'C$6,200'], ['Pro', 'C$9'], ['Team', '$19']));
      expect(notes).to.deep.equal([carriedOverSentence('price', ['$19'])]);
    });

  for (const [context, ...own] of [
    [
      '{"city":"Ottawa","prices":[{"package":"Starter","amount":"C$6"},{"package":"Gold","amount":"C$8"}]}',
      ['Starter', 'C$6'],
      ['Gold', 'C$8'],
    ],
    ['{"city":"Ottawa","pricing":[{"cost":"C$6","plan":"Starter"}]}', ['Starter', 'C$6']],
  ] as [string, ...[string, string][]][])
    it(`are read from a list with keys in other words: ${context}`, () => {
      const { html, notes } = made(template, context);
      expect(html).to.contain(cards(...own));
      expect(notes).to.deep.equal([]);
    });

  it('are not given by a sum in another currency', () => {
    const { notes } = made(template, '{"city":"Ottawa","prices":{"Starter":"C$9","Team":"C$5"}}');
    expect(notes).to.deep.equal([carriedOverSentence('price', ['$9'])]);
  });

  it('are named if no block has the name', () => {
    expect(
      made(template, '{"city":"Ottawa","prices":{"Gold":{"price":"C$6","period":"year"}}}').notes,
    ).to.include(unusedValuesSentence(['"C$6", "year" (prices)']));
  });
});

describe('writeRulesPage: facts below the headings of a Markdown context', () => {
  const template =
    '<h2>Visit us</h2><p>Call +1 512 555 0142 or write to austin@northwind.example.</p>';
  const given = ['+1 613 555 0101', 'ottawa@northwind.example'];
  const both = '- **Phone:** +1 613 555 0101\n- Email: ottawa@northwind.example';

  for (const heading of ['Contact', 'Kontakt', 'Visit us', 'Reach us', 'Our studio'])
    it(`count for the page below the heading: ## ${heading}`, () => {
      for (const lines of [both, both.replaceAll(/- |\*\*/g, '')]) {
        const { html, notes } = made(
          template,
          `# Hello\n\nCity: Ottawa\n\n## ${heading}\n\n${lines}`,
        );
        for (const text of given) expect(html, lines).to.include(text);
        expect(notes).to.deep.equal([]);
      }
    });

  it('are texts of the page below headings that group them: SEO, Hero', () => {
    const context =
      '## SEO\n- Title: A title\n\n## Hero\n- Headline: A headline\n- Lead: A lead for Ottawa.';
    const { written, notes } = makePage(pageWith('<p>A lead for Austin, which is long.</p>'), {
      context,
    });
    expect(Object.values(written.texts)).to.include.members([
      'A title',
      'A headline',
      'A lead for Ottawa.',
    ]);
    expect(notes).to.deep.equal([]);
  });

  it('belong to no section if two sections have them', () => {
    const context =
      'City: Ottawa\n\n## Ann\n- Phone: +1 613 555 0101\n\n## Bob\n- Phone: +1 613 555 0102';
    const { html, notes } = made(template, context);
    expect(html).to.include('+1 512 555 0142');
    for (const number of ['"+1 613 555 0101"', '"+1 613 555 0102"'])
      expect(notes.join()).to.include(number);
  });
});

describe('writeRulesPage: keys that are IDs of slots', () => {
  const template = pageWith('<h1>Austin</h1><p>A lead.</p><p>Open daily.</p>');
  const [headline, , open] = pageCalls
    .readTemplate(template, [])
    .slots.filter(({ role }) => role === 'heading' || role === 'paragraph');

  it('fill the slots, and the texts that repeat them follow', () => {
    for (const context of [
      `${headline!.id}: Ottawa\n${open!.id}: Closed on Mondays.`,
      JSON.stringify({ [headline!.id]: 'Ottawa', [open!.id]: 'Closed on Mondays.' }),
    ]) {
      const { written, notes } = makePage(template, { context });
      expect(written.texts).to.include({
        [headline!.id]: 'Ottawa',
        [open!.id]: 'Closed on Mondays.',
      });
      expect(notes).to.deep.equal([]);
    }
  });

  it('are named if no text of the template has the ID', () => {
    const { notes } = makePage(template, { context: 'City: Ottawa\ns999: Nowhere to go' });
    expect(notes.map(({ kind }) => kind)).to.include('unused');
  });
});

describe('listTemplateKeys(slots)', () => {
  it('returns the names of texts, facts and labels of the template, with their slots', () => {
    const { slots } = pageCalls.readTemplate(
      pageWith(
        '<p>A lead.</p><a class="button" href="/x">Book</a><p>Call +1 512 555 0142.</p><dl><dt>Parking</dt><dd>Behind the house</dd></dl>',
      ),
      [],
    );
    const keys = listTemplateKeys(slots);
    const textOf = (key: string) => slots.find(({ id }) => id === keys[key])?.text;
    expect(textOf('headline')).to.equal('Web design in Austin');
    expect(textOf('lead')).to.equal('A lead.');
    expect(textOf('phone')).to.equal('Call +1 512 555 0142.');
    expect(textOf('Parking')).to.equal('Behind the house');
    expect(keys).to.not.have.any.keys('price', 'email');
  });
});

describe('writeRulesPage: links to a telephone number', () => {
  const links = (number: string, shown: string) =>
    `<p>Call ${shown} or write.</p><a href="tel:+${number}">Call us</a> <a href="tel:+${number}">Call ${shown} now</a> ` +
    `<a href="sms:+${number}?body=Hi">Text us</a> <a href="https://wa.me/${number}?text=Hi">WhatsApp</a> ` +
    `<a href="https://api.whatsapp.com/send?phone=${number}">Chat</a> <a href="https://wa.me/4930123456">Berlin</a>`;

  for (const [phone, number] of [
    ['+1 613 555 0101', '16135550101'],
    ['(613) 555-0101', '16135550101'],
    ['+351 21 000 00 00', '351210000000'],
  ] as const)
    it(`is replaced in every form, also as plain text: ${phone}`, () => {
      for (const shown of ['+1 512 555 0142', '512 555 0142']) {
        const { html, notes } = made(links('15125550142', shown), `City: Ottawa\nPhone: ${phone}`);
        expect(html).to.contain(links(number, phone));
        expect(notes).to.deep.equal([]);
      }
    });

  it('keep another number, and all numbers without a new one', () => {
    const { html, notes } = made(links('15125550142', '+1 512 555 0142'), 'City: Ottawa');
    expect(html).to.contain(links('15125550142', '+1 512 555 0142'));
    expect(notes).to.deep.equal([carriedOverSentence('telephone number', ['+1 512 555 0142'])]);
  });
});
