import { expect } from 'chai';
import { type FirstRow, recognizeFirstRow } from '../../../src/console/browser/reading/firstRow.ts';
import { cellsOf, readCells, type Table, tableOf } from '../../../src/console/browser/readTable.ts';
import { rowsOf, withEdits } from '../../../src/console/browser/table.ts';

const cases: [what: FirstRow, text: string][] = [
  ['names', 'City\tHeadline\tPhone\nLisbon\tWeb design in Lisbon\t+351 21 000 0000'],
  ['names', 'City\nLisbon\nPorto'],
  ['names', 'By;Overskrift\nTromsø;Nettsider i Tromsø\nBodø;Nettsider i Bodø'],
  ['names', 'Stadt;Überschrift;Preis\nKöln;Webdesign;12,50 €\nBonn;Webdesign;9,00 €'],
  ['names', 'Ville;Titre\nOrléans;Création de sites'],
  ['names', 'Ciudad;Título\nCádiz;Diseño web'],
  ['names', 'Miasto;Nagłówek\nŁódź;Strony internetowe'],
  ['names', 'Kaupunki;Otsikko\nTurku;Verkkosivut'],
  ['names', '都市,見出し\n東京,東京のウェブデザイン'],
  ['names', 'Город;Заголовок\nМосква;Сайты'],
  ['names', 'Phone number,E-mail\n22 33 44 55,a@example.com'],
  ['names', 'city_name,hero_text\nLisbon,Hello\nPorto,Hi'],
  ['names', 'Model,Weight,Length\nA100,12,30\nB200,14,31'],
  ['names', 'Region,2024,2025\nNorth,12,30\nSouth,14,31'],
  ['names', 'Item,Opens\nHarbour,2026-03-04\nStation,2026-03-05'],
  ['names', 'City,,Phone\nLisbon,x,+351 21\nPorto,y,+351 22'],
  [
    'values',
    'Lisbon,Web design in Lisbon,+351 21 000 0000\nPorto,Web design in Porto,+351 22 000 0000',
  ],
  ['values', 'Lisbon,12 €\nPorto,14 €'],
  ['values', '/locations/lisbon,Lisbon\n/locations/porto,Porto'],
  ['values', 'Lisbon,Portugal,Fast sites\nPorto,Portugal,Good sites'],
  ['values', 'Lisbon,ana@example.com\nPorto,rui@example.com'],
  ['values', 'Lisbon,"We make fine websites for small shops, in a week."\nPorto,"We come to you."'],
  ['values', '22 33 44 55'],
  ['unsure', 'Lisbon,Fast sites\nPorto,Good sites'],
  ['unsure', 'Ort A\nOrt B'],
  ['unsure', 'Lisbon,Fast sites'],
];

describe('the first row of a table', () => {
  for (const [what, text] of cases)
    it(`${what === 'unsure' ? 'is asked about' : `is recognized as ${what}`}: ${text.split('\n')[0]}`, () => {
      expect(recognizeFirstRow(readCells(text) as string[][])).to.equal(what);
    });

  it('is a row like the others where it names no columns, which then have letters', () => {
    const cells = [Array.from({ length: 28 }, (_, at) => `a${at}`), ['b']];
    const table = tableOf(cells, false);
    if (typeof table === 'string') throw new Error(table);
    expect(table.rows).to.equal(cells);
    expect([table.names[0], table.names[25], table.names[26], table.names[27]]).to.deep.equal([
      'Column A',
      'Column Z',
      'Column AA',
      'Column AB',
    ]);
  });

  it('leaves room for the rows of a batch and 200 columns, with names or without', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, at) => [`row ${at}`]);
    expect(tableOf(rows(5_001), true)).to.have.property('rows');
    expect(tableOf(rows(5_002), true)).to.equal('There are 5001 rows. Take 5000 at most.');
    expect(tableOf(rows(5_000), false)).to.have.property('rows');
    expect(tableOf(rows(5_001), false)).to.equal('There are 5001 rows. Take 5000 at most.');
    expect(tableOf([rows(201).flat(), ['x']])).to.equal('There are 201 columns. Take 200 at most.');
  });

  it('can be changed back and forth, with what people did to the rows', () => {
    const cells = [
      ['City', ''],
      ['Lisbon', 'x'],
      ['Porto', 'y'],
    ];
    const named = tableOf(cells, true) as Table;
    const rows = rowsOf(named.rows).map((row) =>
      row.id === 2 ? { ...row, typed: '/p', isOut: true } : row,
    );
    const back = cellsOf({ names: named.names, rows }, true);
    expect(back).to.deep.equal(cells);
    const all = withEdits(rowsOf((tableOf(back, false) as Table).rows), rows);
    expect(all.map(({ id, typed, isOut }) => [id, typed, isOut])).to.deep.equal([
      [1, undefined, undefined],
      [2, undefined, undefined],
      [3, '/p', true],
    ]);
    expect(withEdits(rowsOf(named.rows), all)).to.deep.equal(rows);
    expect(withEdits(rowsOf([['x']]), all), 'another table').to.deep.equal(rowsOf([['x']]));
  });

  it('loses no cell of a row that is longer than it', () => {
    expect(tableOf(readCells('City,Lead\nLisbon,Hello,more') as string[][])).to.deep.equal({
      names: ['City', 'Lead', 'Column C'],
      rows: [['Lisbon', 'Hello', 'more']],
    });
  });
});
