import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { expect } from 'chai';
import {
  decodeFromPayloadsAtIndex,
  executionInfoFromRaw,
  msToTs,
  optionalTsToDate,
  optionalTsToMs,
} from '../../../src/temporal/sdkInternals.ts';

const converter = {
  payloadConverter: defaultPayloadConverter,
  failureConverter: defaultFailureConverter,
  payloadCodecs: [],
};

describe('the SDK internals that we use', () => {
  it('read and write times of protobuf', () => {
    const time = msToTs('1 day');
    expect(Number(time.seconds)).to.equal(86_400);
    expect(optionalTsToMs(time)).to.equal(86_400_000);
    expect(optionalTsToDate(time)?.toISOString()).to.equal('1970-01-02T00:00:00.000Z');
    expect([optionalTsToMs(null), optionalTsToDate(undefined)]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('read one of several payloads', async () => {
    const payloads = [{ a: 1 }, { b: 2 }].map((value) => defaultPayloadConverter.toPayload(value));
    expect(await decodeFromPayloadsAtIndex(converter, 1, payloads)).to.deep.equal({ b: 2 });
  });

  it("read a run as Temporal's lists have it", async () => {
    const raw = {
      execution: { workflowId: 'bg-1', runId: 'run-1' },
      type: { name: 'taskWorkflow' },
      status: 2,
      historyLength: msToTs(12_000).seconds,
      startTime: msToTs(1_000),
      closeTime: msToTs(2_000),
      memo: { fields: { title: defaultPayloadConverter.toPayload('A title') } },
      searchAttributes: { indexedFields: {} },
    };
    const info = await executionInfoFromRaw(raw as never, converter, raw as never, 'own');
    expect(info).to.deep.include({ workflowId: 'bg-1', runId: 'run-1', type: 'taskWorkflow' });
    expect(info.status.name).to.equal('COMPLETED');
    expect(info.memo).to.deep.equal({ title: 'A title' });
    expect([info.startTime, info.closeTime]).to.deep.equal([new Date(1_000), new Date(2_000)]);
  });
});
