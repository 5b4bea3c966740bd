import type { Kysely } from 'kysely';
import { createAssistants } from './initial/assistants.ts';
import { createBatches } from './initial/batches.ts';
import { createBuilds } from './initial/builds.ts';
import { createDeployments } from './initial/deployments.ts';
import { createModelUsage } from './initial/modelUsage.ts';
import { createNotes } from './initial/notes.ts';
import { createOrganizations } from './initial/organizations.ts';
import { createPeople } from './initial/people.ts';
import { createPublicationTables } from './initial/publications.ts';
import { createServiceTables } from './initial/service.ts';
import { createShares } from './initial/shares.ts';
import { createSites } from './initial/sites.ts';
import { createTaskLeases } from './initial/taskLeases.ts';
import { createTriggers } from './initial/triggers.ts';

/**
 * Creates every table of version 0.1.0. A migration describes the schema of its time, so it never
 * uses today's `Schema`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db);
  await createOrganizations(db);
  await createAssistants(db);
  await createSites(db);
  await createDeployments(db);
  await createPublicationTables(db);
  await createShares(db);
  await createNotes(db);
  await createModelUsage(db);
  await createServiceTables(db);
  await createTaskLeases(db);
  await createBatches(db);
  await createBuilds(db);
  await createTriggers(db);
}
