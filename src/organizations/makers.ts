import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Maker, NamedMaker } from '../contract/maker.ts';
import type { Schema } from '../storage/schema.ts';
import { isUuid } from './uuid.ts';

const KEPT_MS = 60_000;
const MOST = 10_000;

export interface Makers {
  /** The same makers, in the same order, with names that are at most a minute old. */
  named<T extends Maker | null>(makers: T[]): Promise<(NamedMaker | Extract<T, null>)[]>;
  /** Names by person id, for those people who are members of the organization. */
  members(organizationId: string, userIds: string[]): Promise<Map<string, string>>;
}

/** Names of people and of API keys. */
export function createMakers(db: Kysely<Schema>): Makers {
  const known = new LRUCache<string, { name: string | null }>({ max: MOST, ttl: KEPT_MS });

  async function learn(table: 'users' | 'api_keys', ids: string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !known.has(id) && isUuid(id));
    if (unknown.length === 0) return;
    const rows: { id: string; name: string | null }[] = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', unknown)
      .execute();
    for (const id of unknown)
      known.set(id, { name: rows.find((row) => row.id === id)?.name ?? null });
  }

  return {
    async named<T extends Maker | null>(makers: T[]) {
      const ids = (kind: 'userId' | 'keyId') =>
        makers.flatMap((maker) => (maker ? idIn(maker, kind) : []));
      await Promise.all([learn('users', ids('userId')), learn('api_keys', ids('keyId'))]);
      const name = (maker: Maker): NamedMaker => ({
        ...maker,
        name: known.get(idOf(maker))?.name ?? null,
      });
      return makers.map((maker) => (maker === null ? (maker as Extract<T, null>) : name(maker)));
    },
    async members(organizationId, userIds) {
      const ids = userIds.filter(isUuid);
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('members')
        .innerJoin('users', 'users.id', 'members.user_id')
        .select(['users.id', 'users.name'])
        .where('members.organization_id', '=', organizationId)
        .where('users.id', 'in', ids)
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}

const idOf = (maker: Maker): string => ('userId' in maker ? maker.userId : maker.keyId);
const idIn = (maker: Maker, kind: 'userId' | 'keyId'): string[] =>
  kind in maker ? [idOf(maker)] : [];
