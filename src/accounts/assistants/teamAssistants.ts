import { type Kysely, sql } from 'kysely';
import type { Assistant } from '../../contract/answers.ts';
import { hasRole } from '../../contract/roles.ts';
import { makerOf } from '../../organizations/keyRows.ts';
import type { Manager } from '../../organizations/teamKeys.ts';
import type { Schema } from '../../storage/schema.ts';
import { connectionsIn, endOne, presentConnection } from './connections.ts';

/** Which assistants to list. `after` is the last one of the previous page. */
export interface AssistantPart {
  after?: { at: string; id: string } | undefined;
  limit: number;
}

/**
 * Manages the assistants that act in an organization. Admins manage all of them, others those of
 * the person to whom their key belongs. Any other assistant is NOT_FOUND.
 */
export interface TeamAssistants {
  /** A page of assistants, the latest first, and whether there are more. */
  list(by: Manager, part: AssistantPart): Promise<{ assistants: Assistant[]; more: boolean }>;
  /**
   * Ends an assistant's access to the organization, with all its tokens, at once.
   * @throws DomainError NOT_FOUND
   */
  end(by: Manager, assistantId: string): Promise<Assistant>;
}

export function createTeamAssistants(db: Kysely<Schema>): TeamAssistants {
  return {
    async list(by, { after, limit }) {
      const place = sql<boolean>`(c.created_at, c.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`;
      const managed = await managedBy(db, by);
      const rows = await managed
        .$if(after !== undefined, (query) => query.where(place))
        .limit(limit + 1)
        .execute();
      return {
        assistants: rows.slice(0, limit).map(presentConnection),
        more: rows.length > limit,
      };
    },
    end: async (by, assistantId) =>
      presentConnection(await endOne(db, assistantId, await managedBy(db, by))),
  };
}

async function managedBy(db: Kysely<Schema>, by: Manager) {
  const all = connectionsIn(db).where('c.organization_id', '=', by.organizationId);
  if (hasRole(by.role, 'admin')) return all;
  const maker = await makerOf(db, by);
  return all.where('c.user_id', '=', 'userId' in maker ? maker.userId : null);
}
