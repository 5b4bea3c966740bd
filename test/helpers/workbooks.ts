import { strToU8, type Zippable, zipSync } from 'fflate';

/** Makes .xlsx files by hand, so that they can have what libraries would not write. */
export interface WorkbookParts {
  /** Of the first sheet: what is in `<sheetData>`. */
  rows?: string;
  /** Beside `<sheetData>`, before and after it. */
  before?: string;
  after?: string;
  /** Name and state of each sheet; the first one has the rows. */
  sheets?: [name: string, state?: 'hidden' | 'veryHidden'][];
  /** Rows of the other sheets. */
  otherRows?: string;
  strings?: string[];
  /** Number formats; cells have them by `s="1"` and so on. */
  formats?: string[];
  /** More files, or others in place of those that are made. */
  more?: Record<string, string>;
  properties?: string;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (list: string) =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`;
const relationship = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`;
export const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const sheetOf = (rows: string, before = '', after = '') =>
  `${head}<worksheet ${main}>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;

export function filesOf(parts: WorkbookParts): Record<string, string> {
  const {
    rows = '',
    sheets = [['Cities']],
    strings = [],
    formats = [],
    otherRows = '',
    properties = '',
  } = parts;
  const listed = sheets.map(
    ([name, state], at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"${state ? ` state="${state}"` : ''}/>`,
  );
  const ofSheets = sheets.map((_, at) =>
    relationship(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`),
  );
  const formatIds = formats.map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`,
  );
  const styles = formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`);
  return {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${head}<workbook ${main} xmlns:r="${types}">${properties}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ofSheets.join('') +
        relationship('rId100', 'styles', 'styles.xml') +
        relationship('rId101', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/styles.xml': `${head}<styleSheet ${main}><numFmts>${formatIds.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst ${main}>${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map((_, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        at === 0 ? sheetOf(rows, parts.before, parts.after) : sheetOf(otherRows),
      ]),
    ),
    ...parts.more,
  };
}

export const zipped = (files: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> => {
  const zippable: Zippable = {};
  for (const [name, content] of Object.entries(files))
    zippable[name] = typeof content === 'string' ? strToU8(content) : content;
  return new Uint8Array(zipSync(zippable, { level: 6 }));
};

export const workbook = (parts: WorkbookParts) => zipped(filesOf(parts));

/** Rows of texts, as cells of inline strings. */
export const textRows = (rows: string[][], first = 1) =>
  rows
    .map(
      (row, at) =>
        `<row r="${at + first}">${row.map((text, column) => textCell(text, column, at + first)).join('')}</row>`,
    )
    .join('');

const textCell = (text: string, column: number, row: number) =>
  `<c r="${String.fromCharCode(65 + column)}${row}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
