import { createHash } from 'node:crypto';
import { createFairQueue } from '../fairQueue.ts';
import { defined } from '../contract/defined.ts';
import type { PageFile } from '../contract/site.ts';
import { DomainError, finalError, invalidInput, nullIfFinal } from '../errors.ts';
import type {
  OutlineQuestion,
  EditName,
  PageChange,
  PageCheck,
  PageContent,
  PageEdit,
  PageSource,
  TemplateContent,
} from '../sites/formats/format.ts';
import type { Pages } from '../sites/pages/pages.ts';
import type { PageCalls } from '../sites/pages/pagesCalls.ts';
import type { SlotTexts } from '../sites/formats/page.ts';
import type { Edited } from '../sites/formats/changes.ts';
import type { FileChange, Tree } from '../sites/git/repository.ts';
import { fileNames } from '../sites/pages/fileNames.ts';
import { readSisters } from '../sites/pages/template.ts';
import { styleSheetsOf } from '../sites/checks/checkChanges.ts';
import { checkPages } from '../sites/checks/checkPages.ts';
import { createFileEdits, type FileEdits } from './fileEdits.ts';
import { createOrigins, type Origins } from './origins.ts';
import { createPageChanges, type PageChanges } from './pageChanges.ts';
import { createPageContents } from './pageContents.ts';
import { createRedirectEdits, type RedirectEdits } from './redirectEdits.ts';
import type { Texts } from './tools/textsPool.ts';

/** Reading titles means parsing every page, so larger sites are listed without titles. */
const TITLED_PAGES = 500;
/** Pages in memory at the same time while titles are read. */
const READ_AT_ONCE = { what: 'a turn to read pages', places: 8 };

/** Most pages whose places are read to tell which links into them lead nowhere. */
const PAGES_WITH_PLACES = 20;

/** How a new page differs from its template. */
interface OwnParts {
  /** New texts, by ids of the template's slots. */
  texts?: SlotTexts;
  /** BCP 47 tag of its language. */
  lang?: string;
}

/** Names of the calls of `Pages` that take a page first and return an `Answer`. */
type CallsFor<Answer> = {
  [Name in keyof PageCalls]: PageCalls[Name] extends (page: PageSource, ...args: never[]) => Answer
    ? Name
    : never;
}[keyof PageCalls];

/** The arguments of a call after the page. */
type ArgumentsOf<Name extends keyof PageCalls> =
  Parameters<PageCalls[Name]> extends [unknown, ...infer Others] ? Others : never;

export interface SiteEdits extends PageChanges {
  /** All pages, including edits, by slug. */
  files(): readonly PageFile[];
  find(slug: string): PageFile | undefined;
  source(path: string): Promise<string>;
  /** A page's source with its element numbers in this task. */
  pageSource(page: PageFile): Promise<PageSource>;
  read(page: PageFile): Promise<PageContent>;
  /** Calls `Pages` for a page or another file, including edits. */
  query<Name extends CallsFor<unknown>>(
    page: PageFile,
    name: Name,
    ...args: ArgumentsOf<Name>
  ): Promise<ReturnType<PageCalls[Name]>>;
  /** Writes texts, addresses or the head of a page. @returns whether the page changed */
  edit<Name extends EditName>(
    page: PageFile,
    name: Name,
    ...args: ArgumentsOf<Name>
  ): Promise<boolean>;
  /** The outline of a page with the numbers of its lines, as a language model reads it. */
  outline(page: PageFile, view?: Pick<OutlineQuestion, 'isChrome' | 'from'>): Promise<string>;
  /** What the checks of a commit would find on pages as they are now; undefined for nothing. */
  findViolations(pages: PageFile[]): Promise<string | undefined>;
  /**
   * Adds, moves or removes elements of a page. The other elements keep their ids until an edit
   * changes how many elements there are.
   * @returns whether anything changed
   */
  rebuild(page: PageFile, change: PageChange): Promise<boolean>;
  /**
   * The file for a new page at `slug`, named like the template's. `without`: a page that the new
   * one replaces. Throws PAGE_EXISTS.
   */
  fileFor(slug: string, template: PageFile, without?: PageFile): Promise<PageFile>;
  /** Creates a page as a copy of another one. */
  create(template: PageFile, target: PageFile, own?: OwnParts): Promise<void>;
  /** A file's size in bytes. */
  bytes(path: string): number;
  /** Whether a regular file, not a symbolic link, exists at a path. */
  isRegular(path: string): boolean;
  /** Writes a file. The elements of a page then have the numbers of their positions. */
  writeFile(path: string, content: string): Promise<void>;
  /** A page as a template: texts that other pages share are locked. */
  template(page: PageFile): Promise<TemplateContent>;
  /** Moves a page, and updates every page's links to it. */
  move(page: PageFile, target: PageFile): Promise<void>;
  /** Removes a page. `to`: the page to which its addresses lead on. */
  remove(page: PageFile, to?: PageFile): Promise<void>;
  /** The redirects from the addresses of moved and deleted pages. */
  redirects: Pick<RedirectEdits, 'problems' | 'filesFor'>;
  /** The slugs of pages whose addresses lead on, and of the pages to which they lead. */
  redirected(): { from: string; to: string }[];
  /** The files that the commit has for a slug. */
  committedFiles(slug: string): PageFile[];
  /** Whether the task made a page at a slug, which may be gone again. */
  hasCreated(slug: string): boolean;
  /** Whether a file of the commit is as it was before the task. */
  isUnchanged(page: PageFile): boolean;
  /** Brings a file of the commit back. */
  restore(page: PageFile): Promise<void>;
  paths(): string[];
  titles(): Promise<{ slug: string; title: string }[]>;
  changes(): FileChange[];
  /**
   * A page's content at the base commit, or its origin's if it is a copy; null if there is neither.
   */
  before(path: string): Promise<PageSource | null>;
  digest(): string;
  /** Remembers all edits so far. @returns a function that takes back those after them */
  save(): () => void;
  /** Characters held in memory. */
  size(): number;
}

