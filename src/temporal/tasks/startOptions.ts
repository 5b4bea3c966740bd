import type { WorkflowStartOptions } from '@temporalio/client';
import { defined } from '../../contract/defined.ts';
import type { Maker } from '../../contract/maker.ts';
import type { TaskAbout, TaskInput, TaskWork } from '../../contract/task.ts';
import { siteInSummary, summaryLine } from '../../contract/text.ts';
import { titleOf } from '../../contract/title.ts';

interface Options {
  bodyHash: string;
  taskQueue: string;
  /** Milliseconds. */
  workflowTaskTimeout: number;
  about?: TaskAbout;
  /** Of the title, as lists look for them. */
  wordsOf?: (title: string) => string[];
}

/** How a task's workflow is started. No execution or run timeout: either would end it without its callback. */
export function startOptions(task: TaskInput, { bodyHash, taskQueue, workflowTaskTimeout, ...options }: Options) {
  const { taskId, organizationId, siteId, siteName, createdAt, publish, callbackUrl, onto, work } = task;
  const { title = titleOf(work), createdBy, follows } = options.about ?? {};
  const onTop = { onto: onto?.taskId, publishes: publishedBy(work) };
  const template = work.type === 'generate_pages' ? work.templatePageSlug : undefined;
  const words = options.wordsOf?.(title) ?? [];
  return {
    workflowId: taskId,
    taskQueue,
    args: [task],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    workflowTaskTimeout,
    memo: defined({ bodyHash, createdAt, callbackUrl, ...onTop, title, follows: notIn(onTop, follows), template }),
    searchAttributes: {
      OrganizationId: [organizationId],
      SiteId: [siteId],
      TaskType: [work.type],
      TaskStatus: ['running'],
      Publish: [publish],
      ...(callbackUrl !== undefined && { CallbackStatus: ['pending'] }),
      ...(createdBy && { CreatedBy: [makerAttribute(createdBy)] }),
      ...(words.length > 0 && { TitleWords: words }),
    },
    priority: { fairnessKey: organizationId },
    staticSummary: summaryLine(`${siteInSummary(siteName)}: ${title}`),
    staticDetails: detailsOf(task),
  } satisfies WorkflowStartOptions;
}

/** The task whose result must stay until this one has ended, as that of `onto`. */
const publishedBy = (work: TaskWork) => (work.type === 'publish' ? work.result.taskId : undefined);

/** What the memo tells by other fields already need not be there twice. */
const notIn = (others: Record<string, string | undefined>, follows: string | undefined) =>
  Object.values(others).includes(follows) ? undefined : follows;

/** Who made a task, as its search attribute has it. */
export const makerAttribute = (maker: Maker) => ('userId' in maker ? `user:${maker.userId}` : `key:${maker.keyId}`);

/** Markdown for the Temporal UI; slugs are checked before, so that they hold no markup. */
function detailsOf({ siteId, publish, requestId, onto, work }: TaskInput): string {
  const pages =
    work.type === 'generate_pages'
      ? work.items.map(({ targetPageSlug }) => `- \`${targetPageSlug.replaceAll('`', '')}\``)
      : [];
  return [
    `Site \`${siteId}\`, publish: ${publish}${requestId === undefined ? '' : `, request \`${requestId}\``}`,
    ...(onto ? [`On top of \`${onto.taskId}\``] : []),
    '',
    ...pages,
  ].join('\n');
}
