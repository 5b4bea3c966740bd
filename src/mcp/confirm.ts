import {
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
} from '@modelcontextprotocol/server';
import { DomainError, invalidInputError } from '../errors.ts';
import type { AssistantCall, AssistantTool } from './tool.ts';

/** Whether a client can ask its person something (MCP calls that elicitation), and the answers. */
export interface ElicitationState {
  /** Absent in the protocol's earlier version, in which the server can't ask. */
  capabilities: ClientCapabilities | undefined;
  responses: Record<string, unknown> | undefined;
}

const RESPONSE_KEY = 'publish';

/**
 * Makes sure that the person agrees before a call puts something live. The client asks the person
 * (MCP, Elicitation). If it can't, the assistant asks, and repeats the call with `confirm: true`.
 * A call that would fail throws its error instead of a question.
 * @returns the question that the client puts to the person before it repeats the call; undefined if
 *   the person has agreed, or if nothing would be published
 * @throws DomainError CONFLICT if the person has declined; INVALID_INPUT with the question if the
 *   client can't ask and `confirm` is not true; the errors of the call itself
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
 * Whether the person has accepted the question. Accepting means agreeing, since the form has no
 * fields.
 * @returns false if the client has not asked yet
 * @throws DomainError CONFLICT if the person has declined
 */
function hasAgreed({ responses }: ElicitationState): boolean {
  const personAnswer = inputResponse(responses, RESPONSE_KEY);
  if (personAnswer.kind !== 'elicit') return false;
  if (personAnswer.action === 'accept') return true;
  throw new DomainError('CONFLICT', 'Nothing was published, because the person did not agree');
}

/** Whether the client can show forms: it says so, or supports elicitation without naming modes. */
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
