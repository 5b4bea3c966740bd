import { expect } from 'chai';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { copiesOf, lastStage, parseDockerfile } from '../helpers/compose.ts';
import { read, root } from '../helpers/documents.ts';

/** What the code imports or opens beside itself, from the project's folder on. */
function usedFiles(): string[] {
  const files = globSync('{src,activities,workflows}/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.d.ts'),
  );
  const uses = /(?:from|import\(|import|new URL\()\s*'(\.[^'$]*)'/g;
  const used = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(uses)].map(([, path]) =>
      normalize(join(dirname(file), path!)),
    ),
  );
  return [...new Set(used)].filter((path) => path !== '.').sort();
}

/** Which of them an image would not have. */
function missingFiles(dockerfile: string): string[] {
  const copies = copiesOf(dockerfile);
  const isCopied = (path: string) =>
    copies.some(
      ({ from, to }) =>
        from === to && existsSync(join(root, from)) && `${path}/`.startsWith(`${to}/`),
    );
  return usedFiles().filter((path) => !isCopied(path));
}

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const wordsOf = (name: string) =>
    lastStage(dockerfile)
      .filter(({ instruction }) => instruction === name)
      .map(({ words }) => words);
  const variables = wordsOf('ENV').flat();
  const dataDir = '/var/lib/agent-tasks';

  it('starts what npm start starts, on the same Node', () => {
    const manifest = JSON.parse(read('package.json')) as {
      scripts: { start: string };
      dependencies: { node: string };
    };
    const [, set, command] = /^((?:\S+=\S+ )+)exec (.+)$/.exec(manifest.scripts.start)!;
    expect(wordsOf('CMD')).to.deep.equal([command!.split(' ')]);
    expect(variables).to.include.members([
      ...set!.trim().split(' '),
      'PATH=/app/node_modules/.bin:$PATH',
    ]);
    const [major] = manifest.dependencies.node.split('.');
    for (const { instruction, words } of parseDockerfile(dockerfile))
      if (instruction === 'FROM') expect(words[0]).to.match(new RegExp(`^node:${major}-`));
  });

  it('can be reached from outside of its container', () => {
    expect(variables).to.include('HOST=0.0.0.0');
  });

  it('runs as a user who owns the data folder, and contains no secret', () => {
    expect(wordsOf('USER')).to.deep.equal([['node']]);
    expect(wordsOf('VOLUME')).to.deep.equal([[dataDir]]);
    const made = wordsOf('RUN').find(([program]) => program === 'install');
    expect(made).to.include.members(['node', '0700', dataDir]);
    const names = variables.map((word) => word.split('=')[0]);
    const own = ['NODE_ENV', 'HOST', 'DATA_DIR', 'NODE_COMPILE_CACHE', 'PATH'];
    expect(names).to.have.members([...own, 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_']);
    expect(wordsOf('ARG')).to.deep.equal([]);
  });

  it('copies every file that the code imports or opens', () => {
    expect(usedFiles()).to.include.members([
      'README.md',
      'docs/',
      'package.json',
      'src/service.ts',
    ]);
    expect(missingFiles(dockerfile)).to.deep.equal([]);
    expect(missingFiles(dockerfile.replace('COPY docs docs\n', ''))).to.deep.equal(['docs/']);
    expect(missingFiles(dockerfile.replace('README.md ./', './'))).to.deep.equal(['README.md']);
    expect(missingFiles(dockerfile.replace('COPY workflows workflows', 'COPY workflow workflow')))
      .to.not.be.empty;
  });

  it('gets exactly those files through .dockerignore', () => {
    const [everything, ...exceptions] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(everything).to.equal('*');
    expect(exceptions).to.have.members(copiesOf(dockerfile).map(({ from }) => `!${from}`));
  });
});
