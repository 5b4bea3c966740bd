import { resolve } from 'node:path';
import { expect } from 'chai';
import {
  carriedOverSentence,
  contactLinkSentence,
  namingSentence,
  UNUSED_CONTEXT_SENTENCE,
  unusedValuesSentence,
} from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { createPageNote, noteSlots as notedSlots } from '../../../../../src/contract/task.ts';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { plainText } from '../../../../../src/agents/shared/text/parseMarks.ts';
import type { TextSlot } from '../../../../../src/sites/formats/pageParts.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { readSiblings, readSiteTemplate } from '../../../../../src/sites/pages/templates.ts';
import { folderTree } from '../../memoryTree.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const root = resolve(import.meta.dirname, '../../../../..');
const demo = folderTree(resolve(root, 'src/demo/site'));

type Description = Partial<TextSlot> & Pick<TextSlot, 'role' | 'text'>;
const slotsOf = (descriptions: Description[]): TextSlot[] =>
  descriptions.map((slot, i) => ({
    id: `s${i}`,
    section: null,
    parts: [],
    locked: false,
    ...slot,
  }));
const h = (level: number, text: string, parts: string[] = []): Description => ({
  role: 'heading',
  level,
  text,
  parts,
});
const p = (text: string, parts: string[] = []): Description => ({ role: 'paragraph', text, parts });

/**
 * Texts of a small page after it was written, in document order, and the warnings without the
 * page's name.
 */
async function write(
  descriptions: Description[],
  context: string,
  target = '/locations/lisbon',
  slug = '/locations/austin',
) {
  const slots = slotsOf(descriptions);
  expect(new Set(slots.map(({ id }) => id)).size).to.equal(slots.length);
  const { texts, notes } = writeRulesPage({ slug, slots }, { targetPageSlug: target, context });
  const warnings = notes.map(({ text }) => text);
  expect(warnings.every((warning) => warning.startsWith(`${target}: `))).to.equal(true);
  return {
    texts: slots.map(({ id, text }) => texts[id] ?? text),
    warnings: warnings.map((text) => text.slice(target.length + 2)),
  };
}

describe('writeRulesPage: notes', () => {
  it('have the kind, slot and value of a carried-over fact, and the unused context', async () => {
    const slots = slotsOf([
      h(1, 'Web design in Austin'),
      p('A website costs $4,800.'),
      p('From $90 to $80 a month.'),
    ]);
    const context = 'City: Lisbon\nTeam: Ana';
    const { notes } = writeRulesPage(
      { slug: '/austin', slots },
      { targetPageSlug: '/lisbon', context },
    );
    expect(notes).to.deep.include.members([
      createPageNote('/lisbon', 'unused', unusedValuesSentence(['"Ana" (team)']), {
        value: 'Ana',
        keys: ['team'],
      }),
    ]);
    const one = writeRulesPage(
      { slug: '/austin', slots: slots.slice(0, 2) },
      { targetPageSlug: '/lisbon', context: 'City: X' },
    );
    expect(one.notes).to.deep.equal([
      createPageNote('/lisbon', 'price', carriedOverSentence('price', ['$4,800']), {
        slot: 's1',
        value: '$4,800',
      }),
    ]);
  });

  it('name only slots that the new page has with their value', async () => {
    const path = 'locations/austin.html';
    const source = { path, source: await demo.read(path) };
    const template = pageCalls.readTemplate(source, []);
    for (const context of [
      'City: Lisbon',
      '{"city": "Lisbon", "How projects run in Austin": ["One", "Two"]}',
    ]) {
      const item = { targetPageSlug: '/locations/lisbon', context };
      const { texts, groups = {}, notes } = writeRulesPage(template, item);
      const target = { slug: item.targetPageSlug, path: 'locations/lisbon.html' };
      const { digest } = template;
      const html = pageCalls.create({
        template: source,
        siblings: [],
        sitePaths: [],
        digest,
        target,
        texts,
        groups,
      });
      const { slots } = pageCalls.read({ path: target.path, source: html });
      const textOf = (id: string) => slots.find((slot) => slot.id === id)!.text;
      const named = notes.flatMap(({ slot, value }) =>
        slot === undefined || value === undefined ? [] : [{ slot, value }],
      );
      for (const { slot, value } of named) expect(textOf(slot)).to.include(value);
      const isSame = Object.keys(groups).length === 0;
      expect(notes.some((note) => notedSlots(note).length > 0)).to.equal(isSame);
    }
  });
});

