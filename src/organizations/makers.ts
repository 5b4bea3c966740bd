import type { Kysely } from 'kysely';
import { idsOf, type Maker, type NamedMaker } from '../contract/maker.ts';
import { createRowCache } from '../storage/rowCache.ts';
import type { RowChanges } from '../storage/rowChanges.ts';
import type { Schema } from '../storage/schema.ts';
import { isUuid } from './uuid.ts';

export interface Makers {
  /** The same makers, in the same order, with their names. */
  named<T extends Maker | null>(makers: T[]): Promise<(NamedMaker | Extract<T, null>)[]>;
  /** Names by person id, for those people who are members of the organization. */
  members(organizationId: string, userIds: string[]): Promise<Map<string, string>>;
}

type NamedTable = 'users' | 'api_keys';

interface Options {
  /** Reports changes of rows. With it, names are cached until they change. */
  changes?: RowChanges;
}

/** Names of people and of API keys. */
export function createMakers(db: Kysely<Schema>, { changes }: Options = {}): Makers {
  const cached = {
    users: createRowCache<string | null>('users', changes),
    api_keys: createRowCache<string | null>('api_keys', changes),
  };

  async function readNames(table: NamedTable, ids: string[]): Promise<(string | null)[]> {
    const rows: { id: string; name: string | null }[] = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .execute();
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return ids.map((id) => names.get(id) ?? null);
  }

  async function namesOf(table: NamedTable, ids: string[]) {
    const wanted = [...new Set(ids)].filter(isUuid);
    const names = await cached[table].getAll(wanted, (missing) => readNames(table, missing));
    return new Map(wanted.map((id, at) => [id, names[at]]));
  }

  return {
    async named<T extends Maker | null>(makers: T[]) {
      const ids = makers.map(idsOf);
      const [people, keys] = await Promise.all([
        namesOf('users', ids.map(({ userId }) => userId).filter(isNotNull)),
        namesOf('api_keys', ids.map(({ keyId }) => keyId).filter(isNotNull)),
      ]);
      const name = (maker: Maker): NamedMaker => ({
        ...maker,
        name: ('userId' in maker ? people.get(maker.userId) : keys.get(maker.keyId)) ?? null,
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

const isNotNull = (id: string | null): id is string => id !== null;
