import { type Kysely, sql } from 'kysely';

/**
 * The database tells of changes of rows that processes keep for a moment, whoever makes them: `NOTIFY` with the table's
 * name and, where a trigger names its column, the row's id. A key's last use is no change, and new rows are not kept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('agent_tasks_changes', concat_ws(' ', tg_table_name, to_jsonb(old) ->> tg_argv[0]));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger told_changes after delete or update of organization_id, role, hash, expires_at, revoked_at
    on api_keys for each row execute function tell_change()`.execute(db);
  await sql`
    create trigger told_changes after delete or update
    on preview_deployments for each row execute function tell_change('task_id')`.execute(db);
}
