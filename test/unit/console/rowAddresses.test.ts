import { expect } from 'chai';
import fc from 'fast-check';
import {
  createAddressReader,
  foreignAddress,
  junkAddress,
  missingAddress,
  takenByRow,
  takenOnSite,
  type PageDestination,
} from '../../../src/console/browser/table/rowAddresses.ts';
import { slugForName } from '../../../src/console/browser/table/slug.ts';
import {
  type TableColumn,
  tableColumns,
  type DraftRow,
  draftRows,
  type ColumnUse,
} from '../../../src/console/browser/table/tableColumns.ts';
import { casesOf } from '../../helpers/cases.ts';

const place: PageDestination = {
  template: '/locations/austin',
  homes: ['http://demo.sites.localhost:3000/', 'www.northwind.example', 'acme.example/en'],
  existing: ['/', '/locations/austin'],
};
const rowAddresses = (columns: TableColumn[], rows: DraftRow[], at: PageDestination) =>
  createAddressReader(
    columns,
    rows.map(({ cells }) => cells),
    at,
  )(rows);
const columnsFor = (name: string, cells: string[], use: ColumnUse): TableColumn[] =>
  tableColumns({ names: [name], rows: cells.map((cell) => [cell]) }, [], { 0: use });
const of = (
  name: string,
  cells: string[],
  more: Partial<PageDestination> & { typed?: Record<number, string> } = {},
) => {
  const rows = draftRows(cells.map((cell) => [cell])).map((row): DraftRow => {
    const typed = more.typed?.[row.id];
    return typed === undefined ? row : { ...row, typed };
  });
  return rowAddresses(columnsFor(name, cells, 'address'), rows, { ...place, ...more });
};
const slugs = (...asked: Parameters<typeof of>) => of(...asked).map(({ slug }) => slug);

describe('the address of a new page', () => {
  const cases: [value: string, template: string, slug: string][] = [
    ['Lisbon', '/locations/austin', '/locations/lisbon'],
    ['São Tomé & Príncipe', '/locations/austin', '/locations/sao-tome-principe'],
    ['Москва', '/about', '/moskva'],
    ['北京', '/locations/austin', '/locations/北京'],
    ['Frankfurt/Main', '/locations/austin', '/locations/frankfurt-main'],
    ['  --  ', '/locations/austin', ''],
    ['../../etc/passwd', '/locations/austin', '/locations/etc-passwd'],
  ];
  it('is not made from an error, a placeholder or dots, and the table says so', () => {
    for (const cell of [
      '#REF!',
      '#N/A',
      'n/a',
      'N/A',
      '../',
      '..',
      './',
      'null',
      '-',
      '???',
      'TBD',
    ])
      for (const name of ['URL', 'City'])
        expect(of(name, [cell]), `${name}: ${cell}`).to.deep.equal([
          { slug: '', problem: junkAddress(cell) },
        ]);
    expect(slugs('City', ['Nana', 'Nullarbor', 'Todos Santos', 'Noneburg'])).to.deep.equal([
      '/locations/nana',
      '/locations/nullarbor',
      '/locations/todos-santos',
      '/locations/noneburg',
    ]);
  });

  for (const [value, template, slug] of cases)
    it(`of ${JSON.stringify(value)} below ${template} is ${slug || 'missing'}`, () =>
      expect(slugForName(value, template)).to.equal(slug));

  it('has the letters of its language', () => {
    const inLanguage = (text: string, language?: string) => slugForName(text, '/a', language);
    expect(
      ['München', 'Köln', 'Düsseldorf', 'Gießen'].map((city) => inLanguage(city, 'de')),
    ).to.deep.equal(['/muenchen', '/koeln', '/duesseldorf', '/giessen']);
    expect(['München', 'Köln'].map((city) => inLanguage(city))).to.deep.equal([
      '/muenchen',
      '/koeln',
    ]);
    expect(['Ærø', 'Ålborg'].map((city) => inLanguage(city, 'da-DK'))).to.deep.equal([
      '/aeroe',
      '/aalborg',
    ]);
    expect(['Malmö', 'Västerås'].map((city) => inLanguage(city, 'sv'))).to.deep.equal([
      '/malmo',
      '/vasteras',
    ]);
    expect(['Mayagüez', 'Logroño'].map((city) => inLanguage(city, 'es'))).to.deep.equal([
      '/mayaguez',
      '/logrono',
    ]);
    expect(inLanguage('Mu\u0308nchen', 'de')).to.equal('/muenchen');
  });

  it('is a path of at most 200 characters, without dots and double slashes, whatever a cell says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (value) => {
        const slug = slugForName(value, '/locations/austin');
        if (slug !== '')
          expect(slug)
            .to.match(/^(\/[^/.\s]+)+$/)
            .and.to.have.length.at.most(200);
      }),
      { numRuns: casesOf(200) },
    );
  });
});