describe('writeRulesPage: topic', () => {
  const h1 = h(1, 'Web design in Austin');

  it('becomes the one that a key, the slug or the context names', async () => {
    const of = async (context: string, target: string) =>
      (await write([h1], context, target)).texts[0];
    expect(await of('City: Lisbon', '/locations/lisbon')).to.equal('Web design in Lisbon');
    expect(await of('Location: Lisbon, Portugal', '/locations/lx')).to.equal(
      'Web design in Lisbon',
    );
    expect(await of('{"city":"Lisboa"}', '/locations/lisbon')).to.equal('Web design in Lisboa');
    expect(await of('', '/locations/new-york')).to.equal('Web design in New York');
    expect(await of('', '/locations/rio-de-janeiro')).to.equal('Web design in Rio de Janeiro');
    expect(await of('Our studio in São Paulo is open.', '/locations/sao-paulo')).to.equal(
      'Web design in São Paulo',
    );
    expect(await of('Wir sind in Köln.', '/locations/koeln')).to.equal('Web design in Köln');
    expect(await of('', '/locations/são-paulo')).to.equal('Web design in São Paulo');
    expect(await of('Service: Bread\nCity: Lisbon', '/locations/lx')).to.equal(
      'Web design in Lisbon',
    );
  });

  it('is replaced as whole words in its letter case with the right article, but not in URLs', async () => {
    const texts = [
      'AUSTIN austin Austin’s Austin-based Austinite',
      'See austin.example/austin, /locations/austin and hello@austin.example in Austin',
      'An Austin baker and an AUSTIN bank for the one and the other of you',
      '<1>Austin</1> and \\<1> Austin',
    ];
    const written = await write(
      [h1, ...texts.map((text, i) => p(text, i === 3 ? ['b'] : []))],
      'City: Lisbon',
    );
    expect(written.texts.slice(1)).to.deep.equal([
      'LISBON lisbon Lisbon’s Lisbon-based Austinite',
      'See austin.example/austin, /locations/austin and hello@austin.example in Lisbon',
      'A Lisbon baker and a LISBON bank for the one and the other of you',
      '<1>Lisbon</1> and \\<1> Lisbon',
    ]);
  });

  it('is the difference between the slugs if the headline has no more of it', async () => {
    const { texts } = await write(
      [h(1, 'Web design for Austin'), p('Austin web design')],
      '',
      '/web-design-lisbon',
      '/web-design-austin',
    );
    expect(texts).to.deep.equal(['Web design for Lisbon', 'Lisbon web design']);
  });

  it('keeps the sentence case of services, and acronyms', async () => {
    const service = [h(1, 'Web design for makers'), p('Our web design, WEB DESIGN.')];
    expect(
      (await write(service, '', '/services/brand-identity', '/services/web-design')).texts,
    ).to.deep.equal(['Brand identity for makers', 'Our brand identity, BRAND IDENTITY.']);
    expect(
      (await write(service, 'Service: SEO Audits', '/services/seo', '/services/web-design'))
        .texts[1],
    ).to.equal('Our SEO audits, SEO AUDITS.');
  });

  it("is not guessed: the texts stay if the template's slug names nothing or a common word", async () => {
    const about = [h(1, 'About us'), p('We care about you.')];
    expect((await write(about, '', '/team', '/about')).texts).to.deep.equal([
      'About us',
      'We care about you.',
    ]);
    expect((await write([h(1, 'Hello')], '', '/x/lisbon', '/x/austin')).warnings).to.deep.equal([
      namingSentence('headline'),
    ]);
  });

  it('does not put the new place into the old region', async () => {
    const texts = [
      { role: 'title' as const, text: 'Web design in Austin, Texas | Acme' },
      h1,
      p('We are in Austin, Texas. In Austin, we build.'),
    ];
    expect((await write(texts, 'City: Lisbon')).texts).to.deep.equal([
      'Web design in Lisbon | Acme',
      'Web design in Lisbon',
      'We are in Austin, Texas. In Lisbon, we build.',
    ]);
  });
});

