import { expect } from 'chai';
import { editTexts } from '../../../../../src/agents/model/tools/editHtmlTool.ts';
import { remainingTextSentence } from '../../../../../src/agents/model/tools/findRemainingTexts.ts';
import { callProblems } from '../../../../../src/agents/model/tools/modelTools.ts';
import { editProblems } from '../../../../../src/agents/shared/markup/editSource.ts';
import { describeLines } from '../../../../../src/agents/shared/markup/nearestLines.ts';
import { CUT_NOTE } from '../../../../../src/agents/shared/markup/numberedLines.ts';
import { readingTexts } from '../../../../../src/agents/shared/markup/readSourceLines.ts';
import { violationMessage } from '../../../../../src/sites/checks/violationMessage.ts';
import type { ViolationCode } from '../../../../../src/sites/formats/pageFindings.ts';
import { finishTexts } from '../../../../../src/agents/workspace.ts';
import { replacementSentence } from '../../../../../src/agents/model/tools/replaceTextTool.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
const stillSays = (text: string) => remainingTextSentence(text, []).split(' in ')[0]!;
const nearest = [
  { line: 129, text: '<h3>Starter</h3>' },
  { line: 36, text: '"name": "Starter",' },
];
const starter = (text: string) => ({ old: '<h3>Starter</h3>', new: `<h3>${text}</h3>` });

