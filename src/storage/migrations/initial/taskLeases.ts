import { type Kysely, sql } from 'kysely';

/** Leases of tasks in flight, and functions that take a lease in one call. */
export async function createTaskLeases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('task_leases')
    .addColumn('task_id', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'uuid', (column) => column.notNull())
    .addColumn('site_id', 'uuid', (column) => column.notNull())
    .addColumn('checked_at', 'timestamptz', (column) =>
      column.notNull().defaultTo(sql`clock_timestamp()`),
    )
    // null: the task has its lease; otherwise it is in line for one
    .addColumn('in_line_since', 'timestamptz')
    .execute();
  for (const column of ['organization_id', 'site_id', 'checked_at'])
    await db.schema.createIndex(`task_leases_${column}`).on('task_leases').column(column).execute();
  // the lock makes all processes check an organization's limit one after the other
  await sql`
    create function take_task_lease(
      task text, organization uuid, site uuid, most integer
    ) returns text language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(organization::text, 0));
      if exists (select from task_leases where task_id = task) then return 'had'; end if;
      if (select count(*) from task_leases where organization_id = organization) >= most then
        return 'full';
      end if;
      insert into task_leases (task_id, organization_id, site_id) values (task, organization, site);
      return 'taken';
    end $$`.execute(db);
  // a task in line counts as one in flight for those that come behind it
  await sql`
    create function take_task_lease_again(
      task text, organization uuid, site uuid, most integer, after timestamptz
    ) returns boolean language plpgsql as $$
    declare mine timestamptz;
    begin
      perform pg_advisory_xact_lock(hashtextextended(organization::text, 0));
      insert into task_leases (task_id, organization_id, site_id, in_line_since)
        values (task, organization, site, after) on conflict (task_id) do nothing;
      select in_line_since into mine from task_leases where task_id = task;
      if mine is null then return true; end if;
      if (
        select count(*) >= most from task_leases
        where organization_id = organization and task_id <> task
          and (in_line_since is null or (in_line_since, task_id) < (mine, task))
      ) then return false; end if;
      update task_leases set in_line_since = null where task_id = task;
      return true;
    end $$`.execute(db);
}
