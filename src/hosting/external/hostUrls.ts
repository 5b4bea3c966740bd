/** A URL without its query, its fragment, `index.html`, and the slash at its end. */
export function baseUrlOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/(index\.html)?$/, '');
}

/** Fills in `{branch}` and `{pullRequest}`. undefined if the pull request is needed but absent. */
export function fillPlaceholders(
  template: string,
  { branch, pullRequest }: { branch: string; pullRequest?: number | undefined },
): string | undefined {
  if (template.includes('{pullRequest}') && pullRequest === undefined) return undefined;
  return template.replaceAll('{branch}', branch).replaceAll('{pullRequest}', `${pullRequest}`);
}