describe('edit_html', () => {
  const open = () => openModelTools(demo, pages);

  it('changes no other byte, and returns the changed lines', async () => {
    const { done, changed } = open();
    const before = await demo.read('pricing.html');
    const answer = await done('edit_html', { slug, edits: [starter('Beginner')] });
    expect(changed().get('pricing.html')).to.equal(before.replace('<h3>Starter', '<h3>Beginner'));
    expect([...changed().keys()]).to.deep.equal(['pricing.html']);
    expect(answer).to.equal(
      [
        '128:             <article class="card">',
        '129:               <h3>Beginner</h3>',
        '130:               <p class="amount">$4,800</p>',
      ].join('\n'),
    );
  });

  it('does not report an old text that the new text contains', async () => {
    const { done } = open();
    const old = 'Three prices. They do not move.';
    const answer = await done('edit_html', { slug, edits: [{ old, new: `${old} Really.` }] });
    expect(answer).to.not.contain(stillSays(old));
  });

  it('makes all edits of a call, or none', async () => {
    const { done, refusal, changed } = open();
    expect(
      await refusal('edit_html', { slug, edits: [starter('A'), { old: 'Startre', new: 'B' }] }),
    ).to.equal(editProblems.ofEdit(2, editProblems.missingText(describeLines(nearest))));
    expect(changed().size).to.equal(0);
    await done('edit_html', {
      slug,
      edits: [
        { copy: [128, 133], after: 133 },
        { lines: [129, 129], new: '<h3>A</h3>' },
      ],
    });
    expect(
      changed()
        .get('pricing.html')!
        .match(/<article/g),
    ).to.have.length(4);
  });

  it('edits the same block on every page at any depth, and names the pages without it', async () => {
    const { done, changed, workspace } = open();
    const old = '<li><a href="about">About</a></li>';
    const edits = [{ old, new: `${old}\n<li><a href="pricing#faq">Questions</a></li>` }];
    const answer = await done('edit_html', { slug: '/', edits, everywhere: true });
    expect(answer.split('\n')).to.include(editTexts.reach(13, [], []));
    expect(changed().get('404.html')).to.match(/\n +<li><a href="\/?pricing#faq">/);
    expect(changed().get('services/web-design/index.html')).to.match(
      /\n {10,}<li><a href="..\/..\/pricing#faq">Questions<\/a><\/li>\n/,
    );
    const lone = { old: '<h3>Starter</h3>', new: '<h3>First</h3>' };
    const others = (await workspace.pages()).map((page) => page.slug).filter((own) => own !== slug);
    const answered = await done('edit_html', { slug, edits: [lone], everywhere: true });
    expect(answered.split('\n')).to.include(editTexts.reach(0, [], others));
  });

  it('treats a no-break space as a space, and keeps it outside of the difference', async () => {
    const site = memoryTree({
      'index.html': '<!doctype html>\n<h1>A</h1>\n<p>Only 10\u00a0km from Lisbon</p>\n',
    });
    const { done, changed } = openModelTools(site, pages);
    const edits = [{ old: 'Only 10 km from Lisbon', new: 'Only 12 km from Lisbon' }];
    await done('edit_html', { slug: '/', edits });
    expect(changed().get('index.html')).to.contain('<p>Only 12\u00a0km from Lisbon</p>');
  });

  it('gives an element a class that the task has just written into a style sheet', async () => {
    const site = memoryTree({
      'index.html':
        '<!doctype html>\n<link rel="stylesheet" href="site.css">\n<h1>A</h1>\n<p>Sale</p>\n',
      'site.css': 'p { color: red }\n',
    });
    const { done, changed } = openModelTools(site, pages);
    const edits = [{ old: '<p>Sale', new: '<p class="desktop-only">Sale' }];
    const replace =
      'p { color: red }\n@media (max-width: 600px) { .desktop-only { display: none } }';
    await done('edit_file', { path: 'site.css', find: 'p { color: red }', replace });
    await done('edit_html', { slug: '/', edits });
    await done('finish', { summary: 'Hidden on phones' });
    expect([...changed().keys()]).to.have.members(['index.html', 'site.css']);
  });

  it('reports where the page still has the replaced text', async () => {
    const { done } = open();
    const old = 'Three prices. They do not move.';
    const answer = await done('edit_html', { slug, edits: [{ old, new: 'Three plans' }] });
    expect(answer).not.to.contain(stillSays(old));
    const title = 'Pricing: fixed prices for websites';
    const edits = [{ old: `<title>${title} |`, new: '<title>Plans |' }];
    expect(await done('edit_html', { slug, edits })).not.to.contain(editTexts.refused(''));
    const site = memoryTree({
      'index.html': `<!doctype html>\n<html lang="en"><head><title>Our team</title>\n<meta property="og:title" content="Our team"></head>\n<body><h1>Our team</h1></body></html>\n`,
    });
    const { done: edit } = openModelTools(site, pages);
    const answered = await edit('edit_html', {
      slug: '/',
      edits: [{ old: '<h1>Our team', new: '<h1>Us' }],
    });
    expect(answered.split('\n')).to.include(remainingTextSentence('Our team', [2, 3]));
  });

  const violation = (element: string, code: ViolationCode, ...values: string[]) =>
    violationMessage({ line: 252, element, code, values });
  const hostile: Record<string, [markup: string, says: RegExp | string]> = {
    'a script': ['<script>alert(1)</script>', violation('<script>', 'new-script')],
    'a script of another site': [
      '<script src="https://evil.example/x.js"></script>',
      /"\/\/evil\.example"/,
    ],
    'an event handler': ['<p onclick="alert(1)">x</p>', /<p onclick>/],
    'a frame': ['<iframe src="https://evil.example/"></iframe>', /<iframe/],
    'an address that runs': ['<a href="javascript:alert(1)">x</a>', /"javascript:|<a href>/],
    'a form that sends elsewhere': [
      '<form action="https://evil.example/"><input name="card"></form>',
      /evil\.example|<form>/,
    ],
    'a base': ['<base href="https://evil.example/">', /<base/],
    'a refresh': ['<meta http-equiv="refresh" content="0; url=https://evil.example/">', /refresh/],
    'a picture of another site': ['<img src="https://evil.example/x.gif" alt="">', /evil\.example/],
    'an open element': ['<div><p>x</p>', /parse error|closed/],
    'a placeholder': ['<p>Lorem ipsum dolor sit amet {{name}}</p>', /placeholder/],
    'a class of another site': ['<p class="no-such-class">x</p>', /class/],
    'a style of its own': ['<p style="position: fixed; inset: 0">x</p>', /style/],
    'a link to nothing': [
      '<p><a href="/nowhere">x</a></p>',
      violation('<a href>', 'broken-link', '/nowhere'),
    ],
    'an id twice': ['<p id="packages">x</p>', violation('<p id>', 'duplicate-id', 'packages', '2')],
  };
  for (const [what, [markup, says]] of Object.entries(hostile))
    it(`reports what the check rejects, which prevents the task from ending: ${what}`, async () => {
      const { done, workspace } = open();
      const edits = [{ old: '</main>', new: `${markup}</main>` }];
      const answer = await done('edit_html', { slug, edits });
      const named = (text: string) =>
        typeof says === 'string' ? text.includes(says) : says.test(text);
      expect(answer.split('\n').at(-1)).to.satisfy(named).and.include(editTexts.refused(''));
      const { finished, results } = await workspace.runTurn({
        text: '',
        toolCalls: [{ id: 'f', name: 'finish', arguments: { summary: 'Done' } }],
      });
      expect(finished).to.equal(false);
      expect(results[0]!.content).to.satisfy(named).and.include(finishTexts.refused(''));
    });

  it('refuses to write a text that a result had cut', async () => {
    const { done, refusal, changed } = openModelTools(
      memoryTree({
        'index.html': `<!doctype html>\n<html lang="en"><head><title>A</title></head>\n<body><h1>A</h1><svg><path d="M0 ${'1 2 '.repeat(200)}"/></svg>\n<img alt="" src="data:image/png;base64,${'A'.repeat(500)}">\n</body></html>\n`,
      }),
      pages,
    );
    const html = await done('read_html', { slug: '/' });
    expect(html)
      .to.match(/<path d="M0 [^"]{37}…\[\d+ characters cut\]"/)
      .and.to.match(/src="data:image\/png[^"]*…\[\d+ characters cut\]"/)
      .and.to.include(`\n${CUT_NOTE}`);
    const [path] = /<path[^>]*>/.exec(html)!;
    expect(
      await refusal('edit_html', { slug: '/', edits: [{ old: path, new: '<path>' }] }),
    ).to.equal(editProblems.cutText(1));
    expect(changed().size).to.equal(0);
  });

  it('accepts one kind of edit per call', async () => {
    const { refusal } = open();
    const expectedKeys = ['slug', 'edits', 'everywhere?'];
    const [start, end] = callProblems.wrongArguments('edit_html', '…', expectedKeys).split('…');
    for (const edit of [
      {},
      { old: 'a' },
      { new: 'a' },
      { old: 'a', lines: [1, 2], new: '' },
      { lines: [1], new: '' },
      { lines: [1, 2, 3], new: '' },
      { lines: ['1', '2'], new: '' },
      { copy: [1, 2] },
      { copy: [1, 2], after: 3, new: '' },
    ]) {
      const answer = await refusal('edit_html', { slug, edits: [edit] });
      expect([answer.slice(0, start!.length), answer.slice(-end!.length)]).to.deep.equal([
        start,
        end,
      ]);
    }
  });
});

describe('read_html', () => {
  it('reads lines, or the surroundings of a text in any case and white space', async () => {
    const { done, refusal } = openModelTools(demo, pages);
    const around = await done('read_html', { slug, around: 'choose\n starter' });
    expect(around.split('\n')).to.have.length(25);
    expect(around).to.match(/^132: .*Choose Starter/m);
    expect(await done('read_html', { slug, lines: [129, 130] })).to.equal(
      '129:               <h3>Starter</h3>\n130:               <p class="amount">$4,800</p>',
    );
    const { found, missingText, missingLines } = readingTexts;
    expect((await done('read_html', { slug, around: '<h3>' })).split('\n')[0]).to.equal(
      found([129, 135, 141]),
    );
    expect(await refusal('read_html', { slug, around: 'Startre' })).to.equal(
      missingText(describeLines(nearest)),
    );
    expect(await refusal('read_html', { slug, lines: [400, 410] })).to.equal(
      missingLines(400, 410, 290),
    );
  });

  it('pages through a long page, and limits the surroundings of a text in one long line', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `<p>Row ${i}</p>`);
    const files = { 'a.html': rows.join('\n'), 'b.html': rows.join('') };
    const { done } = openModelTools(memoryTree(files), pages);
    const first = await done('read_html', { slug: '/a' });
    expect(first.length).to.be.below(24_200);
    const next = first.split('\n').length;
    expect(first.split('\n').at(-1)).to.equal(readingTexts.continuation(3_000, next));
    const more = await done('read_html', { slug: '/a', lines: [next, 3_000] });
    expect(more).to.match(new RegExp(`^${next}: <p>Row ${next - 1}</p>\n`));
    const around = await done('read_html', { slug: '/b', around: 'Row 1500' });
    expect(around.length).to.be.below(2_000);
    expect(around).to.match(/^1: ….*<p>Row 1500<\/p>.*…$/);
    expect((await done('read_html', { slug: '/b' })).length).to.be.below(24_200);
  });
});

describe('replace_text', () => {
  const counted = (slug: string, count: number) => ({ slug, count });

  it('reports the numbers of pages and places, and where a URL has the text', async () => {
    const page = '<p>Acme</p><p>Write to Acme@acme.example</p>';
    const files = { 'a.html': page, 'b.html': '<p>Acme &amp; Acme</p>', 'c.html': '<p>Us</p>' };
    const { done, changed } = openModelTools(memoryTree(files), pages);
    const answer = await done('replace_text', { from: 'Acme', to: 'Brick' });
    expect(answer.split('\n')[0]).to.equal(
      replacementSentence([counted('/a', 1), counted('/b', 2)], ['/a']),
    );
    expect(changed().get('a.html')).to.equal(page.replace('Acme', 'Brick'));
    expect(
      (await done('replace_text', { slug: '/c', from: 'Us', to: 'You' })).split('\n')[0],
    ).to.equal(replacementSentence([counted('/c', 1)], []));
  });
});
