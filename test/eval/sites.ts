import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folderTree } from '../unit/agents/memoryTree.ts';

const root = resolve(import.meta.dirname, '../..');
const npm = (name: string) => join(root, 'node_modules', `startbootstrap-${name}`, 'dist');

/** The sites on which instructions are tried, by their names. */
export const folders = {
  demo: join(root, 'src/demo/site'),
  business: npm('modern-business'),
  blog: npm('clean-blog'),
  paper: join(root, 'node_modules/paper-kit-2'),
  bulma: join(root, 'node_modules/bulma-templates'),
};

export type SiteName = keyof typeof folders;

export function openSite(name: SiteName) {
  const tree = folderTree(folders[name]);
  const pages = [...tree.entries.keys()].filter((path) => path.endsWith('.html'));
  const source = (path: string) => readFileSync(join(folders[name], path), 'utf8');
  return { tree, pages, source };
}
