import type { Static } from 'typebox';
import * as t from './schemas.ts';

export const Repository = t.object('SiteRepository', {
  url: t.text('Its address; `local` for one on the machine of the service.'),
  branch: t.text('The production branch.', 'main'),
  root: t.text('The folder of the pages; empty for the whole repository.', ''),
  access: t.oneOf(['open', 'token', 'github-app', 'deploy-key'], 'What lets the service in.'),
  publicKey: t.optional(t.text('Of the deploy key, as a line of authorized_keys.')),
});
export type Repository = Static<typeof Repository>;

export const SiteDeployment = t.object('SiteDeployment', {
  state: t.oneOf(['live', 'failed'], 'After a failed one, the one before is live still.'),
  commit: t.commit(),
  taskId: t.orNull(t.text('The task that published; null where no task did.')),
  at: t.time(),
});

export const Site = t.object('SiteSummary', {
  siteId: t.uuid(),
  name: t.text('As it was registered.', 'Northwind'),
  liveUrl: t.orNull(t.url('Null where nothing is live yet.')),
  deployment: t.nullable(
    SiteDeployment,
    'The last production deployment. Null before the first one.',
  ),
  repository: t.nullable(Repository, 'Null: it has none.'),
  problem: t.orNull(t.text('What went wrong at the repository last. Null: nothing.')),
});
export type Site = Static<typeof Site>;

export const SiteList = t.object('SiteList', {
  sites: t.list(Site, 'In the order of their names.'),
  nextCursor: t.nextCursor,
});

export const HostBypass = t.object('HostBypass', { header: t.text('Its name.') });

export const EmbeddedHost = t.object('EmbeddedHost', { type: t.constant('embedded') });

export const OwnHost = t.object('OwnHost', {
  type: t.constant('own'),
  forge: t.oneOf(['github', 'gitea', 'forgejo'], 'The kind of forge.'),
  apiUrl: t.url("The forge's API."),
  project: t.text('`owner/name` at the forge.'),
  publish: t.oneOf(['push', 'pull-request'], 'How tasks publish.'),
  merge: t.oneOf(['automatic', 'by-people'], 'Who merges pull requests.'),
  previewReports: t.texts('Names of reports on previews. Empty: any.'),
  liveReports: t.texts('Names of reports on the live site. Empty: any.'),
  reporter: t.orNull(t.text('The login that reports. Null: any.')),
  hosts: t.texts('Only addresses there are believed.'),
  previewUrl: t.orNull(t.text("Of a task's preview. Null: the host reports it.")),
  liveUrl: t.orNull(t.url('Of the live site. Null: the host reports it.')),
  bypass: t.nullable(HostBypass, 'The header field that opens protected previews, if any.'),
  buildMinutes: t.integer('How long a build is waited for.'),
  hasPreviews: t.flag('Whether it builds branches.'),
  publishWindow: t.count('Seconds that a push waits for others, so that they share a build.'),
  webhookUrl: t.orNull(t.url("Where the forge's webhooks go. Null: there is no secret.")),
});

export const SiteHost = t.union(
  'SiteHost',
  'type',
  [EmbeddedHost, OwnHost],
  'What serves the pages. Secrets are never shown.',
);
export type SiteHost = Static<typeof SiteHost>;

export const SiteAuthor = t.object('SiteAuthor', {
  name: t.text('Of commits.', 'Agent Tasks'),
  email: t.text('Of commits.'),
});

export const OneSite = t.object('Site', {
  ...Site.properties,
  host: SiteHost,
  author: SiteAuthor,
  createdAt: t.time(),
  webhookSecret: t.optional(t.text('Only in the answer that made it.')),
});
export type OneSite = Static<typeof OneSite>;

export const SitePage = t.object('SitePage', {
  slug: t.slug(),
  title: t.text('The slug, where the page has none.', 'Northwind'),
  template: t.flag('Whether it can be the template of generate_pages.'),
  changedAt: t.orNull(t.time('When its file last changed. Null: before the latest 1,000 commits.')),
  changedBy: t.orNull(t.text('The person or key that changed it, or the author in git.', 'Ann')),
  taskId: t.orNull(t.text('The task that made that change, if one did.')),
});
export type SitePage = Static<typeof SitePage>;

