import type { AssistantModelMessage, ModelMessage } from 'ai';
import { defined } from '../../contract/defined.ts';
import type { Usage } from '../../contract/task.ts';
import type { ToolCall, Turn } from '../agent.ts';
import { visible } from '../../contract/visible.ts';
import type { Opaque } from './conversation.ts';

export type TurnContent = Exclude<AssistantModelMessage['content'], string>;

/**
 * A tool call as a provider's package returns it. `invalid`: the package could not parse the
 * arguments, or knows no such tool.
 */
export interface GivenCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
  invalid?: boolean | undefined;
}

interface Given {
  content: TurnContent;
  calls: GivenCall[];
  usage: Usage;
}

/**
 * Converts a provider's message to a turn. Corrects what the provider would refuse as input: ids
 * that repeat in the task, invalid names of tools, and arguments that are no object. Removes
 * invisible characters.
 * @param messages the earlier messages: their calls' ids are taken
 * @param tools the names of all tools
 */
export function turnOf(
  { content, calls, usage }: Given,
  messages: ModelMessage[],
  tools: string[],
): Turn {
  const taken = new Set(messages.flatMap(idsOf));
  const toolCalls = calls.map((call): ToolCall => {
    const id = freeId(call.toolCallId, taken);
    taken.add(id);
    return { id, ...readCall(call, tools) };
  });
  const parts = content.flatMap((part): Opaque['parts'] => {
    if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-call') return [];
    const { type, providerOptions } = part;
    const options = defined({ providerOptions });
    if (type === 'text') return [{ type, length: visible(part.text).length, ...options }];
    if (type === 'tool-call') return [{ type, ...options }];
    // text with a provider's signature must go back unchanged
    return [{ type, text: providerOptions ? part.text : visible(part.text), ...options }];
  });
  const text = content.map((part) => (part.type === 'text' ? visible(part.text) : '')).join('');
  return { text, toolCalls, opaque: { parts } satisfies Opaque, usage };
}

function readCall({ toolName, input, invalid }: GivenCall, tools: string[]): Omit<ToolCall, 'id'> {
  const isObject =
    typeof input === 'object' && input !== null && !Array.isArray(input) && !isDeep(input);
  const name = isName(toolName) ? toolName : 'unknown_tool';
  const args = isObject ? (visibleIn(input) as ToolCall['arguments']) : {};
  if (!tools.includes(toolName))
    return {
      name,
      arguments: args,
      invalid: `There is no such tool; there are: ${tools.join(', ')}`,
    };
  if (!isObject || invalid)
    return {
      name,
      arguments: {},
      invalid: 'The arguments are no JSON object: call the tool again, with one',
    };
  return { name, arguments: args };
}

/** Most levels of nested arguments. No tool has half as many. */
const DEEPEST = 20;

/** Whether arguments are nested so deeply that recursive code would overflow the stack. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return false;
}

/** A JSON value without invisible characters in its texts. */
function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(visibleIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [visible(key), visibleIn(inner)]),
  );
}

/** Whether every provider accepts a name or id. */
const isName = (name: string) => /^[\w-]{1,64}$/.test(name);

/** The provider's id if it is unique in the task, else a new one. */
function freeId(id: string, taken: Set<string>): string {
  if (isName(id) && !taken.has(id)) return id;
  for (let number = taken.size + 1; ; number++)
    if (!taken.has(`call_${number}`)) return `call_${number}`;
}

const idsOf = ({ role, content }: ModelMessage): string[] =>
  role === 'assistant' && typeof content !== 'string'
    ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    : [];
