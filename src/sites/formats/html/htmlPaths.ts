import type { PathRules } from '../format.ts';

const extension = /\.html?$/;
const index = /(^|\/)index\.html?$/;

/**
 * Whether a file is for visitors: dot-files (but `.well-known`) and `node_modules` are never
 * served.
 */
const isServed = (path: string) =>
  path
    .split('/')
    .every((name) => name !== 'node_modules' && (!name.startsWith('.') || name === '.well-known'));

/** What the names of HTML files tell. Nothing here reads a page. */
export const htmlPaths: PathRules = {
  label: 'HTML',

  handles: (path) => extension.test(path) && isServed(path),

  slugOf: (path) => `/${path.replace(index, '').replace(extension, '')}`.normalize('NFC'),

  pathOf(slug, siblingPath) {
    const name = slug.slice(1);
    const [ending = '.html'] = extension.exec(siblingPath) ?? [];
    if (name === '') return `index${ending}`;
    const isFolder = index.test(siblingPath) && siblingPath !== `index${ending}`;
    return isFolder ? `${name}/index${ending}` : `${name}${ending}`;
  },
};
