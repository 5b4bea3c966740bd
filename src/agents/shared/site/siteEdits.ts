import { createHash } from 'node:crypto';
import { createFairQueue } from '../../../fairQueue.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { PageFile } from '../../../contract/site.ts';
import { DomainError, finalError, invalidInputError, nullIfFinal } from '../../../errors.ts';
import type {
  OutlineQuery,
  EditName,
  PageChange,
  PageCheck,
  PageContent,
  PageEditCall,
  PageSource,
  TemplateContent,
} from '../../../sites/formats/format.ts';
import type { PageMethods } from '../../../sites/pages/pages.ts';
import type { PageCalls } from '../../../sites/pages/pageCalls.ts';
import type { SlotTexts } from '../../../sites/formats/pageParts.ts';
import type { EditedPageSource } from '../../../sites/formats/changes.ts';
import type { FileChange, Tree } from '../../../sites/git/repository.ts';
import { packFileNames } from '../../../sites/pages/listing/fileNames.ts';
import { readSiblings } from '../../../sites/pages/templates.ts';
import { styleSheetsOf } from '../../../sites/checks/checkChanges.ts';
import { checkPages } from '../../../sites/checks/checkPages.ts';
import { createFileEdits, type FileEdits } from './fileEdits.ts';
import { createPageOrigins, type PageOrigins } from './pageOrigins.ts';
import { createSitePageChanges, type SitePageChanges } from './sitePageChanges.ts';
import { createSlugReader } from './pageSlugs.ts';
import { createPageContentCache } from './pageContentCache.ts';
import { createRedirectEdits, type RedirectEdits } from './redirectEdits.ts';
import type { PageTextCalls } from '../texts/textsPool.ts';
import { pageExistsError } from '../../../sites/pages/listing/pageExists.ts';

/**
 * The site as a prompt task has edited it, in memory. Nothing is written to git before the commit.
 *
 * - `siteEdits.ts` reads and changes pages. `fileEdits.ts` keeps the changed files.
 * - `pageOrigins.ts` and `sitePageChanges.ts` know which pages were created, moved and deleted.
 * - `redirectEdits.ts` redirects the URLs of moved and deleted pages.
 * - `taskWarnings.ts` collects notes for people. `taskPictures.ts` chooses pictures for the model.
 * - `pageContentCache.ts` caches pages that were parsed.
 *
 * For example, `edit(page, 'setTexts', { s12: 'Web design in Lisbon' })` returns true if the page
 * changed. Then `changes()` returns
 * `[{ path: 'locations/lisbon.html', content: '<!doctype html>…' }]`.
 */

/** Reading titles means parsing every page, so larger sites are listed without titles. */
const MAX_TITLED_PAGES = 500;
/** Pages in memory at the same time while titles are read. */
const PAGE_READING_QUEUE = { what: 'a turn to read pages', places: 8 };

/** Most pages whose ids are read to find out which links into them lead nowhere. */
const MAX_PAGES_WITH_ANCHORS = 20;

/** How a new page differs from its template. */
interface NewPageParts {
  /** New texts, by ids of the template's slots. */
  texts?: SlotTexts;
  /** BCP 47 tag of its language. */
  lang?: string;
}

/** Names of the calls of `PageMethods` that take a page first and return an `Answer`. */
type CallsReturning<Answer> = {
  [Name in keyof PageCalls]: PageCalls[Name] extends (page: PageSource, ...args: never[]) => Answer
    ? Name
    : never;
}[keyof PageCalls];

/** The arguments of a call after the page. */
type ArgumentsOf<Name extends keyof PageCalls> =
  Parameters<PageCalls[Name]> extends [unknown, ...infer Others] ? Others : never;

