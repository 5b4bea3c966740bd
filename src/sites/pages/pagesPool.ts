import { createThreads, ownWork, type ThreadLimits, type Work } from '../../threads/threads.ts';
import { htmlPaths } from '../html/htmlPaths.ts';
import type { InThreads, PageCalls, Pages, PagesPool } from './pages.ts';
import type { PagesJob } from './pagesWorker.ts';
import { SITEMAP } from './derivedFiles.ts';

type Name = keyof PageCalls;

/** Pages in a small pool of worker threads, which start with the first call. */
export function createPagesPool(limits: ThreadLimits = {}): PagesPool {
  const worker = new URL('./pagesWorker.ts', import.meta.url);
  const { run, close } = createThreads<PagesJob, unknown>({ worker, ...limits });
  const inThread =
    (work: Work, call: Name) =>
    (...args: unknown[]) => {
      const path = (pathIn[call] as (...args: unknown[]) => string | null)(...args);
      const slug = path === null ? null : htmlPaths.slugOf(path);
      const what = slug === null ? "The list of the site's files" : `Page ${slug}`;
      return run({ call, slug, args }, (limit) => `${what} takes more than ${limit} to read`, work);
    };
  const names = Object.keys(pathIn) as Name[];
  const pagesFor = (work: Work): Pages => ({
    isPage: (path) => htmlPaths.handles(path),
    slugOf: (path) => htmlPaths.slugOf(path),
    pathOf: (slug, templatePath) => htmlPaths.pathOf(slug, templatePath),
    ...(Object.fromEntries(names.map((call) => [call, inThread(work, call)])) as InThreads),
  });
  return { ...pagesFor(ownWork), for: pagesFor, close };
}

const pathOf = ({ path }: { path: string }) => path;

/** The path of the page that a call is about; null for one that is about the site. */
const pathIn: { [Call in Name]: (...args: Parameters<PageCalls[Call]>) => string | null } = {
  read: pathOf,
  readTexts: pathOf,
  readTemplate: pathOf,
  setTexts: pathOf,
  setEditedTexts: pathOf,
  groups: pathOf,
  rebuild: pathOf,
  sections: pathOf,
  menu: pathOf,
  hours: pathOf,
  create: ({ target }) => target.path,
  linksTo: pathOf,
  links: pathOf,
  images: pathOf,
  anchors: pathOf,
  setLink: pathOf,
  setAlt: pathOf,
  move: pathOf,
  compare: (before, after) => (after ?? before)?.path ?? '',
  frame: pathOf,
  check: pathOf,
  listPages: () => null,
  planTargets: () => null,
  updateSitemap: () => SITEMAP,
};
