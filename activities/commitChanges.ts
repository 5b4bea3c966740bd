import type { RetainedCommitRef, PageFile, SiteWithRepository } from '../src/contract/site.ts';
import { limits, type Note, type TaskType } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import type { MovedPage } from '../src/agents/shared/site/sitePageChanges.ts';
import type { Workspace } from '../src/agents/workspace.ts';
import type { PageTextCalls } from '../src/agents/shared/texts/textsPool.ts';
import { type ChangedFiles, checkChanges } from '../src/sites/checks/checkChanges.ts';
import { createCommitNotes, findCommitAdditions } from '../src/sites/checks/commitNotes.ts';
import type { ChangeAdditions } from '../src/sites/checks/newReferences.ts';
import type { PageMethods } from '../src/sites/pages/pages.ts';
import type { PageTarget } from '../src/sites/pages/listing/planTargets.ts';
import type { PageCreation } from '../src/sites/formats/format.ts';
import { REDIRECTS } from '../src/sites/redirects/hostFileNames.ts';
import { createLinkingSite } from '../src/sites/pages/links/linkingSite.ts';
import { resolveLinkTarget } from '../src/sites/pages/links/resolveLinkTarget.ts';
import { readPageSource } from '../src/sites/pages/pageSource.ts';
import type {
  BatchCommit,
  FileChange,
  GitRepository,
  TaskCommit,
  Tree,
} from '../src/sites/git/repository.ts';
import {
  findChangedPages,
  deriveSitemap,
  differingPaths,
  type ChangedPages,
} from '../src/sites/pages/sitemap/deriveSitemap.ts';
import { readSiblings } from '../src/sites/pages/templates.ts';
import {
  type ConversationArgument,
  type ConversationDependencies,
  openConversation,
} from './openConversation.ts';
import type { ActivityAttempt } from './activityAttempt.ts';
import type { ActivityDependencies, NewPageTexts, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import { linkPages } from './linkPages.ts';
import { refuseTooMuch } from './historyLimits.ts';
import { openBase } from './openSite.ts';

export interface NewPages {
  type: 'generate_pages';
  template: TemplateRef;
  pages: NewPageTexts[];
  /** The page that will link to the new pages. */
  linkFrom?: string;
}
/** New pages whose texts are read from the workflow, so that its history has them only once. */
interface GeneratePagesEdit extends Omit<NewPages, 'pages'> {
  pages: PageTarget[];
}
interface PromptEdit extends Omit<ConversationArgument, 'task' | 'prompt'> {
  type: 'prompt';
}

interface CommitChangesInput {
  task: TaskRef;
  base: string;
  edit: GeneratePagesEdit | PromptEdit;
}

export interface CommittedChanges extends ChangedPages {
  /** null if nothing changed. */
  commit: string | null;
  /** What a person should check. */
  notes: Note[];
}
/** Methods that read and write pages and their texts, and run in worker threads. */
interface PageThreads {
  pages: PageMethods;
  texts: PageTextCalls;
}
type SlugRedirect = Pick<MovedPage, 'from' | 'to'>;
/** What only the agent can report about its edits, since the changed files do not show it. */
interface ReportedEdits {
  notes: Note[];
  moved: MovedPage[];
  /** Pages that the task replaced by a copy of another page. */
  replaced: PageFile[];
  /** Redirects that the edits add, from a slug to another. */
  redirects: SlugRedirect[];
}
type CommitEdits = ChangedFiles & ReportedEdits;

/** What a commit needs: its base, with that commit's files, and the site with its repository. */
export interface CommitContext {
  task: TaskRef;
  site: SiteWithRepository;
  repository: GitRepository;
  base: RetainedCommitRef;
  tree: Tree;
  threads: PageThreads;
  /** Reads the user's words: the prompt, or the contexts of all items. */
  request: () => Promise<string>;
  signal: AbortSignal;
}

type CommitChangesDependencies = Pick<ActivityDependencies, 'sites' | 'repositories'> &
  ConversationDependencies;

/**
 * Turns the task's edits into files, checks them, and commits them on the task's base. Pushes the
 * commit to the task's hidden ref, a ref outside the branches. The edits are new pages
 * (`generate_pages`) or the turns of an agent (`prompt`).
 *
 * Repeatable: the push never replaces the commit of an earlier attempt. If there is one, the
 * activity returns it, even if a deploy has changed the code since. If a repeated attempt fails
 * before its push, it also looks for that commit. It does not look earlier, because most killed
 * attempts have pushed nothing, and looking costs a fetch. Throws CHECK_FAILED, LIMIT_EXCEEDED,
 * LINK_FROM_UNFIT, CHANGED_BY_DEPLOY, CONFLICT, PUSH_REFUSED, GIT_FAILED, UNAVAILABLE.
 * @returns the commit, the pages that it creates, modifies and deletes, and the notes: what a
 *   person should check
 */
export function createCommitChanges(deps: CommitChangesDependencies) {
  return async (
    argument: CommitChangesInput,
    signal: AbortSignal,
    attempt: Pick<ActivityAttempt, 'isFirst'>,
  ): Promise<CommittedChanges> => {
    const { edit } = argument;
    const context = await openContext(deps, argument, signal);
    return commitOrReuse(context, attempt, (earlierCommit) => {
      return edit.type === 'prompt'
        ? commitTurns(deps, context, { edit, earlierCommit })
        : commitPages(deps, context, { edit, earlierCommit });
    });
  };
}

async function openContext(
  deps: CommitChangesDependencies,
  argument: CommitChangesInput,
  signal: AbortSignal,
): Promise<CommitContext> {
  const { task } = argument;
  const jobOwner = { organizationId: task.organizationId, signal };
  return {
    ...(await openBase(deps, argument, signal)),
    task,
    threads: { pages: deps.pages.for(jobOwner), texts: deps.texts.for(jobOwner) },
    request: async () => (await deps.recorded.contexts(task.taskId, signal)).join('\n'),
    signal,
  };
}

/**
 * Makes the commit. If a repeated attempt fails and another would fail too, describes the commit of
 * an earlier attempt instead, if there is one.
 * @param makeCommit makes the commit, or describes the earlier attempt's commit that it gets
 */
async function commitOrReuse(
  { task, repository, base, signal }: CommitContext,
  { isFirst }: Pick<ActivityAttempt, 'isFirst'>,
  makeCommit: (earlierCommit: string | null) => Promise<CommittedChanges>,
): Promise<CommittedChanges> {
  if (isFirst) return makeCommit(null);
  try {
    return await makeCommit(null);
  } catch (error) {
    if (error instanceof DomainError && error.retryable) throw error;
    const earlierCommit = await repository
      .findTaskCommit(task.taskId, base.commit, signal)
      .catch(noCommitIfFinal);
    if (earlierCommit === null) throw error;
    return makeCommit(earlierCommit);
  }
}

/**
 * For `catch`: returns null for an error that is not retryable, such as a ref with another task's
 * commit, because the task then has no commit. Throws any other error.
 */
function noCommitIfFinal(error: unknown): null {
  if (error instanceof DomainError && !error.retryable) return null;
  throw error;
}

async function commitTurns(
  deps: ConversationDependencies,
  context: CommitContext,
  { edit, earlierCommit }: { edit: PromptEdit; earlierCommit: string | null },
): Promise<CommittedChanges> {
  const { task, site, tree, signal } = context;
  // once there is a commit, the recorded digests of turns no longer matter
  const conversationOptions = { site, tree, signal, checksDigests: earlierCommit === null };
  const conversation = await openConversation(deps, { task, ...edit }, conversationOptions);
  const { workspace } = conversation;
  try {
    if (earlierCommit !== null)
      return await describeCommit(context, earlierCommit, {
        editedFiles: [],
        ...(await reportedEdits(workspace)),
      });
    const { prompt, turns } = conversation.conversation;
    const userTexts = [prompt, ...turns.flatMap(({ turn }) => turn.answered ?? [])];
    const requestTexts = () => Promise.resolve(userTexts.join('\n'));
    return await commitEditedFiles(
      { ...context, request: requestTexts },
      edit.type,
      await workspaceEdits(workspace),
    );
  } catch (error) {
    deps.conversations.keep(task.taskId, conversation);
    throw error;
  }
}

async function commitPages(
  { recorded }: ConversationDependencies,
  context: CommitContext,
  { edit: pagesEdit, earlierCommit }: { edit: GeneratePagesEdit; earlierCommit: string | null },
): Promise<CommittedChanges> {
  const { task, tree, threads, signal } = context;
  const textsBySlug = await recorded.pages(task.taskId, signal);
  const edit = {
    ...pagesEdit,
    pages: pagesEdit.pages.map((target) => ({ ...target, ...textsBySlug[target.slug]! })),
  };
  if (earlierCommit === null)
    return commitEditedFiles(context, edit.type, await writeNewPages(context, edit));
  const { pages, linkFrom } = edit;
  const { notes } = await linkPages(threads, {
    ...(await readTemplateAndSiblings(threads, tree, edit)),
    tree,
    pages,
    linkFrom,
  });
  return describeCommit(context, earlierCommit, { editedFiles: pages, ...nothingReported, notes });
}

/**
 * Commits new pages of a batch, on this machine only: see `GitRepository.commitBatch`.
 * @param signature makes the commit a version of the batch
 */
export async function commitBatchPages(
  context: CommitContext,
  edit: NewPages,
  signature?: BatchSignature,
): Promise<CommittedChanges> {
  const edits = await writeNewPages(context, edit);
  const { repository, signal } = context;
  return commitEditedFiles(context, edit.type, edits, (commit) =>
    repository.commitBatch({ ...commit, ...signature }, signal),
  );
}

type BatchSignature = Pick<BatchCommit, 'createdAt' | 'editor' | 'version'>;

async function commitEditedFiles(
  context: CommitContext,
  type: TaskType,
  edits: CommitEdits,
  write: (commit: TaskCommit) => Promise<string> = (commit) =>
    context.repository.commitTask(commit, context.signal),
): Promise<CommittedChanges> {
  const { task, site, base, tree, threads } = context;
  const { files, ...reported } = edits;
  if (files.length === 0)
    return { commit: null, created: [], modified: [], deleted: [], notes: edits.notes };
  const additions = await checkChanges(threads.pages, tree, edits);
  const paths = files.map(({ path }) => path);
  const pages = findChangedPages(threads.pages, tree, writtenFiles(files), paths);
  const { taskId, createdAt } = task;
  const contents = new Map(files.map(({ path, content }) => [path, content ?? '']));
  const read = (path: string) => Promise.resolve(contents.get(path) ?? '');
  const derivation = { pages: threads.pages, createdAt, ownHost: site.ownHost, read };
  const changes = [...files, ...(await deriveSitemap(tree, pages, derivation))];
  const otherFiles = paths.filter((path) => !threads.pages.isPage(path));
  const message = commitMessage(type, pages, otherFiles, edits.redirects);
  const { author } = site;
  const newCommit = await write({ taskId, base, changes, message, author, createdAt });
  return describeCommit(context, newCommit, { ...reported, editedFiles: files, additions });
}

/** The files that a commit will write, as a tree. Their ids are placeholders. */
function writtenFiles(files: FileChange[]): Pick<Tree, 'entries'> {
  const writtenEntries = files.flatMap(({ path, content }) =>
    content === null
      ? []
      : [{ path, id: 'changed', mode: '100644', size: Buffer.byteLength(content) }],
  );
  return { entries: new Map(writtenEntries.map((entry) => [entry.path, entry])) };
}

/** Lists the pages that a commit changed, and creates its notes, for a commit of any attempt. */
async function describeCommit(
  { task, repository, tree, threads: { pages }, request, signal }: CommitContext,
  commit: string,
  { editedFiles, notes, moved, replaced, redirects, ...edits }: CommitDescription,
): Promise<CommittedChanges> {
  const treeAfter = await repository.tree({ commit, retainedBy: task.taskId }, signal);
  const differingFiles = differingPaths(tree, treeAfter);
  const paths = [...new Set([...editedFiles.map(({ path }) => path), ...differingFiles])];
  const pageChanges = findChangedPages(pages, tree, treeAfter, paths);
  const additions =
    edits.additions ??
    (await findCommitAdditions(pages, { before: tree, after: treeAfter, paths: differingFiles }));
  const reportedMoves = { moved, replaced, redirects };
  const describedChange = {
    tree,
    paths: differingFiles,
    changed: pageChanges,
    ...reportedMoves,
    additions,
    request,
  };
  return {
    commit,
    ...pageChanges,
    notes: [...notes, ...(await createCommitNotes(pages, describedChange))],
  };
}

interface CommitDescription extends ReportedEdits {
  /** The files that the edits change. The commit may have more files, such as the sitemap. */
  editedFiles: { path: string }[];
  /** Absent for an earlier attempt's commit: they are then found by comparing the files. */
  additions?: ChangeAdditions;
}

async function workspaceEdits(workspace: Workspace): Promise<CommitEdits> {
  const files = workspace.changes();
  const { length } = files.filter(({ path }) => path !== REDIRECTS);
  refuseTooMuch(
    length,
    limits.pagesPerTask,
    `The task changes ${length} pages`,
    'are allowed in one task',
  );
  const readBefore = (path: string) => workspace.before(path);
  return { files, ...(await reportedEdits(workspace)), before: readBefore, mayAddLinks: true };
}

const nothingReported: ReportedEdits = { notes: [], moved: [], replaced: [], redirects: [] };

const reportedEdits = async (workspace: Workspace): Promise<ReportedEdits> => ({
  notes: await workspace.notes(),
  moved: workspace.moved(),
  replaced: workspace.replaced(),
  redirects: workspace.redirected(),
});

async function readTemplateAndSiblings(
  { pages }: PageThreads,
  tree: Tree,
  { template: { path } }: NewPages,
) {
  const template = await readPageSource(tree, path);
  return { template, siblings: await readSiblings(tree, pages, path) };
}

async function writeNewPages(
  { task, tree, threads }: Pick<CommitContext, 'task' | 'tree' | 'threads'>,
  edit: NewPages,
): Promise<CommitEdits> {
  const { pages } = threads;
  const { template, siblings } = await readTemplateAndSiblings(threads, tree, edit);
  const sharedInput = {
    template,
    siblings,
    sitePaths: [...tree.entries.keys()],
    digest: edit.template.digest,
    date: task.createdAt,
  };
  const linkSite = createLinkingSite(tree, pages, { created: edit.pages, template: template.path });
  const files = await Promise.all(
    edit.pages.map(async ({ slug, path, links: requestedLinks = {}, ...texts }) => {
      const target = { slug, path };
      const links: NonNullable<PageCreation['links']> = {};
      for (const [id, linkedPage] of Object.entries(requestedLinks))
        links[id] = await resolveLinkTarget(linkSite, target, linkedPage);
      const content = await pages.create({ ...sharedInput, target, ...texts, links });
      const isSame =
        tree.entries.get(path)?.size === Buffer.byteLength(content) &&
        (await tree.read(path)) === content;
      return isSame ? [] : [{ path, content, after: template.path }];
    }),
  );
  const { linkFrom } = edit;
  const { page, notes } = await linkPages(threads, {
    tree,
    template,
    siblings,
    pages: edit.pages,
    linkFrom,
  });
  const linkingFile = page === null ? [] : [{ path: page.before.path, content: page.after }];
  const sourceBefore = (path: string) =>
    Promise.resolve(path === page?.before.path ? page.before : template);
  const removedByPath = new Map(edit.pages.map((target) => [target.path, target.removed ?? []]));
  return {
    files: [...files.flat(), ...linkingFile],
    ...nothingReported,
    notes,
    before: sourceBefore,
    // a model sets links out of the site only if the context names them
    mayAddLinks: edit.pages.some(({ links }) => links !== undefined),
    removed: removedByPath,
  };
}

function commitMessage(
  type: TaskType,
  { created, modified, deleted }: ChangedPages,
  files: string[],
  redirects: SlugRedirect[],
): string {
  const countText = [
    `${created.length} created`,
    `${modified.length} modified`,
    `${deleted.length} deleted`,
    ...(files.length > 0 ? [`${files.length} other file(s)`] : []),
  ].join(', ');
  const subject =
    type === 'generate_pages'
      ? `Generate ${created.length + modified.length} page(s)`
      : 'Change pages as requested';
  const changedNames = [
    ...redirects.map(({ from, to }) => `${from} redirects to ${to}`),
    ...[...created, ...modified, ...deleted].map(({ slug }) => slug),
    ...files,
  ];
  const nameLines = changedNames.slice(0, limits.itemsPerTask * 2).map((name) => `- ${name}`);
  return `${subject} (${countText})\n\n${nameLines.join('\n')}`;
}
