import type { WorkflowStartOptions } from '@temporalio/client';
import { defined } from '../../contract/defined.ts';
import type { TaskInput, TaskWork } from '../../contract/task.ts';
import { firstLineOf, siteInSummary, summaryLine } from '../../contract/text.ts';

interface Options {
  bodyHash: string;
  taskQueue: string;
  /** Milliseconds. */
  workflowTaskTimeout: number;
}

/** How a task's workflow is started. No execution or run timeout: either would end it without its callback. */
export function startOptions(task: TaskInput, { bodyHash, taskQueue, workflowTaskTimeout }: Options) {
  const { taskId, organizationId, siteId, siteName, createdAt, publish, callbackUrl, onto, work } = task;
  return {
    workflowId: taskId,
    taskQueue,
    args: [task],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    workflowTaskTimeout,
    memo: defined({ bodyHash, createdAt, callbackUrl, onto: onto?.taskId, publishes: publishedBy(work) }),
    searchAttributes: {
      OrganizationId: [organizationId],
      SiteId: [siteId],
      TaskType: [work.type],
      TaskStatus: ['running'],
      Publish: [publish],
      ...(callbackUrl !== undefined && { CallbackStatus: ['pending'] }),
    },
    priority: { fairnessKey: organizationId },
    staticSummary: summaryLine(`${siteInSummary(siteName)}: ${summaryOf(work)}`),
    staticDetails: detailsOf(task),
  } satisfies WorkflowStartOptions;
}

/** The task whose result must stay until this one has ended, as that of `onto`. */
const publishedBy = (work: TaskWork) => (work.type === 'publish' ? work.result.taskId : undefined);

function summaryOf(work: TaskWork): string {
  switch (work.type) {
    case 'prompt':
      return firstLineOf(work.prompt);
    case 'generate_pages':
      return `generate ${work.items.length} page(s) from ${work.templatePageSlug}`;
    case 'publish':
      return `publish the result of ${work.result.taskId}`;
    case 'restore':
      return `put ${work.commit.slice(0, 10)} live again`;
  }
}

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
