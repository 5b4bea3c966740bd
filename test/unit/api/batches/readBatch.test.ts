import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { readJsonBatch } from '../../../../src/api/batches/readBatch.ts';
import { readTable } from '../../../../src/api/batches/readTable.ts';
import {
  batchQuery,
  ROW_COUNT_PROBLEM,
} from '../../../../src/api/routes/batches/batches.schema.ts';
import { checkQuery } from '../../../../src/api/middleware/validate.ts';
import type { BatchRequest } from '../../../../src/tasks/batches/create.ts';
import { inParts, readTablePart } from '../../../helpers/batches.ts';
import { failureOf } from '../../../helpers/team/workplace.ts';
import { slugProblems } from '../../../../src/sites/pages/urls/slug.ts';
import { textFieldProblems } from '../../../../src/api/textSchema.ts';
import { rowErrors } from '../../../../src/api/batches/checkRows.ts';
import { samePageError } from '../../../../src/api/batches/rowList.ts';
import { csvError, csvProblems } from '../../../../src/api/batches/csvProblems.ts';
import { strayCellError } from '../../../../src/api/batches/csvTable.ts';
import { invalidJsonError } from '../../../../src/errors.ts';
import { OWN_TEMPLATE_PROBLEM } from '../../../../src/api/slugSchemas.ts';
import { fieldProblems } from '../../../../src/api/routes/tasks/tasks.schema.ts';

const siteId = randomUUID();
const templatePageSlug = '/t';

const read = (sent: string | Uint8Array) => readJsonBatch({ json: Buffer.from(sent) });
const json = (rows: unknown, more: object = {}) =>
  read(JSON.stringify({ siteId, templatePageSlug, rows, ...more }));
/** @param bytes of each part in which it comes; and as many are parsed at once */
const csv = (text: string | Uint8Array, query: object = {}, bytes = 65_536) =>
  readTable(
    {
      parts: inParts(Buffer.from(text), bytes),
      options: checkQuery(batchQuery, { siteId, templatePageSlug, ...query }),
    },
    readTablePart,
    { atOnce: bytes },
  );
const row = (slug: unknown, more: object = {}) => ({ targetPageSlug: slug, context: 'x', ...more });
const errorsOf = ({ rows }: BatchRequest) => rows.map(({ error }) => error);

