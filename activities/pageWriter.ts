import {
  type AnsweredQuestion,
  limits,
  type PageItem,
  type RejectedPage,
  type WrittenPage,
} from '../src/contract/task.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import { committedContent } from '../src/contract/committedContent.ts';
import { DomainError } from '../src/errors.ts';
import type { PageAnswer, PageQuestion } from '../src/agents/shared/agentTypes.ts';
import type { PageFile } from '../src/contract/site.ts';
import { createLinkingSite } from '../src/sites/pages/links/linkingSite.ts';
import { resolveLinkTarget } from '../src/sites/pages/links/resolveLinkTarget.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import type { TemplateRef } from './readSite.ts';
import { historyBytes, refuseTooMuch } from './historyLimits.ts';
import { openBase } from './openSite.ts';
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

interface OpenedPageWriter {
  /** Writes a page, or repairs a rejected answer. */
  write: (item: PageItem, rejected?: RejectedPage) => Promise<PageAnswer>;
  /**
   * The same, by a language model that may ask people a question instead.
   * @param questions the page's questions so far, with their answers
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
export type OpenTemplate = (
  argument: PagesArgument,
  signal: AbortSignal,
) => Promise<OpenedPageWriter>;

/** Creates the function that opens a template, with which an agent then writes the task's pages. */
export function createPageWriter(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'pages' | 'agents'>,
  templates: TaskTemplates,
): OpenTemplate {
  return async ({ task, base, template, targets = [], model }, signal) => {
    const { site, tree } = await openBase(deps, { task, base }, signal);
    const { organizationId } = task;
    const pages = deps.pages.for({ organizationId });
    const { digest, content } = await templates({ site, tree, path: template.path });
    if (digest !== template.digest) throw templateChanged();
    const linkSite = createLinkingSite(tree, pages, { created: targets, template: template.path });
    const agent = deps.agents.of(model);
    const jobOwner = { organizationId, signal };
    const pageJob = (item: PageItem, rejected?: RejectedPage) => {
      const templateFile = { slug: item.targetPageSlug, path: template.path };
      const checkLink = (target: string) => resolveLinkTarget(linkSite, templateFile, target);
      const { taskId, siteId } = task;
      return {
        taskId,
        siteId,
        template: content,
        item,
        checkLink,
        ...withoutUndefined({ rejected }),
      };
    };
    const writePage: OpenedPageWriter['write'] = async (item, rejected) =>
      refuseIfTooLong(await agent.generatePage(pageJob(item, rejected), jobOwner));
    return {
      write: writePage,
      async writeOrAsk(item, questions, rejected) {
        if (!('writeOrAsk' in agent)) return writePage(item, rejected);
        const askingJob = { ...pageJob(item, rejected), questions };
        const answer = await agent.writeOrAsk(askingJob, jobOwner);
        return 'asked' in answer ? answer : refuseIfTooLong(answer);
      },
    };
  };
}

function refuseIfTooLong(page: PageAnswer): PageAnswer {
  if (!page.rejected) refuseLongTexts(page);
  return page;
}

/**
 * Refuses texts that are too long. commitChanges reads the texts of all pages (up to ten) by one
 * query, whose answer may have at most 2 MiB.
 */
function refuseLongTexts(page: WrittenPage) {
  const textBytes = historyBytes(committedContent(page));
  refuseTooMuch(
    textBytes,
    limits.pageTextsBytes,
    `The texts of the page have ${textBytes} bytes`,
    'are allowed',
  );
}

const templateChanged = () =>
  new DomainError(
    'CHANGED_BY_DEPLOY',
    'The service was updated while the task ran, and now reads the template differently. Create the task again',
  );
