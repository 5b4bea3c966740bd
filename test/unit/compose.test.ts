import { expect } from 'chai';
import { parse } from 'yaml';
import { temporalCommands } from '../../src/cli/temporalCommands.ts';
import { checkTopology, readConfig, settingsSchema } from '../../src/config.ts';
import { checkDomains } from '../../src/hosting/hosts.ts';
import { createMetrics } from '../../src/metrics/registry.ts';
import { serveMetrics } from '../../src/metrics/serve.ts';
import { serverFlags } from '../../src/temporal/server/devServer.ts';
import { startApi } from '../helpers/api.ts';
import {
  type Compose,
  composeFiles,
  type ComposeService,
  lastStage,
  parseCompose,
  parseDockerfile,
} from '../helpers/compose.ts';
import { read, sizesOf } from '../helpers/documents.ts';

const known = new Set(Object.keys(settingsSchema.describe().keys as object));
/** What an operator sets. */
const required = {
  PUBLIC_URL: 'https://api.example.com',
  SITES_DOMAIN: 'acme-sites.example',
  PREVIEW_DOMAIN: 'acme-previews.example',
  DATABASE_PASSWORD: 'secret1',
};
/** What everything but requests and activities may take to end (main.ts). */
const CLOSING_SECONDS = 30;

/** `superuser_reserved_connections` of PostgreSQL. */
const RESERVED_CONNECTIONS = 3;

const textsOf = (environment: ComposeService['environment']) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
const ownServices = ({ services }: Compose) =>
  Object.entries(services).filter(([, { build }]) => build !== undefined);

/**
 * What is wrong with the settings of our own services: variables that are no setting, and what
 * `readConfig` says.
 */
function settingProblems(text: string): string[] {
  return ownServices(parseCompose(text, required)).flatMap(([name, { environment }]) => {
    const unknown = Object.keys(environment).filter((variable) => !known.has(variable));
    try {
      const config = readConfig(textsOf(environment));
      checkTopology(config);
      checkDomains(config);
      return unknown.map((variable) => `${name}: ${variable} is no setting`);
    } catch (error) {
      return [
        ...unknown.map((variable) => `${name}: ${variable} is no setting`),
        `${name}: ${String(error)}`,
      ];
    }
  });
}

/** The dynamic configuration that the embedded server gets by its flags. */
function embeddedConfiguration(): Record<string, string> {
  const words = serverFlags(
    { port: 1, uiPort: 2, ownUi: { host: '127.0.0.1', port: 3 } },
    'agent-tasks',
    'temporal.db',
  );
  const pairs = words
    .filter((_, i) => words[i - 1] === '--dynamic-config-value')
    .map((word) => word.split('=') as [string, string]);
  return Object.fromEntries(pairs.map(([key, value]) => [key, `[{"value":${value}}]`]));
}

/** What differs between a compose file's dynamic configuration and the embedded server's. */
function dynamicProblems(text: string): string[] {
  const { services, configs = {} } = parseCompose(text);
  const { environment, configs: mounted = [] } = services['temporal']!;
  const mount = mounted.find(({ target }) => target === environment['DYNAMIC_CONFIG_FILE_PATH']);
  if (!mount) return ['DYNAMIC_CONFIG_FILE_PATH is no mounted file'];
  const content = Object.entries(parse(configs[mount.source]!.content) as object);
  const here = Object.fromEntries(content.map(([key, values]) => [key, JSON.stringify(values)]));
  const expected = embeddedConfiguration();
  return [...new Set([...Object.keys(here), ...Object.keys(expected)])]
    .filter((key) => here[key] !== expected[key])
    .map((key) => `${key}: ${here[key]} here, ${expected[key]} in the embedded server`);
}

