import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { hasErrorCode } from '../errors.ts';
import { askService } from './askService.ts';
import type { OperatorRequest } from './operatorChannel.ts';
import type { CommandRunner } from './commands.ts';
import { operatorSocketPath } from './socketPath.ts';

/**
 * Milliseconds for which a command is retried. A starting or stopping service, or another command,
 * may hold the database without answering.
 */
const TIMEOUT_MS = 20_000;
const RETRY_MS = 100;

export interface ExecuteOptions {
  dataDir: string;
  /** Whether the database is the embedded one, which only one process can open. */
  embedded: boolean;
  /** Opens the database in this process. Throws CONFLICT if another process holds it. */
  open: () => Promise<{ run: CommandRunner; close(): Promise<void>; isNew: boolean }>;
  /** Called when the command has the database. `isNew`: whether this command created it. */
  onData: (isNew: boolean) => void;
}

/**
 * Runs one operator command: in the service if one holds the embedded database, otherwise in this
 * process, which opens the database for it.
 * @returns the result to print
 * @throws DomainError as the command does; CONFLICT if another process keeps holding the database
 */
export async function executeCommand(
  options: ExecuteOptions,
  command: string,
  commandOptions: object,
): Promise<object> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const serviceAnswer = options.embedded
      ? await askIfRunning(options, { command, arguments: commandOptions })
      : null;
    if (serviceAnswer) return serviceAnswer;
    const openedDatabase = await openIfFree(options, deadline);
    if (openedDatabase) {
      options.onData(openedDatabase.isNew);
      try {
        return await openedDatabase.run(command, commandOptions);
      } finally {
        await openedDatabase.close();
      }
    }
    await delay(RETRY_MS);
  }
}

async function askIfRunning(
  { dataDir, onData }: ExecuteOptions,
  request: OperatorRequest,
): Promise<object | null> {
  if (!existsSync(dataDir)) return null;
  return askService(operatorSocketPath(dataDir), request, () => onData(false));
}

/** @returns null if another process holds the database and the deadline has not passed */
async function openIfFree({ open }: ExecuteOptions, deadline: number) {
  try {
    return await open();
  } catch (error) {
    if (hasErrorCode(error, 'CONFLICT') && Date.now() < deadline) return null;
    throw error;
  }
}
