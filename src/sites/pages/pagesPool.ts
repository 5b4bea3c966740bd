import { type InThreads, pooled } from '../../threads/pooled.ts';
import { pack } from '../../threads/shared.ts';
import { createThreads, type Work } from '../../threads/threads.ts';
import { htmlPaths } from '../formats/html/htmlPaths.ts';
import type { PageCalls, Pages, PagesPool } from './pages.ts';
import type { PagesJob } from './pagesWorker.ts';
import { SITEMAP } from './derivedFiles.ts';

type Name = keyof PageCalls;

/** Pages in worker threads. */
export function createPagesPool(threads = createThreads()): PagesPool {
  const worker = new URL('./pagesWorker.ts', import.meta.url);
  const inThread =
    (work: Work, call: Name) =>
    (...args: unknown[]) => {
      const path = (pathIn[call] as (...args: unknown[]) => string | null)(...args);
      const name = path === null ? null : nameOf(path);
      const what = name ?? "The list of the site's files";
      const overLimit = (limit: string) => `${what} takes more than ${limit} to read`;
      const [first, ...rest] = args;
      const packed = call in common ? [pack(first as object, common[call]!), ...rest] : args;
      return threads.run<PagesJob>(worker, { call, name, args: packed }, overLimit, work);
    };
  const names = Object.keys(pathIn) as Name[];
  const pagesFor = (work: Work): Pages => ({
    isPage: (path) => htmlPaths.handles(path),
    slugOf: (path) => htmlPaths.slugOf(path),
    pathOf: (slug, templatePath) => htmlPaths.pathOf(slug, templatePath),
    ...(Object.fromEntries(names.map((call) => [call, inThread(work, call)])) as InThreads<PageCalls>),
  });
  return pooled(threads, pagesFor);
}

/** What the calls for all pages of a step have in common. */
const common: Partial<Record<Name, string[]>> = {
  create: ['template', 'sisters', 'sitePaths'],
  check: ['before', 'sitePaths'],
};

/** How an error names what it is about. */
const nameOf = (path: string) =>
  htmlPaths.handles(path) || path === SITEMAP || path === '' ? `Page ${htmlPaths.slugOf(path)}` : path;

const pathOf = ({ path }: { path: string }) => path;

/** The path of the page that a call is about; null for one that is about the site. */
const pathIn: { [Call in Name]: (...args: Parameters<PageCalls[Call]>) => string | null } = {
  read: pathOf,
  outline: ({ page }) => page.path,
  markup: pathOf,
  nearIds: pathOf,
  kinds: pathOf,
  groupLinks: pathOf,
  places: pathOf,
  atPlaces: pathOf,
  linkId: pathOf,
  setImage: pathOf,
  readTexts: pathOf,
  standing: ({ now }) => now.path,
  readTemplate: pathOf,
  setTexts: pathOf,
  setEditedTexts: pathOf,
  groups: pathOf,
  rebuild: pathOf,
  sections: pathOf,
  menu: pathOf,
  hours: pathOf,
  footer: pathOf,
  create: ({ target }) => target.path,
  linksTo: pathOf,
  links: pathOf,
  images: pathOf,
  anchors: pathOf,
  setLink: pathOf,
  setAlt: pathOf,
  move: pathOf,
  linkBlock: ({ page }) => page.path,
  addLinks: ({ page }) => page.path,
  mergeLinks: ({ theirs }) => theirs.path,
  linkingPages: () => null,
  compare: (before, after) => (after ?? before)?.path ?? '',
  frame: pathOf,
  check: pathOf,
  styles: pathOf,
  setStyle: pathOf,
  replaceColour: pathOf,
  editFile: pathOf,
  checkFile: pathOf,
  classesOf: pathOf,
  classes: pathOf,
  identity: pathOf,
  language: pathOf,
  addAlternate: pathOf,
  gainedOutsiders: pathOf,
  gainedDoubles: pathOf,
  namedOutsiders: () => 'The request',
  knownKeys: pathOf,
  listPages: () => null,
  planTargets: () => null,
  updateSitemap: () => SITEMAP,
};
