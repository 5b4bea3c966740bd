import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

type Person = [name: string, file: string, alt: string];

const site = (...people: Person[]) =>
  memoryTree({
    'team.html': `<!doctype html><html lang="en"><head><title>Team</title></head><body><h1>Team</h1><div class="people">
${people.map(([name, file, alt]) => `<article><img src="${file}" alt="${alt}"><h2>${name}</h2><p>Says hello.</p></article>`).join('\n')}
</div></body></html>`,
    ...Object.fromEntries(
      ['ana/1.jpg', 'bo/1.jpg', 'cem/1.jpg', 'dot.svg'].map((file) => [file, 'x']),
    ),
  });

const ana: Person = ['Ana Reis', 'ana/1.jpg', 'Ana Reis at her desk'];
const bo: Person = ['Bo Lund', 'bo/1.jpg', 'Bo Lund outside'];
const dot = (name: string): Person => [name, 'dot.svg', ''];

/** Adds somebody with these texts; answers the tool's answer and the notes. */
async function add(tree: ReturnType<typeof site>, texts: string[]) {
  const { done, workspace } = openModelTools(tree, pages);
  const outline = await done('read_page', { slug: '/team' });
  const group = /\[(g\d+)\.0/.exec(outline)?.[1] ?? '';
  const answer = await done('add_items', { slug: '/team', group, after: 0, items: [texts] });
  return { answer, done, notes: () => workspace.warnings() };
}

const new_ = ['Cem Ak at work', 'Cem Ak', 'Says good evening.'];

describe('somebody who is added with the picture of somebody else, by a language model', () => {
  it('is named with it, until a picture is set', async () => {
    const { answer, done, notes } = await add(site(ana, bo), new_);
    const [, id, file, alt] = /(\S+) shows "([^"]*)" \("([^"]*)"\)/.exec(answer)!;
    expect([file, alt]).to.deep.equal(['1.jpg', bo[2]]);
    expect(answer).to.contain('until set_image gives it another');
    expect(await notes()).to.deep.equal([
      '/team: the new item shows the image "1.jpg", as the one that it was made from',
    ]);
    await done('set_image', { slug: '/team', id, file: '/cem/1.jpg', alt: 'Cem Ak at work' });
    expect(await notes()).to.deep.equal([]);
  });

  it('is not, where all members show the same picture', async () => {
    const { answer, notes } = await add(site(dot('Ana'), dot('Bo')), new_.slice(1));
    expect(answer).not.to.contain('shows');
    expect(await notes()).to.deep.equal([]);
  });

  it('are several, each with the id of the picture', async () => {
    const { done, workspace } = openModelTools(site(ana, bo), pages);
    const group = /\[(g\d+)\.0/.exec(await done('read_page', { slug: '/team' }))![1]!;
    const items = [new_, ['Dee', 'Dee Fox', 'Says hi.']];
    const answer = await done('add_items', { slug: '/team', group, after: 1, items });
    const ids = [...answer.matchAll(/(\S+) shows "1.jpg"/g)].map(([, id]) => id!);
    expect(ids).to.have.length(2);
    for (const [i, id] of ids.entries()) {
      expect(await workspace.warnings()).to.have.length(1);
      await done('set_image', { slug: '/team', id, file: '/cem/1.jpg', alt: `New ${i}` });
    }
    expect(await workspace.warnings()).to.deep.equal([]);
  });
});
