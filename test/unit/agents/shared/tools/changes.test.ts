import { expect } from 'chai';
import { remainingValueSentence } from '../../../../../src/agents/shared/tools/addReplacedValueNotes.ts';
import { invalidContactProblem } from '../../../../../src/agents/shared/texts/changeFacts.ts';
import { menuTexts } from '../../../../../src/agents/shared/tools/menuEntries.ts';
import { removalSentences } from '../../../../../src/agents/shared/tools/removePagePart.ts';
import { factProblems, factSentences } from '../../../../../src/agents/shared/tools/setFact.ts';
import { unchangedSentence } from '../../../../../src/agents/shared/site/taskWarnings.ts';
import { memoryTree } from '../../memoryTree.ts';
import { carryOut } from '../../rules/prompt/carryOut.ts';
import { openCalls } from './run.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const nav = (own: string, extra = '') =>
  `<nav><ul>\n<li${own === 'a' ? ' class="active"' : ''}><a href="/a">A</a></li>\n<li><a href="/b">B</a></li>${extra}\n</ul></nav>`;
const page = (own: string, body: string) => `<title>${own}</title>${nav(own)}<main>${body}</main>`;

describe('tools that change existing texts of a site', () => {
  const run = async (files: Record<string, string>, prompt: string) => {
    const { changed, workspace } = await carryOut(memoryTree(files), pages, prompt);
    return { changed: Object.fromEntries(changed), warnings: await workspace.warnings() };
  };
  const failure = (files: Record<string, string>, prompt: string) =>
    run(files, prompt).then(
      () => 'not refused',
      (error: Error) => error.message,
    );

  it('change a price or year only if it has the expected value', async () => {
    const offer = '<div><h3>Basic</h3><p>$5</p></div><div><h3>Pro</h3><p>$9</p></div>';
    const files = {
      'index.html': `<main>${offer}<p>From €5, or $5.00.</p></main><footer>© 2020–2025 A</footer>`,
    };
    const of = async (prompt: string) => (await run(files, prompt)).changed['index.html'];
    const basic = files['index.html'].replace('<p>$5<', '<p>$7<');
    expect(await of('Change the price of Basic from $5 to $7')).to.equal(basic);
    expect(await of('Change the price of Basic from 5.00 to 7')).to.equal(basic);
    expect(await of('Change the price from $5 to $7')).to.equal(basic.replace('$5.00', '$7'));
    expect(await failure(files, 'Change the price of Basic from €5 to €7')).to.equal(
      factProblems.otherPrice('Basic', ['$5'], '€5'),
    );
    expect(await failure(files, 'Change the price from $6 to $7')).to.equal(
      factProblems.unknownPrice('$6'),
    );
    expect(await of('Change the copyright year from 2025 to 2026')).to.contain('© 2020–2026 A');
    expect(await failure(files, 'Change the copyright year from 2020 to 2026')).to.equal(
      factProblems.otherYear(['2025'], '2020'),
    );
  });

  it('change a telephone number also in links for texting and chat', async () => {
    const links = (number: string) =>
      `<a href="sms:+${number}?body=Hi">Text</a><a href="https://wa.me/${number}?text=Hi">Chat</a>` +
      `<a href="https://api.whatsapp.com/send?phone=${number}">WhatsApp</a>`;
    const files = {
      'index.html': `<h1>A</h1>${links('13035550100')}`,
      'a.html': links('4930123456'),
    };
    for (const to of ['+1 303 555 0177', '(303) 555-0177'])
      expect(
        (await run(files, `Change the phone number from +1 303 555 0100 to ${to}`)).changed,
      ).to.deep.equal({
        'index.html': `<h1>A</h1>${links('13035550177')}`,
      });
  });

  it('name the links from any page into a removed section', async () => {
    const files = {
      'index.html':
        '<h1>A</h1><a href="#s">There</a><section id="s"><h2>S</h2><p id="t">T</p></section><section><h2>U</h2></section>',
      'a.html': '<a href="/#t">Deep</a><a href="/">Home</a><a href="/b#s">Other</a>',
      'b.html': '<p id="s">B</p>',
    };
    expect(await run(files, 'Remove the section "S" from the home page')).to.deep.equal({
      changed: { 'index.html': '<h1>A</h1><a href="#s">There</a><section><h2>U</h2></section>' },
      warnings: [
        `/: ${removalSentences.anchor('There', '/#s')}`,
        `/a: ${removalSentences.anchor('Deep', '/#t')}`,
      ],
    });
  });

  it('move a section whose heading has no element around it, with everything that belongs to it', async () => {
    const files = {
      'index.html': '<h1>A</h1>\n<h2>B</h2>\n<p>b</p>\n<h3>c</h3>\n<h2>D</h2>\n<p>d</p>\n',
    };
    expect(
      (await run(files, 'Move the section "D" above "B" on /')).changed['index.html'],
    ).to.equal('<h1>A</h1>\n<h2>D</h2>\n<p>d</p>\n<h2>B</h2>\n<p>b</p>\n<h3>c</h3>\n');
    expect(await failure(files, 'Move the section "c" above "B" on /')).to.match(
      /contains the other one/,
    );
    expect(await failure(files, 'Remove the section "Nope" from /')).to.match(
      /no section "Nope".* "B", "D"/,
    );
  });

  it('add a navigation entry in the form of the others, marked on its own page as the others are', async () => {
    const files = {
      'a.html': page('a', ''),
      'b.html': page('b', ''),
      'c/index.html': page('c', ''),
      'd.html': '<p>No menu</p>',
    };
    const { changed } = await run(files, 'Add /c to the navigation as "C & D"');
    const entry = '\n<li><a href="/c/">C &amp; D</a></li>';
    expect(changed).to.deep.equal({
      'a.html': files['a.html'].replace('B</a></li>', `B</a></li>${entry}`),
      'b.html': files['b.html'].replace('B</a></li>', `B</a></li>${entry}`),
      'c/index.html': files['c/index.html'].replace(
        'B</a></li>',
        `B</a></li>${entry.replace('<li>', '<li class="active">')}`,
      ),
    });
    expect((await run(files, 'Add /c to the menu as "C" after "A"')).changed['a.html']).to.match(
      /A<\/a><\/li>\n<li><a href="\/c\/">C<\/a><\/li>\n<li><a href="\/b">/,
    );
    expect(
      await failure({ 'd.html': files['d.html'], 'e.html': '' }, 'Add /e to the navigation'),
    ).to.equal(menuTexts.noMenu());
  });

  it('add no entry for a page that the navigation already links to, and say so', async () => {
    const alreadyB = unchangedSentence({ textName: menuTexts.entryName('/b'), text: 'B' });
    const files = {
      'a.html': page('a', ''),
      'b.html': page('Something else | B', ''),
      'c.html': '<p>No menu</p>',
    };
    for (const prompt of ['Add /b to the navigation', 'Add /b to the menu as "b"'])
      expect(await run(files, prompt), prompt).to.deep.equal({
        changed: {},
        warnings: [`/a, /b: ${alreadyB}`],
      });
    const some = {
      ...files,
      'a.html': files['a.html'].replace('<a href="/b">B</a>', '<a href="/c">C</a>'),
    };
    const { changed, warnings } = await run(some, 'Add /b to the navigation');
    expect(Object.keys(changed)).to.deep.equal(['a.html']);
    expect(warnings).to.deep.equal([`/b: ${alreadyB}`]);
    expect(
      (await run(files, 'Add /b to the navigation. Add /b to the navigation')).changed,
    ).to.deep.equal({});
  });

  it('add an entry beside a trail, a footer or the name of the site that link to the page', async () => {
    const trail = '<nav aria-label="Breadcrumb"><ol><li><a href="/">Home</a></li></ol></nav>';
    const footer =
      '<footer><nav><ul><li><a href="/">Home</a></li><li><a href="/x">X</a></li></ul></nav></footer>';
    const files = {
      'index.html': `<title>Home</title>${nav('a').replace('<nav>', '<nav><a href="/">Acme</a>')}${trail}${footer}`,
    };
    const { changed, warnings } = await run(files, 'Add / to the navigation');
    expect(changed['index.html']).to.contain('B</a></li>\n<li><a href="/">Home</a></li>');
    expect(warnings).to.deep.equal([]);
  });

  it('remove an entry from no breadcrumbs and no footer, and rename no link that is not an entry', async () => {
    const rest =
      '<nav class="breadcrumb"><a href="/b">B</a></nav><nav><a href="/b">B</a> <span aria-current="page">C</span></nav>' +
      '<footer><nav><a href="/b">B</a></nav></footer>';
    const files = {
      'a.html': `${nav('a')}<p><a href="/b">B</a></p>${rest}`,
      'b.html': '<footer><nav><a href="/a">A</a><a href="/b">B</a></nav></footer>',
    };
    expect((await run(files, 'Remove "B" from the navigation')).changed).to.deep.equal({
      'a.html': files['a.html'].replace('\n<li><a href="/b">B</a></li>', ''),
      'b.html': '<footer><nav><a href="/a">A</a></nav></footer>',
    });
    expect((await run(files, 'Rename "B" to "D" in the menu')).changed['a.html']).to.equal(
      `${nav('a').replace('>B<', '>D<')}<p><a href="/b">B</a></p>${rest.replaceAll('>B<', '>D<')}`,
    );
  });

  it('change no navigation for one page', async () => {
    const files = { 'a.html': page('a', ''), 'b.html': page('b', '') };
    for (const prompt of [
      'Remove "B" from the navigation on /a',
      'Rename "B" to "D" in the menu on /a',
      'Add /b to the navigation as "D" on /a',
    ])
      expect(await failure(files, prompt), prompt).to.match(/was not understood/);
  });

  it('change one of several numbers in each of its spellings, and the links that dial it', async () => {
    const files = {
      'a.html':
        '<p>Call (613) 555-0101 or 613-555-0199</p><a href="tel:+16135550101">Call</a><a href="tel:6135550101">us</a>',
      'b.html':
        '<script type="application/ld+json">{"telephone":"+1 613 555 0101","name":"613 555 0101"}</script>',
    };
    const { changed } = await run(
      files,
      'Our phone number changed from (613) 555-0101 to (613) 555-0222',
    );
    expect(changed).to.deep.equal({
      'a.html':
        '<p>Call (613) 555-0222 or 613-555-0199</p><a href="tel:+16135550222">Call</a><a href="tel:6135550222">us</a>',
      'b.html':
        '<script type="application/ld+json">{"telephone":"(613) 555-0222","name":"(613) 555-0222"}</script>',
    });
    expect(await failure(files, 'Change the phone number to +1 613 555 0222')).to.match(
      /has 2 telephone numbers: .*0101, 613-555-0199/,
    );
    expect(
      await failure(files, 'Our phone number changed from 999 999 9999 to 613 555 0222'),
    ).to.match(/\bno telephone number "999/);
    const only = {
      'a.html': '<p>613 555 0101</p>',
      'b.html': '<a href="tel:+1-613-555-0101">x</a>',
    };
    expect(
      (await run(only, 'Change the phone number everywhere to +1 613 555 0222')).changed,
    ).to.deep.equal({
      'a.html': '<p>+1 613 555 0222</p>',
      'b.html': '<a href="tel:+16135550222">x</a>',
    });
  });

  it('replace a whole number also in its other spellings, and name a price that structured data still states', async () => {
    const files = {
      'a.html':
        '<p>613 555 0101</p><script type="application/ld+json">{"telephone":"613-555-0101","price":"4800"}</script><p>$4,800</p>',
    };
    expect(
      (await run(files, 'Change 613 555 0101 to 613 555 0222 everywhere')).changed['a.html'],
    ).to.equal(files['a.html'].replaceAll(/613.555.0101/g, '613 555 0222'));
    expect((await run(files, 'Change $4,800 to $5,200 everywhere')).warnings).to.deep.equal([
      `/a: ${remainingValueSentence({ role: 'structured-data', text: '4800' }, '4800')}`,
    ]);
    const named = {
      'a.html':
        '<h3>Basic</h3><p>Basic $4,800</p><script type="application/ld+json">{"priceRange":"$4,800–$9,000"}</script>',
    };
    expect((await run(named, 'Basic now costs $5,200')).warnings).to.include(
      `/a: ${factSentences.otherTexts('$4,800')}`,
    );
  });

  it('keep the query of a mail link, and name an address in code', async () => {
    const files = {
      'a.html':
        '<a href="mailto:a@x.example?subject=Hi">Mail</a><form action="mailto:a@x.example"></form>',
    };
    const { changed, warnings } = await run(files, 'Change the e-mail to b@x.example');
    expect(changed['a.html'])
      .to.contain('href="mailto:b@x.example?subject=Hi"')
      .and.to.contain('action="mailto:a@x.example"');
    expect(warnings.join()).to.contain(factSentences.emailInCode('a@x.example'));
  });

  it('write prices as they were written, and list them', async () => {
    const files = {
      'a.html':
        '<p>$1,200.50 or 1.250 € or €19 and 2019 people</p><script type="application/ld+json">{"price":10.5}</script>',
    };
    const { changed, warnings } = await run(files, 'Raise all prices by 10 %');
    expect(changed['a.html']).to.equal(
      '<p>$1,320.55 or 1.375 € or €20.90 and 2019 people</p><script type="application/ld+json">{"price":11.55}</script>',
    );
    expect(warnings).to.deep.equal([
      `/a: ${[
        ['$1,200.50', '$1,320.55'],
        ['1.250 €', '1.375 €'],
        ['€19', '€20.90'],
      ]
        .map(([before, now]) => factSentences.changedPrice(before!, now!))
        .join('; ')}`,
    ]);
    expect((await run(files, 'Lower all prices by 50%')).changed['a.html']).to.contain(
      '$600.25 or 625 € or €9.50',
    );
  });

  it('change only the last year of a copyright notice', async () => {
    const files = { 'a.html': '<p>Since 2011</p><footer>© 2011–2025 Acme</footer>' };
    expect((await run(files, 'Change the copyright year to 2027')).changed['a.html']).to.equal(
      '<p>Since 2011</p><footer>© 2011–2027 Acme</footer>',
    );
    expect((await run(files, 'Update the year')).changed['a.html']).to.contain(
      `© 2011–${new Date().getUTCFullYear()} Acme`,
    );
    expect(
      await failure({ 'a.html': '<p>2025</p>' }, 'Change the copyright year to 2027'),
    ).to.equal(factProblems.noYear());
  });

  it('set no invalid telephone number, e-mail address or link', async () => {
    const contact =
      '<a href="tel:+13035550100">+1 303 555 0100</a> <a href="mailto:a@b.example">a@b.example</a>';
    const { edit, refusal, changed } = openCalls(memoryTree({ 'a.html': contact }), pages);
    for (const to of ['not-a-phone', '#REF!', '2026-11-23', '12', 'NOK 45 000', ''])
      expect(await refusal('set_fact', { kind: 'telephone', to }), to).to.equal(
        invalidContactProblem(to, 'telephone number'),
      );
    for (const to of ['not-an-email', 'a@b', '#N/A', 'a b@c.example'])
      expect(await refusal('set_fact', { kind: 'email', to }), to).to.equal(
        invalidContactProblem(to, 'e-mail address'),
      );
    expect([...changed()]).to.deep.equal([]);
    await edit('set_fact', { kind: 'telephone', to: '+47 22 33 44 55' });
    await edit('set_fact', { kind: 'email', to: 'c@d.example' });
    expect(changed().get('a.html')).to.equal(
      '<a href="tel:+4722334455">+47 22 33 44 55</a> <a href="mailto:c@d.example">c@d.example</a>',
    );
    for (const to of ['not-a-phone', '"not-a-phone"'])
      expect(await failure({ 'a.html': contact }, `Change the phone number to ${to}`)).to.not.equal(
        'not refused',
      );
  });

  it('change prices in every notation, also with spaces', async () => {
    const files = {
      'a.html': '<h1>A</h1><p>Starter is NOK 39 000 now.</p><p>Pro is ₹1,20,000.</p>',
    };
    const of = async (prompt: string) => (await run(files, prompt)).changed['a.html'];
    expect(await of('Change the price from NOK 39 000 to NOK 45 000')).to.contain(
      'is NOK 45 000 now',
    );
    expect(await of('Change the price of Starter to NOK 45 000')).to.contain('is NOK 45 000 now');
    expect(await of('Raise all prices by 10%'))
      .to.contain('NOK 42 900 now')
      .and.contain('₹1,32,000.');
  });

  it('change the year of the footer, but of no text that only mentions copyright', async () => {
    const article = '<main><p>Copyright law changed in 2019</p><p>Photo © 2018 Ann</p></main>';
    const files = {
      'a.html': `${article}<div class="footer"><p>Copyright Acme 2025. Since 2011</p></div>`,
    };
    expect((await run(files, 'Change the copyright year to 2027')).changed['a.html']).to.equal(
      files['a.html'].replace('2025', '2027'),
    );
    expect(
      await failure({ 'a.html': '<p>Copyright law changed in 2019</p>' }, 'Update the year'),
    ).to.equal(factProblems.noYear());
    const { edit, refusal, changed } = openCalls(memoryTree(files), pages);
    expect(await refusal('set_fact', { kind: 'year', from: '2023', to: '2027' })).to.equal(
      factProblems.otherYear(['2025'], '2023'),
    );
    await edit('set_fact', { kind: 'year', from: '2025', to: '2027' });
    expect([...changed().keys()]).to.deep.equal(['a.html']);
  });

  it('keep the case of a misspelled word', async () => {
    const files = { 'a.html': '<p>Teh cat, teh dog, TEH end, tehran</p>' };
    expect((await run(files, 'Fix a typo: "teh" should be "the"')).changed['a.html']).to.equal(
      '<p>The cat, the dog, THE end, tehran</p>',
    );
  });

  it('remove the links to a deleted page, and keep their texts', async () => {
    const files = {
      'a.html': page('a', '<p>See <a href="b"><b>B</b> now</a></p>'),
      'b.html': page('b', ''),
    };
    expect((await run(files, 'Delete /b and the links to it')).changed).to.deep.equal({
      'a.html': page('a', '<p>See <b>B</b> now</p>').replace('\n<li><a href="/b">B</a></li>', ''),
      'b.html': null,
    });
  });

  it('change nothing if one of several instructions fails', async () => {
    const files = { 'a.html': page('a', '<h2>S</h2>'), 'b.html': page('b', '') };
    expect(
      await failure(files, 'Delete /b and the links to it. Remove the section "T" from /a'),
    ).to.match(/^Instruction 2: /);
  });
});
