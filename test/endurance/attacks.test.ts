// Takes long: the attacks run against a real service, beside tasks of another organization. One of
// each way in is tried: that each text is read in linear time is tested in hostileTexts.test.ts.
import type { Client } from '@temporalio/client';
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { request } from 'undici';
import { median, timed } from '../../bench/measure.ts';
import { LOST, reasonsOf } from '../helpers/lostSteps.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';
import { otherOrganization } from '../helpers/otherOrganization.ts';
import { RawRepository } from '../unit/sites/git/rawRepository.ts';

const RUNS_ALONE = 1;
/** Between two of our tasks, so that most of the machine is the attack's. */
const PAUSE_MS = 500;
const ABANDONED = 2;
const ENDS_WITHIN_MS = 240_000;

const prompts = [
  `${'and '.repeat(100)}${','.repeat(8_000)}x`,
  `Replace ${'"'.repeat(9_000)} with "x"`,
  `Change the headline ${'to , '.repeat(1_900)}`,
  `Change the headline of /pricing${' '.repeat(9_000)}to "x"`,
  `${'1.\r\n'.repeat(2_400)}Delete /x`,
];
const contexts = `${'['.repeat(20_000)}${'{"a":'.repeat(4_000)}`;
const everywhere = 'Replace "Northwind Studio" with "Southwind Works" everywhere';
const openTags = `<!doctype html><title>T</title>${'<b>x<p>'.repeat(140_000)}`;
const largePage = `<!doctype html><title>T</title>${'<div>'.repeat(180_000)}`;

