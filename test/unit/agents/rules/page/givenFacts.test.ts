import { expect } from 'chai';
import { templateKeys } from '../../../../../src/agents/rules/page/templateKeys.ts';
import { calls } from '../../../../../src/sites/pages/pagesCalls.ts';
import { makePage, pageWith } from './makePage.ts';

const made = (content: string, context: string, data?: object) => {
  const { html, notes, faults } = makePage(pageWith(content, data), { context });
  expect(faults).to.deep.equal([]);
  return { html, notes: notes.map(({ text }) => text) };
};

describe('writePage: opening hours of days', () => {
  const rows = (...own: [string, string][]) =>
    `<table>${own.map(([days, hours]) => `<tr><th>${days}</th><td>${hours}</td></tr>`).join('')}</table>`;
  const template = rows(
    ['Mon–Thu', '9:00–17:00'],
    ['Friday', '9:00–15:00'],
    ['Sat & Sun', 'Closed'],
  );
  const specified = (opens: string, closes: string) => ({
    '@type': 'OpeningHoursSpecification',
    opens,
    closes,
  });
  const data = {
    '@type': 'LocalBusiness',
    openingHoursSpecification: [specified('09:00', '17:00'), specified('09:00', '15:00')],
  };

  for (const [context, ...texts] of [
    [
      'City: Ottawa\nHours: Mon-Thu 8:00-18:00, Fri 8:00-12:00, Saturday and Sunday: closed',
      '8:00-18:00',
      '8:00-12:00',
      'Closed',
    ],
    [
      'City: Ottawa\nHours: Mon-Fri 8:00-18:00; Sat-Sun 10:00-12:00',
      '8:00-18:00',
      '8:00-18:00',
      '10:00-12:00',
    ],
    [
      '{"city":"Ottawa","hours":{"Mon-Thu":"8:00-18:00","Fri":"closed","weekends":"10:00-12:00"}}',
      '8:00-18:00',
      'Closed',
      '10:00-12:00',
    ],
    [
      'City: Ottawa\nMonday to Friday: 8:00-18:00\nSaturday and Sunday: closed',
      '8:00-18:00',
      '8:00-18:00',
      'Closed',
    ],
    [
      'City: Ottawa\nOpening hours:\n- Mon-Thu: 8:00-18:00\n- Friday: 8:00-12:00\n- Sat, Sun: closed',
      '8:00-18:00',
      '8:00-12:00',
      'Closed',
    ],
    [
      '# Web design in Ottawa\n\n## Opening hours\n\n| Day | Time |\n|---|---|\n| Monday to Thursday | 8:00-18:00 |\n| Friday | 8:00-12:00 |\n| Saturday and Sunday | closed |',
      '8:00-18:00',
      '8:00-12:00',
      'Closed',
    ],
    [
      'Stadt: Ottawa\nÖffnungszeiten: Mo–Do 8:00–18:00 Uhr, Fr geschlossen, Sa und So geschlossen',
      '8:00–18:00 Uhr',
      'Geschlossen',
      'Geschlossen',
    ],
  ] as const)
    it(`stand in the rows of these days, and no note names their days: ${context.replaceAll('\n', '↵')}`, () => {
      const { html, notes } = made(template, context);
      const [thursday, friday, weekend] = texts;
      expect(html).to.contain(
        rows(['Mon–Thu', thursday], ['Friday', friday], ['Sat & Sun', weekend]),
      );
      expect(notes).to.deep.equal([]);
    });

  it('are named where a row is for days of which the context says several things', () => {
    const { html, notes } = made(
      template,
      'City: Ottawa\nHours: Mon-Fri 8:00-18:00, Sat 9:00-12:00, Sun closed',
    );
    expect(html).to.contain(
      rows(['Mon–Thu', '8:00-18:00'], ['Friday', '8:00-18:00'], ['Sat & Sun', 'Closed']),
    );
    expect(notes).to.deep.equal([
      'the opening hours "Closed" are the template\'s',
      'not used of the context: "Sun closed, Sat 9:00-12:00" (hours)',
    ]);
  });

  it('are those of structured data that said the same as a row', () => {
    const { html, notes } = made(
      template,
      'City: Ottawa\nHours: Mon-Thu 8:00-18:00, Fri 8:00-12:00, Sat-Sun closed',
      data,
    );
    expect(html)
      .to.contain('"opens":"08:00","closes":"18:00"')
      .and.to.contain('"opens":"08:00","closes":"12:00"');
    expect(notes).to.deep.equal([]);
    const closed = made(template, 'City: Ottawa\nHours: Mon-Thu 8:00-18:00, Fri-Sun closed', data);
    expect(closed.html).to.contain('"opens":"09:00","closes":"15:00"');
    expect(closed.notes).to.deep.equal(['the opening hours are the template\'s: "09:00", "15:00"']);
  });
});

