import type { ColumnType } from 'kysely';
import type { BatchOptions, BatchStatus, RowState } from '../contract/batch.ts';
import type { Look } from '../contract/deployment.ts';
import type { SettledNote } from '../contract/noteStates.ts';
import type { CredentialKind, OwnHost } from '../contract/site.ts';

/** A column that is set on insert and never updated. */
type Fixed<T> = ColumnType<T, T, never>;
/** A column with a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** A column that may be null, is set on insert at most, and never updated. */
type FixedOptional<T> = ColumnType<T | null, T | null | undefined, never>;
/** A column that is null on insert. */
type SetLater<T> = ColumnType<T | null, null | undefined, T>;
/** A number that may need more than 32 bits. `pg` returns it as text. */
type Big = ColumnType<string | number | bigint, number, number>;
/** A point in time. Both PostgreSQL clients return a Date, with milliseconds. */
type FixedTime = Fixed<Date>;

/** A deployment's task, name and number of changed pages. */
interface DeploymentColumns {
  /** null: no task made the commit, or it was the branch's head when the site was registered. */
  task_id: string | null;
  deployed_at: Date;
  name: string;
  /** When the version that this deployment restores went live. null: it restores none. */
  restores: Date | null;
  pages_created: number;
  pages_modified: number;
  pages_deleted: number;
}

interface LiveDeploymentTable extends DeploymentColumns {
  site_id: Fixed<string>;
  commit: string;
}

/**
 * A commit that was live, or is only kept in the repository. For the latter, all optional columns
 * are null.
 */
type PastDeploymentTable = {
  [Name in keyof DeploymentColumns]: Defaulted<DeploymentColumns[Name] | null>;
} & {
  site_id: Fixed<string>;
  commit: Fixed<string>;
  /**
   * When another commit went live. For a commit that is only kept: when the clean-up first saw it.
   */
  ended_at: Date;
};

/** Tokens of a connection. They end with it. */
interface OAuthTokenTable {
  id: Fixed<string>;
  /** SHA-256 of the token, hexadecimal. */
  token: Fixed<string>;
  client_id: Fixed<string>;
  user_id: Fixed<string>;
  organization_id: Fixed<string>;
  /** JSON: a list of the addresses where the token is valid. */
  resources: Fixed<string | null>;
  revoked: Date | null;
  expires_at: Date;
}

