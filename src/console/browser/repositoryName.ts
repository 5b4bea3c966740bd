import { decoded } from '../../browser/path.ts';

/** The API gives this in place of the address of a repository on the server's own disk. */
export const LOCAL = 'local';

/** A repository's name, such as `acme/website`, from its address. */
export function repositoryName(url: string): string {
  if (url === LOCAL) return 'On this server';
  const path = decoded(URL.canParse(url) ? new URL(url).pathname : url.slice(url.indexOf(':') + 1));
  const last = path.split('/').filter(Boolean).slice(-2).join('/');
  return last.endsWith('.git') ? last.slice(0, -4) : last;
}
