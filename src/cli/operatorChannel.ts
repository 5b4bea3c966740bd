import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { RunCommand } from './commands.ts';
import { readLine } from './readLine.ts';

const MAX_REQUEST_BYTES = 64 * 1024;
/** Milliseconds to wait for a connected client's request. */
const PATIENCE = 10_000;

/** A client's request, as one line of JSON. */
export interface Request {
  command: string;
  arguments: object;
}

/** The answer, as one line of JSON. Unexpected errors have no code. */
export type Reply = { result: object } | { error: { code?: ErrorCode; message: string } };

interface Callers {
  all: Set<Socket>;
  /** Clients whose request has not arrived yet. */
  silent: Set<Socket>;
  answers: Set<Promise<void>>;
}

/**
 * Answers operator commands on a Unix socket that only this user may use.
 * Call it only while this process holds the data folder (`openDatabase`). Then any file at the path
 * is a leftover, and is replaced.
 * @param socketPath from `operatorSocketPath`
 * @returns `close`, which waits for running commands and removes the socket
 */
export async function serveOperatorChannel(
  socketPath: string,
  run: RunCommand,
): Promise<{ close(): Promise<void> }> {
  const callers: Callers = { all: new Set(), silent: new Set(), answers: new Set() };
  const server = createServer((caller) => {
    callers.all.add(caller);
    caller.on('close', () => callers.all.delete(caller));
    const answered = answer(caller, callers.silent, run).finally(() =>
      callers.answers.delete(answered),
    );
    callers.answers.add(answered);
  });
  await listenPrivately(server, socketPath);
  return { close: () => closeChannel(server, callers) };
}

/** Creates the socket with its final mode, so that other users can't connect even for a moment. */
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

async function answer(caller: Socket, silent: Set<Socket>, run: RunCommand): Promise<void> {
  caller.setTimeout(PATIENCE, () => caller.destroy());
  caller.on('error', () => caller.destroy());
  silent.add(caller);
  const line = await readLine(caller, MAX_REQUEST_BYTES).catch((error: unknown) => failure(error));
  silent.delete(caller);
  if (line === null) return;
  caller.setTimeout(0);
  caller.end(`${JSON.stringify(typeof line === 'string' ? await reply(line, run) : line)}\n`);
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
  if (typeof request?.command !== 'string')
    throw new DomainError('INVALID_INPUT', 'A request must name its command');
  return { command: request.command, arguments: request.arguments ?? {} };
}

function failure(error: unknown): Reply {
  const message = error instanceof Error ? error.message : 'unknown reason';
  return { error: error instanceof DomainError ? { code: error.code, message } : { message } };
}

/** Waits for the answers to requests. Disconnects clients that have sent none. */
async function closeChannel(server: Server, { all, silent, answers }: Callers): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const caller of silent) caller.destroy();
  await Promise.all(answers);
  for (const caller of all) caller.destroySoon();
  await closed;
}
