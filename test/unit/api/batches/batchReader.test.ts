import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import {
  createBatchReader,
  type BatchReader,
  slowBodyMessage,
} from '../../../../src/api/batches/batchReader.ts';
import { batchLimits } from '../../../../src/contract/batches/batch.ts';
import {
  createThreadPool,
  serviceJobOwner,
  type ThreadPool,
} from '../../../../src/threads/threadPool.ts';
import { inParts } from '../../../helpers/batches.ts';
import { failureOf } from '../../../helpers/team/workplace.ts';

const options = {
  siteId: randomUUID(),
  templatePageSlug: '/t',
  publish: false,
  onWarnings: 'publish' as const,
};

describe('createBatchReader(threads)', function () {
  this.timeout(60_000);
  let threads: ThreadPool;
  let read: BatchReader;
  before(() => {
    threads = createThreadPool();
    read = createBatchReader(threads);
  });
  after(() => threads.close());

  it('reads 5,000 rows and 20 MB of CSV and of JSON in a thread', async () => {
    const context = 'Headline: "Web design in Porto"\nPhone: +351, 22\n'.repeat(76);
    const rows = Array.from({ length: 5_000 }, (_, i) => ({ targetPageSlug: `/p${i}`, context }));
    const lines = rows.map((row) => `${row.targetPageSlug},"${context.replaceAll('"', '""')}"`);
    const csv = Buffer.from(['targetPageSlug,context', ...lines].join('\n'));
    const json = Buffer.from(JSON.stringify({ ...options, rows }));
    for (const bytes of [csv, json])
      expect(bytes.length).to.be.within(19_000_000, batchLimits.bodyBytes);
    const ofCsv = await read({ parts: inParts(csv), options }, serviceJobOwner);
    const ofJson = await read({ json }, serviceJobOwner);
    expect(ofCsv.digest).to.equal(ofJson.digest);
    expect(ofJson.rows).to.have.length(5_000);
    expect(ofCsv.rows[4_999]).to.deep.equal({
      number: 5_000,
      targetPageSlug: '/p4999',
      context,
      templatePageSlug: '/t',
    });
  });

  it('rejects a batch that takes a thread too long', async () => {
    const slow = createThreadPool({ cpuLimit: 1 });
    const rows = Array.from({ length: 5_000 }, (_, i) => ({ targetPageSlug: `/p${i}` }));
    const sent = { json: Buffer.from(JSON.stringify({ ...options, rows })) };
    const error = await failureOf(createBatchReader(slow)(sent, serviceJobOwner));
    await slow.close();
    expect(error).to.have.property('code', 'INVALID_INPUT');
    expect(error!.message).to.equal(slowBodyMessage('0.001 s of CPU time'));
  });
});
