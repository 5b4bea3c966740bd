import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient } from '../../../client/build.ts';
import { makeTypes, typesPath } from '../../../client/makeTypes.ts';

const MOST_BYTES = 20_000;
const root = join(import.meta.dirname, '../../..');

describe('the package of the client', () => {
  let folder: string;
  let dist: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
    dist = join(folder, 'dist');
    await buildClient(dist);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const codes = () => readdirSync(dist).filter((name) => name.endsWith('.js'));
  const read = (name: string) => readFileSync(join(dist, name), 'utf8');

  it('has the types that the OpenAPI document says now (npm run client:types)', async () => {
    expect(readFileSync(typesPath, 'utf8')).to.equal(await makeTypes());
  });

  it('is under 20 kB, without its command', () => {
    const bytes = codes()
      .filter((name) => name !== 'cli.js')
      .map((name) => read(name).length);
    expect(bytes.reduce((sum, one) => sum + one)).to.be.below(MOST_BYTES);
  });

  it('needs no other package, and nothing of Node but in its command', () => {
    for (const name of codes()) {
      const imported = [...read(name).matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)].map(
        ([, from]) => from,
      );
      const allowed = name === 'cli.js' ? /^(?:\.\/|node:)/ : /^\.\//;
      expect(
        imported.filter((from) => !allowed.test(from!)),
        name,
      ).to.deep.equal([]);
      if (name !== 'cli.js') expect(read(name)).to.not.match(/\b(?:process|Buffer|require)\b/);
    }
  });

  it('has types that a strict program compiles with', () => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const program = [
      "import { AgentTasks, type FinishedTask } from './dist/index.js';",
      "const client = new AgentTasks({ apiKey: 'k', baseUrl: 'http://localhost' });",
      'export async function run(): Promise<FinishedTask> {',
      "  const { taskId } = await client.tasks.create({ siteId: 's', prompt: 'p' });",
      '  for await (const event of client.tasks.events(taskId))',
      "    if (event.event === 'page') event.data.previewUrl?.trim();",
      '  const task = await client.tasks.waitFor(taskId);',
      "  if (task.status === 'completed') task.output.pagesCreated.map(({ slug }) => slug.length);",
      '  return task;',
      '}',
    ].join('\n');
    writeFileSync(join(folder, 'program.ts'), program);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const flags =
      '--noEmit --strict --module nodenext --target es2022 --lib es2022,dom --types node';
    execFileSync(process.execPath, [tsc, ...flags.split(' '), 'program.ts'], { cwd: folder });
  });
});
