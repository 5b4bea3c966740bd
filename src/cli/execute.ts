import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../errors.ts';
import { askService } from './askService.ts';
import type { Request } from './operatorChannel.ts';
import type { RunCommand } from './commands.ts';
import { operatorSocketPath } from './socketPath.ts';

/**
 * Milliseconds to retry. A starting or stopping service, or another command, may hold the database
 * without answering.
 */
const PATIENCE = 20_000;
const STEP = 100;

export interface ExecuteOptions {
  dataDir: string;
  /** Whether the database is the embedded one, which only one process can open. */
  embedded: boolean;
  /** Opens the database in this process. Throws CONFLICT if another process holds it. */
  open: () => Promise<{ run: RunCommand; close(): Promise<void>; isNew: boolean }>;
  /** Called once the command has the database. `isNew`: this command made it. */
  onData: (isNew: boolean) => void;
}

/**
 * Runs one operator command: in the service that holds the embedded database, otherwise in this
 * process.
 * @returns the result to print
 * @throws DomainError as the command does; CONFLICT if another process keeps holding the database
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

/** @returns null if another process holds the database and the deadline is not over */
async function openIfFree({ open }: ExecuteOptions, deadline: number) {
  try {
    return await open();
  } catch (error) {
    if (hasCode(error, 'CONFLICT') && Date.now() < deadline) return null;
    throw error;
  }
}
