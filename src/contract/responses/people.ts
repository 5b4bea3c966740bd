import type { Static, TObject } from 'typebox';
import { roles } from '../roles.ts';
import * as t from './schemas.ts';
import { Cost, NamedCreator } from './tasks.ts';

/**
 * Response bodies about organizations: their people, keys, assistants, usage and share links.
 * schemas.ts explains the form.
 */

export const Organization = t.object('Organization', {
  organizationId: t.uuid(),
  name: t.text('The name of the organization.', 'Acme'),
  createdAt: t.time(),
  tokensPerMonth: t.orNull(
    t.count(
      "The organization's own limit on language model tokens per month. Null if it has not set one.",
    ),
  ),
});
export type Organization = Static<typeof Organization>;

export const OrganizationMember = t.object('Member', {
  memberId: t.uuid(),
  userId: t.uuid(),
  name: t.text('The name as the person entered it.', 'Ada Lovelace'),
  email: t.text('The e-mail address, in lower case.'),
  role: t.oneOf(roles),
  joinedAt: t.time(),
});
export type OrganizationMember = Static<typeof OrganizationMember>;

export const MemberList = t.object('MemberList', {
  members: t.list(OrganizationMember, 'The members, in the order of their e-mail addresses.'),
  nextCursor: t.nextCursor,
});

export const OrganizationInvitation = t.object('Invitation', {
  invitationId: t.uuid(),
  url: t.url('The link that the person opens to join. Give it to nobody else.'),
  email: t.text('The e-mail address, in lower case.'),
  role: t.oneOf(roles),
  expiresAt: t.time(),
});
export type OrganizationInvitation = Static<typeof OrganizationInvitation>;

export const InvitationList = t.object('InvitationList', {
  invitations: t.list(
    OrganizationInvitation,
    'The invitations, in the order of their e-mail addresses.',
  ),
  nextCursor: t.nextCursor,
});

export const CreatedInvitation = t.object('InvitationCreated', {
  ...OrganizationInvitation.properties,
  sent: t.flag('Whether the mail server accepted the invitation e-mail.'),
});
export type CreatedInvitation = Static<typeof CreatedInvitation>;

export const ApiKeyResponse = t.object('ApiKey', {
  keyId: t.uuid(),
  prefix: t.text('The first characters of the key, by which people recognize it.', 'ak_4Ks9'),
  name: t.orNull(t.text('The name of the key, which says what it is for.', 'Nightly import')),
  role: t.oneOf(roles),
  createdBy: t.nullable(
    NamedCreator,
    'The person or key that created the key. Null if an operator created it.',
  ),
  createdAt: t.time(),
  lastUsedAt: t.orNull(
    t.time('When it was last used, accurate to the minute. Null if it was never used.'),
  ),
  expiresAt: t.orNull(t.time('When the key expires. Null if it is valid until it is revoked.')),
  revokedAt: t.orNull(t.time('When the key was revoked. Null if it was not revoked.')),
});
export type ApiKeyResponse = Static<typeof ApiKeyResponse>;

export const KeyList = t.object('KeyList', {
  keys: t.list(ApiKeyResponse, 'The keys, newest first.'),
  nextCursor: t.nextCursor,
});

export const IssuedApiKeyResponse = t.object('KeyCreated', {
  ...ApiKeyResponse.properties,
  apiKey: t.text('The API key for the `Authorization` header. No other response contains it.'),
});
export type IssuedApiKeyResponse = Static<typeof IssuedApiKeyResponse>;

export const AssistantPerson = t.object('AssistantPerson', {
  userId: t.uuid(),
  name: t.text('The name as the person entered it.', 'Ada Lovelace'),
  email: t.text('The e-mail address, in lower case.'),
});

export const ConnectedAssistant = t.object('Assistant', {
  assistantId: t.uuid(),
  name: t.text('The name that the program registered with.', 'Claude'),
  hosts: t.texts(
    "The hosts that the program registered. Empty for a program on the person's computer.",
  ),
  person: AssistantPerson,
  role: t.oneOf(roles, 'The current role of the person. The assistant has the same role.'),
  connectedAt: t.time(),
  lastUsedAt: t.orNull(
    t.time('When it was last used, accurate to the minute. Null if it was never used.'),
  ),
});
export type ConnectedAssistant = Static<typeof ConnectedAssistant>;

export const AssistantList = t.object('AssistantList', {
  assistants: t.list(ConnectedAssistant, 'The assistants, newest first.'),
  nextCursor: t.nextCursor,
});

export const CallbackSecret = t.object('CallbackSecret', {
  rotatedAt: t.time('When the current secret was created.'),
  previousUntil: t.orNull(
    t.time(
      'Until when callbacks are also signed with the previous secret. Null if there is no previous secret.',
    ),
  ),
});
export type CallbackSecret = Static<typeof CallbackSecret>;

