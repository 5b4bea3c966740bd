import type { Report } from './forge.ts';

/**
 * The first report of each kind, name and creator: whoever may push can report under a host's name,
 * and does not hide the host's own report by that.
 */
export function firstOfEachName(reports: Report[]): Report[] {
  const found = new Map<string, Report>();
  for (const report of reports) {
    const key = JSON.stringify([report.of, report.name, report.creator]);
    if (!found.has(key)) found.set(key, report);
  }
  return [...found.values()];
}

/**
 * Hosts report a build that they cancelled or skipped as a success (Netlify's "Deploy Preview
 * canceled.", Vercel's "Skipped"): only the description tells.
 */
export const saysSkipped = (description: string | null | undefined) =>
  /\b(?:cancell?ed|skipped|ignored)\b/i.test(description ?? '');

/** An address as it is told, if it is one of the web. */
export function webAddress(url: string | null | undefined, base?: string): string | null {
  const parsed = url ? URL.parse(url, base) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : null;
}
