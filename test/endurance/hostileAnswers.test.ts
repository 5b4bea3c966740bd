// Takes long: every answer of a forge, page of a host, file of a repository and answer of a model,
// each at its greatest size.
import { expect } from 'chai';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { cleanProviderMessage } from '../../src/agents/model/calls/cleanProviderMessage.ts';
import { parseModelJson } from '../../src/agents/model/calls/parseModelJson.ts';
import { readModelTurn } from '../../src/agents/model/prompt/readModelTurn.ts';
import { checkHost } from '../../src/api/hostCheck.ts';
import { createGuardedSender } from '../../src/callbacks/guardedSend.ts';
import { parseCallbackUrl } from '../../src/callbacks/callbackPolicy.ts';
import { limits } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import { readWebhook } from '../../src/forges/webhooks.ts';
import { createForgeRegistry } from '../../src/forges/forges.ts';
import type { ForgeProject } from '../../src/forges/forgeProject.ts';
import { checkDeploymentOnce } from '../../src/hosting/external/checkDeployment.ts';
import type { Site } from '../../src/contract/site.ts';
import type { PageSource } from '../../src/sites/formats/format.ts';
import type { PageCalls } from '../../src/sites/pages/pageCalls.ts';
import { createRedirectReader } from '../../src/hosting/embedded/redirectReader.ts';
import { HOST_FILE_BYTES, REDIRECTS } from '../../src/sites/redirects/hostFileNames.ts';
import { readTarget } from '../../src/sites/pages/urls/servedPaths.ts';
import { ownHost } from '../helpers/ownHost.ts';
import { threadPages } from '../helpers/threads.ts';
import {
  answersOf,
  documentedAnswer,
  forgeKinds,
  headCommit,
  type HostileKind,
  smallAnswer,
  type HostileForge,
  startHostileForge,
} from './hostile/forgeAnswers.ts';
import { expectNoStall, ownStalls } from './hostile/stalls.ts';
import { worstDocuments, worstText, type WorstUnit, worstUnits } from './hostile/units.ts';

const MAX_ANSWER_BYTES = 1_000_000;
/** What is kept of an answer of any kind. */
const MAX_BODY_BYTES = 8 * 1024 ** 2;
const never = new AbortController().signal;
const units = Object.keys(worstUnits) as WorstUnit[];
/** A few of each kind, for what a thread takes long for. */
const fewUnits: WorstUnit[] = ['alternating marks', 'one grapheme cluster', 'spaces', 'slashes'];

/** What is refused is refused in as little time. */
const tried = async (work: () => unknown) => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return undefined;
  }
};
const textOfBytes = (unit: WorstUnit, bytes: number) => {
  const perUnit = Buffer.byteLength(worstText(unit, 1_000)) / 1_000;
  return worstText(unit, Math.floor(bytes / perUnit) - 2);
};