export const RotatedCallbackSecret = t.object('CallbackSecretRotated', {
  callbackSecret: t.text('`whsec_…`', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='),
  previousUntil: t.orNull(
    t.time(
      'Until when callbacks are also signed with the previous secret. Null if there is no previous secret.',
    ),
  ),
});
export type RotatedCallbackSecret = Static<typeof RotatedCallbackSecret>;

export const AuditEntryResponse = t.object('AuditEntry', {
  at: t.time(),
  person: t.nullable(
    NamedCreator,
    'The person who made the change. Null for an operator, or for a key without a person.',
  ),
  key: t.nullable(
    NamedCreator,
    'The API key that was used. Null if a person made the change without a key.',
  ),
  action: t.text(
    'The kind of change, as a noun and a verb: `key.create`, `member.remove`, `site.update`.',
    'key.create',
  ),
  subject: t.orNull(t.text('What was changed, in at most 200 characters.')),
  address: t.text('The IP address of the client, or `unknown`.', '192.0.2.7'),
});
export type AuditEntryResponse = Static<typeof AuditEntryResponse>;

export const AuditResponse = t.object('Audit', {
  entries: t.list(AuditEntryResponse, 'The entries, newest first.'),
  nextCursor: t.nextCursor,
});

export const TokenUseResponse = t.object('TokenUse', {
  month: t.text('The month as `YYYY-MM`, in UTC.', '2026-11'),
  usedTokens: t.count('The number of tokens that language models read and wrote in this month.'),
  tokensPerMonth: t.count(
    'The limit for the month. Once it is reached, new tasks that need a language model get 403.',
  ),
  setBy: t.oneOf(['organization', 'operator'], 'Who set the limit.'),
  isNear: t.flag('Whether at least 80 % of the limit is used.'),
});

const countFields = {
  tasks: t.count('The number of tasks that called the model in this month.'),
  calls: t.count('The number of calls to the model, including failed ones.'),
  estimatedCalls: t.count(
    'The number of calls whose tokens are estimated, because the provider did not report them.',
  ),
  inputTokens: t.count('The number of tokens read, including cached ones.'),
  cachedInputTokens: t.count("The number of tokens read that came from the provider's cache."),
  outputTokens: t.count('The number of tokens written.'),
  cost: t.nullable(
    Cost,
    "The cost at the operator's current prices. Null if a model has no price.",
  ),
};
export type UsageCounts = Static<TObject<typeof countFields>>;

export const ModelUsageResponse = t.object('ModelUsage', {
  model: t.text('`<provider>/<model>`', 'anthropic/claude-sonnet-4-5'),
  ...countFields,
});

export const UsageMonth = t.object('UsageMonth', {
  month: t.text('The month as `YYYY-MM`, in UTC.', '2026-11'),
  ...countFields,
  builds: t.count('The number of builds that tasks caused at external hosts.'),
  models: t.list(ModelUsageResponse, 'The usage of each model.'),
});
export type UsageMonth = Static<typeof UsageMonth>;

export const UsageReport = t.object('Usage', {
  limit: t.nullable(TokenUseResponse, 'The limit for this month. Null if there is none.'),
  months: t.list(UsageMonth, 'The months, newest first.'),
});
export type UsageReport = Static<typeof UsageReport>;

export const ShareResponse = t.object('Share', {
  shareId: t.uuid(),
  taskId: t.orNull(t.text('The task whose pages the link shows. Null for a link to a batch.')),
  batchId: t.orNull(t.text('The batch whose pages the link shows. Null for a link to a task.')),
  access: t.oneOf(['view', 'comment', 'edit']),
  createdAt: t.time(),
  expiresAt: t.time('When the link expires.'),
});
export type ShareResponse = Static<typeof ShareResponse>;

export const CreatedShareResponse = t.object('ShareCreated', {
  ...ShareResponse.properties,
  url: t.url('The link to open in a browser. It is a secret.'),
});
export type CreatedShareResponse = Static<typeof CreatedShareResponse>;

export const ListedShareResponse = t.object('ListedShare', {
  ...ShareResponse.properties,
  createdBy: t.nullable(NamedCreator, 'The person who shared the pages. Null if a program did.'),
  title: t.orNull(t.text('The title of the task or batch. Null if it is no longer stored.')),
  siteId: t.orNull(t.text('The site of the pages. Null if the task or batch is no longer stored.')),
});
export type ListedShareResponse = Static<typeof ListedShareResponse>;

export const OrganizationShares = t.object('OrganizationShares', {
  shares: t.list(ListedShareResponse, 'The links, newest first.'),
  nextCursor: t.nextCursor,
});

export const SharedPageResponse = t.object('SharedPage', {
  slug: t.slug(),
  previewUrl: t.orNull(
    t.url('The preview of the page. Null if no check has found the page at the external host.'),
  ),
  editUrl: t.orNull(
    t.url('Opens the page in the editor. Null if the link does not allow editing.'),
  ),
  live: t.flag('Whether the live site shows the page as the task created it.'),
  published: t.flag('Whether the page has been live.'),
});

export const OpenedShareResponse = t.object('OpenedShare', {
  access: t.oneOf(['view', 'comment', 'edit']),
  expiresAt: t.time('When the link expires.'),
  site: t.text('The name of the site.', 'Northwind'),
  host: t.oneOf(
    ['embedded', 'own'],
    'What serves the pages: this service (`embedded`), or an external host (`own`).',
  ),
  total: t.count('The number of all pages of the link.'),
  pages: t.list(SharedPageResponse, 'The pages that the task or batch created or modified.'),
  nextCursor: t.nextCursor,
});
export type OpenedShareResponse = Static<typeof OpenedShareResponse>;
