import type { Static, TObject } from 'typebox';
import { roles } from '../roles.ts';
import * as t from './schemas.ts';
import { Cost, NamedMaker } from './tasks.ts';

export const Organization = t.object('Organization', {
  organizationId: t.uuid(),
  name: t.text('Its name.', 'Acme'),
  createdAt: t.time(),
  tokensPerMonth: t.orNull(t.count('Its own limit of model tokens per month. Null: none.')),
});
export type Organization = Static<typeof Organization>;

export const Member = t.object('Member', {
  memberId: t.uuid(),
  userId: t.uuid(),
  name: t.text('As the person wrote it.', 'Ada Lovelace'),
  email: t.text('In lower case.'),
  role: t.oneOf(roles),
  joinedAt: t.time(),
});
export type Member = Static<typeof Member>;

export const MemberList = t.object('MemberList', {
  members: t.list(Member, 'In the order of their addresses.'),
  nextCursor: t.nextCursor,
});

export const Invitation = t.object('Invitation', {
  invitationId: t.uuid(),
  url: t.url('What the person opens. Give it to nobody else.'),
  email: t.text('In lower case.'),
  role: t.oneOf(roles),
  expiresAt: t.time(),
});
export type Invitation = Static<typeof Invitation>;

export const InvitationList = t.object('InvitationList', {
  invitations: t.list(Invitation, 'In the order of their addresses.'),
  nextCursor: t.nextCursor,
});

export const NewInvitation = t.object('InvitationCreated', {
  ...Invitation.properties,
  sent: t.flag('Whether the mail server took the mail.'),
});
export type NewInvitation = Static<typeof NewInvitation>;

export const Key = t.object('ApiKey', {
  keyId: t.uuid(),
  prefix: t.text('How it begins.', 'ak_4Ks9'),
  name: t.orNull(t.text('What it is for.', 'Nightly import')),
  role: t.oneOf(roles),
  createdBy: t.nullable(NamedMaker, 'Null: an operator.'),
  createdAt: t.time(),
  lastUsedAt: t.orNull(t.time('To the minute.')),
  expiresAt: t.orNull(t.time('Null: valid until it is revoked.')),
  revokedAt: t.orNull(t.time('Null: not revoked.')),
});
export type Key = Static<typeof Key>;

export const KeyList = t.object('KeyList', {
  keys: t.list(Key, 'The latest first.'),
  nextCursor: t.nextCursor,
});

export const NewKey = t.object('KeyCreated', {
  ...Key.properties,
  apiKey: t.text('The key itself, for the `Authorization` header.'),
});
export type NewKey = Static<typeof NewKey>;

export const AssistantPerson = t.object('AssistantPerson', {
  userId: t.uuid(),
  name: t.text('As the person wrote it.', 'Ada Lovelace'),
  email: t.text('In lower case.'),
});

export const Assistant = t.object('Assistant', {
  assistantId: t.uuid(),
  name: t.text('As the program calls itself.', 'Claude'),
  hosts: t.texts("The hosts that it registered. Empty for a program on the person's computer."),
  person: AssistantPerson,
  role: t.oneOf(roles, "The person's present one, and so its own."),
  connectedAt: t.time(),
  lastUsedAt: t.orNull(t.time('To the minute.')),
});
export type Assistant = Static<typeof Assistant>;

export const AssistantList = t.object('AssistantList', {
  assistants: t.list(Assistant, 'The latest first.'),
  nextCursor: t.nextCursor,
});

export const CallbackSecret = t.object('CallbackSecret', {
  rotatedAt: t.time('When the present secret was made.'),
  previousUntil: t.orNull(t.time('Until when the secret before signs too. Null: there is none.')),
});
export type CallbackSecret = Static<typeof CallbackSecret>;

export const NewCallbackSecret = t.object('CallbackSecretRotated', {
  callbackSecret: t.text('`whsec_…`', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='),
  previousUntil: t.orNull(t.time('Until when the secret before signs too. Null: there is none.')),
});
export type NewCallbackSecret = Static<typeof NewCallbackSecret>;

export const AuditEntry = t.object('AuditEntry', {
  at: t.time(),
  person: t.nullable(NamedMaker, 'Null: a key that belongs to no person, or an operator.'),
  key: t.nullable(NamedMaker, 'The API key that was used. Null for people.'),
  action: t.text('Noun and verb: `key.create`, `member.remove`, `site.update`.', 'key.create'),
  subject: t.orNull(t.text('What it was done to, at most 200 characters.')),
  address: t.text('IP address of the client, or `unknown`.', '192.0.2.7'),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const Audit = t.object('Audit', {
  entries: t.list(AuditEntry, 'The latest first.'),
  nextCursor: t.nextCursor,
});

export const TokenUse = t.object('TokenUse', {
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

export const ModelUsage = t.object('ModelUsage', {
  model: t.text('`<provider>/<model>`', 'anthropic/claude-sonnet-4-5'),
  ...countFields,
});

export const UsageMonth = t.object('UsageMonth', {
  month: t.text('`YYYY-MM`, in UTC.', '2026-11'),
  ...countFields,
  builds: t.count("Builds that tasks caused at the team's own hosts."),
  models: t.list(ModelUsage, 'The same for each model.'),
});
export type UsageMonth = Static<typeof UsageMonth>;

export const UsageReport = t.object('Usage', {
  limit: t.nullable(TokenUse, 'The limit of this month. Null: there is none.'),
  months: t.list(UsageMonth, 'The latest first.'),
});
export type UsageReport = Static<typeof UsageReport>;

export const Share = t.object('Share', {
  shareId: t.uuid(),
  taskId: t.text('The task that made the pages.'),
  access: t.oneOf(['view', 'edit']),
  createdAt: t.time(),
  expiresAt: t.time('Until when it works.'),
});
export type Share = Static<typeof Share>;

export const NewShare = t.object('ShareCreated', {
  ...Share.properties,
  url: t.url('The link, for a browser. A secret.'),
});
export type NewShare = Static<typeof NewShare>;

export const ListedShare = t.object('ListedShare', {
  ...Share.properties,
  createdBy: t.nullable(NamedMaker, 'The person. Null: a program.'),
  title: t.orNull(t.text("The task's title. Null: it is not known any more.")),
  siteId: t.orNull(t.text("The task's site. Null: it is not known any more.")),
});
export type ListedShare = Static<typeof ListedShare>;

export const OrganizationShares = t.object('OrganizationShares', {
  shares: t.list(ListedShare, 'The newest first.'),
  nextCursor: t.nextCursor,
});

export const SharedPage = t.object('SharedPage', {
  slug: t.slug(),
  previewUrl: t.orNull(t.url("Null: the team's own host was not seen to show the page.")),
  editUrl: t.orNull(t.url('Opens the editor; null where only to look at.')),
  live: t.flag('Whether the live site has it as the task made it.'),
  published: t.flag('Whether it went live once.'),
});

export const SharedPages = t.object('OpenedShare', {
  access: t.oneOf(['view', 'edit']),
  expiresAt: t.time('Until when it works.'),
  site: t.text("The site's name.", 'Northwind'),
  host: t.oneOf(['embedded', 'own'], "Who shows the pages: this service, or the team's host."),
  pages: t.list(SharedPage, 'Those that the task created or modified.'),
});
export type SharedPages = Static<typeof SharedPages>;