/** The tables that the migrations create. */
export interface Schema {
  organizations: {
    id: Fixed<string>;
    name: string;
    /** Secret in the format of Standard Webhooks: `whsec_…`. */
    callback_secret: string;
    /** null: the secret was never replaced. */
    callback_secret_rotated_at: ColumnType<Date | null, Date | null | undefined, Date>;
    /**
     * The replaced secret. Callbacks are also signed with it until
     * `previous_callback_secret_until`.
     */
    previous_callback_secret: Defaulted<string | null>;
    previous_callback_secret_until: Defaulted<Date | null>;
    /** The organization's own limit of tokens of language models per month. null: none. */
    tokens_per_month: ColumnType<
      string | number | bigint | null,
      number | null | undefined,
      number | null
    >;
    created_at: FixedTime;
  };
  api_keys: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    role: Fixed<string>;
    name: string | null;
    /** SHA-256 of the whole key, hexadecimal. */
    hash: Fixed<string>;
    /** The first characters of the key, for display. */
    prefix: Fixed<string>;
    /** The person or the key that created this key. Neither: an operator's command created it. */
    created_by_user: FixedOptional<string>;
    created_by_key: FixedOptional<string>;
    /**
     * Toward whose limit of keys this key counts: the person, or the first key in the chain of keys
     * that created it. null: an operator created the key, so it counts only for itself.
     */
    counts_for: FixedOptional<string>;
    /** The key that replaced this one. */
    replaced_by: SetLater<string>;
    created_at: FixedTime;
    last_used_at: SetLater<Date>;
    expires_at: ColumnType<Date | null, Date | null, Date>;
    revoked_at: SetLater<Date>;
    /** The person whose session created the key. null for all other keys. */
    user_id: Fixed<string | null | undefined>;
    /** The session that created the key. The key ends with the session. */
    session_id: Fixed<string | null | undefined>;
  };
  sites: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    name: string;
    label: Fixed<string>;
    /** null: the site has no repository. Then branch and root have no meaning. */
    repository_url: string | null;
    repository_branch: string;
    repository_root: string;
    /** The team's own host as JSON. null: the embedded host serves the site. */
    own_host: ColumnType<OwnHost | null, string | null | undefined, string | null>;
    /** Whether it had one before: branches of tasks may be left at its forge. */
    had_own_host: Defaulted<boolean>;
    author_name: string;
    author_email: string;
    created_at: FixedTime;
    /** Whether somebody added the repository over HTTP, not the operator. */
    is_guarded: Defaulted<boolean>;
    credential_id: Defaulted<string | null>;
    /**
     * The host's ssh keys from the time when the repository was checked, as lines of known_hosts.
     */
    known_hosts: Defaulted<string | null>;
    /** The repository's last failure. null while it works. */
    problem: Defaulted<string | null>;
    problem_is_of_push: Defaulted<boolean>;
  };
  /** Host labels of removed sites. For a while, no other organization gets them. */
  kept_labels: {
    label: Fixed<string>;
    organization_id: Fixed<string>;
    removed_at: FixedTime;
  };
  /** Credentials of private repositories. */
  site_credentials: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    kind: Fixed<CredentialKind | 'secret'>;
    /** Only for a token. */
    username: Fixed<string | null>;
    /** Only for a deploy key: a line of authorized_keys. */
    public_key: Fixed<string | null>;
    /** The id of the key in SECRETS_KEYS that encrypted the secret. */
    key_id: string;
    /** The encrypted secret (AES-256-GCM): nonce, ciphertext, tag. */
    sealed: Uint8Array;
    created_at: FixedTime;
  };
  live_deployments: LiveDeploymentTable;
  past_deployments: PastDeploymentTable;
  /** Each site's last failed production deployment. */
  failed_deployments: {
    site_id: Fixed<string>;
    commit: string;
    task_id: string;
    failed_at: Date;
  };
  preview_deployments: {
    task_id: Fixed<string>;
    site_id: string;
    /** null: the preview was deleted before it was created, or the task never got one. */
    commit: string | null;
    /** The task whose hidden ref holds the commit. null if there is no commit. */
    held_by: string | null;
    /** The other task whose result this task's work is built on. */
    onto: Defaulted<string | null>;
    /** The commit that the work began from. null if there is no commit. */
    base: Defaulted<string | null>;
    /** When the preview was created, or last changed by a manual edit. */
    changed_at: Date;
    /**
     * null: not deleted. A deleted preview keeps its row, since diffs and publishing need the
     * commit.
     */
    deleted_at: Date | null;
  };
  /** Tasks whose results went live: published directly, or with a task that is built on them. */
  publications: {
    task_id: Fixed<string>;
    site_id: Fixed<string>;
    /**
     * The task that put the result live: this task, one that published it, or one that published a
     * task built on it.
     */
    published_by: string;
    /** The commit that the task's work began from. */
    base: string;
    /** The commit of the task's result that went live, without later manual edits. */
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
    /** Git object id of the file that went live. Empty: the page was deleted. */
    blob: string;
    /** When other content went live at this path. null: this content is still live. */
    replaced_at: Date | null;
    /** The task that replaced the content. null: not replaced, or not by a task. */
    replaced_by: string | null;
  };
  /** The audit log: who changed which setting, when and from where. */
  audit_entries: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    at: FixedTime;
    /** null: the change was made with a key that belongs to no person. */
    user_id: Fixed<string | null>;
    key_id: Fixed<string | null>;
    /** Noun and verb, such as `key.create`. */
    action: Fixed<string>;
    /** A description of what was changed. */
    subject: Fixed<string | null>;
    /** The client's IP address. */
    address: Fixed<string>;
  };
  secrets: {
    name: Fixed<string>;
    value: Fixed<Uint8Array>;
  };
  /** Leases of tasks in flight. A task's lease is deleted when the task ends. */
  task_leases: {
    task_id: Fixed<string>;
    organization_id: Fixed<string>;
    site_id: Fixed<string>;
    /** When the lease was taken, or when Temporal last confirmed that the task runs. */
    checked_at: Defaulted<Date>;
    /** null: the task has its lease. Otherwise it is in line for one, by this time. */
    in_line_since: Date | null;
  };
  /** Links to a task's pages. */
  shares: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    task_id: Fixed<string>;
    access: Fixed<string>;
    /** The person who created the link. null: a program's key created it. */
    created_by_user: Fixed<string | null>;
    /** SHA-256 of the link's key, hexadecimal. */
    hash: Fixed<string>;
    created_at: FixedTime;
    expires_at: FixedTime;
    revoked_at: SetLater<Date>;
  };
  /** Notes of tasks that are settled. */
  note_states: {
    /** The task that wrote the note. */
    task_id: Fixed<string>;
    note_id: Fixed<string>;
    organization_id: Fixed<string>;
    state: SettledNote['state'];
    /**
     * The person, or the program's key, that settled it. Neither: somebody without an account did.
     */
    by_user: string | null;
    by_key: string | null;
    /** The task that removed the note's subject. */
    dropped_in: string | null;
    /** Whether a manual edit settled the note. */
    is_edit: Defaulted<boolean>;
    at: Date;
  };
  /** Batches. `texts` and `error` are encrypted. */
  batches: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    site_id: Fixed<string>;
    created_at: FixedTime;
    created_by_user: Fixed<string | null>;
    created_by_key: Fixed<string | null>;
    request_id: FixedOptional<string>;
    body_hash: Fixed<string>;
    status: BatchStatus;
    publish: boolean;
    on_warnings: Fixed<BatchOptions['onWarnings']>;
    hold_below: FixedOptional<number>;
    link_from: FixedOptional<string>;
    canary: FixedOptional<number>;
    canary_approved: Defaulted<boolean>;
    is_publishing: Defaulted<boolean>;
    /** Whether it has ended, and no run has told that yet. */
    is_untold: Defaulted<boolean>;
    model: FixedOptional<string>;
    base: SetLater<string>;
    /** null again once all made pages are live. */
    commit: ColumnType<string | null, null | undefined, string | null>;
    shown: ColumnType<string | null, null | undefined, string | null>;
    pull_request_url: SetLater<string>;
    changed_at: Date;
    finished_at: ColumnType<Date | null, null | undefined, Date | null>;
    /** JSON: the title and the callback URL. */
    texts: Fixed<string>;
    error: ColumnType<string | null, null | undefined, string | null>;
  };
  /** Rows of batches. `input`, `external_id`, `page`, `edit`, `notes`, `error` are JSON. */
  batch_rows: {
    batch_id: Fixed<string>;
    /** Counts from 1. */
    number: Fixed<number>;
    template_slug: Fixed<string>;
    target_slug: Fixed<string>;
    /** null: not planned yet. */
    path: ColumnType<string | null, null | undefined, string | null>;
    state: RowState;
    /** Whether the request of the row is wrong, so that it can't be retried. */
    is_wrong: Fixed<boolean>;
    own_share: ColumnType<number | null, null | undefined, number | null>;
    preview_url: SetLater<string>;
    published_url: SetLater<string>;
    /** JSON: the context, and what to do with the template's facts. */
    input: Fixed<string>;
    external_id: FixedOptional<string>;
    page: SetLater<string>;
    /** JSON: an edit by hand of a page that is in no commit to be published. */
    edit: ColumnType<string | null, null | undefined, string | null>;
    notes: SetLater<string>;
    error: ColumnType<string | null, string | null | undefined, string | null>;
  };
  /** What an organization's tasks used of a language model in a month. */
  model_usage: {
    organization_id: Fixed<string>;
    /** `YYYY-MM`, UTC. */
    month: Fixed<string>;
    /** `<provider>/<model>` */
    model: Fixed<string>;
    tasks: number;
    calls: number;
    /** Calls of which only an estimate of their input counts so far. */
    estimated_calls: number;
    /** Including cached ones, and estimates. */
    input_tokens: Big;
    cached_input_tokens: Big;
    output_tokens: Big;
  };
  /** Calls of language models, which `model_usage` counts. Old rows are removed. */
  model_calls: {
    id: Fixed<string>;
    organization_id: Fixed<string>;
    month: Fixed<string>;
    model: Fixed<string>;
    task_id: Fixed<string>;
    begun_at: FixedTime;
    /** The estimate of the input, which counts until the call is answered. */
    estimated_tokens: Fixed<number>;
    is_answered: Defaulted<boolean>;
  };
  /** Builds at hosts of teams, each with the task that caused it. */
  builds: {
    site_id: Fixed<string>;
    commit: Fixed<string>;
    target: Fixed<Look['target']>;
    organization_id: Fixed<string>;
    task_id: Fixed<string>;
    /** `YYYY-MM`, UTC. */
    month: Fixed<string>;
  };
  /** Results that wait to be published together, and those of the last day. */
  waiting_publishes: {
    site_id: Fixed<string>;
    commit: Fixed<string>;
    /** The task whose hidden ref holds the commit. */
    held_by: Fixed<string>;
    /** The task that publishes it. */
    task_id: Fixed<string>;
    base: Fixed<string>;
    created_at: FixedTime;
    /** When waiting ends. */
    due_at: FixedTime;
    /** Whether a publish has taken it along. */
    is_taken: Defaulted<boolean>;
  };
  /** Months in which owners were told that most of the month's tokens are used. */
  usage_notices: {
    organization_id: Fixed<string>;
    month: Fixed<string>;
  };
  /** People. better-auth writes this table, `sessions` and `user_accounts`. */
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
  /** A person's way to sign in: a password, or an identity at the OIDC provider. */
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
    /** null: a key that belongs to no person sent the invitation, or the person was removed. */
    invited_by: string | null;
    created_at: FixedTime;
    expires_at: Date;
  };
  /**
   * Programs that registered for OAuth, or have a document of their own. better-auth reads this
   * table, and writes the next ones.
   */
  oauth_clients: {
    id: Fixed<string>;
    client_id: Fixed<string>;
    /** As the program calls itself. */
    name: string;
    /** JSON: a list of addresses. */
    redirect_uris: string;
    token_endpoint_auth_method: Fixed<'none'>;
    created_at: FixedTime;
    /** When a person last connected it. null: nobody has. */
    used_at: SetLater<Date>;
    /** When its document was read. null: it registered. */
    read_at: ColumnType<Date | null, Date | undefined, Date>;
  };
  /** What a person allowed a program in an organization. It ends with the membership. */
  oauth_connections: {
    id: Fixed<string>;
    client_id: Fixed<string>;
    user_id: Fixed<string>;
    organization_id: Fixed<string>;
    created_at: FixedTime;
    /** When the person last allowed it. */
    updated_at: Date;
    last_used_at: SetLater<Date>;
  };
  oauth_access_tokens: OAuthTokenTable;
  oauth_refresh_tokens: OAuthTokenTable & {
    /** The encrypted answer to the refresh, for programs that lost it. */
    rotation_replay_response: string | null;
    rotation_replay_expires_at: Date | null;
  };
  one_time_links: {
    /** SHA-256 of the token, hexadecimal. */
    hash: Fixed<string>;
    /** The person whom the link signs in. null: the very first person. */
    user_id: Fixed<string | null>;
    /** The organization that the first person will own. null: a new organization. */
    organization_id: Fixed<string | null>;
    /** Whether using the link proves the person's e-mail address. */
    proves_email: Fixed<boolean>;
    created_at: FixedTime;
    expires_at: Fixed<Date>;
  };
}
