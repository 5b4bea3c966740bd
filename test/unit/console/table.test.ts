import { expect } from 'chai';
import { batchLimits } from '../../../src/contract/batches/batch.ts';
import { readTextTable, type TextTable } from '../../../src/console/browser/table/readTextTable.ts';
import {
  addressColumn,
  tableColumns,
  rowContext,
  chunkForTasks,
  rowLanguage,
  suggestUses,
} from '../../../src/console/browser/table/tableColumns.ts';

describe('a table that is pasted or uploaded', () => {
  const expected = {
    names: ['City', 'Lead'],
    rows: [
      ['Lisbon', 'Shops, and studios'],
      ['Porto', 'By the river'],
    ],
  };
  const same: Record<string, string> = {
    'as a spreadsheet copies it': 'City\tLead\nLisbon\tShops, and studios\nPorto\tBy the river',
    'with the line ends of Windows':
      'City\tLead\r\nLisbon\tShops, and studios\r\nPorto\tBy the river\r\n',
    'as CSV': 'City,Lead\nLisbon,"Shops, and studios"\nPorto,By the river\n',
    'as CSV with semicolons': 'City;Lead\nLisbon;Shops, and studios\nPorto;By the river',
    'as CSV with the delimiter that Excel writes above it':
      'sep=;\r\nCity;Lead\r\nLisbon;Shops, and studios\r\nPorto;By the river',
    'with the line ends of old Macs': 'City;Lead\rLisbon;Shops, and studios\rPorto;By the river\r',
    'with spaces and empty rows':
      '\n City \t Lead\n\nLisbon\tShops, and studios\n\t\nPorto\tBy the river\n\n',
  };
  for (const [how, text] of Object.entries(same))
    it(`is read ${how}`, () => expect(readTextTable(text)).to.deep.equal(expected));

  it('keeps quotes and line breaks of a cell', () => {
    expect(readTextTable('Name\tQuote\nAna\t"She said ""yes"".\nTwice."')).to.deep.equal({
      names: ['Name', 'Quote'],
      rows: [['Ana', 'She said "yes".\nTwice.']],
    });
  });

  it('has one column where a copied column has sentences with commas', () => {
    const rows = [['Great; cheap, fast'], ['Good, too']];
    expect(readTextTable('Lead\nGreat; cheap, fast\nGood, too')).to.deep.equal({
      names: ['Lead'],
      rows,
    });
    expect(readTextTable('Lead\nHello,world')).to.deep.include({ names: ['Lead', 'Column B'] });
  });

  it('gives a name to a column without one', () => {
    expect(readTextTable('City\t\nLisbon\t1')).to.deep.include({ names: ['City', 'Column B'] });
  });

  it('accepts as many rows as a batch', () => {
    const { rows } = readTextTable(`City\n${'Lisbon\n'.repeat(batchLimits.rows)}`) as TextTable;
    expect(rows).to.have.length(batchLimits.rows);
  });

  const refused: Record<string, string> = {
    nothing: '',
    'names alone': 'City\tLead',
    'too many rows': `City\n${'Lisbon\n'.repeat(batchLimits.rows + 1)}`,
    'too many characters': `City\n${'x'.repeat(batchLimits.bodyBytes)}`,
  };
  for (const [what, text] of Object.entries(refused))
    it(`is rejected in a sentence: ${what}`, () =>
      expect(readTextTable(text)).to.be.a('string').that.matches(/\.$/));
});