export interface SiteEdits extends SitePageChanges {
  /** All pages, including edits, by slug. */
  files(): readonly PageFile[];
  find(slug: string): PageFile | undefined;
  source(path: string): Promise<string>;
  /** A page's source with its element numbers in this task. */
  pageSource(page: PageFile): Promise<PageSource>;
  read(page: PageFile): Promise<PageContent>;
  /** Calls `PageMethods` for a page or another file, including edits. */
  query<Name extends CallsReturning<unknown>>(
    page: PageFile,
    name: Name,
    ...args: ArgumentsOf<Name>
  ): Promise<ReturnType<PageCalls[Name]>>;
  /** Writes texts, link targets or the head of a page. @returns whether the page changed */
  edit<Name extends EditName>(
    page: PageFile,
    name: Name,
    ...args: ArgumentsOf<Name>
  ): Promise<boolean>;
  /** The outline of a page with the numbers of its lines, as a language model reads it. */
  outline(page: PageFile, view?: Pick<OutlineQuery, 'isChrome' | 'from'>): Promise<string>;
  /**
   * What the checks of a commit would find on these pages now, as a message; undefined for nothing.
   */
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
  create(template: PageFile, target: PageFile, own?: NewPageParts): Promise<void>;
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
  /** Removes a page. `to`: the page to which its URLs redirect. */
  remove(page: PageFile, to?: PageFile): Promise<void>;
  /** The redirects from the URLs of moved and deleted pages. */
  redirects: Pick<RedirectEdits, 'problems' | 'filesFor'>;
  /** The slugs of pages whose URLs redirect, and of the pages to which they lead. */
  redirected(): { from: string; to: string }[];
  /** The files that the commit has for a slug. */
  committedFiles(slug: string): PageFile[];
  /** Whether the task created a page at a slug, even if it has deleted it again. */
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
  /** Remembers all edits so far. @returns a function that undoes all later edits */
  save(): () => void;
  /** Characters held in memory. */
  size(): number;
}

interface SiteEditsOptions {
  tree: Tree;
  pages: PageMethods;
  texts: Pick<PageTextCalls, 'mayLinkTo'>;
  /** Whether removing the home page is refused. */
  keepsHome?: boolean;
  /** The file of redirects to make for a site that has none; absent: none is made. */
  newHostFile?: string;
  /** ISO 8601 time of the task. */
  date?: string;
}

/** The pages of a commit with a task's edits, in memory. */
export function createSiteEdits(options: SiteEditsOptions): SiteEdits {
  const { tree, pages } = options;
  const edits = createFileEdits(tree);
  const listPaths = () => edits.paths();
  const origins = createPageOrigins(tree, edits);
  const numbers = createPageNumbers();
  const redirects = createRedirectEdits({ ...options, edits });
  const pageSource = async (path: string): Promise<PageSource> => ({
    path,
    source: await edits.source(path),
    ...withoutUndefined({ elementNumbers: numbers.get(path) }),
  });
  const writeSource = async (path: string, content: string | null) => {
    await edits.write(path, content);
    numbers.delete(path);
    contents.forget(path);
    listedFiles = undefined;
  };
  const isPage = (path: string) => pages.isPage(path) && isRegularFile(tree, path);
  const slugOf = createSlugReader(tree, pages);
  const fileOf = (path: string): PageFile => ({ slug: slugOf(path), path });
  let listedFiles: readonly PageFile[] | undefined;
  const listFiles = () =>
    (listedFiles ??= listPaths().filter(isPage).map(fileOf).sort(compareBySlug));
  const contents = createPageContentCache(async (path) => pages.read(await pageSource(path)));
  const readContent = ({ path }: PageFile) => contents.read(path);
  const callPages = (name: keyof PageCalls, page: PageSource, callArguments: unknown[]) =>
    (pages[name] as (...callArguments: unknown[]) => Promise<never>)(page, ...callArguments);

  return {
    files: listFiles,
    find: (slug) => listFiles().find((file) => file.slug === slug),
    source: (path) => edits.source(path),
    read: readContent,
    paths: listPaths,
    bytes: (path) => edits.bytes(path),
    query: async ({ path }, name, ...callArguments) =>
      callPages(name, await pageSource(path), callArguments),
    fileFor: (slug, template, without) =>
      planNewFile(listFileNames(tree, listPaths(), without), pages, template, slug),
    pageSource: ({ path }) => pageSource(path),
    committedFiles: (slug) =>
      [...tree.entries.keys()]
        .filter(isPage)
        .map(fileOf)
        .filter((file) => file.slug === slug),
    hasCreated: (slug) => origins.copies().some((path) => pages.slugOf(path) === slug),
    isUnchanged: ({ path }) => !edits.changes().some((change) => change.path === path),
    restore: async (page) => {
      await writeSource(page.path, await edits.original(page.path));
      origins.forget(page.path);
      await redirects.write();
    },
    ...addRedirects(
      createStructureEdits({
        ...options,
        origins,
        numbers,
        pageSource,
        write: writeSource,
        paths: listPaths,
        files: listFiles,
      }),
      redirects,
    ),
    ...createSiteReading({
      ...options,
      edits,
      origins,
      pageSource,
      paths: listPaths,
      files: listFiles,
    }),
    before: (path) => origins.source(path),
    titles: async () => readPageTitles(listFiles(), readContent),
    changes: () => edits.changes(),
    ...createSitePageChanges({ tree, edits, origins, isPage, fileOf }),
    digest: () => createEditsDigest(edits.changes()),
    save: () => {
      const restore = [edits.save(), numbers.save(), origins.save(), redirects.save()];
      const changesBefore = edits.changes();
      return () => {
        for (const { path } of [...changesBefore, ...edits.changes()]) contents.forget(path);
        listedFiles = undefined;
        for (const restorePart of restore) restorePart();
      };
    },
    redirects,
    redirected: () =>
      redirects
        .listRedirects()
        .map(({ from, to }) => ({ from: fileOf(from).slug, to: fileOf(to).slug })),
    size: () => edits.size() + contents.size(),
  };
}

