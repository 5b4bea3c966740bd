import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../errors.ts';
import { askService } from './askService.ts';
import type { Request } from './operatorChannel.ts';
import type { RunCommand } from './commands.ts';
import { operatorSocketPath } from './socketPath.ts';

/**
 * Milliseconds. A service that starts or ends, or another command, may hold the database so long
 * without an answer.
 */
const PATIENCE = 20_000;
const STEP = 100;

export interface ExecuteOptions {
  dataDir: string;
  /** Whether the database is the embedded one, which only one process can open. */
  embedded: boolean;
  /** Opens the database in this process. Throws CONFLICT where another one holds it. */
  open: () => Promise<{ run: RunCommand; close(): Promise<void>; isNew: boolean }>;
  /** Called when the command has reached its data. `isNew`: the database was made just now. */
  onData: (isNew: boolean) => void;
}

/**
 * Runs one operator command: in the service that runs on the embedded database, or else in this
 * process.
 * @returns what is to be printed
 * @throws DomainError as the command did; CONFLICT where the database stays in other hands
 */
export async function execute(
  options: ExecuteOptions,
  command: string,
  given: object,
): Promise<object> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const answer = options.embedded
      ? await askIfRunning(options, { command, arguments: given })
      : null;
    if (answer) return answer;
    const opened = await openIfFree(options, deadline);
    if (opened) {
      options.onData(opened.isNew);
      try {
        return await opened.run(command, given);
      } finally {
        await opened.close();
      }
    }
    await delay(STEP);
  }
}

async function askIfRunning(
  { dataDir, onData }: ExecuteOptions,
  request: Request,
): Promise<object | null> {
  if (!existsSync(dataDir)) return null;
  return askService(operatorSocketPath(dataDir), request, () => onData(false));
}

/** @returns null while another process holds the database, until the deadline */
async function openIfFree({ open }: ExecuteOptions, deadline: number) {
  try {
    return await open();
  } catch (error) {
    if (hasCode(error, 'CONFLICT') && Date.now() < deadline) return null;
    throw error;
  }
}
