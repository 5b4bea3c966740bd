/** The ends of patterns that are tried for a new rule, the likeliest first. */
export const patternEnds = [
  '/:slug',
  '/:year/:month/:day/:name',
  '/:year/:month/:name',
  '/:name',
] as const;

/** The ends that the URL of a page would have by some of `patternEnds`: `/first` by `/:slug`. */
export interface PageEnds {
  path: string;
  ends: Partial<Record<(typeof patternEnds)[number], string>>;
}

/** Folders that are a collection of pages, or that contain several, as `content` does. */
const contentFolders = ['content', 'pages', 'posts', '_posts', 'blog', 'docs'];

/**
 * The folder of a page's collection, whose pages have URLs of one pattern:
 * `src/content/blog/2024/first.md` → `src/content/blog`, `posts/first.md` → `posts`.
 */
export function collectionFolder(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const position = folders.findIndex((name) => contentFolders.includes(name));
  if (position < 0) return folders.join('/');
  const depth = folders[position] === 'content' ? 2 : 1;
  return folders.slice(0, position + depth).join('/');
}
