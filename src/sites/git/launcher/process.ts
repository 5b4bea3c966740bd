import { getPriority, setPriority } from 'node:os';
import type { Report, Request } from './protocol.ts';
import { supervise } from './supervise.ts';

/*
 * The launcher's process: runs commands for the service, and ends them when the service is gone.
 */

/** Commands inherit this priority: git, like the threads for pages, yields to HTTP requests. */
const NICE = 5;
setPriority(Math.max(NICE, getPriority()));

const running = new Map<number, AbortController>();

const report = (message: Report) => {
  if (process.connected) process.send?.(message, unheard);
};
/** An error here means that the service has ended. `disconnect` handles that. */
const unheard = () => {};

process.on('message', (request: Request) => {
  if ('command' in request) void run(request);
  else running.get(request.id)?.abort();
});

async function run({ id, command }: Extract<Request, { command: object }>): Promise<void> {
  const end = new AbortController();
  running.set(id, end);
  const outcome = await supervise(command, end.signal, (group) => report({ id, group }));
  running.delete(id);
  report({ id, outcome });
}

// Without the channel, only the commands keep this process running.
process.on('disconnect', () => {
  for (const end of running.values()) end.abort();
});
