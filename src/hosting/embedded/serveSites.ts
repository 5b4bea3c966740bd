import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeldCommit, OpenableSite, Site } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import { hasRepository } from '../../sites/git/registeredSite.ts';
import type { Repositories } from '../../sites/git/repository.ts';
import {
  type Answer,
  answerFile,
  answerNotFound,
  answerText,
  type Asked,
  type ReadFile,
} from './answer.ts';
import { createContents } from './fileContents.ts';
import type { Copies } from './diskCopies.ts';
import type { Deployments } from '../../storage/deployments.ts';
import { type Domains, type Recipient, recipientOf, requestedHost } from './recipient.ts';
import { answerRemoved } from './removedSite.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import { readTarget, resolvePath } from '../../sites/pages/servedPaths.ts';
import { servedFiles } from '../../sites/pages/servedFiles.ts';
import { createRedirectReader } from './redirectReader.ts';

export interface ServeSitesDeps extends Domains {
  sites: {
    findByLabel(label: string): Promise<Site | null>;
    /** Whether a removed site had this label. */
    isKeptLabel(label: string): Promise<boolean>;
  };
  deployments: Pick<Deployments, 'live' | 'preview'>;
  repositories: Pick<Repositories, 'open'>;
  copies: Pick<Copies, 'open'>;
  /** Reads files of redirects in threads. */
  pages: Pick<PagesPool, 'for'>;
  /** The service's address for clients. Requests for its host are passed on. */
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

/** The site and commit that a host shows. */
interface Deployment {
  site: OpenableSite;
  held: HeldCommit;
}

const commonHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
/** Only people who know a preview's address may see it: no search engine, cache or linked site. */
const previewHeaders = {
  ...commonHeaders,
  'Cache-Control': 'private, no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};
/** For fonts: the editor shows pages in an opaque origin, where browsers need this to load them. */
const forEveryOrigin = { 'Access-Control-Allow-Origin': '*' };
const isFont = (headers: Record<string, string>) =>
  headers['Content-Type']?.startsWith('font/') ?? false;
const previewRobots = 'User-agent: *\nDisallow: /';

/**
 * Koa middleware that serves live sites and previews by their host names. Requests for the
 * service's own hosts are passed on. All other hosts get 421, so that a foreign name that points
 * here does not reach the API (DNS rebinding).
 */
export function serveSites(deps: ServeSitesDeps) {
  const readContent = createContents(deps.copies);
  const redirects = createRedirectReader(deps.pages);
  const ownHost = deps.publicUrl().hostname;

  async function answer(recipient: Recipient, ctx: SiteContext, end: AbortSignal): Promise<Answer> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      return answerText(405, 'Sites answer GET and HEAD only.', { Allow: 'GET, HEAD' });
    const target = readTarget(ctx.req.url ?? '');
    if (target === null) return answerText(400, 'The address is malformed.');
    const deployment = await findDeployment(deps, recipient);
    const asked = { method: ctx.method, header: (name: string) => ctx.get(name) };
    if (deployment === null) {
      if (await isRemoved(deps, recipient)) return answerRemoved(asked);
      return answerText(404, nothingHere[recipient.kind]);
    }
    if (recipient.kind === 'preview' && target.path === 'robots.txt')
      return answerText(200, previewRobots);
    return answerFrom(deployment, target, asked, end);
  }

  async function answerFrom(
    { site, held }: Deployment,
    target: Parameters<typeof resolvePath>[1],
    asked: Asked,
    end: AbortSignal,
  ): Promise<Answer> {
    const repository = deps.repositories.open(site);
    const tree = await repository.tree(held, end);
    const find = servedFiles(tree);
    const rules = await redirects.read(site, repository, tree, end);
    const read: ReadFile = (file, range) =>
      readContent({ siteId: site.siteId, file, repository }, range, end);
    const found = resolvePath(find, target);
    const led = found === 'not found' ? rules?.all(target) : rules?.forced(target);
    if (led) return answerText(led.status, `See ${led.location}`, { Location: led.location });
    if (found === 'not found') return answerNotFound(asked.method, find('404.html'), read);
    if ('redirect' in found)
      return answerText(301, `See ${found.redirect}`, { Location: found.redirect });
    return answerFile(asked, found.file, read);
  }

  return async function serveSites(ctx: SiteContext, next: () => Promise<unknown>): Promise<void> {
    const host = requestedHost(ctx.req);
    const recipient = recipientOf(host, ownHost, deps);
    if (recipient.kind === 'own') return void (await next());
    if (recipient.kind === 'nobody') {
      ctx.status = 421;
      ctx.body = { error: 'Misdirected Request' };
      return;
    }
    ctx.state.mayCompress = true;
    const end = endOf(ctx.res);
    const { status, headers, body } = await answer(recipient, ctx, end).catch((error: unknown) =>
      failed(error, end),
    );
    ctx.status = status;
    if (body !== null) ctx.body = body;
    ctx.set({ ...(recipient.kind === 'preview' ? previewHeaders : commonHeaders), ...headers });
    if (recipient.kind === 'preview' && isFont(headers)) ctx.set(forEveryOrigin);
  };
}

/** Aborted when the answer is sent, or its client disconnected. */
function endOf(res: ServerResponse): AbortSignal {
  if (res.closed) return AbortSignal.abort();
  const ending = new AbortController();
  res.once('close', () => ending.abort());
  return ending.signal;
}

/** Work that ended because its client disconnected is no failure: nobody reads this answer. */
function failed(error: unknown, end: AbortSignal): Answer {
  const isBusy = error instanceof DomainError && error.code === 'UNAVAILABLE';
  if (!isBusy && !end.aborted) throw error;
  return answerText(503, 'The site is busy. Try again in a few seconds.', { 'Retry-After': '5' });
}

const nothingHere: Record<Recipient['kind'], string> = {
  live: 'There is no site at this address, or nothing of it is live yet.',
  preview: 'There is no preview at this address.',
  own: '',
  nobody: '',
};

const isRemoved = async (
  { sites }: Pick<ServeSitesDeps, 'sites'>,
  recipient: Recipient,
): Promise<boolean> =>
  recipient.kind === 'live' &&
  (await sites.isKeptLabel(recipient.label)) &&
  (await sites.findByLabel(recipient.label)) === null;

async function findDeployment(
  { sites, deployments }: Pick<ServeSitesDeps, 'sites' | 'deployments'>,
  recipient: Recipient,
): Promise<Deployment | null> {
  if (recipient.kind !== 'live' && recipient.kind !== 'preview') return null;
  const site = await sites.findByLabel(recipient.label);
  if (site?.host !== 'embedded' || !hasRepository(site)) return null;
  if (recipient.kind === 'live') {
    const live = await deployments.live(site.siteId);
    return live && { site, held: { commit: live.commit, heldBy: null } };
  }
  const preview = await deployments.preview(recipient.taskId);
  if (preview?.siteId !== site.siteId || !preview.isShown) return null;
  return { site, held: preview };
}
