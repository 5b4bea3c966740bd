import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { arrows } from '../../../.ci/lint/arrows.ts';
import { callSignal } from '../../../.ci/lint/callSignal.ts';
import { commentWidth } from '../../../.ci/lint/commentWidth.ts';
import { noBareNormalize } from '../../../.ci/lint/noBareNormalize.ts';
import { noBareUrlParse } from '../../../.ci/lint/noBareUrlParse.ts';
import { noCycle } from '../../../.ci/lint/noCycle.ts';
import { noFormatIgnore } from '../../../.ci/lint/noFormatIgnore.ts';
import { noLiteralSpread } from '../../../.ci/lint/noLiteralSpread.ts';
import { typeNames } from '../../../.ci/lint/typeNames.ts';
import { uniqueExport } from '../../../.ci/lint/uniqueExport.ts';
import type { Comment, Context, Node, Rule } from '../../../.ci/lint/rule.ts';

const loc = (line: number, column: number, end = line) => ({
  loc: { start: { line, column }, end: { line: end, column: 0 } },
});

/** What a rule says of one file, of its comments and of nodes of its syntax. */
function said(
  rule: Rule,
  file: { name?: string; text?: string; comments?: Comment[]; nodes?: Node[] },
  options: unknown[] = [],
) {
  const messages: string[] = [];
  const context: Context = {
    filename: file.name ?? 'a.ts',
    options,
    sourceCode: { text: file.text ?? '', getAllComments: () => file.comments ?? [] },
    report: ({ message }) => void messages.push(message),
  };
  const visit = rule.create(context);
  for (const node of file.nodes ?? []) visit[node.type]?.(node);
  return messages;
}

const importOf = (value: string): Node => ({
  ...loc(1, 0),
  type: 'ImportDeclaration',
  source: { ...loc(1, 0), type: 'Literal', value },
});
const comment = (value: string, ...lines: [number, number, number?]): Comment => ({
  ...loc(...lines),
  value,
});

