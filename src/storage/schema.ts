import type { ColumnType } from 'kysely';
import type { SettledNote } from '../contract/noteStates.ts';

/** A column that is written once, when its row is made. */
type Fixed<T> = ColumnType<T, T, never>;
/** A column with a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** A column that is written once, or never. */
type FixedOptional<T> = ColumnType<T | null, T | null | undefined, never>;
/** A column that is null when its row is made. */
type SetLater<T> = ColumnType<T | null, null | undefined, T>;
/** A point in time: a Date with milliseconds in both PostgreSQL clients. */
type FixedTime = Fixed<Date>;

/** A deployment's task, name and number of changed pages. */
interface DeploymentColumns {
  /** null: no task made the commit; or it was the head when the site was registered. */
  task_id: string | null;
  deployed_at: Date;
  name: string;
  /** If it restores an earlier version: when that one went live; null for all others. */
  restores: Date | null;
  pages_created: number;
  pages_modified: number;
  pages_deleted: number;
}

interface LiveDeploymentTable extends DeploymentColumns {
  site_id: Fixed<string>;
  commit: string;
}

/** A commit that was live, or one that is only kept: then all optional columns are null. */
type PastDeploymentTable = {
  [Name in keyof DeploymentColumns]: Defaulted<DeploymentColumns[Name] | null>;
} & {
  site_id: Fixed<string>;
  commit: Fixed<string>;
  /** When another commit went live; for one that is only kept, when the clean-up first saw it. */
  ended_at: Date;
};