export const SitePages = t.object('SitePages', {
  siteId: t.uuid(),
  commit: t.commit('Of the production branch.'),
  pages: t.list(SitePage, 'In the order of their slugs.'),
  nextCursor: t.nextCursor,
});

export const PageFormat = t.named('PageFormat', t.oneOf<string>(['html']));

export const Finding = t.object('SiteFinding', {
  code: t.text('For programs, such as `scope`, `branch-missing` or `push-denied`.', 'push-denied'),
  message: t.text('What it is, and what to do about it.'),
});
export type Finding = Static<typeof Finding>;

export const HostReport = t.object('HostReport', {
  of: t.oneOf(['deployment', 'status', 'check'], 'Where the forge keeps it.'),
  name: t.text('Environment, status context or check.'),
  creator: t.orNull(t.text('The login that reported. Null: the forge does not say.')),
});

export const HostProof = t.object('HostProof', {
  commit: t.orNull(t.commit("Null: the live site's own address was looked at.")),
  name: t.orNull(t.text('Of the report.')),
  url: t.url('What was looked at.'),
  status: t.integer('0: it did not answer.'),
  title: t.orNull(t.text('Of the page.')),
});
export type HostProof = Static<typeof HostProof>;

export const HostCheck = t.object('HostCheck', {
  problems: t.list(Finding, 'What prevents tasks.'),
  warnings: t.list(Finding, 'What may be wrong, or comes later.'),
  reports: t.list(HostReport, 'What was reported of the latest commits.'),
  hosts: t.texts('The hosts of the addresses that were reported.'),
  proof: t.nullable(HostProof, 'An earlier deployment, as it answers now. Null: there is none.'),
});
export type HostCheck = Static<typeof HostCheck>;

export const SiteCheck = t.object('RepositoryCheck', {
  ok: t.flag('Whether it can be a site.'),
  readable: t.flag('Whether the service can read it.'),
  pushable: t.flag('Whether it accepts pushes. Its hooks are not tried.'),
  branch: t.orNull(t.text('The branch that would be used; null where there is none.', 'main')),
  branches: t.texts('Its branches, 200 at most.'),
  pages: t.orNull(t.integer('How many pages are in the folder; null where that is unknown.')),
  format: t.nullable(PageFormat, 'What the pages are; null where there are none.'),
  problems: t.list(Finding, 'Empty where all is well.'),
  warnings: t.list(
    Finding,
    'What works only in part: files in Git LFS (`git-lfs`), template tags (`partly-read`).',
  ),
  host: t.optional(HostCheck),
});
export type SiteCheck = Static<typeof SiteCheck>;

export const WebhookSecret = t.object('WebhookSecret', {
  webhookSecret: t.text('`whf_…`, for the settings of the webhook at the forge.'),
});

export const DeployKey = t.object('DeployKey', {
  deployKeyId: t.uuid(),
  publicKey: t.text('A line of authorized_keys.'),
  fingerprint: t.text('As hosts of repositories show it.'),
});
export type DeployKey = Static<typeof DeployKey>;

export const PageCounts = t.object('PageCounts', {
  created: t.count(),
  modified: t.count(),
  deleted: t.count(),
});

export const Deployment = t.object('Deployment', {
  deploymentId: t.text('For putting it live again.'),
  commit: t.commit(),
  name: t.text('The title of the task that published it, or what else put it live.'),
  restores: t.orNull(t.time('When the restored version first went live. Null: not a restore.')),
  pages: t.described(PageCounts, 'How many of the pages changed, whoever changed them.'),
  at: t.time('When it went live.'),
  taskId: t.orNull(t.text('The task that published it; null where no task did.')),
  isLive: t.flag(),
  canRestore: t.flag('Whether it can be put live again.'),
  message: t.orNull(t.text("The first line of the commit's message, if this machine has it.")),
});
export type Deployment = Static<typeof Deployment>;

export const DeploymentList = t.object('DeploymentList', {
  deployments: t.list(Deployment, 'The last one first.'),
  nextCursor: t.nextCursor,
});
