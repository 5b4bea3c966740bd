import type { ColumnType } from 'kysely';

/** A column that is written once, when its row is made. */
type Fixed<T> = ColumnType<T, T, never>;
/** A point in time: a Date with milliseconds in both PostgreSQL clients. */
type FixedTime = Fixed<Date>;

interface OrganizationTable {
  id: Fixed<string>;
  name: string;
  /** Standard Webhooks secret, `whsec_…`. */
  callback_secret: string;
  created_at: FixedTime;
}

interface ApiKeyTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  role: Fixed<string>;
  name: string | null;
  /** SHA-256 of the whole key, hexadecimal. */
  hash: Fixed<string>;
  created_at: FixedTime;
  last_used_at: ColumnType<Date | null, null | undefined, Date>;
  expires_at: Fixed<Date | null>;
  revoked_at: ColumnType<Date | null, null | undefined, Date>;
}

interface SiteTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  name: string;
  label: Fixed<string>;
  /** null: the site has no repository information; then branch and root mean nothing. */
  repository_url: string | null;
  repository_branch: string;
  repository_root: string;
  author_name: string;
  author_email: string;
  created_at: FixedTime;
}

interface LiveDeploymentTable {
  site_id: Fixed<string>;
  commit: string;
  /** null: the site's state when it was registered, or a commit that no task made. */
  task_id: string | null;
  deployed_at: Date;
}

/** A commit that was live. */
interface PastDeploymentTable {
  site_id: Fixed<string>;
  commit: Fixed<string>;
  /** When another one went live, or when it was first looked for. */
  ended_at: Date;
}

/** The production deployment of a site that failed last. */
interface FailedDeploymentTable {
  site_id: Fixed<string>;
  commit: string;
  task_id: string;
  failed_at: Date;
}

interface PreviewDeploymentTable {
  task_id: Fixed<string>;
  site_id: string;
  /** null: the preview was deleted before it was made, or the task has a result and never got a preview. */
  commit: string | null;
  /** The task whose hidden ref has the commit; null in rows of older versions: `task_id`. */
  held_by: string | null;
  /** When the preview was made, or last changed by hand. */
  changed_at: ColumnType<Date, Date | undefined, Date>;
  /** null: nobody has deleted it. The row stays, because diffs and publishes need the commit. */
  deleted_at: Date | null;
}

interface SecretTable {
  name: Fixed<string>;
  value: Fixed<Uint8Array>;
}

/** A link to a task's pages. */
interface ShareTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  task_id: Fixed<string>;
  access: Fixed<string>;
  /** SHA-256 of the link's key, hexadecimal. */
  hash: Fixed<string>;
  created_at: FixedTime;
  expires_at: FixedTime;
  revoked_at: ColumnType<Date | null, null | undefined, Date>;
}

/** The tables, as the migrations make them. */
export interface Schema {
  organizations: OrganizationTable;
  api_keys: ApiKeyTable;
  sites: SiteTable;
  live_deployments: LiveDeploymentTable;
  past_deployments: PastDeploymentTable;
  failed_deployments: FailedDeploymentTable;
  preview_deployments: PreviewDeploymentTable;
  secrets: SecretTable;
  shares: ShareTable;
}