interface Site {
  tree: Tree;
  pages: Pages;
  texts: Pick<Texts, 'mayLeadTo'>;
  /** Whether removing the home page is refused. */
  keepsHome?: boolean;
  /** The file of redirects to make for a site that has none; absent: none is made. */
  newHostFile?: string;
}

/** The pages of a commit with a task's edits, in memory. */
export function createSiteEdits(site: Site): SiteEdits {
  const { tree, pages } = site;
  const edits = createFileEdits(tree);
  const paths = () => edits.paths();
  const origins = createOrigins(tree, edits);
  const numbers = createPageNumbers();
  const redirects = createRedirectEdits({ ...site, edits });
  const pageSource = async (path: string): Promise<PageSource> => ({
    path,
    source: await edits.source(path),
    ...defined({ numbers: numbers.get(path) }),
  });
  const write = async (path: string, content: string | null) => {
    await edits.write(path, content);
    numbers.delete(path);
    contents.forget(path);
    listed = undefined;
  };
  const isPage = (path: string) => pages.isPage(path) && isRegular(tree, path);
  const fileOf = (path: string): PageFile => ({ slug: pages.slugOf(path), path });
  let listed: readonly PageFile[] | undefined;
  const files = () => (listed ??= paths().filter(isPage).map(fileOf).sort(bySlug));
  const contents = createPageContents(async (path) => pages.read(await pageSource(path)));
  const read = ({ path }: PageFile) => contents.read(path);
  const call = (name: keyof PageCalls, page: PageSource, args: unknown[]) =>
    (pages[name] as (...args: unknown[]) => Promise<never>)(page, ...args);

  return {
    files,
    find: (slug) => files().find((file) => file.slug === slug),
    source: (path) => edits.source(path),
    read,
    paths,
    bytes: (path) => edits.bytes(path),
    query: async ({ path }, name, ...args) => call(name, await pageSource(path), args),
    fileFor: (slug, template, without) =>
      fileIn(namesOf(tree, paths(), without), pages, template, slug),
    pageSource: ({ path }) => pageSource(path),
    committedFiles: (slug) =>
      [...tree.entries.keys()]
        .filter(isPage)
        .map(fileOf)
        .filter((file) => file.slug === slug),
    hasCreated: (slug) => origins.copies().some((path) => pages.slugOf(path) === slug),
    isUnchanged: ({ path }) => !edits.changes().some((change) => change.path === path),
    restore: async (page) => {
      await write(page.path, await edits.original(page.path));
      origins.forget(page.path);
      await redirects.write();
    },
    ...leadingOn(
      structureOf({ ...site, origins, numbers, pageSource, write, paths, files }),
      redirects,
    ),
    ...readingOf({ ...site, edits, origins, pageSource, paths, files }),
    before: (path) => origins.source(path),
    titles: async () => titlesOf(files(), read),
    changes: () => edits.changes(),
    ...createPageChanges({ tree, edits, origins, isPage, fileOf }),
    digest: () => digestOf(edits.changes()),
    save: () => {
      const restore = [edits.save(), numbers.save(), origins.save(), redirects.save()];
      const before = edits.changes();
      return () => {
        for (const { path } of [...before, ...edits.changes()]) contents.forget(path);
        listed = undefined;
        for (const one of restore) one();
      };
    },
    redirects,
    redirected: () =>
      redirects.listRedirects().map(({ from, to }) => ({ from: fileOf(from).slug, to: fileOf(to).slug })),
    size: () => edits.size() + contents.size(),
  };
}

