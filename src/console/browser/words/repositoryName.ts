import { decodeForPeople } from '../../../browser/hostPath.ts';

/** The API returns this in place of the URL of a repository on the server's own disk. */
export const LOCAL_REPOSITORY_URL = 'local';

/** A repository's name from its URL: `https://github.com/acme/website.git` → `acme/website` */
export function repositoryName(url: string): string {
  if (url === LOCAL_REPOSITORY_URL) return 'On this server';
  const decodedPath = decodeForPeople(
    URL.canParse(url) ? new URL(url).pathname : url.slice(url.indexOf(':') + 1),
  );
  const lastSegments = decodedPath.split('/').filter(Boolean).slice(-2).join('/');
  return lastSegments.endsWith('.git') ? lastSegments.slice(0, -4) : lastSegments;
}
