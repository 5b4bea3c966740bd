import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { launcherEnvironment } from '../environment.ts';
import type { Command, Outcome, Report, Request } from './protocol.ts';
import { killGroup } from './supervise.ts';

/** The result of a command. `lost`: the launcher was killed, and the command with it. */
export type Ending = Outcome | { lost: true };

/**
 * Runs commands from a small separate process. Starting a program blocks the starting process for a
 * time that grows with its memory: 2 ms for the launcher, 15 to 30 ms for the service. All commands
 * end when the service ends, even if it is killed.
 */
export interface Launcher {
  /**
   * Runs a command to its end. The first call starts the launcher's process.
   * @param signal ends the command
   */
  run(command: Command, signal?: AbortSignal): Promise<Ending>;
  /** Ends running commands, and the launcher. */
  close(): Promise<void>;
}

interface Job {
  group?: number;
  settle: (ending: Ending) => void;
}

export function createLauncher(): Launcher {
  let launched: ReturnType<typeof launch> | undefined;
  return {
    run(command, signal) {
      if (!launched?.isUsable()) launched = launch();
      return launched.run(command, signal);
    },
    async close() {
      await launched?.close();
    },
  };
}

function launch() {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), {
    // Ctrl-C in the terminal must only reach the service, which still needs git for an orderly stop
    detached: true,
    execArgv: [],
    env: launcherEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const jobs = new Map<number, Job>();
  let lastId = 0;
  let isGone = false;

  const settle = (id: number, ending: Ending) => {
    jobs.get(id)?.settle(ending);
    jobs.delete(id);
    if (jobs.size === 0) letGo(child);
  };
  const tell = (request: Request) =>
    child.send(request, (error) => {
      if (error) settle(request.id, { lost: true });
    });
  const lose = () => {
    isGone = true;
    for (const [id, { group }] of jobs) {
      killGroup(group, 'SIGKILL');
      settle(id, { lost: true });
    }
  };
  child.on('message', (report: Report) => {
    const job = jobs.get(report.id);
    if ('outcome' in report) settle(report.id, report.outcome);
    else if (job) job.group = report.group;
  });
  child.on('error', () => {}); // `gone` reports it
  // read its last reports before reporting the loss: they name the process groups to kill
  const lost = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const gone = Promise.race([lost, once(child, 'error')]).then(lose, lose);
  letGo(child);

  return {
    isUsable: () => !isGone && child.connected,
    async run(command: Command, signal?: AbortSignal) {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<Ending>();
      jobs.set(id, { settle: resolve });
      hold(child);
      const onAbort = () => tell({ id, end: true });
      tell({ id, command });
      signal?.addEventListener('abort', onAbort);
      try {
        return await promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    async close() {
      for (const id of jobs.keys()) tell({ id, end: true });
      hold(child);
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

/** Keeps the service's process running until the launcher has ended. */
function hold(child: ChildProcess) {
  child.ref();
  child.channel?.ref();
}

/** Lets the service's process end while the launcher is idle. */
function letGo(child: ChildProcess) {
  child.unref();
  child.channel?.unref();
}
