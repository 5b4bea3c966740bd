import { expect } from 'chai';
import fc from 'fast-check';
import { readTable } from '../../../src/console/browser/readTable.ts';
import { addressColumn, addressProblems, contextOf, inTasks, slugOf, suggest } from '../../../src/console/browser/table.ts'; // prettier-ignore

describe('a table that is pasted or uploaded', () => {
  const expected = { names: ['City', 'Lead'], rows: [['Lisbon', 'Shops, and studios'], ['Porto', 'By the river']] }; // prettier-ignore
  const same: Record<string, string> = {
    'as a spreadsheet copies it': 'City\tLead\nLisbon\tShops, and studios\nPorto\tBy the river',
    'with the line ends of Windows': 'City\tLead\r\nLisbon\tShops, and studios\r\nPorto\tBy the river\r\n',
    'as CSV': 'City,Lead\nLisbon,"Shops, and studios"\nPorto,By the river\n',
    'as CSV with semicolons': 'City;Lead\nLisbon;Shops, and studios\nPorto;By the river',
    'with spaces and empty rows': '\n City \t Lead\n\nLisbon\tShops, and studios\n\t\nPorto\tBy the river\n\n',
  };
  for (const [how, text] of Object.entries(same))
    it(`is read ${how}`, () => expect(readTable(text)).to.deep.equal(expected));

  it('keeps quotes and line breaks of a cell', () => {
    expect(readTable('Name\tQuote\nAna\t"She said ""yes"".\nTwice."')).to.deep.equal({
      names: ['Name', 'Quote'],
      rows: [['Ana', 'She said "yes".\nTwice.']],
    });
  });

  it('has a name for a column without one', () => {
    expect(readTable('City\t\nLisbon\t1')).to.deep.include({ names: ['City', 'Column 2'] });
  });

  const refused: Record<string, string> = {
    nothing: '',
    'names alone': 'City\tLead',
    'too many rows': `City\n${'Lisbon\n'.repeat(501)}`,
    'too many characters': `City\n${'x'.repeat(2_000_001)}`,
  };
  for (const [what, text] of Object.entries(refused))
    it(`is refused in a sentence: ${what}`, () => expect(readTable(text)).to.be.a('string').that.matches(/\.$/));
});

describe('the address of a new page', () => {
  const cases: [value: string, template: string, slug: string][] = [
    ['Lisbon', '/locations/austin', '/locations/lisbon'],
    ['São Tomé & Príncipe', '/locations/austin', '/locations/sao-tome-principe'],
    ["L'Aquila – città", '/locations/austin', '/locations/laquila-citta'],
    ['Évora', '/about', '/evora'],
    ['北京', '/locations/austin', '/locations/北京'],
    ['/offers/Spring 2026', '/locations/austin', '/offers/spring-2026'],
    ['  --  ', '/locations/austin', ''],
    ['../../etc/passwd', '/locations/austin', '/locations/etc-passwd'],
  ];
  for (const [value, template, slug] of cases)
    it(`of ${JSON.stringify(value)} below ${template} is ${slug || 'missing'}`, () =>
      expect(slugOf(value, template)).to.equal(slug));

  it('is a path of at most 200 characters, without dots and double slashes, whatever a cell says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (value) => {
        const slug = slugOf(value, '/locations/austin');
        if (slug !== '') expect(slug).to.match(/^(\/[^/.\s]+)+$/).and.to.have.length.at.most(200); // prettier-ignore
      }),
      { numRuns: 200 },
    );
  });

  it('comes from the column that is named for it, else from the first whose values differ', () => {
    const rows = [['PT', 'Lisbon', 'a'], ['PT', 'Porto', 'b']]; // prettier-ignore
    expect(addressColumn(['Country', 'City', 'Code'], rows)).to.equal(1);
    expect(addressColumn(['Country', 'City', 'Slug'], rows)).to.equal(2);
    expect(addressColumn(['Country', 'City', 'URL'], rows)).to.equal(2);
    expect(addressColumn(['Country'], [['PT'], ['PT']])).to.equal(0);
  });

  it('is wrong where it is missing, no path, or another row’s', () => {
    expect(addressProblems(['/a', '', 'b', '/a', '/c'])).to.deep.equal([
      undefined,
      'The row needs an address.',
      'The address begins with a slash.',
      'Row 1 has this address already.',
      undefined,
    ]);
  });
});

describe('the columns of a table', () => {
  const rows = [['Lisbon', 'Hello', '1'], ['Porto', 'Hi', '2']]; // prettier-ignore
  it('go where the template has something of their name, in its spelling', () => {
    expect(suggest(['city', 'HEAD-LINE', 'Slug'], rows, ['City', 'Headline', 'Phone'])).to.deep.equal([
      { name: 'city', use: 'as City' },
      { name: 'HEAD-LINE', use: 'as Headline' },
      { name: 'Slug', use: 'address' },
    ]);
  });

  it('keep their own names otherwise', () => {
    expect(suggest(['Ort', 'Motto', 'Nr'], rows, []).map(({ use }) => use)).to.deep.equal(['as Ort', 'as Motto', 'as Nr']); // prettier-ignore
  });

  it('make a line of each value, but for those that are left out, empty or the address', () => {
    const columns = [
      { name: 'City', use: 'as City' },
      { name: 'Slug', use: 'address' },
      { name: 'Note', use: 'out' },
      { name: 'Lead', use: 'as Lead' },
      { name: 'Phone', use: 'as Phone' },
    ] as const;
    expect(contextOf([...columns], ['Lisbon', '/x', 'secret', 'Two\n lines', ''])).to.equal('City: Lisbon\nLead: Two lines'); // prettier-ignore
  });
});

describe('the rows of a table', () => {
  for (const [count, sizes] of [
    [0, []],
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
    [25, [10, 10, 5]],
  ] as const)
    // prettier-ignore
    it(`${count} of them make ${sizes.length} tasks`, () =>
      expect(inTasks(Array.from({ length: count })).map(({ length }) => length)).to.deep.equal(sizes));
});
