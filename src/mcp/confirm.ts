import {
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
} from '@modelcontextprotocol/server';
import { DomainError, invalidInputError } from '../errors.ts';
import type { AssistantCall, AssistantTool } from './tool.ts';

/** What a client can do, and what it has asked its person. */
export interface ElicitationState {
  /** Absent in the protocol's former era, where the server has no way to ask. */
  capabilities: ClientCapabilities | undefined;
  responses: Record<string, unknown> | undefined;
}

const RESPONSE_KEY = 'publish';

/**
 * Lets the person agree before something goes live: the client asks them (MCP, Elicitation), or
 * else the call says that they have agreed. Nobody is asked about a call that would fail.
 * @returns the question that the client puts to them first; undefined if they have agreed, or if
 *   nothing would be published
 * @throws DomainError CONFLICT if they have declined; INVALID_INPUT with the question if nobody was
 *   asked; what the call itself would throw
 */
export async function questionFor(
  { question }: AssistantTool,
  call: AssistantCall,
  { args, asking }: { args: { confirm?: boolean }; asking: ElicitationState },
): Promise<InputRequiredResult | undefined> {
  const isAsking = canAsk(asking);
  if (isAsking ? hasAgreed(asking) : args.confirm === true) return undefined;
  const message = await question!(call, args as never);
  if (message === null) return undefined;
  if (isAsking) return askPerson(message);
  throw invalidInputError(
    `Ask the person, and then call the tool again with confirm: true. ${message}`,
  );
}

/**
 * Whether the person has accepted the question. To accept it is to agree: the form has no field
 * that could say otherwise.
 * @returns false if nobody has asked yet
 * @throws DomainError CONFLICT if they have declined
 */
function hasAgreed({ responses }: ElicitationState): boolean {
  const personAnswer = inputResponse(responses, RESPONSE_KEY);
  if (personAnswer.kind !== 'elicit') return false;
  if (personAnswer.action === 'accept') return true;
  throw new DomainError('CONFLICT', 'Nothing was published, because the person did not agree');
}

/** Forms are what `elicitation` means where it names no modes. */
function canAsk({ capabilities: { elicitation } = {} }: ElicitationState): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

const askPerson = (message: string): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [RESPONSE_KEY]: inputRequired.elicit({
        message,
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
  });
