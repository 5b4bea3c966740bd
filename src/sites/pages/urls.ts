import { normalizeText } from '../../contract/normalizeText.ts';

/**
 * A URL reference in its parts (RFC 3986, appendix B). Joined again, the parts give the same text.
 */
export interface Reference {
  scheme: string;
  authority: string;
  path: string;
  query: string;
  fragment: string;
}

const parts = /^([a-z][a-z0-9+.-]*:)?(\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?(#.*)?/is;

export function parseReference(text: string): Reference {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] =
    parts.exec(text) ?? [];
  return { scheme, authority, path, query, fragment };
}

export const joinReference = ({ scheme, authority, path, query, fragment }: Reference) =>
  scheme + authority + path + query + fragment;

/**
 * Whether mail to an address also goes to recipients that readers can't see (RFC 6068, section 2:
 * `bcc` and other fields).
 */
export function hasHiddenReaders(url: string): boolean {
  const { scheme, query } = parseReference(url);
  const fields = query
    .slice(1)
    .split('&')
    .map((field) => decode(field.split('=', 1)[0]).trim().toLowerCase());
  return (
    /^mailto:$/i.test(scheme) && fields.some((name) => !['', 'subject', 'body'].includes(name))
  );
}

/** The folder of a URL path: everything up to its last slash. */
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** A path, relative or not, as an absolute one without dot segments (RFC 3986, section 5.2.4). */
export function absolutePath(folder: string, path: string): string {
  const all = (path.startsWith('/') ? path : folder + path).split('/');
  const kept: string[] = [];
  for (const [i, segment] of all.entries()) {
    const dots = decode(segment);
    if (dots === '..') kept.pop();
    else if (dots !== '.' && i > 0) kept.push(segment);
    if ((dots === '.' || dots === '..') && i === all.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`;
}

/** The relative path from a page in `folder` to `path`. Both are absolute. Never empty. */
export function relativePath(folder: string, path: string): string {
  const from = folder.split('/').slice(1, -1);
  const to = path.split('/').slice(1);
  let common = 0;
  while (
    common < from.length &&
    common < to.length - 1 &&
    decode(from[common]) === decode(to[common])
  )
    common++;
  const result = '../'.repeat(from.length - common) + to.slice(common).join('/');
  if (result === '') return './';
  return /^[^/]*:/.test(result) || result.startsWith('/') ? `./${result}` : result;
}

export function decode(text = ''): string {
  try {
    return normalizeText(decodeURIComponent(text), 'NFC');
  } catch {
    return text;
  }
}

/** The endings of a URL path that name the same page: `/x`, `/x/`, `/x.html`, `/x/index.html`. */
const ending = /(\/index\.html?|\.html?|\/)$/i;
export const endingOf = (path: string) => ending.exec(path)?.[0] ?? '';

/** The slug of the page that a URL path names: `/a/index.html`, `/a.html` and `/a/` give `/a`. */
export const slugOfUrl = (path: string) => decode(path.replace(ending, '')) || '/';
