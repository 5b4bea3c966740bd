import { encode } from './encode.ts';
import { textRows, workbook } from './workbooks.ts';

/** Tables as other people make them. Each becomes a batch of pages like `/locations/austin`. */
export interface ReviewTable {
  title: string;
  /** A file to choose, or text to paste. */
  source: { name: string; mimeType: string; buffer: Buffer } | string;
  /** As the choice of "Which row names the columns?" begins. */
  headerRow: string;
  /** Columns that a person leaves out. */
  leftOutColumns: string[];
  /** Rows of the table that can become no page. */
  brokenRows: number;
  pages: number;
  /** Whether a guest looks through the pages too, on a phone. */
  hasGuest?: boolean;
  /** Whether each screen is checked at all widths, light and dark. */
  isInspected?: boolean;
}

const consonants = 'B D F G H K L M N P R S T V W'.split(' ');
const [vowels, endings] = [
  'a e i o u'.split(' '),
  ['burg', 'feld', 'hausen', 'ingen', 'stadt', 'tal', 'dorf', 'bach'],
];
/** Different names of towns, as many as asked for. */
const townNames = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) =>
      `${consonants[index % 15]}${vowels[index % 5]}${'nrlm'[Math.floor(index / 15) % 4]}${endings[Math.floor(index / 60) % 8]}`,
  );

const phone = (index: number) => `+49 30 5550 ${String(1000 + index)}`;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Row 20 has an error for its phone, row 40 no lead, row 50 no city, and row 55 `../`. */
function crmExport(): ReviewTable {
  const rows = townNames(60).map((town, index) => {
    const number = index + 1;
    return [
      `ACC-${4100 + index}`,
      number === 50 ? '' : town,
      number === 55 ? '../' : number === 50 ? '' : `/locations/${town.toLowerCase()}`,
      `Web design in ${town}`,
      number === 40 ? 'n/a' : `Websites for shops and practices in ${town}, at a fixed price.`,
      `Webseiten für Läden und Praxen in ${town}, zum Festpreis.`,
      number === 20 ? '#REF!' : phone(index),
      `${(4 + (index % 10) / 10).toFixed(1)} (${20 + index})`,
      String(2001 + (index % 20)),
      '',
      '',
    ];
  });
  const head = [
    'Account ID',
    'City',
    'URL',
    'Headline',
    'Lead',
    'Text (DE)',
    'Phone',
    'Customer rating',
    'Since',
    '',
    '',
  ];
  const empty = head.map(() => '');
  const titleRow = (text: string) => empty.with(0, text);
  const cells = [titleRow('Accounts by region'), titleRow('Exported 12.11.2026, 60 of 60'), empty];
  return {
    title: 'CRM export',
    source: {
      name: 'accounts.xlsx',
      mimeType: XLSX,
      buffer: Buffer.from(workbook({ rows: textRows([...cells, head, ...rows]) })),
    },
    headerRow: 'Row 4: Account ID',
    leftOutColumns: ['Account ID', 'Text (DE)'],
    brokenRows: 2,
    pages: 58,
  };
}

const frenchTowns =
  'Orléans Besançon Nîmes Béziers Angoulême Évreux Épinal Saint-Étienne Mâcon Alès Sète Châlons Niort Dole Figeac Gap Laon Vannes Auch Tulle';

/** As spreadsheets of France save it. Row 7 has a whole sentence for its phone. */
function frenchFile(): ReviewTable {
  const rows = frenchTowns
    .split(' ')
    .map((town, index) =>
      [
        town,
        `Création de sites à ${town}`,
        `Chez vous, à ${town} – « simple », clair et à prix fixe.`,
        index === 6 ? 'voir l’onglet « Agences »' : `+33 2 55 50 10 ${10 + index}`,
        `${String(index + 1)} rue de la République`,
      ].join(';'),
    );
  const text = ['Ville;Headline;Lead;Telephone;Adresse', ...rows].join('\r\n');
  return {
    title: 'Villes de France',
    isInspected: true,
    source: {
      name: 'villes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(encode(text, 'windows-1252')),
    },
    headerRow: 'Row 1: Ville',
    leftOutColumns: [],
    brokenRows: 0,
    pages: 20,
  };
}

/** The rows of the pasted table. 300, with REVIEW_ROWS, take the service about half an hour. */
export const pastedRowCount = Number(process.env['REVIEW_ROWS'] ?? 40);

/** Three rows are unusual: a long headline, an empty phone, and another kind of phone. */
function pastedRows(): ReviewTable {
  const rows = townNames(pastedRowCount).map((town, index) => {
    const number = index + 1;
    return [
      town,
      number === 20
        ? `Web design in ${town} and in all of the villages and valleys around it, up to the border`
        : `Web design in ${town}`,
      `We plan, write and build websites for independent businesses in ${town}.`,
      number === 30 ? '' : number === 40 ? 'ask at the desk' : phone(index),
    ].join('\t');
  });
  return {
    title: `${pastedRowCount} pasted towns`,
    source: ['City\tHeadline\tLead\tPhone', ...rows].join('\n'),
    headerRow: 'Row 1: City',
    leftOutColumns: [],
    brokenRows: 0,
    pages: pastedRowCount,
    hasGuest: true,
  };
}

export const reviewTables: ReviewTable[] = [crmExport(), frenchFile(), pastedRows()];
