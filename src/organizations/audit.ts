import { randomUUID } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../storage/schema.ts';

/** The most characters of a subject that are stored. */
const LONGEST = 200;
const DAY = 86_400_000;
const KEPT_DAYS = 365;
/** Entries that one statement removes. */
const PRUNED_AT_ONCE = 10_000;

/** Who makes a change, and from where. */
export interface AuditActor {
  organizationId: string;
  /** The person. */
  userId?: string | undefined;
  /** The API key, also a session's key. */
  keyId?: string | undefined;
  /** IP address of the client, as `ctx.ip` has it. */
  address: string;
}

/** A change of a setting, or a sign-in. */
export interface AuditRecord extends AuditActor {
  /** Noun and verb: `key.create`, `member.remove`, `site.update`. */
  action: `${string}.${string}`;
  /**
   * What was changed, in words for people, such as a name. Never a secret. Users may have chosen
   * the text, so it is cleaned and cut before it is stored.
   */
  subject?: string | undefined;
}

/** An entry of the list. `keyId` is null if a person made the change, even with a session's key. */
export interface AuditEntry {
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  userId: string | null;
  keyId: string | null;
  action: string;
  subject: string | null;
  address: string;
}

/** The last entry of the previous page. */
export interface AuditPosition {
  at: string;
  id: string;
}

export interface Audit {
  /**
   * Adds an entry. In a transaction, use `createAudit(trx).record(…)`, so that the entry is stored
   * only with the change.
   */
  record(entry: AuditRecord): Promise<void>;
  /** A page of an organization's entries, the latest first, and whether there are more. */
  list(
    organizationId: string,
    part: { after?: AuditPosition | undefined; limit: number },
  ): Promise<{ entries: AuditEntry[]; more: boolean }>;
  /** Removes the entries of all organizations that are over a year old. Repeatable. */
  prune(): Promise<void>;
}

/** Records who changed which setting, when and from where. Entries are kept for a year. */
export function createAudit(db: Kysely<Schema>): Audit {
  return {
    async record({ organizationId, userId = null, keyId = null, action, subject, address }) {
      await db
        .insertInto('audit_entries')
        .values({
          id: randomUUID(),
          at: new Date(),
          organization_id: organizationId,
          user_id: userId,
          key_id: keyId,
          action,
          subject: typeof subject === 'string' ? cleanSubject(subject) : null,
          address: cleanIpAddress(address),
        })
        .execute();
    },

    async list(organizationId, { after, limit }) {
      const isAfterPosition = sql<boolean>`(at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`;
      const rows = await db
        .selectFrom('audit_entries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(after !== undefined, (query) => query.where(isAfterPosition))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const entries = rows
        .slice(0, limit)
        .map(({ at, user_id, key_id, organization_id: _, ...row }) => ({
          ...row,
          at: at.toISOString(),
          userId: user_id,
          keyId: user_id === null ? key_id : null,
        }));
      return { entries, more: rows.length > limit };
    },

    async prune() {
      const keptSince = new Date(Date.now() - KEPT_DAYS * DAY);
      const oldEntries = db
        .selectFrom('audit_entries')
        .select('id')
        .where('at', '<', keptSince)
        .limit(PRUNED_AT_ONCE);
      for (let removedCount = PRUNED_AT_ONCE; removedCount === PRUNED_AT_ONCE;) {
        const { numDeletedRows } = await db
          .deleteFrom('audit_entries')
          .where('id', 'in', oldEntries)
          .executeTakeFirst();
        removedCount = Number(numDeletedRows);
      }
    },
  };
}

/**
 * The text as one line, without invisible characters and marks that change its direction. A cut
 * text ends with `…`.
 */
function cleanSubject(text: string): string {
  const cleanLine = text
    .slice(0, 2 * LONGEST + 2)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  const characters = [...cleanLine];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : cleanLine;
}

/** The client's IP address. A trusted proxy may pass on any text as the address. */
function cleanIpAddress(text: string): string {
  const mappedIpv4 = text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : '';
  if (isIPv4(mappedIpv4)) return mappedIpv4;
  return isIP(text) ? text : 'unknown';
}
