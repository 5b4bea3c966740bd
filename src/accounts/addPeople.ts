import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import { newOrganization } from '../organizations/organizations.ts';
import type { Schema } from '../storage/schema.ts';

/**
 * Creates the account of a person.
 * @param user.isProved whether the person has proved to own the e-mail address
 * @returns the person's id
 * @throws DomainError CONFLICT if another person has the e-mail address
 */
export async function addUser(
  trx: Kysely<Schema>,
  { name, email, isProved = false }: { name: string; email: string; isProved?: boolean },
): Promise<string> {
  const createdAt = new Date();
  const userColumns = {
    name,
    email,
    email_verified: isProved,
    created_at: createdAt,
    updated_at: createdAt,
  };
  const insertedUser = await trx
    .insertInto('users')
    .values({ id: randomUUID(), ...userColumns })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!insertedUser)
    throw new DomainError(
      'CONFLICT',
      `An account for ${email} already exists. Choose another e-mail address.`,
    );
  return insertedUser.id;
}

/** Creates an organization without members. @returns its id */
export async function makeOrganization(trx: Kysely<Schema>, name: string): Promise<string> {
  const newRow = newOrganization(name);
  await trx.insertInto('organizations').values(newRow).execute();
  return newRow.id;
}

/** Makes a person a member. Does nothing if the person already is one, with whichever role. */
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