describe('our own lint rules', () => {
  describe('arrows', () => {
    const table = { 'src/a': 'src/b src/c.ts', 'src/a/inner': 'src/b', 'src/alone': '' };
    const of = (file: string, ...imports: string[]) =>
      said(arrows, { name: `${process.cwd()}/${file}`, nodes: imports.map(importOf) }, [table]);

    it('allow packages, the module itself and the modules of the table', () => {
      expect(
        of('src/a/x.ts', 'koa', 'node:fs', './y.ts', './inner/y.ts', '../b/y.ts', '../c.ts'),
      ).to.deep.equal([]);
    });

    it('close a module to all others but the allowed ones', () => {
      const closed = { 'src/a/inner': { entries: ['src/a/inner/door.ts'], from: ['src/a/x.ts'] } };
      const by = (file: string, imported: string) =>
        said(arrows, { name: `${process.cwd()}/${file}`, nodes: [importOf(imported)] }, [
          {},
          closed,
        ]);
      expect(by('src/a/x.ts', './inner/door.ts')).to.deep.equal([]);
      expect(by('src/a/inner/y.ts', './z.ts')).to.deep.equal([]);
      const told = ['src/a/inner is entered by src/a/inner/door.ts from src/a/x.ts'];
      expect(by('src/a/x.ts', './inner/z.ts')).to.deep.equal(told);
      expect(by('src/a/y.ts', './inner/door.ts')).to.deep.equal(told);
      const places = { 'src/a': { entries: ['src/a'], from: ['test/a', 'test/all.ts'] } };
      const ofTest = (file: string, imported: string) =>
        said(arrows, { name: `${process.cwd()}/${file}`, nodes: [importOf(imported)] }, [
          {},
          places,
        ]);
      expect(ofTest('test/a/x.ts', '../../src/a/inner/y.ts')).to.deep.equal([]);
      expect(ofTest('test/all.ts', '../src/a/y.ts')).to.deep.equal([]);
      expect(ofTest('test/b/x.ts', '../../src/a/y.ts')).to.deep.equal([
        'src/a is entered by src/a from test/a, test/all.ts',
      ]);
    });

    it('name what a module may import', () => {
      const told = (room: string, others: string, imported: string) =>
        `${room} may import ${others}, and not ${imported} (\`arrows\` in oxlint.config.ts)`;
      expect(of('src/a/x.ts', '../c/y.ts')).to.deep.equal([
        told('src/a', 'src/b src/c.ts', 'src/c/y.ts'),
      ]);
      expect(of('src/a/inner/x.ts', '../../c.ts')).to.deep.equal([
        told('src/a/inner', 'src/b', 'src/c.ts'),
      ]);
      expect(of('src/alone/x.ts', '../b/y.ts')).to.deep.equal([
        told('src/alone', 'no other room', 'src/b/y.ts'),
      ]);
    });
  });

  it('no-cycle names the cycle of types and of late imports', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('a.ts', "import type { B } from './b.ts';");
    write('b.ts', "export const late = () => import('./c.tsx');");
    write('c.tsx', "export type { A } from './a.ts';");
    write('d.ts', "import './a.ts'; import './missing.ts';");
    expect(said(noCycle, { name: join(folder, 'a.ts') })[0]).to.match(
      /^Imports itself: \S+a.ts -> \S+b.ts -> \S+c.tsx$/,
    );
    expect(said(noCycle, { name: join(folder, 'd.ts') })).to.deep.equal([]);
    rmSync(folder, { recursive: true });
  });

  it('no-bare-normalize rejects normalization and collation of any object', () => {
    const call = (name: string, type = 'CallExpression'): Node => ({
      ...loc(1, 0),
      type,
      callee: {
        ...loc(1, 0),
        type: 'MemberExpression',
        property: { ...loc(1, 0), type: 'Identifier', name },
      },
    });
    const nodes = [call('normalize'), call('localeCompare'), call('Collator', 'NewExpression')];
    expect(said(noBareNormalize, { nodes })).to.have.length(3);
    const fine = [
      call('toLowerCase'),
      { ...call('f'), callee: { ...loc(1, 0), type: 'Identifier' } },
    ];
    expect(said(noBareNormalize, { nodes: fine })).to.deep.equal([]);
  });

  it('no-bare-url-parse rejects the parsers of URL, and no others', () => {
    const identifier = (name: string): Node => ({ ...loc(1, 0), type: 'Identifier', name });
    const call = (object: string, property: string): Node => ({
      ...loc(1, 0),
      type: 'CallExpression',
      callee: {
        ...loc(1, 0),
        type: 'MemberExpression',
        object: identifier(object),
        property: identifier(property),
      },
    });
    const wrong = [call('URL', 'parse'), call('URL', 'canParse')];
    expect(said(noBareUrlParse, { nodes: wrong })).to.have.length(2);
    const fine = [call('JSON', 'parse'), call('URL', 'createObjectURL')];
    expect(said(noBareUrlParse, { nodes: fine })).to.deep.equal([]);
  });

  it('comment-width leaves lines with code to the formatter', () => {
    const long = 'x'.repeat(20);
    const text = ['/*', long, '*/', `f(); // ${long}`, `  // ${long}`].join('\n');
    expect(
      said(
        commentWidth,
        { text, comments: [comment('', 1, 0, 3), comment('', 4, 5), comment('', 5, 2)] },
        [19],
      ),
    ).to.deep.equal([
      "Line 2 has 20 characters, a comment's has at most 19",
      "Line 5 has 25 characters, a comment's has at most 19",
    ]);
  });

  it("call-signal accepts the SDK's withAbortSignal in one file only", () => {
    const helper = 'src/temporal/abortableCall.ts';
    const member = (property: Pick<Node, 'type' | 'name' | 'value'>): Node => ({
      ...loc(1, 0),
      type: 'MemberExpression',
      property: { ...loc(1, 0), ...property },
    });
    const calls = [
      member({ type: 'Identifier', name: 'withAbortSignal' }),
      member({ type: 'Literal', value: 'withAbortSignal' }),
    ];
    const of = (file: string, nodes = calls) =>
      said(callSignal, { name: `${process.cwd()}/${file}`, nodes }, [helper]);
    expect(of('src/temporal/tasks/openTaskCache.ts')).to.deep.equal([
      `The SDK keeps what it calls: use ${helper}`,
      `The SDK keeps what it calls: use ${helper}`,
    ]);
    expect(of(helper)).to.deep.equal([]);
    const others = [member({ type: 'Identifier', name: 'withDeadline' })];
    expect(of('src/temporal/tasks/openTaskCache.ts', others)).to.deep.equal([]);
  });

  it('no-format-ignore accepts no comment that keeps code from the formatter', () => {
    const comments = [comment(' prettier-ignore', 1, 0), comment('* oxfmt-ignore ', 2, 0)];
    expect(said(noFormatIgnore, { comments })).to.have.length(2);
    expect(said(noFormatIgnore, { comments: [comment(' ignores it', 1, 0)] })).to.deep.equal([]);
  });

  it('type-names rejects types that are named by a participle only', () => {
    const text = [
      'interface Asked {',
      'export type Listing = 1;',
      'type Made = 2;',
      'type AskedPage = 3;',
    ];
    expect(said(typeNames, { text: text.join('\n') })).to.deep.equal(
      ['Asked', 'Made'].map(
        (name) =>
          `The type "${name}" is named by a participle: name the thing, as in "TaskRequest"`,
      ),
    );
  });

  it('unique-export rejects a name that another module exports too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    const [first, second] = ['a.ts', 'b.ts'].map((name) => join(folder, name));
    const text = 'export const shared = 1;\nexport type shared = 1;\nexport const own = 2;';
    writeFileSync(first!, text);
    writeFileSync(second!, 'export function shared() {}');
    const told = said(uniqueExport, { name: first!, text }, [[join(folder, '*.ts')]]);
    expect(told).to.have.length(1);
    expect(told[0]).to.match(/^"shared" is also exported by \S+b\.ts$/);
    rmSync(folder, { recursive: true });
  });

  it('no-literal-spread accepts spreads of names and conditions, not of literals', () => {
    const spread = (type: string, argument: string): Node => ({
      ...loc(1, 0),
      type,
      argument: { ...loc(1, 0), type: argument },
    });
    const told = [
      spread('SpreadElement', 'ObjectExpression'),
      spread('SpreadElement', 'ArrayExpression'),
      spread('JSXSpreadAttribute', 'ObjectExpression'),
    ];
    expect(said(noLiteralSpread, { nodes: told })).to.have.length(3);
    const fine = [
      spread('SpreadElement', 'Identifier'),
      spread('SpreadElement', 'LogicalExpression'),
    ];
    expect(said(noLiteralSpread, { nodes: fine })).to.deep.equal([]);
  });
});
