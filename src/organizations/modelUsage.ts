import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import type { ModelCallUsage, MeteredCall, TokenUsage } from '../contract/task.ts';
import { utcMonth } from '../storage/builds.ts';
import type { Schema } from '../storage/schema.ts';
import { lockOrganization } from './locks.ts';

/** A call of a language model that is about to begin. */
export interface NewModelCall extends MeteredCall {
  /** UUID. A repeated attempt of an activity makes another call, with another id. */
  callId: string;
}

/** What calls used. */
export interface ModelUsageCounts extends TokenUsage {
  /** Tasks that made the calls. */
  tasks: number;
  calls: number;
  /**
   * Calls that count with an estimate: they still run, were never answered, or their provider did
   * not report what they used.
   */
  estimatedCalls: number;
}

export interface MonthlyModelUsage {
  /** `YYYY-MM`, UTC. */
  month: string;
  /** By the models' names. */
  models: (ModelUsageCounts & { model: string })[];
}

type CallRefusalCheck = (trx: Kysely<Schema>) => Promise<string | undefined>;

export interface ModelUsage {
  /**
   * Counts a call with its estimate, before it is made. Calls of an organization begin one after
   * the other. Repeatable with the same id.
   * @param refuses returns why the call must not begin, undefined if it may. It runs in the
   *   transaction that counts the call
   * @returns why the call must not begin, undefined if it may
   */
  begin(call: NewModelCall, refuses?: CallRefusalCheck): Promise<string | undefined>;
  /** Counts what an answer used, in place of the estimate. Repeatable: only the first counts. */
  answer(callId: string, used: ModelCallUsage): Promise<void>;
  /**
   * The organization's usage by month, the latest first.
   * @param month `YYYY-MM`: only this month
   */
  months(organizationId: string, month?: string): Promise<MonthlyModelUsage[]>;
  /**
   * Tokens that the organization used in a month, read and written.
   * @param month `YYYY-MM`
   * @param within a transaction. Default: none
   */
  usedTokens(organizationId: string, month: string, within?: Kysely<Schema>): Promise<number>;
  /** The present month (UTC): `YYYY-MM`. */
  month(): string;
  /** Removes calls that began long ago. Their months stay. Repeatable. */
  prune(): Promise<void>;
}

/** Days for which calls are kept. A running task's calls are needed to count the task once. */
const KEPT_DAYS = 60;
const DAY = 86_400_000;
/** Most months that are listed: the present one, and 24 earlier ones. */
export const MOST_MONTHS = 25;
/** More than any model can read or write. */
const MOST_TOKENS = 1_000_000_000;

/**
 * Counts what each organization's tasks use of language models. A call counts once, with an
 * estimate from before it begins. So it also counts if its worker is killed before the answer is
 * recorded.
 */
export function createModelUsage(db: Kysely<Schema>): ModelUsage {
  const month = () => utcMonth(new Date());

  return {
    month,

    begin: (call, checkRefusal = () => Promise.resolve(undefined)) =>
      db.transaction().execute(async (trx) => {
        await lockOrganization(trx, call.organizationId);
        if (await isBegun(trx, call)) return undefined;
        const refusal = await checkRefusal(trx);
        if (refusal === undefined) await beginCall(trx, call, new Date());
        return refusal;
      }),
    answer: (callId, callUsage) =>
      db.transaction().execute((trx) => answerCall(trx, callId, callUsage)),

    async months(organizationId, onlyMonth) {
      const rows = await db
        .selectFrom('model_usage')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(onlyMonth !== undefined, (query) => query.where('month', '=', onlyMonth!))
        .orderBy('month', 'desc')
        .orderBy('model')
        .execute();
      const byMonth = Map.groupBy(rows, (row) => row.month);
      return [...byMonth].slice(0, MOST_MONTHS).map(([monthName, models]) => ({
        month: monthName,
        models: models.map(presentModelUsage),
      }));
    },

    async usedTokens(organizationId, month, database = db) {
      const { tokens } = await database
        .selectFrom('model_usage')
        .select(sql<string>`coalesce(sum(input_tokens + output_tokens), 0)`.as('tokens'))
        .where('organization_id', '=', organizationId)
        .where('month', '=', month)
        .executeTakeFirstOrThrow();
      return Number(tokens);
    },

    async prune() {
      const keptSince = new Date(Date.now() - KEPT_DAYS * DAY);
      await db.deleteFrom('model_calls').where('begun_at', '<', keptSince).execute();
    },
  };
}

const isBegun = async (trx: Kysely<Schema>, { callId }: NewModelCall) =>
  (await trx.selectFrom('model_calls').select('id').where('id', '=', callId).executeTakeFirst()) !==
  undefined;

