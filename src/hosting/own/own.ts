import type { Look, Merge } from '../../contract/deployment.ts';
import type { HeldCommit, OwnHost, Site } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Forge, Incoming, PullRequest, Send } from '../../forges/forge.ts';
import { createSingleFlight } from '../../singleFlight.ts';
import { openRepository } from '../../sites/git/registeredSite.ts';
import type { Repositories, Repository, Tree } from '../../sites/git/repository.ts';
import { changedPages, differingPaths } from '../../sites/pages/deriveSitemap.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import type { Build, Builds } from '../../storage/builds.ts';
import type { Host } from '../host.ts';
import { baseOf, filled } from './addresses.ts';
import { awaitedPages } from './awaitedPages.ts';
import { mergeOnce } from './merge.ts';
import { lookOnce } from './look.ts';
import { pullRequestBody } from './pullRequestBody.ts';
import { isDerived } from '../../sites/pages/derivedFiles.ts';

export interface OwnHostOptions {
  repositories: Pick<Repositories, 'open'>;
  pages: PagesPool;
  /** Opens the site's project at its forge, with the site's credential. */
  openForge: (site: Site) => Promise<Forge>;
  /** Sends requests to public addresses only. */
  send: Send;
  /** The secret value of a credential. */
  secretOf: (credentialId: string) => Promise<string>;
  /** Counts the builds that pushes and merges cause. */
  builds: Pick<Builds, 'add'>;
  /** Where a person reads a task. */
  taskAddress: (taskId: string) => string;
}

/**
 * A host of the team's own. It builds what is pushed to the site's repository: a branch of each
 * task, and the production branch. Nothing tells when a page is online, so `look` goes and sees.
 */
export function createOwnHost(options: OwnHostOptions): Host {
  const { repositories, pages, openForge } = options;
  const send = sharedReads(options.send);
  const awaited: Host['awaited'] = async (site, { before, after }, files, signal) => {
    const repository = openRepository(repositories, site);
    const trees = {
      before: await repository.tree(before, signal),
      after: await repository.tree(after, signal),
    };
    return awaitedPages(pages, { site, ...trees, pages: files }, signal);
  };
  /** A host builds each commit that a branch gets. */
  const count = (built: Omit<Build, 'site'> & { site: Site }) => options.builds.add(built);
  return {
    awaited,

    async deployPreview(preview, signal = new AbortController().signal) {
      const { site, commit, heldBy, base, sample } = preview;
      await openRepository(repositories, site).pushBranch({ commit, heldBy }, signal);
      const { hasPreviews, publish } = ownHostOf(site);
      if (hasPreviews) await count({ site, taskId: preview.taskId, commit, target: 'preview' });
      const commits = { before: base, after: { commit, heldBy } };
      const looked = await awaited(site, commits, preview.pages.slice(0, sample), signal);
      const isByPull = publish === 'pull-request';
      const pull = isByPull ? await openPullRequest(options, preview, signal) : undefined;
      const look: Look = {
        target: 'preview',
        commit,
        what: `the build of ${commit.slice(0, 10)} by the site's host`,
        url: pull?.url ?? commitAddress(site, commit),
        branch: heldBy,
        ...(pull && { pullRequest: pull.number }),
        pages: looked,
      };
      return {
        pages: unseen(preview.pages),
        ...(looked.length > 0 && (hasPreviews ? { look } : { awaited: looked })),
        ...(pull && { pullRequestUrl: pull.url }),
      };
    },

    async advancePreview({ site, taskId, commit, heldBy }, signal) {
      await openRepository(repositories, site).pushBranch({ commit, heldBy }, signal);
      if (ownHostOf(site).hasPreviews) await count({ site, taskId, commit, target: 'preview' });
    },

    async endPreview({ site, taskId }) {
      const forge = await openForge(site);
      const signal = new AbortController().signal;
      const pull = await forge.findPullRequest(taskId, signal);
      if (pull?.state === 'open') await forge.closePullRequest(pull.number, signal);
      await openRepository(repositories, site).removeBranches([taskId], signal);
    },

    async goLive({ site, taskId, commit, pages: wanted, awaited: looked = [] }) {
      if (taskId !== undefined && (await isByTask(options, site, commit)))
        await count({ site, taskId, commit, target: 'live' });
      const look: Look = {
        target: 'live',
        commit,
        what: `the production build of ${commit.slice(0, 10)} by the site's host`,
        url: commitAddress(site, commit),
        branch: site.repository!.branch,
        pages: looked,
      };
      return { pages: unseen(wanted), ...(looked.length > 0 && { look }) };
    },

    async look(site, look, signal) {
      const host = ownHostOf(site);
      const bypass = host.bypass && (await options.secretOf(host.bypass.credentialId));
      const forge = await openForge(site);
      return lookOnce({ pages, send, forge, bypass }, { site, host, look }, signal);
    },

    async pullRequest(site, { commit, heldBy, taskId }, head, signal) {
      const forge = await openForge(site);
      const found = await forge.findPullRequest(heldBy, signal);
      if (found?.state !== 'open' && found?.state !== 'merged')
        throw new DomainError(
          'FORGE_REFUSED',
          `The pull request of ${heldBy} is not open any more`,
        );
      if (found.state === 'open' && ownHostOf(site).hasPreviews)
        await count({ site, taskId, commit: head, target: 'preview' });
      const byPeople = ownHostOf(site).merge === 'by-people';
      return mergeOf(found, { head, previewed: commit, byPeople });
    },

    merge: async (site, merge, signal) =>
      mergeOnce(await openForge(site), ownHostOf(site), merge, signal),

    liveAddress: ({ ownHost }) => (ownHost?.liveUrl ? baseOf(ownHost.liveUrl) : null),
    previewAddress({ ownHost }, taskId) {
      const address = ownHost?.previewUrl
        ? filled(ownHost.previewUrl, { branch: taskId })
        : undefined;
      return address === undefined ? null : baseOf(address);
    },
    frameSources: () => [],
  };
}

