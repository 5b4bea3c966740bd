import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { folderTree, memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const modern = folderTree('node_modules/startbootstrap-modern-business/dist');

/** A page of sections with a wrapper each; the middle one has columns. */
const wrappedPage = `<!doctype html>
<html lang="en">
<head><title>Home</title></head>
<body>
<main>
  <header class="hero"><h1>Acme</h1><p>Anvils</p></header>
  <section class="band" id="a">
    <div class="container">
      <h2>Prices</h2>
      <p>From $10</p>
      <ul><li>Small</li><li>Large</li></ul>
    </div>
  </section>
  <section class="band dark" id="b">
    <div class="container wide"><div class="row"><div class="col"><h2>People</h2></div><div class="col"><p>Ann</p></div></div></div>
  </section>
  <section class="band" id="c">
    <div class="container">
      <h2>Places</h2>
      <table><tbody><tr><td><p>Austin</p></td></tr></tbody></table>
      <div class="box"><p>Open <a href="/">now</a></p><div><a href="/">Book</a></div></div>
    </div>
  </section>
</main>
<footer><p>Acme Ltd</p></footer>
</body>
</html>
`;
/** A page without any wrappers. */
const flatPage = `<!doctype html>
<html lang="en">
<head><title>Home</title></head>
<body><main><h1>Acme</h1><p>Anvils</p><h2>Prices</h2><p>From $10</p><h3>Small</h3><p>$10</p><h2>Places</h2><p>Austin</p></main></body>
</html>
`;

/** Inserts markup behind a text, and shows what stands on the page instead of what stood there. */
async function inserted(page: string, text: string, html: string) {
  const { done, changed } = openModelTools(memoryTree({ 'index.html': page }), pages);
  const outline = await done('read_page', { slug: '/' });
  const after = new RegExp(`([sn]\\d\\S*) \\S+ ${text}$`, 'm').exec(outline)?.[1];
  const answer = await done('insert_section', { slug: '/', after, html });
  return { answer, now: changed().get('index.html')! };
}

const section = '<h2>Team</h2><p>Bob</p>';
const wrapped = `  <section class="band">
    <div class="container">
      ${section}
    </div>
  </section>
`;

describe('what insert_section puts', () => {
  it('behind a heading or a text without a heading of its own stands right there, in their wrapper', async () => {
    const places: [text: string, beside: string, says: string][] = [
      [
        'Prices',
        '<h2>Prices</h2>',
        'Inserted p in div.container, behind h2 (s10 "Prices"), before',
      ],
      ['From \\$10', '<p>From $10</p>', 'Inserted p in div.container, behind p (s11 "From $10")'],
      ['Small', '<li>Large</li></ul>', 'Inserted p in div.container, behind ul (s13 "Small");'],
      ['People', '<h2>People</h2>', 'Inserted p in div.col, behind h2 (s19 "People");'],
      ['Austin', '<p>Austin</p>', 'Inserted p in td, behind p ('],
      ['Book', 'Book</a></div>', 'Inserted p in div.box, behind div ('],
      ['Acme', '<h1>Acme</h1>', 'Inserted p in header.hero, behind h1 (s6 "Acme"), before p (s7'],
    ];
    for (const [text, beside, says] of places) {
      const { answer, now } = await inserted(wrappedPage, text, '<p>New</p>');
      expect(answer).to.contain(says);
      expect(now.replace(/\s*<p>New<\/p>/, '')).to.equal(wrappedPage);
      expect(now.replace(/\s+(?=<p>New)/, '')).to.contain(`${beside}<p>New</p>`);
    }
  });

  it('behind a section gets what most of its neighbours have around them', async () => {
    for (const text of ['Prices', 'From \\$10', 'Small']) {
      const { answer, now } = await inserted(wrappedPage, text, section);
      expect(answer).to.match(
        /^Inserted section\.band > div\.container in main, behind section\.band \(s10 "Prices"\), before section\.band\.dark \(s19 "People"\); its texts:\n(?:\[\S+\] )?n3 h2 Team\nn4 p Bob\n/,
      );
      expect(now).to.equal(wrappedPage.replace('  <section class="band dark"', `${wrapped}$&`));
    }
    for (const text of ['Acme', 'Anvils'])
      expect((await inserted(wrappedPage, text, section)).now).to.equal(
        wrappedPage.replace('  <section class="band" id="a"', `${wrapped}$&`),
      );
  });

  it('keeps the wrapper that it brings, and gets the part that it lacks', async () => {
    const whole = `<section class="dark band"><div class="container">${section}</div></section>`;
    for (const html of [whole, `<div class="container">${section}</div>`])
      expect((await inserted(wrappedPage, 'Prices', html)).answer).to.match(
        /^Inserted section(?:\.dark)?\.band > div\.container in main, behind section\.band \(s10/,
      );
    expect((await inserted(wrappedPage, 'Prices', whole)).now).to.equal(
      wrappedPage.replace('  <section class="band dark"', `  ${whole}\n$&`),
    );
    const bare = await inserted(
      wrappedPage,
      'Prices',
      `<section class="dark">${section}</section>`,
    );
    expect(bare.answer).to.contain('Inserted section.dark > div.container in main, behind');
    const { answer } = await inserted(wrappedPage, 'Prices', '<section><p>New</p></section>');
    expect(answer).to.contain('Inserted section > div.container in main, behind section.band (s10');
  });

  it('below the heading of a section comes to the end of its content', async () => {
    const { answer, now } = await inserted(wrappedPage, 'Prices', '<h3>Huge</h3><p>$99</p>');
    expect(answer).to.contain('Inserted h3 in div.container, behind ul (s13 "Small"); its texts');
    expect(now.replace(/\s*<h3>Huge<\/h3><p>\$99<\/p>/, '')).to.equal(wrappedPage);
  });

  it('gets no wrapper where there is none', async () => {
    const places: [text: string, html: string, beside: string][] = [
      ['Prices', section, '<p>$10</p>'],
      ['From \\$10', section, '<p>$10</p>'],
      ['From \\$10', '<p>New</p>', '<p>From $10</p>'],
      ['Small', '<h3>Large</h3>', '<p>$10</p>'],
      ['Acme', section, '<p>Anvils</p>'],
      ['Austin', section, '<p>Austin</p>'],
    ];
    for (const [text, html, beside] of places)
      expect((await inserted(flatPage, text, html)).now.replace(`\n${html}`, html)).to.equal(
        flatPage.replace(beside, `${beside}${html}`),
      );
  });

  it('is refused in the head and behind what is in a landmark', async () => {
    const { done, refusal } = openModelTools(memoryTree({ 'index.html': wrappedPage }), pages);
    const all = `${await done('read_page', { slug: '/' })}\n${await done('read_page', { slug: '/', part: 'chrome' })}`;
    for (const name of ['title Home', 'p Acme Ltd']) {
      const after = new RegExp(`(\\S+) ${name}$`, 'm').exec(all)![1];
      expect(await refusal('insert_section', { slug: '/', after, html: '<p>New</p>' })).to.match(
        /no section or table ".*"; there are s10 "Prices"/,
      );
    }
  });

  it('stands well on real sites', async () => {
    for (const [tree, container] of [
      [demo, /^Inserted section\.section > div\.wrap in main/],
      [modern, /^Inserted section(?:\.\S+)? > div\.container\S* in main/],
    ] as const) {
      const { done } = openModelTools(tree, pages);
      const outline = await done('read_page', { slug: '/' });
      const after = /(\S+) h2 /.exec(outline)![1];
      expect(await done('insert_section', { slug: '/', after, html: section })).to.match(container);
      expect(await done('insert_section', { slug: '/', after, html: '<p>New</p>' })).to.match(
        new RegExp(`^Inserted p in div\\S*, behind h2\\S* \\(${after} `),
      );
    }
  });
});
