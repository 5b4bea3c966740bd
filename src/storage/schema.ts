import type { ColumnType } from 'kysely';
import type { SettledNote } from '../contract/noteStates.ts';

/** A column that is written once, when its row is made. */
type Fixed<T> = ColumnType<T, T, never>;
/** A column with a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** A point in time: a Date with milliseconds in both PostgreSQL clients. */
type FixedTime = Fixed<Date>;

interface OrganizationTable {
  id: Fixed<string>;
  name: string;
  /** Standard Webhooks secret, `whsec_…`. */
  callback_secret: string;
  /** null: it is the first one. */
  callback_secret_rotated_at: ColumnType<Date | null, Date | null | undefined, Date>;
  /** The secret before, which signs too until then. */
  previous_callback_secret: ColumnType<string | null, string | null | undefined, string | null>;
  previous_callback_secret_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: FixedTime;
}

interface ApiKeyTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  role: Fixed<string>;
  name: string | null;
  /** SHA-256 of the whole key, hexadecimal. */
  hash: Fixed<string>;
  /** How the key begins. */
  prefix: Fixed<string>;
  /** The person, or the key, that made it. Neither: an operator's command. */
  created_by_user: ColumnType<string | null, string | null | undefined, never>;
  created_by_key: ColumnType<string | null, string | null | undefined, never>;
  /**
   * The person, or the first key of those that made each other, whose limits it counts for. null:
   * its own.
   */
  counts_for: ColumnType<string | null, string | null | undefined, never>;
  /** The key that was made in its place. */
  replaced_by: ColumnType<string | null, null | undefined, string>;
  created_at: FixedTime;
  last_used_at: ColumnType<Date | null, null | undefined, Date>;
  expires_at: ColumnType<Date | null, Date | null, Date>;
  revoked_at: ColumnType<Date | null, null | undefined, Date>;
  /** The person whose session minted the key; null for all other keys. */
  user_id: Fixed<string | null | undefined>;
  /** The session that minted the key. The key ends with it. */
  session_id: Fixed<string | null | undefined>;
}

/** A person. Made by better-auth, like the three tables after it. */
interface UserTable {
  id: Fixed<string>;
  name: string;
  /** In lower case. */
  email: string;
  email_verified: boolean;
  image: ColumnType<string | null, null | undefined, string | null>;
  created_at: FixedTime;
  updated_at: Date;
}

interface SessionTable {
  id: Fixed<string>;
  user_id: Fixed<string>;
  token: Fixed<string>;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  created_at: FixedTime;
  updated_at: Date;
}

/** A way in which a person signs in: a password, or an identity at the OIDC provider. */
interface UserAccountTable {
  id: Fixed<string>;
  user_id: Fixed<string>;
  account_id: Fixed<string>;
  provider_id: Fixed<string>;
  password: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: FixedTime;
  updated_at: Date;
}

interface MemberTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  user_id: Fixed<string>;
  role: string;
  created_at: FixedTime;
}

interface InvitationTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  /** In lower case. */
  email: Fixed<string>;
  role: string;
  /** null: a key without a person invited, or the person is gone. */
  invited_by: string | null;
  created_at: FixedTime;
  expires_at: Date;
}

interface OneTimeLinkTable {
  /** SHA-256 of the token, hexadecimal. */
  hash: Fixed<string>;
  /** Whom it signs in; null: the first person of all. */
  user_id: Fixed<string | null>;
  /** Whose owner the first person becomes; null: of an organization that is made then. */
  organization_id: Fixed<string | null>;
  /** Whether only the person gets it: by mail, or by the operator. */
  proves_email: Fixed<boolean>;
  created_at: FixedTime;
  expires_at: Fixed<Date>;
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
  /** The name of the host that shows its pages. */
  host: Defaulted<string>;
  author_name: string;
  author_email: string;
  created_at: FixedTime;
  /** Whether the repository was added over HTTP, not by the operator. */
  is_guarded: Defaulted<boolean>;
  credential_id: Defaulted<string | null>;
  /** The host's ssh keys when the repository was checked: lines of known_hosts. */
  known_hosts: Defaulted<string | null>;
  /** The last failure of the repository, null while all is well. */
  problem: Defaulted<string | null>;
  problem_is_of_push: Defaulted<boolean>;
}

/** The host label of a removed site, which nobody else gets for a while. */
interface KeptLabelTable {
  label: Fixed<string>;
  organization_id: Fixed<string>;
  removed_at: FixedTime;
}

/** What lets the service into a private repository. */
interface SiteCredentialTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  kind: Fixed<'token' | 'deploy-key'>;
  /** Of a token. */
  username: Fixed<string | null>;
  /** Of a deploy key, as a line of authorized_keys. */
  public_key: Fixed<string | null>;
  /** Which of SECRETS_KEYS has sealed the secret. */
  key_id: string;
  /** AES-256-GCM: nonce, ciphertext, tag. */
  sealed: Uint8Array;
  created_at: FixedTime;
}

