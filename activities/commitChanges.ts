import { limits, type Note, type TaskType } from '../src/contract/task.ts';
import { createWorkspace, replay } from '../src/agents/workspace.ts';
import type { Turn } from '../src/agents/agent.ts';
import type { Texts } from '../src/agents/tools/texts.ts';
import { checkFiles } from '../src/sites/checks/checkFiles.ts';
import { checkPages } from '../src/sites/checks/checkPages.ts';
import type { NewPage, PageSource, Pages } from '../src/sites/pages/pages.ts';
import { readPageSource } from '../src/sites/pages/pageSource.ts';
import type { FileChange, Tree } from '../src/sites/git/repository.ts';
import { changedPages, deriveSitemap, differingPaths, type ChangedPages } from '../src/sites/pages/derived.ts';
import type { Target } from '../src/sites/pages/targets.ts';
import { readSisters } from '../src/sites/pages/template.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import { linkPages } from './linkPages.ts';
import { refuseTooMuch } from './refuseTooMuch.ts';
import { baseOf, openSite } from './site.ts';

type NewTexts = Pick<NewPage, 'texts' | 'groups' | 'removed' | 'lang' | 'country'>;
type Edit =
  | {
      type: 'generate_pages';
      template: TemplateRef;
      pages: (Target & NewTexts)[];
      /** The page that is to link to the new ones. */
      linkFrom?: string;
    }
  | { type: 'prompt'; prompt: string; turns: Turn[] };

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
interface Edits {
  /** Only what differs from the base. */
  files: FileChange[];
  notes: Note[];
  /** The sources of a changed page. */
  before: (path: string) => Promise<PageSource | null>;
  /** Whether the edits set links to outside hosts on purpose. */
  newLinks: boolean;
  /** Ids of the blocks that a new page was made without, by its path. */
  removed?: ReadonlyMap<string, string[]>;
}

/**
 * The task's edits as one commit on its base, pushed under the task's hidden ref. Repeatable: a commit that is there
 * already is taken as it is, even if the code that made it has changed since. Throws CHECK_FAILED, LIMIT_EXCEEDED,
 * LINK_FROM_UNFIT, CHANGED_BY_DEPLOY, CONFLICT, GIT_FAILED.
 */
export function createCommitChanges(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'texts'>) {
  return async ({ task, edit, ...argument }: CommitChanges, signal: AbortSignal): Promise<Changes> => {
    const { site, repository } = await openSite(deps, task);
    const { taskId, organizationId, createdAt } = task;
    const work = { organizationId, signal };
    const threads = { pages: deps.pages.for(work), texts: deps.texts.for(work) };
    const base = baseOf({ task, ...argument });
    const tree = await repository.tree(base, signal);
    const found = await repository.findTaskCommit(taskId, base.commit, signal);
    if (found !== null) {
      const after = await repository.tree({ commit: found, heldBy: taskId }, signal);
      return describe(threads, edit, found, tree, after);
    }

    const edits = await editsOf(threads, tree, edit);
    const { files, notes } = edits;
    if (files.length === 0) return { commit: null, created: [], modified: [], deleted: [], notes };
    const after = withFiles(tree, files);
    await checkEdits(threads.pages, tree, after, edits);
    const paths = files.map(({ path }) => path);
    const pages = changedPages(threads.pages, tree, after, paths);
    const changes = [...files, ...(await deriveSitemap(tree, pages, { pages: threads.pages, createdAt }))];
    const message = messageOf(
      edit.type,
      pages,
      paths.filter((path) => !threads.pages.isPage(path)),
    );
    const commit = await repository.commitTask(
      { taskId, base, changes, message, author: site.author, createdAt },
      signal,
    );
    return { commit, ...pages, notes };
  };
}

const editsOf = (threads: Threads, tree: Tree, edit: Edit): Promise<Edits> =>
  edit.type === 'prompt' ? replayTurns(threads, tree, edit) : writeNewPages(threads, tree, edit);

