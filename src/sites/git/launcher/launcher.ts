import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { launcherEnvironment } from '../command/gitEnvironment.ts';
import type {
  LauncherCommand,
  CommandOutcome,
  LauncherReport,
  LauncherRequest,
} from './protocol.ts';
import { killGroup } from './supervise.ts';

/**
 * How a command ended. `lost` means that the launcher's process ended before it reported the end of
 * the command. If the command was running, it was killed.
 */
export type CommandEnding = CommandOutcome | { lost: true };

/**
 * Runs commands from a small separate process. Starting a program blocks the starting process for a
 * time that grows with its memory: 2 ms for the launcher, 15 to 30 ms for the service. All commands
 * end when the service ends, even if it is killed.
 */
export interface CommandLauncher {
  /**
   * Runs a command to its end. The first call starts the launcher's process.
   * @param signal ends the command
   */
  run(command: LauncherCommand, signal?: AbortSignal): Promise<CommandEnding>;
  /** Ends running commands, and the launcher. */
  close(): Promise<void>;
}

/** A running command of the launcher. `group`: its process group, once known. */
interface LauncherJob {
  group?: number;
  settle: (ending: CommandEnding) => void;
}

/** Makes a launcher. It starts its process at the first command, and again if that was killed. */
export function createLauncher(): CommandLauncher {
  let launcherProcess: ReturnType<typeof launchProcess> | undefined;
  return {
    run(command, signal) {
      if (!launcherProcess?.isUsable()) launcherProcess = launchProcess();
      return launcherProcess.run(command, signal);
    },
    async close() {
      await launcherProcess?.close();
    },
  };
}

function launchProcess() {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), {
    // Ctrl-C in the terminal must only reach the service, which still needs git for an orderly stop
    detached: true,
    execArgv: [],
    env: launcherEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const jobs = new Map<number, LauncherJob>();
  let lastId = 0;
  let isGone = false;

  const settleJob = (id: number, ending: CommandEnding) => {
    jobs.get(id)?.settle(ending);
    jobs.delete(id);
    if (jobs.size === 0) releaseProcess(child);
  };
  const sendRequest = (request: LauncherRequest) =>
    child.send(request, (error) => {
      if (error) settleJob(request.id, { lost: true });
    });
  const loseJobs = () => {
    isGone = true;
    for (const [id, { group }] of jobs) {
      killGroup(group, 'SIGKILL');
      settleJob(id, { lost: true });
    }
  };
  child.on('message', (report: LauncherReport) => {
    const job = jobs.get(report.id);
    if ('outcome' in report) settleJob(report.id, report.outcome);
    else if (job) job.group = report.group;
  });
  child.on('error', () => {}); // `processGone` handles it
  // read its last reports before reporting the loss: they name the process groups to kill
  const processEnd = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const processGone = Promise.race([processEnd, once(child, 'error')]).then(loseJobs, loseJobs);
  releaseProcess(child);

  return {
    isUsable: () => !isGone && child.connected,
    async run(command: LauncherCommand, signal?: AbortSignal) {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<CommandEnding>();
      jobs.set(id, { settle: resolve });
      keepProcessAlive(child);
      const onAbort = () => sendRequest({ id, end: true });
      sendRequest({ id, command });
      signal?.addEventListener('abort', onAbort);
      try {
        return await promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    async close() {
      for (const id of jobs.keys()) sendRequest({ id, end: true });
      keepProcessAlive(child);
      if (child.connected) child.disconnect();
      await processGone;
    },
  };
}

/** Keeps the service's process running until the launcher has ended. */
function keepProcessAlive(child: ChildProcess) {
  child.ref();
  child.channel?.ref();
}

/** Lets the service's process end while the launcher is idle. */
function releaseProcess(child: ChildProcess) {
  child.unref();
  child.channel?.unref();
}