/**
 * Tasks that look at a page at the same time share a request, if they send the same header fields:
 * what one secret opens is not shown to those without it.
 */
function sharedReads(send: Send): Send {
  const once = createSingleFlight<Incoming>();
  return (request, signal) => once(JSON.stringify(request), (end) => send(request, end), signal);
}

/** Opens the pull request of a task's branch, or finds it: open, or merged as it is now. */
async function openPullRequest(
  { openForge, taskAddress, repositories, pages }: OwnHostOptions,
  { site, taskId, commit, heldBy, says, base, tree: after }: Parameters<Host['deployPreview']>[0],
  signal: AbortSignal,
): Promise<PullRequest> {
  const { title, notes } = says ?? { title: `Agent task ${taskId}`, notes: [] };
  const repository = openRepository(repositories, site);
  const before = await repository.tree(base, signal);
  const paths = differingPaths(before, after);
  const forge = await openForge(site);
  const found = await forge.findPullRequest(heldBy, signal);
  const result = { held: { commit, heldBy }, paths, after };
  if (found?.state === 'merged' && (await isInProduction(repository, result, signal))) return found;
  const calls = pages.for({ organizationId: site.organizationId, signal });
  const changed = changedPages(calls, before, after, paths);
  const body = pullRequestBody({ notes }, changed, taskAddress(taskId));
  const into = site.repository!.branch;
  return forge.openPullRequest({ branch: heldBy, into, title, body }, signal);
}

const mergeOf = (
  { number, url, state }: PullRequest,
  merge: Pick<Merge, 'head' | 'previewed' | 'byPeople'>,
): Merge => ({ pullRequest: number, url, isMerged: state === 'merged', ...merge });

/** Whether a push or merge of ours brought a commit to production. A person's is their build. */
async function isByTask({ repositories }: OwnHostOptions, site: Site, commit: string) {
  if (ownHostOf(site).publish === 'pull-request') return true;
  return ((await openRepository(repositories, site).summary(commit))?.taskId ?? null) !== null;
}

const unseen = (pages: { slug: string }[]) => pages.map(({ slug }) => ({ slug, url: null }));

function ownHostOf({ siteId, ownHost }: Site): OwnHost {
  if (ownHost) return ownHost;
  throw new DomainError('CONFIGURATION', `Site ${siteId} has no host of its own`);
}

/** The commit at the forge. */
function commitAddress({ repository, ownHost }: Site, commit: string): string {
  const { origin } = new URL(repository!.url);
  return `${origin}/${ownHost!.project}/commit/${commit}`;
}

/**
 * Whether the production branch has all of a result: its commit, or, after a squash, its files.
 * @param result.held its commit
 * @param result.paths the paths of the files that it changed
 * @param result.after its files
 */
async function isInProduction(
  repository: Pick<Repository, 'fetchHead' | 'isAncestor' | 'tree'>,
  result: { held: HeldCommit; paths: string[]; after: Pick<Tree, 'entries'> },
  signal: AbortSignal,
): Promise<boolean> {
  const { held, paths, after } = result;
  const head = { commit: await repository.fetchHead(signal), heldBy: null };
  if (await repository.isAncestor(held, head, signal)) return true;
  const { entries } = await repository.tree(head, signal);
  return paths.every(
    (path) => isDerived(path) || entries.get(path)?.id === after.entries.get(path)?.id,
  );
}