describe('the compose files', () => {
  const [main, temporal] = composeFiles;
  const compose = parseCompose(read(main), required);
  const services = { ...parseCompose(read(temporal)).services, ...compose.services };
  const { api, worker, database, setup } = compose.services;
  const configOf = ({ environment }: ComposeService) => readConfig(textsOf(environment));

  describe('variables', () => {
    it('are settings that readConfig accepts, for every service of ours', () => {
      expect(ownServices(compose).map(([name]) => name)).to.deep.equal(['setup', 'api', 'worker']);
      expect(settingProblems(read(main))).to.deep.equal([]);
      expect([configOf(api!).role, configOf(worker!).role]).to.deep.equal(['api', 'worker']);
      for (const service of [api!, worker!]) expect(configOf(service).production).to.equal(true);
    });

    for (const [from, to, problem] of [
      ['  PUBLIC_URL:', '  PUBLIK_URL:', /PUBLIK_URL is no setting/],
      ['  TEMPORAL_ADDRESS:', '  TEMPORAL_HOST:', /TEMPORAL_HOST is no setting/],
      ['  DATABASE_URL:', '  DATABASE:', /DomainError: .*\bDATABASE_URL\b/],
      ['ROLE: api', 'ROLE: apis', /"ROLE" must be one of/],
      ['PORT: 3000', 'PORT: 300000', /"PORT" must be/],
      ['METRICS_ADDRESS: 0.0.0.0:9464', 'METRICS_ADDRESS: 9464', /"METRICS_ADDRESS"/],
      [
        '  NODE_ENV: production',
        '  NODE_ENV: production\n  CALLBACK_ALLOW_PRIVATE: true',
        /CALLBACK_ALLOW_PRIVATE/,
      ],
      [
        '${SITES_DOMAIN:?',
        'sites.example.com # ${SITES_DOMAIN:?',
        /DomainError: SITES_DOMAIN sites\.example\.com /,
      ],
    ] as const)
      it(`would be rejected with ${JSON.stringify(to)}`, () => {
        expect(read(main)).to.include(from);
        expect(settingProblems(read(main).replaceAll(from, to)).join('\n')).to.match(problem);
      });

    for (const name of Object.keys(required))
      it(`require ${name}, and say what it is`, () => {
        const rest = Object.fromEntries(
          Object.entries(required).filter(([other]) => other !== name),
        );
        expect(() => parseCompose(read(main), rest)).to.throw(
          new RegExp(`^${name} is missing: \\w+`),
        );
      });
  });

  describe("Temporal's dynamic configuration", () => {
    it("is the same as the embedded server's", () => {
      expect(embeddedConfiguration()).to.have.property('matching.enableFairness');
      expect(dynamicProblems(read(temporal))).to.deep.equal([]);
    });

    for (const [from, to] of [
      ['matching.enableFairness:', 'matching.enableFairnes:'],
      ['- value: 1000', '- value: 100'],
      ['      matching.useNewMatcher:\n        - value: true\n', ''],
      ['DYNAMIC_CONFIG_FILE_PATH: /etc/temporal/', 'DYNAMIC_CONFIG_FILE_PATH: /etc/'],
    ] as const)
      it(`would differ with ${JSON.stringify(to)} for ${JSON.stringify(from)}`, () => {
        expect(read(temporal)).to.include(from);
        expect(dynamicProblems(read(temporal).replace(from, to))).to.not.deep.equal([]);
      });
  });

  describe('health checks', () => {
    const asked = (words: string[]) => new URL(words.find((word) => word.startsWith('http://'))!);

    it('ask an API on its port whether it is ready', async () => {
      const answering = await startApi();
      for (const [words, path] of [
        [api!.healthcheck!.test, '/readyz'],
        [
          parseDockerfile(read('Dockerfile')).find(
            ({ instruction }) => instruction === 'HEALTHCHECK',
          )!.words,
          '/healthz',
        ],
      ] as const) {
        const { hostname, port, pathname } = asked([...words]);
        expect([hostname, Number(port), pathname]).to.deep.equal([
          '127.0.0.1',
          configOf(api!).port,
          path,
        ]);
        expect((await answering.request('GET', pathname)).status).to.equal(200);
      }
      await answering.close();
    });

    it('ask a worker on its port for its metrics', async () => {
      const { hostname, port, pathname } = asked(worker!.healthcheck!.test);
      const { metricsAddress } = configOf(worker!);
      expect([hostname, metricsAddress]).to.deep.equal(['127.0.0.1', `0.0.0.0:${port}`]);
      const metrics = createMetrics();
      const served = await serveMetrics('127.0.0.1:0', { metrics });
      expect(new URL(served.url).pathname).to.equal(pathname);
      await served.close();
      metrics.close();
    });

    it('use programs of the image', () => {
      const [, installed = ''] =
        /apt-get install .*?recommends (.*)/.exec(read('Dockerfile')) ?? [];
      for (const { healthcheck } of [api!, worker!])
        expect(installed.split(' ')).to.include(healthcheck!.test[1]!);
    });
  });

  describe('sizes', () => {
    it('leave room to grow, because a cluster keeps its number of history shards for ever', () => {
      expect(services['temporal']!.environment['NUM_HISTORY_SHARDS']).to.equal(512);
      expect(read('docs/deployment.md')).to.match(/has 512\s+history shards/);
    });

    it('of the databases are enough for ten workers', () => {
      const [, ten] = sizesOf('our connections to PostgreSQL');
      expect(database!.command!.at(-1)).to.equal('max_connections=200');
      expect(ten)
        .to.be.above(100)
        .and.below(200 - RESERVED_CONNECTIONS);
    });
  });

  describe('services', () => {
    it('wait for existing services with health checks', () => {
      for (const [name, { depends_on = {} }] of Object.entries(services))
        for (const [other, { condition }] of Object.entries(depends_on)) {
          const { healthcheck, restart = '' } = services[other]!;
          if (condition === 'service_healthy')
            expect(healthcheck, `${name} on ${other}`).to.have.property('test');
          else
            expect([condition, restart.slice(0, 10)]).to.deep.equal([
              'service_completed_successfully',
              'on-failure',
            ]);
        }
      expect(compose.include).to.deep.equal([temporal]);
    });

    it('set Temporal up with an existing command before a process starts', () => {
      const [node, file, ...words] = setup!.command!;
      expect([node, file]).to.deep.equal(['node', 'src/cli.ts']);
      expect(temporalCommands.map(({ name }) => name)).to.include(words.join(' '));
      for (const { depends_on } of [api!, worker!]) expect(depends_on).to.have.property('setup');
    });

    it('find the database and Temporal under their names, with their passwords', () => {
      const { username, password, hostname, port, pathname } = new URL(configOf(api!).databaseUrl!);
      const { POSTGRES_USER, POSTGRES_PASSWORD } = database!.environment;
      expect([username, password, hostname, port, pathname]).to.deep.equal([
        POSTGRES_USER,
        POSTGRES_PASSWORD,
        'database',
        '5432',
        `/${POSTGRES_USER}`,
      ]);
      const [ownHost, ownPort] = configOf(worker!).temporal.address!.split(':') as [string, string];
      expect(services[ownHost]!.healthcheck!.test).to.include(ownPort);
      const { 'temporal-schema': schema, temporal: server, postgresql } = services;
      expect(server!.image.split(':')[1]).to.equal(schema!.image.split(':')[1]);
      for (const [user, secret] of [
        [server!.environment['POSTGRES_USER'], server!.environment['POSTGRES_PWD']],
        [schema!.environment['SQL_USER'], schema!.environment['SQL_PASSWORD']],
      ])
        expect({ POSTGRES_USER: user, POSTGRES_PASSWORD: secret }).to.deep.equal(
          postgresql!.environment,
        );
    });

    it('can be reached from this machine only', () => {
      const ports = Object.values(services).flatMap((service) => service.ports ?? []);
      expect(ports).to.include(`127.0.0.1:3000:${configOf(api!).port}`);
      for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:\d+:\d+$/);
    });

    it('have no privileges, and no way to get any', () => {
      for (const [name, { cap_drop, security_opt }] of Object.entries(services))
        expect({ name, cap_drop, security_opt }).to.deep.equal({
          name,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        });
    });

    it('write only to their volumes and to memory, and not as root', () => {
      const closed = Object.entries(services).filter(
        ([, { image }]) => !image.startsWith('temporalio/'),
      );
      expect(closed.map(([name]) => name)).to.have.members([
        'setup',
        'api',
        'worker',
        'database',
        'postgresql',
      ]);
      const users = lastStage(read('Dockerfile')).filter(
        ({ instruction }) => instruction === 'USER',
      );
      for (const [name, { build, read_only, tmpfs = [], user = users[0]?.words[0] }] of closed) {
        expect([name, read_only, user]).to.deep.equal([name, true, build ? 'node' : 'postgres']);
        expect(tmpfs).to.deep.equal(['/tmp', build ? '/app/.cache' : '/var/run/postgresql']);
      }
    });

    it('get enough time to stop', () => {
      for (const service of [api!, worker!])
        expect(Number.parseInt(service.stop_grace_period!, 10)).to.be.above(
          Math.max(configOf(service).shutdownGrace, configOf(service).agent.callsGrace) +
            CLOSING_SECONDS,
        );
    });
  });
});
