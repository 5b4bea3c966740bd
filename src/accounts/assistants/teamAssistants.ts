import { type Kysely, sql } from 'kysely';
import type { ConnectedAssistant } from '../../contract/responses.ts';
import { hasRole } from '../../contract/roles.ts';
import { findCreator } from '../../organizations/apiKeyRows.ts';
import type { KeyManager } from '../../organizations/teamKeys.ts';
import type { Schema } from '../../storage/schema.ts';
import { selectConnections, endConnection, presentConnection } from './connections.ts';

/** Which assistants to list. `after` is the last one of the previous page. */
export interface AssistantListPart {
  after?: { at: string; id: string } | undefined;
  limit: number;
}

/**
 * Manages the assistants of an organization, which are the connections of programs to it. Admins
 * manage all of them. Other members manage their own: those of the person who uses the key, or who
 * made it. Any other assistant is NOT_FOUND.
 */
export interface TeamAssistants {
  /** A page of assistants, the latest first, and whether there are more. */
  list(
    manager: KeyManager,
    part: AssistantListPart,
  ): Promise<{ assistants: ConnectedAssistant[]; more: boolean }>;
  /**
   * Ends an assistant's access to the organization, with all its tokens, at once.
   * @throws DomainError NOT_FOUND
   */
  end(manager: KeyManager, assistantId: string): Promise<ConnectedAssistant>;
}

export function createTeamAssistants(db: Kysely<Schema>): TeamAssistants {
  return {
    async list(manager, { after, limit }) {
      const isAfterPosition = sql<boolean>`(c.created_at, c.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`;
      const managedQuery = await managedConnections(db, manager);
      const rows = await managedQuery
        .$if(after !== undefined, (query) => query.where(isAfterPosition))
        .limit(limit + 1)
        .execute();
      return {
        assistants: rows.slice(0, limit).map(presentConnection),
        more: rows.length > limit,
      };
    },
    end: async (manager, assistantId) =>
      presentConnection(
        await endConnection(db, assistantId, await managedConnections(db, manager)),
      ),
  };
}

/** The connections that a caller may list and end. */
async function managedConnections(db: Kysely<Schema>, manager: KeyManager) {
  const organizationConnections = selectConnections(db).where(
    'c.organization_id',
    '=',
    manager.organizationId,
  );
  if (hasRole(manager.role, 'admin')) return organizationConnections;
  const creator = await findCreator(db, manager);
  return organizationConnections.where(
    'c.user_id',
    '=',
    'userId' in creator ? creator.userId : null,
  );
}
