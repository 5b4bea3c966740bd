import type { ExternalHost, Site } from '../../contract/site.ts';
import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { isBelieved } from '../../forges/trustedHosts.ts';
import type { ForgeProject, BuildReport, SendHttp } from '../../forges/forgeProject.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import type { ExpectedPage, DeploymentCheck, DeploymentStatus } from '../../contract/deployment.ts';
import { baseUrlOf, fillPlaceholders } from './hostUrls.ts';

/** Pages that are requested at the same time. */
const AT_ONCE = 8;

interface CheckDependencies {
  forge: Pick<ForgeProject, 'reports'>;
  send: SendHttp;
  pages: PagesPool;
  /** The value of the header field that opens protected previews. */
  bypass: string | undefined;
}

/**
 * Makes one deployment check: does the external host show the new pages? Reads the forge's reports
 * on the commit, then requests the pages. As long as the first page is not online, it does not
 * request the others. A task does not fail because the forge is down: if the site's settings name
 * the URL, the pages alone decide. If not, the check is repeated until the time for builds is over.
 * @param input.check what to look for. After `until`, pages that were not found have no URL
 * @returns the URLs of the pages, and in `unverified` why some were not found
 * @throws DomainError STILL_BUILDING and UNAVAILABLE (retryable) before `until`; BUILD_FAILED
 */
export async function checkDeploymentOnce(
  deps: CheckDependencies,
  {
    site,
    host,
    check,
  }: { site: Site; host: ExternalHost; check: DeploymentCheck & { until: Date } },
  signal: AbortSignal,
): Promise<DeploymentStatus> {
  const isTimeUp = check.until.getTime() <= Date.now();
  const reportsOrError = await relevantReports(deps.forge, host, check, signal).catch(
    (error: unknown) => {
      const mayWait = error instanceof DomainError && error.retryable;
      if (!mayWait || (!isTimeUp && candidateBaseUrls(host, check, []).length === 0)) throw error;
      return error.message;
    },
  );
  const reports = typeof reportsOrError === 'string' ? [] : reportsOrError;
  const failure = failedReport(reports);
  if (failure) throw buildFailed(check, failure);
  const bases = candidateBaseUrls(host, check, reports);
  const isReported = reports.some(({ state }) => state === 'success');
  const pages = await findAllPages(check, isTimeUp, (page) =>
    findPageUrl(deps, { site, host, bases, page, isReported }, signal),
  );
  const missingPages = pages.filter(({ url }) => url === null);
  if (missingPages.length === 0) return { pages };
  const unknownSlugs = findUnknownSlugs(check);
  if (missingPages.every(({ slug }) => unknownSlugs.includes(slug)) && bases.length > 0)
    return { pages, unverified: unknownUrlText(check, unknownSlugs) };
  const isSkipped =
    reports.length > 0 &&
    reports.every(({ state }) => state === 'skipped') &&
    // hosts skip builds of commits that a newer one follows, whose build shows them too
    (check.target === 'preview' || bases.length === 0);
  const unverified = unverifiedText(check, { bases, reports, missing: missingPages, isSkipped });
  const reason =
    typeof reportsOrError === 'string' ? `${unverified}. ${reportsOrError}` : unverified;
  if (isSkipped || isTimeUp) return { pages, unverified: reason };
  throw new DomainError('STILL_BUILDING', reason, { retryable: true });
}

/** @param isLast whether this is the last check, which requests every page */
async function findAllPages(
  { pages }: DeploymentCheck,
  isLast: boolean,
  findPage: (page: ExpectedPage) => Promise<string | undefined>,
): Promise<DeploymentStatus['pages']> {
  const foundPages: DeploymentStatus['pages'] = [];
  let isOnline = true;
  for (let position = 0; position < pages.length; position += position === 0 ? 1 : AT_ONCE) {
    const pageGroup = pages.slice(position, position === 0 ? 1 : position + AT_ONCE);
    const pageUrls: (string | undefined)[] =
      isOnline || isLast ? await Promise.all(pageGroup.map(findPage)) : [];
    foundPages.push(...pageGroup.map(({ slug }, i) => ({ slug, url: pageUrls[i] ?? null })));
    isOnline &&= pageGroup[0]!.paths.length === 0 || pageUrls[0] !== undefined;
  }
  return foundPages;
}

async function relevantReports(
  forge: Pick<ForgeProject, 'reports'>,
  host: ExternalHost,
  { target, commit }: DeploymentCheck,
  signal: AbortSignal,
): Promise<BuildReport[]> {
  const reportNames = target === 'preview' ? host.previewReports : host.liveReports;
  const allReports = await forge.reports(commit, signal);
  return allReports.filter(
    ({ name, creator }) =>
      (reportNames.length === 0 || reportNames.includes(name)) &&
      (host.reporter === null || creator === host.reporter),
  );
}