describe('writeRulesPage: data', () => {
  const page: Description[] = [
    { role: 'title', text: 'Web design in Austin | Acme' },
    { role: 'description', text: 'Sites for Austin.' },
    { role: 'social-title', text: 'Web design in Austin' },
    { role: 'social-description', text: 'Sites for Austin.' },
    { role: 'structured-data', text: 'Web design in Austin', jsonPath: 'headline' },
    h(1, 'Web design in <1>Austin</1>', ['em']),
    p('Lead.'),
    { role: 'button', text: 'Call us <1/>', parts: ['svg'] },
    { role: 'image-alt', text: 'A street' },
    h(2, 'What we do in Austin'),
    p('First. See <1>prices</1>.', ['a']),
    p('Second.'),
    { role: 'list-item', text: 'One' },
    { role: 'list-item', text: 'Two' },
    h(2, 'Frequently asked questions'),
    { role: 'other', text: 'Why?' },
    p('Because.'),
  ];

  it('fills what keys name, and updates previews and structured data', async () => {
    const { texts, warnings } = await write(
      page,
      'City: Lisbon\nTitle: T | Acme\nHeadline: Design from Lisbon\nDescription: D & <1>\nSubtitle: S\nCTA: Ring\nImage alt: A tram',
    );
    expect(texts.slice(0, 9)).to.deep.equal([
      'T | Acme',
      'D & \\<1>',
      'T | Acme',
      'D & \\<1>',
      'Design from Lisbon',
      'Design from <1>Lisbon</1>',
      'S',
      'Ring<1/>',
      'A tram',
    ]);
    expect(texts[9]).to.equal('What we do in Lisbon');
    expect(warnings).to.deep.equal([]);
  });

  it('fills sections by their headings: paragraphs and items in order, with their links', async () => {
    const { texts, warnings } = await write(
      page,
      '# Lisbon sites\n\nNew lead text here.\n\n## What we do in Lisbon\n\nWe design.\n\nWe build.\n\nWe stay.\n\n- Uno\n- Dos\n- Tres\n\n## FAQ\n\n### How?\nSo.\n\n## Parking\nNone.',
    );
    expect(texts.slice(5)).to.deep.equal([
      'Lisbon <1>sites</1>',
      'New lead text here.',
      'Call us <1/>',
      'A street',
      'What we do in Lisbon',
      'We design. <1>prices</1>',
      'We build. We stay.',
      'Uno',
      'Dos',
      'FAQ',
      'How?',
      'So.',
    ]);
    expect(warnings).to.deep.equal([
      unusedValuesSentence(['"Tres" (What we do in Lisbon)', '"None." (Parking)']),
    ]);
  });

  it('fills the same from JSON and YAML', async () => {
    const data = {
      headline: 'H',
      sections: [{ heading: 'What we do', text: ['A.', 'B.'], items: ['1', '2'] }],
      faq: [{ question: 'Who?', answer: 'We.' }],
    };
    const yaml =
      'headline: H\nsections:\n  - heading: What we do\n    text: [A., B.]\n    items: ["1", "2"]\nfaq:\n  - question: Who?\n    answer: We.';
    const json = await write(page, JSON.stringify(data));
    expect(json.texts.slice(9)).to.deep.equal([
      'What we do',
      'A. <1>prices</1>',
      'B.',
      '1',
      '2',
      'Frequently asked questions',
      'Who?',
      'We.',
    ]);
    expect(await write(page, yaml)).to.deep.equal(json);
  });

  it('uses prose as the lead, but never an order to a writer', async () => {
    expect(
      (await write(page, 'We build sites in Lisbon since the tram came. Come and see.')).texts[6],
    ).to.equal('We build sites in Lisbon since the tram came. Come and see.');
    const order = await write(
      page,
      'Write a friendly page about our office in Lisbon. Mention the river.',
    );
    expect(order.texts[6]).to.equal('Lead.');
    expect(order.warnings.join()).to.contain('AGENT_MODEL');
    expect((await write(page, 'Lisbon')).warnings).to.deep.equal([]);
    for (const letter of [
      'Hi, can you make the page for Lisbon? The office is at 15 East 5th Street. We opened in 2021. Thanks, Jo.',
      'This is for our new Lisbon branch. Please keep it short and friendly.',
      'We need a page about Lisbon. It opens in May.',
    ]) {
      const { texts, warnings } = await write(page, letter);
      expect(texts[6], letter).to.equal('Lead.');
      expect(warnings.join(), letter).to.contain('AGENT_MODEL');
    }
    for (const own of [
      'Hello from Lisbon, where we work.',
      'We want you to be found, and called.',
      'Would you like to be found?',
    ])
      expect((await write(page, own)).texts[6]).to.equal(own);
  });
});

