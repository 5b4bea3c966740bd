import { expect } from 'chai';
import { noteValues } from '../../../../../src/contract/task.ts';
import {
  answerProblems,
  textProblems,
} from '../../../../../src/agents/model/page/answerProblems.ts';
import { createPageFromAnswer } from '../../../../../src/agents/model/page/createPageFromAnswer.ts';
import { answered, pageOf, problemsIn, renamed, siteTemplate, templateOf } from './templates.ts';
import { pageWith } from '../../rules/page/makePage.ts';

const austin = siteTemplate('demo', 'locations/austin.html');
const about = siteTemplate('business', 'about.html');
const post = siteTemplate('blog', 'post.html');
/** What an honest model writes at least, for the page about Lisbon. */
const honest = renamed(austin, 'Austin', 'Lisbon');
delete honest['s206'];
const without = (texts: Record<string, string>, ...ids: string[]) =>
  Object.fromEntries(Object.entries(texts).filter(([id]) => !ids.includes(id)));
const lisbon = (texts: Record<string, string> = {}) => ({ ...honest, ...texts });

describe('createPageFromAnswer(job, value): a page', () => {
  it('has the texts of the answer, and the template’s texts where the answer has none', () => {
    const page = pageOf(austin, { texts: lisbon({ s77: 'Open today. Come in for a coffee.' }) });
    expect(page.texts).to.include({
      s57: 'Web design in Lisbon',
      s77: 'Open today. Come in for a coffee.',
    });
    expect(page.texts).to.not.have.any.keys('s79', 's190', 's101');
    expect(page.html()).to.include('<h1>Web design in Lisbon</h1>').and.to.include('Visit us');
    expect(page.faults()).to.deep.equal([]);
  });

  it('keeps marks if the text has them, and every byte around texts', () => {
    const page = pageOf(austin, {
      texts: lisbon({ s147: 'In week one, <1>half of the orders</1> came at night.' }),
    });
    expect(page.html()).to.include(
      'In week one, <strong>half of the orders</strong> came at night.',
    );
    const two = 'Pictures by <2>our own team</2>, words by <1>nobody</1>';
    expect(
      pageOf(post, { texts: { s58: two } }, { targetPageSlug: '/trip', context: 'x' }).html(),
    ).to.match(/Pictures by\s+<a[^>]*>our own team<\/a>, words by\s+<a[^>]*>nobody<\/a>/);
  });

  it('changes only texts and groups, whatever the texts say', () => {
    const tags = (html: string) =>
      html
        .match(/<[a-z][^>]*>/gi)
        ?.map((tag) => tag.replace(/(?:content|alt|href|aria-label)="[^"]*"/g, ''));
    const nasty = 'A & B > C " onload=x \' {x} javascript:alert(1) <3 \\';
    const page = pageOf(
      about,
      { texts: { s66: nasty, s71: nasty } },
      { targetPageSlug: '/team', context: 'x' },
    );
    expect(tags(page.html())).to.deep.equal(tags(about.page.source));
  });

  it('has no junk, and leads links to the contact that the page shows', () => {
    const shown =
      '<p>Call <a href="tel:+15125550142">(512) 555-0142</a>.</p><p><a href="mailto:a@b.example">a@b.example</a></p><p>Text.</p>';
    const open = templateOf(pageWith(shown));
    const idOf = (text: string) => open.template.slots.find((slot) => slot.text.includes(text))!.id;
    const own = renamed(open, 'Austin', 'Lisbon');
    const problems = (text: string, now: string) =>
      problemsIn(open, { texts: { ...own, [idOf(text)]: now } });
    for (const [junk, code] of [
      ['#REF!', 'spreadsheet-error'],
      ['In {{city}}', 'merge-field'],
    ] as const)
      expect(problems('Text.', junk)).to.deep.equal([textProblems.junk(idOf('Text.'), code)]);
    expect(problems('a@b.example', '<1>not-an-email</1>')).to.deep.equal([
      textProblems.brokenMarks(idOf('a@b.example')),
      textProblems.otherKind(idOf('a@b.example'), 'e-mail address'),
    ]);
    const context = 'City: Lisbon\nEmail: not-an-email\nPhone: #REF!';
    const page = pageOf(open, { texts: { ...own, [idOf('Text.')]: 'New text.' } }, { context });
    expect(page.html()).to.contain(shown.replace('Text.', 'New text.'));
    expect(page.said('unused')).to.have.members(['not-an-email', '#REF!']);
  });

  it('adds members to a group, whose texts are named by their member with +n', () => {
    const texts = {
      's81+1': 'Ana Reis',
      's82+1': 'Designer',
      's81+2': 'Rui Sol',
      's82+2': 'Writer',
    };
    const page = pageOf(
      about,
      { texts, groups: { g73: 6 } },
      { targetPageSlug: '/team', context: 'Ana Reis, Designer; Rui Sol, Writer' },
    );
    expect(page.groups).to.deep.equal({ g73: 6 });
    expect(page.html().match(/<h5[^>]*>[^<]*/g)).to.have.length(6);
    expect(page.html().indexOf('Rui Sol')).to.be.above(page.html().indexOf('Ana Reis'));
    expect(page.faults()).to.deep.equal([]);
    expect(page.notes.map(({ slot }) => slot)).to.deep.equal(page.notes.map(() => undefined));
  });

  it('removes the last members of a group', () => {
    const texts = without(lisbon(), 's93');
    const page = pageOf(austin, { texts, groups: { g86: 2, g166: 1 } });
    expect(page.groups).to.deep.equal({ g86: 2, g166: 1 });
    expect(page.html()).to.not.include('Next free start').and.to.not.include('$9,600');
  });

  it('keeps the members of a group that the answer names', () => {
    const texts = without(lisbon(), 's90', 's91', 's172', 's173', 's174', 's175');
    const page = pageOf(austin, {
      texts,
      groups: { g86: { members: 2, keep: [1, 3] }, g166: { members: 1, keep: [3] } },
    });
    expect(page.groups).to.deep.equal({
      g86: { members: 2, keep: [0, 2] },
      g166: { members: 1, keep: [2] },
    });
    const html = page.html();
    const gone = austin.template.slots.find(({ id }) => id === 's90')!.text;
    expect(austin.page.source).to.include(gone);
    expect(html).to.include('Next free start').and.to.not.include(gone);
    expect(html).to.include('$18,000').and.to.not.include('$9,600');
    expect(page.faults()).to.deep.equal([]);
  });

  it('puts new members behind the members that stay', () => {
    const page = pageOf(
      about,
      {
        texts: { 's81+1': 'Ana Reis', 's82+1': 'Designer' },
        groups: { g73: { members: 2, keep: [2] } },
      },
      { targetPageSlug: '/team', context: 'Ana Reis, Designer' },
    );
    const names = [...page.html().matchAll(/<h5[^>]*>([^<]*)/g)].map(([, text]) => text);
    const [, kept] = about.template.groups!.find(({ id }) => id === 'g73')!.members;
    expect(names).to.deep.equal([
      about.template.slots.find(({ id }) => id === kept![0])!.text,
      'Ana Reis',
    ]);
    expect(page.faults()).to.deep.equal([]);
  });

  it('removes the structured data of removed members', () => {
    const pricing = siteTemplate('demo', 'pricing.html');
    const item = { targetPageSlug: '/prices', context: 'No Studio, no charities' };
    const texts = { s48: 'Two prices' };
    const data = (html: string) =>
      [...html.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g)].map(
        ([, json]) => JSON.parse(json!) as Record<string, { name: string }[]>,
      );
    const page = pageOf(
      pricing,
      {
        texts,
        groups: { g54: { members: 2, keep: [1, 3] }, g136: { members: 3, keep: [2, 3, 4] } },
      },
      item,
    );
    const [, questions] = data(page.html());
    expect(questions!['mainEntity']!.map(({ name }) => name)).to.deep.equal([
      'When do we pay?',
      'Are there running costs?',
      'Do you work for charities?',
    ]);
    expect(page.notes.map(({ text }) => text).join()).to.not.contain('structured data repeats');
    expect(page.faults()).to.deep.equal([]);
    const fewer = pageOf(pricing, { texts, groups: { g136: 1 } }, item);
    expect(data(fewer.html())[1]!['mainEntity']).to.have.length(1);
  });

  for (const [keep, members, ...expected] of [
    [[0], 1, answerProblems.keptMembers('g86', [0], 3)],
    [[4], 1, answerProblems.keptMembers('g86', [4], 3)],
    [[2, 1], 2, answerProblems.keptMembers('g86', [2, 1], 3)],
    [[2, 2], 2, answerProblems.keptMembers('g86', [2, 2], 3)],
    [[1, 2], 1, answerProblems.keptCount('g86', 2, 1)],
    [[1.5], 1, answerProblems.wrongForm('"groups[0].keep[0]" must be an integer')],
    [[2], 0, answerProblems.memberCount('g86', 0)],
    [[1, 3], 2, answerProblems.removedMember('s90'), answerProblems.removedMember('s91')],
  ] as const)
    it(`is rejected if it keeps ${keep.join(' and ')} of ${members}`, () => {
      const texts = lisbon({ s90: 'New', s91: 'Newer' });
      const problems = problemsIn(austin, { texts, groups: { g86: { members, keep: [...keep] } } });
      expect(problems).to.deep.equal(expected);
    });

  it('accepts both names for attributes of new members', () => {
    const cards = [1, 2].map(
      (n) => `<li><h3>Card ${n}</h3><img src="a.png" alt="Picture ${n}"><p>Text ${n}.</p></li>`,
    );
    const open = templateOf(pageWith(`<ul>${cards.join('')}</ul>`));
    const [group] = open.template.groups!;
    const [heading, alt, text] = group!.members[group!.pattern]!;
    for (const name of [`${alt}+1`, alt!.replace('.alt', '+1.alt')]) {
      const texts = {
        ...renamed(open, 'Austin', 'Lisbon'),
        [`${heading}+1`]: 'New',
        [`${text}+1`]: 'Fresh.',
        [name]: 'A view',
      };
      const page = pageOf(open, { texts, groups: { [group!.id]: 3 } });
      expect(page.html()).to.include('alt="A view"');
    }
  });

  it('updates titles, previews and structured data, unless the model wrote them', () => {
    const context = 'City: Lisbon\nPhone: +351 21 555 0199\nEmail: ola@northwind.example';
    const texts = lisbon({
      s57: 'Websites for Lisbon',
      s209: '+351 21 555 0199',
      s212: 'ola@northwind.example',
    });
    const left = without(texts, 's4', 's12.content', 's13.content', 's18.content', 's19.content');
    const page = pageOf(austin, { texts: left }, { context });
    expect(page.html()).to.include('<title>Websites for Lisbon | Northwind Studio</title>');
    expect(page.html()).to.include('property="og:title" content="Websites for Lisbon"');
    expect(page.texts['s13.content']).to.equal(page.texts['s5.content']);
    expect(page.html())
      .to.match(/"telephone": ?"\+351[- ]?21[- ]?555[- ]?0199"/)
      .and.to.include('"email": "ola@northwind.example"');
    expect(page.html())
      .to.include('href="tel:+351215550199"')
      .and.to.include('mailto:ola@northwind.example');
    expect(page.html()).to.include('"name": "Northwind Studio Lisbon"');
    const own = pageOf(
      austin,
      { texts: { ...left, s4: 'Lisbon websites', 's12.content': 'Share Lisbon' } },
      { context },
    );
    expect(own.html()).to.include('<title>Lisbon websites</title>');
    expect(own.html()).to.include('property="og:title" content="Share Lisbon"');
  });

  it('updates structured data for a number that only the page states', () => {
    const page = pageOf(
      austin,
      { texts: lisbon({ s209: '+351 21 555 0199' }) },
      { context: 'Call us on 21 555 0199 or 21 555 0198 in Lisbon.' },
    );
    expect(page.html()).to.match(/"telephone": ?"\+351[- ]?21[- ]?555[- ]?0199"/);
  });

  it('is in the language that the context or the model names', () => {
    expect(
      pageOf(austin, { texts: lisbon() }, { context: 'Language: Portuguese\nCity: Lisbon' }).lang,
    ).to.equal('pt');
    const page = pageOf(austin, { texts: lisbon({ lang: 'pt-pt' }) });
    expect(page.lang).to.equal('pt-PT');
    expect(page.html()).to.include('<html lang="pt-PT"');
    expect(pageOf(austin, { texts: lisbon() })).to.not.have.property('lang');
    expect(problemsIn(austin, { texts: lisbon({ lang: 'gibberish!' }) })).to.deep.equal([
      answerProblems.notLanguage('lang', 'gibberish!'),
    ]);
  });
});

