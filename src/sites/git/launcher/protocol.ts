/** Messages between the service and its launcher's process, over Node's IPC channel. */

/** The first file descriptor after the standard streams. */
export const SECRET_FD = 3;

/** A program to run to its end, with its whole environment. */
export interface LauncherCommand {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  input?: string | Buffer;
  /**
   * The secret that the command and its child processes read from the file descriptor `SECRET_FD`.
   */
  secret?: string;
  /** A new file for the output, instead of returning it. No limit counts these bytes. */
  output?: string;
  /** Milliseconds until the command is ended. */
  timeout: number;
  /** Bytes of output that are read at most. */
  maxBytes: number;
}

/** How a command ended. No process of its group is left in any case. */
export type CommandOutcome =
  | { code: number; stdout: Buffer; stderr: string }
  /**
   * The command was ended early: it took too long, printed too much, or a caller aborted it.
   */
  | { ended: 'timeout' | 'output' | 'request' }
  /** The command never started. Holds the system's error code, such as `ENOENT`. */
  | { notStarted: string };

export type LauncherRequest = { id: number; command: LauncherCommand } | { id: number; end: true };

/** Two reports for each command: first its process group, then how it ended. */
export type LauncherReport =
  | { id: number; group: number }
  | { id: number; outcome: CommandOutcome };
