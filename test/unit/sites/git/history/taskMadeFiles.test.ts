import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CommandLauncher } from '../../../../../src/sites/git/launcher/launcher.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { git, onBranch, publishTask, Workplace } from '../../../../helpers/team/workplace.ts';

describe('madeByTasks', () => {
  let place: Workplace;
  let logs: number;
  const counting: CommandLauncher = {
    run(command, signal) {
      if (command.args.includes('log')) logs++;
      return testLauncher.run(command, signal);
    },
    close: () => Promise.resolve(),
  };
  beforeEach(() => {
    place = new Workplace();
    logs = 0;
  });
  afterEach(() => place.remove());

  const numbered = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}.html`);
  const files = (paths: string[], content: string) =>
    Object.fromEntries(paths.map((path) => [path, content]));

  it('reports with one git command which of many files tasks created', async () => {
    const [byHand, byTask] = [numbered('hand', 100), numbered('task', 100)];
    place.push(files(byHand, 'hand'));
    const repository = place.open({ launcher: counting });
    await publishTask(repository, 'bg-1', files(byTask, 'task'));
    const head = await repository.fetchHead();
    logs = 0;
    const made = await repository.madeByTasks(onBranch(head), [...byHand, ...byTask]);
    expect([...made]).to.deep.equal(byTask);
    expect(logs).to.equal(1);
  });

  it('answers as for a single file, whatever happened to it, also in a folder', async () => {
    place.push(files(['a.html', 'b.html', 'public/a.html', '*.html'], 'hand'));
    const repository = place.open();
    await publishTask(repository, 'bg-1', {
      ...files(['new.html', 'edited.html', 'again.html', 'side.html', 'public/new.html'], 'task'),
      'a.html': 'changed by a task',
    });
    place.push({ 'edited.html': 'by hand', 'again.html': null });
    git(place.clone, 'checkout', '-q', '-b', 'side');
    writeFileSync(join(place.clone, 'side.html'), 'by hand, and given up');
    git(place.clone, 'commit', '-q', '-a', '-m', 'by hand');
    git(place.clone, 'checkout', '-q', 'main');
    place.push({ 'again.html': 'by hand' });
    git(place.clone, 'merge', '-q', '-s', 'ours', '-m', 'Give it up', 'side');
    git(place.clone, 'push', '-q', 'origin', 'main');
    const head = place.push({ 'c.html': 'hand' });
    const paths = {
      '': [...'abc'].map((name) => `${name}.html`).concat('new.html', 'edited.html', '*.html'),
      public: ['a.html', 'new.html', 'x.html', 'y.html'],
    };
    paths[''].push('again.html', 'side.html', 'public/new.html');
    for (const [root, asked] of Object.entries(paths)) {
      const site = place.open({ root, dataDir: `data${root}` });
      await site.fetchHead();
      const single = [];
      for (const path of asked)
        if (await site.isMadeByTask(onBranch(head), path)) single.push(path);
      expect([...(await site.madeByTasks(onBranch(head), asked))]).to.deep.equal(single);
      expect(single, root).to.include('new.html');
    }
  });
});
