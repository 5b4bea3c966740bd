import type { HeldCommit, PageFile, SiteWithRepository } from '../src/contract/site.ts';
import { limits, type Note, type TaskType } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import type { MovedPage } from '../src/agents/pageChanges.ts';
import type { Workspace } from '../src/agents/workspace.ts';
import type { Texts } from '../src/agents/tools/textsPool.ts';
import { type ChangedFiles, checkChanges } from '../src/sites/checks/checkChanges.ts';
import { commitNotes, gainedIn } from '../src/sites/checks/commitNotes.ts';
import type { Gained } from '../src/sites/checks/newOutsiders.ts';
import type { Pages } from '../src/sites/pages/pages.ts';
import type { Target } from '../src/sites/pages/planTargets.ts';
import type { NewPage } from '../src/sites/formats/format.ts';
import { REDIRECTS } from '../src/sites/redirects/hostFileNames.ts';
import { linkingSite } from '../src/sites/pages/linkingSite.ts';
import { linkTarget } from '../src/sites/pages/linkTarget.ts';
import { readPageSource } from '../src/sites/pages/pageSource.ts';
import type { FileChange, Repository, Tree } from '../src/sites/git/repository.ts';
import {
  changedPages,
  deriveSitemap,
  differingPaths,
  type ChangedPages,
} from '../src/sites/pages/deriveSitemap.ts';
import { readSisters } from '../src/sites/pages/template.ts';
import {
  type ConversationArgument,
  type ConversationDeps,
  openConversation,
} from './openConversation.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDeps, NewPageTexts, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import type { DroppedFacts } from './dropFacts.ts';
import { linkPages } from './linkPages.ts';
import { refuseTooMuch } from './refuseTooMuch.ts';
import { openBase } from './taskRepository.ts';

export interface NewPages {
  type: 'generate_pages';
  template: TemplateRef;
  pages: NewPageTexts[];
  /** The page that will link to the new pages. */
  linkFrom?: string;
}
/** New pages whose texts are read from the workflow, so that its history has them only once. */
interface WrittenPages extends Omit<NewPages, 'pages'> {
  pages: Target[];
}
interface Turns extends Omit<ConversationArgument, 'task' | 'prompt'> {
  type: 'prompt';
}
/** Removes the subjects of notes from pages. */
interface Drops {
  type: 'drop';
  pages: NonNullable<DroppedFacts['page']>[];
}

interface CommitChanges {
  task: TaskRef;
  base: string;
  edit: WrittenPages | Turns | Drops;
}

export interface Changes extends ChangedPages {
  /** null if nothing changed. */
  commit: string | null;
  notes: Note[];
}
interface Threads {
  pages: Pages;
  texts: Texts;
}
type Redirect = Pick<MovedPage, 'from' | 'to'>;
/** Details of the edits that only the agent can report, not the changed files. */
interface Reported {
  notes: Note[];
  moved: MovedPage[];
  replaced: PageFile[];
  /** Pages whose addresses lead on, by their slugs. */
  redirects: Redirect[];
}
type Edits = ChangedFiles & Reported;

/** The base of the new commit, and everything needed to make the commit. */
export interface CommitContext {
  task: TaskRef;
  site: SiteWithRepository;
  repository: Repository;
  base: HeldCommit;
  tree: Tree;
  threads: Threads;
  /** Reads the user's words: the prompt, or the contexts of all items. */
  request: () => Promise<string>;
  signal: AbortSignal;
}

type Deps = Pick<ActivityDeps, 'sites' | 'repositories'> & ConversationDeps;

/**
 * Commits the task's edits on its base, and pushes the commit to the task's hidden ref. Repeatable:
 * an existing commit is used as it is, even if the code that made it has changed since. The push
 * finds it. A repeated attempt looks for it only if its own work fails: after a kill most tasks
 * have no commit yet, and looking costs a fetch. Throws CHECK_FAILED, LIMIT_EXCEEDED,
 * LINK_FROM_UNFIT, CHANGED_BY_DEPLOY, CONFLICT, GIT_FAILED, UNAVAILABLE.
 */
