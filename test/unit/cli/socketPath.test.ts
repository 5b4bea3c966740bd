import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { operatorSocketPath } from '../../../src/cli/socketPath.ts';
import { temporaryFolder } from '../../helpers/database.ts';

describe('operatorSocketPath(dataDir)', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let long: string;
  beforeEach(() => {
    folder = temporaryFolder();
    long = join(folder.path, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(long, { recursive: true });
  });
  afterEach(() => folder.remove());

  it('is in the data folder', () => {
    expect(operatorSocketPath(folder.path)).to.equal(join(folder.path, 'operator.sock'));
  });

  it('is short for a long path too, in a folder that is closed to others', () => {
    const path = operatorSocketPath(long);
    expect(Buffer.byteLength(path)).to.be.at.most(100);
    expect(statSync(join(path, '..')).mode & 0o777).to.equal(0o700);
    expect(path)
      .to.equal(operatorSocketPath(long))
      .and.not.to.equal(operatorSocketPath(join(long, '..')));
  });

  it('is the same for every path of the folder', () => {
    const link = join(folder.path, 'link');
    symlinkSync(long, link);
    expect(operatorSocketPath(link)).to.equal(operatorSocketPath(long));
  });
});
