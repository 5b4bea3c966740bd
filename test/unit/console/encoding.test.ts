import { expect } from 'chai';
import { encodingChoices } from '../../../src/console/browser/reading/encodings.ts';
import { recognizeEncoding } from '../../../src/console/browser/reading/encoding.ts';
import { readFile, type ReadingOptions } from '../../../src/console/browser/reading/readFile.ts';
import { encode } from '../../helpers/encode.ts';

const mark = '\ufeff';
const norwegian =
  'By;Overskrift;Ingress\r\nTromsø;Nettsider i Tromsø;Vi lager nettsider for små bedrifter\r\nÅlesund;Nettsider i Ålesund;Raske løsninger på Sunnmøre\r\n';
const german =
  'Stadt;Überschrift;Preis\r\nMünchen;„Webdesign“ für München;12 €\r\nKöln;Größe zählt;9 €\r\n';
const french =
  'Ville;Titre\r\nOrléans;Création de sites à Orléans\r\nSète;L’été français, cœur de métier\r\n';
const polish =
  'Miasto;Nagłówek\r\nŁódź;Strony internetowe w Łodzi\r\nGdańsk;Szybko i tanio, obsługa klientów\r\n';
const czech =
  'Město;Nadpis\r\nPlzeň;Webové stránky v Plzni\r\nČeské Budějovice;Rychlá řešení pro každého\r\n';
const russian = 'Город;Заголовок\r\nМосква;Сайты в Москве\r\nКазань;Быстро и недорого\r\n';
const turkish =
  'Şehir;Başlık\r\nEskişehir;Eskişehir’de web sitesi\r\nMuğla;Küçük işletmeler için çözümler\r\n';
const japanese = '都市,見出し\r\n東京,東京のウェブデザイン\r\n大阪,小さな会社のために\r\n';

const recognized: [what: string, text: string, label: string][] = [
  ['Norwegian', norwegian, 'windows-1252'],
  ['Norwegian', norwegian, 'macintosh'],
  ['Norwegian', norwegian, 'utf-8'],
  ['Norwegian', norwegian, 'utf-16le'],
  ['Norwegian', norwegian, 'utf-16be'],
  ['German', german, 'windows-1252'],
  ['German', german.replaceAll('€', 'Euro'), 'macintosh'],
  ['French', french, 'windows-1252'],
  ['French', french, 'macintosh'],
  ['one city', 'City,Lead\r\nÉvora,x\r\n', 'windows-1252'],
  ['English quotes', 'City,Lead\r\nLondon,“The best” – it’s ours for £20\r\n', 'windows-1252'],
  ['prices and halves', 'City,Price\r\nLondon,£20\r\nLeeds,£30 ½ off\r\n', 'windows-1252'],
  ['a degree', 'City,Lead\r\nLondon,20 °C\r\n', 'windows-1252'],
  ['a euro', 'Stadt;Preis\r\nBerlin;5 €\r\n', 'windows-1252'],
  ['a short name', 'By;Pris\r\nÅs;20\r\n', 'windows-1252'],
  ['a few letters', 'Navn;Pris\r\nKaffe;25,-\r\nSmørbrød;89,-\r\n', 'windows-1252'],
  ['three French letters', 'Nom;Texte\r\nX;à la carte\r\nY;naïve\r\n', 'windows-1252'],
  ['Spanish marks', 'Nombre;Texto\r\nX;¿Qué? ¡Hola!\r\n', 'windows-1252'],
  ['two Japanese words', '名前\r\n田中\r\n', 'shift_jis'],
  ['one Russian word', 'City;Title\r\nMoscow;МОСКВА\r\n', 'windows-1251'],
  ['one Hungarian word', 'Név\r\nKőszeg\r\nGyőr\r\n', 'windows-1250'],
  ['Polish', polish, 'windows-1250'],
  ['Polish', polish, 'iso-8859-2'],
  ['Czech', czech, 'windows-1250'],
  ['Russian', russian, 'windows-1251'],
  ['Russian', russian, 'koi8-r'],
  ['Russian', russian, 'ibm866'],
  [
    'Greek',
    'Πόλη;Τίτλος\r\nΑθήνα;Ιστοσελίδες στην Αθήνα\r\nΠάτρα;Γρήγορες λύσεις\r\n',
    'windows-1253',
  ],
  ['Turkish', turkish, 'windows-1254'],
  ['Hebrew', 'עיר;כותרת\r\nתל אביב;אתרים בתל אביב\r\n', 'windows-1255'],
  ['Arabic', 'المدينة;العنوان\r\nالقاهرة;مواقع في القاهرة\r\n', 'windows-1256'],
  ['Thai', 'เมือง,หัวข้อ\r\nกรุงเทพ,เว็บไซต์ในกรุงเทพ\r\n', 'windows-874'],
  ['Japanese', japanese, 'shift_jis'],
  ['Japanese', japanese, 'euc-jp'],
  ['Chinese', '城市,标题\r\n北京,北京的网站设计\r\n上海,为小公司服务\r\n', 'gb18030'],
  ['Chinese', '城市,標題\r\n台北,台北的網站設計\r\n高雄,為小公司服務\r\n', 'big5'],
  ['Korean', '도시,제목\r\n서울,서울의 웹 디자인\r\n부산,작은 회사를 위해\r\n', 'euc-kr'],
];