interface ReadParts extends Pick<Parts, 'tree' | 'pages' | 'pageSource' | 'paths' | 'files'> {
  edits: FileEdits;
  origins: Origins;
}

/** What language models and people read of pages, with what the checks find on them. */
function readingOf({ tree, pages, edits, origins, pageSource, paths, files }: ReadParts) {
  const sistersOf = (path: string) =>
    readSisters(treeBeside(tree, edits, origins.copiedFrom(path)), pages, path);
  const regularPaths = () => paths().filter((path) => isRegular(tree, path));
  const anchorsOf = (page: PageSource) => anchorsFor(page, { pages, pageSource, files });
  return {
    outline: async ({ path }, view = {}) => {
      const page = await pageSource(path);
      const sisters = await sistersOf(path);
      const anchors = await anchorsOf(page);
      return pages.outline({ page, siblings: sisters, sitePaths: regularPaths(), anchors, ...view });
    },
    findViolations: async (asked) => {
      const sitePaths = regularPaths();
      const changed = edits.changes();
      const gone = changed.filter(({ content }) => content === null);
      const checks = asked.map(async ({ path }): Promise<PageCheck> => ({
        path,
        before: await origins.source(path),
        after: await edits.source(path),
        sitePaths,
        deleted: gone.map(({ path }) => path),
        newLinks: true,
      }));
      const styleSheets = styleSheetsOf(changed);
      return checkPages(pages, await Promise.all(checks), tree, styleSheets).then(
        () => undefined,
        (error: unknown) => finalError(error).message,
      );
    },
  } satisfies Partial<SiteEdits>;
}

/** The element numbers of pages whose elements a change added, removed or moved, by path. */
function createPageNumbers() {
  const numbers = new Map<string, string[]>();
  const save = () => {
    const saved = [...numbers];
    return () => {
      numbers.clear();
      for (const [path, own] of saved) numbers.set(path, own);
    };
  };
  return Object.assign(numbers, { save });
}

/** The places of the pages that a page links into, by slug. */
async function anchorsFor(
  page: PageSource,
  { pages, pageSource, files }: Pick<Parts, 'pages' | 'pageSource' | 'files'>,
): Promise<Record<string, string[]>> {
  const links = await pages.links(page);
  const slugs = new Set(links.map(({ slug, href }) => (href.includes('#') ? slug : undefined)));
  const linked = files().filter(({ slug, path }) => slugs.has(slug) && path !== page.path);
  const anchors: Record<string, string[]> = {};
  for (const { slug, path } of linked.slice(0, PAGES_WITH_PLACES)) {
    const found = await pages.anchors(await pageSource(path)).catch(nullIfFinal);
    if (found) anchors[slug] = found;
  }
  return anchors;
}

/**
 * Whether a path is a regular file. Files that the task created are not in the tree, so they are
 * regular.
 */
const isRegular = ({ entries }: Tree, path: string) =>
  entries.get(path)?.mode.startsWith('100') ?? true;

/**
 * The commit's pages with edits, but without new pages and without the `origin` of a copy. Texts
 * shared with these pages are the site's chrome. A copy shares all texts with its origin.
 */
function treeBeside(tree: Tree, edits: FileEdits, origin: string | undefined): Tree {
  const entries = new Map(tree.entries);
  for (const { path, content } of edits.changes())
    if (content === null) entries.delete(path);
    else if (entries.has(path))
      entries.set(path, { path, id: '', mode: '100644', size: Buffer.byteLength(content) });
  if (origin !== undefined) entries.delete(origin);
  return { ...tree, entries, read: (path) => edits.source(path) };
}

interface Parts extends Site {
  origins: Origins;
  numbers: Pick<Map<string, string[]>, 'set'>;
  pageSource: (path: string) => Promise<PageSource>;
  write: (path: string, content: string | null) => Promise<void>;
  paths: () => string[];
  files: () => readonly PageFile[];
}

