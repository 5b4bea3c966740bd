// Takes long: five starts on an empty folder, each but the last cut off at another line.
import { expect } from 'chai';
import { temporaryFolder } from '../helpers/database.ts';
import { processesOf } from '../helpers/processes.ts';
import { endServices, launchService, startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';

describe('the start of the service', function () {
  this.timeout(480_000);
  const folder = temporaryFolder();
  after(async function () {
    await endServices(this.currentTest);
    folder.remove();
  });

  it('leaves no process after SIGTERM at any line, and nothing that prevents the next start', async () => {
    const lines = ['Opening the database', 'Starting the Temporal server'];
    for (const line of [...lines, 'Preparing the demo sites', 'Starting the worker']) {
      const starting = launchService({ dataDir: folder.path });
      await until(`the line "${line}"`, () => starting.stderr.includes(line));
      await starting.stop();
      expect(starting.stderr, line).to.not.match(/^\s+at |Error/m);
      await until('the end of every process', () => processesOf(folder.path).length === 0);
    }
    const { status, text } = await (
      await startService({ dataDir: folder.path })
    ).request('GET', '/readyz');
    expect(status, text).to.equal(200);
  });
});
