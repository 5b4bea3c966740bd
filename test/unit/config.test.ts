import { expect } from 'chai';
import { resolve } from 'node:path';
import { checkTopology, forgetSecrets, readConfig, settingsSchema } from '../../src/config.ts';
import { DomainError } from '../../src/errors.ts';

function refusal(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'CONFIGURATION');
    return error as DomainError;
  }
  throw new Error('it was not refused');
}

describe('readConfig(env)', () => {
  it('needs no setting: everything is embedded on the documented ports', () => {
    const config = readConfig({});
    expect(config).to.deep.include({
      port: 3000,
      role: 'all',
      dataDir: resolve('data'),
      callbackAllowPrivate: false,
    });
    expect(config.databaseUrl).to.equal(undefined);
    expect(config.temporal).to.deep.include({
      address: undefined,
      namespace: 'agent-tasks',
      port: 7233,
      uiPort: 8233,
    });
    expect(config.rateLimits).to.deep.equal({ createPerMinute: 60, readPerMinute: 600 });
  });

  it('reads the limits and prices of language models, and says what it expects there', () => {
    const agent = (env: object) => readConfig({ ...env }).agent;
    expect(agent({})).to.include({ tokensPerMonth: undefined });
    expect(agent({}).prices.size).to.equal(0);
    const set = agent({
      AGENT_TOKENS_PER_MONTH: '5000000',
      AGENT_PRICES: 'openai/gpt-5=1.25/0.125/10',
    });
    expect(set).to.include({ tokensPerMonth: 5_000_000 });
    expect([...set.prices.keys()]).to.deep.equal(['openai/gpt-5']);
    const wrong = {
      AGENT_TOKENS_PER_MONTH: '0',
      AGENT_PRICES: 'openai/gpt-5=1.25',
    };
    expect(refusal(() => readConfig(wrong)).message)
      .to.match(/"AGENT_TOKENS_PER_MONTH" .*\b1; "AGENT_PRICES" /)
      .and.include('<provider>/<model>=<input>/<cached>/<output>')
      .and.match(/\(openai\/gpt-5=1\.25 .*\)$/);
  });

  it('is frozen', () => {
    const config = readConfig({});
    for (const part of [config, config.temporal, config.rateLimits]) expect(part).to.be.frozen;
  });

  it('reads numbers and booleans from texts, and counts an empty text as unset', () => {
    const texts = {
      PORT: '0',
      CALLBACK_ALLOW_PRIVATE: 'true',
      DATABASE_URL: '',
      ROLE: '',
    };
    expect(readConfig(texts)).to.include({
      port: 0,
      callbackAllowPrivate: true,
      databaseUrl: undefined,
      role: 'all',
    });
  });

  it('opens its port to this machine only, unless HOST names another address', () => {
    expect(readConfig({}).host).to.equal('localhost');
    for (const HOST of ['localhost', '0.0.0.0', '::', '192.0.2.1'])
      expect(readConfig({ HOST }).host).to.equal(HOST);
    for (const HOST of ['*', 'example.com', '[::]', '10.0.0.0/8', '127.0.0.1:3000'])
      expect(refusal(() => readConfig({ HOST })).message, HOST).to.match(/"HOST" .*\blocalhost\b/);
  });

  it('trusts no proxy unless TRUST_PROXY lists it, and says what it expects there', () => {
    const isBelieved = (TRUST_PROXY: string) =>
      readConfig({ TRUST_PROXY }).trustProxy.check('127.0.0.1');
    expect([isBelieved(''), isBelieved('127.0.0.1'), isBelieved('::1,127.0.0.0/8')]).to.deep.equal([
      false,
      true,
      true,
    ]);
    for (const [TRUST_PROXY, wrong] of [
      ['true', 'true'],
      ['127.0.0.1,proxy.internal', 'proxy.internal'],
      ['0.0.0.0/0', '0.0.0.0/0'],
    ])
      expect(refusal(() => readConfig({ TRUST_PROXY })).message)
        .to.include('"TRUST_PROXY" ')
        .and.include(`127.0.0.1,::1,10.0.0.0/8 (${wrong} `);
  });

  it('keeps every TEMPORAL_ variable for the SDK, and no other variable', () => {
    const { temporal } = readConfig({
      TEMPORAL_API_KEY: 'k',
      TEMPORAL_ADDRESS: 'a:1',
      AWS_SECRET: 's',
    });
    expect(temporal.environment).to.deep.equal({ TEMPORAL_API_KEY: 'k', TEMPORAL_ADDRESS: 'a:1' });
  });

  it('reads the language models and the budget of a task', () => {
    const { agent } = readConfig({
      AGENT_MODEL: 'anthropic/claude, openai/gpt , openai-compatible/org/model:8b',
      AGENT_TOKENS: '5000',
    });
    expect(agent.models).to.deep.equal([
      'anthropic/claude',
      'openai/gpt',
      'openai-compatible/org/model:8b',
    ]);
    expect(agent.budget).to.deep.equal({
      turns: 30,
      tokens: 5000,
      minutes: 20,
      pagesChanged: 50,
      pagesDeleted: 5,
    });
    expect(readConfig({ AGENT_MODEL: 'rules' }).agent.models).to.deep.equal(['rules']);
    for (const wrong of ['claude', 'openai/gpt,claude'])
      expect(refusal(() => readConfig({ AGENT_MODEL: wrong })).message).to.match(
        /"AGENT_MODEL" .*<provider>\/<model>/,
      );
  });

  it('reads the keys of language models, and removes them from the environment of child processes', () => {
    const env: Record<string, string | undefined> = {
      ANTHROPIC_API_KEY: 'a',
      OPENAI_API_KEY: 'o',
      GOOGLE_GENERATIVE_AI_API_KEY: 'g',
      AGENT_API_KEY: 'c',
      SMTP_URL: 'smtp://user:password@mail.example',
      MAIL_FROM: 'a@example.com',
      PATH: '/bin',
    };
    expect(readConfig(env).agent.keys).to.deep.equal({
      anthropic: 'a',
      openai: 'o',
      google: 'g',
      compatible: 'c',
    });
    const ofStores = {
      DATABASE_URL: 'postgres://a:b@c/d',
      TEMPORAL_API_KEY: 't',
      TEMPORAL_GRPC_META_AUTHORIZATION: 'g',
    };
    const harmless = { TEMPORAL_ADDRESS: 'a:1', TEMPORAL_DEBUG: '1' };
    Object.assign(env, ofStores, harmless, {
      TEMPORAL_TLS_CLIENT_KEY_DATA: 'k',
      TEMPORAL_CODEC_AUTH: 'c',
    });
    forgetSecrets(env);
    expect(env).to.deep.equal({ MAIL_FROM: 'a@example.com', PATH: '/bin', ...harmless });
  });

  it('lets people sign in by invitation and password, unless it is configured otherwise', () => {
    expect(readConfig({}).accounts).to.deep.equal({
      signUp: 'invite',
      smtpUrl: undefined,
      mailFrom: undefined,
      oidc: undefined,
    });
    const oidc = {
      OIDC_ISSUER: 'https://id.example',
      OIDC_CLIENT_ID: 'i',
      OIDC_CLIENT_SECRET: 's',
    };
    const { accounts } = readConfig({
      ...oidc,
      SIGNUP: 'closed',
      SMTP_URL: 'smtps://m.example',
      MAIL_FROM: 'a@b.c',
    });
    expect(accounts).to.deep.include({
      signUp: 'closed',
      smtpUrl: 'smtps://m.example',
      mailFrom: 'a@b.c',
    });
    const provider = {
      issuer: 'https://id.example',
      clientId: 'i',
      clientSecret: 's',
    };
    expect(accounts.oidc).to.deep.equal(provider);
    const { OIDC_CLIENT_SECRET, ...half } = oidc;
    expect(refusal(() => readConfig(half)).message)
      .to.include('OIDC_CLIENT_SECRET')
      .and.not.include(OIDC_CLIENT_SECRET + '"');
    for (const wrong of [
      { ENCRYPT_PAYLOADS: 'true' },
      { SMTP_URL: 'smtp://m.example' },
      { SMTP_URL: 'http://m', MAIL_FROM: 'x' },
      { SIGNUP: 'all' },
    ])
      expect(refusal(() => readConfig(wrong)).message).to.include(Object.keys(wrong)[0]);
  });

  it('names every wrong setting in one error', () => {
    const wrong = {
      PORT: '70000',
      ROLE: 'both',
      PUBLIC_URL: 'ftp://x',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      RATE_LIMIT_READ_PER_MINUTE: '0',
      CALLBACK_ALLOW_PRIVATE: 'perhaps',
    };
    const { message } = refusal(() => readConfig(wrong));
    for (const name of Object.keys(wrong)) expect(message).to.include(`"${name}"`);
  });

  it('reads the days that a preview is shown, which may be fractions but not zero', () => {
    expect(readConfig({}).previewRetention).to.equal(30);
    for (const [text, days] of [
      ['7', 7],
      ['0.5', 0.5],
      ['3650', 3650],
    ] as const)
      expect(readConfig({ PREVIEW_RETENTION: text }).previewRetention).to.equal(days);
    for (const text of ['0', '-1', 'never', 'Infinity', '30d'])
      expect(refusal(() => readConfig({ PREVIEW_RETENTION: text })).message).to.include(
        '"PREVIEW_RETENTION"',
      );
  });

  it('rejects private callback addresses in production', () => {
    const env = { CALLBACK_ALLOW_PRIVATE: 'true' };
    expect(readConfig(env).callbackAllowPrivate).to.equal(true);
    const { message } = refusal(() => readConfig({ ...env, NODE_ENV: 'production' }));
    expect(message).to.include('CALLBACK_ALLOW_PRIVATE');
  });

  it('sends traces only if there is an endpoint', () => {
    const endpoint = 'http://collector:4318';
    expect(readConfig({}).traces).to.equal(undefined);
    expect(readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).traces).to.equal(undefined);
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).traces).to.deep.equal({
      endpoint,
      headers: {},
    });
    for (const url of ['collector:4318', 'grpc://collector', 'http://me:secret@collector'])
      expect(refusal(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).message).to.include(
        '"OTEL_EXPORTER_OTLP_ENDPOINT"',
      );
  });

  it('reads the header fields of traces, and forgets them as a secret', () => {
    const read = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_HEADERS });
    const text = 'authorization=Basic%20dXNlcjpwYQ==, x-team = web%2C1';
    expect(read(text).traces?.headers).to.deep.equal({
      authorization: 'Basic dXNlcjpwYQ==',
      'x-team': 'web,1',
    });
    for (const wrong of ['secret-1', 'a b=secret-1', '=secret-1', 'a=secret-1%0A', 'a=secret-1%zz'])
      expect(refusal(() => read(wrong)).message)
        .to.include('<name>=<value>')
        .and.not.include('secret-1');
    const env: NodeJS.ProcessEnv = { OTEL_EXPORTER_OTLP_HEADERS: text };
    forgetSecrets(env);
    expect(env).to.deep.equal({});
  });

  it('describes every setting', () => {
    const { keys } = settingsSchema.describe() as {
      keys: Record<string, { flags?: { description?: string } }>;
    };
    for (const [name, { flags }] of Object.entries(keys))
      expect(flags?.description, name).to.match(/\.$/);
  });
});

describe('checkTopology(config)', () => {
  const outside = {
    DATABASE_URL: 'postgres://db/x',
    TEMPORAL_ADDRESS: 'temporal:7233',
    PUBLIC_URL: 'https://api.example',
  };

  it('lets one process have any mixture of embedded and external parts', () => {
    for (const env of [{}, outside, { DATABASE_URL: outside.DATABASE_URL }])
      expect(() => checkTopology(readConfig(env))).not.to.throw();
  });

  for (const ROLE of ['api', 'worker']) {
    it(`lets ROLE=${ROLE} run only beside others, and says what it needs`, () => {
      expect(() => checkTopology(readConfig({ ...outside, ROLE }))).not.to.throw();
      const { message } = refusal(() => checkTopology(readConfig({ ROLE })));
      expect(message).to.include('DATABASE_URL, TEMPORAL_ADDRESS, PUBLIC_URL');
      const half = refusal(() =>
        checkTopology(readConfig({ ...outside, TEMPORAL_ADDRESS: '', ROLE })),
      );
      expect(half.message).to.include('TEMPORAL_ADDRESS').and.not.include('DATABASE_URL');
    });
  }
});
