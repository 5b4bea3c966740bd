import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { RunCommand } from './commands.ts';
import { readLine } from './lines.ts';

const MAX_REQUEST_BYTES = 64 * 1024;
/** Milliseconds that a silent caller is kept. */
const PATIENCE = 10_000;

/** What a caller sends, as one line of JSON. */
export interface Request {
  command: string;
  arguments: object;
}

/** What it gets, as one line of JSON. Errors that nobody foresaw have no code. */
export type Reply = { result: object } | { error: { code?: ErrorCode; message: string } };

/**
 * Answers operator commands on a Unix socket that only this user may use.
 *
 * Call it only while this process holds the data folder (`openDatabase`): whatever else stands at the path is then a leftover, and is replaced.
 * @param socketPath see `operatorSocketPath`
 * @returns `close`, which waits for running commands and removes the socket
 */
export async function serveOperatorChannel(socketPath: string, run: RunCommand): Promise<{ close(): Promise<void> }> {
  const callers = new Set<Socket>();
  const running = new Set<Promise<Reply>>();
  const track = (command: Promise<Reply>) => {
    running.add(command);
    return command.finally(() => running.delete(command));
  };
  const server = createServer((caller) => {
    callers.add(caller);
    caller.on('close', () => callers.delete(caller));
    void answer(caller, (line) => track(reply(line, run)));
  });
  await listenPrivately(server, socketPath);
  return { close: () => closeChannel(server, callers, running) };
}

/** The socket is made with its final mode: at no moment may others connect. */
async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  rmSync(socketPath, { force: true });
  const before = process.umask(0o177);
  try {
    server.listen(socketPath);
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}

async function answer(caller: Socket, replyTo: (line: string) => Promise<Reply>): Promise<void> {
  caller.setTimeout(PATIENCE, () => caller.destroy());
  caller.on('error', () => caller.destroy());
  const line = await readLine(caller, MAX_REQUEST_BYTES).catch((error: unknown) => ({ refused: error }));
  if (line === null) return;
  caller.setTimeout(0);
  const answered = typeof line === 'string' ? await replyTo(line) : failure(line.refused);
  caller.end(`${JSON.stringify(answered)}\n`);
  caller.setTimeout(PATIENCE);
}

async function reply(line: string, run: RunCommand): Promise<Reply> {
  try {
    const { command, arguments: options } = parseRequest(line);
    return { result: await run(command, options) };
  } catch (error) {
    return failure(error);
  }
}

function parseRequest(line: string): Request {
  const request = JSON.parse(line) as Partial<Request> | null;
  if (typeof request?.command !== 'string') throw new DomainError('INVALID_INPUT', 'A request must name its command');
  return { command: request.command, arguments: request.arguments ?? {} };
}

function failure(error: unknown): Reply {
  const message = error instanceof Error ? error.message : 'unknown reason';
  return { error: error instanceof DomainError ? { code: error.code, message } : { message } };
}

/** Commands that are running get their answer out; callers that have not asked yet are sent away. */
async function closeChannel(server: Server, callers: Set<Socket>, running: Set<Promise<Reply>>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await Promise.all(running);
  for (const caller of callers) caller.destroySoon();
  await closed;
}