export function createCommitChanges(deps: Deps) {
  return async (
    argument: CommitChanges,
    signal: AbortSignal,
    attempt: Pick<Attempt, 'isFirst'>,
  ): Promise<Changes> => {
    const { edit } = argument;
    const context = await openContext(deps, argument, signal);
    return orFound(context, attempt, (found) => {
      if (edit.type === 'prompt') return commitTurns(deps, context, { edit, found });
      return edit.type === 'drop'
        ? commitDrops(context, edit, found)
        : commitPages(deps, context, { edit, found });
    });
  };
}

async function openContext(
  deps: Deps,
  argument: CommitChanges,
  signal: AbortSignal,
): Promise<CommitContext> {
  const { task, edit } = argument;
  const work = { organizationId: task.organizationId, signal };
  return {
    ...(await openBase(deps, argument, signal)),
    task,
    threads: { pages: deps.pages.for(work), texts: deps.texts.for(work) },
    request: async () =>
      edit.type === 'drop' ? '' : (await deps.recorded.contexts(task.taskId, signal)).join('\n'),
    signal,
  };
}

/**
 * Makes the commit. If a repeated attempt fails for good, for example because a deploy changed the
 * code, describes the commit of an earlier attempt instead.
 * @param work gets the earlier attempt's commit, or null
 */
async function orFound(
  { task, repository, base, signal }: CommitContext,
  { isFirst }: Pick<Attempt, 'isFirst'>,
  work: (found: string | null) => Promise<Changes>,
): Promise<Changes> {
  if (isFirst) return work(null);
  try {
    return await work(null);
  } catch (error) {
    if (error instanceof DomainError && error.retryable) throw error;
    const found = await repository
      .findTaskCommit(task.taskId, base.commit, signal)
      .catch(noneOrAgain);
    if (found === null) throw error;
    return work(found);
  }
}

/**
 * Returns null for a final error, such as a ref with another task's commit: then the task has no
 * commit. Throws errors that may pass.
 */
function noneOrAgain(error: unknown): null {
  if (error instanceof DomainError && !error.retryable) return null;
  throw error;
}

async function commitTurns(
  deps: ConversationDeps,
  context: CommitContext,
  { edit, found }: { edit: Turns; found: string | null },
): Promise<Changes> {
  const { task, site, tree, signal } = context;
  // once there is a commit, the recorded digests of turns no longer matter
  const how = { site, tree, signal, asRecorded: found === null };
  const conversation = await openConversation(deps, { task, ...edit }, how);
  const { workspace } = conversation;
  try {
    if (found !== null)
      return await describe(context, found, { own: [], ...(await reportOf(workspace)) });
    const { prompt, turns } = conversation.conversation;
    const said = [prompt, ...turns.flatMap(({ turn }) => turn.answered ?? [])];
    const request = () => Promise.resolve(said.join('\n'));
    return await commit({ ...context, request }, edit.type, await editsOf(workspace));
  } catch (error) {
    deps.conversations.keep(task.taskId, conversation);
    throw error;
  }
}

async function commitPages(
  { recorded }: ConversationDeps,
  context: CommitContext,
  { edit: asked, found }: { edit: WrittenPages; found: string | null },
): Promise<Changes> {
  const { task, tree, threads, signal } = context;
  const texts = await recorded.pages(task.taskId, signal);
  const edit = {
    ...asked,
    pages: asked.pages.map((target) => ({ ...target, ...texts[target.slug]! })),
  };
  if (found === null) return commit(context, edit.type, await writeNewPages(threads, tree, edit));
  const { pages, linkFrom } = edit;
  const { notes } = await linkPages(threads, {
    ...(await templateOf(threads, tree, edit)),
    tree,
    pages,
    linkFrom,
  });
  return describe(context, found, { own: pages, ...nothing, notes });
}

