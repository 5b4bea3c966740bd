import { expect } from 'chai';
import {
  readTableFile,
  type ReadingOptions,
  BROKEN_ENCODING_REMARK,
} from '../../../src/console/browser/reading/readFile.ts';
import { encode } from '../../helpers/encode.ts';

const mark = '\ufeff';
const norwegian =
  'By;Overskrift;Ingress\r\nTromsø;Nettsider i Tromsø;Vi lager nettsider for små bedrifter\r\nÅlesund;Nettsider i Ålesund;Raske løsninger på Sunnmøre\r\n';
const czech =
  'Město;Nadpis\r\nPlzeň;Webové stránky v Plzni\r\nČeské Budějovice;Rychlá řešení pro každého\r\n';

const recognized: [text: string, label: string][] = [
  [norwegian, 'windows-1252'],
  [norwegian, 'utf-8'],
  ['City,Lead\r\nLondon,“The best” – it’s ours for £20\r\n', 'windows-1252'],
];

const bytesOf = (text: string, label: string) =>
  label === 'utf-8' ? new TextEncoder().encode(text) : encode(text, label);
const read = (bytes: Uint8Array<ArrayBuffer>, options: ReadingOptions = {}) =>
  readTableFile(new Blob([bytes]), options);

describe('the encoding of a text file', () => {
  for (const [text, label] of recognized)
    it(`is recognized as ${label}: ${text.split('\r\n')[1]}`, async () => {
      const cells = text
        .trim()
        .split('\r\n')
        .map((line) => line.split(text.includes(';') ? ';' : ','));
      expect(await read(bytesOf(text, label))).to.deep.equal({
        cells,
        encoding: label,
        remarks: [],
      });
    });

  for (const label of ['utf-8', 'utf-16le', 'utf-16be'])
    it(`is that of its byte order mark, which is not part of the first cell: ${label}`, async () => {
      const read = await readTableFile(
        new Blob([bytesOf(`${mark}City\tLead\nLisbon\tx\n`, label)]),
      );
      expect(read).to.deep.include({
        cells: [
          ['City', 'Lead'],
          ['Lisbon', 'x'],
        ],
        encoding: label,
      });
    });

  it('is UTF-8 for UTF-8 with a broken byte', async () => {
    const broken = Uint8Array.from([...bytesOf(norwegian.repeat(5), 'utf-8'), 0xc3, 0x0a]);
    expect(await read(broken)).to.deep.include({
      encoding: 'utf-8',
      remarks: [BROKEN_ENCODING_REMARK],
    });
  });

  it('is the encoding that a person chose', async () => {
    const bytes = encode(czech, 'windows-1250');
    expect(await read(bytes)).to.have.property('encoding', 'windows-1252');
    const chosen = await read(bytes, { encoding: 'windows-1250' });
    expect(chosen).to.have.property('encoding', 'windows-1250');
    expect(JSON.stringify(chosen)).to.contain('Plzeň');
  });
});

describe('a file that is not a table', () => {
  const bytes = (...list: number[]) =>
    Uint8Array.from([...list, ...Array.from({ length: 40 }, () => 7)]);
  const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
  const refused: [what: string, bytes: Uint8Array<ArrayBuffer>, said: RegExp][] = [
    ['empty', new Uint8Array(), /^The file is empty/],
    ['an old .xls', bytes(...compound), /old Excel/],
    [
      'a workbook with a password',
      Uint8Array.from([...compound, ...encode('EncryptedPackage', 'utf-16le')]),
      /password/,
    ],
    ['a PDF', bytes(...Buffer.from('%PDF-1.7')), /PDF/],
    ['an image', bytes(0x89, 0x50, 0x4e, 0x47), /image/],
    [
      'a web page that is called .xls',
      bytesOf('<html><table><tr><td>City</table>', 'utf-8'),
      /web page/,
    ],
    ['of bytes that are no text', bytes(1, 0, 0, 0, 2, 2), /text table/],
    ['blank', bytesOf(' \r\n\r\n', 'utf-8'), /row of column names/],
  ];
  for (const [what, content, said] of refused)
    it(`is rejected in a sentence: ${what}`, async () => {
      const answer = await read(content);
      expect(answer).to.be.a('string').that.matches(said);
    });

  it('is rejected by its size before it is read', async () => {
    const file = {
      size: 20_000_001,
      arrayBuffer: () => Promise.reject(new Error('read')),
    } as unknown as Blob;
    expect(await readTableFile(file)).to.match(/\b21 MB\b.*\b20 MB\b/);
  });

  it('is reported as removed if it was removed after it was chosen', async () => {
    const file = {
      size: 20,
      arrayBuffer: () => Promise.reject(new Error('gone')),
    } as unknown as Blob;
    expect(await readTableFile(file)).to.match(/removed/);
  });
});
