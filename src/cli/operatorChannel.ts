import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { CommandRunner } from './commands.ts';
import { readFirstLine } from './readFirstLine.ts';

const MAX_REQUEST_BYTES = 64 * 1024;
/** Milliseconds to wait for a connected client's request. */
const REQUEST_TIMEOUT_MS = 10_000;

/** The request of a command line, as one line of JSON. */
export interface OperatorRequest {
  command: string;
  arguments: object;
}

/** The service's reply, as one line of JSON. Unexpected errors have no code. */
export type OperatorReply = { result: object } | { error: { code?: ErrorCode; message: string } };

interface ConnectedCallers {
  all: Set<Socket>;
  /** Clients whose request has not arrived yet. */
  silent: Set<Socket>;
  answers: Set<Promise<void>>;
}

/**
 * Runs operator commands that arrive on a Unix socket, which only this user may use. Call it only
 * while this process holds the data folder (`openDatabase`). Any file at the path is then a
 * leftover of an ended process, and is replaced.
 * @param socketPath from `operatorSocketPath`
 * @returns `close`, which waits for running commands and removes the socket
 */
export async function serveOperatorChannel(
  socketPath: string,
  run: CommandRunner,
): Promise<{ close(): Promise<void> }> {
  const callers: ConnectedCallers = { all: new Set(), silent: new Set(), answers: new Set() };
  const server = createServer((caller) => {
    callers.all.add(caller);
    caller.on('close', () => callers.all.delete(caller));
    const answeredCaller = answerCaller(caller, callers.silent, run).finally(() =>
      callers.answers.delete(answeredCaller),
    );
    callers.answers.add(answeredCaller);
  });
  await listenPrivately(server, socketPath);
  return { close: () => closeChannel(server, callers) };
}

/** Creates the socket with its final mode, so that other users can't connect even for a moment. */
async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  rmSync(socketPath, { force: true });
  const maskBefore = process.umask(0o177);
  try {
    server.listen(socketPath);
  } finally {
    process.umask(maskBefore);
  }
  await once(server, 'listening');
}

async function answerCaller(
  caller: Socket,
  silentCallers: Set<Socket>,
  runCommand: CommandRunner,
): Promise<void> {
  caller.setTimeout(REQUEST_TIMEOUT_MS, () => caller.destroy());
  caller.on('error', () => caller.destroy());
  silentCallers.add(caller);
  const requestLine = await readFirstLine(caller, MAX_REQUEST_BYTES).catch((error: unknown) =>
    failureReply(error),
  );
  silentCallers.delete(caller);
  if (requestLine === null) return;
  caller.setTimeout(0);
  caller.end(
    `${JSON.stringify(typeof requestLine === 'string' ? await runRequest(requestLine, runCommand) : requestLine)}\n`,
  );
  caller.setTimeout(REQUEST_TIMEOUT_MS);
}

async function runRequest(requestLine: string, runCommand: CommandRunner): Promise<OperatorReply> {
  try {
    const { command, arguments: options } = parseRequest(requestLine);
    return { result: await runCommand(command, options) };
  } catch (error) {
    return failureReply(error);
  }
}

function parseRequest(requestLine: string): OperatorRequest {
  const request = JSON.parse(requestLine) as Partial<OperatorRequest> | null;
  if (typeof request?.command !== 'string')
    throw new DomainError('INVALID_INPUT', 'A request must contain the name of a command');
  return { command: request.command, arguments: request.arguments ?? {} };
}

function failureReply(error: unknown): OperatorReply {
  const message = error instanceof Error ? error.message : 'unknown reason';
  return { error: error instanceof DomainError ? { code: error.code, message } : { message } };
}

/** Waits for the replies to requests. Disconnects clients that have sent no request yet. */
async function closeChannel(
  server: Server,
  { all: allCallers, silent: silentCallers, answers }: ConnectedCallers,
): Promise<void> {
  const serverClosed = once(server, 'close');
  server.close();
  for (const caller of silentCallers) caller.destroy();
  await Promise.all(answers);
  for (const caller of allCallers) caller.destroySoon();
  await serverClosed;
}
