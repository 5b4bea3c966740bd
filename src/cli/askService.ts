import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DomainError } from '../errors.ts';
import type { OperatorReply, OperatorRequest } from './operatorChannel.ts';
import { readFirstLine } from './readFirstLine.ts';

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/**
 * Sends an operator command to the running service over its socket, as one line of JSON.
 * @param socketPath from `operatorSocketPath`
 * @param onConnect called once connected to a service
 * @returns the command's result; null if no service runs
 * @throws DomainError as the command does; CONFLICT if the service ended before it answered;
 *   CONFIGURATION if the socket can't be used
 */
export async function askService(
  socketPath: string,
  request: OperatorRequest,
  onConnect = () => {},
): Promise<object | null> {
  const service = await connectIfAnswered(socketPath);
  if (!service) return null;
  onConnect();
  try {
    service.write(`${JSON.stringify(request)}\n`);
    return replyResult(await readFirstLine(service, MAX_REPLY_BYTES), request.command);
  } finally {
    service.destroy();
  }
}

async function connectIfAnswered(socketPath: string): Promise<Socket | null> {
  const service = connect(socketPath);
  try {
    await once(service, 'connect');
    return service;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw new DomainError(
      'CONFIGURATION',
      `The socket of the service at ${socketPath} cannot be used: ${code}`,
      {
        cause: error,
      },
    );
  }
}

function replyResult(line: string | null, command: string): object {
  if (line === null)
    throw new DomainError(
      'CONFLICT',
      `The service stopped before it answered \`${command}\`. Check whether the command took effect.`,
    );
  const reply = JSON.parse(line) as OperatorReply;
  if ('result' in reply) return reply.result;
  const { code, message } = reply.error;
  throw code ? new DomainError(code, message) : new Error(message);
}
