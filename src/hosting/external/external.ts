import type { DeploymentCheck, PendingMerge } from '../../contract/deployment.ts';
import type { RetainedCommitRef, ExternalHost, Site } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import { forgeCommitUrl } from '../../forges/forgeLocation.ts';
import type {
  ForgeProject,
  HttpResponse,
  PullRequest,
  SendHttp,
} from '../../forges/forgeProject.ts';
import { createSingleFlight } from '../../singleFlight.ts';
import { openRepository } from '../../sites/git/registeredSite.ts';
import type { GitRepositories, GitRepository, Tree } from '../../sites/git/repository.ts';
import { findChangedPages, differingPaths } from '../../sites/pages/sitemap/deriveSitemap.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import type { CountedBuild, Builds } from '../../storage/builds.ts';
import type { HostAdapter } from '../hostAdapter.ts';
import { baseUrlOf, fillPlaceholders } from './hostUrls.ts';
import { readExpectedPages } from './expectedPages.ts';
import { mergeOnce } from './mergePullRequest.ts';
import { checkDeploymentOnce } from './checkDeployment.ts';
import { pullRequestBody } from './pullRequestBody.ts';
import { isDerived } from '../../sites/pages/sitemap/derivedFiles.ts';

type PagesFinder = HostAdapter['findExpectedPages'];

export interface ExternalHostOptions {
  repositories: Pick<GitRepositories, 'open'>;
  pages: PagesPool;
  /** Opens the site's project at its forge, with the site's credential. */
  openForge: (site: Site) => Promise<ForgeProject>;
  /** Sends requests to public addresses only. */
  send: SendHttp;
  /** The secret value of a credential. */
  secretOf: (credentialId: string) => Promise<string>;
  /** Counts the builds that pushes and merges cause. */
  builds: Pick<Builds, 'add'>;
  /** The URL where a person reads a task. */
  taskAddress: (taskId: string) => string;
}

/**
 * An external host, such as Netlify. It builds what is pushed to the site's repository: a branch of
 * each task as a preview, and the production branch as the live site. No host tells us when a page
 * is online, so `deployPreview` and `goLive` return a deployment check (what to look for). The
 * workflow then calls `checkDeployment`, which makes the check once, until the pages are online.
 *
 * - expectedPages.ts says what to look for, and checkDeployment.ts looks.
 * - mergePullRequest.ts merges pull requests, and pullRequestBody.ts writes their text.
 *
 * A preview of `/about` → `{ pages: [{ slug: '/about', url: null }], deploymentCheck: { … } }`.
 * A later `checkDeployment` →
 * `{ pages: [{ slug: '/about', url: 'https://bg-1a2b.pages.example/about' }] }`.
 */
export function createExternalHost(options: ExternalHostOptions): HostAdapter {
  const { repositories, pages, openForge } = options;
  const send = shareReads(options.send);
  const findExpectedPages = createPagesFinder(options);
  /** Counts a build, because the host builds each commit that a branch gets. */
  const addBuild = (built: Omit<CountedBuild, 'site'> & { site: Site }) =>
    options.builds.add(built);
  return {
    findExpectedPages,

    async deployPreview(preview, signal = new AbortController().signal) {
      const { site, commit, retainedBy, base, sample } = preview;
      await openRepository(repositories, site).pushBranch({ commit, retainedBy }, signal);
      const { hasPreviews, publish } = requireExternalHost(site);
      if (hasPreviews) await addBuild({ site, taskId: preview.taskId, commit, target: 'preview' });
      const commits = { before: base, after: { commit, retainedBy } };
      const samplePages = preview.pages.slice(0, sample);
      const expectedPages = await findExpectedPages(site, commits, samplePages, signal);
      const isByPull = publish === 'pull-request';
      const pullRequest = isByPull ? await openPullRequest(options, preview, signal) : undefined;
      const deploymentCheck: DeploymentCheck = {
        target: 'preview',
        commit,
        what: `the preview build of ${commit.slice(0, 10)} at the site's host`,
        url: pullRequest?.url ?? commitUrl(site, commit),
        branch: retainedBy,
        ...(pullRequest && { pullRequest: pullRequest.number }),
        pages: expectedPages,
      };
      return {
        pages: pagesWithoutUrls(preview.pages),
        ...(expectedPages.length > 0 && (hasPreviews ? { deploymentCheck } : { expectedPages })),
        ...(pullRequest && { pullRequestUrl: pullRequest.url }),
      };
    },

    async advancePreview({ site, taskId, commit, retainedBy }, signal) {
      await openRepository(repositories, site).pushBranch({ commit, retainedBy }, signal);
      if (requireExternalHost(site).hasPreviews)
        await addBuild({ site, taskId, commit, target: 'preview' });
    },

    async endPreview({ site, taskId }) {
      const forge = await openForge(site);
      const signal = new AbortController().signal;
      const pullRequest = await forge.findPullRequest(taskId, signal);
      if (pullRequest?.state === 'open') await forge.closePullRequest(pullRequest.number, signal);
      await openRepository(repositories, site).removeBranches([taskId], signal);
    },

    async goLive({ site, taskId, commit, pages: livePages, expectedPages = [] }) {
      if (taskId !== undefined && (await isTaskCommit(options, site, commit)))
        await addBuild({ site, taskId, commit, target: 'live' });
      const deploymentCheck: DeploymentCheck = {
        target: 'live',
        commit,
        what: `the production build of ${commit.slice(0, 10)} at the site's host`,
        url: commitUrl(site, commit),
        branch: site.repository!.branch,
        pages: expectedPages,
      };
      const check = expectedPages.length > 0 && { deploymentCheck };
      return { pages: pagesWithoutUrls(livePages), ...check };
    },

    async checkDeployment(site, check, signal) {
      const host = requireExternalHost(site);
      const bypass = host.bypass && (await options.secretOf(host.bypass.credentialId));
      const forge = await openForge(site);
      return checkDeploymentOnce({ pages, send, forge, bypass }, { site, host, check }, signal);
    },

    async pullRequest(site, { commit, retainedBy, taskId }, head, signal) {
      const forge = await openForge(site);
      const foundPullRequest = await forge.findPullRequest(retainedBy, signal);
      if (foundPullRequest?.state !== 'open' && foundPullRequest?.state !== 'merged')
        throw new DomainError(
          'FORGE_REFUSED',
          `The pull request of the task ${retainedBy} was closed. Reopen it, and publish the task again`,
        );
      if (foundPullRequest.state === 'open' && requireExternalHost(site).hasPreviews)
        await addBuild({ site, taskId, commit: head, target: 'preview' });
      const byPeople = requireExternalHost(site).merge === 'by-people';
      return mergeRequestOf(foundPullRequest, { head, previewed: commit, byPeople });
    },

    merge: async (site, merge, signal) =>
      mergeOnce(await openForge(site), requireExternalHost(site), merge, signal),

    liveOriginOf: ({ ownHost }) => (ownHost?.liveUrl ? baseUrlOf(ownHost.liveUrl) : null),
    previewOriginOf({ ownHost }, taskId) {
      const filledUrl = ownHost?.previewUrl
        ? fillPlaceholders(ownHost.previewUrl, { branch: taskId })
        : undefined;
      return filledUrl === undefined ? null : baseUrlOf(filledUrl);
    },
    frameSources: () => [],
  };
}