describe('writePage: ratings', () => {
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
    it(`are numbers, which stars are compared with: ${given}`, () => {
      const { html, notes } = made(content, `City: Ottawa\nRating: ${given}\nReviews: 41`);
      expect(html).to.contain(`Rated ${shown} out of 5 by 41 clients`);
      expect(notes).to.deep.equal(isAsStars ? [] : ['the rating "★★★★★" is the template\'s']);
    });

  it('of another scale are none', () => {
    for (const given of ['9.2/10', '4/10', '96 %']) {
      const { html, notes } = made(content, `City: Ottawa\nRating: ${given}\nReviews: 41`);
      expect(html, given).to.contain('Rated 4.9 out of 5');
      expect(notes).to.include(
        `of the context "${given}" is no rating of 0 to 5: it is not used (rating)`,
      );
    }
  });
});

describe('writePage: labels of small words', () => {
  const list = (touch: string, place: string) =>
    `<dl><dt>Get in touch</dt><dd>${touch}</dd><dt>Where we are</dt><dd>${place}</dd></dl>`;

  for (const context of [
    'City: Ottawa\nGet in touch: Ring Bob\nWhere we are: By the bridge',
    'city;get in touch;where we are\nOttawa;Ring Bob;By the bridge',
    '{"city":"Ottawa","getInTouch":"Ring Bob","where_we_are":"By the bridge"}',
    '# Web design in Ottawa\n\n## Get in touch\n\nRing Bob\n\n## Where are we?\n\nBy the bridge',
    'City: Ottawa\n\n- **Get in touch**: Ring Bob\n- **Where we are**: By the bridge',
  ])
    it(`are keys: ${context.replaceAll('\n', '↵')}`, () => {
      const { html, notes } = made(list('Write to Ann', 'Behind the mill'), context);
      expect(html).to.contain(list('Ring Bob', 'By the bridge'));
      expect(notes).to.deep.equal([]);
    });

  it('are none for keys of other words', () => {
    const { html, notes } = made(
      list('Write to Ann', 'Behind the mill'),
      'City: Ottawa\nWhere we work: At home\nWho we are: Bob',
    );
    expect(html).to.contain(list('Write to Ann', 'Behind the mill'));
    expect(notes).to.deep.equal([
      'not used of the context: "At home" (where we work)',
      'not used of the context: "Bob" (who we are)',
    ]);
  });
});

describe('writePage: prices by name', () => {
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
    it(`are those of the blocks of these names: ${context.replaceAll('\n', '↵')}`, () => {
      const { html, notes } = made(template, context);
      expect(html).to.contain(cards(['Starter', 'C$6,200'], ['Pro', 'C$9'], ['Team', '$19']));
      expect(notes).to.deep.equal(['the price "$19" is the template\'s']);
    });

  for (const [context, ...own] of [
    [
      '{"city":"Ottawa","prices":[{"package":"Starter","amount":"C$6"},{"package":"Gold","amount":"C$8"}]}',
      ['Starter', 'C$6'],
      ['Gold', 'C$8'],
    ],
    ['{"city":"Ottawa","pricing":[{"cost":"C$6","plan":"Starter"}]}', ['Starter', 'C$6']],
  ] as [string, ...[string, string][]][])
    it(`are those of a list with keys of other words: ${context}`, () => {
      const { html, notes } = made(template, context);
      expect(html).to.contain(cards(...own));
      expect(notes).to.deep.equal([]);
    });

  it('are not said by a sum in another currency', () => {
    const { notes } = made(template, '{"city":"Ottawa","prices":{"Starter":"C$9","Team":"C$5"}}');
    expect(notes).to.deep.equal(['the price "$9" is the template\'s']);
  });

  it('are named where no block is called so', () => {
    expect(
      made(template, '{"city":"Ottawa","prices":{"Gold":{"price":"C$6","period":"year"}}}').notes,
    ).to.include('not used of the context: "C$6", "year" (prices)');
  });
});

