#!/usr/bin/env node
import { batchCommands } from './cli/batches.ts';
import { checkTyped, typed, WrongCommand } from './cli/command.ts';
import { taskCommands } from './cli/tasks.ts';
import { AgentTasks } from './index.ts';

const usage = `Usage: agent-tasks <command> [options]

  create            Creates a task from the JSON on standard input, or from these options:
    --site ID         the site to modify
    --prompt TEXT     the instructions
    --publish         makes the pages live
    --ask             allows a language model to ask questions (see answer)
    --wait            waits until the task finishes, and prints it
  get TASK          Prints a task.
  wait TASK         Waits until a task finishes, and prints it.
  list              Prints the running tasks, then the finished ones, newest first.
    --site ID         only tasks of this site
    --status STATUS   only tasks that are running, completed or failed
    --limit N         the maximum number of tasks (default: 20)
  publish TASK      Makes the pages of a task live. Takes --wait.
  retry TASK        Retries a failed task. Takes --wait.
  cancel TASK       Cancels a task.
  answer TASK TEXT  Answers the question of a running task.
    --question ID     the question to answer (default: the current one)
  sites             Prints the sites of your organization. Takes --limit.

  batch create FILE   Creates a page for each row of a CSV file. Use - for standard input.
    --site ID           the site to modify
    --template PATH     the template of rows that do not name one
    --publish           makes the pages live
    --hold              holds pages that have warnings
    --canary N          creates N pages first, and waits for an approval
    --link-from PATH    the page that gets links to the new pages
    --wait              waits until the batch ends or needs a person, and prints it
  batch check FILE    Prints the rows that would fail. Takes the same options except --wait.
  batch get BATCH     Prints a batch.
  batch wait BATCH    Waits until a batch ends or needs a person, and prints it.
  batch list          Prints the batches, newest first. Takes --site and --limit.
  batch rows BATCH    Prints the rows of a batch: all of them, or --limit N.
    --state STATE       only rows in this state, such as failed
  batch approve BATCH, batch publish BATCH, batch retry BATCH, batch skip BATCH
    --rows 3,7          only these rows (required for skip)
  batch pause BATCH, batch resume BATCH, batch cancel BATCH

  --json            Prints JSON, with one line for each task, batch, row or site.

AGENT_TASKS_URL is the URL of the service. AGENT_TASKS_API_KEY is an API key of your organization.
Exit codes: 0 success, 1 a task or row failed, 2 the command is invalid, 3 the service returned an error or did not respond.`;

const commands = { ...taskCommands, ...batchCommands };

/** Runs the command. @returns its exit code */
async function run(): Promise<number> {
  const { values, positionals } = typed();
  const size = positionals[0] === 'batch' ? 2 : 1;
  const name = positionals.slice(0, size).join(' ');
  const words = positionals.slice(size);
  if (values.help || name === 'help') {
    console.log(usage);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new WrongCommand(
      name === ''
        ? usage
        : `Unknown command "${name}". Run agent-tasks --help to list the commands.`,
    );
  checkTyped(name, command, values, words);
  return command.run(clientOf(process.env), values, ...words);
}

function clientOf({ AGENT_TASKS_URL: baseUrl, AGENT_TASKS_API_KEY: apiKey }: NodeJS.ProcessEnv) {
  if (!baseUrl || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new WrongCommand('AGENT_TASKS_URL must be the http or https URL of the service');
  if (!apiKey || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new WrongCommand('AGENT_TASKS_API_KEY must be an API key of your organization');
  return new AgentTasks({ baseUrl, apiKey });
}

/** Why there was no response, such as ECONNREFUSED. `fetch` nests it two causes deep. */
const networkCodeOf = ({ cause }: Error) =>
  cause instanceof Error ? (cause.cause as NodeJS.ErrnoException | undefined)?.code : undefined;

// the reader, such as `head`, has closed the pipe
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
  const lost = networkCodeOf(error as Error);
  console.error(lost === undefined ? message : `${message} (${lost})`);
  process.exitCode = isWrong ? 2 : 3;
}
