import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

const SECRET_BYTES = 32;

export interface Secrets {
  /**
   * Returns the 32 random bytes with this name. Creates them once: they are the same for every
   * process and every start.
   */
  secret(name: string): Promise<Buffer>;
}

/** Makes the store of the service's own secrets, such as the key of its HMACs. */
export function createSecrets(db: Kysely<Schema>): Secrets {
  return {
    async secret(name) {
      const newSecret = randomBytes(SECRET_BYTES);
      await db
        .insertInto('secrets')
        .values({ name, value: newSecret })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const storedSecret = await db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return Buffer.from(storedSecret.value);
    },
  };
}
