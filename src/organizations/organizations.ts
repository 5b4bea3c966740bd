import { randomBytes, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { isUuid } from './uuid.ts';

const CALLBACK_SECRET_BYTES = 32;

export interface Organization {
  organizationId: string;
  name: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

export interface Organizations {
  create(organization: { name: string }): Promise<Organization>;
  /** All of them, the oldest first. */
  list(): Promise<Organization[]>;
  /** @throws DomainError NOT_FOUND */
  get(organizationId: string): Promise<Organization>;
  /** @throws DomainError NOT_FOUND */
  rename(organizationId: string, name: string): Promise<Organization>;
  /**
   * The secret that signs the organization's callbacks: `whsec_` and 32 bytes in base64 (Standard Webhooks, section
   * Signature scheme).
   * @throws DomainError NOT_FOUND
   */
  callbackSecret(organizationId: string): Promise<string>;
}

interface Row {
  id: string;
  name: string;
  callback_secret: string;
  created_at: Date;
}

export function createOrganizations(db: Kysely<Schema>): Organizations {
  async function row(organizationId: string): Promise<Row> {
    const found = isUuid(organizationId)
      ? await db.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirst()
      : undefined;
    if (!found) throw new DomainError('NOT_FOUND', `Organization ${organizationId} not found`);
    return found;
  }

  return {
    async create({ name }) {
      const made = newOrganization(name);
      await db.insertInto('organizations').values(made).execute();
      return present(made);
    },
    async list() {
      return (await db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').execute()).map(
        present,
      );
    },
    get: async (organizationId) => present(await row(organizationId)),
    async rename(organizationId, name) {
      await db.updateTable('organizations').set({ name }).where('id', '=', organizationId).execute();
      return present(await row(organizationId));
    },
    callbackSecret: async (organizationId) => (await row(organizationId)).callback_secret,
  };
}

/** The row of a new organization. */
export function newOrganization(name: string): Row {
  return { id: randomUUID(), name, callback_secret: newCallbackSecret(), created_at: new Date() };
}

function newCallbackSecret(): string {
  return `whsec_${randomBytes(CALLBACK_SECRET_BYTES).toString('base64')}`;
}

function present(row: Row): Organization {
  return { organizationId: row.id, name: row.name, createdAt: row.created_at.toISOString() };
}