/** The operations that create, move, rebuild and remove pages. */
function structureOf({
  tree,
  pages,
  texts,
  keepsHome,
  origins,
  numbers,
  pageSource,
  write,
  paths,
  files,
}: Parts) {
  /** The only way in which a page is changed. @returns whether it changed */
  const put = async (path: string, made: Edited | null) => {
    if (!made) return false;
    await write(path, made.source);
    if (made.numbers) numbers.set(path, made.numbers);
    return true;
  };
  return {
    edit: async ({ path }, name, ...args) =>
      put(path, await pages.edit(await pageSource(path), { name, args } as unknown as PageEdit)),
    rebuild: async ({ path }, change) =>
      put(path, await pages.rebuild(await pageSource(path), change)),
    isRegular: (path) => paths().includes(path) && isRegular(tree, path),
    writeFile: write,
    template: async ({ path }) =>
      pages.readTemplate(await pageSource(path), await readSisters(tree, pages, path)),
    create: async (template, target, { texts = {}, lang } = {}) => {
      const source = await pageSource(template.path);
      const sisters = await readSisters(tree, pages, template.path);
      const { digest } = await pages.readTemplate(source, sisters);
      const content = await pages.create({
        template: source,
        target,
        texts,
        sitePaths: paths(),
        digest,
        siblings: sisters,
        ...defined({ lang }),
      });
      await write(target.path, content);
      origins.copied(template, target);
    },
    move: async (from, to) => {
      const move = { from, to, sitePaths: paths() };
      const follow = (page: PageSource) => pages.edit(page, { name: 'move', args: [move] });
      const own = await pageSource(from.path);
      const moved = (await follow(own)) ?? own;
      const linking: [string, Edited | null][] = [];
      for (const { path } of files()) {
        const page = await pageSource(path);
        if (path !== from.path && (await texts.mayLeadTo(page, from)))
          linking.push([path, await follow(page)]);
      }
      for (const [path, made] of linking) await put(path, made);
      await write(to.path, moved.source);
      await write(from.path, null);
      origins.moved(from, to);
      if (moved.numbers) numbers.set(to.path, moved.numbers);
    },
    remove: async ({ slug, path }: PageFile) => {
      if (keepsHome && slug === '/') throw invalidInput('The home page "/" can\'t be deleted');
      await write(path, null);
    },
  } satisfies Partial<SiteEdits>;
}

/** Lets the addresses of moved and removed pages lead on, in the files of hosts. */
function leadingOn(structure: ReturnType<typeof structureOf>, redirects: RedirectEdits) {
  return {
    ...structure,
    create: async (...args: Parameters<SiteEdits['create']>) => {
      await structure.create(...args);
      await redirects.write();
    },
    move: async (from, to) => {
      await structure.move(from, to);
      await redirects.redirect(from.path, to.path);
    },
    remove: async (page, to) => {
      await structure.remove(page);
      await redirects.redirect(page.path, to?.path ?? null);
    },
  } satisfies Partial<SiteEdits>;
}

const digestOf = (changes: FileChange[]) =>
  createHash('sha256')
    .update(JSON.stringify(changes.map(({ path, content }) => [path, content])))
    .digest('hex');

function bySlug(a: PageFile, b: PageFile): number {
  const key = a.slug === b.slug ? 'path' : 'slug';
  return a[key] < b[key] ? -1 : 1;
}

/** The names of the site's files, including edits. */
function namesOf({ entries }: Tree, paths: string[], without?: PageFile): string {
  const left = paths.filter((path) => path !== without?.path);
  return fileNames(left.map((path) => entries.get(path) ?? { path, mode: '100644' }));
}

async function fileIn(
  names: string,
  pages: Pages,
  template: PageFile,
  slug: string,
): Promise<PageFile> {
  const [target] = await pages.planTargets(names, { templatePath: template.path, slugs: [slug] });
  if (!target || target.existing)
    throw new DomainError('PAGE_EXISTS', `Page already exists: ${slug}`);
  return { slug, path: target.path };
}

async function titlesOf(
  files: readonly PageFile[],
  read: (page: PageFile) => Promise<PageContent>,
) {
  if (files.length > TITLED_PAGES) return files.map(({ slug }) => ({ slug, title: '' }));
  const title = (page: PageFile) =>
    read(page).then(
      ({ title }) => title,
      (error: unknown) => {
        // only a final error leaves the title out, so that repeated turns read the same
        if (error instanceof DomainError && error.retryable) throw error;
        return '';
      },
    );
  const queue = createFairQueue(READ_AT_ONCE);
  return Promise.all(
    files.map((page) => queue.run('', async () => ({ slug: page.slug, title: await title(page) }))),
  );
}
