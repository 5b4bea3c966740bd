import {
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
} from '@modelcontextprotocol/server';
import { DomainError, invalidInput } from '../errors.ts';
import type { Call, Tool } from './tool.ts';

/** What a client can do, and what it has asked its person. */
export interface Asking {
  /** Absent in the protocol's former era, where the server has no way to ask. */
  capabilities: ClientCapabilities | undefined;
  responses: Record<string, unknown> | undefined;
}

const KEY = 'publish';

/**
 * Lets the person agree before something goes live: the client asks them (MCP, Elicitation), or
 * else the call says that they have agreed.
 * @returns the question that the client puts to them first; undefined if they have agreed
 * @throws DomainError CONFLICT if they have declined; INVALID_INPUT if nobody was asked
 */
export async function questionFor(
  { question }: Tool,
  call: Call,
  { args, asking }: { args: { confirm?: boolean }; asking: Asking },
): Promise<InputRequiredResult | undefined> {
  if (!canAsk(asking)) {
    if (args.confirm === true) return undefined;
    throw invalidInput(
      'Publishing changes the live site: ask the person, then call again with confirm: true',
    );
  }
  const answer = inputResponse(asking.responses, KEY);
  if (answer.kind !== 'elicit') {
    const message = await question!(call, args as never);
    return message === null ? undefined : ask(message);
  }
  if (answer.action === 'accept' && answer.content?.[KEY] === true) return undefined;
  throw new DomainError('CONFLICT', 'Nothing is published: the person did not agree');
}

/** Forms are what `elicitation` means where it names no modes. */
function canAsk({ capabilities: { elicitation } = {} }: Asking): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

const ask = (message: string): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { [KEY]: { type: 'boolean', title: 'Publish', default: false } },
          required: [KEY],
        },
      }),
    },
  });
