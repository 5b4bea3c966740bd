import { Joi } from '../joi.ts';
import type { Task } from '../contract/answers.ts';
import { isQuestion, type Page, type TaskProgress } from '../contract/task.ts';
import { read } from '../tasks/read.ts';
import { presentRead, presentTask } from '../api/routes/tasks.present.ts';
import { waitForEnd } from '../api/waitForEnd.ts';
import { knownTask } from './newTask.ts';
import { answerOf, listOf, orNull, partOf, string, strings, taskId } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

interface Args {
  taskId: string;
  wait: number;
}

/** Longer answers are cut: assistants read some 25,000 tokens of one. */
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
  description:
    'Reads a task: its status, pages with previews, and warnings. Waits for its end or its question, 45 seconds at most.',
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
      warnings: strings('What a person should look at.').required(),
      summary: string('What was done, in the words of the language model that did it.'),
    }),
    more: partOf({
      pages: Joi.number().integer(),
      warnings: Joi.number().integer(),
    }).description(`How many are not listed: of each list, ${MOST} are.`),
  }),
  async run({ ctx, caller, parts, longestMs }, { taskId, wait }) {
    knownTask({ caller }, taskId);
    const ms = Math.min(wait * 1_000, longestMs - READING_MS);
    if (ms > 0) await waitForEnd(ctx, parts, { taskId, ms });
    const task = await read(caller, parts, taskId);
    const view = presentRead(task, await presentTask(parts.makers, task.view.about));
    return { ...present(view), next: nextOf(view) };
  },
};

/** Only a question is for the assistant: it can't hasten a host. */
function presentProgress({ waitingFor, ...progress }: TaskProgress) {
  return waitingFor && isQuestion(waitingFor) ? { ...progress, waitingFor } : progress;
}

function present(task: Task) {
  const { taskId, status, title, type, siteId, createdAt, live } = task;
  const about = { taskId, status, title, type, siteId, createdAt, live };
  if (task.status === 'failed') return { ...about, errorMessage: task.errorMessage };
  if (task.status === 'running')
    return { ...about, ...(task.progress && { progress: presentProgress(task.progress) }) };
  const { pagesCreated, pagesModified, pagesDeleted, warnings = [], summary } = task.output;
  const lists = [pagesCreated, pagesModified, pagesDeleted];
  const more = {
    pages: lists.reduce((sum, list) => sum + Math.max(0, list.length - MOST), 0),
    warnings: Math.max(0, warnings.length - MOST),
  };
  return {
    ...about,
    output: {
      pagesCreated: presentPages(pagesCreated),
      pagesModified: presentPages(pagesModified),
      pagesDeleted: presentPages(pagesDeleted),
      warnings: warnings.slice(0, MOST),
      ...(summary !== undefined && { summary }),
    },
    ...(more.pages + more.warnings > 0 && { more }),
  };
}

const presentPages = (pages: Page[]) =>
  pages.slice(0, MOST).map(({ slug, previewUrl, editUrl, publishedUrl, externalId }) => ({
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
  const look = warnings ? 'Show the person the previews and the warnings' : 'Show the previews';
  return `${look}. publish_task puts the pages live.`;
}