describe('createPageFromAnswer(job, value): notes', () => {
  it("name the carried-over facts of the template, as the rules' notes do", () => {
    const page = pageOf(austin, { texts: lisbon() });
    expect(page.said('price')).to.deep.equal(['$4,800', '$9,600', '$18,000', '$4,800–$18,000']);
    expect(page.said('rating').join()).to.include('4.9');
    expect(page.said('rating').join()).to.include('86');
    expect(page.said('quote')).to.have.length(2);
    expect(page.said('contact').join()).to.include('512 555 0142');
    expect(page.said('contact').join()).to.include('418 Juniper Street');
    expect(page.said('date')).to.deep.equal(['January 11, 2027', '2014']);
  });

  it("name a template's fact that the model wrote again, and none that the context gives", () => {
    const texts = {
      ...lisbon({ s155: 'All for $4,800, words and pictures included.' }),
      s88: '$5,200',
    };
    expect(pageOf(austin, { texts }).said('price').join()).to.include('$4,800');
    const given = pageOf(
      austin,
      { texts: lisbon() },
      { context: 'City: Lisbon\nPrices: $4,800, $9,600 and $18,000, $4,800–$18,000' },
    );
    expect(given.said('price')).to.deep.equal([]);
  });

  it('report the removed blocks that only state facts of the template, with facts: drop', () => {
    const page = pageOf(austin, { texts: lisbon() }, { facts: 'drop' });
    expect(page.removed).to.not.be.empty;
    expect(page.html()).to.not.match(
      /Ruth Calloway|Marcus Deane|\$4,800|Rated 4\.9|418 Juniper|512[ -]555/,
    );
    expect(page.said('requested').join()).to.include('418 Juniper Street').and.to.include('4.9');
    expect(page.faults()).to.deep.equal([]);
    const given = pageOf(
      austin,
      { texts: lisbon({ s62: 'Rated 4.7 out of 5 by 12 clients' }) },
      { facts: 'drop', context: 'City: Lisbon\nRating: 4.7\nReviews: 12' },
    );
    expect(given.html()).to.include('Rated 4.7 out of 5 by 12 clients');
  });

  it('name unused values of the context by their keys', () => {
    const context =
      'City: Lisbon\nParking: free behind the house\nPhone: +351 21 555 0199\nTone: warm';
    const missing = pageOf(austin, { texts: lisbon() }, { context });
    expect(missing.said('unused').join())
      .to.include('+351 21 555 0199')
      .and.to.not.match(/Lisbon|warm/);
    const all = pageOf(
      austin,
      {
        texts: lisbon({
          s77: 'Call +351 21 555 0199.',
          s202: 'There is free parking behind the house, and good coffee.',
        }),
      },
      { context },
    );
    expect(all.said('unused')).to.deep.equal([]);
  });

  it('accept a copywriter’s words for a sentence, but not for its facts, numbers and names', () => {
    const context =
      'Our studio in Lisbon opened in 2019. It is run by Marta Pinto, who loves slow mornings.';
    expect(
      pageOf(austin, { texts: lisbon({ s56: 'Lisbon studio' }) }, { context })
        .said('unused')
        .join(),
    ).to.equal('2019, Marta Pinto');
    const texts = lisbon({
      s56: 'Lisbon studio, open since 2019',
      s202: 'Ask for Marta Pinto when you come by.',
    });
    expect(pageOf(austin, { texts }, { context }).said('unused')).to.deep.equal([]);
  });

  const invented: Record<string, [text: string, found: string]> = {
    'a number': ['We made websites for 350 businesses in Lisbon.', '350'],
    'a year': ['In Lisbon since 1987, and still here.', '1987'],
    'a price': ['From €390 for businesses in Lisbon.', '€390'],
    'a share': ['Our Lisbon clients get 40% more calls.', '40'],
    'a person': ['In Lisbon you meet Joana Teles first.', 'Joana Teles'],
    'an award': ['Our Lisbon team won the Golden Anchor.', 'Golden Anchor'],
    'a client': ['Trusted in Lisbon by Contoso and others.', 'Contoso'],
    'a telephone number': ['In Lisbon, call 21 999 8877 for a talk.', '21 999 8877'],
    'a mailbox': ['Write to lisbon@somebody.example for a talk.', 'lisbon@somebody.example'],
    'a street': ['Find us at 12 Ocean Drive, Lisbon.', '12 Ocean Drive'],
  };
  for (const [what, [text, found]] of Object.entries(invented))
    it(`name ${what} that nobody gave: ${text}`, () => {
      const page = pageOf(austin, { texts: lisbon({ s58: text }) });
      const note = page.notes.find(({ kind }) => kind === 'invented');
      expect(note).to.include({ page: '/locations/lisbon', slot: 's58' });
      expect(noteValues(note!).join('; ')).to.include(found);
      expect(
        pageOf(
          austin,
          { texts: lisbon({ s58: text }) },
          { context: `City: Lisbon\nNote: ${text}` },
        ).said('invented'),
      ).to.deep.equal([]);
    });

  it('do not name a number or name that is only written differently', () => {
    const context =
      '{"city":"Lisbon","opened":"2019-03-04","staff":1200,"price":"4.500 €","hours":"Mon-Fri 9am-6pm","owner":"marta pinto","country":"Portugal"}';
    for (const text of [
      'Open since March 4, 2019, with 1,200 people in Lisbon.',
      'Ask Marta Pinto about Portuguese websites. Monday works best in Lisbon.',
      'We Plan, Write and Build. Pages in Lisbon from 4,500 €.',
      'Come by: Mon–Fri 9:00–18:00. Lisbon is small.',
      '“Hello,” we say in Lisbon. Nothing else.',
    ])
      expect(
        pageOf(austin, { texts: lisbon({ s58: text }) }, { context }).said('invented'),
        text,
      ).to.deep.equal([]);
  });

  it('name a quote that nobody said', () => {
    const page = pageOf(austin, {
      texts: lisbon({ s190: 'The best decision for our bakery, by far.' }),
    });
    expect(page.said('invented')).to.deep.equal(['The best decision for our bakery, by far.']);
    const context = 'City: Lisbon\nQuote: "The best decision for our bakery, by far." — Ana Reis';
    const given = pageOf(
      austin,
      {
        texts: lisbon({
          s190: 'The best decision for our bakery, by far.',
          s191: '<1>Ana Reis</1>',
        }),
      },
      { context },
    );
    expect(given.said('invented')).to.deep.equal([]);
  });

  it('report that the title or the headline is the template’s', () => {
    const page = pageOf(
      post,
      { texts: { s41: 'A new text.' } },
      { targetPageSlug: '/trip', context: 'A new text.' },
    );
    expect(page.said('template')).to.have.length(2);
  });
});