/** Commits pages without some of their blocks. All other bytes stay the same. */
async function commitDrops(
  context: CommitContext,
  { type, pages: dropping }: Drops,
  found: string | null,
): Promise<Changes> {
  const { tree, threads } = context;
  if (found !== null) return describe(context, found, { own: dropping, ...nothing });
  const sitePaths = [...tree.entries.keys()];
  const files = await Promise.all(
    dropping.map(async ({ slug, path, digest, removed }) => {
      const template = await readPageSource(tree, path);
      const sisters = await readSisters(tree, threads.pages, path);
      const page = {
        template,
        target: { slug, path },
        texts: {},
        removed,
        sitePaths,
        digest,
        sisters,
      };
      return { path, content: await threads.pages.create(page) };
    }),
  );
  const removed = new Map(dropping.map((page) => [page.path, page.removed]));
  const before = (path: string) => readPageSource(tree, path);
  return commit(context, type, { files, ...nothing, before, newLinks: false, removed });
}

/** Commits new pages as a part of a batch: see `Repository.commitPart`. */
export async function commitPart(context: CommitContext, edit: NewPages): Promise<Changes> {
  const edits = await writeNewPages(context.threads, context.tree, edit);
  return commit(context, edit.type, edits, 'commitPart');
}

async function commit(
  context: CommitContext,
  type: TaskType,
  edits: Edits,
  write: 'commitTask' | 'commitPart' = 'commitTask',
): Promise<Changes> {
  const { task, site, repository, base, tree, threads, signal } = context;
  const { files, ...reported } = edits;
  if (files.length === 0)
    return { commit: null, created: [], modified: [], deleted: [], notes: edits.notes };
  const gained = await checkChanges(threads.pages, tree, edits);
  const paths = files.map(({ path }) => path);
  const pages = changedPages(threads.pages, tree, writtenFiles(files), paths);
  const { taskId, createdAt } = task;
  const contents = new Map(files.map(({ path, content }) => [path, content ?? '']));
  const read = (path: string) => Promise.resolve(contents.get(path) ?? '');
  const derivation = { pages: threads.pages, createdAt, read };
  const changes = [...files, ...(await deriveSitemap(tree, pages, derivation))];
  const others = paths.filter((path) => !threads.pages.isPage(path));
  const message = messageOf(type, pages, others, edits.redirects);
  const { author } = site;
  const made = await repository[write](
    { taskId, base, changes, message, author, createdAt },
    signal,
  );
  return describe(context, made, { ...reported, own: files, gained });
}

/** The files that a commit is to write, as entries of a tree. Their ids are not known yet. */
function writtenFiles(files: FileChange[]): Pick<Tree, 'entries'> {
  const written = files.flatMap(({ path, content }) =>
    content === null
      ? []
      : [{ path, id: 'changed', mode: '100644', size: Buffer.byteLength(content) }],
  );
  return { entries: new Map(written.map((entry) => [entry.path, entry])) };
}

/** Describes what a commit changed, whether this attempt or an earlier one made it. */
async function describe(
  { task, repository, tree, threads: { pages }, request, signal }: CommitContext,
  commit: string,
  { own, notes, moved, replaced, redirects, ...edits }: Described,
): Promise<Changes> {
  const after = await repository.tree({ commit, heldBy: task.taskId }, signal);
  const differing = differingPaths(tree, after);
  const paths = [...new Set([...own.map(({ path }) => path), ...differing])];
  const changed = changedPages(pages, tree, after, paths);
  const gained = edits.gained ?? (await gainedIn(pages, { before: tree, after, paths: differing }));
  const told = { moved, replaced, redirects };
  const done = { tree, paths: differing, changed, ...told, gained, request };
  return { commit, ...changed, notes: [...notes, ...(await commitNotes(pages, done))] };
}