async function checkEdits(
  pages: Pages,
  base: Tree,
  { entries }: Pick<Tree, 'entries'>,
  { files, before, newLinks, removed }: Edits,
) {
  const others = files.filter(({ path }) => !pages.isPage(path));
  const sources = others.map(async ({ path, content }) => ({
    path,
    before: (await before(path))?.source ?? null,
    after: content,
  }));
  await checkFiles(pages, await Promise.all(sources));
  const regular = [...entries.values()].filter(({ mode }) => mode.startsWith('100'));
  const sitePaths = regular.map(({ path }) => path);
  const deleted = files.flatMap(({ path, content }) => (content === null ? [path] : []));
  const changes = files.map(async ({ path, content }) =>
    content === null || !pages.isPage(path)
      ? []
      : [
          {
            path,
            before: await before(path),
            after: content,
            sitePaths,
            deleted,
            removed: removed?.get(path) ?? [],
            newLinks,
          },
        ],
  );
  await checkPages(pages, (await Promise.all(changes)).flat(), base);
}

/** The contents of a commit that was made before. The digests of its turns no longer matter. */
async function describe(threads: Threads, edit: Edit, commit: string, before: Tree, after: Tree): Promise<Changes> {
  const paths = differingPaths(before, after);
  if (edit.type === 'generate_pages') {
    const own = [...edit.pages.map(({ path }) => path), ...paths];
    const { notes } = await linkPages(threads, {
      ...(await templateOf(threads, before, edit)),
      tree: before,
      pages: edit.pages,
      linkFrom: edit.linkFrom,
    });
    return { commit, ...changedPages(threads.pages, before, after, [...new Set(own)]), notes };
  }
  const turns = edit.turns.map(({ digest: _, ...turn }) => turn);
  const { notes } = await replayTurns(threads, before, { ...edit, turns });
  return { commit, ...changedPages(threads.pages, before, after, paths), notes };
}

function withFiles({ entries }: Tree, files: FileChange[]): Pick<Tree, 'entries'> {
  const after = new Map(entries);
  for (const { path, content } of files)
    if (content === null) after.delete(path);
    else after.set(path, { path, id: 'changed', mode: '100644', size: Buffer.byteLength(content) });
  return { entries: after };
}

type NewPages = Extract<Edit, { type: 'generate_pages' }>;

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
      const isSame = sizeOf(tree, path) === Buffer.byteLength(content) && (await tree.read(path)) === content;
      return isSame ? [] : [{ path, content }];
    }),
  );
  const { linkFrom } = edit;
  const { page, notes } = await linkPages(threads, { tree, template, sisters, pages: edit.pages, linkFrom });
  const linking = page === null ? [] : [{ path: page.before.path, content: page.after }];
  const before = (path: string) => Promise.resolve(path === page?.before.path ? page.before : template);
  const removed = new Map(edit.pages.map((target) => [target.path, target.removed ?? []]));
  return { files: [...files.flat(), ...linking], notes, before, newLinks: false, removed };
}

const sizeOf = ({ entries }: Tree, path: string) => entries.get(path)?.size;

async function replayTurns(
  { pages, texts }: Threads,
  tree: Tree,
  { prompt, turns }: Extract<Edit, { type: 'prompt' }>,
): Promise<Edits> {
  const workspace = createWorkspace({ tree, pages, texts });
  await replay(workspace, prompt, turns);
  const files = workspace.changes();
  const { length } = files;
  refuseTooMuch(length, limits.pagesPerTask, `The task changes ${length} pages`, 'are possible in one task');
  return { files, notes: workspace.notes(), before: (path) => workspace.before(path), newLinks: true };
}

function messageOf(type: TaskType, { created, modified, deleted }: ChangedPages, files: string[]): string {
  const counts = [
    ...[`${created.length} created`, `${modified.length} modified`, `${deleted.length} deleted`],
    ...(files.length > 0 ? [`${files.length} other file(s)`] : []),
  ].join(', ');
  const subject =
    type === 'generate_pages' ? `Generate ${created.length + modified.length} page(s)` : 'Change pages as asked';
  const names = [...[...created, ...modified, ...deleted].map(({ slug }) => slug), ...files];
  const lines = names.slice(0, limits.itemsPerTask * 2).map((name) => `- ${name}`);
  return `${subject} (${counts})\n\n${lines.join('\n')}`;
}
