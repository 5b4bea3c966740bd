import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPages, TeamSite } from '../../test/helpers/team/site.ts';
import { type Bench, runTask, townsBody } from '../bench.ts';
import { compare, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const FEW = 10;
const MANY = 10_000;
const OLD_TASKS = 10_000;

/** One published page on each site in turn. */
async function compareSites(bench: Bench, what: string, [large, small]: [TeamSite, TeamSite]) {
  const publish = (site: TeamSite) =>
    timed(() => runTask(bench, site, townsBody(1, { publish: true })));
  const comparison = await compare(
    what,
    { aim: '1.2', rounds: 10 },
    {
      measured: () => publish(large),
      baseline: () => publish(small),
    },
  );
  return rowOf(comparison);
}

export async function manyPages(bench: Bench) {
  const small = await siteOf(bench, 'few-pages', FEW);
  const large = await siteOf(bench, 'many-pages', MANY);
  const what = `a published page on a site of ${MANY.toLocaleString('en')} pages / of ${FEW}`;
  return [await compareSites(bench, what, [large, small])];
}

export async function oldRefs(bench: Bench) {
  const none = await TeamSite.register(bench.service, 'no-old-tasks');
  const many = await TeamSite.register(bench.service, 'many-old-tasks');
  leaveRefs(many.remote);
  const what = `the same with refs of ${OLD_TASKS.toLocaleString('en')} old tasks / with none`;
  return [await compareSites(bench, what, [many, none])];
}

/** The template and its files, and shops that are a tenth of its size. */
async function siteOf({ service }: Bench, name: string, count: number): Promise<TeamSite> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  try {
    for (const part of ['assets', 'locations/austin.html', 'index.html'])
      cpSync(join(demoPages, part), join(folder, part), { recursive: true });
    const source = readFileSync(join(demoPages, 'locations/austin.html'), 'utf8');
    const page = `${source.slice(0, source.indexOf('<main'))}<main><h1>Shop</h1><p>Shop no. 0</p></main></body></html>`;
    for (let n = 2; n < count; n++) {
      const path = join(folder, 'shops', String(Math.floor(n / 100)));
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, `shop-${n}.html`), page.replace('no. 0', `no. ${n}`));
    }
    return await TeamSite.register(service, name, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What tasks leave at the remote: a commit on top of the production branch each, under a ref of its
 * own.
 */
function leaveRefs(remote: string): void {
  const commits = Array.from({ length: OLD_TASKS }, (_, n) => {
    const ref = `refs/agent-tasks/bg-${randomBytes(11).toString('hex')}`;
    const page = `<!doctype html><title>Town ${n}</title>`;
    const message = `Town ${n}`;
    return [
      `commit ${ref}`,
      `committer Team <team@example.test> ${1_700_000_000 + n} +0000`,
      `data ${message.length}\n${message}`,
      'from refs/heads/main^0',
      `M 100644 inline old/town-${n}.html\ndata ${page.length}\n${page}`,
    ].join('\n');
  });
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: remote,
    input: `${commits.join('\n')}\n`,
  });
  execFileSync('git', ['pack-refs', '--all'], { cwd: remote }); // as each `gc` does, at every host
}
