import { createHash } from 'node:crypto';
import type { Site, SiteRepository } from '../contract/site.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { Hosting } from '../hosting/hosting.ts';
import { taskRef } from '../sites/git/taskCommit.ts';
import type { Framing, Pages, PageSource } from '../sites/pages.ts';
import type { Repositories, Repository, Tree } from '../sites/repository.ts';
import { isRegular } from '../sites/template.ts';
import { checkSource } from './source.ts';
import { type EditableTask, pageOf } from './task.ts';
import { editableText, type EditableText, slotTexts, type TextEdits } from './texts.ts';

export interface EditorDeps {
  sites: { find(organizationId: string, siteId: string): Promise<Site | null> };
  repositories: Pick<Repositories, 'open'>;
  pages: Pages;
  hosting: Pick<Hosting, 'advancePreview'>;
}

/** A page as it is at this moment, and everything of it that can be edited. */
export interface OpenedPage {
  slug: string;
  title: string;
  /** SHA-256 of the source, hexadecimal: what a save must name, so that nobody overwrites what they have not seen. */
  digest: string;
  source: string;
  texts: EditableText[];
  previewUrl: string;
  /** Slugs of all pages of the task. */
  pages: string[];
}

/** What a save changes: some texts, or the whole source. `digest` is that of the page that was open. */
export type Change = { digest: string } & ({ texts: TextEdits } | { source: string });

export interface EditorFraming extends Pick<Framing, 'attribute'> {
  /** Given the digest of the page's source. */
  head(digest: string): string;
}

export interface Editor {
  /** Throws NOT_FOUND for a page that is not the task's, CONFLICT for one that can't be read, UNAVAILABLE. */
  open(task: EditableTask, slug: string): Promise<OpenedPage>;
  /** The page to be shown for editing, as `Pages.frame` makes it. Throws as `open`. */
  frame(task: EditableTask, slug: string, framing: EditorFraming): Promise<string>;
  /**
   * Makes a change the task's present result, which its preview shows then. A change that is there already is none.
   * Throws as `open`, and CONFLICT where the page is another one by now, INVALID_INPUT for texts or a source that can't be.
   */
  save(task: EditableTask, slug: string, change: Change): Promise<OpenedPage>;
}

const ATTEMPTS = 5;

/** Edits pages of finished tasks by hand. Everything is read anew with each call: the task's hidden ref is what counts. */
export function createEditor(deps: EditorDeps): Editor {
  return {
    open: (task, slug) => translated(async () => opened(deps, task, await present(deps, task, slug))),

    frame: (task, slug, framing) =>
      translated(async () => {
        const { page } = await present(deps, task, slug);
        const { previewUrl: url } = pageOf(task, slug);
        return deps.pages.frame(page, { ...framing, url, head: framing.head(digestOf(page.source)) });
      }),

    save: (task, slug, change) =>
      translated(async () => {
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const before = await present(deps, task, slug);
          const source = await changedSource(deps.pages, before.page, change);
          if (source === before.page.source || (await commit(task, before, source)))
            return opened(deps, task, await present(deps, task, slug));
        }
        throw changedMeanwhile(slug);
      }),
  };
}

/** A page of a task's present result. */
interface Present {
  site: Site;
  repository: Repository;
  slug: string;
  commit: string;
  page: PageSource;
}

/** Brings the preview to the task's present result first: a save may have ended between its push and that. */
async function present(deps: EditorDeps, task: EditableTask, slug: string): Promise<Present> {
  pageOf(task, slug);
  const { taskId, organizationId, siteId } = task;
  const site = await deps.sites.find(organizationId, siteId);
  if (!site?.repository) throw new DomainError('NOT_FOUND', 'Site not found');
  const repository = deps.repositories.open({ siteId, repository: site.repository satisfies SiteRepository });
  const commit = await repository.fetchResult(task);
  await deps.hosting.advancePreview({ site, taskId, commit });
  const tree = await repository.tree(commit, taskRef(taskId));
  return { site, repository, slug, commit, page: await readPage(deps.pages, tree, slug) };
}

async function readPage(pages: Pages, tree: Tree, slug: string): Promise<PageSource> {
  const files = [...tree.entries.keys()].filter((path) => pages.isPage(path) && pages.slugOf(path) === slug);
  const path = files.find((file) => isRegular(tree, file));
  if (path === undefined) throw new DomainError('NOT_FOUND', `Page not found: ${slug}`);
  return { path, source: await tree.read(path) };
}

async function opened({ pages }: EditorDeps, task: EditableTask, { slug, page }: Present): Promise<OpenedPage> {
  const { title, slots } = await pages.read(page);
  const { previewUrl } = pageOf(task, slug);
  const { source } = page;
  const texts = slots.map(editableText);
  return {
    slug,
    title,
    digest: digestOf(source),
    source,
    texts,
    previewUrl,
    pages: task.pages.map(({ slug }) => slug),
  };
}

const digestOf = (source: string) => createHash('sha256').update(source).digest('hex');

/** @throws DomainError CONFLICT where the page is not the one that was open, and the change is not in it already */
async function changedSource(pages: Pages, page: PageSource, change: Change): Promise<string> {
  if (digestOf(page.source) === change.digest) return apply(pages, page, change);
  const source = await apply(pages, page, change).catch(() => undefined);
  if (source !== page.source) throw changedMeanwhile(pages.slugOf(page.path));
  return source;
}

async function apply(pages: Pages, page: PageSource, change: Change): Promise<string> {
  if ('source' in change) return checkSource(pages, { path: page.path, source: change.source });
  const { slots } = await pages.read(page);
  return checkSource(pages, { path: page.path, source: await pages.setTexts(page, slotTexts(slots, change.texts)) });
}

const changedMeanwhile = (slug: string) => new DomainError('CONFLICT', `Page changed since you opened it: ${slug}`);

/** @returns whether the change is the task's present result now; false where another one was faster */
async function commit({ taskId }: EditableTask, before: Present, source: string): Promise<boolean> {
  const { site, repository, slug, commit: parent, page } = before;
  const made = await repository.commitEdit({
    ...{ taskId, parent, author: site.author },
    changes: [{ path: page.path, content: source }],
    message: `Edit ${slug} by hand`,
    createdAt: new Date().toISOString(),
  });
  return made !== null;
}

/** What a task's work would report as its own failure is here one of the request, or of the moment. */
const translations: Partial<Record<ErrorCode, ErrorCode>> = {
  LIMIT_EXCEEDED: 'INVALID_INPUT',
  PAGE_UNREADABLE: 'CONFLICT',
  PUSH_REFUSED: 'CONFLICT',
  GIT_FAILED: 'UNAVAILABLE',
};

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof DomainError ? translations[error.code] : undefined;
    if (!(error instanceof DomainError) || code === undefined) throw error;
    throw new DomainError(code, error.message, { cause: error, retryable: error.retryable });
  }
}
