import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { createModelUsage } from '../../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';

const MODEL = 'anthropic/claude-sonnet-4-5';
const used = { inputTokens: 900, cachedInputTokens: 300, outputTokens: 50 };

describe('createModelUsage(db)', () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let organizationId: string;
  let at = '2030-01-31T23:59:59.999Z';
  let usage: ReturnType<typeof createModelUsage>;
  before(async () => {
    db = await testDatabase();
    usage = atTime(() => new Date(at), createModelUsage(db));
  });
  beforeEach(async () => {
    at = '2030-01-31T23:59:59.999Z';
    ({ organizationId } = await createOrganizations(db).create({ name: 'Paying' }));
  });

  const callOf = (taskId: string, fields: { callId?: string; model?: string } = {}) => ({
    callId: randomUUID(),
    organizationId,
    taskId,
    model: MODEL,
    estimatedTokens: 1_000,
    ...fields,
  });
  const begin = async (taskId: string, fields = {}) => {
    const call = callOf(taskId, fields);
    await usage.begin(call);
    return call.callId;
  };
  const counts = async () => (await usage.months(organizationId)).map(({ models }) => models);

  it('counts a call with its estimate until it is answered, and then with its usage', async () => {
    const callId = await begin('bg-1');
    const estimated = {
      model: MODEL,
      tasks: 1,
      calls: 1,
      estimatedCalls: 1,
      inputTokens: 1_000,
      cachedInputTokens: 0,
      outputTokens: 0,
    };
    expect(await usage.months(organizationId)).to.deep.equal([
      { month: '2030-01', models: [estimated] },
    ]);
    await usage.answer(callId, used);
    expect(await counts()).to.deep.equal([[{ ...estimated, ...used, estimatedCalls: 0 }]]);
    expect(await usage.usedTokens(organizationId, '2030-01')).to.equal(950);
  });

  it('keeps the estimate of calls whose provider did not report their usage', async () => {
    await usage.answer(await begin('bg-1'), { ...used, isEstimated: true });
    await usage.answer(await begin('bg-1'), used);
    expect(await counts()).to.deep.equal([
      [
        {
          model: MODEL,
          tasks: 1,
          calls: 2,
          estimatedCalls: 1,
          inputTokens: 1_800,
          cachedInputTokens: 600,
          outputTokens: 100,
        },
      ],
    ]);
  });

  it('counts once what is recorded twice, also at once', async () => {
    const call = callOf('bg-1');
    await Promise.all([usage.begin(call), usage.begin(call)]);
    await usage.begin(call);
    await Promise.all([usage.answer(call.callId, used), usage.answer(call.callId, used)]);
    await usage.answer(call.callId, { ...used, inputTokens: 5 });
    await usage.begin(call);
    const [[only] = []] = await counts();
    expect(only).to.include({ calls: 1, tasks: 1, estimatedCalls: 0, ...used });
  });

  it('counts a task once per month and model, however many of its calls begin at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => begin('bg-1')));
    await begin('bg-2');
    await begin('bg-1', { model: 'openai/gpt-5' });
    const [models] = await counts();
    expect(models!.map(({ model, tasks, calls }) => [model, tasks, calls])).to.deep.equal([
      [MODEL, 2, 11],
      ['openai/gpt-5', 1, 1],
    ]);
  });

  it('counts in the month in which the call began, in UTC', async () => {
    const callId = await begin('bg-1');
    at = '2030-02-01T00:00:00.000Z';
    await begin('bg-1');
    await usage.answer(callId, used);
    const months = await usage.months(organizationId);
    expect(months.map(({ month, models }) => [month, models[0]!.inputTokens])).to.deep.equal([
      ['2030-02', 1_000],
      ['2030-01', 900],
    ]);
    expect(await usage.usedTokens(organizationId, '2030-02')).to.equal(1_000);
    expect(await usage.months(organizationId, '2030-01')).to.have.length(1);
    expect(await usage.months(organizationId, '2029-01')).to.deep.equal([]);
  });

  it('accepts only plausible counts from a provider', async () => {
    for (const tokens of [-5, NaN, 1e300, 0.5])
      await usage.answer(await begin('bg-1'), {
        inputTokens: tokens,
        cachedInputTokens: 1e300,
        outputTokens: tokens,
      });
    const [[only] = []] = await counts();
    expect(only).to.include({
      inputTokens: 1_000_000_000,
      cachedInputTokens: 1_000_000_000,
      outputTokens: 1_000_000_000,
    });
  });
});
