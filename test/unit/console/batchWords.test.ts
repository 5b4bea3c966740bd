import { expect } from 'chai';
import {
  batchWords,
  countWords,
  doneRows,
  rowStateWords,
  rowWords,
  totalRows,
} from '../../../src/console/browser/words/batchWords.ts';
import * as contract from '../../../src/contract/batches/batch.ts';

const none = Object.fromEntries(rowStateWords.map((state) => [state, 0])) as contract.RowCounts;
const counts = (some: Partial<contract.RowCounts>) => ({ ...none, ...some });

describe('the words of a batch in the console', () => {
  it('name each state of a row in order', () => {
    expect(rowStateWords).to.deep.equal([...contract.rowStates]);
    const words = Object.values(rowWords).map(([, text]) => text);
    expect(new Set(words).size).to.equal(rowStateWords.length);
  });

  for (const [status, rows, words] of [
    ['running', { waiting: 3 }, 'Running'],
    ['paused', { waiting: 3 }, 'Paused'],
    ['waiting', { waiting: 3, published: 2 }, 'Waits for your approval'],
    ['failed', { waiting: 3 }, 'Failed'],
    ['cancelled', { waiting: 3 }, 'Cancelled'],
    ['completed', { published: 3 }, 'Live'],
    ['completed', { published: 3, skipped: 1 }, 'Live'],
    ['completed', { published: 3, failed: 1 }, 'Live, some failed'],
    ['completed', { committed: 3 }, 'Ready to review'],
    ['completed', { published: 3, held: 1, failed: 1 }, 'Ready to review'],
    ['completed', { failed: 3 }, 'Failed'],
    ['completed', { failed: 3, skipped: 1 }, 'Failed'],
    ['completed', { skipped: 3 }, 'Nothing to do'],
  ] as const)
    it(`say ${words} for a batch that is ${status} with ${JSON.stringify(rows)}`, () => {
      expect(batchWords({ status, rows: counts(rows) })[1]).to.equal(words);
    });

  it('count the finished rows, and omit states without rows', () => {
    const rows = counts({ waiting: 2, written: 1, published: 96, failed: 3 });
    expect(totalRows(rows)).to.equal(102);
    expect(doneRows(rows)).to.equal(99);
    expect(countWords(rows)).to.equal('2 waiting, 1 written, 96 live, 3 failed');
    expect(countWords(none)).to.equal('');
  });
});
