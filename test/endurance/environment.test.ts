// Takes long: an empty service of its own, whose programs are watched.
import { expect } from 'chai';
import { type Program, programsBelow } from '../helpers/processes.ts';
import { endServices, launchService, type Service, untilReady } from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

/** Ours and of others, each with a value that is found again. */
const secrets = Object.fromEntries(
  [
    'AGENT_API_KEY',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'TEMPORAL_API_KEY',
    'TEMPORAL_TLS_CLIENT_KEY_DATA',
    'TEMPORAL_GRPC_META_AUTHORIZATION',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'PGPASSWORD',
    'BETTER_AUTH_SECRET',
    'A_SECRET_OF_TOMORROW',
  ].map((name) => [name, `canary-${name}`]),
);
const mail = { SMTP_URL: 'smtp://user:canary-SMTP_URL@127.0.0.1:9', MAIL_FROM: 'a@example.com' };
const encryption = { SECRETS_KEYS: `one:${'canary'.repeat(8).slice(0, 43)}` };

/** Variables that any program may have, and those that git gets beside GIT_… and SSH_…. */
const usual = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'TZ',
  'NODE_COMPILE_CACHE',
  'NODE_CHANNEL_FD',
];
const ofGit = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
const ofShells = ['PWD', 'OLDPWD', 'SHLVL', '_'];
const isNamed = (name: string) =>
  [...usual, ...ofGit, ...ofShells, 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(name) ||
  /^(GIT|SSH)_\w+$/.test(name);

describe('the environment of the processes that the service starts', function () {
  this.timeout(180_000);
  let service: Service;
  /** By command line, each program that was seen. */
  const seen = new Map<string, Program>();
  let watching: NodeJS.Timeout;

  before(async () => {
    const launched = launchService({ isEmpty: true, env: { ...secrets, ...mail, ...encryption } });
    watching = setInterval(() => {
      for (const program of programsBelow(launched.pid)) seen.set(program.command, program);
    }, 10);
    service = await untilReady(launched);
    const taskId = await service.createTask(citiesBody(['Rome'], { publish: true }));
    expect(outputOf(await service.waitForTask(taskId)).pagesCreated).to.have.length(1);
    expect(
      (await service.request('GET', `http://localhost:${service.port}/sign-in`)).status,
    ).to.equal(200);
  });
  after(async function () {
    clearInterval(watching);
    await endServices(this.currentTest);
  });

  it('was recorded for every kind of program', () => {
    const commands = [...seen.keys()].join('\n');
    for (const kind of [
      /temporal server start-dev/,
      /launcher\/process\.ts/,
      /makeBundle\.ts/,
      /^git -c/m,
      /esbuild/,
    ])
      expect(commands).to.match(kind);
  });

  it('has only named variables, and no secret', () => {
    const wrong = [...seen.values()].flatMap(({ command, environment }) =>
      Object.entries(environment)
        .filter(([name, value]) => !isNamed(name) || value.includes('canary'))
        .map(([name]) => `${name} of ${command.slice(0, 100)}`),
    );
    expect([...new Set(wrong)].join('\n')).to.equal('');
  });
});