const createPagesFinder =
  ({ repositories, pages }: ExternalHostOptions): PagesFinder =>
  async (site, { before, after }, pageFiles, signal) => {
    const repository = openRepository(repositories, site);
    const trees = {
      before: await repository.tree(before, signal),
      after: await repository.tree(after, signal),
    };
    return readExpectedPages(pages, { site, ...trees, pages: pageFiles }, signal);
  };

/**
 * Lets tasks that request the same page at the same time share a request. They must send the same
 * header fields, so that no task sees a page that only another one's secret opens.
 */
function shareReads(send: SendHttp): SendHttp {
  const shareFlight = createSingleFlight<HttpResponse>();
  return (request, signal) =>
    shareFlight(JSON.stringify(request), (flightSignal) => send(request, flightSignal), signal);
}

/** Opens the pull request of a task's branch, or finds the one that is open or already merged. */
async function openPullRequest(
  { openForge, taskAddress, repositories, pages }: ExternalHostOptions,
  {
    site,
    taskId,
    commit,
    retainedBy,
    pullRequestText,
    base,
    tree: after,
  }: Parameters<HostAdapter['deployPreview']>[0],
  signal: AbortSignal,
): Promise<PullRequest> {
  const { title, notes } = pullRequestText ?? { title: `Agent task ${taskId}`, notes: [] };
  const repository = openRepository(repositories, site);
  const treeBefore = await repository.tree(base, signal);
  const paths = differingPaths(treeBefore, after);
  const forge = await openForge(site);
  const foundPullRequest = await forge.findPullRequest(retainedBy, signal);
  const result = { held: { commit, retainedBy }, paths, after };
  if (
    foundPullRequest?.state === 'merged' &&
    (await isResultInProduction(repository, result, signal))
  )
    return foundPullRequest;
  const pageCalls = pages.for({ organizationId: site.organizationId, signal });
  const pageChanges = findChangedPages(pageCalls, treeBefore, after, paths);
  const body = pullRequestBody({ notes }, pageChanges, taskAddress(taskId));
  const targetBranch = site.repository!.branch;
  return forge.openPullRequest({ branch: retainedBy, into: targetBranch, title, body }, signal);
}

const mergeRequestOf = (
  { number, url, state }: PullRequest,
  merge: Pick<PendingMerge, 'head' | 'previewed' | 'byPeople'>,
): PendingMerge => ({ pullRequest: number, url, isMerged: state === 'merged', ...merge });

/** Whether we brought a commit to production. Otherwise a person did, and the build is theirs. */
async function isTaskCommit({ repositories }: ExternalHostOptions, site: Site, commit: string) {
  if (requireExternalHost(site).publish === 'pull-request') return true;
  return ((await openRepository(repositories, site).summary(commit))?.taskId ?? null) !== null;
}

const pagesWithoutUrls = (pages: { slug: string }[]) =>
  pages.map(({ slug }) => ({ slug, url: null }));

function requireExternalHost({ siteId, ownHost }: Site): ExternalHost {
  if (ownHost) return ownHost;
  throw new DomainError('CONFIGURATION', `The site ${siteId} has no external host`);
}

/** The URL of a commit at the forge. */
const commitUrl = ({ repository, ownHost }: Site, commit: string): string =>
  forgeCommitUrl(ownHost!.forge, repository!.url, commit);

/**
 * Whether the production branch has all of a result: its commit, or, after a squash, its files.
 * @param result.held its commit
 * @param result.paths the paths of the files that it changed
 * @param result.after its files
 */
async function isResultInProduction(
  repository: Pick<GitRepository, 'fetchHead' | 'isAncestor' | 'tree'>,
  result: { held: RetainedCommitRef; paths: string[]; after: Pick<Tree, 'entries'> },
  signal: AbortSignal,
): Promise<boolean> {
  const { held, paths, after } = result;
  const productionHead = { commit: await repository.fetchHead(signal), retainedBy: null };
  if (await repository.isAncestor(held, productionHead, signal)) return true;
  const { entries } = await repository.tree(productionHead, signal);
  return paths.every(
    (path) => isDerived(path) || entries.get(path)?.id === after.entries.get(path)?.id,
  );
}
