import { expect } from 'chai';
import { writeXlsx } from 'hucre/xlsx';
import type { FileReading } from '../../../src/console/browser/reading/fileKinds.ts';
import { readTableFile } from '../../../src/console/browser/reading/readFile.ts';
import {
  filesOf,
  textRows,
  workbook,
  type WorkbookParts,
  zipped,
} from '../../helpers/workbooks.ts';
import {
  firstSheetName,
  unsavedFormulasRemark,
  workbookRefusals,
} from '../../../src/console/browser/reading/workbook.ts';

const read = (bytes: Uint8Array<ArrayBuffer>, language = 'en-US') =>
  readTableFile(new Blob([bytes]), { language });
const readParts = async (parts: WorkbookParts, language?: string) => {
  const found = await read(workbook(parts), language);
  if (typeof found === 'string') throw new Error(found);
  return found;
};
const cellsOf = async (parts: WorkbookParts, language?: string) =>
  (await readParts(parts, language)).cells;
const refusal = async (parts: WorkbookParts) => {
  const found = await read(workbook(parts));
  expect(found).to.be.a('string');
  return found as string;
};
const cities = textRows([
  ['City', 'Lead'],
  ['Tromsø', 'Nord <i> & sør'],
  ['東京', 'x'],
]);

describe('an .xlsx workbook', () => {
  it('written by a library is read: texts, numbers, dates, formulas by their values', async () => {
    const written = await writeXlsx({
      sheets: [
        {
          name: 'Cities',
          rows: [
            ['City', 'Opens', 'Price'],
            ['Bodø', new Date('2026-03-04T00:00:00Z'), 12.5],
          ],
          columns: [{}, { numFmt: 'yyyy-mm-dd' }, { numFmt: '0.00' }],
        },
      ],
    });
    expect(await read(new Uint8Array(written))).to.deep.equal({
      cells: [
        ['City', 'Opens', 'Price'],
        ['Bodø', '2026-03-04', '12.50'],
      ],
      sheet: 'sheet “Cities”',
      remarks: [],
    });
  });

  it('is read from shared, inline and rich texts', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><r><t>Fine </t></r><r><t>web</t></r></is></c></row>';
    expect(await cellsOf({ rows, strings: ['Łódź', ' "a" & <b> '] })).to.deep.equal([
      ['Łódź', '"a" & <b>', 'Fine web'],
    ]);
    expect(await cellsOf({ rows: cities })).to.deep.equal([
      ['City', 'Lead'],
      ['Tromsø', 'Nord <i> & sør'],
      ['東京', 'x'],
    ]);
  });

  const shown: [value: string, format: string | undefined, language: string, text: string][] = [
    ['351210000000', '0.00E+00', 'en-US', '351210000000'],
    ['1234.5', undefined, 'nb-NO', '1234,5'],
    ['0.125', '0.0%', 'de-DE', '12,5%'],
    ['1234.5', '[$€-407]#,##0.00', 'en-US', '€1.234,50'],
    ['22334455', '"+47" 00 00 00 00', 'en-US', '+47 22 33 44 55'],
    ['46085', 'yyyy-mm-dd', 'nb-NO', '2026-03-04'],
    ['46085', 'm/d/yyyy', 'en-GB', '04/03/2026'],
    ['0.4375', 'h:mm', 'en-US', '10:30'],
    ['7', 'bogus ["', 'en-US', '7'],
  ];
  for (const [value, format, language, text] of shown)
    it(`shows ${value} as ${format?.slice(0, 30) ?? 'it is'} in ${language}: ${text}`, async () => {
      const rows = `<row r="1"><c r="A1"${format === undefined ? '' : ' s="1"'}><v>${value}</v></c></row>`;
      const [[cell = ''] = []] = await cellsOf(
        { rows, formats: format === undefined ? [] : [format] },
        language,
      );
      expect(cell.replaceAll(/[\u00a0\u202f]/g, ' ')).to.equal(text);
    });

  it('counts its days from 1904 if it says so', async () => {
    const rows = '<row r="1"><c r="A1" s="1"><v>44623</v></c></row>';
    const parts = { rows, formats: ['yyyy-mm-dd'], properties: '<workbookPr date1904="1"/>' };
    expect(await cellsOf(parts)).to.deep.equal([['2026-03-04']]);
  });

  it('has the saved values of its formulas, errors as they are shown, and reports missing values', async () => {
    const rows = `<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"Web in "&amp;A2</f><v>Web in Bodø</v></c><c r="C1" t="e"><f>A1/0</f><v>#DIV/0!</v></c><c r="D1" t="b"><f>TRUE()</f><v>1</v></c></row><row r="2"><c r="A2"><f>SUM(A1)</f></c><c r="B2"><v>1</v></c></row>`;
    const found = await readParts({ rows });
    expect(found.cells).to.deep.equal([
      ['2', 'Web in Bodø', '#DIV/0!', 'TRUE'],
      ['', '1', '', ''],
    ]);
    expect(found.remarks).to.deep.equal([unsavedFormulasRemark(1)]);
  });

  it('is read by its first visible sheet, which is named', async () => {
    const sheets: WorkbookParts['sheets'] = [
      ['Lists', 'hidden'],
      ['More', 'veryHidden'],
      ['Cities'],
      ['Old'],
    ];
    const found = await readParts({ rows: textRows([['secret']]), otherRows: cities, sheets });
    expect(found.cells[1]).to.deep.equal(['Tromsø', 'Nord <i> & sør']);
    expect(found.sheet).to.equal(firstSheetName('Cities', 2));
    expect(await refusal({ rows: cities, sheets: [['A', 'hidden']] })).to.equal(
      workbookRefusals.noSheet,
    );
    expect(await refusal({ sheets: [['Empty'], ['Full']], otherRows: cities })).to.equal(
      workbookRefusals.emptySheet('Empty'),
    );
  });

  it('is read without hidden columns and the texts of hidden rows, which are reported', async () => {
    const rows = cities.replace('<row r="2">', '<row r="2" hidden="1">');
    const found = await readParts({
      rows,
      before: '<cols><col min="2" max="16384" hidden="1"/></cols>',
    });
    expect(found.cells).to.deep.equal([['City'], [''], ['東京']]);
    expect(found.remarks).to.deep.equal(['Left out: 1 hidden row and 1 hidden column.']);
  });

  it('has a merged value once, neither empty columns nor cells with only a colour, and rows at their numbers', async () => {
    const rows = `<row r="3"><c r="B3" t="str"><v>City</v></c><c r="C3" t="str"><v>Lead</v></c><c r="XFD3" s="1"/></row><row r="5"><c r="B5" t="str"><v>Oslo</v></c><c r="C5"/></row><row r="900000"><c r="A900000" s="1"/></row>`;
    const parts = {
      rows,
      formats: ['0'],
      after: '<mergeCells><mergeCell ref="B5:C5"/></mergeCells>',
    };
    expect(await cellsOf(parts)).to.deep.equal([
      ['', ''],
      ['', ''],
      ['City', 'Lead'],
      ['', ''],
      ['Oslo', ''],
    ]);
  });

  it('needs no cell references and no styles', async () => {
    const files = filesOf({ rows: '<row><c><v>1</v></c><c><v>2</v></c></row>' });
    delete files['xl/styles.xml'];
    expect(((await read(zipped(files))) as FileReading).cells).to.deep.equal([['1', '2']]);
  });

  it('is distinguished from other archives', async () => {
    const answer = await read(zipped({ 'content.xml': 'x' }));
    expect(answer).to.match(/not an \.xlsx workbook.*as \.xlsx or CSV/);
  });

  it('is rejected in a sentence if any part of it is damaged', async () => {
    const whole = workbook({ rows: cities });
    for (const length of [4, 40, whole.length >> 1, whole.length - 200])
      expect(await read(whole.slice(0, length)), `${length} bytes`).to.be.a('string');
  });

  it('is read without cells far away, which no table has', async () => {
    const rows = `${cities}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`;
    expect(await cellsOf({ rows })).to.have.length(3);
  });

  it("can't define entities", async () => {
    const strings =
      '<!DOCTYPE sst [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/passwd">]><sst><si><t>&a;&b;</t></si></sst>';
    const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>';
    expect(await cellsOf({ rows, more: { 'xl/sharedStrings.xml': strings } })).to.deep.equal([
      ['&a;&b;'],
    ]);
  });
});
