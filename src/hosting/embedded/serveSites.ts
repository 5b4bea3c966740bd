import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RetainedCommitRef, OpenableSite, Site } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import { hasRepository } from '../../sites/git/registeredSite.ts';
import type { GitRepositories } from '../../sites/git/repository.ts';
import {
  type FileAnswer,
  answerFile,
  answerNotFound,
  answerText,
  type FileRequest,
  type FileReader,
} from './fileAnswer.ts';
import { createFileContents } from './fileContents.ts';
import type { DiskCopies } from './diskCopies.ts';
import type { Deployments } from '../../storage/deployments.ts';
import {
  type HostDomains,
  type RequestRecipient,
  findRecipient,
  requestedHost,
} from './requestRecipient.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import { readTarget, resolvePath } from '../../sites/pages/urls/servedPaths.ts';
import { createFileFinder } from '../../sites/pages/urls/servedFiles.ts';
import { createPageRenderer, isRendered } from './pageRenderer.ts';
import { createRedirectReader } from './redirectReader.ts';

export interface ServeSitesDependencies extends HostDomains {
  sites: {
    findByLabel(label: string): Promise<Site | null>;
    /** Whether a removed site had this label. */
    isKeptLabel(label: string): Promise<boolean>;
  };
  deployments: Pick<Deployments, 'live' | 'preview'>;
  repositories: Pick<GitRepositories, 'open'>;
  copies: Pick<DiskCopies, 'open'>;
  /** Reads files of redirects, and renders pages in Markdown, in threads. */
  pages: Pick<PagesPool, 'for'>;
  /** The service's URL for clients. Requests for its host are passed on. */
  publicUrl: () => URL;
}

/** The part of Koa's context that is needed. */
export interface SiteContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly state: { mayCompress?: boolean };
  status: number;
  body: unknown;
  get(name: string): string;
  set(headers: Record<string, string>): void;
}

/** A site, and the commit that it shows to the request's recipient. */
interface ServedDeployment {
  site: OpenableSite;
  held: RetainedCommitRef;
}

const commonHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
/** Only people who know a preview's URL may see it: no search engine, cache or linked site. */
const previewHeaders = {
  ...commonHeaders,
  'Cache-Control': 'private, no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};
/**
 * For fonts: the editor and the console show pages of previews and live sites in an opaque origin,
 * where browsers need this to load fonts. Nothing else may be read from another origin.
 */
const anyOriginHeaders = { 'Access-Control-Allow-Origin': '*' };
const hasFontType = (headers: Record<string, string>) =>
  headers['Content-Type']?.startsWith('font/') ?? false;
const previewRobots = 'User-agent: *\nDisallow: /';

/**
 * Koa middleware that serves live sites and previews by their host names. Requests for the
 * service's own hosts are passed on. All other hosts get 421, so that a foreign name that points
 * here does not reach the API (DNS rebinding).
 */
export function serveSites(deps: ServeSitesDependencies) {
  const readContent = createFileContents(deps.copies);
  const redirects = createRedirectReader(deps.pages);
  const renderer = createPageRenderer(deps.pages);
  const ownHost = deps.publicUrl().hostname;

  async function answerFor(
    recipient: RequestRecipient,
    ctx: SiteContext,
    endSignal: AbortSignal,
  ): Promise<FileAnswer> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      return answerText(405, 'Only GET and HEAD requests are allowed.', { Allow: 'GET, HEAD' });
    const target = readTarget(ctx.req.url ?? '');
    if (target === null) return answerText(400, 'The URL is malformed.');
    const deployment = await findDeployment(deps, recipient);
    const fileRequest = { method: ctx.method, header: (name: string) => ctx.get(name) };
    if (deployment === null) {
      if (await isRemoved(deps, recipient)) return answerRemoved(fileRequest);
      return answerText(404, notFoundTexts[recipient.kind]);
    }
    if (recipient.kind === 'preview' && target.path === 'robots.txt')
      return answerText(200, previewRobots);
    return answerFrom(deployment, target, fileRequest, endSignal);
  }

  async function answerFrom(
    { site, held }: ServedDeployment,
    target: Parameters<typeof resolvePath>[1],
    fileRequest: FileRequest,
    endSignal: AbortSignal,
  ): Promise<FileAnswer> {
    const repository = deps.repositories.open(site);
    const tree = await repository.tree(held, endSignal);
    const findFile = createFileFinder(tree);
    const redirectRules = await redirects.read(site, repository, tree, endSignal);
    const readFile: FileReader = (file, range) =>
      readContent({ siteId: site.siteId, file, repository }, range, endSignal);
    const resolvedPath = resolvePath(findFile, target);
    const matchedRedirect =
      resolvedPath === 'not found' ? redirectRules?.all(target) : redirectRules?.forced(target);
    if (matchedRedirect)
      return answerText(matchedRedirect.status, `See ${matchedRedirect.location}`, {
        Location: matchedRedirect.location,
      });
    if (resolvedPath === 'not found')
      return answerNotFound(fileRequest.method, findFile('404.html'), readFile);
    if ('redirect' in resolvedPath)
      return answerText(301, `See ${resolvedPath.redirect}`, { Location: resolvedPath.redirect });
    const { file } = resolvedPath;
    if (!isRendered(target.path, file)) return answerFile(fileRequest, file, readFile);
    return renderer.answer(fileRequest, { site, repository, file, readContent }, endSignal);
  }

  return async function serveSites(ctx: SiteContext, next: () => Promise<unknown>): Promise<void> {
    const host = requestedHost(ctx.req);
    const recipient = findRecipient(host, ownHost, deps);
    if (recipient.kind === 'own') return void (await next());
    if (recipient.kind === 'nobody') {
      ctx.status = 421;
      ctx.body = { error: 'Misdirected Request' };
      return;
    }
    ctx.state.mayCompress = true;
    const endSignal = responseEnd(ctx.res);
    const { status, headers, body } = await answerFor(recipient, ctx, endSignal).catch(
      (error: unknown) => answerBusy(error, endSignal),
    );
    ctx.status = status;
    if (body !== null) ctx.body = body;
    ctx.set({ ...(recipient.kind === 'preview' ? previewHeaders : commonHeaders), ...headers });
    if (hasFontType(headers)) ctx.set(anyOriginHeaders);
  };
}

