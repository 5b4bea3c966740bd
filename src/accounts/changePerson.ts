import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import { endConnectionsOf } from './assistants/connections.ts';

interface PersonChanges {
  name?: string | undefined;
  /** The new password's hash. */
  password: string | undefined;
  /** Whether this change proves that the person owns the e-mail address. */
  isProved: boolean;
}

/**
 * Changes a person's name and password, and records that the person owns the e-mail address. The
 * first proof of that ends an earlier password, because somebody else may have signed up with the
 * address. When a password ends, so do all the person's sessions and assistants.
 * @returns the person's e-mail address
 */
export async function changePerson(
  trx: Transaction<Schema>,
  userId: string,
  { name, password, isProved }: PersonChanges,
) {
  const updated_at = new Date();
  const userQuery = trx
    .selectFrom('users')
    .select(['email', 'email_verified'])
    .where('id', '=', userId);
  const { email, email_verified: wasProved } = await userQuery
    .forUpdate()
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('users')
    .set({
      updated_at,
      ...(name !== undefined && { name }),
      ...(isProved && { email_verified: true }),
    })
    .where('id', '=', userId)
    .execute();
  if (password !== undefined) await setPassword(trx, userId, password);
  else if (isProved && !wasProved) await dropPassword(trx, userId);
  else return email;
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await endConnectionsOf(trx, userId);
  return email;
}

const CREDENTIAL = 'credential';

async function setPassword(
  trx: Transaction<Schema>,
  userId: string,
  password: string,
): Promise<void> {
  const updated_at = new Date();
  await trx
    .insertInto('user_accounts')
    .values({
      id: randomUUID(),
      user_id: userId,
      account_id: userId,
      provider_id: CREDENTIAL,
      password,
      created_at: updated_at,
      updated_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password, updated_at }),
    )
    .execute();
}

async function dropPassword(trx: Transaction<Schema>, userId: string): Promise<void> {
  const accounts = trx.deleteFrom('user_accounts').where('user_id', '=', userId);
  await accounts.where('provider_id', '=', CREDENTIAL).execute();
}
