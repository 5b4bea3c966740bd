import type { AssistantModelMessage, ModelMessage } from 'ai';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { TokenUsage } from '../../../contract/task.ts';
import type { ToolCall, ModelTurn } from '../../shared/agentTypes.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import type { ProviderTurnData } from './conversationMessages.ts';

export type TurnContent = Exclude<AssistantModelMessage['content'], string>;

/**
 * A tool call as a provider's package returns it. `invalid`: the package could not parse the
 * arguments, or does not know the tool.
 */
export interface ProviderToolCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
  invalid?: boolean | undefined;
}

interface ProviderAnswer {
  content: TurnContent;
  calls: ProviderToolCall[];
  usage: TokenUsage;
}

/** Why a call cannot be run. */
export const invalidCalls = {
  unknownTool: (tools: string[]) =>
    `There is no tool with this name. The tools are: ${tools.join(', ')}`,
  noObject: () => 'The arguments are not a JSON object. Call the tool again with one',
};

/**
 * Converts a provider's message to a turn: an answer's text and tool calls. Corrects what the
 * provider would refuse as input later: ids that repeat in the task, invalid names of tools, and
 * arguments that are not an object. Removes invisible characters.
 * @param messages the earlier messages. The ids of their calls are taken
 * @param tools the names of all tools
 */
export function readModelTurn(
  { content, calls, usage }: ProviderAnswer,
  messages: ModelMessage[],
  tools: string[],
): ModelTurn {
  const takenIds = new Set(messages.flatMap(listCallIds));
  const toolCalls = calls.map((call): ToolCall => {
    const id = chooseCallId(call.toolCallId, takenIds);
    takenIds.add(id);
    return { id, ...readToolCall(call, tools) };
  });
  const parts = content.flatMap((part): ProviderTurnData['parts'] => {
    if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-call') return [];
    const { type, providerOptions } = part;
    const options = withoutUndefined({ providerOptions });
    if (type === 'text') return [{ type, length: removeInvisible(part.text).length, ...options }];
    if (type === 'tool-call') return [{ type, ...options }];
    // text with a provider's signature must go back unchanged
    return [{ type, text: providerOptions ? part.text : removeInvisible(part.text), ...options }];
  });
  const text = content
    .map((part) => (part.type === 'text' ? removeInvisible(part.text) : ''))
    .join('');
  return { text, toolCalls, opaque: { parts } satisfies ProviderTurnData, usage };
}

function readToolCall(
  { toolName, input, invalid }: ProviderToolCall,
  tools: string[],
): Omit<ToolCall, 'id'> {
  const isObject =
    typeof input === 'object' && input !== null && !Array.isArray(input) && !isDeeplyNested(input);
  const name = isProviderName(toolName) ? toolName : 'unknown_tool';
  const callArguments = isObject ? (removeInvisibleDeep(input) as ToolCall['arguments']) : {};
  if (!tools.includes(toolName))
    return {
      name,
      arguments: callArguments,
      invalid: invalidCalls.unknownTool(tools),
    };
  if (!isObject || invalid)
    return {
      name,
      arguments: {},
      invalid: invalidCalls.noObject(),
    };
  return { name, arguments: callArguments };
}

/** Most levels of nested arguments. No tool has half as many. */
const MAX_NESTING = 20;

/** Whether arguments are nested so deeply that recursive code would overflow the stack. */
function isDeeplyNested(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return true;
    level = level.flatMap((nestedValue): unknown[] =>
      typeof nestedValue === 'object' && nestedValue !== null ? Object.values(nestedValue) : [],
    );
  }
  return false;
}

/** A JSON value without invisible characters in its texts. */
function removeInvisibleDeep(value: unknown): unknown {
  if (typeof value === 'string') return removeInvisible(value);
  if (Array.isArray(value)) return value.map(removeInvisibleDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, innerValue]) => [
      removeInvisible(key),
      removeInvisibleDeep(innerValue),
    ]),
  );
}

/** Whether every provider accepts a name or id. */
const isProviderName = (name: string) => /^[\w-]{1,64}$/.test(name);

/** The provider's id if it is unique in the task, else a new one. */
function chooseCallId(id: string, takenIds: Set<string>): string {
  if (isProviderName(id) && !takenIds.has(id)) return id;
  for (let number = takenIds.size + 1; ; number++)
    if (!takenIds.has(`call_${number}`)) return `call_${number}`;
}

const listCallIds = ({ role, content }: ModelMessage): string[] =>
  role === 'assistant' && typeof content !== 'string'
    ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    : [];