const bytesOf = (text: string, label: string) =>
  label === 'utf-8' ? new TextEncoder().encode(text) : encode(text, label);
const read = (bytes: Uint8Array<ArrayBuffer>, options: ReadingOptions = {}) =>
  readFile(new Blob([bytes]), options);

describe('the encoding of a text file', () => {
  for (const [what, text, label] of recognized)
    it(`is recognized: ${what} in ${label}`, async () => {
      const cells = text
        .trim()
        .split('\r\n')
        .map((line) => line.split(text.includes(';') ? ';' : ','));
      expect(await read(bytesOf(text, label))).to.deep.equal({
        cells: cells.map((row) => row.map((cell) => cell.trim())),
        encoding: label,
        remarks: [],
      });
    });

  for (const label of ['utf-8', 'utf-16le', 'utf-16be'])
    it(`is that of its byte order mark, which is no part of the first cell: ${label}`, async () => {
      const read = await readFile(new Blob([bytesOf(`${mark}City\tLead\nLisbon\tx\n`, label)]));
      expect(read).to.deep.include({
        cells: [
          ['City', 'Lead'],
          ['Lisbon', 'x'],
        ],
        encoding: label,
      });
    });

  it('is UTF-8 for plain ASCII, and for UTF-8 of which a byte broke', async () => {
    expect(recognizeEncoding(bytesOf('City\nLisbon', 'utf-8'))).to.equal('utf-8');
    const broken = Uint8Array.from([...bytesOf(norwegian, 'utf-8'), 0xc3, 0x0a]);
    expect(await read(broken)).to.deep.include({
      encoding: 'utf-8',
      remarks: ['Some characters can’t be read as UTF-8. Choose another encoding.'],
    });
  });

  it('is what the person’s language is usually written in, where letters say nothing', () => {
    const bytes = encode('Město\r\nPlzeň\r\n', 'windows-1250');
    expect(recognizeEncoding(bytes, ['cs-CZ', 'en'])).to.equal('windows-1250');
  });

  it('is the one that a person chose', async () => {
    const bytes = encode(norwegian, 'windows-1252');
    const chosen = await read(bytes, { encoding: 'windows-1251' });
    expect(chosen).to.have.property('encoding', 'windows-1251');
    expect(JSON.stringify(chosen)).to.contain('Tromsш');
  });

  it('can be read by browsers, whichever is chosen, and each is named once', () => {
    for (const [label] of encodingChoices) expect(new TextDecoder(label).encoding).to.equal(label);
    expect(new Set(encodingChoices.map(([, name]) => name)).size).to.equal(encodingChoices.length);
  });
});

describe('a file that is no table', () => {
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
    ['a photo', bytes(0xff, 0xd8, 0xff), /image/],
    [
      'a web page that is called .xls',
      bytesOf('<html><table><tr><td>City</table>', 'utf-8'),
      /web page/,
    ],
    ['of bytes that are no text', bytes(1, 0, 0, 0, 2, 2), /no table of text/],
    ['blank', bytesOf(' \r\n\r\n', 'utf-8'), /A table has a row of names/],
  ];
  for (const [what, content, said] of refused)
    it(`is refused in a sentence: ${what}`, async () => {
      const answer = await read(content);
      expect(answer).to.be.a('string').that.matches(said);
    });

  it('is refused by its size before it is read', async () => {
    const file = {
      size: 20_000_001,
      arrayBuffer: () => Promise.reject(new Error('read')),
    } as unknown as Blob;
    expect(await readFile(file)).to.equal('The file has 21 MB. A table has 20 MB at most.');
  });

  it('is said to be gone where it was removed after it was chosen', async () => {
    const file = {
      size: 20,
      arrayBuffer: () => Promise.reject(new Error('gone')),
    } as unknown as Blob;
    expect(await readFile(file)).to.match(/can’t be read any more/);
  });
});
