import { expect } from 'chai';
import { cutterFor } from '../../../../src/sites/git/cutCredential.ts';
import { look } from '../../../../src/sites/git/remoteBranches.ts';

describe('look(git, { remote, connect })', () => {
  it('gives others their turn between the names of branches, which a remote makes up', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `refs/heads/b${at}%25=3D&#37;`);
    const stdout = Buffer.from(names.map((name) => `${'0'.repeat(40)}\t${name}\n`).join(''));
    const cut = cutterFor({ kind: 'token', username: 'oauth2', token: 'tok3n-4711' });
    const connect = () => Promise.resolve({ code: 0, stdout, stderr: '', cut });
    let turns = 0;
    let timer = setImmediate(function again() {
      turns++;
      timer = setImmediate(again);
    });
    const git = { run: () => Promise.reject(new Error('not asked')) };
    const remote = { url: 'https://git.example/x.git', branch: 'main' };
    const found = await look(git, { remote, connect });
    clearImmediate(timer);
    expect(found.branches).to.have.length(names.length);
    expect(turns).to.be.at.least(names.length);
  });
});
