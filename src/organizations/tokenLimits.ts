import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import type { ModelUsage } from './modelUsage.ts';

/** The lowest share of its tokens at which an organization is near its limit, in per cent. */
const NEAR = 80;

/** How much of its tokens an organization used in a month. */
export interface TokenUse {
  /** `YYYY-MM`, UTC. */
  month: string;
  /** Tokens of language models, read and written. */
  usedTokens: number;
  /** How many it may use. */
  tokensPerMonth: number;
  /** Whose limit this is: the lower one. */
  setBy: 'organization' | 'operator';
  /** Whether 80 % or more are used. */
  isNear: boolean;
}

export interface TokenLimits {
  /** The use in this month. undefined: there is no limit. */
  use(organizationId: string): Promise<TokenUse | undefined>;
  /**
   * Why the organization may use no more tokens in this month. undefined: it may.
   * @param within a transaction
   */
  refusal(organizationId: string, within?: Kysely<Schema>): Promise<string | undefined>;
}

interface Options {
  usage: Pick<ModelUsage, 'usedTokens' | 'month'>;
  /** The operator's limit for each organization. undefined: none. */
  tokensPerMonth: number | undefined;
}

/** Limits the tokens of language models that an organization uses in a month. */
export function createTokenLimits(
  db: Kysely<Schema>,
  { usage, tokensPerMonth: ofOperator = Infinity }: Options,
): TokenLimits {
  async function limitOf(organizationId: string, within: Kysely<Schema>) {
    const row = await within
      .selectFrom('organizations')
      .select('tokens_per_month')
      .where('id', '=', organizationId)
      .executeTakeFirst();
    const own = row?.tokens_per_month ?? null;
    return own === null || Number(own) >= ofOperator
      ? { tokensPerMonth: ofOperator, setBy: 'operator' as const }
      : { tokensPerMonth: Number(own), setBy: 'organization' as const };
  }

  async function use(organizationId: string, within = db): Promise<TokenUse | undefined> {
    const month = usage.month();
    const limit = await limitOf(organizationId, within);
    if (limit.tokensPerMonth === Infinity) return undefined;
    const usedTokens = await usage.usedTokens(organizationId, month, within);
    const isNear = usedTokens * 100 >= limit.tokensPerMonth * NEAR;
    return { month, usedTokens, ...limit, isNear };
  }

  return {
    use: (organizationId) => use(organizationId),
    async refusal(organizationId, within) {
      const used = await use(organizationId, within);
      return used && used.usedTokens >= used.tokensPerMonth ? refusalOf(used) : undefined;
    },
  };
}

function refusalOf({ month, usedTokens, tokensPerMonth, setBy }: TokenUse): string {
  const who = setBy === 'operator' ? 'the operator of the service' : 'an owner';
  return (
    `The organization has used ${usedTokens} tokens of language models in ${month} (UTC); its limit is ${tokensPerMonth}. ` +
    `Until ${who} raises it, or the month ends, only the model "rules" works`
  );
}
