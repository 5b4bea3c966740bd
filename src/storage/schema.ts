import type { ColumnType } from 'kysely';
import type { BatchOptions, BatchStatus, RowState } from '../contract/batches/batch.ts';
import type { PublishApproval } from '../contract/approvals.ts';
import type { DeploymentCheck } from '../contract/deployment.ts';
import type { PageMark } from '../contract/reviews/reviewKinds.ts';
import type { EndpointKind, EventType } from '../contract/events.ts';
import type { ResolvedNote } from '../contract/notes/noteStates.ts';
import type { CredentialKind, ExternalHost } from '../contract/site.ts';

/** A column that is set on insert and never updated. */
type ImmutableColumn<T> = ColumnType<T, T, never>;
/** A column with a default. */
type DefaultedColumn<T> = ColumnType<T, T | undefined, T>;
/** A column that may be null, is set on insert at most, and never updated. */
type ImmutableOptionalColumn<T> = ColumnType<T | null, T | null | undefined, never>;
/** A column that is null on insert. */
type NullUntilSetColumn<T> = ColumnType<T | null, null | undefined, T>;
/** A number that may need more than 32 bits. `pg` returns it as text. */
type BigIntegerColumn = ColumnType<string | number | bigint, number, number>;
/** A point in time. Both PostgreSQL clients return a Date, with milliseconds. */
type ImmutableTimeColumn = ImmutableColumn<Date>;

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
  site_id: ImmutableColumn<string>;
  commit: string;
}

/**
 * A commit that was live, or is only kept in the repository. For the latter, all optional columns
 * are null.
 */
type PastDeploymentTable = {
  [Name in keyof DeploymentColumns]: DefaultedColumn<DeploymentColumns[Name] | null>;
} & {
  site_id: ImmutableColumn<string>;
  commit: ImmutableColumn<string>;
  /**
   * When another commit went live. For a commit that is only kept: when the clean-up first saw it.
   */
  ended_at: Date;
};

/** Access or refresh tokens of an OAuth connection. They end with the connection. */
interface OAuthTokenTable {
  id: ImmutableColumn<string>;
  /** SHA-256 of the token, hexadecimal. */
  token: ImmutableColumn<string>;
  client_id: ImmutableColumn<string>;
  user_id: ImmutableColumn<string>;
  organization_id: ImmutableColumn<string>;
  /** JSON: a list of the URLs where the token is valid. */
  resources: ImmutableColumn<string | null>;
  revoked: Date | null;
  expires_at: Date;
}

/**
 * The tables that the migrations create, with the types of their columns, for Kysely. The names are
 * those of SQL: the column `task_id` of the table `builds` is `Schema['builds']['task_id']`.
 */
