import { expect } from 'chai';
import { findHeaderRow, namesColumns } from '../../../src/console/browser/reading/firstRow.ts';
import {
  cellsFromTable,
  readCells,
  type TextTable,
  tableFromCells,
} from '../../../src/console/browser/table/readTextTable.ts';
import { draftRows, withEdits } from '../../../src/console/browser/table/tableColumns.ts';

const cases: [isNamed: boolean, text: string][] = [
  [true, 'City\tHeadline\tPhone\nLisbon\tWeb design in Lisbon\t+351 21 000 0000'],
  [true, 'Region,2024,2025\nNorth,12,30\nSouth,14,31'],
  [true, 'City,,Phone\nLisbon,x,+351 21\nPorto,y,+351 22'],
  [false, 'Lisbon,Web design in Lisbon,+351 21 000 0000'],
  [false, '/locations/lisbon,Lisbon\n/locations/porto,Porto'],
  [false, 'Lisbon,ana@example.com\nPorto,rui@example.com'],
  [false, 'Lisbon,"We make fine websites for small shops and for bakeries, in a week."'],
];

describe('the first row of a table', () => {
  for (const [isNamed, text] of cases)
    it(`${isNamed ? 'names the columns' : 'is a row'}: ${text.split('\n')[0]}`, () => {
      expect(namesColumns(readCells(text) as string[][])).to.equal(isNamed);
    });

  it('is a row like the others if it has no column names, and the columns have letters then', () => {
    const cells = [Array.from({ length: 28 }, (_, at) => `a${at}`), ['b']];
    const table = tableFromCells(cells, null);
    if (typeof table === 'string') throw new Error(table);
    expect(table.rows).to.deep.equal(cells);
    expect([table.names[0], table.names[25], table.names[26], table.names[27]]).to.deep.equal([
      'Column A',
      'Column Z',
      'Column AA',
      'Column AB',
    ]);
  });

  it('leaves room for the rows of a batch and 200 columns, with names or without', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, at) => [`row ${at}`]);
    expect(tableFromCells(rows(5_001), 0)).to.have.property('rows');
    expect(tableFromCells(rows(5_002), 0)).to.match(/\b5001 rows\b.*\b5000\b/);
    expect(tableFromCells(rows(5_000), null)).to.have.property('rows');
    expect(tableFromCells(rows(5_001), null)).to.match(/\b5001 rows\b.*\b5000\b/);
    expect(tableFromCells([rows(201).flat(), ['x']])).to.match(/\b201 columns\b.*\b200\b/);
  });

  it("can be switched back and forth, and keeps people's changes to the rows", () => {
    const cells = [
      ['City', ''],
      ['Lisbon', 'x'],
      ['Porto', 'y'],
    ];
    const named = tableFromCells(cells, 0) as TextTable;
    const rows = draftRows(named.rows).map((row) =>
      row.id === 2 ? { ...row, typed: '/p', isOut: true } : row,
    );
    const back = cellsFromTable({ names: named.names, rows }, true);
    expect(back).to.deep.equal(cells);
    const all = withEdits(draftRows((tableFromCells(back, null) as TextTable).rows), rows);
    expect(all.map(({ id, typed, isOut }) => [id, typed, isOut])).to.deep.equal([
      [1, undefined, undefined],
      [2, undefined, undefined],
      [3, '/p', true],
    ]);
    expect(withEdits(draftRows(named.rows), all)).to.deep.equal(rows);
    expect(withEdits(draftRows([['x']]), all), 'another table').to.deep.equal(draftRows([['x']]));
  });

  it('is found below the titles of an export, which become no pages', () => {
    const exported = [
      'Customers of Northwind',
      'Exported on 2 March 2026',
      'City,Phone,Rating,Since',
      'Lisbon,+351 21 000 0000,4.9,2019',
      'Porto,+351 22 000 0000,4.7,2020',
    ].join('\n');
    const cells = readCells(exported) as string[][];
    expect(findHeaderRow(cells)).to.equal(2);
    expect(tableFromCells(cells, 2)).to.deep.include({
      names: ['City', 'Phone', 'Rating', 'Since'],
    });
    expect((tableFromCells(cells, 2) as TextTable).rows).to.have.length(2);
    for (const [isNamed, text] of cases)
      expect(findHeaderRow(readCells(text) as string[][]), text).to.equal(isNamed ? 0 : null);
    expect(findHeaderRow([['Lisbon'], ['Porto']])).to.equal(0);
  });

  it('has the number that it has in the spreadsheet, also below empty rows', () => {
    const text = '\nCustomers of Northwind\n\n \nCity,Phone,Lead\n\nLisbon,1,a\nPorto,2,b\n\n';
    const cells = readCells(text) as string[][];
    expect(findHeaderRow(cells)).to.equal(4);
    expect(tableFromCells(cells, 4)).to.deep.equal({
      names: ['City', 'Phone', 'Lead'],
      rows: [
        ['Lisbon', '1', 'a'],
        ['Porto', '2', 'b'],
      ],
    });
    const late = readCells(`${'\n'.repeat(20)}City\nLisbon`) as string[][];
    expect(findHeaderRow(late)).to.equal(20);
  });

  it('loses no cell of a row that is longer than the first', () => {
    expect(tableFromCells(readCells('City,Lead\nLisbon,Hello,more') as string[][])).to.deep.equal({
      names: ['City', 'Lead', 'Column C'],
      rows: [['Lisbon', 'Hello', 'more']],
    });
  });
});
