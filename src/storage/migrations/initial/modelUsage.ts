import type { Kysely } from 'kysely';

/** Which calls of language models were made, and what each organization used in each month. */
export async function createModelUsage(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('model_usage')
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('tasks', 'integer', (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('estimated_calls', 'integer', (column) => column.notNull())
    .addColumn('input_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cached_input_tokens', 'bigint', (column) => column.notNull())
    .addColumn('output_tokens', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('model_usage_key', ['organization_id', 'month', 'model'])
    .execute();
  await createModelCalls(db);
  await db.schema
    .createTable('usage_notices')
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('month', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_notices_key', ['organization_id', 'month'])
    .execute();
}

async function createModelCalls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('model_calls')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('begun_at', 'timestamptz', (column) => column.notNull())
    .addColumn('estimated_tokens', 'integer', (column) => column.notNull())
    .addColumn('is_answered', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute();
  for (const column of ['task_id', 'begun_at', 'organization_id'])
    await db.schema.createIndex(`model_calls_${column}`).on('model_calls').column(column).execute();
}
