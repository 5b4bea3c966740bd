import type { Static } from 'typebox';
import { publishApprovals } from '../approvals.ts';
import { forgeKinds } from '../site.ts';
import * as t from './schemas.ts';

/** Response bodies about sites, their hosts and their deployments. schemas.ts explains the form. */

export const RepositoryResponse = t.object('SiteRepository', {
  url: t.text('The URL of the repository, or `local` if it is on the machine of the service.'),
  branch: t.text('The production branch.', 'main'),
  root: t.text('The folder that contains the pages. Empty for the whole repository.', ''),
  access: t.oneOf(
    ['open', 'token', 'github-app', 'deploy-key'],
    'The kind of credential that the service uses.',
  ),
  publicKey: t.optional(t.text('The public half of the deploy key, as a line of authorized_keys.')),
});
export type RepositoryResponse = Static<typeof RepositoryResponse>;

export const LatestDeploymentResponse = t.object('SiteDeployment', {
  state: t.oneOf(
    ['live', 'failed'],
    'The outcome. After a failed deployment, the previous one is still live.',
  ),
  commit: t.commit(),
  taskId: t.orNull(t.text('The task that published the deployment. Null if no task did.')),
  at: t.time(),
});

export const SiteSummary = t.object('SiteSummary', {
  siteId: t.uuid(),
  name: t.text('The name of the site.', 'Northwind'),
  liveUrl: t.orNull(t.url('The live site. Null until something is live.')),
  deployment: t.nullable(
    LatestDeploymentResponse,
    'The latest production deployment. Null before the first one.',
  ),
  repository: t.nullable(
    RepositoryResponse,
    'The repository of the site. Null if the site has none.',
  ),
  problem: t.orNull(t.text('The latest problem with the repository. Null if there is none.')),
  publishApproval: t.oneOf(
    publishApprovals,
    'Whether publishing needs the approval of another person.',
  ),
});
export type SiteSummary = Static<typeof SiteSummary>;

export const SiteListResponse = t.object('SiteList', {
  sites: t.list(SiteSummary, 'The sites, in the order of their names.'),
  nextCursor: t.nextCursor,
});

export const HostBypass = t.object('HostBypass', {
  header: t.text('The name of the header field.'),
});

export const EmbeddedHost = t.object('EmbeddedHost', { type: t.constant('embedded') });

const PageUrlRule = t.object('PageUrlRule', {
  folder: t.text(
    'The folder of the files, from the root of the site, or a data file whose entries are pages (`*.json`: each file of the folder is an entry).',
    'src/content/blog',
  ),
  pattern: t.text(
    'The path of their URLs. `:slug` is the slug of the front matter, or the path of the file below the folder without its ending, or the key of the entry. `:name` is the name of the file without a date. `:year`, `:month` and `:day` are the date of the page.',
    '/blog/:slug',
  ),
});

export const ExternalHostResponse = t.object('OwnHost', {
  type: t.constant('own'),
  forge: t.oneOf(forgeKinds, 'The kind of forge that keeps the repository.'),
  apiUrl: t.url("The URL of the forge's API."),
  project: t.text(
    '`owner/name` at the forge. At GitLab, also with subgroups, or the ID of the project.',
  ),
  publish: t.oneOf(['push', 'pull-request'], "How a task's commit reaches the production branch."),
  merge: t.oneOf(['automatic', 'by-people'], 'Who merges pull requests.'),
  previewReports: t.texts('The names of the reports on previews. Empty if any name is accepted.'),
  liveReports: t.texts('The names of the reports on the live site. Empty if any name is accepted.'),
  reporter: t.orNull(t.text("The login whose reports count. Null if everybody's reports count.")),
  hosts: t.texts('The trusted hosts. Reported URLs at other hosts are ignored.'),
  previewUrl: t.orNull(
    t.text("The pattern of a task's preview URL. Null if the host reports the URL."),
  ),
  liveUrl: t.orNull(t.url('The URL of the live site. Null if the host reports it.')),
  bypass: t.nullable(
    HostBypass,
    'The header field that opens protected previews. Null if there is none.',
  ),
  pageUrls: t.list(
    PageUrlRule,
    'The rules for the URLs of pages in Markdown that do not follow from the configuration of the generator, and for data files whose entries are pages.',
  ),
  buildMinutes: t.integer('The number of minutes that tasks wait for a build.'),
  hasPreviews: t.flag('Whether the host builds branches.'),
  publishWindow: t.count(
    'The number of seconds that a push waits for other pushes, so that they share one build.',
  ),
  webhookUrl: t.orNull(
    t.url('The URL to which the forge sends webhooks. Null if the site has no webhook secret.'),
  ),
});

