import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DomainError } from '../../../src/errors.ts';
import { closeFolder, makeFolder } from '../../../src/storage/dataFolder.ts';
import { lockDataDir } from '../../../src/storage/dataFolderLock.ts';
import { temporaryFolder } from '../../helpers/database.ts';

const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe('the data folder', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let dataDir: string;
  beforeEach(() => {
    folder = temporaryFolder();
    dataDir = join(folder.path, 'data');
  });
  afterEach(() => folder.remove());

  const make = (mode: number) => {
    mkdirSync(dataDir);
    chmodSync(dataDir, mode);
  };
  const refusalOf = (...args: Parameters<typeof closeFolder>): string => {
    try {
      closeFolder(...args);
    } catch (error) {
      expect(error).to.be.instanceOf(DomainError).and.to.include({ code: 'CONFIGURATION' });
      return (error as DomainError).message;
    }
    return expect.fail('did not throw');
  };

  it('is created for this user only, with its missing parents', () => {
    makeFolder(join(dataDir, 'deep'));
    expect([dataDir, join(dataDir, 'deep')].map(modeOf)).to.deep.equal([0o700, 0o700]);
  });

  for (const mode of [0o755, 0o777, 0o750, 0o701, 0o2775])
    it(`is closed to others if it exists with mode ${mode.toString(8)}`, () => {
      make(mode);
      closeFolder(dataDir);
      expect(modeOf(dataDir) & 0o777).to.equal(0o700);
    });

  it('is closed if a service has used it, and if a service ended while it took it', () => {
    make(0o755);
    lockDataDir(dataDir).release();
    writeFileSync(join(dataDir, 'demo.json'), '{}');
    closeFolder(dataDir);
    expect(modeOf(dataDir)).to.equal(0o700);
    const taken = join(folder.path, 'taken');
    mkdirSync(taken, { mode: 0o755 });
    writeFileSync(join(taken, 'lock'), '');
    closeFolder(taken);
    expect(modeOf(taken)).to.equal(0o700);
  });

  it('is closed behind a symbolic link, as the folder or on the way to it', () => {
    make(0o755);
    symlinkSync(dataDir, join(folder.path, 'link'));
    closeFolder(join(folder.path, 'link'));
    expect(modeOf(dataDir)).to.equal(0o700);
    chmodSync(dataDir, 0o755);
    symlinkSync(folder.path, join(folder.path, 'parent'));
    closeFolder(join(folder.path, 'parent', 'data'));
    expect(modeOf(dataDir)).to.equal(0o700);
  });

  for (const name of ['.profile', 'etc', 'lock.db', 'database'])
    it(`is rejected, and stays as it is, if it holds something else: ${name}`, () => {
      make(0o755);
      writeFileSync(join(dataDir, name), '');
      expect(refusalOf(dataDir)).to.include(`DATA_DIR ${dataDir} `).and.include(`(${name})`);
      expect(modeOf(dataDir)).to.equal(0o755);
      expect(readdirSync(dataDir)).to.deep.equal([name]);
    });

  it('is rejected if all users share it, as /tmp, even after a service used it', () => {
    make(0o1777);
    lockDataDir(dataDir).release();
    expect(refusalOf(dataDir))
      .to.include(`DATA_DIR ${dataDir} `)
      .and.match(/\ball users\b/);
    expect(modeOf(dataDir)).to.equal(0o1777);
  });

  it("is rejected if it is another user's, open or not", () => {
    for (const mode of [0o755, 0o700]) {
      if (mode === 0o755) make(mode);
      else chmodSync(dataDir, mode);
      const { uid } = statSync(dataDir);
      expect(refusalOf(dataDir, { uid: uid + 1 }))
        .to.include(`DATA_DIR ${dataDir} `)
        .and.include(`(uid ${uid})`);
      expect(modeOf(dataDir)).to.equal(mode);
    }
  });

  it("is rejected if its mode can't be set, and if setting it has no effect", () => {
    make(0o755);
    const forbidden = () => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    };
    const named = `DATA_DIR ${dataDir} `;
    expect(refusalOf(dataDir, { chmod: forbidden }))
      .to.include(named)
      .and.match(/\bEPERM\b.*\b0700\b/);
    expect(refusalOf(dataDir, { chmod: () => undefined }))
      .to.include(named)
      .and.match(/\b755\b.*\b0700\b/);
  });
});