describe('attacks of another organization', function () {
  this.timeout(590_000);
  let service: Service;
  let attacker: Service;
  let ours: TeamSite;
  let metricsUrl: string;
  let temporal: Client;
  let alone: number | undefined;
  const rows: string[] = [];

  before(async () => {
    service = await startService({ env: { METRICS_ADDRESS: '127.0.0.1:0' } });
    metricsUrl = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(service.launched.stderr)![0];
    temporal = await connectTemporal(service);
    attacker = await otherOrganization(service);
    ours = await TeamSite.register(service, 'ours');
    const times: number[] = [];
    for (let run = 0; run <= RUNS_ALONE; run++)
      times.push(await timed(() => oneTask(`alone${run}`)));
    alone = median(times.slice(1));
  });
  after(async function () {
    console.log(
      `\n      one task of ours alone: ${alone?.toFixed(0)} ms. Beside the attacks:\n${rows.join('\n')}`,
    );
    await temporal?.connection.close();
    await endServices(this.currentTest);
    removeTeamSites();
  });

  async function oneTask(city: string): Promise<void> {
    expect(await ours.run(citiesBody([city]))).to.include({ status: 'completed' });
  }

  const longestDelay = async () => {
    const text = await (await request(metricsUrl, { reset: true })).body.text();
    return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]);
  };

  /**
   * Does it, and meanwhile asks for the health and runs tasks of ours. Prints how long these took.
   */
  async function beside(name: string, attack: () => Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const pause = (ms: number) => delay(ms, undefined, over).catch(() => undefined);
    const times: number[] = [];
    let worstHealth = 0;
    const health = async () => {
      while (!over.signal.aborted) {
        worstHealth = Math.max(
          worstHealth,
          await timed(async () =>
            expect((await service.request('GET', '/healthz')).status).to.equal(200),
          ),
        );
        await pause(50);
      }
    };
    const tasks = async () => {
      do {
        times.push(await timed(() => oneTask(`${name.replace(/\W+/g, '-')}-${times.length}`)));
        await pause(PAUSE_MS);
      } while (!over.signal.aborted);
    };
    await longestDelay();
    const probes = Promise.all([health(), tasks()]);
    try {
      await attack();
    } finally {
      over.abort();
      await probes;
    }
    const ratio = (median(times) / alone!).toFixed(2);
    rows.push(
      `      ${name}: worst /healthz ${worstHealth.toFixed(0)} ms, longest delay ` +
        `${(await longestDelay()).toFixed(0)} ms, ours took ${ratio} times as long (median of ${times.length})`,
    );
  }

  /**
   * What becomes of the attacker's tasks: each ends, by its own merits, with a message that says
   * why.
   */
  async function endOf(taskIds: string[]): Promise<void> {
    for (const taskId of taskIds) {
      const view = await attacker.waitForTask(taskId, ENDS_WITHIN_MS);
      if (view.status === 'failed')
        expect(view.errorMessage)
          .to.match(/\w/)
          .and.not.match(/unexpected|timed? ?out/i);
    }
    const wanted = new Set(taskIds);
    const lines = service.launched.lines().filter(({ taskId }) => wanted.has(taskId as string));
    expect(lines.filter(({ code }) => code === 'UNEXPECTED')).to.deep.equal([]);
    const repeated = new Set(
      lines.flatMap(({ attempt = 1, taskId }) => (attempt === 1 ? [] : [taskId as string])),
    );
    for (const taskId of repeated)
      expect([...new Set(await reasonsOf(temporal, taskId))]).to.deep.equal([LOST]);
  }

  let lastSite = 0;
  const newSite = () => TeamSite.register(attacker, `attack-${++lastSite}`);

  describe('by texts of requests', () => {
    let site: TeamSite;
    before(async () => void (site = await newSite()));

    /** Creates the tasks at once, and looks at how each ends. */
    async function expectEnds(bodies: object[]): Promise<void> {
      const post = (body: object) => attacker.postTask({ siteId: site.siteId, ...body });
      const replies = await Promise.all(bodies.map(post));
      for (const { status } of replies) expect(status).to.be.oneOf([200, 400, 413]);
      await endOf(replies.flatMap(({ json }) => (json.taskId as string | undefined) ?? []));
    }

    it('prompts of many commas, quotes, blanks and line ends', () =>
      beside('prompts', () => expectEnds(prompts.map((prompt) => ({ prompt })))));

    it('three tasks of ten contexts of nested brackets', () =>
      beside('contexts', () => {
        const task = (n: number) => ({
          command: 'generate_pages',
          templatePageSlug: '/locations/austin',
          items: Array.from({ length: 10 }, (_, i) => ({
            targetPageSlug: `/x/${n}-${i}`,
            context: contexts,
          })),
        });
        return expectEnds([0, 1, 2].map(task));
      }));
  });

  describe('by what is in the repository', () => {
    it('a page of open tags', async () => {
      const site = await newSite();
      site.push({ 'attack.html': openTags });
      await beside('a page of open tags', async () => {
        const bodies = [citiesBody(['Lisbon']), { prompt: everywhere }];
        await endOf(await Promise.all(bodies.map((body) => site.create(body))));
      });
    });

    it('a tree of 6,000 folders that share a chain of 900, before and after it was registered', async () => {
      const site = await newSite();
      const raw = new RawRepository();
      const shared = raw.chain(900);
      const folders = Array.from(
        { length: 6_000 },
        (_, i) => ['40000', String(i).padStart(6, '0'), shared] as const,
      );
      raw.write(site.remote, raw.commit(raw.tree(...folders)));
      await beside('a tree of 5.4 million folders', async () => {
        await endOf(await Promise.all([1, 2, 3].map(() => site.create({ prompt: everywhere }))));
        const owner = ['--organization', attacker.demo.organizationId, '--name', 'bomb'];
        const registered = answerOf(
          service.dataDir,
          'site',
          'create',
          ...owner,
          '--repository',
          site.remote,
        );
        expect(String(await registered.catch((error: unknown) => error))).to.match(
          /too deeply|too many/,
        );
      });
    });

    it('64,000 letters from its git server', async () => {
      const site = await newSite();
      site.refuse(`head -c 64000 /dev/zero | tr '\\0' 'a' >&2; exit 1`);
      await beside("64,000 letters in git's words", async () =>
        endOf([await site.create(citiesBody(['Lisbon']))]),
      );
    });
  });

  describe('by reading', () => {
    it('20 large pages whose list nobody waits for, four at once', async () => {
      const site = await newSite();
      const pages = Array.from({ length: 20 }, (_, n) => [`large-${n}.html`, largePage] as const);
      site.push(Object.fromEntries(pages));
      const list = `/api/v1/sites/${site.siteId}/pages?limit=500`;
      await beside('abandoned lists', async () => {
        for (let n = 0; n < ABANDONED; n++)
          await Promise.all(Array.from({ length: 4 }, () => abandoned(list)));
      });
    });

    it('the list of 50,000 pages, ten times a second', async () => {
      const site = await newSite();
      execFileSync('git', ['fast-import', '--quiet', '--force'], {
        cwd: site.remote,
        input: manyPages(50_000),
      });
      await beside('50,000 pages', async () => {
        const path = `/api/v1/sites/${site.siteId}/pages?limit=1`;
        for (let n = 0; n < 10; n++) {
          expect((await attacker.request('GET', path)).status).to.equal(200);
          await delay(100);
        }
      });
    });
  });

  /** A request whose client goes away after a while. */
  async function abandoned(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${attacker.demo.apiKey}` };
    const signal = AbortSignal.timeout(500);
    await request(`http://127.0.0.1:${service.port}${path}`, { headers, signal }).then(
      ({ body }) => body.dump(),
      () => undefined,
    );
  }

  // Mocha runs a suite's own tests before those of the suites within it
  describe('afterwards', () => {
    it('the service is as it was', async () => {
      await until(
        'the health',
        async () => (await service.request('GET', '/readyz')).status === 200,
      );
      await oneTask('afterwards');
    });
  });
});

/** A commit of pages that are all the same file, for `git fast-import`. */
const manyPages = (count: number) =>
  [
    'blob\nmark :1\ndata 35\n<!doctype html><title>T</title><p>x\n',
    'commit refs/heads/main\ncommitter T <t@example.test> 1700000000 +0000\ndata 1\nx\n',
    ...Array.from({ length: count }, (_, n) => `M 100644 :1 page-${n}.html\n`),
  ].join('');
