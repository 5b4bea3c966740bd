import type { Static, TObject } from 'typebox';
import { roles } from '../roles.ts';
import * as t from './schemas.ts';
import { Cost, NamedCreator } from './tasks.ts';

export const Organization = t.object('Organization', {
  organizationId: t.uuid(),
  name: t.text('Its name.', 'Acme'),
  createdAt: t.time(),
  tokensPerMonth: t.orNull(t.count('Its own limit of model tokens per month. Null: none.')),
});
export type Organization = Static<typeof Organization>;

export const OrganizationMember = t.object('Member', {
  memberId: t.uuid(),
  userId: t.uuid(),
  name: t.text('As the person wrote it.', 'Ada Lovelace'),
  email: t.text('In lower case.'),
  role: t.oneOf(roles),
  joinedAt: t.time(),
});
export type OrganizationMember = Static<typeof OrganizationMember>;

export const MemberList = t.object('MemberList', {
  members: t.list(OrganizationMember, 'In the order of their addresses.'),
  nextCursor: t.nextCursor,
});

export const OrganizationInvitation = t.object('Invitation', {
  invitationId: t.uuid(),
  url: t.url('What the person opens. Give it to nobody else.'),
  email: t.text('In lower case.'),
  role: t.oneOf(roles),
  expiresAt: t.time(),
});
export type OrganizationInvitation = Static<typeof OrganizationInvitation>;

export const InvitationList = t.object('InvitationList', {
  invitations: t.list(OrganizationInvitation, 'In the order of their addresses.'),
  nextCursor: t.nextCursor,
});

export const CreatedInvitation = t.object('InvitationCreated', {
  ...OrganizationInvitation.properties,
  sent: t.flag('Whether the mail server took the mail.'),
});
export type CreatedInvitation = Static<typeof CreatedInvitation>;

export const ApiKeyResponse = t.object('ApiKey', {
  keyId: t.uuid(),
  prefix: t.text('How it begins.', 'ak_4Ks9'),
  name: t.orNull(t.text('What it is for.', 'Nightly import')),
  role: t.oneOf(roles),
  createdBy: t.nullable(NamedCreator, 'Null: an operator.'),
  createdAt: t.time(),
  lastUsedAt: t.orNull(t.time('To the minute.')),
  expiresAt: t.orNull(t.time('Null: valid until it is revoked.')),
  revokedAt: t.orNull(t.time('Null: not revoked.')),
});
export type ApiKeyResponse = Static<typeof ApiKeyResponse>;

export const KeyList = t.object('KeyList', {
  keys: t.list(ApiKeyResponse, 'The latest first.'),
  nextCursor: t.nextCursor,
});

export const IssuedApiKeyResponse = t.object('KeyCreated', {
  ...ApiKeyResponse.properties,
  apiKey: t.text('The key itself, for the `Authorization` header.'),
});
export type IssuedApiKeyResponse = Static<typeof IssuedApiKeyResponse>;

export const AssistantPerson = t.object('AssistantPerson', {
  userId: t.uuid(),
  name: t.text('As the person wrote it.', 'Ada Lovelace'),
  email: t.text('In lower case.'),
});

export const ConnectedAssistant = t.object('Assistant', {
  assistantId: t.uuid(),
  name: t.text('As the program calls itself.', 'Claude'),
  hosts: t.texts("The hosts that it registered. Empty for a program on the person's computer."),
  person: AssistantPerson,
  role: t.oneOf(roles, "The person's present one, and so its own."),
  connectedAt: t.time(),
  lastUsedAt: t.orNull(t.time('To the minute.')),
});
export type ConnectedAssistant = Static<typeof ConnectedAssistant>;

export const AssistantList = t.object('AssistantList', {
  assistants: t.list(ConnectedAssistant, 'The latest first.'),
  nextCursor: t.nextCursor,
});

export const CallbackSecret = t.object('CallbackSecret', {
  rotatedAt: t.time('When the present secret was made.'),
  previousUntil: t.orNull(t.time('Until when the secret before signs too. Null: there is none.')),
});
export type CallbackSecret = Static<typeof CallbackSecret>;

