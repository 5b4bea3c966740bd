-- Every table of version 0.1.0. A blank line ends a statement: the embedded database takes one at a
-- time.
-- People, their ways to sign in, and their sessions: better-auth's tables, with names of our own.
create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  event_mails boolean default true not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index sessions_user on sessions (user_id);

create table user_accounts (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint user_accounts_key unique (provider_id, account_id)
);

create index user_accounts_user on user_accounts (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index verifications_identifier on verifications (identifier);

-- Organizations, their members with roles, their API keys, and the audit of changed settings.
create table organizations (
  id uuid primary key,
  name text not null,
  callback_secret text not null,
  callback_secret_rotated_at timestamptz,
  previous_callback_secret text,
  previous_callback_secret_until timestamptz,
  tokens_per_month bigint,
  created_at timestamptz not null
);

create table members (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  created_at timestamptz not null,
  constraint members_key unique (organization_id, user_id)
);

create index members_user on members (user_id);

create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  email text not null,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  invited_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint invitations_key unique (organization_id, email)
);

create index invitations_email on invitations (email);

create table one_time_links (
  hash text primary key,
  user_id uuid references users (id) on delete cascade,
  organization_id uuid references organizations (id) on delete cascade,
  proves_email boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  name text,
  hash text not null unique,
  prefix text not null,
  user_id uuid references users (id) on delete cascade,
  session_id uuid references sessions (id) on delete cascade,
  created_by_user uuid,
  created_by_key uuid,
  counts_for uuid,
  replaced_by uuid,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_organization on api_keys (organization_id);

create index api_keys_session on api_keys (session_id);

create table audit_entries (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  at timestamptz not null,
  user_id uuid,
  key_id uuid,
  action text not null,
  subject text,
  address text not null
);

create index audit_entries_organization on audit_entries (organization_id, at, id);

create index audit_entries_at on audit_entries (at);

-- Programs of assistants, what people allowed them, and their tokens: tables of better-auth's OAuth
-- provider. A connection ends with the membership, and its tokens end with the connection.
create table oauth_clients (
  id uuid primary key,
  client_id text not null unique,
  name text not null,
  redirect_uris text not null,
  token_endpoint_auth_method text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  read_at timestamptz
);

create index oauth_clients_made on oauth_clients (created_at);

create table oauth_resources (
  id uuid primary key,
  identifier text not null unique,
  name text not null,
  access_token_ttl integer,
  refresh_token_ttl integer,
  signing_algorithm text,
  signing_key_id text,
  allowed_scopes text,
  custom_claims jsonb,
  dpop_bound_access_tokens_required boolean,
  disabled boolean,
  policy_version integer,
  metadata jsonb,
  created_at timestamptz,
  updated_at timestamptz
);

create table oauth_connections (
  id uuid primary key,
  client_id text not null references oauth_clients (client_id) on delete cascade,
  user_id uuid not null,
  organization_id uuid not null,
  resources text,
  requested_user_info_claims text,
  scopes text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  constraint oauth_connections_key unique (client_id, user_id, organization_id),
  constraint oauth_connections_member foreign key (organization_id, user_id)
    references members (organization_id, user_id) on delete cascade
);

create index oauth_connections_member on oauth_connections (organization_id, user_id);

create index oauth_connections_user on oauth_connections (user_id);

create table oauth_refresh_tokens (
  id uuid primary key,
  token text not null unique,
  client_id text not null,
  user_id uuid not null,
  organization_id uuid not null,
  session_id uuid references sessions (id) on delete set null,
  authorization_code_id text,
  resources text,
  requested_user_info_claims text,
  scopes text not null,
  confirmation jsonb,
  revoked timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  auth_time timestamptz,
  rotated_at timestamptz,
  rotation_replay_response text,
  rotation_replay_expires_at timestamptz,
  constraint oauth_refresh_tokens_connection foreign key (client_id, user_id, organization_id)
    references oauth_connections (client_id, user_id, organization_id) on delete cascade
);

create index oauth_refresh_tokens_connection_index
  on oauth_refresh_tokens (client_id, user_id, organization_id);

create index oauth_refresh_tokens_session_index on oauth_refresh_tokens (session_id);

create index oauth_refresh_tokens_code_index on oauth_refresh_tokens (authorization_code_id);

create index oauth_refresh_tokens_end_index on oauth_refresh_tokens (expires_at);

create table oauth_access_tokens (
  id uuid primary key,
  token text not null unique,
  client_id text not null,
  user_id uuid not null,
  organization_id uuid not null,
  session_id uuid references sessions (id) on delete set null,
  authorization_code_id text,
  resources text,
  requested_user_info_claims text,
  scopes text not null,
  confirmation jsonb,
  revoked timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  refresh_id uuid references oauth_refresh_tokens (id) on delete cascade,
  constraint oauth_access_tokens_connection foreign key (client_id, user_id, organization_id)
    references oauth_connections (client_id, user_id, organization_id) on delete cascade
);

create index oauth_access_tokens_connection_index
  on oauth_access_tokens (client_id, user_id, organization_id);

create index oauth_access_tokens_session_index on oauth_access_tokens (session_id);

create index oauth_access_tokens_code_index on oauth_access_tokens (authorization_code_id);

create index oauth_access_tokens_end_index on oauth_access_tokens (expires_at);

create index oauth_access_tokens_refresh on oauth_access_tokens (refresh_id);

-- Sites, and the credentials of their repositories and hosts. Only secrets are encrypted.
create table site_credentials (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  kind text not null check (kind in ('token', 'deploy-key', 'github-app', 'secret')),
  username text,
  public_key text,
  key_id text not null,
  sealed bytea not null,
  created_at timestamptz not null
);

create table sites (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  label text not null unique,
  repository_url text,
  repository_branch text not null,
  repository_root text not null,
  own_host jsonb,
  had_own_host boolean default false not null,
  author_name text not null,
  author_email text not null,
  is_guarded boolean default false not null,
  credential_id uuid references site_credentials (id),
  known_hosts text,
  problem text,
  problem_is_of_push boolean default false not null,
  publish_approval text default 'none' not null
    check (publish_approval in ('none', 'another-person')),
  created_at timestamptz not null
);

create index sites_organization on sites (organization_id);

create index sites_credential on sites (credential_id);

create table kept_labels (
  label text primary key,
  organization_id uuid not null references organizations (id),
  removed_at timestamptz not null
);

create index kept_labels_organization on kept_labels (organization_id);

-- Current, past and failed deployments.
create table live_deployments (
  site_id uuid primary key references sites (id) on delete cascade,
  commit text not null,
  task_id text,
  deployed_at timestamptz not null,
  name text not null,
  restores timestamptz,
  pages_created integer not null,
  pages_modified integer not null,
  pages_deleted integer not null
);

create table past_deployments (
  site_id uuid not null references sites (id) on delete cascade,
  commit text not null,
  task_id text,
  deployed_at timestamptz,
  name text,
  restores timestamptz,
  pages_created integer,
  pages_modified integer,
  pages_deleted integer,
  ended_at timestamptz not null,
  constraint past_deployments_key primary key (site_id, commit)
);

create table failed_deployments (
  site_id uuid primary key references sites (id) on delete cascade,
  commit text not null,
  task_id text not null,
  failed_at timestamptz not null
);

-- Previews. One without a commit was deleted before it was created.
create table preview_deployments (
  task_id text primary key,
  site_id uuid not null references sites (id) on delete cascade,
  commit text,
  held_by text,
  onto text,
  base text,
  changed_at timestamptz not null,
  deleted_at timestamptz
);

create index preview_deployments_changed on preview_deployments (changed_at);

-- Which tasks' results went live with which deployment, and which of their pages are live now.
create table publications (
  task_id text primary key,
  site_id uuid not null references sites (id) on delete cascade,
  published_by text not null,
  base text not null,
  result text not null,
  commit text not null,
  published_at timestamptz not null
);

create index publications_site on publications (site_id, published_at);

create table published_pages (
  published_by text not null references publications (task_id) on delete cascade,
  site_id uuid not null,
  path text not null,
  slug text not null,
  blob text not null,
  replaced_at timestamptz,
  replaced_by text,
  constraint published_pages_key primary key (published_by, path)
);

create index published_pages_path on published_pages (site_id, path);

-- Links that let people without an account view or edit the pages of a task or a batch. For a link
-- to a batch, task_id is the batch's id.
create table shares (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  task_id text not null,
  is_batch boolean not null,
  access text not null check (access in ('view', 'comment', 'edit')),
  hash text not null,
  created_by_user uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index shares_task on shares (organization_id, task_id);

-- What guests with a share link find wrong with pages of tasks and batches. Each is a note.
create table guest_comments (
  task_id text not null,
  note_id text not null,
  organization_id uuid not null references organizations (id),
  share_id uuid not null,
  slug text not null,
  text text not null,
  at timestamptz not null,
  constraint guest_comments_key primary key (task_id, note_id)
);

create index guest_comments_at on guest_comments (at);

create index guest_comments_share on guest_comments (share_id);

-- Which versions of tasks and batches were approved for publishing. The approver is a person or, with
-- a guest's name, a share link.
create table approvals (
  task_id text not null,
  version text not null,
  approver text not null,
  organization_id uuid not null references organizations (id),
  guest_name text,
  at timestamptz not null,
  constraint approvals_key primary key (task_id, version, approver)
);

create index approvals_at on approvals (at);

-- Endpoints that receive the events of an organization, and the log of the deliveries. `sealed` has
-- the URL and the secrets.
create table webhook_endpoints (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  kind text not null check (kind in ('webhook', 'slack', 'teams')),
  shown_url text not null,
  description text not null,
  event_types jsonb not null,
  key_id text not null,
  sealed bytea not null,
  rotated_at timestamptz not null,
  previous_until timestamptz,
  enabled boolean not null,
  disabled_because text check (disabled_because in ('failures', 'request')),
  notice_due boolean default false not null,
  failing_since timestamptz,
  created_at timestamptz not null
);

create index webhook_endpoints_organization on webhook_endpoints (organization_id, created_at);

create table event_deliveries (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id text not null,
  event_type text not null,
  body text not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer default 0 not null,
  attempt_id uuid,
  redeliveries integer default 0 not null,
  response_status integer,
  error text,
  created_at timestamptz not null,
  attempted_at timestamptz,
  constraint event_deliveries_key unique (endpoint_id, event_id)
);

create index event_deliveries_endpoint on event_deliveries (endpoint_id, created_at, id);

create index event_deliveries_at on event_deliveries (created_at);

-- Which notes of tasks are settled, and how.
create table note_states (
  task_id text not null,
  note_id text not null,
  organization_id uuid not null references organizations (id),
  state text not null check (state in ('done', 'kept', 'dropped')),
  by_user text,
  by_key text,
  dropped_in text,
  is_edit boolean default false not null,
  at timestamptz not null,
  constraint note_states_key primary key (task_id, note_id)
);

create index note_states_at on note_states (at);

-- Which pages of tasks and batches people marked as fine or left out. The marker is the person, the
-- key or, with a guest's name, the share link.
create table page_marks (
  task_id text not null,
  slug text not null,
  marker text not null,
  organization_id uuid not null references organizations (id),
  by_user text,
  by_key text,
  guest_name text,
  mark text not null check (mark in ('fine', 'left-out')),
  version text not null,
  at timestamptz not null,
  constraint page_marks_key primary key (task_id, slug, marker)
);

create index page_marks_at on page_marks (at);

create table model_usage (
  organization_id uuid not null references organizations (id) on delete cascade,
  month text not null,
  model text not null,
  tasks integer not null,
  calls integer not null,
  estimated_calls integer not null,
  input_tokens bigint not null,
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  constraint model_usage_key primary key (organization_id, month, model)
);

create table model_calls (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  month text not null,
  model text not null,
  task_id text not null,
  begun_at timestamptz not null,
  estimated_tokens integer not null,
  is_answered boolean default false not null
);

create index model_calls_task_id on model_calls (task_id);

create index model_calls_begun_at on model_calls (begun_at);

create index model_calls_organization_id on model_calls (organization_id);

create table usage_notices (
  organization_id uuid not null references organizations (id) on delete cascade,
  month text not null,
  constraint usage_notices_key primary key (organization_id, month)
);

-- The service's own secrets, and its counters for rate limits.
create table secrets (
  name text primary key,
  value bytea not null
);

create table rate_limits (
  key varchar(255) primary key,
  points integer default 0 not null,
  expire bigint
);

-- Leases of tasks in flight. in_line_since is null if the task has its lease; otherwise the task is
-- in line for one.
create table task_leases (
  task_id text primary key,
  organization_id uuid not null,
  site_id uuid not null,
  checked_at timestamptz default clock_timestamp() not null,
  in_line_since timestamptz
);

create index task_leases_organization_id on task_leases (organization_id);

create index task_leases_site_id on task_leases (site_id);

create index task_leases_checked_at on task_leases (checked_at);

-- The lock makes all processes check an organization's limit one after the other.
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
end $$;

-- A task in line counts as one in flight for those that come behind it.
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
end $$;

-- Batches, and a row for each page. The last columns of each table have JSON.
create table batches (
  id text primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id uuid not null references sites (id) on delete cascade,
  created_at timestamptz not null,
  created_by_user text,
  created_by_key text,
  request_id text,
  body_hash text not null,
  status text not null,
  publish boolean not null,
  on_warnings text not null,
  hold_below double precision,
  link_from text,
  canary integer,
  canary_approved boolean default false not null,
  is_publishing boolean default false not null,
  is_untold boolean default false not null,
  model text,
  base text,
  commit text,
  shown text,
  pull_request_url text,
  changed_at timestamptz not null,
  finished_at timestamptz,
  texts text not null,
  error text
);

create index batches_of_organization on batches (organization_id, created_at, id);

create index batches_of_site on batches (site_id);

create table batch_rows (
  batch_id text not null references batches (id) on delete cascade,
  number integer not null,
  template_slug text not null,
  target_slug text not null,
  path text,
  state text not null check (
    state in ('waiting', 'written', 'committed', 'published', 'held', 'failed', 'skipped')
  ),
  is_wrong boolean not null,
  own_share double precision,
  preview_url text,
  published_url text,
  input text not null,
  external_id text,
  page text,
  edit text,
  repair text,
  notes text,
  error text,
  constraint batch_rows_key primary key (batch_id, number)
);

create index batch_rows_by_state on batch_rows (batch_id, state, number);

create table builds (
  site_id uuid not null,
  commit text not null,
  target text not null,
  organization_id uuid not null references organizations (id) on delete cascade,
  task_id text not null,
  month text not null,
  constraint builds_key primary key (site_id, commit, target)
);

create index builds_of_task on builds (task_id);

create index builds_by_month on builds (organization_id, month);

create table waiting_publishes (
  site_id uuid not null references sites (id) on delete cascade,
  commit text not null,
  held_by text not null,
  task_id text not null,
  base text not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  is_taken boolean default false not null,
  constraint waiting_publishes_key primary key (site_id, commit)
);

-- Notifies of changes in tables whose rows are cached. The payload of NOTIFY is the table's name
-- and, if the trigger names an id column, the row's id. Only columns that a cache uses count: a
-- key's last use changes often. A new row counts if a cache may hold that it is missing.
create function tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify(
    'agent_tasks_changes',
    concat_ws(' ', tg_table_name, to_jsonb(coalesce(new, old)) ->> tg_argv[0])
  );
  return null;
end $$;

create trigger told_changes
after delete or update of organization_id, role, hash, name, expires_at, revoked_at
on api_keys for each row execute function tell_change();

create trigger told_changes after insert or delete or update of enabled
on webhook_endpoints for each row execute function tell_change('organization_id');

create trigger told_changes after delete or update of name
on users for each row execute function tell_change('id');

create trigger told_changes after delete or update of organization_id, label, own_host
on sites for each row execute function tell_change('id');

create trigger told_changes after insert or delete or update
  on preview_deployments for each row execute function tell_change('task_id');

create trigger told_changes after insert or delete or update
  on note_states for each row execute function tell_change('task_id');

create trigger told_changes after insert or delete or update
  on guest_comments for each row execute function tell_change('task_id');

create trigger told_changes after insert or delete or update
  on builds for each row execute function tell_change('task_id');

create trigger told_changes after insert or delete or update
on published_pages for each statement execute function tell_change();

-- When a person leaves an organization or gets another role, ends the keys that the person's
-- sessions created there. When the person leaves the last organization, ends the sessions too.
create function end_membership() returns trigger language plpgsql as $$
begin
  delete from api_keys
  where user_id = old.user_id and organization_id = old.organization_id and session_id is not null;
  if tg_op = 'DELETE' and not exists (select from members where user_id = old.user_id) then
    delete from sessions where user_id = old.user_id;
  end if;
  return null;
end $$;

create trigger ended_memberships after delete or update of role, organization_id, user_id
on members for each row execute function end_membership();

-- Ends a person's share links when the person leaves the organization or may no longer create links
-- there.
create function end_shares() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.role = 'viewer' then
    update shares set revoked_at = now()
    where created_by_user = old.user_id and organization_id = old.organization_id
      and revoked_at is null;
  end if;
  return null;
end $$;

create trigger ended_shares after delete or update of role
on members for each row execute function end_shares();