export const SiteHost = t.union(
  'SiteHost',
  'type',
  [EmbeddedHost, ExternalHostResponse],
  'What serves the pages. Secrets are never returned.',
);
export type SiteHost = Static<typeof SiteHost>;

export const SiteAuthor = t.object('SiteAuthor', {
  name: t.text('The author name of the commits.', 'Agent Tasks'),
  email: t.text('The author e-mail address of the commits.'),
});

export const SiteResponse = t.object('Site', {
  ...SiteSummary.properties,
  host: SiteHost,
  author: SiteAuthor,
  createdAt: t.time(),
  webhookSecret: t.optional(
    t.text('The webhook secret. Only the response that created it contains it.'),
  ),
});
export type SiteResponse = Static<typeof SiteResponse>;

export const SitePageResponse = t.object('SitePage', {
  slug: t.slug(),
  title: t.text('The title of the page, or its slug if it has no title.', 'Northwind'),
  template: t.flag('Whether the page can be the template of a generate_pages task.'),
  changedAt: t.orNull(
    t.time(
      'When the file last changed. Null if that was before the latest 1,000 commits, or if the page is an entry of a data file.',
    ),
  ),
  changedBy: t.orNull(
    t.text('The person or key that made the last change, or the author of the commit.', 'Ann'),
  ),
  taskId: t.orNull(t.text('The task that made the last change. Null if no task did.')),
});
export type SitePageResponse = Static<typeof SitePageResponse>;

export const SitePagesResponse = t.object('SitePages', {
  siteId: t.uuid(),
  commit: t.commit('The head of the production branch.'),
  pages: t.list(SitePageResponse, 'The pages, in the order of their slugs.'),
  nextCursor: t.nextCursor,
});

export const PageFormat = t.withName('PageFormat', t.oneOf(['html', 'markdown']));

export const SiteFinding = t.object('SiteFinding', {
  code: t.text(
    'A code for programs, such as `scope`, `branch-missing` or `push-denied`.',
    'push-denied',
  ),
  message: t.text('What was found, and what to do about it.'),
});
export type SiteFinding = Static<typeof SiteFinding>;

export const HostReport = t.object('HostReport', {
  of: t.oneOf(
    ['deployment', 'status', 'check'],
    'The kind of object in which the forge stores the report.',
  ),
  name: t.text('The name of the environment, the status context or the check.'),
  creator: t.orNull(t.text('The login that reported. Null if the forge does not say.')),
});

export const HostProof = t.object('HostProof', {
  commit: t.orNull(
    t.commit(
      'The commit whose deployment was requested. Null if the live site itself was requested.',
    ),
  ),
  name: t.orNull(t.text('The name of the report.')),
  url: t.url('The URL that was requested.'),
  status: t.integer('The HTTP status. 0 if the host did not answer.'),
  title: t.orNull(t.text('The title of the page.')),
});
export type HostProof = Static<typeof HostProof>;

const PageUrlExample = t.object('PageUrlExample', {
  path: t.text('The path of the file.', 'src/content/blog/first.md'),
  url: t.url('The URL of the page.'),
});

