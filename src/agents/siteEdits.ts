import { createHash } from 'node:crypto';
import type { PageFile } from '../contract/site.ts';
import type { SlotTexts } from '../sites/formats/format.ts';
import type { PageContent, Pages, PageSource } from '../sites/pages.ts';
import type { FileChange, Tree } from '../sites/repository.ts';
import { readSisters } from '../sites/template.ts';

/** Titles are read by parsing every page: more pages than this are listed by slug alone. */
const TITLED_PAGES = 500;

export interface SiteEdits {
  /** Every page now, by slug. */
  files(): PageFile[];
  find(slug: string): PageFile | undefined;
  source(path: string): Promise<string>;
  read(page: PageFile): Promise<PageContent>;
  linksTo(page: PageFile, slug: string): Promise<string[]>;
  setTexts(page: PageFile, texts: SlotTexts): Promise<void>;
  /** Where a new page at `slug` would lie, by the template's convention. */
  placeFor(slug: string, template: PageFile): PageFile;
  create(template: PageFile, target: PageFile): Promise<void>;
  remove(page: PageFile): Promise<void>;
  paths(): string[];
  titles(): Promise<{ slug: string; title: string }[]>;
  changes(): FileChange[];
  /** What a changed page was made of: its own bytes at the base commit, or those of the page that it was copied from; null for neither. */
  before(path: string): Promise<PageSource | null>;
  touched(): { created: PageFile[]; modified: PageFile[]; deleted: PageFile[] };
  digest(): string;
}

/** A commit's pages with edits on top of them, in memory. */
export function createSiteEdits(tree: Tree, pages: Pages): SiteEdits {
  const edits = new Map<string, string | null>();
  const base = new Map<string, string>();
  const contents = new Map<string, Promise<PageContent>>();
  /** For a page that was copied, the page of the base commit that it comes from. */
  const origins = new Map<string, string>();
  const exists = (path: string) => (edits.has(path) ? edits.get(path) !== null : tree.entries.has(path));
  const paths = () => [...new Set([...tree.entries.keys(), ...edits.keys()])].filter(exists).sort();

  const original = async (path: string) => {
    if (!base.has(path)) base.set(path, await tree.read(path));
    return base.get(path)!;
  };
  const source = async (path: string) => edits.get(path) ?? (await original(path));
  const pageSource = async (path: string): Promise<PageSource> => ({ path, source: await source(path) });
  const write = async (path: string, content: string | null) => {
    if (tree.entries.has(path)) await original(path);
    contents.delete(path);
    if (content === (base.get(path) ?? null)) edits.delete(path);
    else edits.set(path, content);
  };
  const isPage = (path: string) => pages.isPage(path) && (tree.entries.get(path)?.mode.startsWith('100') ?? true);
  const fileOf = (path: string): PageFile => ({ slug: pages.slugOf(path), path });
  const files = () => paths().filter(isPage).map(fileOf).sort(bySlug);
  const read = ({ path }: PageFile) => {
    const known = contents.get(path) ?? pageSource(path).then((page) => pages.read(page));
    contents.set(path, known);
    return known;
  };
  const sorted = () => [...edits].sort(([a], [b]) => (a < b ? -1 : 1));
  const touched = (wanted: (path: string, content: string | null) => boolean) =>
    sorted().flatMap(([path, content]) => (wanted(path, content) ? [fileOf(path)] : []));

  return {
    files,
    find: (slug) => files().find((file) => file.slug === slug),
    source,
    read,
    paths,
    linksTo: async ({ path }, slug) => pages.linksTo(await pageSource(path), slug),
    setTexts: async ({ path }, texts) => write(path, await pages.setTexts(await pageSource(path), texts)),
    placeFor: (slug, template) => ({ slug, path: pages.pathOf(slug, template.path) }),
    create: async (template, target) => {
      await write(target.path, await createFrom(tree, pages, await pageSource(template.path), target, paths()));
      origins.set(target.path, origins.get(template.path) ?? template.path);
    },
    remove: async ({ path }) => write(path, null),
    before: async (path) => {
      const origin = origins.get(path) ?? path;
      return tree.entries.has(origin) ? { path: origin, source: await original(origin) } : null;
    },
    titles: async () => titlesOf(files(), read),
    changes: () => sorted().map(([path, content]) => ({ path, content })),
    touched: () => ({
      created: touched((path, content) => content !== null && !tree.entries.has(path)),
      modified: touched((path, content) => content !== null && tree.entries.has(path)),
      deleted: touched((_, content) => content === null),
    }),
    digest: () => createHash('sha256').update(JSON.stringify(sorted())).digest('hex'),
  };
}

const bySlug = (a: PageFile, b: PageFile) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : a.path < b.path ? -1 : 1);

async function createFrom(
  tree: Tree,
  pages: Pages,
  template: PageSource,
  target: PageFile,
  sitePaths: string[],
): Promise<string> {
  const sisters = await readSisters(tree, pages, template.path);
  const { digest } = await pages.readTemplate(template, sisters);
  return pages.create({ template, target, texts: {}, sitePaths, digest, sisters });
}

async function titlesOf(files: PageFile[], read: (page: PageFile) => Promise<PageContent>) {
  if (files.length > TITLED_PAGES) return files.map(({ slug }) => ({ slug, title: '' }));
  const title = (page: PageFile) =>
    read(page).then(
      ({ title }) => title,
      () => '',
    );
  return Promise.all(files.map(async (page) => ({ slug: page.slug, title: await title(page) })));
}
