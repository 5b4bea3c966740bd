import type { PageFile } from '../../contract/site.ts';
import {
  absolutePath,
  applyPathStyle,
  decodeUrlPart,
  encodeUrlPath,
  joinReference,
  parseReference,
  slugOfUrl,
  urlFolder,
} from '../pages/urls/urls.ts';
import { readUrl } from '../pages/urls/urlHosts.ts';
import type { PageMove, SiteTarget } from './changes.ts';
import { hasGeneratorCode } from './generatorCode.ts';
import { markdownExtension } from './paths.ts';

/**
 * URLs in a page that a generator makes. A relative one counts from the page's file, as generators
 * read `./about.md`. Only the site's generator knows the addresses of pages for certain.
 */

/** The path from the site's root, not decoded; undefined for a URL outside of the site. */
export function pathOfUrl(file: PageFile, url: string): string | undefined {
  const { scheme, authority, path } = parseReference(readUrl(url));
  if (scheme || authority || path === '' || hasGeneratorCode(url)) return undefined;
  return absolutePath(urlFolder(`/${file.path}`), path);
}

/** The slug of the page that a URL leads to; undefined for a URL outside of the site. */
export function slugOf(file: PageFile, url: string): string | undefined {
  const path = pathOfUrl(file, url);
  return path === undefined ? undefined : slugOfUrl(path);
}

/** The decoded path relative to the site's root; '' for a URL outside of the site. */
export const fileOfUrl = (file: PageFile, url: string) =>
  decodeUrlPart(pathOfUrl(file, url) ?? '').slice(1);

/** The URL of a page or file of the site, in the style of another URL. */
export function urlTo(file: PageFile, style: string, target: SiteTarget): string {
  const { path, slug, query, fragment } = target;
  const { path: stylePath } = parseReference(style);
  const isKnown = pathOfUrl(file, style) !== undefined;
  const isFile = slug === null || markdownExtension.test(stylePath);
  const ending =
    !isFile && slug !== '/' && stylePath.length > 1 && stylePath.endsWith('/') ? '/' : '';
  const newPath = encodeUrlPath(isFile ? `/${path}` : `${slug}${ending}`);
  const folder = urlFolder(`/${file.path}`);
  return applyPathStyle(isKnown ? stylePath : '/', newPath, folder) + query + fragment;
}

/**
 * A URL of the page at `file`, as it must read in the page at `newFile` after the page `from` has
 * moved to `to`. `from` and `to` are the same if no page has moved.
 */
export function movedUrl(
  { file, newFile }: { file: PageFile; newFile: PageFile },
  url: string,
  { from, to }: Pick<PageMove, 'from' | 'to'>,
): string {
  const path = pathOfUrl(file, url);
  if (path === undefined) return url;
  const reference = parseReference(url);
  const leadsToMoved = slugOfUrl(path) === from.slug;
  if (!leadsToMoved && (reference.path.startsWith('/') || newFile === file)) return url;
  const isFile = markdownExtension.test(reference.path);
  const ending = path.endsWith('/') && to.slug !== '/' ? '/' : '';
  const newPath = leadsToMoved ? encodeURI(isFile ? `/${to.path}` : to.slug + ending) : path;
  const folder = urlFolder(`/${newFile.path}`);
  return joinReference({ ...reference, path: applyPathStyle(reference.path, newPath, folder) });
}
