import { expect } from 'chai';
import { DomainError } from '../../../src/errors.ts';
import { createModelUsage, type ModelUsage } from '../../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createTokenLimits } from '../../../src/organizations/tokenLimits.ts';
import { createCallMeter } from '../../../src/service/callMeter.ts';
import { testDatabase } from '../../helpers/database.ts';

const used = { inputTokens: 900, cachedInputTokens: 300, outputTokens: 50 };

describe('createCallMeter({ usage, log })', () => {
  let usage: ModelUsage;
  let call: { organizationId: string; taskId: string; model: string; estimatedTokens: number };
  let warned: { taskId?: string }[];
  let told: object[];
  let refusal: string | undefined;
  before(async () => {
    usage = createModelUsage(await testDatabase());
  });
  beforeEach(async () => {
    const { organizationId } = await createOrganizations(await testDatabase()).create({
      name: 'Paying',
    });
    call = { organizationId, taskId: 'bg-1', model: 'openai/gpt-5', estimatedTokens: 1_000 };
    warned = [];
    told = [];
    refusal = undefined;
  });

  /** A database that breaks at writes, before or after it wrote. The first write is 1. */
  function broken(isBroken: (write: number) => false | 'before' | 'after') {
    let writes = 0;
    const breaking =
      <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
      async (...args: A) => {
        const how = isBroken(++writes);
        const result = how === 'before' ? undefined : await write(...args);
        if (how) throw new Error('Connection terminated unexpectedly');
        return result as T;
      };
    return {
      begin: breaking((...begun: Parameters<ModelUsage['begin']>) => usage.begin(...begun)),
      answer: breaking((...answered: Parameters<ModelUsage['answer']>) =>
        usage.answer(...answered),
      ),
    };
  }
  const meterOn = (on: Pick<ModelUsage, 'begin' | 'answer'>) =>
    createCallMeter({
      usage: on,
      limits: { refusal: () => Promise.resolve(refusal) },
      log: { warn: (fields: object) => void warned.push(fields) },
      onCounted: (_, counts) => void told.push(counts),
      pauses: [1, 1],
    });
  const counted = async () => (await usage.months(call.organizationId))[0]?.models[0];

  it('counts each call, including both calls of a repeated activity', async () => {
    const meter = meterOn(usage);
    for (const answered of [await meter.begin(call), await meter.begin(call)]) await answered(used);
    expect(await counted()).to.include({
      tasks: 1,
      calls: 2,
      inputTokens: 1_800,
      outputTokens: 100,
    });
  });

  it('reports what was counted, and only plausible counts of a provider', async () => {
    const meter = meterOn(usage);
    await (
      await meter.begin(call)
    )(used);
    const nonsense = { inputTokens: -1, cachedInputTokens: 5, outputTokens: NaN };
    await (
      await meter.begin(call)
    )(nonsense);
    const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
    expect(told).to.deep.equal([used, none]);
  });

  it('keeps the estimate of a call whose worker was killed before its record', async () => {
    await meterOn(usage).begin(call);
    const answered = await meterOn(usage).begin(call);
    await answered(used);
    expect(await counted()).to.include({ calls: 2, estimatedCalls: 1, inputTokens: 1_900 });
  });

  for (const how of ['before', 'after'] as const)
    it(`repeats a record that failed ${how} it was written, and counts it once`, async () => {
      const answered = await meterOn(broken((write) => write % 3 !== 0 && how)).begin(call);
      await answered(used);
      expect(await counted()).to.include({ tasks: 1, calls: 1, estimatedCalls: 0, ...used });
      expect(warned).to.deep.equal([]);
    });

  it("allows no call that it can't count", async () => {
    const error: unknown = await meterOn(broken(() => 'before'))
      .begin(call)
      .catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(DomainError)
      .with.include({ code: 'UNAVAILABLE', retryable: true });
    expect(await counted()).to.equal(undefined);
  });

  it('allows no call after the organization has used its tokens', async () => {
    refusal = 'Used up';
    const error: unknown = await meterOn(usage)
      .begin(call)
      .catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'LIMIT_EXCEEDED', message: 'Used up', retryable: false });
    expect(await counted()).to.equal(undefined);
  });

  it('does not let simultaneous calls exceed the limit together, of any model', async () => {
    const limits = createTokenLimits(await testDatabase(), { usage, tokensPerMonth: 3_500 });
    const meter = createCallMeter({ usage, limits, log: { warn: () => undefined }, pauses: [] });
    const models = ['openai/gpt-5', 'google/g'];
    const begun = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => meter.begin({ ...call, model: models[i % 2]! })),
    );
    expect(begun.filter(({ status }) => status === 'fulfilled')).to.have.length(4);
    const used = await usage.usedTokens(call.organizationId, usage.month());
    expect(used).to.equal(4_000);
  });

  it('allows a call whose record was written but not confirmed, also at the limit', async () => {
    const limits = createTokenLimits(await testDatabase(), { usage, tokensPerMonth: 500 });
    const on = broken((write) => write === 1 && 'after');
    const log = { warn: () => undefined };
    await createCallMeter({ usage: on, limits, log, pauses: [1] }).begin(call);
    expect(await counted()).to.include({ calls: 1, inputTokens: 1_000 });
  });

  it("keeps the answer of a call that it can't count any more, so that the estimate stays", async () => {
    const answered = await meterOn(broken((write) => write > 1 && 'before')).begin(call);
    await answered(used);
    expect(await counted()).to.include({ calls: 1, estimatedCalls: 1, inputTokens: 1_000 });
    expect(warned.map(({ taskId }) => taskId)).to.deep.equal([call.taskId]);
  });
});
