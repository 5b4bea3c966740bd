import type { HeldCommit, PageFile, SiteWithRepository } from '../src/contract/site.ts';
import { limits, type Note, type TaskType } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import type { MovedPage } from '../src/agents/siteEdits.ts';
import type { Workspace } from '../src/agents/workspace.ts';
import type { Texts } from '../src/agents/tools/textsPort.ts';
import { type ChangedFiles, checkChanges, withFiles } from '../src/sites/checks/checkChanges.ts';
import { commitNotes, gainedIn } from '../src/sites/checks/commitNotes.ts';
import type { Gained } from '../src/sites/checks/newOutsiders.ts';
import type { Pages } from '../src/sites/pages/pages.ts';
import { readPageSource } from '../src/sites/pages/pageSource.ts';
import type { Repository, Tree } from '../src/sites/git/repository.ts';
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
import { baseOf, openSite, treeOfBase } from './taskRepository.ts';

type Turns = { type: 'prompt' } & Omit<ConversationArgument, 'task' | 'prompt'>;
type Edit =
  | {
      type: 'generate_pages';
      template: TemplateRef;
      pages: NewPageTexts[];
      /** The page that is to link to the new ones. */
      linkFrom?: string;
    }
  | Turns
  /** Pages that lose what notes were about. */
  | { type: 'drop'; pages: NonNullable<DroppedFacts['page']>[] };

interface CommitChanges {
  task: TaskRef;
  base: string;
  edit: Edit;
}

export interface Changes extends ChangedPages {
  /** null where nothing changed. */
  commit: string | null;
  notes: Note[];
}
interface Threads {
  pages: Pages;
  texts: Texts;
}
interface Edits extends ChangedFiles {
  notes: Note[];
  moved: MovedPage[];
  replaced: PageFile[];
}

type Deps = Pick<ActivityDeps, 'sites' | 'repositories'> & ConversationDeps;

/**
 * The task's edits as one commit on its base, pushed under the task's hidden ref. Repeatable: a
 * commit that is there already is taken as it is, even if the code that made it has changed since.
 * The push finds it. A repeated attempt whose work fails looks for it: after a kill, most have
 * none, and looking costs each of them a fetch. Throws CHECK_FAILED, LIMIT_EXCEEDED,
 * LINK_FROM_UNFIT, CHANGED_BY_DEPLOY, CONFLICT, GIT_FAILED, UNAVAILABLE.
 */
export function createCommitChanges(deps: Deps) {
  return async (
    argument: CommitChanges,
    signal: AbortSignal,
    attempt: Pick<Attempt, 'isFirst'>,
  ): Promise<Changes> => {
    const { edit } = argument;
    const place = await openPlace(deps, argument, signal);
    return make(place, attempt, (found) => {
      if (edit.type === 'prompt') return commitTurns(deps, place, { edit, found });
      return edit.type === 'drop'
        ? commitDrops(place, edit, found)
        : commitPages(place, edit, found);
    });
  };
}

async function openPlace(deps: Deps, argument: CommitChanges, signal: AbortSignal): Promise<Place> {
  const { task, edit } = argument;
  const { site, repository } = await openSite(deps, task);
  const work = { organizationId: task.organizationId, signal };
  const threads = { pages: deps.pages.for(work), texts: deps.texts.for(work) };
  const base = baseOf(argument);
  const tree = await treeOfBase(repository, base, signal);
  return {
    task,
    site,
    repository,
    base,
    tree,
    threads,
    request: requestOf(deps, task, edit, signal),
    signal,
  };
}

/** What the caller wrote: all of it at once, where a note depends on it. */
function requestOf({ recorded }: Deps, { taskId }: TaskRef, edit: Edit, signal: AbortSignal) {
  return async (): Promise<string> => {
    if (edit.type === 'drop') return '';
    return (await recorded.contexts(taskId, signal)).join('\n');
  };
}

/**
 * Where an earlier attempt's commit can't be made again, as after a deploy, it is there or the
 * reason counts.
 */
