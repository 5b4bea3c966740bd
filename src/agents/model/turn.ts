import type { AssistantModelMessage, ModelMessage } from 'ai';
import { defined } from '../../contract/defined.ts';
import type { Usage } from '../../contract/task.ts';
import type { ToolCall, Turn } from '../agent.ts';
import { visible } from '../../contract/visible.ts';
import type { Opaque } from './conversation.ts';

type Content = Exclude<AssistantModelMessage['content'], string>;

/**
 * A tool call as a provider's package gives it: `invalid` where it could not read the arguments, or
 * knows no such tool.
 */
export interface GivenCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
  invalid?: boolean | undefined;
}

interface Given {
  content: Content;
  calls: GivenCall[];
  usage: Usage;
}

/**
 * A turn out of a provider's message. What a provider would refuse when it comes back is put right:
 * ids that are repeated in the task, names of tools that no tool can have, arguments that are no
 * object. Invisible characters are removed.
 * @param messages those before: their calls' ids are taken
 * @param tools names of the tools that there are
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
    // what a provider signed comes back to it as it was
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

/** Levels of arguments: no tool's have half as many. */
const DEEPEST = 20;

/** Whether arguments nest so deep that whatever goes through them would run out of stack. */
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

/** A JSON value, with its texts as people see them. */
function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(visibleIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [visible(key), visibleIn(inner)]),
  );
}

/** Names and ids that every provider takes back. */
const isName = (name: string) => /^[\w-]{1,64}$/.test(name);

/** The provider's own id where it is the only one of the task. */
function freeId(id: string, taken: Set<string>): string {
  if (isName(id) && !taken.has(id)) return id;
  for (let number = taken.size + 1; ; number++)
    if (!taken.has(`call_${number}`)) return `call_${number}`;
}

const idsOf = ({ role, content }: ModelMessage): string[] =>
  role === 'assistant' && typeof content !== 'string'
    ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    : [];