describe('the column that gives the addresses', () => {
  const cases: Record<string, [names: string[], rows: string[][], expected: string]> = {
    'is the one of cities': [
      ['Country', 'City', 'Code'],
      [
        ['PT', 'Lisbon', 'a'],
        ['PT', 'Porto', 'b'],
      ],
      'City',
    ],
    'is the one of paths, whatever it is called': [
      ['City', 'Seite'],
      [
        ['Ulm', '/orte/ulm'],
        ['Köln', '/orte/koeln'],
      ],
      'Seite',
    ],
    'stays the one of cities where two are the same and one is empty': [
      ['City', 'Headline', 'Phone'],
      [
        ['Ulm', 'One', '1'],
        ['Ulm', 'Two', '2'],
        ['', 'Three', '3'],
        ['Köln', 'Four', '4'],
      ],
      'City',
    ],
    'is none of pictures': [
      ['Image', 'City'],
      [
        ['/img/a.jpg', 'Ulm'],
        ['/img/b.jpg', 'Köln'],
      ],
      'City',
    ],
    'is none of streets': [
      ['Address', 'City'],
      [
        ['Hauptstr. 1', 'Ulm'],
        ['Am Markt 2', 'Köln'],
      ],
      'City',
    ],
    'is of names, not of sentences and numbers': [
      ['Nr', 'Motto', 'Filiale'],
      [
        ['1', 'We come to all of you.', 'Ulm'],
        ['2', 'We stay with all of you.', 'Köln'],
      ],
      'Filiale',
    ],
    'is the only one there is': [['Country'], [['PT'], ['PT']], 'Country'],
  };
  for (const [how, [names, rows, expected]] of Object.entries(cases))
    it(how, () => expect(names[addressColumn(names, rows)]).to.equal(expected));
});

describe('the columns of a table', () => {
  const rows = [
    ['Lisbon', 'Hello', '1'],
    ['Porto', 'Hi', '2'],
  ];
  it('fill the texts of the template with similar names', () => {
    expect(
      suggestUses(['city', 'HEAD-LINE', 'Slug'], rows, ['City', 'Headline', 'Phone']),
    ).to.deep.equal([
      { name: 'city', use: 'as City' },
      { name: 'HEAD-LINE', use: 'as Headline' },
      { name: 'Slug', use: 'address' },
    ]);
  });

  it('are used as a person chose, whatever the template has', () => {
    const table = { names: ['Ort', 'Lead', 'Note'], rows };
    expect(tableColumns(table, ['Lead'], { 0: 'address', 2: 'as Phone' })).to.deep.equal([
      { name: 'Ort', use: 'address', label: 'Ort' },
      { name: 'Lead', use: 'as Lead' },
      { name: 'Note', use: 'as Phone' },
    ]);
  });

  it('fill the page with their values although they are the address, except paths', () => {
    const of = (names: string[], cells: string[]) =>
      rowContext(tableColumns({ names, rows: [cells] }, ['City'], { 0: 'address' }), cells);
    expect(of(['city', 'Lead'], ['Lisbon', 'Hello'])).to.equal('City: Lisbon\nLead: Hello');
    expect(of(['city', 'Lead'], ['/lisbon', 'Hello'])).to.equal('Lead: Hello');
    expect(of(['Slug', 'Lead'], ['lisbon', 'Hello'])).to.equal('Lead: Hello');
  });

  it('give the language of a row', () => {
    const columns = [{ name: 'Language', use: 'as Language' } as const];
    expect(
      ['de', 'pt-BR', 'Swedish', ''].map((cell) => rowLanguage(columns, [cell])),
    ).to.deep.equal(['de', 'pt-BR', undefined, undefined]);
  });

  it('create a context line for each value, except values that are omitted, empty or the address', () => {
    const columns = [
      { name: 'City', use: 'as City' },
      { name: 'Slug', use: 'address' },
      { name: 'Note', use: 'out' },
      { name: 'Lead', use: 'as Lead' },
      { name: 'Phone', use: 'as Phone' },
    ] as const;
    expect(rowContext([...columns], ['Lisbon', '/x', 'secret', 'Two\n lines', ''])).to.equal(
      'City: Lisbon\nLead: Two lines',
    );
  });
});

describe('the rows of a table', () => {
  for (const [count, sizes] of [
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
  ] as const)
    it(`make ${sizes.length} tasks from ${count} rows`, () =>
      expect(
        chunkForTasks(Array.from({ length: count })).map(({ length }) => length),
      ).to.deep.equal(sizes));
});
