import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import { DomainError } from '../../../errors.ts';
import { parseUrl } from '../../../contract/text/parseUrl.ts';

const scpLike =
  /^(?:([A-Za-z0-9_][A-Za-z0-9_.-]*)@)?([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?):(?!\/\/|:)([^:]+)$/;

/**
 * Checks the URL of a site's repository: https, ssh (also as `user@host:path`), and local
 * repositories for operators.
 * @param url as the customer or operator gave it
 * @param options.allowLocal whether `file:` URLs and local paths are allowed
 * @returns the URL to store and to give to git: without a slash at its end, local paths as `file:`
 *   URLs
 * @throws DomainError INVALID_INPUT that says what is expected
 */
export function checkRepositoryUrl(url: string, { allowLocal }: { allowLocal: boolean }): string {
  if (url.length > 2_000 || /[\p{Cc}\p{Cf}\\]/u.test(url) || url !== url.trim() || url === '')
    throw invalidUrlError('must be one line of at most 2000 characters');
  if (url.startsWith('-')) throw invalidUrlError('must not start with "-"');
  if (/^https:\/\//i.test(url)) return checkWebUrl(url);
  if (/^ssh:\/\//i.test(url)) return checkSshUrl(url);
  if (/^file:\//i.test(url)) return checkLocalUrl(url, allowLocal);
  if (/^[./]/.test(url)) return checkLocalUrl(pathToFileURL(resolve(url)).href, allowLocal);
  if (url.includes('::') || /^(file|https?|ssh|git|ftp):|^[A-Za-z][A-Za-z0-9+.-]*:\/\//i.test(url))
    throw invalidUrlError('must start with https:// or ssh://');
  return checkScpUrl(url);
}

function checkWebUrl(address: string): string {
  const url = parseRepositoryUrl(address);
  if (url.username || url.password)
    throw invalidUrlError('must not contain a user name or password');
  return withoutTrailingSlash(url);
}

function checkSshUrl(address: string): string {
  const url = parseRepositoryUrl(address);
  if (url.password) throw invalidUrlError('must not contain a password');
  if (!/^[A-Za-z0-9_.-]*$/.test(url.username) || url.username.startsWith('-'))
    throw invalidUrlError('has an invalid user name');
  if (url.hostname.startsWith('-') || /^\/-/.test(url.pathname))
    throw invalidUrlError('has a host or path that starts with "-"');
  return withoutTrailingSlash(url);
}

function checkScpUrl(url: string): string {
  const [, , host, path] = scpLike.exec(url) ?? [];
  if (host === undefined || path === undefined || host.length === 1)
    throw invalidUrlError('must start with https:// or ssh://, or have the form user@host:path');
  if (path.startsWith('-')) throw invalidUrlError('has a path that starts with "-"');
  return trimEndCharacters(url, '/');
}

function checkLocalUrl(address: string, allowLocal: boolean): string {
  if (!allowLocal)
    throw invalidUrlError(
      'must not be a local path, which only the command `site create` on the service’s own machine accepts',
    );
  const url = parseRepositoryUrl(address);
  if (url.host) throw invalidUrlError('must not contain a host if it is a file: URL');
  return withoutTrailingSlash(url);
}

function parseRepositoryUrl(address: string): URL {
  const url = parseUrl(address);
  if (!url || url.pathname.replaceAll('/', '') === '')
    throw invalidUrlError('must be a URL with a path');
  if (url.search || url.hash || address.includes('?') || address.includes('#'))
    throw invalidUrlError('must not contain a query or a fragment');
  if (/%(0[0-9a-f]|1[0-9a-f]|7f)/i.test(url.pathname))
    throw invalidUrlError('must not contain control characters');
  return url;
}

const withoutTrailingSlash = (url: URL) => trimEndCharacters(url.href, '/');

const invalidUrlError = (expected: string) =>
  new DomainError('INVALID_INPUT', `The URL of the repository ${expected}`);
