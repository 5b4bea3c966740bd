import { type Kysely, sql } from 'kysely';

/** Triggers: what the database does for a change by any process. */
export async function createTriggers(db: Kysely<unknown>): Promise<void> {
  await tellChanges(db);
  await endMemberships(db);
  await endShares(db);
}

/**
 * Notifies of changes in tables whose rows are cached. The payload of `NOTIFY` is the table's name
 * and, if the trigger names an id column, the row's id. Only columns that a cache uses count: a
 * key's last use changes often. A new row counts if a cache may hold that it is missing.
 */
async function tellChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('agent_tasks_changes', concat_ws(' ', tg_table_name, to_jsonb(coalesce(new, old)) ->> tg_argv[0]));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger told_changes
    after delete or update of organization_id, role, hash, name, expires_at, revoked_at
    on api_keys for each row execute function tell_change()`.execute(db);
  await sql`
    create trigger told_changes after delete or update of name
    on users for each row execute function tell_change('id')`.execute(db);
  await sql`
    create trigger told_changes after delete or update of organization_id, label, own_host
    on sites for each row execute function tell_change('id')`.execute(db);
  for (const table of ['preview_deployments', 'note_states', 'builds'])
    await sql`
      create trigger told_changes after insert or delete or update
      on ${sql.table(table)} for each row execute function tell_change('task_id')`.execute(db);
  await sql`
    create trigger told_changes after insert or delete or update
    on published_pages for each statement execute function tell_change()`.execute(db);
}

/**
 * When a person leaves an organization or gets another role, ends the keys that the person's
 * sessions created there. When the person leaves the last organization, ends the sessions too.
 */
async function endMemberships(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function end_membership() returns trigger language plpgsql as $$
    begin
      delete from api_keys
      where user_id = old.user_id and organization_id = old.organization_id and session_id is not null;
      if tg_op = 'DELETE' and not exists (select from members where user_id = old.user_id) then
        delete from sessions where user_id = old.user_id;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger ended_memberships after delete or update of role, organization_id, user_id
    on members for each row execute function end_membership()`.execute(db);
}

/**
 * Ends a person's share links when the person leaves the organization or may no longer create links
 * there.
 */
async function endShares(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function end_shares() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or new.role = 'viewer' then
        update shares set revoked_at = now()
        where created_by_user = old.user_id and organization_id = old.organization_id and revoked_at is null;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger ended_shares after delete or update of role
    on members for each row execute function end_shares()`.execute(db);
}
