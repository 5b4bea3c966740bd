import type { PageSource } from '../../formats/format.ts';
import { parseReference, slugOfUrl } from '../urls/urls.ts';

/**
 * The slugs of all URLs in a file of any kind, such as a sitemap or robots.txt:
 * `https://acme.example/about`, `/about` and `about.html` → `/about`.
 */
export function listedSlugs({ source }: PageSource): string[] {
  const slugs = new Set<string>();
  for (const [word] of source.matchAll(/[^"'<>()\s]+/g)) {
    const { authority, path } = parseReference(word);
    if (authority || path.startsWith('/') || /\.html?$/i.test(path))
      slugs.add(slugOfUrl(path.startsWith('/') ? path : `/${path}`));
  }
  return [...slugs];
}