describe('a request for a batch as JSON', () => {
  it("has rows with numbers from 1, normalized slugs, and the batch's common options", () => {
    const { rows, publish, onWarnings } = json(
      [row('porto/'), row('/faro', { facts: 'keep', templatePageSlug: '/other.html' })],
      { facts: 'drop' },
    );
    expect(rows).to.deep.equal([
      { number: 1, targetPageSlug: '/porto', context: 'x', templatePageSlug: '/t', facts: 'drop' },
      {
        number: 2,
        targetPageSlug: '/faro',
        context: 'x',
        templatePageSlug: '/other',
        facts: 'keep',
      },
    ]);
    expect({ publish, onWarnings }).to.deep.equal({ publish: false, onWarnings: 'publish' });
  });

  it('fails only wrong rows, and says what is wrong with each', () => {
    const { space, tooLong, homePage } = slugProblems;
    const { blank, control, surrogate } = textFieldProblems;
    const wrong: [unknown, string][] = [
      [row('/a b'), `targetPageSlug ${space}`],
      [row(`/${'a'.repeat(200)}`), `targetPageSlug ${tooLong}`],
      [row('/'), `targetPageSlug ${homePage}`],
      [row('/T'), rowErrors.ownTemplate],
      [{ targetPageSlug: '/c' }, 'context is required'],
      [row('/c', { context: ' ' }), `context ${blank}`],
      [row('/c', { context: 'a\0b' }), `context ${control}`],
      [row('/c', { context: '\ud800' }), `context ${surrogate}`],
      [
        row('/c', { context: 'x'.repeat(100_001) }),
        `context ${textFieldProblems.tooLong(100_000)}`,
      ],
      [row('/c', { externalId: 'a\nb' }), `externalId ${fieldProblems.externalId}`],
      [row('/c', { facts: 'maybe' }), 'facts must be one of [keep, drop]'],
      [row('/c', { external_id: 'x' }), 'external_id is not allowed'],
      [null, 'row must be of type object'],
      ['/c', 'row must be of type object'],
      [[], 'row must be of type object'],
      [7, 'row must be of type object'],
    ];
    const errors = errorsOf(json([row('/good'), ...wrong.map(([value]) => value)]));
    expect(errors).to.deep.equal([undefined, ...wrong.map(([, error]) => error)]);
  });

  it('fails the second of two rows with one page, and names the first', () => {
    const rows = [row('/a b'), row('/Porto'), row('/faro'), row('porto/index.html')];
    expect(errorsOf(json(rows))[3]).to.equal(samePageError(2));
  });

  it('fails rows without a template, and rows whose page has the links', () => {
    const rows = [row('/a'), row('/b', { templatePageSlug: '/t' }), row('/hub'), row('/c')];
    const errors = errorsOf(
      json([...rows, row('/d', { templatePageSlug: '/hub' })], {
        templatePageSlug: null,
        linkFrom: '/hub',
      }),
    );
    expect(errors).to.deep.equal([
      rowErrors.noTemplate,
      undefined,
      rowErrors.noTemplate,
      rowErrors.noTemplate,
      rowErrors.linkingTemplate,
    ]);
    expect(errorsOf(json([row('/Hub')], { linkFrom: 'hub' }))).to.deep.equal([
      rowErrors.linkingPage,
    ]);
  });

  it('is rejected as a whole if the whole request is wrong', () => {
    const many = Array.from({ length: 5_001 }, (_, i) => row(`/p${i}`));
    const { message: invalidJson } = invalidJsonError('');
    const wrong: [() => unknown, string | RegExp][] = [
      [() => json([]), `Invalid request body: rows ${ROW_COUNT_PROBLEM}`],
      [() => json(many), `Invalid request body: rows ${ROW_COUNT_PROBLEM}`],
      [() => json({}), 'Invalid request body: rows must be an array'],
      [
        () => json([row('/a')], { linkFrom: '/t' }),
        `Invalid request body: linkFrom ${OWN_TEMPLATE_PROBLEM}`,
      ],
      [
        () => json([row('/a')], { canary: 0 }),
        'Invalid request body: canary must be greater than or equal to 1',
      ],
      [
        () => json([row('/a')], { holdBelow: 2 }),
        'Invalid request body: holdBelow must be less than or equal to 1',
      ],
      [
        () => json([row('/a')], { holdbelow: 0.2 }),
        'Invalid request body: holdbelow is not allowed',
      ],
      [
        () => read('{"rows":['),
        new RegExp(`^${invalidJson}.*\\bline 1, column 10: close bracket expected$`),
      ],
      [() => read(Buffer.from([0x22, 0xff, 0x22])), new RegExp(`^${invalidJson}.* UTF-8$`)],
    ];
    for (const [asked, message] of wrong) expect(asked).to.throw(message);
  });

  it('has the digest of its meaning, not of its form', async () => {
    const digest = json([row('/a')], { publish: true }).digest;
    expect(
      read(
        `{"rows": [{"context":"x","targetPageSlug":"a"}],"publish":true,"templatePageSlug":"/t","siteId":"${siteId}"}`,
      ).digest,
    ).to.equal(digest);
    expect((await csv('targetPageSlug,context\na,x', { publish: 'true' })).digest).to.equal(digest);
    const invalid = (first: object, second: object) =>
      json([row('/a'), { targetPageSlug: '/b', ...first, ...second }]).digest;
    expect(invalid({ x: { y: 1, z: 2 } }, { context: 7 })).to.equal(
      invalid({ context: 7 }, { x: { z: 2, y: 1 } }),
    );
    expect(invalid({ x: 1 }, {})).to.not.equal(invalid({ x: 2 }, {}));
    const others = [
      json([row('/a')]),
      json([row('/b')], { publish: true }),
      json([row('/a'), row('/b c')], { publish: true }),
      json([row('/a'), row('/b d')], { publish: true }),
    ].map((other) => other.digest);
    expect(new Set([digest, ...others])).to.have.property('size', 5);
  });
});

