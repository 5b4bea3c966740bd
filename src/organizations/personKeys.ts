import type { Kysely } from 'kysely';
import type { Role } from '../contract/roles.ts';
import type { Schema } from '../storage/schema.ts';
import { type Key, presentKey } from './keyRows.ts';

export interface EndedKeys {
  organizationId: string;
  /** The person who made them, also by a key of theirs. */
  userId: string;
  roles: Role[];
}

/**
 * Ends the keys that a person made for an organization, of the roles given. Keys of sessions are
 * not among them.
 * @returns those that were in force
 */
export async function endKeysOf(
  trx: Kysely<Schema>,
  { roles, ...by }: EndedKeys,
  at: Date,
): Promise<Key[]> {
  if (roles.length === 0) return [];
  const rows = await trx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('organization_id', '=', by.organizationId)
    .where('created_by_user', '=', by.userId)
    .where('session_id', 'is', null)
    .where('role', 'in', roles)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .returningAll()
    .execute();
  return rows.map(presentKey);
}
