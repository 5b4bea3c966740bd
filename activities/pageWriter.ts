import {
  type AnsweredQuestion,
  limits,
  type PageItem,
  type RejectedPage,
  type WrittenPage,
} from '../src/contract/task.ts';
import { defined } from '../src/contract/defined.ts';
import { textsOf } from '../src/contract/textsOf.ts';
import { DomainError } from '../src/errors.ts';
import type { PageAnswer, PageQuestion } from '../src/agents/agent.ts';
import type { PageFile } from '../src/contract/site.ts';
import { linkingSite } from '../src/sites/pages/linkingSite.ts';
import { linkTarget } from '../src/sites/pages/linkTarget.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import { bytesOf, refuseTooMuch } from './refuseTooMuch.ts';
import { openBase } from './taskRepository.ts';
import type { TaskTemplates } from './taskTemplates.ts';

/** The part of an argument that is the same for all pages of a task. */
export interface PagesArgument {
  task: TaskRef;
  base: string;
  template: TemplateRef;
  /** The pages of the task, to which its pages may link. Absent: the rules set no links. */
  targets?: PageFile[];
  /** The language model that writes the pages. Absent: the rules do it. */
  model?: string;
}

interface WritePages {
  /** Writes a page, or corrects a rejected answer. */
  write: (item: PageItem, rejected?: RejectedPage) => Promise<PageAnswer>;
  /**
   * The same by a language model that may ask people instead.
   * @param questions of the page so far
   */
  writeOrAsk: (
    item: PageItem,
    questions: AnsweredQuestion[],
    rejected?: RejectedPage,
  ) => Promise<PageAnswer | PageQuestion>;
}

/**
 * Opens the template of a task's pages. Throws CHANGED_BY_DEPLOY if the code now reads the template
 * differently than when the task began.
 */
export type OpenTemplate = (argument: PagesArgument, signal: AbortSignal) => Promise<WritePages>;

/** Creates the writer of pages. */
export function createPageWriter(
  deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'agents'>,
  templates: TaskTemplates,
): OpenTemplate {
  return async ({ task, base, template, targets = [], model }, signal) => {
    const { site, tree } = await openBase(deps, { task, base }, signal);
    const { organizationId } = task;
    const pages = deps.pages.for({ organizationId });
    const { digest, content } = await templates({ site, tree, path: template.path });
    if (digest !== template.digest) throw templateChanged();
    const linking = linkingSite(tree, pages, { created: targets, template: template.path });
    const agent = deps.agents.of(model);
    const work = { organizationId, signal };
    const jobOf = (item: PageItem, rejected?: RejectedPage) => {
      const own = { slug: item.targetPageSlug, path: template.path };
      const checkLink = (target: string) => linkTarget(linking, own, target);
      const { taskId, siteId } = task;
      return { taskId, siteId, template: content, item, checkLink, ...defined({ rejected }) };
    };
    const write: WritePages['write'] = async (item, rejected) =>
      fitting(await agent.generatePage(jobOf(item, rejected), work));
    return {
      write,
      async writeOrAsk(item, questions, rejected) {
        if (!('writeOrAsk' in agent)) return write(item, rejected);
        const job = { ...jobOf(item, rejected), questions };
        const answer = await agent.writeOrAsk(job, work);
        return 'asked' in answer ? answer : fitting(answer);
      },
    };
  };
}

function fitting(page: PageAnswer): PageAnswer {
  if (!page.rejected) refuseLongTexts(page);
  return page;
}

/**
 * Refuses texts that are too long. commitChanges reads the texts of ten pages in one answer of the
 * workflow, and Temporal accepts 2 MiB.
 */
function refuseLongTexts(page: WrittenPage) {
  const bytes = bytesOf(textsOf(page));
  refuseTooMuch(
    bytes,
    limits.pageTextsBytes,
    `The page's texts have ${bytes} bytes`,
    'are possible',
  );
}

const templateChanged = () =>
  new DomainError(
    'CHANGED_BY_DEPLOY',
    'The service was updated while this task ran and now reads the template differently: create the task again',
  );