describe('writeRulesPage: keys that are labels of the template', () => {
  const dt = (text: string): Description => ({ role: 'list-item', text, label: true });
  const item = (text: string): Description => ({ role: 'list-item', text });
  const page = [
    { ...p('Austin studio, open since 2014'), id: 's110' },
    { ...h(1, 'Design in Austin'), id: 's111' },
    dt('Next free start in Austin'),
    item('January 11, 2027'),
    dt('Price'),
    item('$5'),
    item('Free parking'),
    item('Breakfast'),
    { ...p('Founded: by two friends, in May'), id: 's120' },
    { ...p('A recent project'), id: 's130' },
    { ...h(2, 'A bakery'), id: 's131' },
    p('It costs $9 in the long run, and since we say so.'),
  ];

  it('put their values behind the labels, however exactly they are named', async () => {
    const context = {
      city: 'Rome',
      facts: { 'Open since': '2019', next_free_start: 'May 3, 2027' },
      price: '€7',
      'Founded by': 'x',
      'A recent project': 'A florist',
    };
    const { texts, warnings } = await write(page, JSON.stringify(context));
    expect(texts).to.deep.equal([
      'Rome studio, open since 2019',
      'Design in Rome',
      'Next free start in Rome',
      'May 3, 2027',
      'Price',
      '€7',
      'Free parking',
      'Breakfast',
      'Founded: by two friends, in May',
      'A recent project',
      'A florist',
      'It costs $9 in the long run, and since we say so.',
    ]);
    expect(warnings).to.deep.equal([
      unusedValuesSentence(['"x" (founded by)']),
      carriedOverSentence('price', ['$9']),
    ]);
  });

  it('do not match half of a label, other days, and parts of an address', async () => {
    const page = [
      h(1, 'Austin'),
      dt('Projects start at'),
      p('$4,800'),
      dt('Monday to Thursday'),
      p('9–5'),
      dt('Address'),
      p('4 Elm Street, Austin, TX 78701'),
    ];
    const of = async (context: object) =>
      (await write(page, JSON.stringify({ city: 'Lisbon', ...context }))).texts.filter((_, i) =>
        [2, 4, 6].includes(i),
      );
    const old = ['$4,800', '9–5', '4 Elm Street, Austin, TX 78701'];
    expect(await of({ start: '2020', Monday: '10am – 4pm' })).to.deep.equal(old);
    const address = {
      line1: '233 South Wacker Drive',
      line2: 'Floor 44',
      city: 'Chicago',
      state: 'IL',
      zip: '60606',
    };
    expect((await of({ city: 'Chicago', address }))[2]).to.equal(
      '233 South Wacker Drive, Floor 44, Chicago, IL 60606',
    );
  });

  it('do not match in a line that holds another fact', async () => {
    const page = [h(1, 'Austin'), p('Phone: (512) 555-0142, Fax: (512) 555-0143')];
    const { texts, warnings } = await write(
      page,
      'City: Lisbon\nPhone: (613) 555-0101\nFax: (613) 555-0102',
    );
    expect(texts[1]).to.equal('Phone: (613) 555-0101, Fax: (512) 555-0143');
    expect(warnings.join()).to.contain('(512) 555-0143').and.to.contain('555-0102');
  });

  it('do not match text that is not a label: a list item, a word of a sentence', async () => {
    const { texts, warnings } = await write(page, 'Free parking: no\nLong run: yes\nStart: now');
    expect(texts).to.deep.equal((await write(page, '')).texts);
    expect(warnings.filter((text) => text.startsWith(unusedValuesSentence([])))).to.deep.equal([
      unusedValuesSentence(['"no" (free parking)', '"yes" (long run)', '"now" (start)']),
    ]);
  });
});

