import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

const section = (id: string, inner: string) =>
  `<section id="${id}"><div class="wrap">\n${inner}\n</div></section>`;
const page = `<!doctype html>
<html lang="en">
<head><title>Acme</title></head>
<body>
<header><a href="/">Acme</a></header>
<main>
<div class="hero"><p>Since 1990</p><h1>Acme</h1><p>We sell anvils.</p></div>
${section('prices', '<h2><span>Prices</span></h2><p>From $10.</p>')}
${section('people', '<h2><img src="a.png" alt=""> People <b>here</b></h2><p>Ann</p>')}
<div class="note"><p>Closed on Sunday</p></div>
</main>
</body>
</html>
`;

const open = () => openModelTools(memoryTree({ 'index.html': page, 'a.png': '' }), pages);
type Done = ReturnType<typeof open>['done'];

/** The ids of the texts that an answer shows, by the text. */
const idsIn = (answer: string) =>
  new Map(
    [...answer.matchAll(/^(?:\[\S+\] )*([sn]\d\S*) \S+ (.+)$/gm)].map(([, id, text]) => [
      text!.replace(/<[^>]*>| \{.*\}$/g, '').trim(),
      id!,
    ]),
  );
const read = (done: Done, id: string) => done('read_section', { slug: '/', id });

describe('sections by id', () => {
  it('have one id in every answer, wherever the text of the heading stands', async () => {
    const { done } = open();
    const ids = idsIn(await done('read_page', { slug: '/' }));
    for (const name of ['Prices', 'People here'])
      expect(await read(done, ids.get(name)!)).to.match(
        new RegExp(`^HTML of the section ${ids.get(name)}, \\d+ characters:\n<section id=`),
      );
    const answer = await done('insert_section', {
      slug: '/',
      after: ids.get('People here'),
      html: '<section><h2><i>Team <b>A</b></i></h2><p>Bob</p></section>',
    });
    const own = idsIn(answer).get('Team A');
    expect(answer.split('\n').filter((line) => line.includes('Team'))).to.have.length(2);
    for (const line of answer.split('\n').filter((line) => line.includes('Team')))
      expect(line).to.contain(`${own} h2`);
    expect(idsIn(await done('read_page', { slug: '/' })).get('Team A')).to.equal(own);
    expect(await read(done, own!)).to.match(new RegExp(`^HTML of the section ${own}, `));
    await done('move_section', { slug: '/', section: own, before: ids.get('Prices') });
    await done('remove_section', { slug: '/', section: own });
  });

  it('are read by the id of any text in them, old or new', async () => {
    const { done } = open();
    const ids = idsIn(await done('read_page', { slug: '/' }));
    expect(await read(done, ids.get('From $10.')!)).to.match(/\n<section id="prices">/);
    for (const text of ['Acme', 'We sell anvils.', 'Since 1990'])
      expect(await read(done, ids.get(text)!)).to.match(/\n<div class="hero"><p>Since 1990/);
    expect(await read(done, ids.get('Closed on Sunday')!)).to.match(
      /^HTML of .*\n<div class="note"/,
    );
    await done('insert_section', {
      slug: '/',
      after: ids.get('Prices'),
      html: '<section><h2>Team</h2><p>Bob</p></section>',
    });
    const now = idsIn(await done('read_page', { slug: '/' }));
    expect(await read(done, now.get('Bob')!)).to.match(
      new RegExp(`^HTML of the section ${now.get('Team')}, .*\\n<section>\\s*<div class="wrap">`),
    );
  });
});
