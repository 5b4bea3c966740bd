// Takes long: a browser has a long table checked, where a language model would write its pages.
import { expect } from 'chai';
import type { BatchCheckRequest } from '../../../src/contract/check.ts';
import { needProgram } from '../../helpers/programs.ts';
import { startTableScreen, type TableScreen } from '../../helpers/tableScreen.ts';
import { textRows, workbook } from '../../helpers/workbooks.ts';

const COUNT = 120;
const taken = '/locations/town-77';
const rows = Array.from({ length: COUNT }, (_, at) => [`Town ${at + 1}`, `In town ${at + 1}`]);

describe('the check of a long table, in the console', function () {
  this.timeout(300_000);
  let screen: TableScreen;
  const asked: BatchCheckRequest['rows'][] = [];

  before(async function () {
    needProgram(this, 'Chromium');
    screen = await startTableScreen({
      assign: () => ({ model: 'a/b' }),
      checkBatch: ({ rows: some }) => {
        asked.push(some);
        const problem = { code: 'PAGE_EXISTS', message: `Page already exists: ${taken}` };
        const wrong = some.filter(({ targetPageSlug }) => targetPageSlug === taken);
        const tokens = 100 * (some.length - wrong.length);
        return Promise.resolve({
          problems: [],
          rows: wrong.map(({ number }) => ({ number, problem })),
          inputTokens: tokens,
          outputTokens: tokens,
        });
      },
      costOf: ({ inputTokens }) => ({ amount: (inputTokens / 1_000).toFixed(2), currency: 'USD' }),
    });
  });
  after(() => screen?.close());
  afterEach(() => expect(screen.problems.splice(0)).to.deep.equal([]));

  const says = (text: string) => screen.page.getByText(text).first().waitFor();

  it('takes one request, names each row with a problem, and says what the others cost', async () => {
    await screen.open();
    await screen.choose('towns.xlsx', workbook({ rows: textRows([['City', 'Lead'], ...rows]) }));
    await says('Row 77 needs a look before you can start.');
    await says('a/b makes the pages: about 12,000 tokens read and 12,000 written, about 12 USD.');
    expect(asked.map(({ length }) => length)).to.deep.equal([COUNT]);
  });

  it('checks the table again after a change', async () => {
    await screen.page.getByRole('button', { name: 'With problems (1)' }).click();
    await screen.page.getByLabel('Address of row 77', { exact: true }).fill('/locations/other');
    await says(`${COUNT} pages, in a batch.`);
    await says('about 12 USD.');
    expect(asked.map(({ length }) => length)).to.deep.equal([COUNT, COUNT]);
  });
});
