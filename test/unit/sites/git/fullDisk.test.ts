import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { GitRepository } from '../../../../src/sites/git/repository.ts';
import { failureOf, git, task, Workplace } from '../../../helpers/team/workplace.ts';
import { DISK_PROBLEM } from '../../../../src/sites/git/clones/looseObject.ts';

/**
 * What git does when the system takes no more bytes. A limit on files' sizes is refused like a full
 * disk, at every write, and any user can set it.
 */
describe('a full disk', () => {
  let place: Workplace;
  let repository: GitRepository;
  let base: string;
  let first: string;
  let full: string;
  const { PATH } = process.env;

  beforeEach(async () => {
    place = new Workplace();
    base = place.push({ 'index.html': 'home', 'a.html': 'a' });
    repository = place.open();
    first = await repository.commitTask(task('bg-first', base, { 'a.html': 'first' }));
    full = join(place.folder, 'full');
    const programs = join(place.folder, 'programs');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    mkdirSync(programs);
    const lines = [
      '#!/bin/sh',
      `[ ! -e '${full}' ] || { trap '' XFSZ; ulimit -f 0; }`,
      `exec '${real}' "$@"`,
      '',
    ];
    writeFileSync(join(programs, 'git'), lines.join('\n'));
    chmodSync(join(programs, 'git'), 0o755);
    process.env.PATH = `${programs}:${PATH}`;
  });
  afterEach(async () => {
    process.env.PATH = PATH;
    await place.remove();
  });

  const refs = () => git(place.remote, 'for-each-ref', '--format=%(refname) %(objectname)');

  /**
   * The remote is as full: a task's own objects are written by the service, whose limit can't be
   * changed.
   */
  const says = new RegExp(`: ${DISK_PROBLEM}$|^Pushing\\b.* local repository\\b.*: `);

  const steps: [string, () => Promise<unknown>][] = [
    ["the fetch of a task's base", () => repository.fetchBase('bg-second')],
    [
      "a task's commit",
      () => repository.commitTask(task('bg-second', base, { 'new/b.html': 'b', 'a.html': null })),
    ],
  ];
  for (const [what, step] of steps)
    it(`makes ${what} fail with the reason and loses nothing, and the repetition succeeds when there is room`, async () => {
      const head = place.push({ 'c.html': 'c'.repeat(10_000) });
      const before = refs();
      writeFileSync(full, '');
      const failure = await failureOf(step());
      expect(failure).to.include({ code: 'GIT_FAILED', retryable: true });
      expect(failure!.message).to.match(says);
      expect(refs()).to.equal(before);
      rmSync(full);
      expect(await repository.findTaskCommit('bg-first', base)).to.equal(first);
      expect(
        (await repository.tree({ commit: first, retainedBy: 'bg-first' })).entries.has('a.html'),
      ).to.equal(true);

      const done = await step();
      if (what === "a task's commit")
        expect(place.files(done as string)).to.deep.equal(['index.html', 'new/b.html']);
      else expect(done).to.equal(head);
      expect(refs()).to.contain(before.split('\n')[0]);
    });
});
