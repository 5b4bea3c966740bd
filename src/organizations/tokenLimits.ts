import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import type { ModelUsage } from './modelUsage.ts';

/** The percentage of its tokens from which on an organization is near its limit. */
const NEAR_PERCENT = 80;

/** How much of its tokens an organization used in a month. */
export interface TokenUse {
  /** `YYYY-MM`, UTC. */
  month: string;
  /** Tokens of language models, read and written. */
  usedTokens: number;
  /** How many it may use. */
  tokensPerMonth: number;
  /** Who set the limit: of two limits, the lower one counts. */
  setBy: 'organization' | 'operator';
  /** Whether 80 % or more are used. */
  isNear: boolean;
}

export interface TokenLimits {
  /** The use in this month. undefined: there is no limit. */
  use(organizationId: string): Promise<TokenUse | undefined>;
  /**
   * Why the organization may not use any more tokens in this month, for people. undefined: it may.
   * @param within a transaction. Default: none
   */
  refusal(organizationId: string, within?: Kysely<Schema>): Promise<string | undefined>;
}

interface TokenLimitOptions {
  usage: Pick<ModelUsage, 'usedTokens' | 'month'>;
  /** The operator's limit for each organization. undefined: none. */
  tokensPerMonth: number | undefined;
}

/** Limits the tokens of language models that an organization uses in a month. */
export function createTokenLimits(
  db: Kysely<Schema>,
  { usage, tokensPerMonth: operatorLimit = Infinity }: TokenLimitOptions,
): TokenLimits {
  async function limitOf(organizationId: string, database: Kysely<Schema>) {
    const organizationRow = await database
      .selectFrom('organizations')
      .select('tokens_per_month')
      .where('id', '=', organizationId)
      .executeTakeFirst();
    const ownLimit = organizationRow?.tokens_per_month ?? null;
    return ownLimit === null || Number(ownLimit) >= operatorLimit
      ? { tokensPerMonth: operatorLimit, setBy: 'operator' as const }
      : { tokensPerMonth: Number(ownLimit), setBy: 'organization' as const };
  }

  async function use(organizationId: string, database = db): Promise<TokenUse | undefined> {
    const month = usage.month();
    const monthlyLimit = await limitOf(organizationId, database);
    if (monthlyLimit.tokensPerMonth === Infinity) return undefined;
    const usedTokens = await usage.usedTokens(organizationId, month, database);
    const isNear = usedTokens * 100 >= monthlyLimit.tokensPerMonth * NEAR_PERCENT;
    return { month, usedTokens, ...monthlyLimit, isNear };
  }

  return {
    use: (organizationId) => use(organizationId),
    async refusal(organizationId, database) {
      const tokenUse = await use(organizationId, database);
      return tokenUse && tokenUse.usedTokens >= tokenUse.tokensPerMonth
        ? limitRefusal(tokenUse)
        : undefined;
    },
  };
}

function limitRefusal({ month, usedTokens, tokensPerMonth, setBy }: TokenUse): string {
  const limitSetter = setBy === 'operator' ? 'the operator of the service' : 'an owner';
  return (
    `The organization has used ${usedTokens} language model tokens in ${month} (UTC), and its limit is ${tokensPerMonth}. ` +
    `Until ${limitSetter} raises the limit or the month ends, only the model "rules" works`
  );
}
