import { limits, type PageItem } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import type { GeneratedPage } from '../src/agents/agent.ts';
import { readTemplate } from '../src/sites/template.ts';
import { taskRef } from '../src/sites/git/taskCommit.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import { openSite } from './site.ts';

interface GeneratePage {
  task: TaskRef;
  base: string;
  template: TemplateRef;
  item: PageItem;
}

/** Writes one page's texts. Repeatable: it has no effect but its answer. Throws CHANGED_BY_DEPLOY, LIMIT_EXCEEDED and the agent's errors. */
export function createGeneratePage(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'agent'>) {
  return async ({ task, base, template, item }: GeneratePage, signal: AbortSignal): Promise<GeneratedPage> => {
    const { repository } = await openSite(deps, task);
    const tree = await repository.tree(base, taskRef(task.taskId));
    const { slug, slots, digest } = await readTemplate(tree, deps.pages, template.path);
    if (digest !== template.digest) throw templateChanged();
    const unlocked = slots.filter(({ locked }) => !locked);
    const page = await deps.agent.generatePage({ slug, slots: unlocked }, item, signal);
    refuseTooMuch(page);
    return page;
  };
}

const templateChanged = () =>
  new DomainError(
    'CHANGED_BY_DEPLOY',
    'The service was updated while this task ran and now reads the template differently: create the task again',
  );

function refuseTooMuch({ texts }: GeneratedPage) {
  const bytes = Buffer.byteLength(JSON.stringify(texts));
  if (bytes > limits.pageTextsBytes) {
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The page's texts have ${bytes} bytes; at most ${limits.pageTextsBytes} are possible`,
    );
  }
}
