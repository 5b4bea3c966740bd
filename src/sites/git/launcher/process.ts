import { getPriority, setPriority } from 'node:os';
import type { LauncherReport, LauncherRequest } from './protocol.ts';
import { superviseCommand } from './supervise.ts';

/*
 * The launcher's process: runs commands for the service, and ends them when the service is gone.
 */

/** Commands inherit this priority: git, like the threads for pages, yields to HTTP requests. */
const NICE = 5;
setPriority(Math.max(NICE, getPriority()));

const runningCommands = new Map<number, AbortController>();

const sendReport = (message: LauncherReport) => {
  if (process.connected) process.send?.(message, ignoreError);
};
/** An error here means that the service has ended. `disconnect` handles that. */
const ignoreError = () => {};

process.on('message', (request: LauncherRequest) => {
  if ('command' in request) void runCommand(request);
  else runningCommands.get(request.id)?.abort();
});

async function runCommand({
  id,
  command,
}: Extract<LauncherRequest, { command: object }>): Promise<void> {
  const controller = new AbortController();
  runningCommands.set(id, controller);
  const outcome = await superviseCommand(command, controller.signal, (group) =>
    sendReport({ id, group }),
  );
  runningCommands.delete(id);
  sendReport({ id, outcome });
}

// Without the channel, only the commands keep this process running.
process.on('disconnect', () => {
  for (const controller of runningCommands.values()) controller.abort();
});
