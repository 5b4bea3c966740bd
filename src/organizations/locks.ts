import type { Kysely } from 'kysely';
import type { Role } from '../contract/roles.ts';
import type { Schema } from '../storage/schema.ts';

/**
 * Makes others that call this for the same organization wait until the transaction ends: of changes
 * that come at once, each would count too few rows. Rows that refer to the organization may be made
 * meanwhile: who makes them, as a revocation does with its audit, may hold what this waits for.
 */
export async function lockOrganization(trx: Kysely<Schema>, organizationId: string): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .execute();
}

/** The same for what a person has. */
export async function lockPerson(trx: Kysely<Schema>, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

/**
 * A member's role, null for a person who does not belong to the organization. The role stays until
 * the transaction ends: after that, the trigger of `members` ends what was made by it.
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
