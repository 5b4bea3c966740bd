import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { batchQuery } from '../../../src/api/routes/batches.schema.ts';
import { checkQuery } from '../../../src/api/middleware/validate.ts';
import { batchAsked, csvOf } from '../../../src/console/browser/batchRequest.ts';
import { BYTES_PER_BATCH, contextOf, type Item } from '../../../src/console/browser/table.ts';
import { inParts, readSentBatch } from '../../helpers/batches.ts';

const siteId = randomUUID();
const options = { siteId, templatePageSlug: '/t', facts: 'drop' as const };
const item = (slug: string, context: string): Item => ({ targetPageSlug: slug, context });

/** What the service reads of a request. */
const readBy = (asked: ReturnType<typeof batchAsked>) =>
  readSentBatch(
    asked.csv === undefined
      ? { json: Buffer.from(JSON.stringify(asked.body)) }
      : {
          parts: inParts(Buffer.from(asked.csv)),
          options: checkQuery(batchQuery, asked.query!),
        },
  );
const asCsv = (rows: Item[]) => readBy({ query: options, csv: csvOf(rows) });

describe('batchAsked(body)', () => {
  it('sends a table just within the limit as CSV, since JSON would be over it', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `The name of column ${n}`);
    const columns = names.map((name) => ({ name, use: `as ${name}` as const }));
    const cells = Array.from({ length: 5_000 }, (_, n) =>
      names.map((_name, at) => `${n} "${at}", ${'x'.repeat(86)}`.slice(0, 92)),
    );
    const file = [names, ...cells]
      .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join())
      .join('\n');
    expect(file.length).to.be.within(19_000_000, BYTES_PER_BATCH);
    const rows = cells.map((row, n) => item(`/p${n}`, contextOf(columns, row)));
    const body = { ...options, rows };
    expect(JSON.stringify(body).length).to.be.greaterThan(BYTES_PER_BATCH);
    const asked = batchAsked(body);
    expect(asked.csv!.length).to.be.lessThan(BYTES_PER_BATCH);
    const read = await readBy(asked);
    expect(read.rows.map(({ context }) => context)).to.deep.equal(rows.map((row) => row.context));
    expect(read.rows[4_999]).to.include({ targetPageSlug: '/p4999', facts: 'drop' });
  });

  it('sends others as JSON', () => {
    const body = { ...options, rows: [item('/a', 'City: A')] };
    expect(batchAsked(body)).to.deep.equal({ body });
  });

  const contexts: [string, string[]][] = [
    ['lines of columns', ['City: "Köln", am Rhein\nPhone: 1', 'City: Rome\nMail: a@b']],
    ['names in another order', ['City: A\nPhone: 1', 'Phone: 2\nCity: B']],
    ['a name twice', ['City: A\nCity: B']],
    ['lines without names', ['# Porto\n\nOur studio, "Ribeira"', ' City: A ']],
    ['names that mean something else', ['facts: keep\nCity: A', 'context: x']],
    [
      'more lines than a table has columns',
      [Array.from({ length: 600 }, (_, n) => `a${n}: 1`).join('\n')],
    ],
  ];
  for (const [what, texts] of contexts)
    it(`sends contexts as they are that have ${what}`, async () => {
      const rows = texts.map((context, n) => item(`/p${n}`, context));
      const [csv, json] = [await asCsv(rows), await readBy({ body: { ...options, rows } })];
      expect(csv.rows.map(({ context }) => context)).to.deep.equal(texts);
      expect(csv).to.deep.equal(json);
    });
});
