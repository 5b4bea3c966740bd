// Takes long: it makes a site of 10,000 pages.
import { join } from 'node:path';
import { expect } from 'chai';
import type { Activities } from '../../activities/index.ts';
import type { Report } from '../../src/forges/forge.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import type { Launcher } from '../../src/sites/git/launcher/launcher.ts';
import { cityItem, commitPages, TaskSite } from '../helpers/activities.ts';
import { begun, went } from '../helpers/deployed.ts';
import { testLauncher } from '../helpers/launcher.ts';

/** What a task costs. */
interface Costs {
  /** Names of git commands. */
  commands: string[];
  /** Bytes that git was given, and that it answered. */
  bytes: number;
  /** Requests for reports and pages. */
  requests: number;
  builds: number;
}

const report: Report = {
  of: 'status',
  name: 'host',
  creator: 'bot',
  state: 'success',
  url: null,
  logUrl: null,
};

const nameOf = ({ args }: { args: string[] }) =>
  args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c') ?? '';

/** A launcher that counts commands, and their bytes, but for housekeeping. */
function countingLauncher() {
  const git = { commands: [] as string[], bytes: 0 };
  const launcher: Launcher = {
    async run(command, signal) {
      const ending = await testLauncher.run(command, signal);
      if (nameOf(command) === 'gc') return ending;
      git.commands.push(nameOf(command));
      git.bytes += command.input?.length ?? 0;
      git.bytes += 'stdout' in ending ? ending.stdout.length : 0;
      return ending;
    },
    close: () => Promise.resolve(),
  };
  return { launcher, git };
}

describe("a page more at a team's own host", function () {
  this.timeout(600_000);
  let few: Counted;
  let many: Counted;
  before(async () => {
    few = await siteOf(10);
    many = await siteOf(10_000);
  });
  after(async () => {
    await few?.site.remove();
    await many?.site.remove();
  });

  interface Counted extends Pick<ReturnType<typeof countingLauncher>, 'git'> {
    site: TaskSite;
    worker: () => Activities;
  }

  /** @param pages beside those of the demo site */
  async function siteOf(pages: number): Promise<Counted> {
    const files = Array.from({ length: pages }, (_, at): [string, string] => [
      `archive/${at % 100}/page-${at}.html`,
      `<!doctype html><title>Page ${at}</title><h1>Page ${at} of the archive</h1>`,
    ]);
    const site = await TaskSite.create(Object.fromEntries(files));
    const { launcher, git } = countingLauncher();
    const dataDir = join(site.workplace.folder, 'counted');
    const repositories = createRepositories({ dataDir, launcher });
    return { site, git, worker: () => site.worker('counted', { repositories }) };
  }

  /** Makes, shows and publishes a page. */
  async function costOf(
    { site, git, worker }: Counted,
    publish: 'push' | 'pull-request',
    city: string,
  ): Promise<Costs> {
    const forge = await site.withOwnHost({ publish });
    const steps = worker();
    Object.assign(git, { commands: [], bytes: 0 });
    /** The host builds a commit: the page answers there. */
    const build = (commit: string, at: string, path: string) => {
      forge.reported.set(commit, [{ ...report, url: at }]);
      forge.online.set(`${at}/${path}`, site.workplace.show(path, commit));
    };
    const since = new Date().toISOString();
    const made = await commitPages(steps, site.task(), [cityItem(city)]);
    const { task, commit, pages } = made;
    const [{ path }] = pages as [(typeof pages)[number]];
    const preview = `https://${task.taskId}.pages.example`;
    const { look } = await steps.deployPreview({ ...begun, ...made });
    build(commit, preview, path);
    await steps.look({ task, look: look!, since });
    const { merge, commit: pushed } = await steps.publish(made);
    if (merge) build(merge.head, preview, path);
    const head = merge ? await steps.mergePullRequest({ task, merge, since }) : pushed;
    const live = { ...went, task, commit: head, pages, awaited: look!.pages };
    const deployed = await steps.deployProduction(live);
    build(head, 'https://www.pages.example', path);
    const seen = await steps.look({ task, look: deployed.look!, since });
    expect(seen.pages[0]?.url).to.equal(`https://www.pages.example/${path}`);
    const [builds] = (await site.builds.countsOf([task.taskId])) as [number];
    return { ...git, requests: forge.asked.length, builds };
  }

  for (const [publish, warm, city] of [
    ['push', 'Oslo', 'Bergen'],
    ['pull-request', 'Narva', 'Turku'],
  ] as const)
    it(`costs beside 10,000 others what it costs beside 10, by ${publish}`, async () => {
      for (const site of [few, many]) await costOf(site, publish, warm);
      const beside10 = await costOf(few, publish, city);
      const beside10000 = await costOf(many, publish, city);
      expect(beside10000.commands).to.deep.equal(beside10.commands);
      expect(beside10000.requests).to.equal(beside10.requests);
      expect([beside10.builds, beside10000.builds]).to.deep.equal([2, 2]);
      expect(beside10000.bytes).to.be.at.most(beside10.bytes + 1_000);
    });
});
