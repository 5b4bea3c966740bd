// Takes long: some 200 attacks in some 80 tasks, of which many make a commit.
import { expect } from 'chai';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { ModelTurn } from '../../src/agents/shared/agentTypes.ts';
import type { AgentRegistry } from '../../src/agents/agentPorts.ts';
import type { TaskRef } from '../../activities/deps.ts';
import { createModelAgents } from '../../src/agents/model/modelAgents.ts';
import { modelProviders, type ModelProvider } from '../../src/agents/model/calls/providerModels.ts';
import { modelTools } from '../../src/agents/model/tools/modelTools.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import type { LauncherCommand } from '../../src/sites/git/launcher/protocol.ts';
import { failed, TaskSite, tellPages } from '../helpers/activities.ts';
import { testDatabase } from '../helpers/database.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { testLauncher } from '../helpers/launcher.ts';
import {
  type Answer,
  type ModelRequest,
  type ModelServer,
  type RecordedCall,
  startModelServer,
} from '../helpers/modelServer.ts';
import { threadPages, testThreads } from '../helpers/threads.ts';
import { git, Workplace } from '../helpers/team/workplace.ts';
import { attacks, call, type Attack } from './hostile/models/attacks.ts';
import { pageAttacks, type PageAttack } from './hostile/models/pageAnswers.ts';
import {
  foreign,
  invisibles,
  places,
  plantedFiles,
  root,
  unread,
} from './hostile/models/planted.ts';
import { type Files, harmOf, unseenIn } from './hostile/models/verdict.ts';

const keys = Object.fromEntries(
  modelProviders.map((name) => [name, `sk-KEY-OF-${name}-5f0c1b`]),
) as Record<ModelProvider, string>;
const settings = { ...keys, compatible: keys['openai-compatible'] };
const modelAt = (number: number) =>
  `${modelProviders[number % modelProviders.length]!}/model-of-tests`;
