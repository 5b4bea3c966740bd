import type { ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import tls from 'node:tls';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { observeActivities } from '../../activities/observeActivities.ts';
import { createReadSite } from '../../activities/readSite.ts';
import { createTaskTemplates } from '../../activities/taskTemplates.ts';
import { createLogger } from '../../src/log.ts';
import type { ThroughputLimit } from '../../src/sites/git/remote/throughput.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../src/sites/git/repository.ts';
import { failed, silent, TaskSite } from '../helpers/activities.ts';
import { createAuthority } from '../helpers/certificates.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { testPages } from '../helpers/threads.ts';
import { serveHttps } from '../helpers/team/httpsRemote.ts';

const WORK_LIMIT = 2_500;

describe('the first clone of a large site', function () {
  this.timeout(120_000);
  const trusted = tls.getCACertificates('default');
  let site: TaskSite;
  let remote: Awaited<ReturnType<typeof serveHttps>>;
  let siteId: string;
  const closes: (() => Promise<void>)[] = [];
  before(async () => {
    const authority = await createAuthority();
    tls.setDefaultCACertificates([authority.ca]); // git reads all of them at each command
    site = await TaskSite.create({ 'photo.bin': randomBytes(300_000).toString('base64') });
    const { folder } = site.workplace;
    remote = await serveHttps(folder, await authority.issue({ ip: ['127.0.0.1'] }), (_, response) =>
      throttle(response),
    );
    siteId = await site.register(`${remote.url}/team%20site.git`);
  });
  after(async () => {
    await Promise.all(closes.splice(0).map((close) => close()));
    tls.setDefaultCACertificates(trusted);
    await remote.close();
    await site.remove();
  });

  /** Sends answers in parts, 60 KB a second. */
  function throttle(response: ServerResponse): false {
    const [write, end] = [response.write.bind(response), response.end.bind(response)];
    response.end = ((all: Buffer) => {
      let sent = 0;
      const timer = setInterval(() => {
        if (sent < all.length) return void write(all.subarray(sent, (sent += 6_000)));
        clearInterval(timer);
        end();
      }, 100);
      response.once('close', () => clearInterval(timer));
      return response;
    }) as typeof response.end;
    return false;
  }

  /** A step of a new machine that reads the site, with all limits scaled down. */
  function read(dataDir: string, minThroughput: ThroughputLimit) {
    const path = join(site.workplace.folder, dataDir);
    const repositories: GitRepositories = createRepositories({
      dataDir: path,
      launcher: testLauncher,
      minThroughput,
    });
    closes.push(() => repositories.close());
    const readSite = createReadSite(
      { sites: site.sites, repositories, pages: testPages },
      createTaskTemplates({ pages: testPages }),
    );
    const log = createLogger('silent');
    const { readSite: step } = observeActivities(
      log,
      { readSite },
      { workLimit: WORK_LIMIT, heartbeats: { steps: 20, models: 20 } },
    );
    const env = new MockActivityEnvironment({}, { logger: silent });
    const beats: unknown[] = [];
    env.on('heartbeat', (details) => beats.push(details));
    const result: ReturnType<typeof step> = env.run(step, { task: site.task({ siteId }) });
    return { result, beats };
  }

  it("succeeds although it takes more than twice an activity's work limit, and says what it waits for", async () => {
    const began = performance.now();
    const { result, beats } = read('patient', { patience: 60_000, bytesPerSecond: 1_000 });
    expect((await result).base).to.equal(site.workplace.head());
    expect(performance.now() - began).to.be.greaterThan(2 * WORK_LIMIT);
    expect(beats).to.deep.include({ waitsFor: 'the remote, which sends' });
  });

  it('is given up if the remote sends too slowly, however long an activity may wait', async () => {
    const { result } = read('too slow', { patience: 500, bytesPerSecond: 10_000_000 });
    expect(await failed(result)).to.include({ type: 'GIT_FAILED', retryable: true });
  });
});
