#!/usr/bin/env node
import { batchCommands } from './cli/batches.ts';
import { checkTyped, typed, WrongCommand } from './cli/command.ts';
import { taskCommands } from './cli/tasks.ts';
import { AgentTasks } from './index.ts';

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
  sites             Prints the sites of your organization. --limit as above.

  batch create FILE   Makes a page for each row of a CSV file; - is standard input.
    --site ID           the site
    --template PATH     the page that rows without one are made from
    --publish           puts the pages live
    --hold              holds pages with warnings
    --canary N          makes N rows first, and waits for an approval
    --link-from PATH    a page that gets links to all
    --wait              waits until nothing more happens by itself, and prints the batch
  batch check FILE    Prints which rows would fail. Options as above, without --wait.
  batch get BATCH     Prints a batch.
  batch wait BATCH    Waits until nothing more happens by itself, and prints the batch.
  batch list          Prints batches, the latest first. --site and --limit as above.
  batch rows BATCH    Prints the rows of a batch: all, or --limit N.
    --state STATE       such as failed
  batch approve BATCH, batch retry BATCH, batch skip BATCH
    --rows 3,7          only these; skip needs it
  batch publish BATCH, batch pause BATCH, batch resume BATCH, batch cancel BATCH

  --json            prints JSON, one line for each task, batch, row or site

AGENT_TASKS_URL is the address of the service, AGENT_TASKS_API_KEY a key of your organization.
Exit codes: 0 done, 1 a task or row failed, 2 the command is wrong, 3 the service refused or did not answer.`;

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
      name === '' ? usage : `There is no command "${name}": agent-tasks --help has all`,
    );
  checkTyped(name, command, values, words);
  return command.run(clientOf(process.env), values, ...words);
}

function clientOf({ AGENT_TASKS_URL: baseUrl, AGENT_TASKS_API_KEY: apiKey }: NodeJS.ProcessEnv) {
  if (!baseUrl || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new WrongCommand('AGENT_TASKS_URL must be the http or https address of the service');
  if (!apiKey || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new WrongCommand('AGENT_TASKS_API_KEY must be a key of your organization');
  return new AgentTasks({ baseUrl, apiKey });
}

/** Why there was no answer, such as ECONNREFUSED: `fetch` has it two causes deep. */
const networkCodeOf = ({ cause }: Error) =>
  cause instanceof Error ? (cause.cause as NodeJS.ErrnoException | undefined)?.code : undefined;

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
  const lost = networkCodeOf(error as Error);
  console.error(lost === undefined ? message : `${message} (${lost})`);
  process.exitCode = isWrong ? 2 : 3;
}