const keyNames = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'AGENT_API_KEY',
];
const budget = { turns: 30, tokens: 1_000_000, minutes: 20, pagesChanged: 20, pagesDeleted: 5 };
/** As the protocols say it. */
const isError = /^(?:\{(?:"name":"\w+",)?"error":")?<result-\w+>(?:\n|\\n)Error: /;
const template = '/about';
/** How many attacks that are refused share a task. */
const TOGETHER = 50;

/** An attack whose every call is refused leaves nothing behind for the next one in its task. */
const mayShare = ({ outcome, inTurns, model }: Attack) =>
  outcome === 'refused' && !inTurns && model === undefined;

/** The attacks, with those that may share a task as one: each call is still looked at. */
function inTasks(all: Attack[]): Attack[] {
  const byPlace = Map.groupBy(all.filter(mayShare), ({ from }) => from);
  const shared = [...byPlace].flatMap(([from, group]) =>
    Array.from({ length: Math.ceil(group.length / TOGETHER) }, (_, n): Attack => {
      const part = group.slice(n * TOGETHER, (n + 1) * TOGETHER);
      return {
        title: part.map(({ title }) => title).join('; '),
        from,
        outcome: 'refused',
        does: (...given) => part.flatMap(({ does }) => does(...given)),
      };
    }),
  );
  return [...all.filter((attack) => !mayShare(attack)), ...shared];
}

describe('a language model that obeys every order that it reads', function () {
  this.timeout(300_000);
  let team: TaskSite;
  let others: Workplace[];
  let siteId: string;
  let model: ModelServer;
  let agents: AgentRegistry;
  let worker: ReturnType<TaskSite['worker']>;
  let canary: { url: string; reached: string[]; close: () => void };
  let base: Files;
  let odd: string[];
  let untouched: ReturnType<typeof outside>;
  let answer: (asked: ModelRequest) => Answer;
  let secrets: string[];
  const commands: LauncherCommand[] = [];
  const spawned: { process: ChildProcess }[] = [];
  const connected: { socket: Socket & { _host?: string } }[] = [];
  const onSpawn = (message: unknown) => void spawned.push(message as never);
  const onConnect = (message: unknown) => void connected.push(message as never);
  let number = 0;
  let ran = 0;

  before(async () => {
    const strangers = createOrganizations(await testDatabase());
    canary = await startCanary();
    team = await TaskSite.create(plantedFiles());
    plantLinks(team.workplace);
    team.workplace.push({});
    const repository = { url: team.workplace.url, branch: 'main', root };
    siteId = (
      await team.sites.create({ organizationId: team.organizationId, name: 'Own', repository })
    ).siteId;
    const stranger = await strangers.create({ name: 'Another' });
    others = [new Workplace(), new Workplace()];
    others[0]!.push({
      'index.html': `<title>${foreign.otherOrganization}</title><h1>Theirs</h1>`,
    });
    others[1]!.push({ 'index.html': `<title>${foreign.otherSite}</title><h1>Ours</h1>` });
    const theirs = await team.sites.create({
      organizationId: stranger.organizationId,
      name: 'Theirs',
      repository: { url: others[0]!.url, branch: 'main', root: '' },
    });
    const second = await team.register(others[1]!.url);
    const signing = [team.organizationId, stranger.organizationId].map((id) =>
      strangers.callbackSecret(id),
    );
    secrets = [...Object.values(keys), ...(await Promise.all(signing)), ...Object.values(foreign)];
    for (const name of keyNames) process.env[name] = keys.openai;
    model = await startModelServer((asked) => answer(asked));
    agents = await agentsOn(model);
    const launcher = {
      ...testLauncher,
      run: (...args: Parameters<typeof testLauncher.run>) => (
        commands.push(args[0]),
        testLauncher.run(...args)
      ),
    };
    const repositories = createRepositories({
      dataDir: join(team.workplace.folder, 'data'),
      launcher,
    });
    worker = team.worker('data', { agents, repositories });
    writeFileSync(join(team.workplace.folder, 'canary'), 'as it was');
    // starts what starts git
    await worker.readSite({ task: { ...team.task(), siteId } });
    // the same worker and the same models have the other sites at work
    await readOther({
      ...team.task(),
      organizationId: stranger.organizationId,
      siteId: theirs.siteId,
    });
    await readOther({ ...team.task(), siteId: second });
    base = filesAt(team.workplace, 'main');
    const asking = threadPages.for({ organizationId: '' });
    const pageAt = (path: string) => ({ path, source: base.get(`${root}/${path}`)!.text });
    const { slots } = await asking.read(pageAt('odd.html'));
    odd = slots.map(({ text }) => text).filter((text) => !text.includes('<'));
    untouched = outside();
  });
  after(async () => {
    for (const name of keyNames) delete process.env[name];
    console.log(
      `      ${ran} tasks of a model that obeys, ${model?.requests().length} requests to it`,
    );
    canary?.close();
    await model?.close();
    await team?.remove();
    for (const other of others ?? []) await other.remove();
  });

  /** One turn of a task of another site, which stays open. */
  async function readOther(task: TaskRef) {
    const { base: commit } = await worker.readSite({ task });
    answer = () => ({ calls: [call('read_page', { slug: '/' }), call('list_pages')] });
    for (const model of modelProviders.map((_, i) => modelAt(i)))
      await worker.runAgentTurn({
        task,
        base: commit,
        prompt: 'Read',
        model,
        budget,
        turns: { count: 0 },
      });
  }

  /**
   * What nobody may change: refs of other repositories, branches of this one, settings and hooks, a
   * file beside.
   */
  function outside() {
    const refs = (at: Workplace, what: string) => git(at.remote, 'for-each-ref', what);
    const folder = team.workplace.folder;
    const own = globSync(['data/**/config', 'data/**/hooks/*', 'data/**/info/*', '*'], {
      cwd: folder,
    }).sort();
    return {
      others: others.map((other) => refs(other, 'refs')),
      branches: refs(team.workplace, 'refs/heads'),
      beside: readFileSync(join(folder, 'canary'), 'utf8'),
      own: own.filter((path) => !path.includes('.lock')),
      settings: own
        .filter((path) => path.endsWith('config'))
        .map((path) => readFileSync(join(folder, path), 'utf8')),
      environment: Object.keys(process.env).sort().join(' '),
      prototypes: [
        Object.keys(Object.prototype),
        ({} as Record<string, unknown>)['isAdmin'],
        ({} as Record<string, unknown>)['texts'],
      ],
    };
  }

  const reading: Record<string, () => NonNullable<Answer['calls']>> = {
    prompt: () => [],
    slug: () => [call('list_pages')],
    'file name': () => [call('list_files', { folder: '/assets/images' })],
    'CSS comment': () => [call('search', { text: places['CSS comment'], in: 'styles' })],
    'custom property': () => [call('search', { text: '--note', in: 'styles' })],
  };
  const readsPage = () => [
    call('read_page', { slug: '/poisoned' }),
    call('read_html', { slug: '/poisoned' }),
  ];

  /** Runs a prompt task to its end. */
  async function run({ from, does, inTurns, ...attack }: Attack) {
    const script = does(canary.url, odd);
    const acts = inTurns ? script : [script.flat()];
    const read = from === 'prompt' ? [] : [(reading[from] ?? readsPage)()];
    const says = [
      ...read,
      ...acts,
      // the first one is asked back where nothing is changed
      [call('finish', { summary: 'Done' })],
      [call('finish', { summary: 'Done' })],
      [call('finish', { summary: '', error: 'Stopped' })],
    ];
    const turns: ModelTurn[] = [];
    const heard: string[] = [];
    answer = ({ messages }) => {
      const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
      heard.splice(0, Infinity, ...results.slice(read.flat().length));
      return { calls: says[turns.length] ?? [] };
    };
    const first = model.requests().length;
    const task = { ...team.task(), siteId };
    const { base: commit } = await worker.readSite({ task });
    const prompt = `Do as the pages say. ${places.prompt} ${invisibles}`;
    const argument = {
      task,
      base: commit,
      prompt,
      model: attack.model ?? modelAt(number++),
      budget,
    };
    let ref: { count: number; digest?: string } = { count: 0 };
    const work = async () => {
      for (let done = false; !done;) {
        const step = await worker.runAgentTurn({ ...argument, turns: ref });
        turns.push(step.turn);
        ref = { count: turns.length, digest: step.digest };
        done = step.done;
        if (done) summary = step.summary;
      }
      return worker.commitChanges({
        task,
        base: commit,
        edit: { type: 'prompt', turns: ref, model: argument.model },
      });
    };
    let summary: string | undefined;
    const made = work();
    const failure = await made.then(
      () => undefined,
      () => failed(made),
    );
    const requests = model.requests().slice(first);
    return {
      made: failure ? null : (await made).commit,
      failure,
      requests,
      summary,
      heard: heard.slice(0, acts.flat().length),
      told: JSON.stringify([turns, team.logs.splice(0)]),
    };
  }

  /**
   * The only programs are git's, on the folders of this site; the only connections lead to the
   * model.
   */
  function checkWork() {
    for (const { process } of spawned.splice(0)) expect(process.spawnfile).to.equal('git');
    // the server of models asks one of its own for each answer
    const own = new Set([
      Number(new URL(model.url('openai')).port),
      Number(new URL(model.inner).port),
    ]);
    const ports = connected.splice(0).map(({ socket }) => socket.remotePort);
    expect(ports.filter((port) => port !== undefined && !own.has(port))).to.deep.equal([]);
    for (const { program, args, env } of commands.splice(0)) {
      expect(program).to.equal('git');
      expect(Object.values(env).join('\n')).to.not.include('sk-KEY-OF');
      expect(args.join(' '))
        .to.not.include(canary.url)
        .and.not.match(/evil|private\/secret/);
    }
  }

  /**
   * No secret, nothing of others and nothing that nobody sees is in what a model is sent; its key
   * is in a header.
   */
  function checkRequests(requests: RecordedCall[]) {
    for (const { body, path, headers, provider } of requests) {
      const decoded = stringsIn(JSON.parse(body)).join('\n');
      for (const secret of secrets) expect(`${path}\n${body}\n${decoded}`).to.not.include(secret);
      expect(unseenIn(body)).to.deep.equal([]);
      expect(unseenIn(decoded)).to.deep.equal([]);
      const sent = Object.entries(headers).filter(([, value]) =>
        String(value).includes('sk-KEY-OF'),
      );
      expect(sent.map(([name]) => name)).to.deep.equal([
        provider === 'anthropic'
          ? 'x-api-key'
          : provider === 'google'
            ? 'x-goog-api-key'
            : 'authorization',
      ]);
      expect(String(sent[0]![1])).to.include(keys[provider]);
    }
  }

  for (const attack of inTasks(attacks))
    it(`in ${attack.from}: ${attack.title}`, async () => {
      ran++;
      subscribe('child_process', onSpawn);
      subscribe('net.client.socket', onConnect);
      const { made, failure, requests, summary, heard, told } = await run(attack).finally(() => {
        unsubscribe('child_process', onSpawn);
        unsubscribe('net.client.socket', onConnect);
      });
      checkRequests(requests);
      for (const secret of secrets)
        expect(`${told}${failure?.message ?? ''}`).to.not.include(secret);
      const read = requests.map(({ body }) => stringsIn(JSON.parse(body)).join('\n')).join('\n');
      expect(read.includes(places[attack.from]), 'the order was read').to.equal(
        !unread.includes(attack.from),
      );
      expect(outside(), 'what is outside of the tree').to.deep.equal(untouched);
      checkWork();
      expect(canary.reached).to.deep.equal([]);
      if (made !== null) {
        const allowed = attack.allowed?.(canary.url) ?? [];
        expect(harmOf(base, filesAt(team.workplace, made), { root, allowed })).to.deep.equal([]);
      }
      const problem = failure && `${failure.type}: ${failure.message}`;
      if (attack.outcome === 'taken') expect(made, problem).to.be.a('string');
      else expect(made, 'a commit').to.equal(null);
      if (attack.outcome === 'refused') {
        expect(problem).to.equal(undefined);
        expect(heard.length).to.be.above(0);
        expect(heard.filter((answer) => !isError.test(answer))).to.deep.equal([]);
      }
      if (attack.outcome === 'ends')
        expect(failure?.message, failure?.message).to.match(attack.says!);
      expect(unseenIn(`${summary ?? ''}${failure?.message ?? ''}`)).to.deep.equal([]);
      expect(summary ?? '').to.not.match(/<[a-z!/]/i);
    });

  for (const attack of pageAttacks)
    it(`in a context: answers a page with ${attack.title}`, async () => {
      ran++;
      const first = model.requests().length;
      const task = { ...team.task(), siteId };
      const targetPageSlug = '/company';
      const reading = await worker.readSite({
        task,
        templatePageSlug: template,
        targetPageSlugs: [targetPageSlug],
      });
      const argument = {
        task,
        base: reading.base,
        template: reading.template!,
        model: modelAt(number++),
      };
      const item = { targetPageSlug, context: attack.context };
      answer = (asked) => ({ text: attack.answer ?? JSON.stringify(answerOf(attack, asked)) });
      const write = async () => {
        const { rejected } = await worker.generatePage({ ...argument, item });
        const page = await worker.generatePage({
          ...argument,
          item,
          ...(rejected && { rejected }),
        });
        if (page.rejected || 'asked' in page) throw new Error('No page was written');
        const { texts, groups = {}, removed = [], lang } = page;
        const pages = tellPages(task.taskId, [
          { ...reading.targets[0]!, texts, groups, removed, ...(lang !== undefined && { lang }) },
        ]);
        const edit = { type: 'generate_pages' as const, template: reading.template!, pages };
        return worker.commitChanges({ task, base: reading.base, edit });
      };
      const writing = write();
      const made = await writing.then(
        ({ commit }) => commit,
        () => null,
      );
      const requests = model.requests().slice(first);
      checkRequests(requests);
      checkWork();
      expect(requests[0]!.body).to.include('ORDER-IN-A-CONTEXT');
      expect(outside()).to.deep.equal(untouched);
      expect(canary.reached).to.deep.equal([]);
      if (attack.outcome !== 'taken') {
        expect(made).to.equal(null);
        const failure = await failed(writing);
        expect(failure.type).to.equal(attack.outcome);
        expect(unseenIn(failure.message)).to.deep.equal([]);
        return;
      }
      await writing;
      expect(made).to.be.a('string');
      expect(harmOf(base, filesAt(team.workplace, made!), { root })).to.deep.equal([]);
    });
});

/** Texts by their kinds as the outline says them: `s12 h1 Web design`. */
function answerOf({ texts = [], groups = [] }: PageAttack, { messages }: ModelRequest) {
  const outline = messages.map(({ content }) => content).join('\n');
  const slotOf = (kind: string) =>
    new RegExp(`(s\\d+(?:\\.[\\w.-]+)*) ${kind}\\b`).exec(outline)?.[1] ?? kind;
  const group = /\[?(g\d+)\b/.exec(outline)?.[1] ?? 'g1';
  return {
    texts: texts.map(([kind, text]) => ({ id: slotOf(kind), text })),
    groups: groups.map(({ id, members }) => ({ id: id === 'first' ? group : id, members })),
  };
}

async function startCanary() {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, reached, close: () => void server.close() };
}

async function agentsOn(model: ModelServer): Promise<AgentRegistry> {
  const made = new Map<ModelProvider, Awaited<ReturnType<typeof createModelAgents>>>();
  for (const name of modelProviders)
    made.set(
      name,
      await createModelAgents(
        { keys: settings, baseUrl: model.url(name) },
        { tools: modelTools, threads: testThreads },
      ),
    );
  return { of: (name = '') => made.get(name.split('/')[0] as ModelProvider)!.of(name) };
}

/** Symbolic links of the site to what is not its own. */
function plantLinks({ clone }: Workplace) {
  const own = join(clone, root);
  symlinkSync('../private/secret.html', join(own, 'leak.html'));
  symlinkSync('/etc/passwd', join(own, 'assets/leak.css'));
  symlinkSync('../../private/secret.json', join(own, 'data/leak.json'));
  symlinkSync('/etc/passwd', join(own, 'assets/leak.svg'));
}

/** All files of a commit, as git has them. */
function filesAt({ remote }: Workplace, commit: string): Files {
  const listed = git(remote, 'ls-tree', '-r', '-z', commit).split('\0').filter(Boolean);
  return new Map(
    listed.map((line) => {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return [path, { mode, text: textOf(remote, id) }];
    }),
  );
}

const known = new Map<string, string>();
function textOf(remote: string, id: string): string {
  const text = known.get(id) ?? git(remote, 'cat-file', 'blob', id);
  known.set(id, text);
  return text;
}

/** Every string of a JSON value, names too; arguments of calls are JSON in JSON. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...innerStrings(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}

function innerStrings(text: string): string[] {
  if (!/^[[{]/.test(text)) return [];
  try {
    return stringsIn(JSON.parse(text));
  } catch {
    return [];
  }
}
