import { expect } from 'chai';
import {
  readUnmarkedQuote,
  readQuote,
} from '../../../../../src/agents/shared/context/citedQuotes.ts';
import { csvNotes } from '../../../../../src/agents/shared/context/csv.ts';
import { readContext } from '../../../../../src/agents/shared/context/readContext.ts';
import { casesIn } from '../../../../helpers/cases.ts';

const formats: [string, string][] = [
  ['{"city":"Lisbon"}', 'json'],
  ['  {"a": {"b": ["c"]}}  ', 'json'],
  ['City: Lisbon\nHeadline: Web design: fast, #1 & "best"', 'lines'],
  ['- City: Lisbon\n- **Headline**: Web design', 'lines'],
  ['City: Lisbon\nPhone: 0123456789\nRating: 4.90', 'lines'],
  ['city: Lisbon\nfeatures:\n  - Fast\n  - Small', 'yaml'],
  ['hero:\n  headline: Hello\ncity: "Lisbon"', 'yaml'],
  ['---\ncity: Lisbon\n---\n# Hello\n\nText here.', 'markdown'],
  ['City: Lisbon\n\n# Hello\n\nText here.', 'markdown'],
  ['# Hello', 'markdown'],
  ['- one\n- two', 'markdown'],
  ['Lisbon is a city of light. We love it.', 'prose'],
  ['[{"city":"Lisbon"}]', 'json'],
  ['```json\n{"city":"Lisbon"}\n```', 'json'],
  ['```\nCity: Lisbon\n```', 'lines'],
  ['New page for Lisbon.\nCity: Lisbon', 'markdown'],
  ['{"city": "Lisbon"', 'prose'],
  ['["Lisbon"]', 'prose'],
  ['', 'prose'],
  ['city,phone\nOttawa,+1 613 555 0101', 'csv'],
  ['Stadt;Telefon\r\nKöln;0221 123456', 'csv'],
  ['one\ttwo\n1\t2', 'csv'],
  ['sep=;\ncity;phone\nOttawa;1', 'csv'],
  ['city,Ottawa\nphone,+1 613 555 0101', 'csv'],
  ['city,phone', 'prose'],
  ['Lisbon, Portugal\nHello, we are here.', 'prose'],
  ['City, phone and more.\nWe know, too.', 'prose'],
  ['City: Ottawa, Canada\nPhone: 1, 2', 'lines'],
  ['Testimonials:\n"Good." - Ann', 'markdown'],
];