describe('the event loop is not blocked', function () {
  this.timeout(300_000);
  const sender = createGuardedSender({ allowPrivate: true, ownHosts: [] });
  let server: HostileForge;
  before(async () => {
    server = await startHostileForge();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await sender.close();
  });
  const compare = (what: string, worst: () => Promise<unknown>, plain: () => Promise<unknown>) =>
    expectNoStall(ownStalls, { what, worst, plain });

  describe('by a forge', () => {
    const project = 'team/site';
    const credential = { kind: 'token', username: '', token: 'secret' } as const;
    const placeOf = (kind: HostileKind) => ({
      forge: kind,
      apiUrl: `${server.origin}/${kind}`,
      project,
    });

    const appOf = (privateKey: string) =>
      ({ kind: 'github-app', appId: '1', privateKey, installationId: null }) as const;

    /** Everything that a task asks a forge, which a new port asks again. */
    const calls: Record<keyof ForgeProject, (forge: ForgeProject) => Promise<unknown>> = {
      reports: (forge) => forge.reports(headCommit, never),
      findPullRequest: (forge) => forge.findPullRequest('bg-1', never),
      pullRequest: (forge) => forge.pullRequest(1, never),
      openPullRequest: (forge) =>
        forge.openPullRequest({ branch: 'bg-1', into: 'main', title: 'a', body: 'b' }, never),
      merge: (forge) => forge.merge(1, headCommit, never),
      closePullRequest: (forge) => forge.closePullRequest(1, never),
      check: (forge) => forge.check('main', never),
    };
    async function askAll() {
      for (const kind of forgeKinds) {
        const forge = createForgeRegistry(sender).open(placeOf(kind), credential);
        for (const call of Object.values(calls)) await tried(() => call(forge));
      }
    }
    type Body = Parameters<HostileForge['answerWith']>[0];
    /** Prepares the answers before, so that only the reading is measured. */
    const compareBodies = async (what: string, worst: Body, plain: Body, status?: number) => {
      const prepared = (body: Body) => async () => {
        server.answerWith(body, status);
        await askAll();
      };
      const known = (body: Body): Body => {
        const made = new Map<unknown, Buffer>();
        return (schema) => {
          const kept = made.get(schema) ?? body(schema);
          made.set(schema, kept);
          return kept;
        };
      };
      const [worstBody, plainBody] = [known(worst), known(plain)];
      return compare(what, prepared(worstBody), prepared(plainBody));
    };

    const always = (document: string): Body => {
      const body = Buffer.from(document);
      return () => body;
    };
    const onlyFor = (schema: unknown, document: string): Body => {
      const body = Buffer.from(document);
      return (asked) => (asked === schema ? body : smallAnswer(asked));
    };
    const listed =
      (unit: WorstUnit, entries: number, bytes = MAX_ANSWER_BYTES): Body =>
      (schema) =>
        Buffer.from(
          documentedAnswer(schema, (length) => worstText(unit, length), { bytes, entries }),
        );

    for (const unit of units)
      it(`whose texts are ${unit}`, async () => {
        for (const entries of fewUnits.includes(unit) ? [1, 100, 1_000] : [100])
          await compareBodies(
            `${entries} entries of ${unit}`,
            listed(unit, entries),
            listed('letters', entries),
          );
      });

    for (const [name, write] of Object.entries(worstDocuments))
      it(`whose JSON is ${name}, in an answer and in a rejection`, async () => {
        const plain = worstDocuments['one text']!;
        for (const [bytes, status] of [
          [MAX_ANSWER_BYTES, 200],
          [64_000, 422],
        ] as const)
          await compareBodies(
            `${name}, ${bytes} bytes, ${status}`,
            always(write(bytes)),
            always(plain(bytes)),
            status,
          );
      });

    it('whose answers and rejections are far too long', async () => {
      const bytes = MAX_BODY_BYTES - 100;
      for (const [name, write] of Object.entries(worstDocuments).slice(0, 6))
        for (const status of [200, 403]) {
          const [worst, plain] = [write, worstDocuments['one text']!].map((document) =>
            onlyFor(answersOf.gitea['pull']!, document(bytes)),
          );
          await compareBodies(`${name}, ${status}`, worst!, plain!, status);
        }
    });

    it('whose webhooks it signs', async () => {
      const secret = 'secret';
      for (const [name, write] of Object.entries(worstDocuments)) {
        const read = (document: (bytes: number) => string) => {
          const body = Buffer.from(document(limits.bodyBytes));
          const signature = createHmac('sha256', secret).update(body).digest('hex');
          const headers = {
            'x-github-event': 'push',
            'x-github-delivery': '1',
            'x-hub-signature-256': `sha256=${signature}`,
          };
          return async () => readWebhook({ headers, body }, secret);
        };
        await compare(`a webhook: ${name}`, read(write), read(worstDocuments['one text']!));
      }
    });

    it('with each documented answer, including those of an App', async () => {
      server.answerWith(listed('letters', 1, 1_000));
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const place = placeOf('github');
      await tried(() => createForgeRegistry(sender).gitCredential(place, appOf(pem), never));
      const documented = Object.entries(answersOf).flatMap(([kind, answers]) =>
        Object.keys(answers).map((name) => `${kind}.${name}`),
      );
      expect([...server.asked]).to.have.members(documented);
    });
  });

  describe('by a page of an external host', () => {
    const site = { siteId: 's', organizationId: 'o', ownHost } as unknown as Site;
    const look = () => ({
      target: 'live' as const,
      commit: 'c0ffee',
      what: 'a build',
      url: server.origin,
      branch: 'main',
      pages: [{ slug: '/', paths: ['/page'], texts: ['A text that nobody ever shows'] }],
      until: new Date(0),
    });
    async function lookAtPage() {
      const host = { ...ownHost, liveUrl: server.origin, hosts: [new URL(server.origin).host] };
      const forge = { reports: () => Promise.resolve([]) };
      const places = { forge, send: sender.send, pages: threadPages, bypass: undefined };
      await tried(() => checkDeploymentOnce(places, { site, host, check: look() }, never));
      const checked = {
        settings: host,
        credential: { kind: 'token', username: '', token: 'secret' },
        bypass: null,
        branch: 'main',
      } as unknown as Parameters<typeof checkHost>[1];
      const deps = {
        addressRules: {
          allowPrivate: true,
          checkUrl: (url: string) => parseCallbackUrl(url, { allowPrivate: true, ownHosts: [] }),
        },
        openForge: () =>
          ({
            check: () =>
              Promise.resolve({
                problems: [],
                mayPush: true,
                isProtected: false,
                pastDeployments: [],
              }),
          }) as unknown as ForgeProject,
        send: sender.send,
      };
      const { proof } = await checkHost(deps, checked, never);
      expect(proof).to.have.property('status', 200);
    }
    const pages: Record<string, (text: string) => string> = {
      'a paragraph': (text) => `<title>a</title><p>${text}</p>`,
      'a title': (text) => `<title>${text.slice(0, 100_000)}</title>`,
    };
    const shown = (source: string) => async () => {
      server.page = Buffer.from(source);
      await lookAtPage();
    };
    for (const unit of fewUnits)
      for (const [name, write] of Object.entries(pages))
        it(`with ${unit} in ${name}`, async () => {
          const [worst, plain] = ([unit, 'letters'] as const).map((one) =>
            shown(write(textOfBytes(one, limits.pageBytes - 100))),
          );
          await compare(`${unit} in ${name}`, worst!, plain!);
        });

    it('of 8 MB', async () => {
      for (const unit of fewUnits) {
        const [worst, plain] = ([unit, 'letters'] as const).map((one) =>
          shown(textOfBytes(one, MAX_BODY_BYTES - 100)),
        );
        await compare(unit, worst!, plain!);
      }
    });
  });

  describe('by a file of a repository', () => {
    const site = { siteId: 's', organizationId: 'o' } as Site;
    const targets = ['/', '/a', `/${'a/'.repeat(4_000)}`, `/${'%CC%81%CC%A3'.repeat(1_200)}`];

    /** Reads it as a visitor's request does: each time as another file. */
    let files = 0;
    const visited = (path: string, source: string) => async () => {
      const id = String(++files);
      const entry = { path, id, mode: '100644', size: Buffer.byteLength(source) };
      const repository = { blob: () => Promise.resolve(Buffer.from(source)) };
      const tree = { entries: new Map([[path, entry]]) };
      const rules = await createRedirectReader(threadPages).read(
        site as never,
        repository,
        tree,
        never,
      );
      for (const target of targets) rules!.all(readTarget(target)!);
    };
    /** A host file of one kind of text, by where the text is. */
    const hostFiles: Record<string, [path: string, write: (unit: WorstUnit) => string]> = {
      'the lines of _redirects': [
        REDIRECTS,
        (unit) => `/${textOfBytes(unit, 1_900)} /b 301\n`.repeat(HOST_FILE_BYTES / 2_000),
      ],
      'short lines of _redirects': [
        REDIRECTS,
        (unit) => `/${worstText(unit, 8)} /b 301\n`.repeat(HOST_FILE_BYTES / 40),
      ],
    };
    for (const unit of units)
      it(`with ${unit} in a host's redirects`, async () => {
        for (const [name, [path, write]] of Object.entries(hostFiles)) {
          const worst = visited(path, write(unit));
          await compare(`${unit} in ${name}`, worst, visited(path, write('letters')));
        }
      });

    const target = { path: 'a.html', slug: '/a' };
    const leads = { ...target, query: '', fragment: '' };
    const linkQuestion = (page: PageSource) => ({
      page,
      siblings: [page],
      template: { ...page, slug: '/', names: [] },
    });
    const change = (page: PageSource) => ({ before: page, after: page.source, sitePaths: [] });
    /**
     * What each function of the threads is asked about a file. A new function needs a line here.
     */
    const argumentsOf: {
      [Name in keyof PageCalls]: (page: PageSource) => Parameters<PageCalls[Name]>;
    } = {
      read: (page) => [page],
      readTexts: (page) => [page],
      compareAll: (page) => [page, page, [page]],
      readTemplate: (page) => [page, [page]],
      outline: (page) => [{ page, siblings: [page], sitePaths: [] }],
      footer: (page) => [page],
      identity: (page) => [page],
      isUnlisted: (page) => [page],
      listedSlugs: (page) => [page],
      setTexts: (page) => [page, { s1: page.source.slice(0, 1_000) }],
      dropData: (page) => [page, page],
      setEditedTexts: (page) => [page, {}],
      setLink: (page) => [page, 's1', '/b'],
      setAlt: (page) => [page, 's1', 'b'],
      setImage: (page) => [page, { id: 's1', target: leads, alt: 'b' }],
      addAlternate: (page) => [page, { translation: target, lang: 'de' }],
      move: (page) => [page, { from: { path: page.path, slug: '/' }, to: target, sitePaths: [] }],
      create: (page) => [
        { template: page, siblings: [], target, texts: {}, digest: '', sitePaths: [] },
      ],
      frame: (page) => [page, { url: '/b/', head: '', attribute: 'data-text' }],
      links: (page) => [page],
      images: (page) => [page],
      files: (page) => [page],
      anchors: (page) => [page],
      edit: (page) => [page, { name: 'setTexts', args: [{ s1: 'b' }] }],
      linkBlock: (page) => [linkQuestion(page)],
      locateInBlocks: (page) => [linkQuestion(page), [{ slug: '/', values: ['a'] }]],
      addLinks: (page) => [{ ...linkQuestion(page), items: [], sitePaths: [] }],
      mergeLinks: (page) => [{ before: page.source, task: page.source, page, slugs: [] }],
      linkingPages: (page) => [[page], '/a'],
      check: (page) => [{ path: page.path, mayAddLinks: false, ...change(page) }],
      sideEffects: (page) => [page, '<p>a</p>'],
      findNamedIds: (page) => [page, ['menu', 'a'.repeat(100)]],
      findHiddenParts: (page) => [
        { ...page, sheets: [page.source] },
        { ...page, source: '<p>a</p>', sheets: [] },
      ],
      knownKeys: (page) => [page, ['class a', 'host a.example']],
      groups: (page) => [page],
      sections: (page) => [page],
      menu: (page) => [page],
      rebuild: (page) => [page, { kind: 'remove-section', id: 's1' }],
      compare: (page) => [page, { path: page.path, source: '<p>a</p>' }],
      showsAny: (page) => [page, ['a']],
      standing: (page) => [{ written: page, page }, []],
      listPages: ({ source }) => [source],
      pageUrlPath: (page) => [page, { files: [], rules: [] }],
      proposeUrlRule: ({ source }) => [source, [], [source]],
      readSitemapPaths: (page) => [page],
      planTargets: ({ source }) => [source, { templatePath: 'a.html', slugs: ['/b'] }],
      editRedirects: ({ source }) => [
        { path: '_redirects', source },
        { leads: [], pages: [] },
      ],
      mergeRedirects: ({ source }) => [
        { path: '_redirects' },
        { before: '', task: source, production: source },
      ],
      readRedirects: ({ source }) => [source],
      updateSitemaps: ({ source }) => [
        { path: 'sitemap.xml', files: [{ path: 'sitemap.xml', source }] },
        { added: [], removed: [], lastmod: '2026-01-01' },
      ],
      splitDataFile: (page) => [{ ...page, path: 'a.yml' }],
      sampleEntries: (page) => [{ path: 'a.json', files: [{ ...page, path: 'a.json' }] }],
      spliceDataFile: (page) => [{ ...page, path: 'a.yml' }, [{ key: 'a', source: page.source }]],
      editFile: ({ source }) => [
        { path: 'a.css', source },
        { find: 'a', replace: 'b', all: true },
      ],
      checkFile: ({ source }) => [{ path: 'a.css', before: '', after: source }],
      areReferencesNamed: ({ source }) => [source.slice(0, 100_000), []],
      areDuplicatesRequested: ({ source }) => [source.slice(0, 100_000), []],
    };
    for (const [name, args] of Object.entries(argumentsOf))
      it(`that a thread reads with ${name}`, async () => {
        for (const unit of fewUnits.slice(0, 2)) {
          const [worst, plain] = ([unit, 'letters'] as const).map((one) => {
            const text = textOfBytes(one, limits.pageBytes / 2);
            const source = `<!doctype html><title>a</title><main><p>${text}</p></main>`;
            const read = threadPages[name as keyof PageCalls] as (...given: unknown[]) => unknown;
            return async () => tried(() => read(...args({ path: 'a.html', source })));
          });
          await compare(`${name} of ${unit}`, worst!, plain!);
        }
      });
  });

  describe("by a language model's answer", () => {
    const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
    const readAnswer = (text: string) => async () => {
      parseModelJson(text);
      // each of four parts of one answer
      const part = text.slice(0, text.length / 4);
      const calls = [{ toolCallId: part, toolName: part, input: { a: part } }];
      readModelTurn({ content: [{ type: 'text', text: part }], calls, usage }, [], ['finish']);
      cleanProviderMessage(text, { texts: [text.slice(0, 10_000)], secrets: ['secret'] });
    };
    for (const unit of units)
      it(`of ${unit}`, async () => {
        const [worst, plain] = ([unit, 'letters'] as const).map((one) =>
          readAnswer(textOfBytes(one, 400_000)),
        );
        await compare(unit, worst!, plain!);
      });
    it('of any JSON', async () => {
      for (const [name, write] of Object.entries(worstDocuments))
        await compare(
          name,
          readAnswer(write(400_000)),
          readAnswer(worstDocuments['one text']!(400_000)),
        );
    });
  });
});
