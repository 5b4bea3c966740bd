import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { defined } from '../../contract/defined.ts';
import type { Conversation, ToolCall, ToolResult, Turn } from '../agent.ts';
import { visible } from '../../contract/visible.ts';
import { pictureMessages } from './pictureMessages.ts';
import { listingOf, marksOf, requestIn } from './instructions.ts';

type ProviderOptions = AssistantModelMessage['providerOptions'];

/**
 * The structure of a turn in the provider's message, without its texts and calls. Includes data
 * that the provider expects back unchanged, such as signatures of reasoning.
 */
export interface Opaque {
  /** Digest of the instructions and tools of the turn; absent: as for the turn before. */
  digest?: string;
  parts: Part[];
}
type Part = (
  | { type: 'text'; length: number }
  /** Stands for the turn's next call. */
  | { type: 'tool-call' }
  | { type: 'reasoning'; text: string }
) & { providerOptions?: NonNullable<ProviderOptions> };

/**
 * Converts a task's conversation to a provider's messages. A longer conversation's messages begin
 * with exactly those of a shorter one, so that the provider's cache works.
 * @param digest of the current instructions and tools. Providers bind reasoning to these, so turns
 *   with another digest lose their reasoning
 */
export function messagesOf(conversation: Conversation, digest: string): ModelMessage[] {
  const digests = digestsOf(conversation);
  const between = marksOf(conversation);
  return [
    openingOf(conversation),
    ...conversation.turns.flatMap(({ turn, results }, i) => [
      messageOf(turn, { withReasoning: digests[i] === digest }),
      turn.toolCalls.length > 0 ? resultsOf(turn, results, between) : NO_CALL,
      ...pictureMessages(results, conversation.pictures, between),
    ]),
  ];
}

/**
 * The first message. Anthropic caches only up to a mark, so the list of pages, which the site's
 * other tasks share, has one.
 */
const openingOf = (conversation: Conversation): ModelMessage => ({
  role: 'user',
  content: [
    {
      type: 'text',
      text: listingOf(conversation.pages),
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
    { type: 'text', text: requestIn(conversation) },
  ],
});

/** The digest of the instructions and tools of each turn. */
export function digestsOf({ turns }: Pick<Conversation, 'turns'>): (string | undefined)[] {
  let digest: string | undefined;
  return turns.map(({ turn }) => (digest = (turn.opaque as Opaque | undefined)?.digest ?? digest));
}

const NO_CALL: ModelMessage = { role: 'user', content: 'Call a tool, or finish.' };

function messageOf(
  { text, toolCalls, opaque }: Turn,
  { withReasoning }: { withReasoning: boolean },
): AssistantModelMessage {
  const { parts } = (opaque as Opaque | undefined) ?? { parts: partsOf(text, toolCalls) };
  let at = 0;
  let call = 0;
  const content = parts.flatMap((part): Exclude<AssistantModelMessage['content'], string> => {
    const { providerOptions } = part;
    if (part.type === 'reasoning') return withReasoning ? [part] : [];
    if (part.type === 'text') {
      const words = text.slice(at, (at += part.length));
      // Anthropic writes blank text between its parts, but refuses it as input
      if (words.trim() === '' && !providerOptions) return [];
      return [{ type: 'text', text: words, ...defined({ providerOptions }) }];
    }
    const { id: toolCallId, name: toolName, arguments: input } = toolCalls[call++]!;
    return [{ type: 'tool-call', toolCallId, toolName, input, ...defined({ providerOptions }) }];
  });
  return { role: 'assistant', content };
}

const partsOf = (text: string, calls: ToolCall[]): Part[] => [
  ...(text === '' ? [] : [{ type: 'text' as const, length: text.length }]),
  ...calls.map(() => ({ type: 'tool-call' as const })),
];

function resultsOf(
  { toolCalls }: Turn,
  results: ToolResult[],
  between: ReturnType<typeof marksOf>,
): ToolModelMessage {
  return {
    role: 'tool',
    content: toolCalls.map(({ id, name }, i) => {
      const { content = 'The call was not run', isError = true, isAnswer } = results[i] ?? {};
      const said = visible(isError ? `Error: ${content}` : content);
      const value = between(isAnswer ? 'answer' : 'result', said);
      const output = { type: isError ? 'error-text' : 'text', value } as const;
      return { type: 'tool-result', toolCallId: id, toolName: name, output };
    }),
  };
}
