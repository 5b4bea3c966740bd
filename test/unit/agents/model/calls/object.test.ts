import { expect } from 'chai';
import type { JSONSchema7 } from 'ai';
import { type ModelServer, startModelServer } from '../../../../helpers/modelServer.ts';
import { callerOf, failure, protocols } from './callers.ts';

const schema: JSONSchema7 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    texts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, text: { type: 'string' } },
        required: ['id', 'text'],
        additionalProperties: false,
      },
    },
  },
  required: ['texts'],
  additionalProperties: false,
};
const value = { texts: [{ id: 's1', text: 'A "new" title {with} braces' }] };
const json = JSON.stringify(value);

for (const protocol of protocols)
  describe(`An object of ${protocol.provider}`, () => {
    let server: ModelServer;
    let text: string;
    before(
      async () =>
        (server = await startModelServer(() => ({
          text,
          usage: { prompt_tokens: 50, completion_tokens: 9 },
        }))),
    );
    after(() => server.close());

    const ask = async (answer: string) => {
      text = answer;
      const caller = await callerOf(protocol, server.url(protocol.provider));
      return caller.object({
        organizationId: 'o',
        taskId: 'bg-1',
        siteId: 's',
        instructions: 'Write it.',
        prompt: 'A page',
        schema,
      });
    };

    it('is requested by its schema', async () => {
      const answer = await ask(json);
      expect(answer).to.deep.equal({
        value,
        text: json,
        usage: { inputTokens: 50, cachedInputTokens: 0, outputTokens: 9 },
      });
      const { body } = server.requests().at(-1)!;
      expect(body).to.contain('"properties":{"id":{"type":"string"},"text":{"type":"string"}}');
      expect(body).to.contain('"required":["texts"]');
      expect(body).to.not.contain('$schema');
    });

    const readable: Record<string, string> = {
      'a code fence': `\`\`\`json\n${json}\n\`\`\``,
      'a sentence before it': `Here is the page:\n${json}`,
      'a sentence after it': `${json}\n\nI hope that helps.`,
      'another value that the schema does not know': '{"texts": 1}',
    };
    for (const [title, answer] of Object.entries(readable))
      it(`is read with ${title}`, async () => {
        const { value: read } = await ask(answer);
        expect(read).to.deep.equal(answer.includes(json) ? value : { texts: 1 });
      });

    it('is missing if the answer is not JSON', async () => {
      for (const answer of ['I can not.', '{"texts": [', '}{']) {
        const { value, text } = await ask(answer);
        expect(value).to.equal(undefined);
        expect(text).to.equal(answer);
      }
    });

    it('fails if the model says nothing', async () => {
      expect(await failure(ask(' '))).to.include({ code: 'MODEL_FAILED', retryable: true });
    });
  });
