import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type {
  AgentConversation,
  ToolCall,
  ToolResult,
  ModelTurn,
} from '../../shared/agentTypes.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { createPictureMessages } from './pictureMessages.ts';
import { createPageListing, createTaskEncloser, encloseRequest } from './promptInstructions.ts';

/**
 * Converts the conversation of a prompt task to messages of a provider, and back.
 *
 * - `conversationMessages.ts` makes the messages. `pictureMessages.ts` adds the site's pictures.
 * - `promptInstructions.ts` has the instructions, and encloses texts so that they count as data.
 * - `readModelTurn.ts` makes a turn of the provider's answer. A turn is one answer of the model
 *   with the tools that it calls.
 *
 * For example, a conversation with the prompt "Raise all prices by 5 %" and one turn that called
 * `search` becomes three messages: the user's, which has the list of pages and the request; the
 * assistant's, with the call; and the tool's, with the result between `<result-…>` marks.
 */

type ProviderOptions = AssistantModelMessage['providerOptions'];

/**
 * The structure of a turn in the provider's message, without its texts and calls, which the turn
 * itself has. Includes data that the provider expects back unchanged, such as signatures of
 * reasoning.
 */
export interface ProviderTurnData {
  /**
   * Digest of the instructions and tools of the turn; absent if they are those of the turn before.
   */
  digest?: string;
  parts: TurnPart[];
}
type TurnPart = (
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
export function createConversationMessages(
  conversation: AgentConversation,
  digest: string,
): ModelMessage[] {
  const digests = listTurnDigests(conversation);
  const encloseText = createTaskEncloser(conversation);
  return [
    createOpeningMessage(conversation),
    ...conversation.turns.flatMap(({ turn, results }, index) => [
      createTurnMessage(turn, { withReasoning: digests[index] === digest }),
      turn.toolCalls.length > 0 ? createResultMessage(turn, results, encloseText) : NO_CALL_MESSAGE,
      ...createPictureMessages(results, conversation.pictures, encloseText),
    ]),
  ];
}

/**
 * The first message: the list of pages and the request. Anthropic caches only up to a mark, so the
 * list, which it shares with the site's other tasks, has one.
 */
const createOpeningMessage = (conversation: AgentConversation): ModelMessage => ({
  role: 'user',
  content: [
    {
      type: 'text',
      text: createPageListing(conversation.pages),
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
    { type: 'text', text: encloseRequest(conversation) },
  ],
});

/** The digest of the instructions and tools of each turn. */
export function listTurnDigests({
  turns,
}: Pick<AgentConversation, 'turns'>): (string | undefined)[] {
  let digest: string | undefined;
  return turns.map(
    ({ turn }) => (digest = (turn.opaque as ProviderTurnData | undefined)?.digest ?? digest),
  );
}

const NO_CALL_MESSAGE: ModelMessage = { role: 'user', content: 'Call a tool, or finish.' };

function createTurnMessage(
  { text, toolCalls, opaque }: ModelTurn,
  { withReasoning }: { withReasoning: boolean },
): AssistantModelMessage {
  const { parts } = (opaque as ProviderTurnData | undefined) ?? {
    parts: createTurnParts(text, toolCalls),
  };
  let textStart = 0;
  let callIndex = 0;
  const content = parts.flatMap((part): Exclude<AssistantModelMessage['content'], string> => {
    const { providerOptions } = part;
    if (part.type === 'reasoning') return withReasoning ? [part] : [];
    if (part.type === 'text') {
      const partText = text.slice(textStart, (textStart += part.length));
      // Anthropic writes blank text between its parts, but refuses it as input
      if (partText.trim() === '' && !providerOptions) return [];
      return [{ type: 'text', text: partText, ...withoutUndefined({ providerOptions }) }];
    }
    const { id: toolCallId, name: toolName, arguments: input } = toolCalls[callIndex++]!;
    return [
      { type: 'tool-call', toolCallId, toolName, input, ...withoutUndefined({ providerOptions }) },
    ];
  });
  return { role: 'assistant', content };
}

const createTurnParts = (text: string, calls: ToolCall[]): TurnPart[] => [
  ...(text === '' ? [] : [{ type: 'text' as const, length: text.length }]),
  ...calls.map(() => ({ type: 'tool-call' as const })),
];

function createResultMessage(
  { toolCalls }: ModelTurn,
  results: ToolResult[],
  encloseText: ReturnType<typeof createTaskEncloser>,
): ToolModelMessage {
  return {
    role: 'tool',
    content: toolCalls.map(({ id, name }, index) => {
      const { content = 'The call was not run', isError = true, isAnswer } = results[index] ?? {};
      const visibleContent = removeInvisible(isError ? `Error: ${content}` : content);
      const value = encloseText(isAnswer ? 'answer' : 'result', visibleContent);
      const output = { type: isError ? 'error-text' : 'text', value } as const;
      return { type: 'tool-result', toolCallId: id, toolName: name, output };
    }),
  };
}
