import type { PageChange, Part } from '../formats/format.ts';
import type { PageCalls } from './pages.ts';

/** The part of a format that answers each call; null if `pagesCalls.ts` answers it itself. */
export const partOf: Record<keyof PageCalls, Part | null> = {
  read: 'core',
  outline: 'core',
  lineOutline: 'core',
  kinds: 'core',
  readTemplate: 'core',
  readTexts: 'core',
  setTexts: 'core',
  dropData: 'core',
  setEditedTexts: 'core',
  setImage: 'core',
  setAlt: 'core',
  images: 'core',
  files: 'core',
  hours: 'core',
  currencies: 'core',
  footer: 'core',
  create: 'core',
  links: 'core',
  linksTo: 'core',
  anchors: 'core',
  setLink: 'core',
  linkBlock: 'core',
  addLinks: 'core',
  mergeLinks: 'core',
  move: 'core',
  frame: 'core',
  check: 'core',
  identity: 'core',
  language: 'core',
  addAlternate: 'core',
  gainedDoubles: 'core',
  setupChange: 'core',
  edit: 'core',
  groups: 'groups',
  sections: 'sections',
  menu: 'menu',
  rebuild: null,
  linkingPages: null,
  gainedOutsiders: null,
  knownKeys: null,
  compare: null,
  showsAny: null,
  standing: null,
  listPages: null,
  planTargets: null,
  updateSitemap: null,
  editRedirects: null,
  mergeRedirects: null,
  readHostFiles: null,
  editFile: null,
  checkFile: null,
  namedOutsiders: null,
};

/** The part of a format that makes each kind of change to a page. */
export const partOfChange: Record<PageChange['kind'], Part> = {
  members: 'groups',
  exchange: 'groups',
  'remove-section': 'sections',
  'move-section': 'sections',
  'add-entry': 'menu',
  'remove-entries': 'menu',
  'drop-links': 'core',
  'drop-alternates': 'core',
};

interface AboutFile {
  path?: string;
  page?: { path: string };
  target?: { path: string };
}

/**
 * The path of the file that a call is about, found in its arguments; null for a call about the
 * whole site.
 */
export function pathIn(args: readonly unknown[]): string | null {
  for (const arg of args) {
    const { path, page, target } = (arg ?? {}) as AboutFile;
    const found = path ?? page?.path ?? target?.path;
    if (found !== undefined) return found;
  }
  return null;
}
