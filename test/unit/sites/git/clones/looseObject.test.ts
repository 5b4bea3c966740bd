import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeObject, writeFailure } from '../../../../../src/sites/git/clones/looseObject.ts';
import { git } from '../../../../helpers/team/workplace.ts';

describe('writeObject', () => {
  const dir = mkdtempSync(join(tmpdir(), 'objects-'));
  before(() => git(dir, 'init', '-q', '--bare', '.'));
  after(() => rmSync(dir, { recursive: true, force: true }));

  const contents = {
    empty: '',
    text: 'ä\r\n\0x',
    bytes: Buffer.from([0, 255, 10, 13, 0]),
    large: 'x'.repeat(2_000_000),
  };
  for (const [what, content] of Object.entries(contents))
    it(`writes what git reads: ${what}`, async () => {
      const ids = await Promise.all([
        writeObject(dir, 'blob', content),
        writeObject(dir, 'blob', content),
      ]);
      expect(ids[0]).to.equal(ids[1]);
      expect(git(dir, 'cat-file', '-s', ids[0])).to.equal(`${Buffer.byteLength(content)}`);
      expect(git(dir, 'fsck', '--strict', '--no-dangling')).to.equal('');
    });

  it('fails for a later attempt if the disk is full or the repository is gone, and leaves nothing', async () => {
    const script = join(import.meta.dirname, 'writeObjectProcess.ts');
    const full = `trap '' XFSZ; ulimit -f 0; exec "$0" "$1" "$2"`;
    const says = execFileSync('sh', ['-c', full, process.execPath, script, dir], {
      encoding: 'utf8',
    });
    const { message } = writeFailure(Object.assign(new Error(), { code: 'EFBIG' }));
    expect(says).to.equal(`GIT_FAILED true ${message}`);
    expect(readdirSync(join(dir, 'objects'), { recursive: true }).join()).to.not.include('tmp_obj');
    const gone = await writeObject(join(dir, 'gone'), 'blob', 'x').catch((error: unknown) => error);
    expect(gone).to.include({ code: 'GIT_FAILED', retryable: true });
  });
});
