import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * A page's file in the commit that goes live, by its Git object id. Empty if the commit lacks the
 * file.
 */
export interface PageBlob {
  path: string;
  blob: string;
}

/**
 * Updates which of the pages that tasks published are live, after another commit went live. A page
 * that now has other content is no longer live, and one that has its content again is.
 * @param change.taskId the task that published the commit; null if no task did
 * @param change.changed the files that differ from the commit that was live before
 */
export async function replacePages(
  db: Kysely<Schema>,
  { siteId, taskId, changed }: { siteId: string; taskId: string | null; changed: PageBlob[] },
): Promise<void> {
  if (changed.length === 0) return;
  await sql`
    update published_pages p
    set replaced_at = case when p.blob = now_there.blob then null else now() end,
      replaced_by = case when p.blob = now_there.blob then null else ${taskId}::text end
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as now_there (path text, blob text)
    where p.site_id = ${siteId}::uuid and p.path = now_there.path and (p.replaced_at is null) <> (p.blob = now_there.blob)
  `.execute(db);
}
