import type { PathRules } from '../format.ts';

const extension = /\.html?$/;
const index = /(^|\/)index\.html?$/;

/**
 * Whether a file is served to visitors. Files and folders that start with a dot (except
 * `.well-known`) and `node_modules` never are.
 */
const isServed = (path: string) =>
  !/(?:^|\/)(?:\.|node_modules)/.test(path) ||
  path
    .split('/')
    .every((name) => name !== 'node_modules' && (!name.startsWith('.') || name === '.well-known'));

/** Rules between file names and slugs of HTML files. They never read a page. */
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