async function beginCall(trx: Kysely<Schema>, call: NewModelCall, begunAt: Date): Promise<void> {
  const { organizationId, model, taskId, estimatedTokens } = call;
  const usageKey = { organization_id: organizationId, month: utcMonth(begunAt), model };
  await lockMonth(trx, usageKey);
  const earlierCall = await trx
    .selectFrom('model_calls')
    .select('id')
    .where('task_id', '=', taskId)
    .where((condition) => condition.and(usageKey))
    .limit(1)
    .executeTakeFirst();
  await trx
    .insertInto('model_calls')
    .values({
      ...usageKey,
      id: call.callId,
      task_id: taskId,
      begun_at: begunAt,
      estimated_tokens: estimatedTokens,
    })
    .execute();
  await trx
    .updateTable('model_usage')
    .set((column) => ({
      tasks: column('tasks', '+', earlierCall ? 0 : 1),
      calls: column('calls', '+', 1),
      estimated_calls: column('estimated_calls', '+', 1),
      input_tokens: addTokens(column, 'input_tokens', estimatedTokens),
    }))
    .where((condition) => condition.and(usageKey))
    .execute();
}

async function answerCall(
  trx: Kysely<Schema>,
  callId: string,
  callUsage: ModelCallUsage,
): Promise<void> {
  const modelCall = await trx
    .selectFrom('model_calls')
    .select(['organization_id', 'month', 'model', 'estimated_tokens'])
    .where('id', '=', callId)
    .executeTakeFirst();
  if (!modelCall) return;
  const { estimated_tokens: estimatedTokens, ...usageKey } = modelCall;
  // lock the month before the call's row, so that two transactions never wait for each other
  await lockMonth(trx, usageKey);
  const { numUpdatedRows: answeredRows } = await trx
    .updateTable('model_calls')
    .set({ is_answered: true })
    .where('id', '=', callId)
    .where('is_answered', '=', false)
    .executeTakeFirst();
  if (answeredRows === 0n) return;
  const { inputTokens, cachedInputTokens, outputTokens } = clampUsage(callUsage);
  await trx
    .updateTable('model_usage')
    .set((column) => ({
      estimated_calls: column('estimated_calls', '-', callUsage.isEstimated ? 0 : 1),
      input_tokens: addTokens(column, 'input_tokens', inputTokens - estimatedTokens),
      cached_input_tokens: addTokens(column, 'cached_input_tokens', cachedInputTokens),
      output_tokens: addTokens(column, 'output_tokens', outputTokens),
    }))
    .where((condition) => condition.and(usageKey))
    .execute();
}

type UsageKey = Pick<ModelUsageRow, 'organization_id' | 'month' | 'model'>;

/**
 * Locks the row of a month, which it creates if needed, until the transaction ends. Then calls that
 * begin at once see each other's task, and count it once.
 */
const lockMonth = (trx: Kysely<Schema>, usageKey: UsageKey) =>
  trx
    .insertInto('model_usage')
    .values({
      ...usageKey,
      tasks: 0,
      calls: 0,
      estimated_calls: 0,
      input_tokens: 0,
      cached_input_tokens: 0,
      output_tokens: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'month', 'model']).doUpdateSet({
        calls: sql`model_usage.calls`,
      }),
    )
    .execute();

type TokenColumn = 'input_tokens' | 'cached_input_tokens' | 'output_tokens';

const addTokens = (
  column: ExpressionBuilder<Schema, 'model_usage'>,
  tokenColumn: TokenColumn,
  tokens: number,
) => sql<number>`${column.ref(tokenColumn)} + ${tokens}::bigint`;

/** The usage as whole numbers in their limits: a provider may answer anything. */
export function clampUsage({
  inputTokens,
  cachedInputTokens,
  outputTokens,
}: TokenUsage): TokenUsage {
  const wholeTokens = (tokens: number, maxTokens = MOST_TOKENS) =>
    Math.min(Math.max(0, Math.trunc(tokens) || 0), maxTokens);
  const clampedInput = wholeTokens(inputTokens);
  return {
    inputTokens: clampedInput,
    cachedInputTokens: wholeTokens(cachedInputTokens, clampedInput),
    outputTokens: wholeTokens(outputTokens),
  };
}

type ModelUsageRow = Selectable<Schema['model_usage']>;

const presentModelUsage = (row: ModelUsageRow) => ({
  model: row.model,
  tasks: row.tasks,
  calls: row.calls,
  estimatedCalls: row.estimated_calls,
  inputTokens: Number(row.input_tokens),
  cachedInputTokens: Number(row.cached_input_tokens),
  outputTokens: Number(row.output_tokens),
});
