import { expect } from 'chai';
import { createHash } from 'node:crypto';
import {
  promptInstructions,
  createPageListing,
  createTaskEncloser,
  encloseRequest,
} from '../../../../../src/agents/model/prompt/promptInstructions.ts';
import type { ModelProvider } from '../../../../../src/agents/model/calls/providerModels.ts';
import { startModelServer } from '../../../../helpers/modelServer.ts';
import { callerOf, conversation, protocols, takeTurn } from '../calls/callers.ts';

const listing = createPageListing(conversation().pages);
const request = encloseRequest(conversation());
const result = createTaskEncloser(conversation())('result', 's1 h1 Hi');
/** Of the organization `o` and the site `site-a`. */
const siteKey = createHash('sha256').update('["o","site-a"]').digest('hex').slice(0, 32);
const read = {
  type: 'object',
  properties: { slug: { type: 'string' } },
  required: ['slug'],
  additionalProperties: false,
};
const none = { type: 'object', properties: {} };
const nothing = 'Call a tool, or finish.';

/** The third request of a task, whole: after a turn with a call, and one without. */
const goldens: Record<ModelProvider, object> = {
  anthropic: {
    model: 'claude-sonnet-4-5',
    max_tokens: 64_000,
    cache_control: { type: 'ephemeral' },
    system: [{ type: 'text', text: promptInstructions }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: listing, cache_control: { type: 'ephemeral' } },
          { type: 'text', text: request },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'tool_use', id: 'a', name: 'read_page', input: { slug: '/' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: result }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Well' }] },
      { role: 'user', content: [{ type: 'text', text: nothing }] },
    ],
    tools: [
      { name: 'read_page', description: 'Reads a page.', input_schema: read },
      { name: 'finish', description: 'Ends the task.', input_schema: none },
    ],
    tool_choice: { type: 'auto' },
    stream: true,
  },
  openai: {
    model: 'gpt-4o',
    input: [
      { role: 'system', content: promptInstructions },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: listing },
          { type: 'input_text', text: request },
        ],
      },
      { role: 'assistant', content: 'Look' },
      { type: 'function_call', call_id: 'a', name: 'read_page', arguments: '{"slug":"/"}' },
      { type: 'function_call_output', call_id: 'a', output: result },
      { role: 'assistant', content: 'Well' },
      { role: 'user', content: [{ type: 'input_text', text: nothing }] },
    ],
    store: false,
    prompt_cache_key: siteKey,
    tools: [
      {
        type: 'function',
        name: 'read_page',
        description: 'Reads a page.',
        parameters: read,
        strict: false,
      },
      {
        type: 'function',
        name: 'finish',
        description: 'Ends the task.',
        parameters: none,
        strict: false,
      },
    ],
    tool_choice: 'auto',
    stream: true,
  },
  google: {
    generationConfig: {},
    contents: [
      { role: 'user', parts: [{ text: listing }, { text: request }] },
      {
        role: 'model',
        parts: [
          { text: 'Look' },
          { functionCall: { id: 'a', name: 'read_page', args: { slug: '/' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'a',
              name: 'read_page',
              response: { name: 'read_page', content: result },
            },
          },
        ],
      },
      { role: 'model', parts: [{ text: 'Well' }] },
      { role: 'user', parts: [{ text: nothing }] },
    ],
    systemInstruction: { parts: [{ text: promptInstructions }] },
    tools: [
      {
        functionDeclarations: [
          { name: 'read_page', description: 'Reads a page.', parametersJsonSchema: read },
          { name: 'finish', description: 'Ends the task.', parametersJsonSchema: none },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  },
  'openai-compatible': {
    model: 'org/qwen3:8b',
    messages: [
      { role: 'system', content: promptInstructions },
      { role: 'user', content: `${listing}\n${request}` },
      {
        role: 'assistant',
        content: 'Look',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read_page', arguments: '{"slug":"/"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: result },
      { role: 'assistant', content: 'Well' },
      { role: 'user', content: nothing },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'read_page', description: 'Reads a page.', parameters: read },
      },
      {
        type: 'function',
        function: { name: 'finish', description: 'Ends the task.', parameters: none },
      },
    ],
    tool_choice: 'auto',
    stream: true,
    stream_options: { include_usage: true },
  },
};

describe('The third request of a task to a language model', () => {
  for (const { provider, model } of protocols)
    it(`has the form that ${provider} documents`, async () => {
      const server = await startModelServer(({ number }) =>
        number === 0
          ? { text: 'Look', calls: [{ id: 'a', name: 'read_page', arguments: { slug: '/' } }] }
          : { text: 'Well' },
      );
      const caller = await callerOf(
        { provider, model: provider === 'openai' ? 'gpt-4o' : model },
        server.url(provider),
      );
      const task = conversation();
      for (let turn = 0; turn < 3; turn++) await takeTurn(caller, task, 's1 h1 Hi');
      const body = JSON.parse(server.requests()[2]!.body) as unknown;
      await server.close();
      expect(body).to.deep.equal(goldens[provider]);
    });
});
