import type { Kysely } from 'kysely';
import type { Role } from '../contract/roles.ts';
import type { Schema } from '../storage/schema.ts';
import { type Key, presentKey } from './keyRows.ts';

export interface EndedKeys {
  organizationId: string;
  /** The person who made the keys, directly or with another key. */
  userId: string;
  roles: Role[];
}

/**
 * Ends the keys of these roles that a person made for an organization. Leaves session keys alone.
 * @returns the ended keys, without those that had ended before
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