async function make(
  { task, repository, base, signal }: Place,
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

/** Another task's commit is none. Whatever may pass says nothing yet. */
function noneOrAgain(error: unknown): null {
  if (error instanceof DomainError && !error.retryable) return null;
  throw error;
}

/** Where a commit is made. */
interface Place {
  task: TaskRef;
  site: SiteWithRepository;
  repository: Repository;
  base: HeldCommit;
  tree: Tree;
  threads: Threads;
  /** What the caller wrote. */
  request: () => Promise<string>;
  signal: AbortSignal;
}

async function commitTurns(
  deps: ConversationDeps,
  place: Place,
  { edit, found }: { edit: Turns; found: string | null },
): Promise<Changes> {
  const { task, tree, signal } = place;
  // the digests of the turns of a commit that was made before no longer matter
  const how = { tree, signal, asRecorded: found === null };
  const conversation = await openConversation(deps, { task, ...edit }, how);
  const { workspace } = conversation;
  try {
    if (found !== null) return await describe(place, found, { own: [], ...doneOf(workspace) });
    const request = () => Promise.resolve(conversation.conversation.prompt);
    return await commit({ ...place, request }, edit.type, editsOf(workspace));
  } catch (error) {
    deps.conversations.keep(task.taskId, conversation);
    throw error;
  }
}

async function commitPages(place: Place, edit: NewPages, found: string | null): Promise<Changes> {
  const { tree, threads } = place;
  if (found === null) return commit(place, edit.type, await writeNewPages(threads, tree, edit));
  const { pages, linkFrom } = edit;
  const { notes } = await linkPages(threads, {
    ...(await templateOf(threads, tree, edit)),
    tree,
    pages,
    linkFrom,
  });
  return describe(place, found, { own: pages, notes, moved: [], replaced: [] });
}

/** Pages without some of their blocks, and every other byte as it was. */
async function commitDrops(
  place: Place,
  { type, pages: dropping }: Drops,
  found: string | null,
): Promise<Changes> {
  const { tree, threads } = place;
  const nothing = { notes: [], moved: [], replaced: [] };
  if (found !== null) return describe(place, found, { own: dropping, ...nothing });
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
  return commit(place, type, { files, ...nothing, before, newLinks: false, removed });
}

async function commit(place: Place, type: TaskType, edits: Edits): Promise<Changes> {
  const { task, site, repository, base, tree, threads, signal } = place;
  const { files, notes, moved, replaced } = edits;
  if (files.length === 0) return { commit: null, created: [], modified: [], deleted: [], notes };
  const gained = await checkChanges(threads.pages, tree, edits);
  const paths = files.map(({ path }) => path);
  const pages = changedPages(threads.pages, tree, withFiles(tree, files), paths);
  const { taskId, createdAt } = task;
  const changes = [
    ...files,
    ...(await deriveSitemap(tree, pages, { pages: threads.pages, createdAt })),
  ];
  const others = paths.filter((path) => !threads.pages.isPage(path));
  const message = messageOf(type, pages, others);
  const { author } = site;
  const made = await repository.commitTask(
    { taskId, base, changes, message, author, createdAt },
    signal,
  );
  return describe(place, made, { own: files, notes, moved, replaced, gained });
}

/** What a commit has changed, which may have been made before. */
async function describe(
  { task, repository, tree, threads: { pages }, request, signal }: Place,
  commit: string,
  { own, notes, moved, replaced, ...edits }: Described,
): Promise<Changes> {
  const after = await repository.tree({ commit, heldBy: task.taskId }, signal);
  const differing = differingPaths(tree, after);
  const paths = [...new Set([...own.map(({ path }) => path), ...differing])];
  const changed = changedPages(pages, tree, after, paths);
  const gained = edits.gained ?? (await gainedIn(pages, { before: tree, after, paths: differing }));
  const done = { tree, paths: differing, changed, moved, replaced, gained, request };
  return { commit, ...changed, notes: [...notes, ...(await commitNotes(pages, done))] };
}

interface Described extends Pick<Edits, 'notes' | 'moved' | 'replaced'> {
  own: { path: string }[];
  /** Absent for a commit that was found: its files tell. */
  gained?: Gained;
}

function editsOf(workspace: Workspace): Edits {
  const files = workspace.changes();
  const { length } = files;
  refuseTooMuch(
    length,
    limits.pagesPerTask,
    `The task changes ${length} pages`,
    'are possible in one task',
  );
  return { files, ...doneOf(workspace), before: (path) => workspace.before(path), newLinks: true };
}

/** What an agent did, as it can't be told from the files. */
const doneOf = (workspace: Workspace) => ({
  notes: workspace.notes(),
  moved: workspace.moved(),
  replaced: workspace.replaced(),
});

type NewPages = Extract<Edit, { type: 'generate_pages' }>;
type Drops = Extract<Edit, { type: 'drop' }>;

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
  const files = await Promise.all(
    edit.pages.map(async ({ slug, path, ...texts }) => {
      const content = await pages.create({ ...shared, target: { slug, path }, ...texts });
      const isSame =
        sizeOf(tree, path) === Buffer.byteLength(content) && (await tree.read(path)) === content;
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
    notes,
    moved: [],
    replaced: [],
    before,
    newLinks: false,
    removed,
  };
}

const sizeOf = ({ entries }: Tree, path: string) => entries.get(path)?.size;

function messageOf(
  type: TaskType,
  { created, modified, deleted }: ChangedPages,
  files: string[],
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
  const names = [...[...created, ...modified, ...deleted].map(({ slug }) => slug), ...files];
  const lines = names.slice(0, limits.itemsPerTask * 2).map((name) => `- ${name}`);
  return `${subject} (${counts})\n\n${lines.join('\n')}`;
}
