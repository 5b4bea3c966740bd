import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withoutEnd } from '../../contract/text.ts';
import { DomainError } from '../../errors.ts';

const scpLike =
  /^(?:([A-Za-z0-9_][A-Za-z0-9_.-]*)@)?([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?):(?!\/\/|:)([^:]+)$/;

/**
 * Checks the address of a site's repository: https, ssh (also as `user@host:path`), and local
 * addresses for operators.
 * @param url as the customer or operator gave it
 * @param options.allowLocal whether `file:` URLs and local paths are allowed
 * @returns the address to store and to give to git: without a slash at its end, local paths as
 *   `file:` URLs
 * @throws DomainError INVALID_INPUT that says what is expected
 */
export function checkRepositoryUrl(url: string, { allowLocal }: { allowLocal: boolean }): string {
  if (url.length > 2_000 || /[\p{Cc}\p{Cf}\\]/u.test(url) || url !== url.trim() || url === '')
    throw refused('must be one line of at most 2000 characters');
  if (url.startsWith('-')) throw refused('must not start with "-"');
  if (/^https:\/\//i.test(url)) return webAddress(url);
  if (/^ssh:\/\//i.test(url)) return sshAddress(url);
  if (/^file:\//i.test(url)) return localAddress(url, allowLocal);
  if (/^[./]/.test(url)) return localAddress(pathToFileURL(resolve(url)).href, allowLocal);
  if (url.includes('::') || /^(file|https?|ssh|git|ftp):|^[A-Za-z][A-Za-z0-9+.-]*:\/\//i.test(url))
    throw refused('must start with https:// or ssh://');
  return scpAddress(url);
}

function webAddress(given: string): string {
  const url = parsed(given);
  if (url.username || url.password) throw refused('must not contain a user name or password');
  return tidy(url);
}

function sshAddress(given: string): string {
  const url = parsed(given);
  if (url.password) throw refused('must not contain a password');
  if (!/^[A-Za-z0-9_.-]*$/.test(url.username) || url.username.startsWith('-'))
    throw refused('has a wrong user name');
  if (url.hostname.startsWith('-') || /^\/-/.test(url.pathname))
    throw refused('has a host or path that starts with "-"');
  return tidy(url);
}

function scpAddress(url: string): string {
  const [, , host, path] = scpLike.exec(url) ?? [];
  if (host === undefined || path === undefined || host.length === 1)
    throw refused('must start with https:// or ssh://, or read user@host:path');
  if (path.startsWith('-')) throw refused('has a path that starts with "-"');
  return withoutEnd(url, '/');
}

function localAddress(given: string, allowLocal: boolean): string {
  if (!allowLocal) throw refused('must not be a local one');
  const url = parsed(given);
  if (url.host) throw refused('must not name a host in a file: URL');
  return tidy(url);
}

function parsed(given: string): URL {
  const url = URL.parse(given);
  if (!url || url.pathname.replaceAll('/', '') === '') throw refused('must be a URL with a path');
  if (url.search || url.hash || given.includes('?') || given.includes('#'))
    throw refused('must not have a query or a fragment');
  if (/%(0[0-9a-f]|1[0-9a-f]|7f)/i.test(url.pathname))
    throw refused('must not contain control characters');
  return url;
}

const tidy = (url: URL) => withoutEnd(url.href, '/');

const refused = (expected: string) =>
  new DomainError('INVALID_INPUT', `The repository's address ${expected}`);
