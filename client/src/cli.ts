#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import {
  AgentTasks,
  type FinishedTask,
  type Question,
  questionOf,
  type TaskView,
} from './index.ts';

const usage = `Usage: agent-tasks <command> [options]

  create            Creates a task. Its request is the JSON on standard input, or:
    --site ID         the site
    --prompt TEXT     what is to be done there
    --publish         puts the pages live
    --ask             lets a language model ask: see answer
    --wait            waits for the end, and prints the task
  get TASK          Prints a task.
  wait TASK         Waits for the end of a task, and prints it.
  list              Prints tasks: running ones first, then the latest finished.
    --site ID         of one site
    --status STATUS   running, completed or failed
    --limit N         so many; 20 by default
  publish TASK      Puts the pages of a task live. --wait as above.
  retry TASK        Tries a failed task again. --wait as above.
  cancel TASK       Cancels a task.
  answer TASK TEXT  Answers the question that a task asks.
    --question ID     only this question

  --json            prints JSON, one line for each task

AGENT_TASKS_URL is the address of the service, AGENT_TASKS_API_KEY a key of your organization.
Exit codes: 0 done, 1 a task failed, 2 the command is wrong, 3 the service refused or did not answer.`;

const options = {
  site: { type: 'string' },
  prompt: { type: 'string' },
  publish: { type: 'boolean' },
  ask: { type: 'boolean' },
  question: { type: 'string' },
  wait: { type: 'boolean' },
  status: { type: 'string' },
  limit: { type: 'string', default: '20' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof parsed>['values'];

const parsed = () => parseArgs({ options, allowPositionals: true });

/** A command that can't be carried out as it was typed. */
class WrongCommand extends Error {}

/** Runs the command. @returns its exit code */
async function run(): Promise<number> {
  const { values, positionals } = parsed();
  const [name = '', ...given] = positionals;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new WrongCommand(name === '' ? usage : `There is no command "${name}"`);
  const takes = taken[name] ?? ['the id of one task'];
  const surplus = given[takes.length];
  if (surplus !== undefined)
    throw new WrongCommand(
      `${name} takes ${takes.join(' and ') || 'only options'}, not also "${surplus}"`,
    );
  const [taskId = '', text = ''] = given;
  if (takes.length > 0 && taskId === '') throw new WrongCommand(`${name} needs the id of a task`);
  if (takes.length > 1 && text === '') throw new WrongCommand(`${name} needs a text`);
  return command(clientOf(process.env), { values, taskId, text });
}

function clientOf({ AGENT_TASKS_URL: baseUrl, AGENT_TASKS_API_KEY: apiKey }: NodeJS.ProcessEnv) {
  if (!baseUrl || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new WrongCommand('AGENT_TASKS_URL must be the http or https address of the service');
  if (!apiKey || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new WrongCommand('AGENT_TASKS_API_KEY must be a key of your organization');
  return new AgentTasks({ baseUrl, apiKey });
}

/** What commands take besides options, where it is not the id of one task. */
const taken: Record<string, string[]> = {
  create: [],
  list: [],
  answer: ['the id of one task', 'one text'],
};

interface Given {
  values: Values;
  taskId: string;
  text: string;
}

type Command = (client: AgentTasks, given: Given) => Promise<number>;

const commands: Record<string, Command> = {
  create: async (client, { values }) =>
    started(client, values, (await client.tasks.create(requestOf(values))).taskId),
  get: async (client, { values, taskId }) => print(await client.tasks.get(taskId), values),
  wait: async (client, { values, taskId }) => ended(await endOf(client, taskId), values),
  async answer(client, { values: { question: questionId }, taskId, text }) {
    await client.tasks.answer(taskId, text, questionId === undefined ? {} : { questionId });
    return 0;
  },
  async list(client, { values }) {
    const { site: siteId, status, limit } = values;
    let left = Number(limit);
    if (!/^\d+$/.test(limit)) throw new WrongCommand('--limit must be a number');
    const filters = { ...(siteId && { siteId }), ...(status && { status: status as never }) };
    for await (const task of client.tasks.list(filters)) {
      if (left-- <= 0) break;
      console.log(
        values.json ? JSON.stringify(task) : `${task.taskId}  ${task.status}  ${task.title}`,
      );
    }
    return 0;
  },
  publish: async (client, { values, taskId }) =>
    started(client, values, (await client.tasks.publish(taskId)).taskId),
  retry: async (client, { values, taskId }) =>
    started(client, values, (await client.tasks.retry(taskId)).taskId),
  async cancel(client, { taskId }) {
    await client.tasks.cancel(taskId);
    return 0;
  },
};

/** The request that the options say, or standard input. */
function requestOf({ site: siteId, prompt, publish, ask }: Values) {
  if (prompt === undefined && (siteId !== undefined || publish || ask))
    throw new WrongCommand('--site, --publish and --ask need --prompt');
  if (prompt === undefined) return jsonOf(readFileSync(0, 'utf8'));
  if (siteId === undefined) throw new WrongCommand('create --prompt needs --site');
  return { siteId, prompt, ...(publish && { publish }), ...(ask && { ask: 'allowed' as const }) };
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text) as never;
  } catch {
    throw new WrongCommand('create needs --prompt, or a request in JSON on standard input');
  }
}

async function started(client: AgentTasks, values: Values, taskId: string): Promise<number> {
  if (values.wait) return ended(await endOf(client, taskId), values);
  console.log(values.json ? JSON.stringify({ taskId }) : taskId);
  return 0;
}

/** Waits for the end of a task, and tells its questions meanwhile. */
const endOf = (client: AgentTasks, taskId: string): Promise<FinishedTask> =>
  client.tasks.waitFor(taskId, {
    onQuestion(question) {
      console.error(
        [...questionLines(question), `  Answer it: agent-tasks answer ${taskId} TEXT`].join('\n'),
      );
      return undefined;
    },
  });

const questionLines = ({ questionId, question, options, pages = [] }: Question): string[] => [
  `  ? ${[questionId, ...pages].join(' ')}: ${question}`,
  ...options.map((option) => `    - ${option}`),
];

function ended(task: FinishedTask, values: Values): number {
  print(task, values);
  return task.status === 'failed' ? 1 : 0;
}

function print(task: TaskView, { json }: Values): number {
  console.log(json ? JSON.stringify(task) : linesOf(task).join('\n'));
  return 0;
}

function linesOf(task: TaskView): string[] {
  const head = `${task.taskId}  ${task.status}  ${task.title}`;
  if (task.status === 'failed') return [head, `  ${task.errorMessage}`];
  const question = questionOf(task);
  if (task.status === 'running') return [head, ...(question ? questionLines(question) : [])];
  const { pagesCreated, pagesModified, pagesDeleted, warnings = [] } = task.output;
  return [
    head,
    ...[...pagesCreated, ...pagesModified].map(
      ({ slug, publishedUrl, previewUrl }) => `  ${slug}  ${publishedUrl ?? previewUrl ?? ''}`,
    ),
    ...pagesDeleted.map(({ slug }) => `  ${slug}  deleted`),
    ...warnings.map((warning) => `  ! ${warning}`),
  ];
}

// who reads has seen enough, such as `head`
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });

try {
  process.exitCode = await run();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isWrong = error instanceof WrongCommand || code?.startsWith('ERR_PARSE_ARGS');
  console.error(message);
  process.exitCode = isWrong ? 2 : 3;
}
