import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { countOrphans, cpuSecondsOf, orphanedSeconds } from '../../helpers/cpuTime.ts';
import { programsBelow } from '../../helpers/processes.ts';
import { until } from '../../helpers/until.ts';

const BUSY_SECONDS = 0.2;
const busyLoop = 'while :; do :; done';

describe('the CPU time of a test file', function () {
  this.timeout(60_000);
  let child: ChildProcess;
  before(function () {
    if (!existsSync('/proc/self/stat')) this.skip(); // only Linux tells the time of other processes
  });
  afterEach(() => child.kill('SIGKILL'));

  const start = (script: string) => {
    child = spawn('sh', ['-c', script], { stdio: 'ignore' });
    return child.pid!;
  };
  const untilBusy = (pid: number) =>
    until('a busy process', () => cpuSecondsOf(pid) > BUSY_SECONDS, 60_000, 20);

  it('includes a running child process, and one that has ended', async () => {
    const before = cpuSecondsOf(process.pid);
    const ended = start(busyLoop);
    await untilBusy(ended);
    expect(cpuSecondsOf(process.pid) - before).to.be.at.least(BUSY_SECONDS);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(cpuSecondsOf(ended)).to.equal(0);
    expect(cpuSecondsOf(process.pid) - before).to.be.at.least(BUSY_SECONDS);
  });

  it('includes a process once that was killed together with its parent', async () => {
    const before = orphanedSeconds();
    const parent = start(`sh -c '${busyLoop}' & wait`);
    await untilBusy(parent);
    const [busy] = await until('the busy process', () => {
      const found = programsBelow(parent);
      return found.length > 0 && found;
    });
    const pids = [parent, busy!.pid];
    countOrphans(pids);
    countOrphans(pids);
    const counted = orphanedSeconds() - before;
    expect(counted).to.be.within(BUSY_SECONDS / 2, cpuSecondsOf(parent) + BUSY_SECONDS);
    process.kill(busy!.pid, 'SIGKILL');
  });
});