/** The report of a failed build; undefined if another build succeeded or continues. */
function failedReport(reports: BuildReport[]): BuildReport | undefined {
  const isAlive = reports.some(({ state }) => state === 'success' || state === 'pending');
  return isAlive ? undefined : reports.find(({ state }) => state === 'failure');
}

function buildFailed({ what, url: place }: DeploymentCheck, { name, logUrl, url }: BuildReport) {
  const buildLog = logUrl ?? url;
  const isLog = buildLog !== null && /^https?:/.test(buildLog);
  const logText = isLog ? `Its log is at ${buildLog.slice(0, 500)}` : `See ${place}`;
  return new DomainError(
    'BUILD_FAILED',
    `The build failed (${what}, reported as ${name.slice(0, 100)}). ${logText}`,
  );
}

/** The URLs below which the pages may be: from the site's settings, or from reports of builds. */
function candidateBaseUrls(
  host: ExternalHost,
  look: DeploymentCheck,
  reports: BuildReport[],
): string[] {
  const template = look.target === 'preview' ? host.previewUrl : host.liveUrl;
  const ownUrl = template === null ? undefined : fillPlaceholders(template, look);
  if (ownUrl !== undefined) return [baseUrlOf(ownUrl)];
  const reportedBases = reports.flatMap(({ state, url }) =>
    state === 'success' && url !== null && isBelieved(host, url) ? [baseUrlOf(url)] : [],
  );
  return [...new Set(reportedBases)].slice(0, 3);
}

interface PageToFind {
  site: Site;
  host: ExternalHost;
  bases: string[];
  page: ExpectedPage;
  /** Whether a build of this commit succeeded. Then a page without new texts counts as new. */
  isReported: boolean;
}

/** The page's URL; undefined if it is not online yet. */
async function findPageUrl(
  { send, pages, bypass }: CheckDependencies,
  { site, host, bases, page, isReported }: PageToFind,
  signal: AbortSignal,
): Promise<string | undefined> {
  const pageCalls = pages.for({ organizationId: site.organizationId, signal });
  const headers = host.bypass && bypass !== undefined ? { [host.bypass.header]: bypass } : {};
  for (const baseUrl of bases)
    for (const path of page.paths) {
      const url = baseUrl + path;
      const response = await send(
        { url, headers: isBelieved(host, url) ? headers : {} },
        signal,
      ).catch(() => undefined);
      if (response?.status !== 200 || response.body.length > limits.pageBytes) continue;
      if (page.texts.length === 0 && isReported) return url;
      const source = response.body.toString();
      const shownPage = { path: 'index.html', source };
      if (await pageCalls.showsAny(shownPage, page.texts).catch(() => false)) return url;
    }
  return undefined;
}

/** The slugs of pages that have no path to look at, because their URLs are not known. */
const findUnknownSlugs = ({ pages }: DeploymentCheck): string[] =>
  pages.flatMap(({ slug, paths }) => (paths.length === 0 ? [slug] : []));

const unknownUrlText = ({ target, what }: DeploymentCheck, slugs: string[]) =>
  `The URL of the ${target === 'preview' ? 'preview' : 'live page'} of ${listSlugs(slugs)} is not known (${what}). In the settings of the site, add a rule for the URLs of the pages in this folder`;

const listSlugs = (slugs: string[]) => slugs.slice(0, 3).join(', ');

/** Says why pages were not found, for people. */
function unverifiedText(
  { target, what, pages }: DeploymentCheck,
  details: {
    bases: string[];
    reports: BuildReport[];
    missing: { slug: string }[];
    isSkipped: boolean;
  },
): string {
  const { bases, reports, missing: missingPages, isSkipped } = details;
  const place = target === 'preview' ? 'preview' : 'live page';
  const slugList = listSlugs(missingPages.map(({ slug }) => slug));
  const [expectedPath = ''] = pages.find(({ slug }) => slug === missingPages[0]?.slug)?.paths ?? [];
  const expectedUrls = bases.map((base) => base + (missingPages.length === 1 ? expectedPath : ''));
  if (isSkipped) return `The host skipped the build, so ${slugList} has no ${place} (${what})`;
  if (bases.length > 0)
    return `The ${place} of ${slugList} does not show its new text at ${expectedUrls.join(', ')} (${what})`;
  const reportText =
    reports.length === 0
      ? 'the host reported nothing'
      : `${reports.length} report(s) without a URL of the site's hosts`;
  return `The ${place} of ${slugList} was not found: ${reportText} (${what})`;
}
