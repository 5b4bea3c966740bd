import { expect } from 'chai';
import { serveOperatorChannel } from '../../../src/cli/operatorChannel.ts';
import { executeCommand } from '../../../src/cli/executeCommand.ts';
import { operatorSocketPath } from '../../../src/cli/socketPath.ts';
import { DomainError } from '../../../src/errors.ts';
import { lockDataDir } from '../../../src/storage/dataFolderLock.ts';
import { temporaryFolder } from '../../helpers/database.ts';

describe('executeCommand(options, command, given)', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let told: boolean[];
  const onData = (isNew: boolean) => told.push(isNew);
  beforeEach(() => {
    folder = temporaryFolder();
    told = [];
  });
  afterEach(() => folder.remove());

  const answeredBy = (who: string) => (command: string) => Promise.resolve({ who, command });

  /** Opens as the real one does: under the folder's lock. */
  function openLocked() {
    const lock = lockDataDir(folder.path);
    return Promise.resolve({
      run: answeredBy('this process'),
      isNew: false,
      close: () => Promise.resolve(lock.release()),
    });
  }

  const run = (given: Partial<Parameters<typeof executeCommand>[0]> = {}) =>
    executeCommand(
      { dataDir: folder.path, embedded: true, open: openLocked, onData, ...given },
      'key list',
      {},
    );

  it('asks the running service', async () => {
    const channel = await serveOperatorChannel(
      operatorSocketPath(folder.path),
      answeredBy('the service'),
    );
    expect(await run()).to.deep.equal({ who: 'the service', command: 'key list' });
    expect(told).to.deep.equal([false]);
    await channel.close();
  });

  it('does the work itself if no service runs, and frees the folder', async () => {
    expect(await run()).to.deep.equal({ who: 'this process', command: 'key list' });
    expect(told).to.deep.equal([false]);
    lockDataDir(folder.path).release();
  });

  it('reports data that it created', async () => {
    await run({ open: async () => ({ ...(await openLocked()), isNew: true }) });
    expect(told).to.deep.equal([true]);
  });

  it('reports that no data exists if it could not get to any', async () => {
    const missing = () => Promise.reject(new DomainError('CONFIGURATION', 'none'));
    expect(await run({ open: missing }).catch((error: unknown) => error)).to.include({
      message: 'none',
    });
    expect(told).to.deep.equal([]);
  });

  it('waits for a service that holds the folder but does not answer yet', async () => {
    const lock = lockDataDir(folder.path);
    let tried = () => {};
    const once = new Promise<void>((resolve) => (tried = resolve));
    const answer = run({
      open: () => {
        tried();
        return Promise.resolve().then(openLocked);
      },
    });
    await once;
    const channel = await serveOperatorChannel(
      operatorSocketPath(folder.path),
      answeredBy('the service'),
    );
    expect(await answer).to.include({ who: 'the service' });
    await channel.close();
    lock.release();
  });
});