/** Aborted when the answer is sent, or its client disconnected. */
function responseEnd(res: ServerResponse): AbortSignal {
  if (res.closed) return AbortSignal.abort();
  const endController = new AbortController();
  res.once('close', () => endController.abort());
  return endController.signal;
}

/**
 * Answers 503 if the site is busy, or the client disconnected during the work. Nobody reads the
 * latter, but the work did not fail. Throws every other error again.
 */
function answerBusy(error: unknown, endSignal: AbortSignal): FileAnswer {
  const isBusy = error instanceof DomainError && error.code === 'UNAVAILABLE';
  if (!isBusy && !endSignal.aborted) throw error;
  return answerText(503, 'The site is busy. Try again in a few seconds.', { 'Retry-After': '5' });
}

const notFoundTexts: Record<RequestRecipient['kind'], string> = {
  live: 'There is no site at this address, or none of its pages is live yet.',
  preview: 'There is no preview at this address.',
  own: '',
  nobody: '',
};

const isRemoved = async (
  { sites }: Pick<ServeSitesDependencies, 'sites'>,
  recipient: RequestRecipient,
): Promise<boolean> =>
  recipient.kind === 'live' &&
  (await sites.isKeptLabel(recipient.label)) &&
  (await sites.findByLabel(recipient.label)) === null;

async function findDeployment(
  { sites, deployments }: Pick<ServeSitesDependencies, 'sites' | 'deployments'>,
  recipient: RequestRecipient,
): Promise<ServedDeployment | null> {
  if (recipient.kind !== 'live' && recipient.kind !== 'preview') return null;
  const site = await sites.findByLabel(recipient.label);
  if (site?.host !== 'embedded' || !hasRepository(site)) return null;
  if (recipient.kind === 'live') {
    const liveDeployment = await deployments.live(site.siteId);
    return liveDeployment && { site, held: { commit: liveDeployment.commit, retainedBy: null } };
  }
  const preview = await deployments.preview(recipient.taskId);
  if (preview?.siteId !== site.siteId || !preview.isShown) return null;
  return { site, held: preview };
}

/**
 * Makes browsers delete a removed site's caches and storage, service workers included (W3C Clear
 * Site Data, section 3.1). Leaves cookies alone: clearing them would also sign visitors out of the
 * other sites under the same domain.
 */
/** What readers see of a site that was removed. */
export const REMOVED_SITE_TEXT = 'The site at this address was removed.';
const clearSiteHeaders = { 'Cache-Control': 'no-store', 'Clear-Site-Data': '"cache", "storage"' };

/**
 * Replaces the service worker of a removed site, which may answer all of the site's requests by
 * itself. Browsers look for a newer script at each visit. This one unregisters itself and reloads
 * the open pages.
 */
const replacementWorker = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(end()));
async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
  for (const page of await clients.matchAll({ type: 'window' })) await page.navigate(page.url);
}
`;

/**
 * Answers for a removed site: 410, or a replacement if a browser asks for the service worker's
 * script.
 */
function answerRemoved({ header }: Pick<FileRequest, 'header'>): FileAnswer {
  if (header('Service-Worker') !== 'script')
    return answerText(410, REMOVED_SITE_TEXT, clearSiteHeaders);
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: replacementWorker };
}
