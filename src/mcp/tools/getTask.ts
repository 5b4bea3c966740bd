import { Joi } from '../../boundedJoi.ts';
import type { Task } from '../../contract/responses.ts';
import { isQuestion, type Page, type TaskProgress } from '../../contract/task.ts';
import { readTask } from '../../tasks/readTask.ts';
import { presentRead, presentTask } from '../../api/routes/tasks/tasks.present.ts';
import { waitForEnd } from '../../api/waitForEnd.ts';
import { distinctTaskNotes, taskNotes } from '../distinctNotes.ts';
import { knownTask } from '../startingTool.ts';
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
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

interface GetTaskArgs {
  taskId: string;
  wait: number;
  cursor?: number;
}

/** Entries of a list in one answer: assistants read some 25,000 tokens of one. */
const MOST_ENTRIES = 50;
/** Milliseconds of a call that are left for reading the task after the wait. */
const READING_MS = 2_000;

const pageList = (description: string) =>
  listField(
    openObject({
      slug: textField('Its path.').required(),
      previewUrl: nullableText('Where to look at it.').required(),
      editUrl: nullableText('Where a person edits it.').required(),
      publishedUrl: nullableText('The live page; null while it is not live.').required(),
      externalId: textField('As its item had it.'),
    }),
    description,
  ).required();

export const getTaskTool: AssistantTool<GetTaskArgs> = {
  name: 'get_task',
  title: 'Read a task',
  description: `Reads a task: its status, pages with previews, and notes on what a person should look at. Waits for its end or its question, 45 seconds at most. Shows ${MOST_ENTRIES} entries of a list; a cursor shows the rest.`,
  hints: readHints,
  input: Joi.object({
    taskId,
    wait: Joi.number()
      .integer()
      .min(0)
      .max(45)
      .empty(null)
      .default(45)
      .description('Seconds to wait for the end of a running task.'),
    cursor: listCursor,
  }),
  output: toolAnswer({
    taskId: textField('The task.').required(),
    status: Joi.valid('running', 'completed', 'failed').required(),
    title: textField('What it does.').required(),
    type: textField('`prompt`, `generate_pages`, `publish` …').required(),
    siteId: textField('Its site.').required(),
    createdAt: textField('ISO 8601, UTC.').required(),
    live: Joi.boolean().required().description('Whether all of its pages are live.'),
    progress: openObject({
      phase: textField('What a running task does now.'),
      waitingFor: openObject({
        questionId: textField('For answer_task.').required(),
        question: textField('In plain text.').required(),
        options: textList('Answers to choose from. Any other text is one too.').required(),
        pages: textList('The new pages that it is about.'),
      }).description('The question that it waits for.'),
    }),
    errorMessage: textField('Why it failed.'),
    output: openObject({
      pagesCreated: pageList('New pages.'),
      pagesModified: pageList('Changed pages.'),
      pagesDeleted: pageList('Deleted pages.'),
      notes: taskNotes,
      summary: textField('What was done, in the words of the language model that did it.'),
    }),
    nextCursor: nextCursorSchema,
  }),
  async run({ ctx, caller, parts, longestMs }, { taskId, wait, cursor }) {
    knownTask({ caller }, taskId);
    const waitMs = Math.min(wait * 1_000, longestMs - READING_MS);
    if (waitMs > 0) await waitForEnd(ctx, parts, { taskId, ms: waitMs });
    const foundTask = await readTask(caller, parts, taskId);
    const view = presentRead(foundTask, await presentTask(parts.makers, foundTask.view.about));
    return { ...presentTaskParts(view, cursor), next: nextAdvice(view) };
  },
};

/** Only a question is for the assistant: it can't hasten a host. */
function presentProgress({ waitingFor, ...progress }: TaskProgress) {
  return waitingFor && isQuestion(waitingFor) ? { ...progress, waitingFor } : progress;
}

/** @param offset how many entries of each list were shown before */
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

/** Only words of ours: what a task says may come from pages and customers. */
function nextAdvice({ status, taskId, type, live, progress, output }: Task): string {
  if (progress?.waitingFor && isQuestion(progress.waitingFor))
    return "Put the question to the person, and give their answer to answer_task. Don't answer it yourself.";
  if (status === 'running') return `Call get_task again with taskId ${taskId}.`;
  if (status === 'failed')
    return type === 'generate_pages'
      ? 'Mend what errorMessage names and call generate_pages again, or retry_task for the same request.'
      : 'Mend what errorMessage names, and start it again.';
  if (live) return 'The pages are live.';
  const { pagesCreated, pagesModified, pagesDeleted, warnings } = output;
  if (pagesCreated.length + pagesModified.length + pagesDeleted.length === 0)
    return 'Nothing was changed.';
  return warnings
    ? 'Show the person the previews and the notes. drop_notes removes facts that notes name; publish_task puts the pages live.'
    : 'Show the previews. publish_task puts the pages live.';
}
