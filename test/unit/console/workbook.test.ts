import { expect } from 'chai';
import { writeXlsx } from 'hucre/xlsx';
import { readFile } from '../../../src/console/browser/reading/readFile.ts';
import type { Reading } from '../../../src/console/browser/reading/fileCells.ts';
import {
  filesOf,
  textRows,
  workbook,
  type WorkbookParts,
  zipped,
} from '../../helpers/workbooks.ts';

const read = (bytes: Uint8Array<ArrayBuffer>, language = 'en-US') =>
  readFile(new Blob([bytes]), { languages: [language] });
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
  it('that a library wrote is read: texts, numbers, dates, formulas by their values', async () => {
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
    ['4790012345', undefined, 'en-US', '4790012345'],
    ['351210000000', undefined, 'en-US', '351210000000'],
    ['4.9E+10', undefined, 'nb-NO', '49000000000'],
    ['351210000000', '0.00E+00', 'en-US', '351210000000'],
    ['0.30000000000000004', undefined, 'en-US', '0.3'],
    ['1234.5', undefined, 'nb-NO', '1234,5'],
    ['0.125', '0.0%', 'en-US', '12.5%'],
    ['0.125', '0.0%', 'de-DE', '12,5%'],
    ['1234.5', '#,##0.00', 'de-DE', '1.234,50'],
    ['1234.5', '#,##0.00 "kr"', 'nb-NO', '1 234,50 kr'],
    ['1234.5', '[$€-407]#,##0.00', 'en-US', '€1.234,50'],
    ['99', '_-* #,##0.00 "kr"_-', 'en-US', '99.00 kr'],
    ['123', '00000', 'en-US', '00123'],
    ['22334455', '"+47" 00 00 00 00', 'en-US', '+47 22 33 44 55'],
    ['46085', 'd. mmmm yyyy', 'nb-NO', '4. mars 2026'],
    ['46085', 'yyyy-mm-dd', 'nb-NO', '2026-03-04'],
    ['46085', 'm/d/yyyy', 'en-US', '3/4/2026'],
    ['46085', 'm/d/yyyy', 'en-GB', '04/03/2026'],
    ['46085', 'm/d/yyyy', 'de-DE', '04.03.2026'],
    ['0.4375', 'h:mm', 'en-US', '10:30'],
    ['1.5', '[h]:mm', 'en-US', '36:00'],
    ['7', 'bogus ["', 'en-US', '7'],
    ['7', `0${'0'.repeat(300)}`, 'en-US', '7'],
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

  it('counts its days from 1904 where it says so', async () => {
    const rows = '<row r="1"><c r="A1" s="1"><v>44623</v></c></row>';
    const parts = { rows, formats: ['yyyy-mm-dd'], properties: '<workbookPr date1904="1"/>' };
    expect(await cellsOf(parts)).to.deep.equal([['2026-03-04']]);
  });

  it('has the saved values of its formulas, errors as they are shown, and says which values are missing', async () => {
    const rows = `<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"Web in "&amp;A2</f><v>Web in Bodø</v></c><c r="C1" t="e"><f>A1/0</f><v>#DIV/0!</v></c><c r="D1" t="b"><f>TRUE()</f><v>1</v></c></row><row r="2"><c r="A2"><f>SUM(A1)</f></c><c r="B2"><v>1</v></c></row>`;
    const found = await readParts({ rows });
    expect(found.cells).to.deep.equal([
      ['2', 'Web in Bodø', '#DIV/0!', 'TRUE'],
      ['', '1', '', ''],
    ]);
    expect(found.remarks).to.deep.equal([
      '1 formula without a saved value. Open the file in your spreadsheet program and save it.',
    ]);
  });

  it('is read by its first sheet that is not hidden, which is named', async () => {
    const sheets: WorkbookParts['sheets'] = [
      ['Lists', 'hidden'],
      ['More', 'veryHidden'],
      ['Cities'],
      ['Old'],
    ];
    const found = await readParts({ rows: textRows([['secret']]), otherRows: cities, sheets });
    expect(found.cells[1]).to.deep.equal(['Tromsø', 'Nord <i> & sør']);
    expect(found.sheet).to.equal('the first sheet of 2, “Cities”');
    expect(await refusal({ rows: cities, sheets: [['A', 'hidden']] })).to.match(
      /no visible sheet with cells/,
    );
    expect(await refusal({ sheets: [['Empty'], ['Full']], otherRows: cities })).to.match(
      /first sheet, “Empty”, is empty/,
    );
  });

  it('is read by its first sheet that has cells, where one of a chart is before it', async () => {
    const files = filesOf({ otherRows: cities, sheets: [['Chart'], ['Cities']] });
    const {
      'xl/worksheets/sheet1.xml': chart = '',
      'xl/_rels/workbook.xml.rels': relations = '',
      ...more
    } = files;
    const list = relations.replace(
      'relationships/worksheet" Target="worksheets/sheet1',
      'relationships/chartsheet" Target="chartsheets/sheet1',
    );
    const found = await read(
      zipped({ ...more, 'xl/chartsheets/sheet1.xml': chart, 'xl/_rels/workbook.xml.rels': list }),
    );
    expect((found as Reading).cells).to.have.length(3);
  });

  it('leaves out hidden rows and columns, and says so', async () => {
    const rows = cities.replace('<row r="2">', '<row r="2" hidden="1">');
    const found = await readParts({
      rows,
      before: '<cols><col min="2" max="16384" hidden="1"/></cols>',
    });
    expect(found.cells).to.deep.equal([['City'], ['東京']]);
    expect(found.remarks).to.deep.equal(['Left out: 1 hidden row and 1 hidden column.']);
  });

  it('has a merged value once, and neither empty rows and columns around it nor cells that only have a colour', async () => {
    const rows = `<row r="3"><c r="B3" t="str"><v>City</v></c><c r="C3" t="str"><v>Lead</v></c><c r="XFD3" s="1"/></row><row r="5"><c r="B5" t="str"><v>Oslo</v></c><c r="C5"/></row><row r="900000"><c r="A900000" s="1"/></row>`;
    const parts = {
      rows,
      formats: ['0'],
      after: '<mergeCells><mergeCell ref="B5:C5"/></mergeCells>',
    };
    expect(await cellsOf(parts)).to.deep.equal([
      ['City', 'Lead'],
      ['Oslo', ''],
    ]);
  });

  it('needs no references of cells and no styles', async () => {
    const files = filesOf({ rows: '<row><c><v>1</v></c><c><v>2</v></c></row>' });
    delete files['xl/styles.xml'];
    expect(((await read(zipped(files))) as Reading).cells).to.deep.equal([['1', '2']]);
  });

  const kinds: [what: string, names: string[], said: RegExp][] = [
    ['.ods', ['mimetype', 'content.xml'], /OpenDocument/],
    ['Numbers', ['Index/Document.iwa'], /Numbers/],
    ['.xlsb', ['[Content_Types].xml', '_rels/.rels', 'xl/workbook.bin'], /binary/],
    ['.docx', ['[Content_Types].xml', '_rels/.rels', 'word/document.xml'], /text document/],
    ['a zip of anything', ['notes.txt'], /packed/],
  ];
  for (const [what, names, said] of kinds)
    it(`is not ${what}, which is told from it`, async () => {
      const answer = await read(zipped(Object.fromEntries(names.map((name) => [name, 'x']))));
      expect(answer)
        .to.match(said)
        .and.to.match(/\.xlsx or CSV/);
    });

  it('is refused in a sentence where it is damaged, whatever is', async () => {
    const whole = workbook({ rows: cities });
    for (const length of [4, 40, whole.length >> 1, whole.length - 200])
      expect(await read(whole.slice(0, length)), `${length} bytes`).to.be.a('string');
    for (const name of Object.keys(filesOf({ rows: cities })).filter(
      (each) => !/styles|Strings/.test(each),
    ))
      expect(await refusal({ rows: cities, more: { [name]: '<a' } }), name).to.match(
        /damaged|empty|no workbook/,
      );
  });
});