/** The tables, as the migrations make them. */
export interface Schema {
  organizations: {
    id: Fixed<string>;
    name: string;
    /** Standard Webhooks secret, `whsec_…`. */
    callback_secret: string;
    /** null: the secret was never replaced. */
    callback_secret_rotated_at: ColumnType<Date | null, Date | null | undefined, Date>;
    /** The replaced secret, which also signs until `previous_callback_secret_until`. */
    previous_callback_secret: Defaulted<string | null>;
    previous_callback_secret_until: Defaulted<Date | null>;
    created_at: FixedTime;
  };
  api_keys: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    role: Fixed<string>;
    name: string | null;
    /** SHA-256 of the whole key, hexadecimal. */
    hash: Fixed<string>;
    /** How the key begins. */
    prefix: Fixed<string>;
    /** The person or the key that made this one. Neither: an operator's command. */
    created_by_user: FixedOptional<string>;
    created_by_key: FixedOptional<string>;
    /**
     * Whose limits the key counts for: the person, or the first key in the chain of keys that made
     * it. null: the key's own.
     */
    counts_for: FixedOptional<string>;
    /** The key that replaced this one. */
    replaced_by: SetLater<string>;
    created_at: FixedTime;
    last_used_at: SetLater<Date>;
    expires_at: ColumnType<Date | null, Date | null, Date>;
    revoked_at: SetLater<Date>;
    /** The person whose session made the key; null for all other keys. */
    user_id: Fixed<string | null | undefined>;
    /** The session that made the key. The key ends with it. */
    session_id: Fixed<string | null | undefined>;
  };
  sites: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    name: string;
    label: Fixed<string>;
    /** null: the site has no repository; branch and root then mean nothing. */
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
  };
  /** Labels of removed sites, which no other organization gets for a while. */
  kept_labels: {
    label: Fixed<string>;
    organization_id: Fixed<string>;
    removed_at: FixedTime;
  };
  /** Credentials of private repositories. */
  site_credentials: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    kind: Fixed<'token' | 'deploy-key'>;
    /** Only of a token. */
    username: Fixed<string | null>;
    /** Only of a deploy key: a line of authorized_keys. */
    public_key: Fixed<string | null>;
    /** Which of SECRETS_KEYS has sealed the secret. */
    key_id: string;
    /** AES-256-GCM: nonce, ciphertext, tag. */
    sealed: Uint8Array;
    created_at: FixedTime;
  };
  live_deployments: LiveDeploymentTable;
  past_deployments: PastDeploymentTable;
  /** The last failed production deployment of each site. */
  failed_deployments: {
    site_id: Fixed<string>;
    commit: string;
    task_id: string;
    failed_at: Date;
  };
  preview_deployments: {
    task_id: Fixed<string>;
    site_id: string;
    /** null: the preview was deleted before it was made, or the task never got one. */
    commit: string | null;
    /** The task whose hidden ref has the commit; null where there is no commit. */
    held_by: string | null;
    /** The task whose result this task's is built on. */
    onto: Defaulted<string | null>;
    /** The commit that the result began from; null where there is no commit. */
    base: Defaulted<string | null>;
    /** When the preview was made, or last changed by an edit by hand. */
    changed_at: Date;
    /** null: not deleted. A deleted one keeps its row: diffs and publishes need the commit. */
    deleted_at: Date | null;
  };
  /** Tasks whose results went live: published themselves, or with a task that is built on them. */
  publications: {
    task_id: Fixed<string>;
    site_id: Fixed<string>;
    /**
     * The task that put the result live: this one, one that published it, or one that published a
     * task built on it.
     */
    published_by: string;
    /** The commit that the result began from. */
    base: string;
    /** The commit of the task's result that went live, without later edits by hand. */
    result: string;
    /** The commit that went live. */
    commit: string;
    published_at: Date;
  };
  /** Pages that went live, by the task that published them. */
  published_pages: {
    published_by: Fixed<string>;
    site_id: Fixed<string>;
    path: Fixed<string>;
    slug: string;
    /** Object id of the file that went live. Empty: the page was deleted. */
    blob: string;
    /** When the live site got another content at this path; null: it still has this one. */
    replaced_at: Date | null;
    /** The task that replaced the content; null: not replaced, or not by a task. */
    replaced_by: string | null;
  };
  /** The audit: who changed which setting, when and from where. */
  audit_entries: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    at: FixedTime;
    /** null: a key that belongs to no person did it. */
    user_id: Fixed<string | null>;
    key_id: Fixed<string | null>;
    /** Noun and verb: `key.create`. */
    action: Fixed<string>;
    /** What was changed, in words. */
    subject: Fixed<string | null>;
    /** IP address of the client. */
    address: Fixed<string>;
  };
  secrets: {
    name: Fixed<string>;
    value: Fixed<Uint8Array>;
  };
  /** One lease for each task in flight. It is deleted when the task ends. */
  task_leases: {
    task_id: Fixed<string>;
    organization_id: Fixed<string>;
    site_id: Fixed<string>;
    /** When the lease was taken, or when Temporal last confirmed that the task runs. */
    checked_at: Defaulted<Date>;
  };
  /** Links to the pages of a task. */
  shares: {
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
    revoked_at: SetLater<Date>;
  };
  /** Settled notes of tasks. */
  note_states: {
    /** The task that wrote the note. */
    task_id: Fixed<string>;
    note_id: Fixed<string>;
    organization_id: Fixed<string>;
    state: SettledNote['state'];
    /** The person, or a program's key, that settled it. Neither: somebody without an account. */
    by_user: string | null;
    by_key: string | null;
    /** The task that removed what the note is about. */
    dropped_in: string | null;
    /** Whether an edit by hand settled the note. */
    is_edit: Defaulted<boolean>;
    at: Date;
  };
  /** People. This table, `sessions` and `user_accounts` are written by better-auth. */
  users: {
    id: Fixed<string>;
    name: string;
    /** In lower case. */
    email: string;
    email_verified: boolean;
    image: ColumnType<string | null, null | undefined, string | null>;
    created_at: FixedTime;
    updated_at: Date;
  };
  sessions: {
    id: Fixed<string>;
    user_id: Fixed<string>;
    token: Fixed<string>;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    created_at: FixedTime;
    updated_at: Date;
  };
  /** How a person signs in: a password, or an identity at the OIDC provider. */
  user_accounts: {
    id: Fixed<string>;
    user_id: Fixed<string>;
    account_id: Fixed<string>;
    provider_id: Fixed<string>;
    password: Defaulted<string | null>;
    created_at: FixedTime;
    updated_at: Date;
  };
  members: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    user_id: Fixed<string>;
    role: string;
    created_at: FixedTime;
  };
  invitations: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    /** In lower case. */
    email: Fixed<string>;
    role: string;
    /** null: invited by a key that belongs to no person, or the person was removed. */
    invited_by: string | null;
    created_at: FixedTime;
    expires_at: Date;
  };
  one_time_links: {
    /** SHA-256 of the token, hexadecimal. */
    hash: Fixed<string>;
    /** The person whom the link signs in; null: the very first person. */
    user_id: Fixed<string | null>;
    /** The organization that the first person will own; null: one that is made then. */
    organization_id: Fixed<string | null>;
    /** Whether using the link proves the person's e-mail address. */
    proves_email: Fixed<boolean>;
    created_at: FixedTime;
    expires_at: Fixed<Date>;
  };
}
