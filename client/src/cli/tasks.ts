import {
  type AgentTasks,
  type FinishedTask,
  type Question,
  questionOf,
  type TaskView,
} from '../index.ts';
import { bytesOf, type Command, print, printAll, type Values, WrongCommand } from './command.ts';

const oneTask = ['the id of a task'];

/** The commands of `agent-tasks` for tasks and sites, by name. */
export const taskCommands: Record<string, Command> = {
  create: {
    takes: [],
    options: ['site', 'prompt', 'publish', 'ask', 'wait'],
    run: async (client, values) =>
      started(client, values, (await client.tasks.create(await requestOf(values))).taskId),
  },
  get: {
    takes: oneTask,
    options: [],
    async run(client, values, taskId = '') {
      printTask(await client.tasks.get(taskId), values);
      return 0;
    },
  },
  wait: {
    takes: oneTask,
    options: [],
    run: (client, values, taskId = '') => ended(client, values, taskId),
  },
  list: {
    takes: [],
    options: ['site', 'status', 'limit'],
    run: (client, values) =>
      printAll(
        client.tasks.list({ siteId: values.site, status: values.status as never }),
        values,
        ({ taskId, status, title }) => `${taskId}  ${status}  ${title}`,
      ),
  },
  publish: {
    takes: oneTask,
    options: ['wait'],
    run: async (client, values, taskId = '') =>
      started(client, values, (await client.tasks.publish(taskId)).taskId),
  },
  retry: {
    takes: oneTask,
    options: ['wait'],
    run: async (client, values, taskId = '') =>
      started(client, values, (await client.tasks.retry(taskId)).taskId),
  },
  cancel: {
    takes: oneTask,
    options: [],
    async run(client, _, taskId = '') {
      await client.tasks.cancel(taskId);
      return 0;
    },
  },
  answer: {
    takes: [...oneTask, 'a text'],
    options: ['question'],
    async run(client, { question: questionId }, taskId = '', text = '') {
      await client.tasks.answer(taskId, text, questionId === undefined ? {} : { questionId });
      return 0;
    },
  },
  sites: {
    takes: [],
    options: ['limit'],
    run: (client, values) =>
      printAll(client.sites.list(), values, ({ siteId, name }) => `${siteId}  ${name}`),
  },
};

/** The body of `create`: from the options, or from the JSON on standard input. */
async function requestOf({ site: siteId, prompt, publish, ask }: Values) {
  if (prompt === undefined && (siteId !== undefined || publish || ask))
    throw new WrongCommand('--site, --publish and --ask need --prompt');
  if (prompt === undefined) return jsonOnInput();
  if (siteId === undefined) throw new WrongCommand('create --prompt needs --site');
  return { siteId, prompt, ...(publish && { publish }), ...(ask && { ask: 'allowed' as const }) };
}

async function jsonOnInput() {
  // removes a byte order mark
  const text = process.stdin.isTTY ? '' : new TextDecoder().decode(await bytesOf('-'));
  if (text.trim() === '')
    throw new WrongCommand('create needs --prompt, or a request in JSON on standard input');
  try {
    return JSON.parse(text) as never;
  } catch (error) {
    throw new WrongCommand(
      `The request on standard input is not valid JSON: ${(error as Error).message}`,
    );
  }
}

/** Prints the id of a new task, or with `--wait` waits for the task. @returns the exit code */
async function started(client: AgentTasks, values: Values, taskId: string): Promise<number> {
  if (!values.wait) {
    print({ taskId }, values, [taskId]);
    return 0;
  }
  // a person who stops waiting needs the id
  console.error(`${taskId}  running`);
  return ended(client, values, taskId);
}

/**
 * Waits until a task ends, prints its questions meanwhile, and then prints the task.
 * @returns the exit code
 */
async function ended(client: AgentTasks, values: Values, taskId: string): Promise<number> {
  const onQuestion = (question: Question) => {
    const answer = `  To answer, run: agent-tasks answer ${taskId} TEXT`;
    console.error([...questionLines(question), answer].join('\n'));
    return undefined;
  };
  const task: FinishedTask = await client.tasks.waitFor(taskId, { onQuestion });
  printTask(task, values);
  return task.status === 'failed' ? 1 : 0;
}

const questionLines = ({ questionId, question, options, pages = [] }: Question): string[] => [
  `  ? ${[questionId, ...pages].join(' ')}: ${question}`,
  ...options.map((option) => `    - ${option}`),
];

function printTask(task: TaskView, values: Values): void {
  print(task, values, [`${task.taskId}  ${task.status}  ${task.title}`, ...resultLines(task)]);
}

function resultLines(task: TaskView): string[] {
  if (task.status === 'failed') return [`  ${task.errorMessage}`];
  const question = questionOf(task);
  if (task.status === 'running') return question ? questionLines(question) : [];
  const { pagesCreated, pagesModified, pagesDeleted, warnings = [] } = task.output;
  return [
    ...[...pagesCreated, ...pagesModified].map(
      ({ slug, publishedUrl, previewUrl }) => `  ${slug}  ${publishedUrl ?? previewUrl ?? ''}`,
    ),
    ...pagesDeleted.map(({ slug }) => `  ${slug}  deleted`),
    ...warnings.map((warning) => `  ! ${warning}`),
  ];
}