describe('the addresses of a table’s rows', () => {
  it('are numbered if two rows, or a page of the site, would have the same address', () => {
    const cells = ['Köln', 'Koeln', 'Ulm', 'KÖLN', '', 'Austin'];
    expect(of('Stadt', cells)).to.deep.equal([
      { slug: '/locations/koeln' },
      { slug: '/locations/koeln-2', remark: takenByRow('/locations/koeln', 1) },
      { slug: '/locations/ulm' },
      { slug: '/locations/koeln-3', remark: takenByRow('/locations/koeln', 1) },
      { slug: '', problem: missingAddress },
      { slug: '/locations/austin-2', remark: takenOnSite('/locations/austin') },
    ]);
  });

  it('leave an address to the row for which a person typed it', () => {
    expect(
      slugs('City', ['Ulm', 'Ulm', 'Ulm-2'], { typed: { 2: '/locations/ulm' } }),
    ).to.deep.equal(['/locations/ulm-2', '/locations/ulm', '/locations/ulm-2-2']);
  });

  it('are the paths and URLs of the site in the cells, with or without the first slash', () => {
    const cells: Record<string, string> = {
      '/Offers/Spring 2026': '/Offers/spring-2026',
      'locations/porto': '/locations/porto',
      'locations/faro.html': '/locations/faro',
      braga: '/locations/braga',
      'https://northwind.example/locations/lisbon/?utm=1#top': '/locations/lisbon',
      'http://www.NORTHWIND.example/orte/m%C3%BCnchen/index.html': '/orte/münchen',
      'northwind.example/a/b': '/a/b',
      'http://demo.sites.localhost:3000/c': '/c',
      'https://acme.example/en/d': '/d',
    };
    expect(slugs('URL', Object.keys(cells))).to.deep.equal(Object.values(cells));
  });

  it('are marked if they lead to another site, to the home page or nowhere', () => {
    const cells = [
      'https://other.example/lisbon',
      'www.other.example/x',
      '//other.example/y',
      'https://acme.example/de/d',
    ];
    const found = of('URL', [...cells, '/', '?']);
    expect(found.map(({ problem }) => problem)).to.deep.equal([
      foreignAddress('other.example'),
      foreignAddress('www.other.example'),
      foreignAddress('other.example'),
      foreignAddress('acme.example'),
      missingAddress,
      missingAddress,
    ]);
  });

  it('are what a person typed, whatever changes about the columns and the template', () => {
    const typed = { 1: 'offers/ulm', 2: ' https://northwind.example/x ', 3: '' };
    const rows = draftRows([
      ['Ulm', 'a'],
      ['Köln', 'b'],
      ['Bonn', 'c'],
    ]).map((row): DraftRow => ({ ...row, typed: typed[row.id as 1] }));
    for (const uses of [{}, { 0: 'out' }, { 1: 'address' }] as Record<number, ColumnUse>[])
      for (const template of ['/locations/austin', '/other/page']) {
        const columns = tableColumns(
          { names: ['City', 'Code'], rows: rows.map(({ cells }) => cells) },
          [],
          uses,
        );
        const found = rowAddresses(columns, rows, { ...place, template });
        expect(found.map(({ slug }) => slug)).to.deep.equal(['/offers/ulm', '/x', '']);
        expect(found[2]!.problem).to.equal(missingAddress);
      }
  });
});