describe('writeRulesPage: repeated headlines', () => {
  const page: Description[] = [
    { role: 'title', text: 'Design in Austin | Acme' },
    { id: 's1.content', role: 'social-title', text: 'Design in Austin' },
    { id: 's2.content', role: 'social-title', text: 'Design in Austin | Acme' },
    { id: 's3.content', role: 'social-title', text: 'We design' },
    { id: 's4.content', role: 'image-alt', text: 'Design in Austin' },
    { role: 'structured-data', text: 'Design in Austin | Acme', jsonPath: 'name' },
    { role: 'structured-data', text: 'Design in Austin', jsonPath: 'itemListElement[1].name' },
    { role: 'structured-data', text: 'Acme', jsonPath: 'publisher.name' },
    h(1, 'Design in Austin'),
  ];

  it('include the title and the texts that repeat the title or the headline', async () => {
    expect((await write(page, 'Headline: Sites')).texts).to.deep.equal([
      'Sites | Acme',
      'Sites',
      'Sites | Acme',
      'We design',
      'Sites',
      'Sites | Acme',
      'Sites',
      'Acme',
      'Sites',
    ]);
  });
});

describe('writeRulesPage: facts', () => {
  const page: Description[] = [
    { role: 'structured-data', text: '+1-512-555-0142', jsonPath: 'telephone' },
    { role: 'structured-data', text: '4 Elm Street', jsonPath: 'address.streetAddress' },
    { role: 'structured-data', text: 'Austin', jsonPath: 'address.addressLocality' },
    { role: 'structured-data', text: '78701', jsonPath: 'address.postalCode' },
    h(1, 'Design in Austin'),
    p(
      'Call (512) 555-0142 or <1>write</1> to austin@acme.example, 4 Elm Street, Austin, TX 78701.',
      ['a'],
    ),
    p('Open Mon–Fri 9 am – 5 pm. From $4,800. Rated 4.9 out of 5. On 3 May 2025.'),
  ];

  it('are carried over without a replacement, and are named once each', async () => {
    const { texts, warnings } = await write(page, 'City: Lisbon');
    expect(texts.slice(0, 4)).to.deep.equal(page.slice(0, 4).map(({ text }) => text));
    expect(texts.slice(5)).to.deep.equal(page.slice(5).map(({ text }) => text));
    expect(warnings).to.deep.equal([
      [
        carriedOverSentence('telephone number', ['(512) 555-0142']),
        carriedOverSentence('e-mail address', ['austin@acme.example']),
        carriedOverSentence('address', ['4 Elm Street, Austin, TX 78701']),
        carriedOverSentence('opening hours', ['Mon–Fri 9 am – 5 pm']),
      ].join('; '),
      carriedOverSentence('price', ['$4,800']),
      carriedOverSentence('rating', ['4.9']),
      carriedOverSentence('date', ['3 May 2025']),
    ]);
  });

  it('are replaced everywhere', async () => {
    const context =
      'City: Lisbon\nPhone: +351 21 555 0100\nEmail: l@acme.example\nAddress: Rua Augusta 1, 1100-053 Lisboa\nHours: daily 10–18 h\nPrice: €4,000\nRating: 4.7/5\nDate: 1 June 2026';
    const { texts, warnings } = await write(page, context);
    expect(texts).to.deep.equal([
      '+351 21 555 0100',
      'Rua Augusta 1, 1100-053 Lisboa',
      'Lisbon',
      '',
      'Design in Lisbon',
      'Call +351 21 555 0100 or <1>write</1> to l@acme.example, Rua Augusta 1, 1100-053 Lisboa.',
      'Open daily 10–18 h. From €4,000. Rated 4.7 out of 5. On 1 June 2026.',
    ]);
    expect(warnings).to.deep.equal([contactLinkSentence('e-mail address', 'austin@acme.example')]);
  });

  it('do not cause a warning about a link of a number that is replaced, for the first of several', async () => {
    const links = [
      h(1, 'Austin'),
      p('Call <1>(512) 555-0142</1>', ['a']),
      p('<1>Call (512) 555-0142</1>', ['a']),
    ];
    const warned = async (phone: string, ...slots: Description[]) =>
      (await write(slots, `City: Lisbon\nPhone: ${phone}`)).warnings.filter((text) =>
        text.startsWith('the link of the new'),
      );
    expect(await warned('+351 21 555 0100', links[0]!, links[1]!)).to.deep.equal([]);
    expect(await warned('+351 21 555 0100', ...links)).to.deep.equal([]);
    expect(await warned('+351 21 555 0100 or +351 21 555 0101', ...links)).to.deep.equal([]);
  });

  it('are not all replaced by one value: several prices need as many replacements', async () => {
    const prices = [h(1, 'Austin'), p('$10'), p('$20'), p('$10 a month')];
    expect((await write(prices, 'City: Lisbon\nPrice: €5')).texts.slice(1)).to.deep.equal([
      '$10',
      '$20',
      '$10 a month',
    ]);
    expect((await write(prices, '{"prices":["€5","€9"]}')).texts.slice(1)).to.deep.equal([
      '€5',
      '€9',
      '€5 a month',
    ]);
  });

  it('are numbers where structured data has numbers', async () => {
    const data = ['ratingValue', 'reviewCount', 'latitude', 'longitude'].map(
      (jsonPath, i): Description => ({
        id: `d${i}`,
        role: 'structured-data',
        text: `${i + 1}.123`,
        jsonPath,
      }),
    );
    const of = async (context: object) =>
      (
        await write([h(1, 'Austin'), ...data], JSON.stringify({ city: 'Lisbon', ...context }))
      ).texts.slice(1);
    const old = data.map(({ text }) => text);
    expect((await of({ rating: '4.6/5 (212 reviews)' })).slice(0, 2)).to.deep.equal(['4.6', '212']);
    expect(
      (await of({ rating: '4,8 von 5', reviews: '1.234 Bewertungen' })).slice(0, 2),
    ).to.deep.equal(['4.8', '1234']);
    expect(
      await of({ rating: 'five stars', reviews: ['Great people. - Amy Poe, Poe Cafe'] }),
    ).to.deep.equal(old);
    expect((await of({ coordinates: '39.5296° N, 119.8138° W' })).slice(2)).to.deep.equal([
      '39.5296',
      '-119.8138',
    ]);
    expect((await of({ lat: '-33.9', lng: '18.4° E' })).slice(2)).to.deep.equal(['-33.9', '18.4']);
  });

  it('are named together by their kind, and counted if there are too many to name', async () => {
    const many = Array.from({ length: 40 }, (_, i) => p(`Only $${i + 1}`));
    const { warnings } = await write([h(1, 'Austin'), ...many], 'City: Lisbon');
    const prices = many.map((_, i) => `$${i + 1}`);
    const sentence = carriedOverSentence('price', prices);
    expect(warnings).to.deep.equal([sentence]);
    expect(sentence)
      .to.match(/^40 .*"\$8".* 32\b/)
      .and.not.include('"$9"');
  });
});

