import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { parsePrices } from '../../../src/contract/prices.ts';
import { createModelUsage } from '../../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createTokenLimits } from '../../../src/organizations/tokenLimits.ts';
import { createUsageReport } from '../../../src/organizations/usageReport.ts';
import { createBuilds } from '../../../src/storage/builds.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';

/** An organization in January 2030, with what it uses, and its limits. */
async function organization(tokensPerMonth?: number) {
  const db = await testDatabase();
  const usage = atTime(() => new Date('2030-01-15T12:00:00Z'), createModelUsage(db));
  const organizations = createOrganizations(db, { tokensPerMonth });
  const { organizationId } = await organizations.create({ name: 'Paying' });
  const limits = createTokenLimits(db, { usage, tokensPerMonth });
  return {
    organizationId,
    usage,
    builds: createBuilds(db),
    limits,
    use: () => limits.use(organizationId),
    refusal: () => limits.refusal(organizationId),
    setLimit: (own: number | null) => organizations.change(organizationId, { tokensPerMonth: own }),
    spend: async (inputTokens: number, { model = 'openai/gpt-5', taskId = 'bg-1' } = {}) => {
      const callId = randomUUID();
      await usage.begin({ callId, organizationId, taskId, model, estimatedTokens: 1 });
      await usage.answer(callId, { inputTokens, cachedInputTokens: 0, outputTokens: 10 });
    },
  };
}

describe('createTokenLimits(db, { usage, tokensPerMonth })', () => {
  it('has no limit without a setting', async () => {
    const { spend, use, refusal } = await organization();
    await spend(1_000_000);
    expect(await use()).to.equal(undefined);
    expect(await refusal()).to.equal(undefined);
  });

  it('counts tokens read and written of all models, and rejects calls when they are used up', async () => {
    const { spend, use, refusal } = await organization(1_000);
    await spend(400);
    expect(await use()).to.deep.equal({
      month: '2030-01',
      usedTokens: 410,
      tokensPerMonth: 1_000,
      setBy: 'operator',
      isNear: false,
    });
    await spend(380, { model: 'google/gemini-2.5-pro' });
    expect(await use()).to.include({ usedTokens: 800, isNear: true });
    expect(await refusal()).to.equal(undefined);
    await spend(190);
    expect(await refusal())
      .to.match(/\bused 1000\b.*\b2030-01\b.*\blimit is 1000\b/)
      .and.match(/\boperator\b.*"rules"/);
  });

  it("uses an organization's own limit if it is lower, but no higher one", async () => {
    const { setLimit, spend, use, refusal } = await organization(1_000);
    expect(await setLimit(300)).to.include({ tokensPerMonth: 300 });
    await spend(290);
    expect(await use()).to.include({ tokensPerMonth: 300, setBy: 'organization', isNear: true });
    expect(await refusal()).to.match(/\bUntil an owner\b/);
    const error: unknown = await setLimit(1_001).catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'INVALID_INPUT' });
    expect((error as Error).message).to.match(/\btokensPerMonth\b.*\b1000\b/);
    await setLimit(null);
    expect(await use()).to.include({ tokensPerMonth: 1_000, setBy: 'operator' });
  });

  it('returns the tokens of the named month, also if the month ends in the meantime', async () => {
    const db = await testDatabase();
    const { organizationId, spend } = await organization(1_000);
    await spend(990);
    const times = ['2030-01-31T23:59:59.999Z'];
    const usage = atTime(
      () => new Date(times.pop() ?? '2030-02-01T00:00:00.000Z'),
      createModelUsage(db),
    );
    const limits = createTokenLimits(db, { usage, tokensPerMonth: 1_000 });
    expect(await limits.use(organizationId)).to.include({ month: '2030-01', usedTokens: 1_000 });
    expect(await limits.use(organizationId)).to.include({ month: '2030-02', usedTokens: 0 });
  });

  it('can forbid an organization any usage, and has a limit if the operator has none', async () => {
    const { setLimit, refusal } = await organization();
    await setLimit(0);
    expect(await refusal()).to.contain('its limit is 0');
  });
});

describe('createUsageReport({ usage, limits, prices, currency })', () => {
  const counts = { estimatedCalls: 0, cachedInputTokens: 0 };
  const reportOf = async (prices: string) => {
    const paying = await organization();
    await paying.spend(1_000_000);
    await paying.spend(500_000, { taskId: 'bg-2' });
    const report = createUsageReport({
      ...paying,
      prices: parsePrices(prices),
    });
    return { ...paying, report: (month?: string) => report(paying.organizationId, month) };
  };

  it('adds up the models of a month, also the costs', async () => {
    const { spend, report } = await reportOf('openai/gpt-5=1.25/0.1/10,google/g=0/0/1');
    await spend(20, { model: 'google/g', taskId: 'bg-3' });
    const { months, limit } = await report();
    expect(limit).to.equal(null);
    expect(months).to.deep.equal([
      {
        month: '2030-01',
        ...counts,
        builds: 0,
        tasks: 3,
        calls: 3,
        inputTokens: 1_500_020,
        outputTokens: 30,
        cost: { amount: '1.87521', currency: 'USD' },
        models: [
          {
            model: 'google/g',
            ...counts,
            tasks: 1,
            calls: 1,
            inputTokens: 20,
            outputTokens: 10,
            cost: { amount: '0.00001', currency: 'USD' },
          },
          {
            model: 'openai/gpt-5',
            ...counts,
            tasks: 2,
            calls: 2,
            inputTokens: 1_500_000,
            outputTokens: 20,
            cost: { amount: '1.8752', currency: 'USD' },
          },
        ],
      },
    ]);
  });

  it('has this month and up to 24 earlier ones, whether this month has calls or not', async () => {
    const { organizationId, spend, ...paying } = await organization();
    const db = await testDatabase();
    for (let back = 1; back <= 30; back++) {
      const usage = atTime(() => Date.UTC(2030, -back, 15), createModelUsage(db));
      const call = { taskId: 'bg-1', model: 'google/g', estimatedTokens: 1 };
      await usage.begin({ ...call, organizationId, callId: randomUUID() });
    }
    const report = createUsageReport({ ...paying, prices: new Map() });
    for (const calls of [0, 1]) {
      const { months } = await report(organizationId);
      expect(months).to.have.length(25);
      expect(months[0]).to.include({ month: '2030-01', calls });
      expect(months.at(-1)).to.include({ month: '2028-01', calls: 1 });
      await spend(5);
    }
  });
});