export const PageUrlProposal = t.object('PageUrlProposal', {
  folder: t.text(
    'The folder of the pages, or the data file whose entries look like pages.',
    'src/content/blog',
  ),
  pages: t.count('The number of its pages whose URLs are not known, or of its entries.'),
  pattern: t.orNull(
    t.text(
      'A pattern that fits the sitemap of the live site, for a person to confirm. Null if none fits.',
      '/blog/:slug',
    ),
  ),
  example: t.nullable(
    PageUrlExample,
    'A page that the sitemap has at the URL of the pattern. Null if `pattern` is null.',
  ),
});
export type PageUrlProposal = Static<typeof PageUrlProposal>;

export const HostCheck = t.object('HostCheck', {
  problems: t.list(SiteFinding, 'The findings that prevent tasks.'),
  warnings: t.list(SiteFinding, 'The findings that do not prevent tasks.'),
  reports: t.list(HostReport, 'The reports on the latest commits.'),
  hosts: t.texts('The hosts of the reported URLs.'),
  proof: t.nullable(
    HostProof,
    'The response of an earlier deployment to a request during this check. Null if there is none.',
  ),
  unknownPageUrls: t.list(
    PageUrlProposal,
    'The folders of pages in Markdown whose URLs are not known, and the data files whose entries look like pages of the live site. `host.pageUrls` needs a rule for each of them.',
  ),
});
export type HostCheck = Static<typeof HostCheck>;

export const SiteCheckResponse = t.object('RepositoryCheck', {
  ok: t.flag('Whether the repository can be a site.'),
  readable: t.flag('Whether the service can read the repository.'),
  pushable: t.flag('Whether the repository accepts pushes. The check does not run its hooks.'),
  branch: t.orNull(t.text('The branch that would be used. Null if there is none.', 'main')),
  branches: t.texts('The first 200 branches of the repository.'),
  pages: t.orNull(t.integer('The number of pages in the folder. Null if it is unknown.')),
  format: t.nullable(PageFormat, 'The format of the pages. Null if there are no pages.'),
  problems: t.list(
    SiteFinding,
    'The findings about the repository. Empty if there are no problems.',
  ),
  warnings: t.list(
    SiteFinding,
    'The findings that do not prevent tasks: files in Git LFS (`git-lfs`) and template tags (`partly-read`).',
  ),
  host: t.optional(HostCheck),
});
export type SiteCheckResponse = Static<typeof SiteCheckResponse>;

export const WebhookSecret = t.object('WebhookSecret', {
  webhookSecret: t.text("The secret (`whsec_…`) to enter in the webhook's settings at the forge."),
});

export const DeployKeyResponse = t.object('DeployKey', {
  deployKeyId: t.uuid(),
  publicKey: t.text('The public key, as a line of authorized_keys.'),
  fingerprint: t.text('The fingerprint of the key, in the form that forges show.'),
});
export type DeployKeyResponse = Static<typeof DeployKeyResponse>;

export const PageCountsResponse = t.object('PageCounts', {
  created: t.count(),
  modified: t.count(),
  deleted: t.count(),
});

export const DeploymentResponse = t.object('Deployment', {
  deploymentId: t.text('The id by which the deployment can be restored.'),
  commit: t.commit(),
  name: t.text('The title of the task that published the deployment, or else what made it live.'),
  restores: t.orNull(
    t.time('When the restored version first went live. Null if the deployment is not a restore.'),
  ),
  pages: t.described(
    PageCountsResponse,
    'The number of pages that changed, including changes that did not come from tasks.',
  ),
  at: t.time('When the deployment went live.'),
  taskId: t.orNull(t.text('The task that published the deployment. Null if no task did.')),
  isLive: t.flag(),
  canRestore: t.flag('Whether the deployment can be restored.'),
  message: t.orNull(
    t.text('The first line of the commit message. Null if this machine does not have the commit.'),
  ),
});
export type DeploymentResponse = Static<typeof DeploymentResponse>;

export const DeploymentList = t.object('DeploymentList', {
  deployments: t.list(DeploymentResponse, 'The deployments, newest first.'),
  nextCursor: t.nextCursor,
});
