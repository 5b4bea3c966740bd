import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import type { CallUse, MeteredCall, Usage } from '../contract/task.ts';
import { monthOf } from '../storage/builds.ts';
import type { Schema } from '../storage/schema.ts';
import { lockOrganization } from './locks.ts';

/** A call of a language model that is about to begin. */
export interface BeginningCall extends MeteredCall {
  /** UUID. A repeated attempt of a step makes another call, with another id. */
  callId: string;
}

/** What calls used. */
export interface Counts extends Usage {
  /** Tasks that made the calls. */
  tasks: number;
  calls: number;
  /**
   * Calls that count with an estimate: they still run, were never answered, or their provider did
   * not report what they used.
   */
  estimatedCalls: number;
}

export interface UsedMonth {
  /** `YYYY-MM`, UTC. */
  month: string;
  /** By the models' names. */
  models: (Counts & { model: string })[];
}

type Refuses = (trx: Kysely<Schema>) => Promise<string | undefined>;

export interface ModelUsage {
  /**
   * Counts a call with its estimate, before it is made. Calls of an organization begin one after
   * the other. Repeatable with the same id.
   * @param refuses says in the call's transaction why it may not begin
   * @returns why it does not begin
   */
  begin(call: BeginningCall, refuses?: Refuses): Promise<string | undefined>;
  /** Counts what an answer used, in place of the estimate. Repeatable: only the first counts. */
  answer(callId: string, used: CallUse): Promise<void>;
  /**
   * The organization's usage by month, the latest first.
   * @param month `YYYY-MM`: only this month
   */
  months(organizationId: string, month?: string): Promise<UsedMonth[]>;
  /**
   * Tokens that the organization used in a month, read and written.
   * @param month `YYYY-MM`
   * @param within a transaction
   */
  usedTokens(organizationId: string, month: string, within?: Kysely<Schema>): Promise<number>;
  /** The present month (UTC): `YYYY-MM`. */
  month(): string;
  /** Removes calls that began long ago. Their months stay. Repeatable. */
  prune(): Promise<void>;
}

/** Calls of a task that runs may still be needed, to count the task once. */
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
  const month = () => monthOf(new Date());

  return {
    month,

    begin: (call, refuses = () => Promise.resolve(undefined)) =>
      db.transaction().execute(async (trx) => {
        await lockOrganization(trx, call.organizationId);
        if (await isBegun(trx, call)) return undefined;
        const refusal = await refuses(trx);
        if (refusal === undefined) await begin(trx, call, new Date());
        return refusal;
      }),
    answer: (callId, used) => db.transaction().execute((trx) => answer(trx, callId, used)),

    async months(organizationId, only) {
      const rows = await db
        .selectFrom('model_usage')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(only !== undefined, (query) => query.where('month', '=', only!))
        .orderBy('month', 'desc')
        .orderBy('model')
        .execute();
      const byMonth = Map.groupBy(rows, (row) => row.month);
      return [...byMonth]
        .slice(0, MOST_MONTHS)
        .map(([name, models]) => ({ month: name, models: models.map(present) }));
    },

    async usedTokens(organizationId, month, within = db) {
      const { tokens } = await within
        .selectFrom('model_usage')
        .select(sql<string>`coalesce(sum(input_tokens + output_tokens), 0)`.as('tokens'))
        .where('organization_id', '=', organizationId)
        .where('month', '=', month)
        .executeTakeFirstOrThrow();
      return Number(tokens);
    },

    async prune() {
      const before = new Date(Date.now() - KEPT_DAYS * DAY);
      await db.deleteFrom('model_calls').where('begun_at', '<', before).execute();
    },
  };
}

const isBegun = async (trx: Kysely<Schema>, { callId }: BeginningCall) =>
  (await trx.selectFrom('model_calls').select('id').where('id', '=', callId).executeTakeFirst()) !==
  undefined;

async function begin(trx: Kysely<Schema>, call: BeginningCall, at: Date): Promise<void> {
  const { organizationId, model, taskId, estimatedTokens } = call;
  const place = { organization_id: organizationId, month: monthOf(at), model };
  await lockMonth(trx, place);
  const earlier = await trx
    .selectFrom('model_calls')
    .select('id')
    .where('task_id', '=', taskId)
    .where((is) => is.and(place))
    .limit(1)
    .executeTakeFirst();
  await trx
    .insertInto('model_calls')
    .values({
      ...place,
      id: call.callId,
      task_id: taskId,
      begun_at: at,
      estimated_tokens: estimatedTokens,
    })
    .execute();
  await trx
    .updateTable('model_usage')
    .set((column) => ({
      tasks: column('tasks', '+', earlier ? 0 : 1),
      calls: column('calls', '+', 1),
      estimated_calls: column('estimated_calls', '+', 1),
      input_tokens: plus(column, 'input_tokens', estimatedTokens),
    }))
    .where((is) => is.and(place))
    .execute();
}

async function answer(trx: Kysely<Schema>, callId: string, used: CallUse): Promise<void> {
  const call = await trx
    .selectFrom('model_calls')
    .select(['organization_id', 'month', 'model', 'estimated_tokens'])
    .where('id', '=', callId)
    .executeTakeFirst();
  if (!call) return;
  const { estimated_tokens: estimated, ...place } = call;
  // always before a call's row: two transactions never wait for each other
  await lockMonth(trx, place);
  const { numUpdatedRows: answered } = await trx
    .updateTable('model_calls')
    .set({ is_answered: true })
    .where('id', '=', callId)
    .where('is_answered', '=', false)
    .executeTakeFirst();
  if (answered === 0n) return;
  const { inputTokens, cachedInputTokens, outputTokens } = plausible(used);
  await trx
    .updateTable('model_usage')
    .set((column) => ({
      estimated_calls: column('estimated_calls', '-', used.isEstimated ? 0 : 1),
      input_tokens: plus(column, 'input_tokens', inputTokens - estimated),
      cached_input_tokens: plus(column, 'cached_input_tokens', cachedInputTokens),
      output_tokens: plus(column, 'output_tokens', outputTokens),
    }))
    .where((is) => is.and(place))
    .execute();
}

type Place = Pick<Row, 'organization_id' | 'month' | 'model'>;

/**
 * Locks the row of a month, which it creates if needed, until the transaction ends. Then calls that
 * begin at once see each other's task, and count it once.
 */
const lockMonth = (trx: Kysely<Schema>, place: Place) =>
  trx
    .insertInto('model_usage')
    .values({
      ...place,
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

const plus = (
  column: ExpressionBuilder<Schema, 'model_usage'>,
  name: TokenColumn,
  tokens: number,
) => sql<number>`${column.ref(name)} + ${tokens}::bigint`;

/** The usage as whole numbers in their limits: a provider may answer anything. */
export function plausible({ inputTokens, cachedInputTokens, outputTokens }: Usage): Usage {
  const whole = (tokens: number, most = MOST_TOKENS) =>
    Math.min(Math.max(0, Math.trunc(tokens) || 0), most);
  const input = whole(inputTokens);
  return {
    inputTokens: input,
    cachedInputTokens: whole(cachedInputTokens, input),
    outputTokens: whole(outputTokens),
  };
}

type Row = Selectable<Schema['model_usage']>;

const present = (row: Row) => ({
  model: row.model,
  tasks: row.tasks,
  calls: row.calls,
  estimatedCalls: row.estimated_calls,
  inputTokens: Number(row.input_tokens),
  cachedInputTokens: Number(row.cached_input_tokens),
  outputTokens: Number(row.output_tokens),
});
