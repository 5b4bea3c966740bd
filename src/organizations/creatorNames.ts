import type { Kysely } from 'kysely';
import { creatorIds, type Creator, type NamedCreator } from '../contract/creator.ts';
import { createRowCache } from '../storage/rowCache.ts';
import type { RowChanges } from '../storage/rowChanges.ts';
import type { Schema } from '../storage/schema.ts';
import { isUuid } from './uuid.ts';

export interface CreatorNames {
  /** The same creators, in the same order, with their names. */
  named<T extends Creator | null>(creators: T[]): Promise<(NamedCreator | Extract<T, null>)[]>;
  /** Names by person id, for those people who are members of the organization. */
  members(organizationId: string, userIds: string[]): Promise<Map<string, string>>;
}

type NamedTable = 'users' | 'api_keys';

interface CreatorNameOptions {
  /** Reports changes of rows. With it, names are cached until they change. */
  changes?: RowChanges;
}

/**
 * Reads the names of creators: of people and of API keys. `{ userId: '…' }` →
 * `{ userId: '…', name: 'Ada Lovelace' }`. The name is null if there is none.
 */
export function createCreatorNames(
  db: Kysely<Schema>,
  { changes }: CreatorNameOptions = {},
): CreatorNames {
  const caches = {
    users: createRowCache<string | null>('users', changes),
    api_keys: createRowCache<string | null>('api_keys', changes),
  };

  async function readNames(table: NamedTable, ids: string[]): Promise<(string | null)[]> {
    const rows: { id: string; name: string | null }[] = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .execute();
    const namesById = new Map(rows.map(({ id, name }) => [id, name]));
    return ids.map((id) => namesById.get(id) ?? null);
  }

  async function namesOf(table: NamedTable, ids: string[]) {
    const wantedIds = [...new Set(ids)].filter(isUuid);
    const cachedNames = await caches[table].getAll(wantedIds, (missingIds) =>
      readNames(table, missingIds),
    );
    return new Map(wantedIds.map((id, index) => [id, cachedNames[index]]));
  }

  return {
    async named<T extends Creator | null>(creators: T[]) {
      const creatorIdPairs = creators.map(creatorIds);
      const [peopleNames, keyNames] = await Promise.all([
        namesOf('users', creatorIdPairs.map(({ userId }) => userId).filter(isNotNull)),
        namesOf('api_keys', creatorIdPairs.map(({ keyId }) => keyId).filter(isNotNull)),
      ]);
      const withName = (creator: Creator): NamedCreator => ({
        ...creator,
        name:
          ('userId' in creator ? peopleNames.get(creator.userId) : keyNames.get(creator.keyId)) ??
          null,
      });
      return creators.map((creator) =>
        creator === null ? (creator as Extract<T, null>) : withName(creator),
      );
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
