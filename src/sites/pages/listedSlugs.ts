import type { PageSource } from '../formats/format.ts';
import { parseReference, slugOfUrl } from './urls.ts';

/** The slugs of the addresses in a file of any kind: in full, from the root, or with an ending. */
export function listedSlugs({ source }: PageSource): string[] {
  const slugs = new Set<string>();
  for (const [word] of source.matchAll(/[^"'<>()\s]+/g)) {
    const { authority, path } = parseReference(word);
    if (authority || path.startsWith('/') || /\.html?$/i.test(path))
      slugs.add(slugOfUrl(path.startsWith('/') ? path : `/${path}`));
  }
  return [...slugs];
}
