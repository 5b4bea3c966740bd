import { type Kysely, sql } from 'kysely';

/**
 * Who made a link. It ends when that person leaves the organization, or may not make one any more: whoever makes that
 * change. For some days 011 did this too, so all of it may be there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table shares add column if not exists created_by_user uuid`.execute(db);
  await sql`
    create or replace function end_shares() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or new.role = 'viewer' then
        update shares set revoked_at = now()
        where created_by_user = old.user_id and organization_id = old.organization_id and revoked_at is null;
      end if;
      return null;
    end $$`.execute(db);
  await sql`drop trigger if exists ended_shares on members`.execute(db);
  await sql`
    create trigger ended_shares after delete or update of role
    on members for each row execute function end_shares()`.execute(db);
}
