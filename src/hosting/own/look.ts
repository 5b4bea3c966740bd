import type { OwnHost, Site } from '../../contract/site.ts';
import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { isBelieved } from '../../forges/believedHosts.ts';
import type { Forge, Report, Send } from '../../forges/forge.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import type { AwaitedPage, Look, Looked } from '../../contract/deployment.ts';
import { baseOf, filled } from './addresses.ts';

/** Pages that are looked at side by side. */
const AT_ONCE = 8;

interface Places {
  forge: Pick<Forge, 'reports'>;
  send: Send;
  pages: PagesPool;
  /** The value of the header field that opens protected previews. */
  bypass: string | undefined;
}

/**
 * Looks once at the forge's reports on a commit, and then at the pages themselves. As long as the
 * first page is not online, the others are not looked at. A forge that is down ends no task: where
 * the site names its addresses, the pages alone decide, elsewhere the time for builds does.
 * @throws DomainError STILL_BUILDING and UNAVAILABLE before `until`, BUILD_FAILED
 */
export async function lookOnce(
  places: Places,
  { site, host, look }: { site: Site; host: OwnHost; look: Look & { until: Date } },
  signal: AbortSignal,
): Promise<Looked> {
  const isOver = look.until.getTime() <= Date.now();
  const known = await relevantReports(places.forge, host, look, signal).catch((error: unknown) => {
    const mayWait = error instanceof DomainError && error.retryable;
    if (!mayWait || (!isOver && basesOf(host, look, []).length === 0)) throw error;
    return error.message;
  });
  const reports = typeof known === 'string' ? [] : known;
  const failure = failureIn(reports);
  if (failure) throw buildFailed(look, failure);
  const bases = basesOf(host, look, reports);
  const isReported = reports.some(({ state }) => state === 'success');
  const pages = await findAll(look, isOver, (page) =>
    find(places, { site, host, bases, page, isReported }, signal),
  );
  const missing = pages.filter(({ url }) => url === null);
  if (missing.length === 0) return { pages };
  const isSkipped =
    reports.length > 0 &&
    reports.every(({ state }) => state === 'skipped') &&
    // hosts skip builds of commits that a newer one follows, whose build shows them too
    (look.target === 'preview' || bases.length === 0);
  const unseen = unseenText(look, { bases, reports, missing, isSkipped });
  const why = typeof known === 'string' ? `${unseen}. ${known}` : unseen;
  if (isSkipped || isOver) return { pages, unseen: why };
  throw new DomainError('STILL_BUILDING', why, { retryable: true });
}

/** @param isLast whether nobody looks again, so that each page counts */
async function findAll(
  { pages }: Look,
  isLast: boolean,
  find: (page: AwaitedPage) => Promise<string | undefined>,
): Promise<Looked['pages']> {
  const found: Looked['pages'] = [];
  let isOnline = true;
  for (let at = 0; at < pages.length; at += at === 0 ? 1 : AT_ONCE) {
    const some = pages.slice(at, at === 0 ? 1 : at + AT_ONCE);
    const urls: (string | undefined)[] =
      isOnline || isLast ? await Promise.all(some.map(find)) : [];
    found.push(...some.map(({ slug }, i) => ({ slug, url: urls[i] ?? null })));
    isOnline &&= urls[0] !== undefined;
  }
  return found;
}

async function relevantReports(
  forge: Pick<Forge, 'reports'>,
  host: OwnHost,
  { target, commit }: Look,
  signal: AbortSignal,
): Promise<Report[]> {
  const names = target === 'preview' ? host.previewReports : host.liveReports;
  const all = await forge.reports(commit, signal);
  return all.filter(
    ({ name, creator }) =>
      (names.length === 0 || names.includes(name)) &&
      (host.reporter === null || creator === host.reporter),
  );
}

/** A failed build, unless another one succeeded or goes on. */
function failureIn(reports: Report[]): Report | undefined {
  const isAlive = reports.some(({ state }) => state === 'success' || state === 'pending');
  return isAlive ? undefined : reports.find(({ state }) => state === 'failure');
}

function buildFailed({ what, url: place }: Look, { name, logUrl, url }: Report) {
  const log = logUrl ?? url;
  const isLog = log !== null && /^https?:/.test(log);
  const where = isLog ? `its log is at ${log.slice(0, 500)}` : `see ${place}`;
  return new DomainError(
    'BUILD_FAILED',
    `The host could not build it (${what}, ${name.slice(0, 100)}): ${where}`,
  );
}

/** Where the pages may be: by the site's own address, or where a build said. */
function basesOf(host: OwnHost, look: Look, reports: Report[]): string[] {
  const template = look.target === 'preview' ? host.previewUrl : host.liveUrl;
  const own = template === null ? undefined : filled(template, look);
  if (own !== undefined) return [baseOf(own)];
  const named = reports.flatMap(({ state, url }) =>
    state === 'success' && url !== null && isBelieved(host, url) ? [baseOf(url)] : [],
  );
  return [...new Set(named)].slice(0, 3);
}

interface Wanted {
  site: Site;
  host: OwnHost;
  bases: string[];
  page: AwaitedPage;
  /** Whether a build of this very commit succeeded. Then a page without new texts is believed. */
  isReported: boolean;
}

/** The page's address; undefined where it is not online yet. */
async function find(
  { send, pages, bypass }: Places,
  { site, host, bases, page, isReported }: Wanted,
  signal: AbortSignal,
): Promise<string | undefined> {
  const calls = pages.for({ organizationId: site.organizationId, signal });
  const headers = host.bypass && bypass !== undefined ? { [host.bypass.header]: bypass } : {};
  for (const base of bases)
    for (const path of page.paths) {
      const url = base + path;
      const answer = await send(
        { url, headers: isBelieved(host, url) ? headers : {} },
        signal,
      ).catch(() => undefined);
      if (answer?.status !== 200 || answer.body.length > limits.pageBytes) continue;
      if (page.texts.length === 0 && isReported) return url;
      const source = answer.body.toString();
      const shown = { path: 'index.html', source };
      if (await calls.showsAny(shown, page.texts).catch(() => false)) return url;
    }
  return undefined;
}

function unseenText(
  { target, what }: Look,
  found: { bases: string[]; reports: Report[]; missing: { slug: string }[]; isSkipped: boolean },
): string {
  const { bases, reports, missing, isSkipped } = found;
  const place = target === 'preview' ? 'preview' : 'live page';
  const slugs = missing
    .slice(0, 3)
    .map(({ slug }) => slug)
    .join(', ');
  if (isSkipped) return `The host skipped the build, so there is no ${place} of ${slugs} (${what})`;
  if (bases.length > 0)
    return `The ${place} of ${slugs} was not seen with its new text at ${bases.join(', ')} (${what})`;
  const reported =
    reports.length === 0
      ? 'nothing was reported'
      : `${reports.length} reports name no address of the site's hosts`;
  return `The ${place} of ${slugs} was not seen: ${reported} (${what})`;
}
