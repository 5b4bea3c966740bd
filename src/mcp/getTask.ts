import { Joi } from '../joi.ts';
import type { Task } from '../contract/answers.ts';
import { isQuestion, type Page, type TaskProgress } from '../contract/task.ts';
import { read } from '../tasks/read.ts';
import { presentRead, presentTask } from '../api/routes/tasks.present.ts';
import { waitForEnd } from '../api/waitForEnd.ts';
import { distinctTaskNotes, taskNotes } from './distinctNotes.ts';
import { knownTask } from './newTask.ts';
import {
  answerOf,
  listCursor,
  listOf,
  nextCursor,
  orNull,
  partOf,
  partsOf,
  string,
  strings,
  taskId,
} from './schemas.ts';
import { reads, type Tool } from './tool.ts';

interface Args {
  taskId: string;
  wait: number;
  cursor?: number;
}

/** Entries of a list in one answer: assistants read some 25,000 tokens of one. */
const MOST = 50;
/** Milliseconds of a call that are left for reading the task after the wait. */
const READING_MS = 2_000;

const pages = (description: string) =>
  listOf(
    partOf({
      slug: string('Its path.').required(),
      previewUrl: orNull('Where to look at it.').required(),
      editUrl: orNull('Where a person edits it.').required(),
      publishedUrl: orNull('The live page; null while it is not live.').required(),
      externalId: string('As its item had it.'),
    }),
    description,
  ).required();

export const getTask: Tool<Args> = {
  name: 'get_task',
  title: 'Read a task',
  description: `Reads a task: its status, pages with previews, and notes on what a person should look at. Waits for its end or its question, 45 seconds at most. Shows ${MOST} entries of a list; a cursor shows the rest.`,
  hints: reads,
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
  output: answerOf({
    taskId: string('The task.').required(),
    status: Joi.valid('running', 'completed', 'failed').required(),
    title: string('What it does.').required(),
    type: string('`prompt`, `generate_pages`, `publish` …').required(),
    siteId: string('Its site.').required(),
    createdAt: string('ISO 8601, UTC.').required(),
    live: Joi.boolean().required().description('Whether all of its pages are live.'),
    progress: partOf({
      phase: string('What a running task does now.'),
      waitingFor: partOf({
        questionId: string('For answer_task.').required(),
        question: string('In plain text.').required(),
        options: strings('Answers to choose from. Any other text is one too.').required(),
        pages: strings('The new pages that it is about.'),
      }).description('The question that it waits for.'),
    }),
    errorMessage: string('Why it failed.'),
    output: partOf({
      pagesCreated: pages('New pages.'),
      pagesModified: pages('Changed pages.'),
      pagesDeleted: pages('Deleted pages.'),
      notes: taskNotes,
      summary: string('What was done, in the words of the language model that did it.'),
    }),
    nextCursor,
  }),
  async run({ ctx, caller, parts, longestMs }, { taskId, wait, cursor }) {
    knownTask({ caller }, taskId);
    const ms = Math.min(wait * 1_000, longestMs - READING_MS);
    if (ms > 0) await waitForEnd(ctx, parts, { taskId, ms });
    const task = await read(caller, parts, taskId);
    const view = presentRead(task, await presentTask(parts.makers, task.view.about));
    return { ...present(view, cursor), next: nextOf(view) };
  },
};

/** Only a question is for the assistant: it can't hasten a host. */
function presentProgress({ waitingFor, ...progress }: TaskProgress) {
  return waitingFor && isQuestion(waitingFor) ? { ...progress, waitingFor } : progress;
}

/** @param offset how many entries of each list were shown before */
function present(task: Task, offset: number | undefined) {
  const { taskId, status, title, type, siteId, createdAt, live } = task;
  const about = { taskId, status, title, type, siteId, createdAt, live, nextCursor: null };
  if (task.status === 'failed') return { ...about, errorMessage: task.errorMessage };
  if (task.status === 'running')
    return { ...about, ...(task.progress && { progress: presentProgress(task.progress) }) };
  const { pagesCreated, pagesModified, pagesDeleted, notes = [], summary } = task.output;
  const lists = { pagesCreated, pagesModified, pagesDeleted, notes: distinctTaskNotes(notes) };
  const { parts, nextCursor } = partsOf(lists, { offset, most: MOST });
  return {
    ...about,
    output: {
      pagesCreated: presentPages(parts.pagesCreated),
      pagesModified: presentPages(parts.pagesModified),
      pagesDeleted: presentPages(parts.pagesDeleted),
      notes: parts.notes,
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
function nextOf({ status, taskId, type, live, progress, output }: Task): string {
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
