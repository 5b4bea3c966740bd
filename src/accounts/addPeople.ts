import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import { newOrganization } from '../organizations/organizations.ts';
import type { Schema } from '../storage/schema.ts';

/**
 * @param user.isProved whether the person has proved to own the address
 * @throws DomainError CONFLICT if another person has the address
 */
export async function addUser(
  trx: Kysely<Schema>,
  { name, email, isProved = false }: { name: string; email: string; isProved?: boolean },
): Promise<string> {
  const at = new Date();
  const values = { name, email, email_verified: isProved, created_at: at, updated_at: at };
  const made = await trx
    .insertInto('users')
    .values({ id: randomUUID(), ...values })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made)
    throw new DomainError(
      'CONFLICT',
      `There is an account of ${email} already: choose another address`,
    );
  return made.id;
}

export async function makeOrganization(trx: Kysely<Schema>, name: string): Promise<string> {
  const made = newOrganization(name);
  await trx.insertInto('organizations').values(made).execute();
  return made.id;
}

export async function addMember(
  db: Kysely<Schema>,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: string },
): Promise<void> {
  await db
    .insertInto('members')
    .values({
      id: randomUUID(),
      organization_id: organizationId,
      user_id: userId,
      role,
      created_at: new Date(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
