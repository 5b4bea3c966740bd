import type { Kysely } from 'kysely';
import type { Role } from '../contract/roles.ts';
import type { Schema } from '../storage/schema.ts';

/**
 * Locks an organization until the transaction ends. Changes that count rows must run one after
 * another, otherwise each counts too few. Other transactions can still insert rows that refer to
 * the organization. They must not wait for this lock, because the lock's owner may wait for them:
 * a revocation locks its key, then inserts its audit entry.
 */
export async function lockOrganization(trx: Kysely<Schema>, organizationId: string): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .execute();
}

/** Locks a person until the transaction ends, for changes that count the person's rows. */
export async function lockPerson(trx: Kysely<Schema>, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

/**
 * A member's role; null if the person is not a member. Locks the role until the transaction ends,
 * so that a later change of role also ends what this transaction makes, by the trigger of
 * `members`.
 */
export async function lockRole(
  trx: Kysely<Schema>,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<Role | null> {
  const member = await trx
    .selectFrom('members')
    .select('role')
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .forShare()
    .executeTakeFirst();
  return member ? (member.role as Role) : null;
}
