import { Joi } from '../../boundedJoi.ts';
import type { Task } from '../../contract/responses.ts';
import { isQuestion, type Page, type TaskProgress } from '../../contract/task.ts';
import { readTask } from '../../tasks/readTask.ts';
import { presentRead, presentTask } from '../../api/routes/tasks/tasks.present.ts';
import { waitForEnd } from '../../api/waitForEnd.ts';
import { distinctTaskNotes, taskNotes } from '../distinctNotes.ts';
import { requireTaskId } from '../startingTool.ts';
import {
  toolAnswer,
  listCursor,
  listField,
  nextCursorSchema,
  nullableText,
  openObject,
  sliceLists,
  textField,
  textList,
  taskId,
  waitSeconds,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

interface GetTaskArgs {
  taskId: string;
  wait: number;
  cursor?: number;
}

/** Maximum entries of each list in one result: assistants read about 25,000 tokens of a result. */
const MOST_ENTRIES = 50;
/** Milliseconds of a call that remain for reading the task after the wait. */
const READING_MS = 2_000;

const pageList = (description: string) =>
  listField(
    openObject({
      slug: textField('The path of the page.').required(),
      previewUrl: nullableText('The preview of the page.').required(),
      editUrl: nullableText('Opens the page in the editor for a person.').required(),
      publishedUrl: nullableText(
        'The live page. Null unless this task itself has put it live.',
      ).required(),
      externalId: textField('The `externalId` of the item.'),
    }),
    description,
  ).required();

/** `get_task`: waits for a task, and reads it with its pages and notes. */
export const getTaskTool: AssistantTool<GetTaskArgs> = {
  name: 'get_task',
  title: 'Read a task',
  description: `Returns a task: its status, its pages with previews, and notes on what a person should check. Waits up to 45 seconds until the task finishes or asks a question. Returns ${MOST_ENTRIES} entries of each list. Pass the cursor to get the rest.`,
  hints: readHints,
  input: Joi.object({
    taskId,
    wait: waitSeconds('until a running task finishes'),
    cursor: listCursor,
  }),
  output: toolAnswer({
    taskId: textField('The task.').required(),
    status: Joi.valid('running', 'completed', 'failed').required(),
    title: textField('The title, which describes the task.').required(),
    type: textField('The task type: `prompt`, `generate_pages`, `publish` …').required(),
    siteId: textField('The site of the task.').required(),
    createdAt: textField('A time in ISO 8601, in UTC.').required(),
    live: Joi.boolean().required().description('Whether all pages of the task are live.'),
    progress: openObject({
      phase: textField('What a running task is doing.'),
      waitingFor: openObject({
        questionId: textField('The id of the question, for answer_task.').required(),
        question: textField('The question in plain text.').required(),
        options: textList('The suggested answers. Any other text is accepted too.').required(),
        pages: textList('The new pages that the question is about.'),
      }).description('The question whose answer the task waits for.'),
    }),
    errorMessage: textField('Why the task failed.'),
    output: openObject({
      pagesCreated: pageList('New pages.'),
      pagesModified: pageList('Changed pages.'),
      pagesDeleted: pageList('Deleted pages.'),
      notes: taskNotes,
      summary: textField('What the task did. Language models describe it in their own words.'),
    }),
    nextCursor: nextCursorSchema,
  }),
  async run({ ctx, caller, deps, longestMs }, { taskId, wait, cursor }) {
    requireTaskId({ caller }, taskId);
    const waitMs = Math.min(wait * 1_000, longestMs - READING_MS);
    if (waitMs > 0) await waitForEnd(ctx, deps, { taskId, ms: waitMs });
    const foundTask = await readTask(caller, deps, taskId);
    const view = presentRead(foundTask, await presentTask(deps.creators, foundTask.view.about));
    return { ...presentTaskParts(view, cursor), next: nextAdvice(view) };
  },
};

/** Leaves out that the task waits for a host: an assistant can only act on questions. */
function presentProgress({ waitingFor, ...progress }: TaskProgress) {
  return waitingFor && isQuestion(waitingFor) ? { ...progress, waitingFor } : progress;
}

/** @param offset the number of entries of each list that earlier results have shown */
function presentTaskParts(task: Task, offset: number | undefined) {
  const { taskId, status, title, type, siteId, createdAt, live } = task;
  const commonFields = { taskId, status, title, type, siteId, createdAt, live, nextCursor: null };
  if (task.status === 'failed') return { ...commonFields, errorMessage: task.errorMessage };
  if (task.status === 'running')
    return { ...commonFields, ...(task.progress && { progress: presentProgress(task.progress) }) };
  const { pagesCreated, pagesModified, pagesDeleted, notes = [], summary } = task.output;
  const outputLists = {
    pagesCreated,
    pagesModified,
    pagesDeleted,
    notes: distinctTaskNotes(notes),
  };
  const { parts: shownParts, nextCursor } = sliceLists(outputLists, { offset, most: MOST_ENTRIES });
  return {
    ...commonFields,
    output: {
      pagesCreated: presentPages(shownParts.pagesCreated),
      pagesModified: presentPages(shownParts.pagesModified),
      pagesDeleted: presentPages(shownParts.pagesDeleted),
      notes: shownParts.notes,
      ...(summary !== undefined && { summary }),
    },
    nextCursor,
  };
}

const presentPages = (pages: Page[]) =>
  pages.map(({ slug, previewUrl, editUrl, publishedUrl, externalId }) => ({
    slug,
    previewUrl,
    editUrl,
    publishedUrl,
    ...(externalId !== undefined && { externalId }),
  }));

/**
 * What the assistant should do next. It contains only our own words, because texts of a task may
 * come from pages and customers, and must not instruct the model.
 */
function nextAdvice({ status, taskId, type, live, progress, output }: Task): string {
  if (progress?.waitingFor && isQuestion(progress.waitingFor))
    return 'Ask the person the question, and pass their answer to answer_task. Do not answer it yourself.';
  if (status === 'running') return `Call get_task again with taskId ${taskId}.`;
  if (status === 'failed')
    return type === 'generate_pages'
      ? 'Fix the problem in errorMessage and call generate_pages again, or call retry_task to repeat the same request.'
      : 'Fix the problem in errorMessage, and start the task again.';
  if (live) return 'The pages are live.';
  const { pagesCreated, pagesModified, pagesDeleted, warnings } = output;
  if (pagesCreated.length + pagesModified.length + pagesDeleted.length === 0)
    return 'The task changed nothing.';
  return warnings
    ? 'Show the previews and the notes to the person. Call drop_notes to remove facts that the notes name, or publish_task to make the pages live.'
    : 'Show the previews to the person. Call publish_task to make the pages live.';
}