interface Described extends Reported {
  /** The files that the edits name. The commit may have more, such as the sitemap. */
  own: { path: string }[];
  /** Absent for an earlier attempt's commit: then it is derived from the files. */
  gained?: Gained;
}

async function editsOf(workspace: Workspace): Promise<Edits> {
  const files = workspace.changes();
  const { length } = files.filter(({ path }) => path !== REDIRECTS);
  refuseTooMuch(
    length,
    limits.pagesPerTask,
    `The task changes ${length} pages`,
    'are possible in one task',
  );
  const before = (path: string) => workspace.before(path);
  return { files, ...(await reportOf(workspace)), before, newLinks: true };
}

const nothing: Reported = { notes: [], moved: [], replaced: [], redirects: [] };

const reportOf = async (workspace: Workspace): Promise<Reported> => ({
  notes: await workspace.notes(),
  moved: workspace.moved(),
  replaced: workspace.replaced(),
  redirects: workspace.redirected(),
});

async function templateOf({ pages }: Threads, tree: Tree, { template: { path } }: NewPages) {
  const template = await readPageSource(tree, path);
  return { template, sisters: await readSisters(tree, pages, path) };
}

async function writeNewPages(threads: Threads, tree: Tree, edit: NewPages): Promise<Edits> {
  const { pages } = threads;
  const { template, sisters } = await templateOf(threads, tree, edit);
  const shared = {
    template,
    sisters,
    sitePaths: [...tree.entries.keys()],
    digest: edit.template.digest,
  };
  const site = linkingSite(tree, pages, { created: edit.pages, template: template.path });
  const files = await Promise.all(
    edit.pages.map(async ({ slug, path, links: given = {}, ...texts }) => {
      const target = { slug, path };
      const links: NonNullable<NewPage['links']> = {};
      for (const [id, to] of Object.entries(given)) links[id] = await linkTarget(site, target, to);
      const content = await pages.create({ ...shared, target, ...texts, links });
      const isSame =
        tree.entries.get(path)?.size === Buffer.byteLength(content) &&
        (await tree.read(path)) === content;
      return isSame ? [] : [{ path, content }];
    }),
  );
  const { linkFrom } = edit;
  const { page, notes } = await linkPages(threads, {
    tree,
    template,
    sisters,
    pages: edit.pages,
    linkFrom,
  });
  const linking = page === null ? [] : [{ path: page.before.path, content: page.after }];
  const before = (path: string) =>
    Promise.resolve(path === page?.before.path ? page.before : template);
  const removed = new Map(edit.pages.map((target) => [target.path, target.removed ?? []]));
  return {
    files: [...files.flat(), ...linking],
    ...nothing,
    notes,
    before,
    // a model's links lead out of the site only where the context says so
    newLinks: edit.pages.some(({ links }) => links !== undefined),
    removed,
  };
}

function messageOf(
  type: TaskType,
  { created, modified, deleted }: ChangedPages,
  files: string[],
  redirects: Redirect[],
): string {
  const counts = [
    `${created.length} created`,
    `${modified.length} modified`,
    `${deleted.length} deleted`,
    ...(files.length > 0 ? [`${files.length} other file(s)`] : []),
  ].join(', ');
  const subjects: Partial<Record<TaskType, string>> = {
    generate_pages: `Generate ${created.length + modified.length} page(s)`,
    drop: 'Take out what notes are about',
  };
  const subject = subjects[type] ?? 'Change pages as asked';
  const names = [
    ...redirects.map(({ from, to }) => `${from} redirects to ${to}`),
    ...[...created, ...modified, ...deleted].map(({ slug }) => slug),
    ...files,
  ];
  const lines = names.slice(0, limits.itemsPerTask * 2).map((name) => `- ${name}`);
  return `${subject} (${counts})\n\n${lines.join('\n')}`;
}
