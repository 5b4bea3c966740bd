import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { openSite } from '../../../../eval/sites.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

const page = (main: string) =>
  `<!doctype html><html lang="en"><head><title>A</title></head><body><header><nav><a href="/">Home</a></nav></header><main><h1>A</h1>${main}</main></body></html>`;
const logos =
  '<section class="logos"><ul><li>Acme</li><li>Bolt</li></ul><p>They trust us.</p></section>';
const work =
  '<section><h2>Work</h2><div><p>One.</p></div><p>Two, <a href="/">here</a>.</p><img src="a.png" alt="A dog"><table><tr><td>Cell</td></tr></table></section>';

describe('remove_section, by the id of something in a section without a heading', () => {
  const open = async (main = logos + work) => {
    const tools = openModelTools(memoryTree({ 'index.html': page(main), 'a.png': '' }), pages);
    const outline = await tools.done('read_page', { slug: '/' });
    const id = (line: RegExp) => line.exec(outline)![1]!;
    const remove = (line: RegExp) => tools.done('remove_section', { slug: '/', section: id(line) });
    const refused = (line: RegExp) =>
      tools.refusal('remove_section', { slug: '/', section: id(line) });
    const source = () => tools.changed().get('index.html');
    return { ...tools, remove, refused, source };
  };

  for (const line of [/(\S+) li Acme/, /(\S+) p They/])
    it(`takes it out whole, and says what went: ${line.source}`, async () => {
      const { remove, source } = await open();
      expect(await remove(line)).to.match(
        /^Removed "Acme", "Bolt", "They trust us\."\nSections of \/:\n\S+ h2 Work/,
      );
      expect(source()).to.equal(page(work));
    });

  it('takes a text alone out of a section with a heading, with its wrapper', async () => {
    const { remove, source } = await open();
    expect(await remove(/(\S+) p One/)).to.match(/^Removed "One\."\n/);
    expect(source()).to.equal(page(logos + work.replace('<div><p>One.</p></div>', '')));
    await remove(/(\S+) p Two/);
    expect(source()).to.equal(page(logos + work.replace(/<div>.*here<\/a>\.<\/p>/, '')));
  });

  it('takes a picture alone', async () => {
    const { remove, source } = await open();
    await remove(/(\S+?)(?:\.alt)? img/);
    expect(source()).to.contain('Two,');
    expect(source()).not.to.contain('<img');
  });

  it('refuses what is part of something else, and all of a page', async () => {
    const { refused, changed, refusal } = await open();
    expect(await refused(/(\S+) td Cell/)).to.match(/part of a table/);
    expect(await refused(/(\S+) title/)).to.match(/no part of what the page shows/);
    expect(await refused(/(\S+) h1 A/)).to.match(/no section or table/);
    expect(await refusal('remove_section', { slug: '/', section: 's99' })).to.match(
      /no section or table "s99"/,
    );
    expect(changed().size).to.equal(0);
    const plain = openModelTools(
      memoryTree({
        'index.html': '<!doctype html><html><body><div><p>One</p><p>Two</p></div></body></html>',
      }),
      pages,
    );
    const [, one] = /(\S+) p One/.exec(await plain.done('read_page', { slug: '/' }))!;
    expect(await plain.refusal('remove_section', { slug: '/', section: one })).to.match(
      /all that the page shows/,
    );
  });

  it('works on a page that nobody here wrote', async () => {
    const { done, changed } = openModelTools(openSite('business').tree, pages);
    const outline = await done('read_page', { slug: '/' });
    const [, quote] = /(\S+) p "Working with Start Bootstrap/.exec(outline)!;
    expect(await done('remove_section', { slug: '/', section: quote })).to.match(/^Removed "/);
    expect(changed().get('index.html')).not.to.contain('Working with Start Bootstrap');
  });
});
