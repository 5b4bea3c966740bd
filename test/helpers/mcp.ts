import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** A note, as tools tell it. */
export interface ToldNote {
  noteId: string;
  kind: string;
  text: string;
  count: number;
  pages: string[];
}

/** What tools answer, and their errors, as far as tests read it. */
export interface ToolError {
  error: string;
  code: string;
  requestId: string;
  next: string;
  sites: object[];
  pages: { slug: string; template: boolean }[];
  tasks: { type: string }[];
  taskId: string;
  batchId: string;
  rows: { number: number }[];
  version: number | null;
  removed: number;
  counts: Record<string, number>;
  rowsToCheck: { number: number; why: string }[];
  status: string;
  outline: string;
  maxLengths: Record<string, number>;
  keys: Record<string, string>;
  problems: { message: string }[];
  examples: { prompt: string }[];
  stays: { label: string; text: string; count: number }[];
  notes: ToldNote[];
  nextCursor: string | null;
  texts: { page: string; before: string | null; after: string | null }[];
  deployments: { deploymentId: string; isLive: boolean }[];
  shares: { shareId: string; access: string }[];
  shareId: string;
  url: string;
  count: number;
  errorMessage: string;
  progress?: { waitingFor?: { questionId: string; question: string } };
  output: { pagesCreated: { slug: string; previewUrl: string }[]; notes: ToldNote[] };
}

/** What both clients answer to a call of a tool. */
export interface ToolAnswer {
  isError: boolean;
  /** The answer of the tool, or the error. */
  json: ToolError;
}

/** An assistant, as the tests use it. */
export interface Assistant {
  /** The protocol's version that it speaks with the service. */
  version: string | undefined;
  tools(): Promise<{ name: string }[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface Person {
  /** The questions that the person was asked. */
  asked: string[];
  /** What the person does with a question. */
  answers: 'accept' | 'decline';
}

/** What it does with the answers of a client, whichever era it is of. */
interface Answers {
  isError?: boolean;
  content?: unknown;
  structuredContent?: unknown;
}

function answerOf({ isError = false, content, structuredContent }: Answers): ToolAnswer {
  const [{ text }] = content as [{ text: string }];
  const json = JSON.parse(text) as ToolError;
  const isStructured = !isError && structuredContent !== undefined;
  if (isStructured && JSON.stringify(structuredContent) !== text)
    throw new Error(`The text is not the structured content: ${text}`);
  return { isError, json };
}

const of = (port: number, key: string) =>
  [
    new URL(`http://localhost:${port}/mcp`),
    { requestInit: { headers: { authorization: `Bearer ${key}` } } },
  ] as const;

/**
 * The official client of the protocol's present era.
 * @param person answers its questions; absent: it can ask nobody
 */
export async function connectAssistant(
  port: number,
  key: string,
  person?: Person,
): Promise<Assistant> {
  const info = { name: 'tests', version: '1' };
  const client = new Client(info, {
    capabilities: person ? { elicitation: {} } : {},
    versionNegotiation: { mode: 'auto' },
  });
  if (person)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      person.asked.push(params.message);
      return person.answers === 'decline'
        ? { action: 'decline' }
        : { action: 'accept', content: {} };
    });
  await client.connect(new StreamableHTTPClientTransport(...of(port, key)));
  return assistantOf(client);
}

/** A client that is connected. */
export const assistantOf = (client: Client): Assistant => ({
  version: client.getNegotiatedProtocolVersion(),
  tools: async () => (await client.listTools()).tools,
  call: async (name, args = {}) =>
    answerOf((await client.callTool({ name, arguments: args })) as Answers),
  close: () => client.close(),
});

/** The official client of the era before. */
export async function connectOldAssistant(port: number, key: string): Promise<Assistant> {
  const client = new OldClient({ name: 'tests', version: '1' });
  const transport = new OldTransport(...of(port, key));
  await client.connect(transport);
  return {
    version: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}) =>
      answerOf((await client.callTool({ name, arguments: args })) as Answers),
    close: () => client.close(),
  };
}
