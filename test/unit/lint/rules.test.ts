import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { arrows } from '../../../.ci/lint/arrows.ts';
import { commentWidth } from '../../../.ci/lint/commentWidth.ts';
import { noCycle } from '../../../.ci/lint/noCycle.ts';
import type { Context, Node, Rule } from '../../../.ci/lint/rule.ts';

const loc = (line: number, column: number, end = line) => ({
  loc: { start: { line, column }, end: { line: end, column: 0 } },
});

/** What a rule says of one file, with some of its comments, and of nodes that import something. */
function said(
  rule: Rule,
  filename: string,
  options: unknown[],
  text = '',
  comments = [loc(1, 0)],
  imports: string[] = [],
) {
  const messages: string[] = [];
  const context: Context = {
    filename,
    options,
    sourceCode: { text, getAllComments: () => comments },
    report: ({ message }) => void messages.push(message),
  };
  const visit = rule.create(context);
  for (const value of imports)
    visit['ImportDeclaration']?.({ ...loc(1, 0), source: { ...loc(1, 0), value } } satisfies Node);
  return messages;
}

describe('lint rules of our own', () => {
  describe('arrows', () => {
    const table = { 'src/a': 'src/b src/c.ts', 'src/a/inner': 'src/b', 'src/alone': '' };
    const of = (file: string, ...imports: string[]) =>
      said(arrows, `${process.cwd()}/${file}`, [table], '', [], imports);

    it('takes packages, the own room and those of the table', () => {
      expect(of('src/a/x.ts', 'koa', 'node:fs', './y.ts', './inner/y.ts', '../b/y.ts', '../c.ts')).to.deep.equal([]);
    });

    it('closes a room to all but those who may enter it', () => {
      const closed = { 'src/a/inner': { entries: ['src/a/inner/door.ts'], from: ['src/a/x.ts'] } };
      const by = (file: string, imported: string) =>
        said(arrows, `${process.cwd()}/${file}`, [{}, closed], '', [], [imported]);
      expect(by('src/a/x.ts', './inner/door.ts')).to.deep.equal([]);
      expect(by('src/a/inner/y.ts', './z.ts')).to.deep.equal([]);
      const told = ['src/a/inner is entered by src/a/inner/door.ts from src/a/x.ts'];
      expect(by('src/a/x.ts', './inner/z.ts')).to.deep.equal(told);
      expect(by('src/a/y.ts', './inner/door.ts')).to.deep.equal(told);
    });

    it('names what a room may import', () => {
      const told = (room: string, others: string, imported: string) =>
        `${room} may import ${others}, and not ${imported} (\`arrows\` in oxlint.config.ts)`;
      expect(of('src/a/x.ts', '../c/y.ts')).to.deep.equal([told('src/a', 'src/b src/c.ts', 'src/c/y.ts')]);
      expect(of('src/a/inner/x.ts', '../../c.ts')).to.deep.equal([told('src/a/inner', 'src/b', 'src/c.ts')]);
      expect(of('src/alone/x.ts', '../b/y.ts')).to.deep.equal([told('src/alone', 'no other room', 'src/b/y.ts')]);
    });
  });

  it('no-cycle names the way of types and of late imports', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('a.ts', "import type { B } from './b.ts';");
    write('b.ts', "export const late = () => import('./c.tsx');");
    write('c.tsx', "export type { A } from './a.ts';");
    write('d.ts', "import './a.ts'; import './missing.ts';");
    expect(said(noCycle, join(folder, 'a.ts'), [])[0]).to.match(/^Imports itself: \S+a.ts -> \S+b.ts -> \S+c.tsx$/);
    expect(said(noCycle, join(folder, 'd.ts'), [])).to.deep.equal([]);
    rmSync(folder, { recursive: true });
  });

  it('comment-width leaves lines with code to the formatter', () => {
    const long = 'x'.repeat(20);
    const text = ['/*', long, '*/', `f(); // ${long}`, `  // ${long}`].join('\n');
    expect(said(commentWidth, 'a.ts', [19], text, [loc(1, 0, 3), loc(4, 5), loc(5, 2)])).to.deep.equal([
      "Line 2 has 20 characters, a comment's has at most 19",
      "Line 5 has 25 characters, a comment's has at most 19",
    ]);
  });
});
