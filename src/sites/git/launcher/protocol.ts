/** Messages between the service and its launcher, over Node's IPC channel. */

/** The first file descriptor after the standard streams. */
export const SECRET_FD = 3;

/** A program to run to its end, with all of its environment. */
export interface Command {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  input?: string | Buffer;
  /** What the command, and those that it starts, read from the file descriptor `SECRET_FD`. */
  secret?: string;
  /** A new file to write the output into, instead of returning it. It counts towards no limit. */
  output?: string;
  /** Milliseconds until the command is ended. */
  timeout: number;
  /** Bytes of output that are read at most. */
  maxBytes: number;
}

/** How a command ended. In every case no process of its group is left. */
export type Outcome =
  | { code: number; stdout: Buffer; stderr: string }
  /** It was ended before: it took too long, printed too much, or was asked to end. */
  | { ended: 'timeout' | 'output' | 'request' }
  /** It never ran: the system's code, `ENOENT` for one. */
  | { notStarted: string };

export type Request = { id: number; command: Command } | { id: number; end: true };

/** First the process group of a command, then how it ended. */
export type Report = { id: number; group: number } | { id: number; outcome: Outcome };
