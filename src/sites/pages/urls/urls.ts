import { normalizeText } from '../../../contract/normalizeText.ts';

/**
 * The parts of a URL reference (RFC 3986, appendix B), with their separators: `//a.example/b?c=1` →
 * authority `//a.example`, path `/b`, query `?c=1`. `joinReference` gives the same text again.
 */
export interface UrlReference {
  scheme: string;
  authority: string;
  path: string;
  query: string;
  fragment: string;
}

const referencePattern = /^([a-z][a-z0-9+.-]*:)?(\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?(#.*)?/is;

export function parseReference(text: string): UrlReference {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] =
    referencePattern.exec(text) ?? [];
  return { scheme, authority, path, query, fragment };
}

export const joinReference = ({ scheme, authority, path, query, fragment }: UrlReference) =>
  scheme + authority + path + query + fragment;

/**
 * Whether a `mailto:` link has fields that readers can't see, such as `bcc` (RFC 6068, section 2),
 * which send the mail to others too.
 */
export function hasHiddenReaders(url: string): boolean {
  const { scheme, query } = parseReference(url);
  const fields = query
    .slice(1)
    .split('&')
    .map((field) => decodeUrlPart(field.split('=', 1)[0]).trim().toLowerCase());
  return (
    /^mailto:$/i.test(scheme) && fields.some((name) => !['', 'subject', 'body'].includes(name))
  );
}

/** The folder of a URL path: everything up to its last slash. */
export const urlFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * A path, relative to `folder` or not, as an absolute path without dot segments (RFC 3986, section
 * 5.2.4): `/a/` and `../b` → `/b`.
 */
export function absolutePath(folder: string, path: string): string {
  const segments = (path.startsWith('/') ? path : folder + path).split('/');
  const keptSegments: string[] = [];
  for (const [i, segment] of segments.entries()) {
    const decoded = decodeUrlPart(segment);
    if (decoded === '..') keptSegments.pop();
    else if (decoded !== '.' && i > 0) keptSegments.push(segment);
    if ((decoded === '.' || decoded === '..') && i === segments.length - 1) keptSegments.push('');
  }
  return `/${keptSegments.join('/')}`;
}

/** The relative path from a page in `folder` to `path`, never empty: `/a/` and `/b` → `../b`. */
export function relativePath(folder: string, path: string): string {
  const folderSegments = folder.split('/').slice(1, -1);
  const pathSegments = path.split('/').slice(1);
  let commonCount = 0;
  while (
    commonCount < folderSegments.length &&
    commonCount < pathSegments.length - 1 &&
    decodeUrlPart(folderSegments[commonCount]) === decodeUrlPart(pathSegments[commonCount])
  )
    commonCount++;
  const result =
    '../'.repeat(folderSegments.length - commonCount) + pathSegments.slice(commonCount).join('/');
  if (result === '') return './';
  return /^[^/]*:/.test(result) || result.startsWith('/') ? `./${result}` : result;
}

/** A path from the root in the style of another one: from the root, or relative to `folder`. */
export function applyPathStyle(style: string, path: string, folder: string): string {
  if (style.startsWith('/')) return path;
  const relative = relativePath(folder, path);
  return (style.startsWith('./') && !relative.startsWith('.') ? './' : '') + relative;
}

/** Writes a path of the site with percent escapes. */
export const encodeUrlPath = (path: string): string =>
  encodeURI(path).replace(/[?#]/g, encodeURIComponent);

/** Decodes percent escapes: `caf%C3%A9` → `café`. Returns an invalid text as it is. */
export function decodeUrlPart(text = ''): string {
  try {
    return normalizeText(decodeURIComponent(text), 'NFC');
  } catch {
    return text;
  }
}

/**
 * The endings of a URL path that name the same page: `/x`, `/x/`, `/x.html`, `/x/index.html`. Links
 * between pages in Markdown name their files: `x.md`.
 */
const pageEnding = /(\/index\.html?|\/_?index\.(?:mdx?|markdown)|\.(?:html?|mdx?|markdown)|\/)$/i;
export const urlEnding = (path: string) => pageEnding.exec(path)?.[0] ?? '';

/** The slug of the page that a URL path names: `/a/index.html`, `/a.html` and `/a/` give `/a`. */
export const slugOfUrl = (path: string) => decodeUrlPart(path.replace(pageEnding, '')) || '/';

/** The folder of a page: `/a/b` -> `/a`, and empty for a page at the top. */
export const slugFolder = (slug: string) => slug.slice(0, slug.lastIndexOf('/'));