describe('writePage: facts below the headings of a Markdown context', () => {
  const template =
    '<h2>Visit us</h2><p>Call +1 512 555 0142 or write to austin@northwind.example.</p>';
  const given = ['+1 613 555 0101', 'ottawa@northwind.example'];
  const both = '- **Phone:** +1 613 555 0101\n- Email: ottawa@northwind.example';

  for (const heading of ['Contact', 'Kontakt', 'Visit us', 'Reach us', 'Our studio'])
    it(`count for the page: ## ${heading}`, () => {
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

  it('are those of none where two sections have their own', () => {
    const context =
      'City: Ottawa\n\n## Ann\n- Phone: +1 613 555 0101\n\n## Bob\n- Phone: +1 613 555 0102';
    const { html, notes } = made(template, context);
    expect(html).to.include('+1 512 555 0142');
    expect(notes.join()).to.include(
      'not used of the context: "+1 613 555 0101", "+1 613 555 0102"',
    );
  });
});

describe('writePage: keys that are ids of slots', () => {
  const template = pageWith('<h1>Austin</h1><p>A lead.</p><p>Open daily.</p>');
  const [headline, , open] = calls
    .readTemplate(template, [])
    .slots.filter(({ role }) => role === 'heading' || role === 'paragraph');

  it('fill them, and what repeats them follows', () => {
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

  it('are named where no text of the template has the id', () => {
    const { notes } = makePage(template, { context: 'City: Ottawa\ns999: Nowhere to go' });
    expect(notes.map(({ text }) => text).join()).to.include('not used of the context');
  });
});

describe('templateKeys(slots)', () => {
  it('are names of texts, facts and labels that the template has, with their slots', () => {
    const { slots } = calls.readTemplate(
      pageWith(
        '<p>A lead.</p><a class="button" href="/x">Book</a><p>Call +1 512 555 0142.</p><dl><dt>Parking</dt><dd>Behind the house</dd></dl>',
      ),
      [],
    );
    const keys = templateKeys(slots);
    const textOf = (key: string) => slots.find(({ id }) => id === keys[key])?.text;
    expect(textOf('headline')).to.equal('Web design in Austin');
    expect(textOf('lead')).to.equal('A lead.');
    expect(textOf('phone')).to.equal('Call +1 512 555 0142.');
    expect(textOf('Parking')).to.equal('Behind the house');
    expect(keys).to.not.have.any.keys('price', 'email');
  });
});

describe('writePage: links to a telephone number', () => {
  const links = (number: string, shown: string) =>
    `<p>Call ${shown} or write.</p><a href="tel:+${number}">Call us</a> <a href="tel:+${number}">Call ${shown} now</a> ` +
    `<a href="sms:+${number}?body=Hi">Text us</a> <a href="https://wa.me/${number}?text=Hi">WhatsApp</a> ` +
    `<a href="https://api.whatsapp.com/send?phone=${number}">Chat</a> <a href="https://wa.me/4930123456">Berlin</a>`;

  for (const [phone, number] of [
    ['+1 613 555 0101', '16135550101'],
    ['(613) 555-0101', '16135550101'],
    ['+351 21 000 00 00', '351210000000'],
  ] as const)
    it(`follow it in every form, also where it is only text: ${phone}`, () => {
      for (const shown of ['+1 512 555 0142', '512 555 0142']) {
        const { html, notes } = made(links('15125550142', shown), `City: Ottawa\nPhone: ${phone}`);
        expect(html).to.contain(links(number, phone));
        expect(notes).to.deep.equal([]);
      }
    });

  it('keep another number, and all without a new one', () => {
    const { html, notes } = made(links('15125550142', '+1 512 555 0142'), 'City: Ottawa');
    expect(html).to.contain(links('15125550142', '+1 512 555 0142'));
    expect(notes).to.deep.equal(['the telephone number "+1 512 555 0142" is the template\'s']);
  });
});