describe('a request for a batch as CSV', () => {
  const twoRows = async (text: string) =>
    (await csv(text)).rows.map((one) => [one.targetPageSlug, one.context]);

  const refusal = async (text: string | Uint8Array) => (await failureOf(csv(text)))!.message;

  for (const [name, mark] of [
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ] as const)
    it(`may have ${name}`, async () => {
      const lines = [
        ['targetPageSlug', 'context'],
        ['/a', 'x'],
        ['/b', `"1${mark}2"`],
      ];
      expect(await twoRows(lines.map((cells) => cells.join(mark)).join('\n'))).to.deep.equal([
        ['/a', 'x'],
        ['/b', `1${mark}2`],
      ]);
    });

  it('may begin with a byte order mark and name its delimiter', async () => {
    const text = 'sep=;\r\ntargetPageSlug;a,b,c\r\n/a;x\r\n';
    expect(await twoRows(`\ufeff${text}`)).to.deep.equal([['/a', 'a,b,c: x']]);
  });

  it('may have line breaks in quotes, and empty lines', async () => {
    const text = 'targetPageSlug,context\r\n\r\n/a,"City: Porto\nPhone: ""1"""\r\n,\r\n/b,x';
    expect(await twoRows(text)).to.deep.equal([
      ['/a', 'City: Porto\nPhone: "1"'],
      ['/b', 'x'],
    ]);
  });

  it('has a context line for each other column if it has no context column', async () => {
    const text = 'City,targetPageSlug, Opening  hours ,externalId,Phone\nPorto,/a,"9\n to 5",7,\n';
    expect((await csv(text)).rows).to.deep.equal([
      {
        number: 1,
        targetPageSlug: '/a',
        context: 'City: Porto\nOpening hours: 9 to 5',
        templatePageSlug: '/t',
        externalId: '7',
      },
    ]);
  });

  it('fails only rows that do not fit the header, or that are wrong in another way', async () => {
    const text = 'targetPageSlug,City,\n/a,Porto\n/b,Faro,x\n/c,Rome,,y\n,Oslo\n/d,\n/a,Porto';
    const columns = ['targetPageSlug', 'City', ''];
    expect(errorsOf(await csv(text))).to.deep.equal([
      undefined,
      strayCellError(columns, 2, ','),
      strayCellError(columns, 3, ','),
      'targetPageSlug is required',
      'context is required',
      samePageError(1),
    ]);
  });

  it('fails a row with NUL or a cell that is too long, and names its column', async () => {
    const long = 'x'.repeat(1_000_000);
    const text = `targetPageSlug,City\n/a,Po\0rto\n/b,x\n/c,${long}\n/d\0,x\n/${long},x`;
    expect(errorsOf(await csv(text))).to.deep.equal([
      `"City" ${textFieldProblems.control}`,
      undefined,
      `"City" ${textFieldProblems.tooLong(100_000)}`,
      `targetPageSlug ${slugProblems.invisible}`,
      `targetPageSlug ${slugProblems.tooLong}`,
    ]);
    const asContext = `targetPageSlug,context\n/a,Po\0rto\n/c,${long}`;
    expect(errorsOf(await csv(asContext))).to.deep.equal([
      `context ${textFieldProblems.control}`,
      `context ${textFieldProblems.tooLong(100_000)}`,
    ]);
  });

  it('is rejected as a whole if it is not a table', async () => {
    const wrong: [string | Uint8Array, string][] = [
      ['', csvProblems.noHeader],
      ['/a,x', csvProblems.noHeader],
      ['targetPageSlug,context', csvProblems.noRow],
      ['targetPageSlug,City,City\n/a,x,y', csvProblems.duplicateColumn('City')],
      ['targetPageSlug,context,context\n/a,x,y', csvProblems.duplicateColumn('context')],
      ['targetPageSlug,context,City\n/a,x,y', csvProblems.otherColumns(['City'])],
      ['targetPageSlug,externalId\n/a,x', csvProblems.noContext],
      ['targetPageSlug,City\n/a,x\n/b,"y', csvProblems.quotes('row 2', '')],
      [Buffer.from('targetPageSlug,City\n/a,M\xfcnchen', 'latin1'), csvProblems.encoding('UTF-8')],
    ];
    for (const [text, problem] of wrong)
      expect(await refusal(text)).to.include(csvError(problem).message);
  });

  it('is read the same in parts of any size', async () => {
    const cells = ['a', '"b ""c"" "', '"1,2\r\n3"', 'ü🏙', '"é" ', ' x"y', '""', '', '\u2028'];
    const table = (newline: string) =>
      ['targetPageSlug,"A\n""B",externalId']
        .concat(
          cells.map((cell, at) => `/p${at},${cell},${cells.at(-at)}`),
          ['', ' , ,', '/p0,x,', `/long,"y${'z"",\n'.repeat(8)}",`],
        )
        .join(newline);
    for (const newline of ['\n', '\r\n', '\r']) {
      const text = table(newline);
      const forms = [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')];
      const whole = await csv(forms[0]!);
      expect(whole.rows).to.have.length(cells.length + 2);
      for (const form of forms)
        for (const bytes of [1, 2, 3, 7, 16, 61])
          expect(await csv(form, {}, bytes), `${bytes} bytes`).to.deep.equal(whole);
    }
  });

  it('is rejected at the first wrong part, of whatever size', async () => {
    const notUtf8 = csvProblems.encoding('UTF-8');
    const wrong: [string | Uint8Array, string][] = [
      ['targetPageSlug,City\n/a,x\n\n/b,"y"z\n', csvProblems.quotes('row 2', '')],
      ['targetPageSlug,"City"x\n/a,x', csvProblems.quotes('the header', '')],
      [Buffer.from('targetPageSlug,City\n/\u00fc,M\u00fcnchen\n/b,\xfc', 'latin1'), notUtf8],
      [Buffer.from([...Buffer.from('targetPageSlug,City\n/ü,ü\n/b,'), 0xc3]), notUtf8],
    ];
    for (const [text, message] of wrong)
      for (const bytes of [1, 2, 5, 1_000])
        expect((await failureOf(csv(text, {}, bytes)))!.message).to.include(message);
    async function* without(end: string) {
      yield Buffer.from(`targetPageSlug,City\n${end}`);
      for (;;) yield Buffer.from(end.repeat(10_000));
    }
    const endless: [string, string][] = [
      ['/a,x\n', `rows ${ROW_COUNT_PROBLEM}`],
      [',\n', csvProblems.lines(50_000)],
      [',', csvProblems.longRow('row 1', 2_000_000)],
      ['"', csvProblems.longRow('row 1', 2_000_000)],
    ];
    const options = checkQuery(batchQuery, { siteId, templatePageSlug });
    for (const [end, message] of endless) {
      const sent = { parts: without(end), options };
      expect((await failureOf(readTable(sent, readTablePart)))!.message).to.include(message);
    }
  });
});