export interface Schema {
  organizations: {
    id: ImmutableColumn<string>;
    name: string;
    /** Secret in the format of Standard Webhooks: `whsec_…`. */
    callback_secret: string;
    /** null: the secret was never replaced. */
    callback_secret_rotated_at: ColumnType<Date | null, Date | null | undefined, Date>;
    /**
     * The replaced secret. Callbacks are also signed with it until
     * `previous_callback_secret_until`.
     */
    previous_callback_secret: DefaultedColumn<string | null>;
    previous_callback_secret_until: DefaultedColumn<Date | null>;
    /** The organization's own limit of tokens of language models per month. null: none. */
    tokens_per_month: ColumnType<
      string | number | bigint | null,
      number | null | undefined,
      number | null
    >;
    created_at: ImmutableTimeColumn;
  };
  api_keys: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    role: ImmutableColumn<string>;
    name: string | null;
    /** SHA-256 of the whole key, hexadecimal. */
    hash: ImmutableColumn<string>;
    /** The first characters of the key, for display. */
    prefix: ImmutableColumn<string>;
    /** The person or the key that created this key. Neither: an operator's command created it. */
    created_by_user: ImmutableOptionalColumn<string>;
    created_by_key: ImmutableOptionalColumn<string>;
    /**
     * Toward whose limit of keys this key counts: the person, or the first key in the chain of keys
     * that created it. null: an operator created the key, so it counts only for itself.
     */
    counts_for: ImmutableOptionalColumn<string>;
    /** The key that replaced this one. */
    replaced_by: NullUntilSetColumn<string>;
    created_at: ImmutableTimeColumn;
    last_used_at: NullUntilSetColumn<Date>;
    expires_at: ColumnType<Date | null, Date | null, Date>;
    revoked_at: NullUntilSetColumn<Date>;
    /** The person whose session created the key. null for all other keys. */
    user_id: ImmutableColumn<string | null | undefined>;
    /** The session that created the key. The key ends with the session. */
    session_id: ImmutableColumn<string | null | undefined>;
  };
  sites: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    name: string;
    label: ImmutableColumn<string>;
    /** null: the site has no repository. Then branch and root have no meaning. */
    repository_url: string | null;
    repository_branch: string;
    repository_root: string;
    /** The site's external host as JSON. null: the embedded host serves the site. */
    own_host: ColumnType<ExternalHost | null, string | null | undefined, string | null>;
    /** Whether the site had an external host before: branches of tasks may be left at its forge. */
    had_own_host: DefaultedColumn<boolean>;
    author_name: string;
    author_email: string;
    created_at: ImmutableTimeColumn;
    /** Whether somebody added the repository over HTTP, not the operator. */
    is_guarded: DefaultedColumn<boolean>;
    credential_id: DefaultedColumn<string | null>;
    /**
     * The host's ssh keys from the time when the repository was checked, as lines of known_hosts.
     */
    known_hosts: DefaultedColumn<string | null>;
    /** The repository's last failure. null while it works. */
    problem: DefaultedColumn<string | null>;
    problem_is_of_push: DefaultedColumn<boolean>;
    /** Whether publishing needs the approval of another person. */
    publish_approval: DefaultedColumn<PublishApproval>;
  };
  /** Host labels of removed sites. For a while, no other organization gets them. */
  kept_labels: {
    label: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    removed_at: ImmutableTimeColumn;
  };
  /** Credentials of private repositories. */
  site_credentials: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    kind: ImmutableColumn<CredentialKind | 'secret'>;
    /** Only for a token. */
    username: ImmutableColumn<string | null>;
    /** Only for a deploy key: a line of authorized_keys. */
    public_key: ImmutableColumn<string | null>;
    /** The id of the key in SECRETS_KEYS that encrypted the secret. */
    key_id: string;
    /** The encrypted secret (AES-256-GCM): nonce, ciphertext, tag. */
    sealed: Uint8Array;
    created_at: ImmutableTimeColumn;
  };
  live_deployments: LiveDeploymentTable;
  past_deployments: PastDeploymentTable;
  /** Each site's last failed production deployment. */
  failed_deployments: {
    site_id: ImmutableColumn<string>;
    commit: string;
    task_id: string;
    failed_at: Date;
  };
  preview_deployments: {
    task_id: ImmutableColumn<string>;
    site_id: string;
    /** null: the preview was deleted before it was created, or the task never got one. */
    commit: string | null;
    /** The task whose hidden ref holds the commit. null if there is no commit. */
    held_by: string | null;
    /** The other task whose result this task's work is built on. */
    onto: DefaultedColumn<string | null>;
    /** The commit that the work began from. null if there is no commit. */
    base: DefaultedColumn<string | null>;
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
    task_id: ImmutableColumn<string>;
    site_id: ImmutableColumn<string>;
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
    published_by: ImmutableColumn<string>;
    site_id: ImmutableColumn<string>;
    path: ImmutableColumn<string>;
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
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    at: ImmutableTimeColumn;
    /** null: the change was made with a key that belongs to no person. */
    user_id: ImmutableColumn<string | null>;
    key_id: ImmutableColumn<string | null>;
    /** Noun and verb, such as `key.create`. */
    action: ImmutableColumn<string>;
    /** A description of what was changed. */
    subject: ImmutableColumn<string | null>;
    /** The client's IP address. */
    address: ImmutableColumn<string>;
  };
  secrets: {
    name: ImmutableColumn<string>;
    value: ImmutableColumn<Uint8Array>;
  };
  /** Permits of running tasks. A task's row is deleted when the task ends. */
  task_leases: {
    task_id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    site_id: ImmutableColumn<string>;
    /** When the permit was acquired, or when Temporal last confirmed that the task runs. */
    checked_at: DefaultedColumn<Date>;
    /** null: the task has its permit. Otherwise it waits for one, ordered by this time. */
    in_line_since: Date | null;
  };
  /** Links to the pages of a task or a batch. */
  shares: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    /** The task or, if `is_batch`, the batch. */
    task_id: ImmutableColumn<string>;
    is_batch: ImmutableColumn<boolean>;
    access: ImmutableColumn<string>;
    /** The person who created the link. null: a program's key created it. */
    created_by_user: ImmutableColumn<string | null>;
    /** SHA-256 of the link's key, hexadecimal. */
    hash: ImmutableColumn<string>;
    created_at: ImmutableTimeColumn;
    expires_at: ImmutableTimeColumn;
    revoked_at: NullUntilSetColumn<Date>;
  };
  /** Marks of people on the pages of tasks and batches. */
  page_marks: {
    /** The task or batch that has the page. */
    task_id: ImmutableColumn<string>;
    slug: ImmutableColumn<string>;
    /** The id of the person, the API key or the share link. */
    marker: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    by_user: ImmutableColumn<string | null>;
    by_key: ImmutableColumn<string | null>;
    /** Set for a guest. The marker is then the share link. */
    guest_name: string | null;
    mark: PageMark;
    /** The blob of the page that was marked. */
    version: string;
    at: Date;
  };
  /** What guests find wrong with pages. Each is a note. */
  guest_comments: {
    /** The task or batch. */
    task_id: ImmutableColumn<string>;
    note_id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    share_id: ImmutableColumn<string>;
    slug: ImmutableColumn<string>;
    text: ImmutableColumn<string>;
    at: Date;
  };
  /** Approvals of versions of tasks and batches. */
  approvals: {
    /** The task or batch. */
    task_id: ImmutableColumn<string>;
    /** The commit that was approved. */
    version: ImmutableColumn<string>;
    /** The id of a person or, with a guest's name, of a share link. */
    approver: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    guest_name: ImmutableColumn<string | null>;
    at: Date;
  };
  /** Endpoints that receive an organization's events. */
  webhook_endpoints: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    kind: ImmutableColumn<EndpointKind>;
    /** The URL, or its origin if the rest is a secret. */
    shown_url: string;
    description: string;
    /** JSON */
    event_types: ColumnType<EventType[], string, string>;
    /** The key of SECRETS_KEYS that encrypted `sealed`. */
    key_id: string;
    sealed: Uint8Array;
    rotated_at: Date;
    previous_until: ColumnType<Date | null, null | undefined, Date | null>;
    enabled: boolean;
    disabled_because: ColumnType<
      'failures' | 'request' | null,
      null | undefined,
      'failures' | 'request' | null
    >;
    /** Whether the owners must still be told that failures disabled it. */
    notice_due: DefaultedColumn<boolean>;
    failing_since: ColumnType<Date | null, null | undefined, Date | null>;
    created_at: ImmutableTimeColumn;
  };
  /** The log of deliveries of events to endpoints. */
  event_deliveries: {
    id: ImmutableColumn<string>;
    endpoint_id: ImmutableColumn<string>;
    event_id: ImmutableColumn<string>;
    event_type: ImmutableColumn<string>;
    /** The bytes that every attempt sends. */
    body: ImmutableColumn<string>;
    state: 'pending' | 'delivered' | 'failed';
    attempts: DefaultedColumn<number>;
    /** The latest attempt. */
    attempt_id: NullUntilSetColumn<string>;
    /** How often people asked for it again. */
    redeliveries: DefaultedColumn<number>;
    response_status: ColumnType<number | null, null | undefined, number | null>;
    error: ColumnType<string | null, null | undefined, string | null>;
    created_at: ImmutableTimeColumn;
    attempted_at: NullUntilSetColumn<Date>;
  };
  /** The resolved notes of tasks. */
  note_states: {
    /** The task that wrote the note. */
    task_id: ImmutableColumn<string>;
    note_id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    state: ResolvedNote['state'];
    /**
     * The person or the API key that resolved it. Neither: somebody without an account did.
     */
    by_user: string | null;
    by_key: string | null;
    /** The task that removed the note's subject. */
    dropped_in: string | null;
    /** Whether an edit by hand resolved the note. */
    is_edit: DefaultedColumn<boolean>;
    at: Date;
  };
  /** Batches. `texts` and `error` are JSON. */
  batches: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    site_id: ImmutableColumn<string>;
    created_at: ImmutableTimeColumn;
    created_by_user: ImmutableColumn<string | null>;
    created_by_key: ImmutableColumn<string | null>;
    request_id: ImmutableOptionalColumn<string>;
    body_hash: ImmutableColumn<string>;
    status: BatchStatus;
    publish: boolean;
    on_warnings: ImmutableColumn<BatchOptions['onWarnings']>;
    hold_below: ImmutableOptionalColumn<number>;
    link_from: ImmutableOptionalColumn<string>;
    canary: ImmutableOptionalColumn<number>;
    canary_approved: DefaultedColumn<boolean>;
    is_publishing: DefaultedColumn<boolean>;
    /** Whether the batch has ended and its callback was not sent yet. */
    is_untold: DefaultedColumn<boolean>;
    model: ImmutableOptionalColumn<string>;
    base: NullUntilSetColumn<string>;
    /** Its last commit of pages that may be published. null again once all of them are live. */
    commit: ColumnType<string | null, null | undefined, string | null>;
    /** The commit of its hidden ref, which the preview shows: also with pages on hold. */
    shown: ColumnType<string | null, null | undefined, string | null>;
    pull_request_url: NullUntilSetColumn<string>;
    changed_at: Date;
    finished_at: ColumnType<Date | null, null | undefined, Date | null>;
    /** JSON: the title and the callback URL. */
    texts: ImmutableColumn<string>;
    error: ColumnType<string | null, null | undefined, string | null>;
  };
  /** Rows of batches. `input`, `external_id`, `page`, `edit`, `notes`, `error` are JSON. */
  batch_rows: {
    batch_id: ImmutableColumn<string>;
    /** Counts from 1. */
    number: ImmutableColumn<number>;
    template_slug: ImmutableColumn<string>;
    target_slug: ImmutableColumn<string>;
    /** null: not planned yet. */
    path: ColumnType<string | null, null | undefined, string | null>;
    state: RowState;
    /** Whether the request of the row is wrong, so that it can't be retried. */
    is_wrong: ImmutableColumn<boolean>;
    /** The share of the page's words that no other page has, 0 to 1. null: not measured. */
    own_share: ColumnType<number | null, null | undefined, number | null>;
    preview_url: ColumnType<string | null, null | undefined, string | null>;
    published_url: NullUntilSetColumn<string>;
    /** JSON: the context, and what to do with the template's facts. */
    input: ImmutableColumn<string>;
    external_id: ImmutableOptionalColumn<string>;
    page: NullUntilSetColumn<string>;
    /** JSON: a person's edit of a page that is in no commit that may be published. */
    edit: ColumnType<string | null, null | undefined, string | null>;
    /** JSON: who had the row written again. null: it did not fail after the batch had a result. */
    repair: NullUntilSetColumn<string>;
    notes: NullUntilSetColumn<string>;
    error: ColumnType<string | null, string | null | undefined, string | null>;
  };
  /** What an organization's tasks used of a language model in a month. */
  model_usage: {
    organization_id: ImmutableColumn<string>;
    /** `YYYY-MM`, UTC. */
    month: ImmutableColumn<string>;
    /** `<provider>/<model>` */
    model: ImmutableColumn<string>;
    tasks: number;
    calls: number;
    /** Calls of which only an estimate of their input counts so far. */
    estimated_calls: number;
    /** Including cached ones, and estimates. */
    input_tokens: BigIntegerColumn;
    cached_input_tokens: BigIntegerColumn;
    output_tokens: BigIntegerColumn;
  };
  /** Calls of language models, which `model_usage` counts. Old rows are removed. */
  model_calls: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    month: ImmutableColumn<string>;
    model: ImmutableColumn<string>;
    task_id: ImmutableColumn<string>;
    begun_at: ImmutableTimeColumn;
    /** The estimate of the input, which counts until the call is answered. */
    estimated_tokens: ImmutableColumn<number>;
    is_answered: DefaultedColumn<boolean>;
  };
  /** Builds at external hosts, each with the task that caused it. */
  builds: {
    site_id: ImmutableColumn<string>;
    commit: ImmutableColumn<string>;
    target: ImmutableColumn<DeploymentCheck['target']>;
    organization_id: ImmutableColumn<string>;
    task_id: ImmutableColumn<string>;
    /** `YYYY-MM`, UTC. */
    month: ImmutableColumn<string>;
  };
  /** Results that wait to be published together, and those of the last day. */
  waiting_publishes: {
    site_id: ImmutableColumn<string>;
    commit: ImmutableColumn<string>;
    /** The task whose hidden ref holds the commit. */
    held_by: ImmutableColumn<string>;
    /** The task that publishes it. */
    task_id: ImmutableColumn<string>;
    base: ImmutableColumn<string>;
    created_at: ImmutableTimeColumn;
    /** When waiting ends. */
    due_at: ImmutableTimeColumn;
    /** Whether a publish has included this result. */
    is_taken: DefaultedColumn<boolean>;
  };
  /** Months in which owners were notified that most of the month's tokens are used. */
  usage_notices: {
    organization_id: ImmutableColumn<string>;
    month: ImmutableColumn<string>;
  };
  /** People. better-auth writes this table, `sessions` and `user_accounts`. */
  users: {
    id: ImmutableColumn<string>;
    name: string;
    /** In lower case. */
    email: string;
    email_verified: boolean;
    image: ColumnType<string | null, null | undefined, string | null>;
    /** Whether the person wants e-mails about what waits for them. */
    event_mails: DefaultedColumn<boolean>;
    created_at: ImmutableTimeColumn;
    updated_at: Date;
  };
  sessions: {
    id: ImmutableColumn<string>;
    user_id: ImmutableColumn<string>;
    token: ImmutableColumn<string>;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    created_at: ImmutableTimeColumn;
    updated_at: Date;
  };
  /** A person's way to sign in: a password, or an identity at the OIDC provider. */
  user_accounts: {
    id: ImmutableColumn<string>;
    user_id: ImmutableColumn<string>;
    account_id: ImmutableColumn<string>;
    provider_id: ImmutableColumn<string>;
    password: DefaultedColumn<string | null>;
    created_at: ImmutableTimeColumn;
    updated_at: Date;
  };
  members: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    user_id: ImmutableColumn<string>;
    role: string;
    created_at: ImmutableTimeColumn;
  };
  invitations: {
    id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    /** In lower case. */
    email: ImmutableColumn<string>;
    role: string;
    /** null: a key that belongs to no person sent the invitation, or the person was removed. */
    invited_by: string | null;
    created_at: ImmutableTimeColumn;
    expires_at: Date;
  };
  /**
   * Programs that registered for OAuth, or have a document of their own. better-auth reads this
   * table, and writes the next ones.
   */
  oauth_clients: {
    id: ImmutableColumn<string>;
    client_id: ImmutableColumn<string>;
    /** The name that the program gave itself. */
    name: string;
    /** JSON: a list of URLs. */
    redirect_uris: string;
    token_endpoint_auth_method: ImmutableColumn<'none'>;
    created_at: ImmutableTimeColumn;
    /** When a person last connected it. null: nobody has. */
    used_at: NullUntilSetColumn<Date>;
    /** When its document was read. null: it registered. */
    read_at: ColumnType<Date | null, Date | undefined, Date>;
  };
  /** What a person allowed a program in an organization. It ends with the membership. */
  oauth_connections: {
    id: ImmutableColumn<string>;
    client_id: ImmutableColumn<string>;
    user_id: ImmutableColumn<string>;
    organization_id: ImmutableColumn<string>;
    created_at: ImmutableTimeColumn;
    /** When the person last allowed it. */
    updated_at: Date;
    last_used_at: NullUntilSetColumn<Date>;
  };
  oauth_access_tokens: OAuthTokenTable;
  oauth_refresh_tokens: OAuthTokenTable & {
    /** The encrypted answer to the refresh, for programs that lost it. */
    rotation_replay_response: string | null;
    rotation_replay_expires_at: Date | null;
  };
  one_time_links: {
    /** SHA-256 of the token, hexadecimal. */
    hash: ImmutableColumn<string>;
    /** The person whom the link signs in. null: the very first person. */
    user_id: ImmutableColumn<string | null>;
    /** The organization that the first person will own. null: a new organization. */
    organization_id: ImmutableColumn<string | null>;
    /** Whether using the link proves the person's e-mail address. */
    proves_email: ImmutableColumn<boolean>;
    created_at: ImmutableTimeColumn;
    expires_at: ImmutableColumn<Date>;
  };
}