describe('the limits of an .xlsx workbook', () => {
  it('refuse what unzips to more than 50 MB, whatever its headers say, before it is unzipped', async () => {
    const bomb = workbook({ rows: ' '.repeat(60_000_000) });
    expect(bomb.length).to.be.below(100_000);
    for (const size of sizesIn(bomb)) new DataView(bomb.buffer).setUint32(size, 1_000, true);
    expect(await read(bomb)).to.match(/more than 50 MB/);
  });

  it('refuse many parts that are small each', async () => {
    const more = Object.fromEntries(
      Array.from({ length: 2_100 }, (_, at) => [`xl/media/${at}.png`, '']),
    );
    expect(await refusal({ rows: cities, more })).to.match(/too many parts/);
  });

  it('do not count pictures and what else is not read', async () => {
    const noise = {
      'xl/media/image1.png': ' '.repeat(60_000_000),
      'customXml/item1.xml': '<a'.repeat(2_000_000),
    };
    expect(await cellsOf({ rows: cities, more: noise })).to.have.length(3);
  });

  it('are those of the sheet that is read, however large the others are', async () => {
    const otherRows = `<row>${'<c><v>1</v></c>'.repeat(400_000)}</row>`;
    expect(
      await cellsOf({ rows: cities, otherRows, sheets: [['Cities'], ['Data']] }),
    ).to.have.length(3);
  });

  const many: [what: string, parts: () => WorkbookParts][] = [
    ['cells', () => ({ rows: `<row>${'<c><v>1</v></c>'.repeat(400_000)}</row>` })],
    [
      'shared texts',
      () => ({ more: { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(1_000_001)}</sst>` } }),
    ],
    [
      'cells far below',
      () => ({
        rows: '<row r="1"><c r="A1"><v>1</v></c><c r="CV1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>',
      }),
    ],
    [
      'far cells in each of many rows',
      () => ({
        rows: Array.from(
          { length: 5_000 },
          (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`,
        ).join(''),
      }),
    ],
  ];
  for (const [what, parts] of many)
    it(`refuse too many ${what}`, async () =>
      expect(await refusal({ rows: cities, ...parts() })).to.match(/too many cells|far away/));

  it('let 16384 columns be told, rather than read', async () => {
    const found = await readParts({
      rows: '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>',
    });
    expect(found.cells).to.deep.equal([['1', '2']]);
  });

  it('do not count cells that only have a colour, wherever they are', async () => {
    const coloured = Array.from(
      { length: 5_000 },
      (_, at) => `<row r="${at + 10}"><c r="XFD${at + 10}" s="1"/></row>`,
    );
    expect(await cellsOf({ rows: cities + coloured.join(''), formats: ['0'] })).to.have.length(3);
  });

  it('let nothing define entities', async () => {
    const [strings] = [
      `<!DOCTYPE sst [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/passwd">]><sst><si><t>&a;&b;</t></si></sst>`,
    ];
    const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>';
    expect(await refusal({ rows, more: { 'xl/sharedStrings.xml': strings } })).to.match(/damaged/);
    const undefined_ = '<sst><si><t>&a;</t></si></sst>';
    expect(await cellsOf({ rows, more: { 'xl/sharedStrings.xml': undefined_ } })).to.deep.equal([
      ['&a;'],
    ]);
  });
});

/** Where an archive says how large its parts are when unzipped. */
function sizesIn(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer);
  const found: number[] = [];
  for (let at = 0; at < bytes.length - 30; at++) {
    if (view.getUint32(at, true) === 0x04034b50) found.push(at + 22);
    if (view.getUint32(at, true) === 0x02014b50) found.push(at + 24);
  }
  return found;
}