describe('createPageFromAnswer(job, value): what it rejects', () => {
  const marked = austin.template.slots.find(({ id }) => id === 's147')!.text;
  const brokenMarks = textProblems.brokenMarks('s147', marked);
  const rejected: Record<
    string,
    [texts: Record<string, string>, groups: Record<string, number>, ...problems: string[]]
  > = {
    'an unknown id': [{ s9999: 'x' }, {}, answerProblems.unknownText('s9999')],
    'an id of the site’s chrome': [{ s33: 'Our services' }, {}, answerProblems.unknownText('s33')],
    'an id like a name of objects': [
      { ['__proto__x']: 'x', constructor: 'y' },
      {},
      answerProblems.unknownText('__proto__x'),
      answerProblems.unknownText('constructor'),
    ],
    'a text of a member that goes': [
      { s95: 'Tomorrow' },
      { g86: 2 },
      answerProblems.removedMember('s95'),
    ],
    'a text of a new member that there is not': [
      { 's90+1': 'New' },
      {},
      answerProblems.unknownText('s90+1'),
    ],
    'an empty heading': [{ s57: '' }, {}, textProblems.empty('s57')],
    'a heading of invisible characters': [{ s57: '\u200b\u2060' }, {}, textProblems.empty('s57')],
    'an overlong headline': [
      { s57: 'Lisbon '.repeat(10) },
      {},
      textProblems.long('s57', 69, { longest: 60, oldWidth: 20 }),
    ],
    'leftovers of the template': [
      { s58: 'We build websites in Austin.' },
      {},
      answerProblems.oldTopic('Austin', ['s58']),
    ],
    HTML: [{ s58: 'We build <b>websites</b>.' }, {}, textProblems.markup('s58')],
    'a script': [{ s58: '</p><script>alert(1)</script>' }, {}, textProblems.markup('s58')],
    'HTML with something invisible in it': [
      { s58: 'We <\u200bscript src=x>' },
      {},
      textProblems.markup('s58'),
    ],
    'a mark as words': [{ s58: 'We \\<1>build\\</1>.' }, {}, textProblems.markup('s58')],
    'a character reference': [{ s58: 'Words &amp; pictures' }, {}, textProblems.reference('s58')],
    Markdown: [{ s58: 'We **build** websites.' }, {}, textProblems.markdown('s58')],
    'marks where there are none': [
      { s58: 'We <1>build</1> websites.' },
      {},
      textProblems.brokenMarks('s58'),
    ],
    'a text without its marks': [{ s147: 'Six weeks later, all was well.' }, {}, brokenMarks],
    'a mark that is not closed': [{ s147: 'Six <1>weeks later.' }, {}, brokenMarks],
    'another kind of mark': [{ s147: 'Six weeks<1/> later.' }, {}, brokenMarks],
    'an unknown group': [{}, { g999: 2 }, answerProblems.unknownGroup('g999')],
    'no member': [{}, { g86: 0 }, answerProblems.memberCount('g86', 0)],
    'too many members': [{}, { g86: 13 }, answerProblems.memberCount('g86', 13)],
    'a new member with the words of another one': [
      { 's177+1': 'Giant' },
      { g166: 4 },
      answerProblems.copiedTexts(['s178+1', 's179+1', 's180+1']),
    ],
  };
  for (const [what, [texts, groups, ...expected]] of Object.entries(rejected))
    it(`includes ${what}`, () => {
      const others = without(lisbon(), 's93');
      const problems = problemsIn(austin, {
        texts: { ...(groups['g86'] === 2 ? others : lisbon()), ...texts },
        groups,
      });
      expect(problems).to.deep.equal(expected);
    });

  it('includes a duplicate ID of a text or a group', () => {
    const answer = {
      texts: [...Object.entries(lisbon()), ['s57', 'Lisbon']].map(([id, text]) => ({ id, text })),
      groups: [
        { id: 'g86', members: 3 },
        { id: 'g86', members: 3 },
      ],
    };
    const { rejected } = createPageFromAnswer(
      { template: austin.template, item: { targetPageSlug: '/l', context: 'x' } },
      answer,
    );
    expect(rejected).to.deep.equal({
      answer,
      problems: [answerProblems.repeatedGroup('g86'), answerProblems.repeatedText('s57')],
    });
  });

  it('includes an empty answer for a template whose topic stays', () => {
    const texts = without(lisbon(), 's52', 's76');
    expect(problemsIn(austin, { texts })).to.deep.equal([
      answerProblems.oldTopic('Austin', ['s52', 's76']),
    ]);
    expect(
      problemsIn(austin, { texts }, { context: 'City: Lisbon. Unlike in Austin, all is new.' }),
    ).to.deep.equal([]);
  });

  for (const value of [
    undefined,
    'text',
    {},
    { texts: [], groups: {} },
    { texts: [{ id: 's57', text: 3 }], groups: [] },
    { texts: [{ id: 's57', text: 'x' }] },
    { texts: [], groups: [] },
  ])
    it(`includes ${JSON.stringify(value)}`, () => {
      const { rejected } = createPageFromAnswer(
        { template: austin.template, item: { targetPageSlug: '/l', context: 'x' } },
        value,
      );
      expect(rejected?.problems).to.have.length(1);
      expect(structuredClone(rejected)).to.deep.equal(rejected);
    });

  it('is reported in few words, and without texts that a history can’t hold', () => {
    const texts = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`x${i}`, 'x'.repeat(1_000)]),
    );
    const { rejected } = answered(austin, { texts });
    expect(rejected?.answer).to.equal(null);
    expect(rejected?.problems).to.have.length(21);
    expect(rejected?.problems.at(-1)).to.equal(answerProblems.furtherProblems(480));
    expect(Buffer.byteLength(JSON.stringify(rejected))).to.be.below(30_000);
  });

  it('includes a page with too many texts', () => {
    const slots = Array.from({ length: 700 }, (_, i) => `<p>${`Text ${i} `.repeat(25)}</p>`).join(
      '',
    );
    const open = templateOf({ path: 'x.html', source: `<title>x</title><h1>x</h1>${slots}` });
    const texts = Object.fromEntries(
      open.template.slots
        .filter(({ role }) => role === 'paragraph')
        .map(({ id }) => [id, 'words '.repeat(40)]),
    );
    expect(problemsIn(open, { texts }, { context: 'x' }).join()).to.match(/\b131072\b/);
  });
});
