import type { OwnHost } from '../../contract/site.ts';

/**
 * Whether a report's address may be looked at and told to clients. Anyone who may push can report
 * one, so only https addresses at the hosts that the team named count.
 */
export function isBelieved({ hosts }: Pick<OwnHost, 'hosts'>, url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password) return false;
  const name = parsed.host.toLowerCase();
  return hosts.some((host) =>
    host.startsWith('*.') ? name.endsWith(host.slice(1)) && name !== host.slice(2) : name === host,
  );
}

/** An address without a query, a fragment, or a slash at its end. */
export function baseOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/(index\.html)?$/, '');
}

/** Fills `{branch}` and `{pullRequest}` in. undefined where the pull request is needed and none. */
export function filled(
  template: string,
  { branch, pullRequest }: { branch: string; pullRequest?: number | undefined },
): string | undefined {
  if (template.includes('{pullRequest}') && pullRequest === undefined) return undefined;
  return template.replaceAll('{branch}', branch).replaceAll('{pullRequest}', `${pullRequest}`);
}