interface ReadingDependencies extends Pick<
  StructureDependencies,
  'tree' | 'pages' | 'pageSource' | 'paths' | 'files'
> {
  edits: FileEdits;
  origins: PageOrigins;
}

/** What language models and people read of pages, with what the checks find on them. */
function createSiteReading({
  tree,
  pages,
  edits,
  origins,
  pageSource,
  paths,
  files,
}: ReadingDependencies) {
  const readPageSiblings = (path: string) =>
    readSiblings(createTreeBesideTask(tree, edits, origins.copiedFrom(path)), pages, path);
  const listRegularPaths = () => paths().filter((path) => isRegularFile(tree, path));
  const readAnchors = (page: PageSource) => readLinkedAnchors(page, { pages, pageSource, files });
  return {
    outline: async ({ path }, view = {}) => {
      const page = await pageSource(path);
      const siblings = await readPageSiblings(path);
      const anchors = await readAnchors(page);
      return pages.outline({ page, siblings, sitePaths: listRegularPaths(), anchors, ...view });
    },
    findViolations: async (checkedPages) => {
      const sitePaths = listRegularPaths();
      const changedFiles = edits.changes();
      const deletedFiles = changedFiles.filter(({ content }) => content === null);
      const checks = checkedPages.map(async ({ path }): Promise<PageCheck> => ({
        path,
        before: await origins.source(path),
        after: await edits.source(path),
        sitePaths,
        deleted: deletedFiles.map(({ path }) => path),
        mayAddLinks: true,
      }));
      const styleSheets = styleSheetsOf(changedFiles);
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
    const savedNumbers = [...numbers];
    return () => {
      numbers.clear();
      for (const [path, pageNumbers] of savedNumbers) numbers.set(path, pageNumbers);
    };
  };
  return Object.assign(numbers, { save });
}

/** The ids of elements in the pages that a page links into, by slug. */
async function readLinkedAnchors(
  page: PageSource,
  { pages, pageSource, files }: Pick<StructureDependencies, 'pages' | 'pageSource' | 'files'>,
): Promise<Record<string, string[]>> {
  const links = await pages.links(page);
  const slugs = new Set(links.map(({ slug, href }) => (href.includes('#') ? slug : undefined)));
  const linked = files().filter(({ slug, path }) => slugs.has(slug) && path !== page.path);
  const anchors: Record<string, string[]> = {};
  for (const { slug, path } of linked.slice(0, MAX_PAGES_WITH_ANCHORS)) {
    const pageAnchors = await pages.anchors(await pageSource(path)).catch(nullIfFinal);
    if (pageAnchors) anchors[slug] = pageAnchors;
  }
  return anchors;
}

/**
 * Whether a path is a regular file. Files that the task created are not in the tree, so they are
 * regular.
 */
const isRegularFile = ({ entries }: Tree, path: string) =>
  entries.get(path)?.mode.startsWith('100') ?? true;

/**
 * The commit's pages with edits, but without new pages and without the `origin` of a copy. Texts
 * shared with these pages are the site's chrome. A copy shares all texts with its origin.
 */
function createTreeBesideTask(tree: Tree, edits: FileEdits, origin: string | undefined): Tree {
  const entries = new Map(tree.entries);
  for (const { path, content } of edits.changes())
    if (content === null) entries.delete(path);
    else if (entries.has(path))
      entries.set(path, { path, id: '', mode: '100644', size: Buffer.byteLength(content) });
  if (origin !== undefined) entries.delete(origin);
  return { ...tree, entries, read: (path) => edits.source(path) };
}

interface StructureDependencies extends SiteEditsOptions {
  origins: PageOrigins;
  numbers: Pick<Map<string, string[]>, 'set'>;
  pageSource: (path: string) => Promise<PageSource>;
  write: (path: string, content: string | null) => Promise<void>;
  paths: () => string[];
  files: () => readonly PageFile[];
}

/** The operations that create, move, rebuild and remove pages. */
function createStructureEdits({
  tree,
  pages,
  texts,
  keepsHome,
  date,
  origins,
  numbers,
  pageSource,
  write,
  paths,
  files,
}: StructureDependencies) {
  /** Writes a page that an edit changed; null if it changed nothing. @returns whether it changed */
  const writeEdited = async (path: string, editedPage: EditedPageSource | null) => {
    if (!editedPage) return false;
    await write(path, editedPage.source);
    if (editedPage.elementNumbers) numbers.set(path, editedPage.elementNumbers);
    return true;
  };
  return {
    edit: async ({ path }, name, ...args) =>
      writeEdited(
        path,
        await pages.edit(await pageSource(path), { name, args } as unknown as PageEditCall),
      ),
    rebuild: async ({ path }, change) =>
      writeEdited(path, await pages.rebuild(await pageSource(path), change)),
    isRegular: (path) => paths().includes(path) && isRegularFile(tree, path),
    writeFile: write,
    template: async ({ path }) =>
      pages.readTemplate(await pageSource(path), await readSiblings(tree, pages, path)),
    create: async (template, target, { texts = {}, lang } = {}) => {
      const source = await pageSource(template.path);
      const siblings = await readSiblings(tree, pages, template.path);
      const { digest } = await pages.readTemplate(source, siblings);
      const content = await pages.create({
        template: source,
        target,
        texts,
        sitePaths: paths(),
        digest,
        siblings,
        ...withoutUndefined({ lang, date }),
      });
      await write(target.path, content);
      origins.copied(template, target);
    },
    move: async (from, to) => {
      const pageMove = { from, to, sitePaths: paths() };
      const followMove = (page: PageSource) => pages.edit(page, { name: 'move', args: [pageMove] });
      const pageToMove = await pageSource(from.path);
      const movedPage = (await followMove(pageToMove)) ?? pageToMove;
      const linkingPages: [string, EditedPageSource | null][] = [];
      for (const { path } of files()) {
        const page = await pageSource(path);
        if (path !== from.path && (await texts.mayLinkTo(page, from)))
          linkingPages.push([path, await followMove(page)]);
      }
      for (const [path, editedPage] of linkingPages) await writeEdited(path, editedPage);
      await write(to.path, movedPage.source);
      await write(from.path, null);
      origins.moved(from, to);
      if (movedPage.elementNumbers) numbers.set(to.path, movedPage.elementNumbers);
    },
    remove: async ({ slug, path }: PageFile) => {
      if (keepsHome && slug === '/') throw invalidInputError('The home page "/" can\'t be deleted');
      await write(path, null);
    },
  } satisfies Partial<SiteEdits>;
}

/** Adds to the operations that the URLs of moved and removed pages redirect (`RedirectEdits`). */
function addRedirects(
  structure: ReturnType<typeof createStructureEdits>,
  redirects: RedirectEdits,
) {
  return {
    ...structure,
    create: async (...createArguments: Parameters<SiteEdits['create']>) => {
      await structure.create(...createArguments);
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

const createEditsDigest = (changes: FileChange[]) =>
  createHash('sha256')
    .update(JSON.stringify(changes.map(({ path, content }) => [path, content])))
    .digest('hex');

function compareBySlug(first: PageFile, second: PageFile): number {
  const key = first.slug === second.slug ? 'path' : 'slug';
  return first[key] < second[key] ? -1 : 1;
}

/** The names of the site's files, including edits. */
function listFileNames({ entries }: Tree, paths: string[], without?: PageFile): string {
  const remainingPaths = paths.filter((path) => path !== without?.path);
  return packFileNames(remainingPaths.map((path) => entries.get(path) ?? { path, mode: '100644' }));
}

async function planNewFile(
  names: string,
  pages: PageMethods,
  template: PageFile,
  slug: string,
): Promise<PageFile> {
  const [target] = await pages.planTargets(names, { templatePath: template.path, slugs: [slug] });
  if (!target || target.existing) throw pageExistsError(slug);
  return { slug, path: target.path };
}

async function readPageTitles(
  files: readonly PageFile[],
  read: (page: PageFile) => Promise<PageContent>,
) {
  if (files.length > MAX_TITLED_PAGES) return files.map(({ slug }) => ({ slug, title: '' }));
  const readTitle = (page: PageFile) =>
    read(page).then(
      ({ title: readTitle }) => readTitle,
      (error: unknown) => {
        // only a final error leaves the title out, so that repeated turns read the same
        if (error instanceof DomainError && error.retryable) throw error;
        return '';
      },
    );
  const queue = createFairQueue(PAGE_READING_QUEUE);
  return Promise.all(
    files.map((page) =>
      queue.run('', async () => ({ slug: page.slug, title: await readTitle(page) })),
    ),
  );
}
