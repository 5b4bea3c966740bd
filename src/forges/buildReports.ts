import type { BuildReport } from './forgeProject.ts';

/**
 * The first report of each kind, name and creator: whoever may push can report under a host's name,
 * and does not hide the host's own report by that.
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
 * Hosts report a build that they cancelled or skipped as a success (Netlify's "Deploy Preview
 * canceled.", Vercel's "Skipped"): only the description tells.
 */
export const isSkippedDescription = (description: string | null | undefined) =>
  /\b(?:cancell?ed|skipped|ignored)\b/i.test(description ?? '');

/** An address as it is told, if it is one of the web. */
export function webUrl(url: string | null | undefined, base?: string): string | null {
  const parsedUrl = url ? URL.parse(url, base) : null;
  return parsedUrl && /^https?:$/.test(parsedUrl.protocol) ? parsedUrl.href : null;
}