describe('writeRulesPage: addresses in structured data', () => {
  const json = (name: string, text: string): Description => ({
    id: `s9.${name}`,
    role: 'structured-data',
    text,
    jsonPath: `address.${name}`,
  });
  const parts = [
    ['streetAddress', '40 Larimer Row'],
    ['addressLocality', 'Denver'],
    ['addressRegion', 'CO'],
    ['postalCode', '80202'],
    ['addressCountry', 'US'],
  ] as const;
  const page = [h(1, 'Web design in Denver'), ...parts.map(([name, text]) => json(name, text))];
  const written = (context: string) =>
    write(page, context, '/locations/porto', '/locations/denver');

  it('stay whole if the context has no street, and are named', async () => {
    const { texts, warnings } = await written('City: Porto\nZip: 4000-001');
    expect(texts.slice(1)).to.deep.equal(parts.map(([, text]) => text));
    expect(warnings).to.deep.equal([
      unusedValuesSentence(['"4000-001" (zip)']),
      carriedOverSentence('address', ['40 Larimer Row', 'Denver', '80202']),
    ]);
  });

  it('are replaced as one text, or in parts if the context names them', async () => {
    for (const [context, expected] of [
      [
        'Street: Rua 1\nCity: Porto\nState: Norte\nZip: 4000-001\nCountry: PT',
        ['Rua 1', 'Porto', 'Norte', '4000-001', 'PT'],
      ],
      [
        'Address: Rua 1, 4000-001 Porto, Norte, Portugal',
        ['Rua 1, 4000-001 Porto, Norte, Portugal', 'Porto', '', '', 'PT'],
      ],
      [
        '{"address":["12 King St","Ottawa, ON K1A 0B1"]}',
        ['12 King St, Ottawa, ON K1A 0B1', 'Porto', '', '', 'CA'],
      ],
      [
        '{"Adresse":{"Straße":"Ring 1","PLZ":"1010","Ort":"Wien","Land":"Österreich"}}',
        ['Ring 1', 'Wien', '', '1010', 'AT'],
      ],
    ] as const)
      expect((await written(context)).texts.slice(1), context).to.deep.equal(expected);
  });

  it('are replaced in each text with the parts that it shows, while another address stays', async () => {
    const lines = [
      h(1, 'Web design in Denver'),
      p('40 Larimer Row<1/>Denver, CO 80202', ['br']),
      p('At 40 Larimer Row, Denver, CO 80202'),
      p('Head office: 7 Elm Street, Boulder, CO 80301'),
    ];
    const { texts } = await write(
      lines,
      'Address: Ring 4, 50667 Köln',
      '/locations/koeln',
      '/locations/denver',
    );
    expect(texts.slice(1)).to.deep.equal([
      'Ring 4<1/>50667 Köln',
      'At Ring 4, 50667 Köln',
      'Head office: 7 Elm Street, Boulder, CO 80301',
    ]);
    const german = [
      h(1, 'Köln'),
      p('Ring 4<1/>50667 Köln', ['br']),
      p('Hauptstraße 4, 50667 Köln'),
    ];
    const boston = await write(
      german,
      'Street: 200 State St\nCity: Boston\nState: MA\nZip: 02109',
      '/l/boston',
      '/l/koeln',
    );
    expect(boston.texts.slice(1)).to.deep.equal([
      '200 State St<1/>Boston, MA 02109',
      'Hauptstraße 4, 50667 Köln',
    ]);
  });
});