export const RotatedCallbackSecret = t.object('CallbackSecretRotated', {
  callbackSecret: t.text('`whsec_…`', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='),
  previousUntil: t.orNull(t.time('Until when the secret before signs too. Null: there is none.')),
});
export type RotatedCallbackSecret = Static<typeof RotatedCallbackSecret>;

export const AuditEntryResponse = t.object('AuditEntry', {
  at: t.time(),
  person: t.nullable(NamedCreator, 'Null: a key that belongs to no person, or an operator.'),
  key: t.nullable(NamedCreator, 'The API key that was used. Null for people.'),
  action: t.text('Noun and verb: `key.create`, `member.remove`, `site.update`.', 'key.create'),
  subject: t.orNull(t.text('What it was done to, at most 200 characters.')),
  address: t.text('IP address of the client, or `unknown`.', '192.0.2.7'),
});
export type AuditEntryResponse = Static<typeof AuditEntryResponse>;

export const AuditResponse = t.object('Audit', {
  entries: t.list(AuditEntryResponse, 'The latest first.'),
  nextCursor: t.nextCursor,
});

export const TokenUseResponse = t.object('TokenUse', {
  month: t.text('`YYYY-MM`, in UTC.', '2026-11'),
  usedTokens: t.count('Tokens read and written in this month.'),
  tokensPerMonth: t.count('How many may be used. Then new tasks of models get 403.'),
  setBy: t.oneOf(['organization', 'operator'], 'Whose limit this is.'),
  isNear: t.flag('Whether 80 % are used.'),
});

const countFields = {
  tasks: t.count('Tasks that called the model in this month.'),
  calls: t.count('Calls of the model, also those that failed.'),
  estimatedCalls: t.count(
    'Calls whose tokens are estimated, as the provider has not reported them.',
  ),
  inputTokens: t.count('Tokens read, including cached ones.'),
  cachedInputTokens: t.count('Tokens read that the provider had in its cache.'),
  outputTokens: t.count('Tokens written.'),
  cost: t.nullable(Cost, "By the operator's current prices. Null: a model has no price."),
};
export type UsageCounts = Static<TObject<typeof countFields>>;

export const ModelUsageResponse = t.object('ModelUsage', {
  model: t.text('`<provider>/<model>`', 'anthropic/claude-sonnet-4-5'),
  ...countFields,
});

export const UsageMonth = t.object('UsageMonth', {
  month: t.text('`YYYY-MM`, in UTC.', '2026-11'),
  ...countFields,
  builds: t.count("Builds that tasks caused at the team's own hosts."),
  models: t.list(ModelUsageResponse, 'The same for each model.'),
});
export type UsageMonth = Static<typeof UsageMonth>;

export const UsageReport = t.object('Usage', {
  limit: t.nullable(TokenUseResponse, 'The limit of this month. Null: there is none.'),
  months: t.list(UsageMonth, 'The latest first.'),
});
export type UsageReport = Static<typeof UsageReport>;

export const ShareResponse = t.object('Share', {
  shareId: t.uuid(),
  taskId: t.text('The task that made the pages.'),
  access: t.oneOf(['view', 'edit']),
  createdAt: t.time(),
  expiresAt: t.time('Until when it works.'),
});
export type ShareResponse = Static<typeof ShareResponse>;

export const CreatedShareResponse = t.object('ShareCreated', {
  ...ShareResponse.properties,
  url: t.url('The link, for a browser. A secret.'),
});
export type CreatedShareResponse = Static<typeof CreatedShareResponse>;

export const ListedShareResponse = t.object('ListedShare', {
  ...ShareResponse.properties,
  createdBy: t.nullable(NamedCreator, 'The person. Null: a program.'),
  title: t.orNull(t.text("The task's title. Null: it is not known any more.")),
  siteId: t.orNull(t.text("The task's site. Null: it is not known any more.")),
});
export type ListedShareResponse = Static<typeof ListedShareResponse>;

export const OrganizationShares = t.object('OrganizationShares', {
  shares: t.list(ListedShareResponse, 'The newest first.'),
  nextCursor: t.nextCursor,
});

export const SharedPageResponse = t.object('SharedPage', {
  slug: t.slug(),
  previewUrl: t.orNull(t.url("Null: the team's own host was not seen to show the page.")),
  editUrl: t.orNull(t.url('Opens the editor; null where only to look at.')),
  live: t.flag('Whether the live site has it as the task made it.'),
  published: t.flag('Whether it went live once.'),
});

export const OpenedShareResponse = t.object('OpenedShare', {
  access: t.oneOf(['view', 'edit']),
  expiresAt: t.time('Until when it works.'),
  site: t.text("The site's name.", 'Northwind'),
  host: t.oneOf(['embedded', 'own'], "Who shows the pages: this service, or the team's host."),
  pages: t.list(SharedPageResponse, 'Those that the task created or modified.'),
});
export type OpenedShareResponse = Static<typeof OpenedShareResponse>;
