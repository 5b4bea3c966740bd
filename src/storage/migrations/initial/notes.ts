import { type Kysely, sql } from 'kysely';

/** Which notes of tasks are settled, and how. */
export async function createNotes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('note_states')
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('note_id', 'text', (column) => column.notNull())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('done', 'kept', 'dropped')`),
    )
    .addColumn('by_user', 'text')
    .addColumn('by_key', 'text')
    .addColumn('dropped_in', 'text')
    .addColumn('is_edit', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('note_states_key', ['task_id', 'note_id'])
    .execute();
  await db.schema.createIndex('note_states_at').on('note_states').column('at').execute();
}