/** What a deployment is called, and how many pages it changed of those that were live before. */
interface DeploymentColumns {
  /** null: the site's state when it was registered, or a commit that no task made. */
  task_id: string | null;
  deployed_at: Date;
  name: string;
  /** When the version that it put live again went live; null for all others. */
  restores: Date | null;
  pages_created: number;
  pages_modified: number;
  pages_deleted: number;
}

interface LiveDeploymentTable extends DeploymentColumns {
  site_id: Fixed<string>;
  commit: string;
}

/** A commit that was live. Of one that is only kept, and never was live, nothing else is known. */
type PastDeploymentTable = {
  [Name in keyof DeploymentColumns]: Defaulted<DeploymentColumns[Name] | null>;
} & {
  site_id: Fixed<string>;
  commit: Fixed<string>;
  /** When another one went live, or when it was first looked for. */
  ended_at: Date;
};

/**
 * A task whose result is in a commit that went live: with a publish of its own, or of a task built
 * on it.
 */
interface PublicationTable {
  task_id: Fixed<string>;
  site_id: Fixed<string>;
  /**
   * The task that put it live: itself, the one that published it, or one that published a task
   * built on it.
   */
  published_by: string;
  /** The commit that the result began from. */
  base: string;
  /** The commit of the task's result that went live. Later edits by hand are not in it. */
  result: string;
  /** The commit that went live. */
  commit: string;
  published_at: Date;
}

/** A page that went live with a task that publishes. */
interface PublishedPageTable {
  published_by: Fixed<string>;
  site_id: Fixed<string>;
  path: Fixed<string>;
  slug: string;
  /** What went live: the object id of the file. Empty: the page went away. */
  blob: string;
  /** When the live site began to have something else there; null: it has this. */
  replaced_at: Date | null;
  /** The task that replaced it; null: nobody did, or no task. */
  replaced_by: string | null;
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
  /**
   * null: the preview was deleted before it was made, or the task has a result and never got a
   * preview.
   */
  commit: string | null;
  /** The task whose hidden ref has the commit; null where there is no commit. */
  held_by: string | null;
  /** The task on whose result the task's own is built. */
  onto: Defaulted<string | null>;
  /** The commit that the result began from; null where there is no commit. */
  base: Defaulted<string | null>;
  /** When the preview was made, or last changed by hand. */
  changed_at: Date;
  /** null: nobody has deleted it. The row stays, because diffs and publishes need the commit. */
  deleted_at: Date | null;
}

/** Who changed which setting, when and from where. */
interface AuditEntryTable {
  id: Fixed<string>;
  organization_id: Fixed<string>;
  at: FixedTime;
  /** The person; null where a key did it that belongs to none. */
  user_id: Fixed<string | null>;
  key_id: Fixed<string | null>;
  /** Noun and verb: `key.create`. */
  action: Fixed<string>;
  /** What it was done to, for people. */
  subject: Fixed<string | null>;
  /** IP address of the client. */
  address: Fixed<string>;
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
  /** The person who made it; null for keys of programs. */
  created_by_user: Fixed<string | null>;
  /** SHA-256 of the link's key, hexadecimal. */
  hash: Fixed<string>;
  created_at: FixedTime;
  expires_at: FixedTime;
  revoked_at: ColumnType<Date | null, null | undefined, Date>;
}

/** A note of a task that is settled. */
interface NoteStateTable {
  /** The task that the note is of. */
  task_id: Fixed<string>;
  note_id: Fixed<string>;
  organization_id: Fixed<string>;
  state: SettledNote['state'];
  /** The person, or the key of a program. Neither: somebody without an account. */
  by_user: string | null;
  by_key: string | null;
  /** The task that took it out. */
  dropped_in: string | null;
  /** Whether an edit by hand settled it. */
  is_edit: Defaulted<boolean>;
  at: Date;
}

/** The tables, as the migrations make them. */
/** A task in flight. Its row goes when the task ends. */
interface TaskLeaseTable {
  task_id: Fixed<string>;
  organization_id: Fixed<string>;
  site_id: Fixed<string>;
  /** When it was taken, or when Temporal last said that the task runs. */
  checked_at: ColumnType<Date, Date | undefined, Date>;
}

export interface Schema {
  organizations: OrganizationTable;
  api_keys: ApiKeyTable;
  sites: SiteTable;
  kept_labels: KeptLabelTable;
  site_credentials: SiteCredentialTable;
  live_deployments: LiveDeploymentTable;
  past_deployments: PastDeploymentTable;
  failed_deployments: FailedDeploymentTable;
  preview_deployments: PreviewDeploymentTable;
  publications: PublicationTable;
  published_pages: PublishedPageTable;
  audit_entries: AuditEntryTable;
  secrets: SecretTable;
  task_leases: TaskLeaseTable;
  shares: ShareTable;
  note_states: NoteStateTable;
  users: UserTable;
  sessions: SessionTable;
  user_accounts: UserAccountTable;
  members: MemberTable;
  invitations: InvitationTable;
  one_time_links: OneTimeLinkTable;
}