describe('writeRulesPage: contexts as people write them', () => {
  const page = [h(1, 'Web design in Austin'), p('We build websites that are fast.')];

  it('are read from fences, arrays, and texts around their lines', async () => {
    for (const context of [
      '```json\n{"headline":"Sites in Porto"}\n```',
      '[{"headline":"Sites in Porto"}]',
      'New page for Porto.\nHeadline: Sites in Porto\nLead: We build.',
    ]) {
      const { texts, warnings } = await write(page, context, '/locations/porto');
      expect(texts[0], context).to.equal('Sites in Porto');
      expect(warnings.join('\n')).not.to.contain('no part of the context');
    }
  });

  it('are named if nothing of them was used', async () => {
    for (const context of ['{"a":', '{"city": "Lisbon"', '["Lisbon"]', 'blah blah', '[1, 2]'])
      expect((await write(page, context)).warnings[0], context).to.equal(UNUSED_CONTEXT_SENTENCE);
    for (const context of ['', 'Lisbon', 'City: Lisbon'])
      expect((await write(page, context)).warnings.join('\n'), context).not.to.contain(
        UNUSED_CONTEXT_SENTENCE,
      );
  });
});

describe('writeRulesPage: whole sites', () => {
  it('writes landing pages of the demo site that no longer name the template, except in its facts', async () => {
    const cities = ['Lisbon', 'São Paulo', 'Aix-en-Provence', 'Łódź'];
    const path = 'locations/austin.html';
    const template = await readSiteTemplate(demo, pages, path);
    const siblings = await readSiblings(demo, pages, path);
    for (const city of cities) {
      const slug = `/locations/${city.normalize('NFD').replace(/\p{M}/gu, '').replace('Ł', 'L').toLowerCase().replaceAll(' ', '-')}`;
      const item = {
        targetPageSlug: slug,
        context: `City: ${city}\nHeadline: Web design in ${city}`,
      };
      const { texts, notes } = writeRulesPage(template, item);
      const warnings = notes.map(({ text }) => text);
      expect(writeRulesPage(template, item)).to.deep.equal({ texts, notes });
      const target = { slug, path: `${slug.slice(1)}.html` };
      const source = { path, source: await demo.read(path) };
      const html = await pages.create({
        template: source,
        target,
        texts,
        sitePaths: [...demo.entries.keys()],
        digest: template.digest,
        siblings,
      });
      const { title, slots } = await pages.read({ path: target.path, source: html });
      expect(title).to.equal(`Web design in ${city} | Northwind Studio`);
      const left = slots.map(({ text }) => plainText(text)).filter((text) => /austin/i.test(text));
      expect(left).to.deep.equal([
        'austin@northwind.example',
        'Austin',
        '418 Juniper Street, Suite 2, Austin, TX 78701',
        'austin@northwind.example',
      ]);
      expect(warnings.join('\n')).to.contain(
        carriedOverSentence('telephone number', ['+1 512 555 0142']),
      );
    }
  });
});
