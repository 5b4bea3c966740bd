import { expect } from 'chai';
import { listModelUrls, createAgents } from '../../../src/agents/createAgents.ts';
import type { RulesAgent } from '../../../src/agents/agentPorts.ts';
import { DomainError } from '../../../src/errors.ts';
import { createThreadPool } from '../../../src/threads/threadPool.ts';

const refuse = () => Promise.reject(new DomainError('NOT_UNDERSTOOD', 'Nothing was changed'));
const rules: RulesAgent = {
  generatePage: refuse,
  carryOut: refuse,
  findNotedParts: refuse,
  replaceNotedValues: refuse,
  placeContextValues: refuse,
};
const key = 'sk-secret';

describe('listModelUrls(settings)', () => {
  const addresses = (settings: object, needsKeys = true) =>
    listModelUrls({ models: [], keys: {}, ...settings }, { needsKeys });
  const refusal = (settings: object) => {
    try {
      return expect.fail(`accepted: ${addresses(settings).join()}`);
    } catch (error) {
      expect(error).to.be.instanceOf(DomainError).with.property('code', 'CONFIGURATION');
      return (error as DomainError).message;
    }
  };

  it('is empty without a model', () => expect(addresses({ models: ['rules'] })).to.deep.equal([]));

  it('rejects an unknown provider, and names the known ones', () => {
    expect(refusal({ models: ['rules', 'acme/x'] }))
      .to.include('"acme/x"')
      .and.include('anthropic, openai, google, openai-compatible');
  });

  it("rejects a model whose provider's key is missing, and names the setting", () => {
    expect(refusal({ models: ['anthropic/a'] })).to.include('ANTHROPIC_API_KEY');
    expect(refusal({ models: ['rules', 'openai/b'] })).to.include('OPENAI_API_KEY');
    expect(refusal({ models: ['google/c'] })).to.include('GOOGLE_GENERATIVE_AI_API_KEY');
    expect(refusal({ models: ['openai-compatible/d'] })).to.include('AGENT_BASE_URL');
    expect(
      addresses({ models: ['anthropic/a'] }, false),
      'a process that calls no model',
    ).to.deep.equal([]);
  });

  it('has the URL from the settings for every provider, or for the one that needs it', () => {
    const baseUrl = 'http://127.0.0.1:1/v1';
    const keys = { anthropic: key, openai: key };
    const models = ['anthropic/a', 'openai/b'];
    expect(addresses({ models, keys, baseUrl })).to.deep.equal([baseUrl]);
    expect(addresses({ models: [...models, 'openai-compatible/c'], keys, baseUrl }))
      .to.have.length(3)
      .and.include(baseUrl);
  });
});

describe('createAgents(settings, { rules, threads })', () => {
  const threads = createThreadPool();
  after(() => threads.close());

  it('has exactly the rules and the models from the settings', async () => {
    const agents = await createAgents(
      { models: ['openai-compatible/a'], keys: {}, baseUrl: 'http://127.0.0.1:1' },
      { rules, threads },
    );
    expect(agents.of()).to.equal(rules);
    expect(agents.of('openai-compatible/a')).to.have.keys('generatePage', 'step', 'writeOrAsk');
    expect(() => agents.of('openai-compatible/b'))
      .to.throw(DomainError, 'openai-compatible/b')
      .with.property('retryable', true, 'another worker may have it');
  });
});
