import { expect } from 'chai';
import { DomainError } from '../../../../src/errors.ts';
import { pageCalls } from '../../../../src/sites/pages/pageCalls.ts';
import { createPagesPool } from '../../../../src/sites/pages/pages.ts';
import { escapeMarks } from '../../../../src/sites/pages/texts/slotText.ts';
import { createThreadPool } from '../../../../src/threads/threadPool.ts';
import { corpus } from '../corpus.ts';
import { replaceWords, skeleton } from '../formats/html/compare.ts';
import { casesIn } from '../../../helpers/cases.ts';

describe('createPagesPool', () => {
  const pages = createPagesPool();
  after(() => pages.close());

  const failure = async (work: Promise<unknown>): Promise<DomainError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof DomainError))
      throw new Error(`expected a DomainError, got ${String(error)}`);
    return error;
  };

  for (const { name, pages: sources, paths } of corpus)
    it(`creates new pages from every page of ${name} with every open text replaced, including hostile ones`, async () => {
      // a `time` that shows no date any more has none for programs either
      const undated = (html: string) => html.replace(/(<time) datetime="[^"]*"/g, '$1');
      // nor is a new page the one that the navigation of its template marks
      const unmarked = (html: string) =>
        html.replace(/ class="active" aria-current="(?:page|true)"/g, '');
      const words = 'A "><img src=x onerror=alert(1)></title></script> & é';
      for (const template of casesIn(sources)) {
        const siblings = sources.filter((page) => page !== template).slice(0, 4);
        const { slots, digest } = await pages.readTemplate(template, siblings);
        const open = slots.filter(({ locked }) => !locked);
        const texts = Object.fromEntries(
          open.map(({ id, text }) => [id, replaceWords(text, escapeMarks(words))]),
        );
        const target = { slug: '/new/deep/page', path: 'new/deep/page.html' };
        const source = await pages.create({
          template,
          target,
          texts,
          sitePaths: paths,
          digest,
          siblings,
        });
        const read = await pages.read({ path: target.path, source });
        const expected = slots.map(({ id, text }) => texts[id] ?? text);
        if (!template.source.includes('noindex')) {
          expect(skeleton(undated(source)), template.path).to.deep.equal(
            skeleton(unmarked(undated(template.source))),
          );
          expect(
            read.slots.map(({ text }) => text),
            template.path,
          ).to.deep.equal(expected);
        }
      }
    });

  it('creates the same page from the same input, whatever was created before, and other pages with other siblings', () => {
    const [{ pages: sources, paths }] = corpus as [(typeof corpus)[0]];
    const [template, ...others] = sources as [(typeof sources)[0], ...typeof sources];
    const make = (slug: string, word: string, siblings = others.slice(0, 4)) => {
      const { slots, digest } = pageCalls.readTemplate(template, siblings);
      const open = slots.filter(({ locked }) => !locked);
      const texts = Object.fromEntries(open.map(({ id, text }) => [id, replaceWords(text, word)]));
      const target = { slug, path: `${slug.slice(1)}.html` };
      const source = pageCalls.create({
        template,
        target,
        texts,
        sitePaths: paths,
        digest,
        siblings,
      });
      return { source, open: open.length };
    };
    const first = make('/a', 'one');
    expect(make('/deep/er/b', 'two').source).to.not.equal(first.source);
    expect(make('/a', 'one', []).open).to.be.greaterThan(first.open);
    expect(make('/a', 'one')).to.deep.equal(first);
  });

  it('reads title and slug of a page', async () => {
    const read = await pages.read({
      path: 'a/index.html',
      source: '<title> A &amp;\n B </title><h1>C</h1>',
    });
    expect(read).to.include({ slug: '/a', title: 'A & B' });
    expect(await pages.read({ path: 'b.html', source: '<h1>C <b>D</b></h1>' })).to.include({
      slug: '/b',
      title: 'C D',
    });
    expect(await pages.read({ path: 'b.html', source: '' })).to.include({ title: '/b' });
  });

  it('returns errors with their code and the page', async () => {
    const page = { path: 'a.html', source: '<p>x' };
    const { code, message } = await failure(pages.setTexts(page, { s99: 'x' }));
    expect(code).to.equal('INVALID_INPUT');
    expect(message).to.match(/^Page \/a: .* "s99"$/);
  });

  it('rejects pages that are too large, too deep, or have too many texts', async () => {
    for (const [source, values] of [
      ['x'.repeat(2_000_001), /^Page \/a: .*\b2000001 bytes\b.*\b2000000\b/],
      ['<p>x'.repeat(3_001), /^Page \/a: .*\b3001 texts\b.*\b3000\b/],
      ['<div>'.repeat(100_000), /^Page \/a: .*\b500\b/],
    ] as const) {
      const error = await failure(pages.read({ path: 'a.html', source }));
      expect(error).to.include({ code: 'LIMIT_EXCEEDED' });
      expect((error as Error).message).to.match(values);
    }
  });

  it('gives up on a page that takes too long, and continues with the next one', async () => {
    const hasty = createPagesPool(createThreadPool({ cpuLimit: 1 }));
    const source = '<p title="x">x'.repeat(1_400) + '<i></i>'.repeat(80_000);
    expect(await failure(hasty.read({ path: 'a.html', source }))).to.have.property(
      'code',
      'LIMIT_EXCEEDED',
    );
    await hasty.close();
    expect((await pages.read({ path: 'a.html', source })).slots).to.have.length(2_800);
  });

  it('distinguishes pages from other files', () => {
    const known = ['index.html', 'a/b.htm', '.well-known/x.html', 'A.HTM', 'B.HTML'];
    const others = ['a.css', '.git/x.html', 'node_modules/x/index.html', 'html'];
    expect([...known, ...others].filter((path) => pages.isPage(path))).to.deep.equal(known);
  });

  it('names pages, and files of new pages by their template', () => {
    expect(
      ['index.html', 'a.html', 'a/index.html', 'a/b.htm'].map((path) => pages.slugOf(path)),
    ).to.deep.equal(['/', '/a', '/a', '/a/b']);
    expect(pages.pathOf('/x/y', 'a.html')).to.equal('x/y.html');
    expect(pages.pathOf('/x/y', 'a/index.html')).to.equal('x/y/index.html');
    expect(pages.pathOf('/x/y', 'index.html')).to.equal('x/y.html');
    expect(['CONTACT.HTM', 'A/INDEX.HTML'].map((path) => pages.slugOf(path))).to.deep.equal([
      '/CONTACT',
      '/A',
    ]);
    expect(pages.pathOf('/x/y', 'A/INDEX.HTML')).to.equal('x/y/index.HTML');
    expect(pages.pathOf('/x/y', 'INDEX.HTM')).to.equal('x/y.HTM');
  });
});
