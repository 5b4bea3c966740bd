import { DomainError, hasErrorCode } from '../errors.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';
import { refusedStatus } from './apiErrors.ts';
import type { BuildReport } from './forgeProject.ts';

/**
 * Waits for the reports of each kind. Leaves out the kinds that the credential may not read.
 * @throws DomainError FORGE_REFUSED if the credential may read none of them
 */
export async function readableReports(reads: Promise<BuildReport[]>[]): Promise<BuildReport[]> {
  const readResults = await Promise.all(
    reads.map((reportsRead) => reportsRead.catch(refusedOrThrow)),
  );
  const refusals = readResults.filter((result) => result instanceof DomainError);
  if (refusals.length === readResults.length) throw refusals[0]!;
  return firstReportOfEachName(
    readResults.flatMap((result) => (result instanceof DomainError ? [] : result)),
  );
}

function refusedOrThrow(error: unknown): DomainError {
  if (hasErrorCode(error, 'FORGE_REFUSED') && refusedStatus(error) === 403) return error;
  throw error;
}

export const sortNewestFirst = <T extends { id: number }>(entries: T[]) =>
  entries.sort((first, second) => second.id - first.id);

/**
 * Keeps the first report of each kind, name and creator. Anyone who may push can report under a
 * host's name. Since the creator counts too, this never hides the host's own report.
 */
export function firstReportOfEachName(reports: BuildReport[]): BuildReport[] {
  const reportsByKey = new Map<string, BuildReport>();
  for (const report of reports) {
    const reportKey = JSON.stringify([report.of, report.name, report.creator]);
    if (!reportsByKey.has(reportKey)) reportsByKey.set(reportKey, report);
  }
  return [...reportsByKey.values()];
}

/**
 * Whether a report's description says that nothing was built. Hosts report a build that they
 * cancelled or skipped as a success (Netlify's "Deploy Preview canceled.", Vercel's "Skipped").
 */
export const isSkippedDescription = (description: string | null | undefined) =>
  /\b(?:cancell?ed|skipped|ignored)\b/i.test(description ?? '');

/** A URL from a report; null unless it is an http or https URL. */
export function webUrl(url: string | null | undefined, base?: string): string | null {
  const parsedUrl = url ? parseUrl(url, base) : null;
  return parsedUrl && /^https?:$/.test(parsedUrl.protocol) ? parsedUrl.href : null;
}
