import type { PageFile } from '../src/contract/site.ts';
import { limits, type TaskType } from '../src/contract/task.ts';
import { createWorkspace, replay } from '../src/agents/workspace.ts';
import type { Turn } from '../src/agents/agent.ts';
import { DomainError } from '../src/errors.ts';
import type { SlotTexts } from '../src/sites/formats/format.ts';
import type { FileChange, Tree } from '../src/sites/repository.ts';
import { deriveSitemap } from '../src/sites/derived.ts';
import type { Target } from '../src/sites/targets.ts';
import { readSisters } from '../src/sites/template.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import { openSite, taskRef } from './site.ts';

type Edit =
  | { type: 'generate_pages'; template: TemplateRef; pages: (Target & { texts: SlotTexts })[] }
  | { type: 'prompt'; prompt: string; turns: Turn[] };

interface CommitChanges {
  task: TaskRef;
  base: string;
  edit: Edit;
}

export interface Changes {
  /** null where nothing changed. */
  commit: string | null;
  created: PageFile[];
  modified: PageFile[];
  deleted: PageFile[];
  warnings: string[];
}
type Edited = Omit<Changes, 'commit'> & { files: FileChange[] };
type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'pages'>;

const PAGES_PER_TASK = 500;

/**
 * The task's edits as one commit on its base, pushed under the task's hidden ref. Repeatable: a commit that is there already is taken.
 * Throws LIMIT_EXCEEDED, CHANGED_BY_DEPLOY, GIT_FAILED.
 */
export function createCommitChanges(deps: Deps) {
  return async ({ task, base, edit }: CommitChanges, signal: AbortSignal): Promise<Changes> => {
    const { site, repository } = await openSite(deps, task);
    const tree = await repository.tree(base, taskRef(task.taskId));
    const { files, ...pages } =
      edit.type === 'prompt' ? await replayTurns(deps, tree, edit) : await createPages(deps, tree, edit);
    const found = await repository.findTaskCommit(task.taskId, base, signal);
    if (found !== null) return { commit: found, ...pages };
    const changes = [...files, ...(await deriveSitemap(tree, pages))];
    if (changes.length === 0) return { commit: null, ...pages };
    const message = messageOf(edit.type, pages);
    const { taskId, createdAt } = task;
    const commit = await repository.commitTask(
      { taskId, base, changes, message, author: site.author, createdAt },
      signal,
    );
    return { commit: commit === base ? null : commit, ...pages };
  };
}

async function createPages(
  { pages }: Deps,
  tree: Tree,
  edit: Extract<Edit, { type: 'generate_pages' }>,
): Promise<Edited> {
  const template = { path: edit.template.path, source: await tree.read(edit.template.path) };
  const shared = {
    template,
    sisters: await readSisters(tree, pages, template.path),
    sitePaths: [...tree.entries.keys()],
    digest: edit.template.digest,
  };
  const files = await Promise.all(
    edit.pages.map(async ({ slug, path, texts }) => ({
      path,
      content: await pages.create({ ...shared, target: { slug, path }, texts }),
    })),
  );
  const of = (existing: boolean) =>
    edit.pages.filter((page) => page.existing === existing).map(({ slug, path }) => ({ slug, path }));
  const changed = await onlyChanged(tree, files);
  const modified = of(true).filter(({ path }) => changed.some((file) => file.path === path));
  return { files: changed, created: of(false), modified, deleted: [], warnings: [] };
}

async function onlyChanged(tree: Tree, files: FileChange[]): Promise<FileChange[]> {
  const same = await Promise.all(
    files.map(async ({ path, content }) => tree.entries.has(path) && (await tree.read(path)) === content),
  );
  return files.filter((_, i) => !same[i]);
}

async function replayTurns(
  { pages }: Deps,
  tree: Tree,
  { prompt, turns }: Extract<Edit, { type: 'prompt' }>,
): Promise<Edited> {
  const workspace = createWorkspace({ tree, pages });
  await replay(workspace, prompt, turns);
  const files = workspace.changes();
  if (files.length > PAGES_PER_TASK) {
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The task changes ${files.length} pages; at most ${PAGES_PER_TASK} are possible in one task`,
    );
  }
  return { files, ...workspace.touched(), warnings: workspace.warnings() };
}

function messageOf(type: TaskType, { created, modified, deleted }: Omit<Changes, 'commit'>): string {
  const counts = [`${created.length} created`, `${modified.length} modified`, `${deleted.length} deleted`].join(', ');
  const subject =
    type === 'generate_pages' ? `Generate ${created.length + modified.length} page(s)` : 'Change pages as asked';
  const lines = [...created, ...modified, ...deleted].slice(0, limits.itemsPerTask * 2).map(({ slug }) => `- ${slug}`);
  return `${subject} (${counts})\n\n${lines.join('\n')}`;
}