describe('readContext', () => {
  for (const [context, format] of formats) {
    it(`reads ${JSON.stringify(context)} as ${format}`, () =>
      expect(readContext(context).format).to.equal(format));
  }

  it('keeps values as they are written, without reading numbers, dates or comments', () => {
    const { fields } = readContext(
      'Phone: 0123456789\nRating: 4.90\nDate: 2024-01-01\nHeadline: The #1 choice # really',
    );
    expect(fields.map(({ values }) => values[0])).to.deep.equal([
      '0123456789',
      '4.90',
      '2024-01-01',
      'The #1 choice # really',
    ]);
    expect(readContext('a:\n  - 010\n  - 1e3\n  - yes').fields).to.deep.equal([
      { key: 'a', values: ['010', '1e3', 'yes'] },
    ]);
  });

  it('reads CSV by RFC 4180: quotes, line ends in them, empty values, keys in any form', () => {
    const fieldsOf = (context: string, slug = '/x'): Record<string, unknown> => {
      const { fields, notes = [] } = readContext(context, slug);
      return {
        ...Object.fromEntries(fields.map(({ key, values }) => [key, values[0]])),
        notes,
      };
    };
    expect(
      fieldsOf(
        'city,"streetAddress",phone\r\nOttawa,"12 King St, ""A""\r\nfloor 2",+1 613 555 0101,\r\n',
      ),
    ).to.deep.equal({
      city: 'Ottawa',
      'street address': '12 King St, "A" floor 2',
      phone: '+1 613 555 0101',
      notes: [],
    });
    expect(fieldsOf('key,value\ncity,Ottawa\nlead,"A, b."')).to.deep.equal({
      city: 'Ottawa',
      lead: 'A, b.',
      notes: [],
    });
    expect(fieldsOf('city;phone;email\nOttawa;;a@b.example').phone).to.equal(undefined);
  });

  it('takes the CSV row that the slug names, or else the first, and says so; it does not guess at a broken row', () => {
    const rows = 'city,phone\nOttawa,1\nSão Paulo,2';
    const of = (slug: string) => readContext(rows, slug);
    expect(of('/locations/sao-paulo').fields[1]!.values).to.deep.equal(['2']);
    expect(of('/locations/x')).to.deep.include({
      notes: [csvNotes.chosenRow(2, 'Ottawa')],
    });
    expect(of('/locations/x').fields[1]!.values).to.deep.equal(['1']);
    const torn = readContext('city,address,phone\nOttawa,12 King St, Ottawa,1');
    expect(torn.fields).to.deep.equal([]);
    expect(torn.notes).to.deep.equal([csvNotes.tornRow(4, 3, ',')]);
  });

  it('separates quotes from their authors, and recognizes a list by the name above it', () => {
    const expected = { text: 'Good work.', author: 'Ann Lee, CEO' };
    for (const line of [
      '"Good work." — Ann Lee, CEO',
      '“Good work.” – Ann Lee, CEO',
      '„Good work.“ - Ann Lee, CEO',
      '«Good work.» | Ann Lee, CEO',
      '"Good work." by Ann Lee, CEO',
      '"Good work." (Ann Lee, CEO)',
      '"Good work." Ann Lee, CEO',
      '"Good work.", Ann Lee, CEO',
      'Ann Lee, CEO: "Good work."',
      'Ann Lee, CEO — “Good work.”',
    ])
      expect(readQuote(line), line).to.deep.equal(expected);
    for (const line of [
      'Good work. — Ann Lee, CEO',
      'Good work. (Ann Lee, CEO)',
      'Good work. by Ann Lee, CEO',
    ]) {
      expect(readQuote(line)).to.equal(null);
      expect(readUnmarkedQuote(line), line).to.deep.equal(expected);
    }
    expect(readQuote('"Good work."')).to.deep.equal({ text: 'Good work.', author: null });
    expect(readUnmarkedQuote('Ann’s shop - open late')).to.equal(null);
    for (const list of [
      '- "Good work." - Ann Lee, CEO',
      '"Good work." - Ann Lee, CEO',
      '> Good work.\n> Ann Lee, CEO',
      '> Good work.\n\n— Ann Lee, CEO',
    ]) {
      const { sections, fields } = readContext(`City: Rome\nTestimonials:\n${list}\n\nPhone: 1`);
      expect(
        fields.map(({ key }) => key),
        list,
      ).to.deep.equal(['city', 'phone']);
      expect(
        sections.map(({ name, heading, items }) => [name, heading, readUnmarkedQuote(items[0]!)]),
        list,
      ).to.deep.equal([['Testimonials', null, expected]]);
    }
  });

  it('folds keys and gathers repeated ones', () => {
    const { fields } = readContext(
      '{"metaDescription":"A","Meta_Title":"B","seo":{"h1":"C"},"größe":1,"features":["x","y"]}',
    );
    expect(fields.map(({ key }) => key)).to.deep.equal([
      'meta description',
      'meta title',
      'h1',
      'grosse',
      'features',
    ]);
    expect(readContext('Price: 1\nPrice: 2').fields).to.deep.equal([
      { key: 'price', values: ['1', '2'] },
    ]);
  });

  it('reads Markdown as fields, sections, paragraphs and items without inline marks', () => {
    const data = readContext(
      'City: Lisbon\n\n# A **bold** [title](https://x.example)\n\nFirst\nline.\n\n## Team\nWe `all`.\n\n- *one*\n- two\n### Ana\nAna leads.',
    );
    expect(data.fields).to.deep.equal([
      { key: 'city', values: ['Lisbon'] },
      { key: 'h1', values: ['A bold title'] },
    ]);
    expect(data.paragraphs).to.deep.equal(['First line.']);
    const ana = {
      name: 'Ana',
      heading: 'Ana',
      paragraphs: ['Ana leads.'],
      items: [],
      sections: [],
    };
    expect(data.sections).to.deep.equal([
      {
        name: 'Team',
        heading: 'Team',
        paragraphs: ['We all.'],
        items: ['one', 'two'],
        sections: [ana],
      },
    ]);
  });

  it('reads questions and cards as sections', () => {
    const [faq] = readContext(
      '{"faq":[{"question":"Why?","answer":"Because.\\n\\nReally."}]}',
    ).sections;
    expect(faq).to.deep.include({ name: 'faq', heading: null });
    expect(faq!.sections).to.deep.equal([
      {
        name: 'Why?',
        heading: 'Why?',
        paragraphs: ['Because.', 'Really.'],
        items: [],
        sections: [],
      },
    ]);
  });

  it('survives hostile contexts of the greatest length', () => {
    const hostile = [
      'a: &a [*a,',
      '{"a":',
      '[[[',
      '- ',
      '# ',
      '*',
      '**a',
      '[a](',
      'a: ',
      '`',
      '_a ',
      '\u0000',
      '&a [x]\n',
      '---\n',
      '1(',
      'a@',
      '+1 ',
      '"',
      '"a" ',
      '&a ',
      '!a ',
      'a:\n',
      '\n \n',
      '#\n',
    ];
    for (const piece of casesIn(hostile)) {
      expect(() => readContext(piece.repeat(100_000 / piece.length)), piece).not.to.throw();
    }
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((key, i) => `${key}: &${key} [${`*${'abcdefg'[i]},`.repeat(9)}]`)
      .join('\n')}`;
    expect(readContext(bomb).format).to.be.a('string');
    expect(readContext('__proto__: x\nconstructor: y').fields).to.have.length(2);
  });

  it('reads tables and facts below headings as entries of a list', () => {
    const [plans] = readContext(
      '## Plans\n\n| Name | Price | |\n|:--|--:|--|\n| **S** | €1 | a \\| b |\n| M |\n',
    ).sections;
    expect(plans!.sections.map(({ heading, fields }) => [heading, fields])).to.deep.equal([
      [
        'S',
        [
          { key: 'price', values: ['€1'] },
          { key: '', values: ['a | b'] },
        ],
      ],
      ['M', []],
    ]);
    const [, text] = readContext('## A\n- a | b\n\n## B\na | b\nc | d').sections;
    expect(text!.paragraphs).to.deep.equal(['a | b c | d']);
    const [only] = readContext('## Plans\n### S\nPrice: €1\nNote: one of few.\n').sections[0]!
      .sections;
    expect(only).to.deep.include({
      fields: [{ key: 'price', values: ['€1'] }],
      paragraphs: ['Note: one of few.'],
    });
  });

  it('reads an address that continues on the next line', () => {
    const { fields, paragraphs } = readContext(
      'City: Omaha\nAddress: 100 Farnam Street\nOmaha, NE 68102\nWe are open.',
    );
    expect(fields.at(-1)).to.deep.equal({
      key: 'address',
      values: ['100 Farnam Street, Omaha, NE 68102'],
    });
    expect(paragraphs).to.deep.equal(['We are open.']);
  });

  it('reads the author of a quote without the words that introduce the author', () => {
    expect(readQuote('Amy Poe of Poe Cafe said: "They get it, all of it."')).to.deep.equal({
      text: 'They get it, all of it.',
      author: 'Amy Poe of Poe Cafe',
    });
  });

  it('distinguishes empty lists and lists of one from texts', () => {
    const { fields, sections } = readContext('{"a": [], "b": ["x"], "c": "x"}');
    expect(sections).to.have.lengthOf(1).and.to.have.nested.property('[0].isEmptyList', true);
    expect(fields).to.deep.equal([
      { key: 'b', values: ['x'], isList: true },
      { key: 'c', values: ['x'] },
    ]);
  });

  describe('questions in bold with their answers below them', () => {
    const asked = (context: string) => {
      const inner = readContext(context).sections.flatMap(({ sections }) => sections);
      return inner.map(({ heading, paragraphs }) => [heading, ...paragraphs]);
    };
    const both = [
      ['Do you travel?', 'Often. By train.'],
      ['Do you fly?', 'Never.'],
    ];

    for (const context of [
      '# Porto\n\n## Questions\n\n**Do you travel?**\n\nOften.\n\nBy train.\n\n__Do you fly?__\n\nNever.\n\n## Prices\n\nLow.',
      '# Porto\n\n**Do you travel?**\n\nOften.\nBy train.\n\n**Do you fly?**\n\nNever.\n\nPhone: +351 22 000 0000',
      'FAQ:\n\nQ: Do you travel?\n\nA: Often. By train.\n\nQ: Do you fly?\n\nA: Never.',
      '**Do you travel?**\n\nOften. By train.\n\n**Do you fly?**\n\nNever.',
    ])
      it(context.replaceAll('\n', '↵'), () => expect(asked(context)).to.deep.equal(both));

    it('are not recognized if one bold line begins a text', () => {
      const { paragraphs, sections } = readContext('# Porto\n\n**Ready?**\n\nWe build sites.');
      expect([paragraphs, sections]).to.deep.equal([['Ready?', 'We build sites.'], []]);
    });
  });
});
