import { LRUCache } from 'lru-cache';
import { type Budget, limits, type PageItem, type RejectedPage } from '../src/contract/task.ts';
import { defined } from '../src/contract/defined.ts';
import { DomainError } from '../src/errors.ts';
import type { PageAnswer } from '../src/agents/agent.ts';
import type { Pages, TemplateContent } from '../src/sites/pages/pages.ts';
import type { Tree } from '../src/sites/git/repository.ts';
import { readTemplate } from '../src/sites/pages/template.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import { countTime } from './refuseModel.ts';
import { bytesOf, refuseTooMuch } from './refuseTooMuch.ts';
import { baseOf, openSite, treeOfBase } from './site.ts';

interface GeneratePage {
  task: TaskRef;
  base: string;
  template: TemplateRef;
  item: PageItem;
  /** The language model that writes it; absent: the rules. */
  model?: string;
  /** Of the task, where a language model does it. */
  budget?: Budget;
  /** The answer of an earlier step that is to be mended. */
  rejected?: RejectedPage;
}

/** Templates kept in memory: a task writes its pages in parallel from the same template. */
const TEMPLATES = 20;

/**
 * Writes one page's texts, or mends what was rejected before. Repeatable: it has no effect but its answer.
 * Throws PAGE_REJECTED where mending failed too, CHANGED_BY_DEPLOY, LIMIT_EXCEEDED and the agent's errors.
 */
export function createGeneratePage(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'agents'>) {
  const templates = new LRUCache<string, TemplateContent, { tree: Tree; pages: Pages; path: string }>({
    max: TEMPLATES,
    fetchMethod: (_key, _old, { context: { tree, pages, path } }) => readTemplate(tree, pages, path),
  });
  return async (
    { task, base, template, item, model, budget, rejected }: GeneratePage,
    signal: AbortSignal,
    attempt: Attempt,
  ): Promise<PageAnswer & { workedMs?: number }> => {
    if (model !== undefined) countTime(attempt, budget);
    const { site, repository } = await openSite(deps, task);
    const tree = await treeOfBase(repository, baseOf({ task, base }), signal);
    const key = [task.siteId, site.repository.root, base, template.path].join('\n');
    const { organizationId } = task;
    const context = { tree, pages: deps.pages.for({ organizationId }), path: template.path };
    const { slots, digest, ...rest } = await templates.forceFetch(key, { context });
    if (digest !== template.digest) throw templateChanged();
    const [unlocked, chrome] = [false, true].map((isLocked) => slots.filter(({ locked }) => locked === isLocked));
    const content = { ...rest, slots: unlocked!, siteTexts: chrome!.map(({ text }) => text) };
    const job = { taskId: task.taskId, template: content, item, ...defined({ rejected }) };
    const page = await deps.agents.of(model).generatePage(job, { organizationId, signal });
    if (page.rejected && rejected) throw stillRejected(item, page.rejected);
    const answer = model === undefined ? page : { ...page, workedMs: attempt.workedMs() };
    if (page.rejected) return answer;
    const bytes = bytesOf(page.texts);
    refuseTooMuch(bytes, limits.pageTextsBytes, `The page's texts have ${bytes} bytes`, 'are possible');
    return answer;
  };
}

const stillRejected = ({ targetPageSlug }: PageItem, { problems }: RejectedPage) =>
  new DomainError('PAGE_REJECTED', `The texts for ${targetPageSlug} can't be used: ${problems.join('; ')}`);

const templateChanged = () =>
  new DomainError(
    'CHANGED_BY_DEPLOY',
    'The service was updated while this task ran and now reads the template differently: create the task again',
  );
