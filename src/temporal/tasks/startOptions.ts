import type { WorkflowStartOptions } from '@temporalio/client';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Creator } from '../../contract/creator.ts';
import type { TaskInput, TaskWork } from '../../contract/task.ts';
import { summarySiteName, summaryLine } from '../../contract/text/summaries.ts';
import type { RequestedTaskFacts } from './taskService.ts';
import { titleSearchWords } from './titleWords.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

interface TaskStartParameters {
  bodyHash: string;
  /** The request's path, stored if another request may repeat the Idempotency-Key. */
  path?: string;
  taskQueue: string;
  /** Milliseconds. */
  workflowTaskTimeout: number;
  about: Omit<RequestedTaskFacts, 'title'>;
}

/**
 * Returns the options for starting a task's workflow: its memo, its search attributes, and the
 * texts for the Temporal UI. It has no execution or run timeout, since either would end the
 * workflow without its callback.
 */
export function taskStartOptions(
  task: TaskInput,
  { bodyHash, path, taskQueue, workflowTaskTimeout, ...options }: TaskStartParameters,
) {
  const {
    taskId,
    organizationId,
    siteId,
    siteName,
    createdAt,
    publish,
    callbackUrl,
    baseTask,
    work,
    title,
  } = task;
  const { createdBy, follows } = options.about;
  const baseTasks = { baseTaskId: baseTask?.taskId, publishes: publishedTaskId(work) };
  const template = work.type === 'generate_pages' ? work.templatePageSlug : undefined;
  const restores = work.type === 'restore' ? work.at : undefined;
  const searchedWords = titleSearchWords(title);
  return {
    workflowId: taskId,
    taskQueue,
    args: [task],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    workflowTaskTimeout,
    memo: withoutUndefined({
      bodyHash,
      path,
      createdAt,
      callbackUrl,
      ...baseTasks,
      title,
      follows: unlessNamed(baseTasks, follows),
      template,
      restores,
    }),
    typedSearchAttributes: [
      { key: attributeKeys.organizationId, value: organizationId },
      { key: attributeKeys.siteId, value: siteId },
      { key: attributeKeys.taskType, value: work.type },
      { key: attributeKeys.taskStatus, value: 'running' },
      { key: attributeKeys.publish, value: publish },
      ...(callbackUrl === undefined
        ? []
        : [{ key: attributeKeys.callbackStatus, value: 'pending' }]),
      { key: attributeKeys.createdBy, value: creatorAttribute(createdBy) },
      ...(searchedWords.length > 0
        ? [{ key: attributeKeys.titleWords, value: searchedWords }]
        : []),
    ],
    priority: { fairnessKey: organizationId },
    staticSummary: summaryLine(`${summarySiteName(siteName)}: ${title}`),
    staticDetails: taskDetails(task),
  } satisfies WorkflowStartOptions;
}

/** The published task. Its result must be kept until this task has ended, like the base task's. */
const publishedTaskId = (work: TaskWork) =>
  work.type === 'publish' ? work.result.taskId : undefined;

/** Leaves out `follows` if another field of the memo names the same task. */
const unlessNamed = (otherTasks: Record<string, string | undefined>, follows: string | undefined) =>
  Object.values(otherTasks).includes(follows) ? undefined : follows;

/** A task's creator, as its search attribute has it. */
export const creatorAttribute = (maker: Creator) =>
  'userId' in maker ? `user:${maker.userId}` : `key:${maker.keyId}`;

/** Markdown for the Temporal UI. Slugs are validated before, so they contain no markup. */
function taskDetails({ siteId, publish, requestId, baseTask, work }: TaskInput): string {
  const pages =
    work.type === 'generate_pages'
      ? work.items.map(({ targetPageSlug }) => `- \`${targetPageSlug.replaceAll('`', '')}\``)
      : [];
  return [
    `Site \`${siteId}\`, publish: ${publish}${requestId === undefined ? '' : `, request \`${requestId}\``}`,
    ...(baseTask ? [`Base task \`${baseTask.taskId}\``] : []),
    '',
    ...pages,
  ].join('\n');
}
