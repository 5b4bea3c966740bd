/** An address without a query, a fragment, or a slash at its end. */
export function baseUrlOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/(index\.html)?$/, '');
}

/** Fills `{branch}` and `{pullRequest}` in. undefined where the pull request is needed and none. */
export function fillPlaceholders(
  template: string,
  { branch, pullRequest }: { branch: string; pullRequest?: number | undefined },
): string | undefined {
  if (template.includes('{pullRequest}') && pullRequest === undefined) return undefined;
  return template.replaceAll('{branch}', branch).replaceAll('{pullRequest}', `${pullRequest}`);
}
