import { expect } from 'chai';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DomainError } from '../../../../../src/errors.ts';
import { createModelAgents } from '../../../../../src/agents/model/modelAgents.ts';
import {
  findProviderConnection,
  parseModelName,
  modelProviders,
} from '../../../../../src/agents/model/calls/providerModels.ts';
import { startModelServer } from '../../../../helpers/modelServer.ts';
import { conversation, keys, protocols, tools, threads } from './callers.ts';

describe('The name of a language model', () => {
  it('is a provider and the name that the model has there, with slashes and colons', () => {
    for (const [text, provider, model] of [
      ['anthropic/claude-sonnet-4-5', 'anthropic', 'claude-sonnet-4-5'],
      ['openai-compatible/qwen3:8b', 'openai-compatible', 'qwen3:8b'],
      ['openai-compatible/org/some/model:free', 'openai-compatible', 'org/some/model:free'],
      ['openai/ft:gpt-4o:team::id@2', 'openai', 'ft:gpt-4o:team::id@2'],
    ] as const)
      expect(parseModelName(text)).to.deep.equal({ provider, model });
  });

  for (const text of [
    '',
    'gpt-5',
    '/x',
    'openai/',
    'Openai/x',
    'mistral/x',
    'openai/a b',
    'google/a?key=1',
    'google/../x',
    `openai/${'a'.repeat(201)}`,
    'openai/a\nb',
    'toString/x',
  ])
    it(`can't be ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(() => parseModelName(text)).to.throw(
        DomainError,
        /<provider>\/<model>.*anthropic, openai, google, openai-compatible/,
      );
    });
});

describe('The URL of a language model', () => {
  it("is the provider's URL with its key", () => {
    const addresses = (['anthropic', 'openai', 'google'] as const).map((provider) =>
      findProviderConnection(provider, { keys }),
    );
    expect(addresses.map(({ url }) => new URL(url).host)).to.deep.equal([
      'api.anthropic.com',
      'api.openai.com',
      'generativelanguage.googleapis.com',
    ]);
    expect(addresses.map(({ apiKey }) => apiKey)).to.deep.equal([
      keys.anthropic,
      keys.openai,
      keys.google,
    ]);
  });

  it('is AGENT_BASE_URL if that is set', () => {
    for (const provider of modelProviders)
      expect(
        findProviderConnection(provider, { keys, baseUrl: 'http://127.0.0.1:1/v1' }).url,
      ).to.equal('http://127.0.0.1:1/v1');
  });

  it('contains no password, which errors would show', () => {
    for (const baseUrl of ['http://me:secret@127.0.0.1:1/v1', 'http://secret@127.0.0.1:1'])
      expect(() => findProviderConnection('openai', { keys, baseUrl }))
        .to.throw(DomainError, /\bAGENT_BASE_URL\b.*\buser\b/)
        .and.have.property('message')
        .that.does.not.contain('secret');
  });

  it('is reported as missing with the name of the setting', () => {
    const missing = {
      anthropic: /set ANTHROPIC_API_KEY$/,
      openai: /set OPENAI_API_KEY$/,
      google: /set GOOGLE_GENERATIVE_AI_API_KEY$/,
      'openai-compatible': /set AGENT_BASE_URL$/,
    };
    for (const provider of modelProviders)
      expect(() => findProviderConnection(provider, { keys: {} })).to.throw(
        DomainError,
        missing[provider],
      );
  });
});

describe('The agents of language models', () => {
  it('call only the configured URL, and read no environment variables', async () => {
    const server = await startModelServer(() => ({
      text: 'a',
      calls: [{ name: 'finish', arguments: {} }],
    }));
    const origins = new Set<unknown>();
    const note = (message: unknown) =>
      origins.add((message as { request: { origin: unknown } }).request.origin);
    subscribe('undici:request:create', note);
    const warnings: unknown[] = [];
    const warn = (warning: Error) => warnings.push(warning.message);
    process.on('warning', warn);
    try {
      const agents = await createModelAgents(
        { keys, baseUrl: server.url('openai') },
        { tools, threads },
      );
      for (const { provider, model } of protocols.filter(({ provider }) => provider !== 'google'))
        await agents.of(`${provider}/${model}`).step(conversation(), { organizationId: 'o' });
      // The mock itself is behind another port of this machine.
      expect(
        [...origins].filter((origin) => !String(origin).startsWith('http://127.0.0.1:')),
      ).to.deep.equal([]);
      expect(server.requests().map(({ path }) => path)).to.deep.equal([
        '/v1/messages',
        '/v1/responses',
        '/v1/chat/completions',
      ]);
    } finally {
      unsubscribe('undici:request:create', note);
      process.off('warning', warn);
      await server.close();
    }
    expect(warnings).to.deep.equal([]);
  });

  it('need no key for openai-compatible, and send none', async () => {
    const server = await startModelServer(() => ({ text: 'a' }));
    const agents = await createModelAgents(
      { keys: {}, baseUrl: server.url('openai-compatible') },
      { tools, threads },
    );
    await agents.of('openai-compatible/org/qwen3:8b').step(conversation(), { organizationId: 'o' });
    const { headers, body } = server.requests()[0]!;
    await server.close();
    expect(headers.authorization).to.equal(undefined);
    expect(body).to.contain('"model":"org/qwen3:8b"');
    expect(() => agents.of('openai/x')).to.throw(DomainError, /OPENAI_API_KEY/);
  });
});
