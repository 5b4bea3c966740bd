import { normalizeText } from '../../../contract/normalizeText.ts';
import type { PathRules } from '../format.ts';

/** Maximum length of a page's path. A slug in a request has at most 200 characters. */
const MAX_PATH_LENGTH = 400;
const extension = /\.html?$/i;
const index = /(^|\/)index\.html?$/i;

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

  handles: (path) => path.length <= MAX_PATH_LENGTH && extension.test(path) && isServed(path),

  slugOf: (path) => normalizeText(`/${path.replace(index, '').replace(extension, '')}`, 'NFC'),

  pathOf(slug, siblingPath) {
    const name = slug.slice(1);
    const [ending = '.html'] = extension.exec(siblingPath) ?? [];
    if (name === '') return `index${ending}`;
    const isFolder = index.test(siblingPath) && siblingPath.includes('/');
    return isFolder ? `${name}/index${ending}` : `${name}${ending}`;
  },
};
