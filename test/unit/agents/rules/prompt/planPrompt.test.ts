import { resolve } from 'node:path';
import { expect } from 'chai';
import { DomainError } from '../../../../../src/errors.ts';
import {
  brokenLinksSentence,
  unchangedSentence,
} from '../../../../../src/agents/shared/site/taskWarnings.ts';
import { describeSlot } from '../../../../../src/agents/shared/tools/describeText.ts';
import { quotedTextName } from '../../../../../src/agents/shared/tools/editTexts.ts';
import { describeImage } from '../../../../../src/agents/shared/tools/copiedReferences.ts';
import {
  copiedReferenceSentence,
  describeLinkTarget,
  imageTextName,
  linkTargetName,
} from '../../../../../src/agents/shared/tools/linksAndImages.ts';
import { removalSentences } from '../../../../../src/agents/shared/tools/removePagePart.ts';
import { factProblems } from '../../../../../src/agents/shared/tools/setFact.ts';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { pageTexts } from '../../../../../src/agents/shared/tools/wholePages.ts';
import { checkSlug } from '../../../../../src/sites/pages/urls/slug.ts';
import { EXPECTED_LINK_TARGET } from '../../../../../src/sites/pages/links/resolveLinkTarget.ts';
import { folderTree, memoryTree } from '../../memoryTree.ts';
import { carryOut as carryOutOn } from './carryOut.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));

describe('a prompt by the rules', () => {
  /** Matches the message for a missing page, which names pages of the site. */
  const missingPage = (slug: string, start = '', named = '') =>
    new RegExp(`^${start}${pageNotFound(slug)}\\b.*${named}`);
  const carryOut = (prompt: string) => carryOutOn(demo, pages, prompt);

  const failure = async (prompt: string) => {
    const error = await carryOut(prompt).then(
      () => null,
      (error: unknown) => error,
    );
    expect(error, prompt).to.be.instanceOf(DomainError);
    return error as DomainError;
  };

  it('changes headline, title and description, and the previews that said the same', async () => {
    const { changed, turn } = await carryOut(
      'Change the headline of /pricing to "Simple prices", the title to "Prices & more | Northwind" and the description to “What it costs.”',
    );
    const page = changed.get('pricing.html')!;
    expect(page)
      .to.match(/<h1[^>]*>Simple prices<\/h1>/)
      .and.to.contain('<title>Prices &amp; more | Northwind</title>');
    expect(page)
      .to.contain('<meta name="description" content="What it costs.">')
      .and.to.contain('<meta property="og:description" content="What it costs.">');
    expect([...changed.keys()]).to.deep.equal(['pricing.html']);
    expect(new Set(turn.toolCalls.map(({ name }) => name))).to.deep.equal(new Set(['set_texts']));
    expect(turn.text).to.equal('Carried out 3 instruction(s)');
  });

  it('finds a page with spaces in its name, in quotes or not', async () => {
    const page = '<title>A page</title><h1>Us</h1>';
    const tree = memoryTree({ 'about us.html': page, 'about.html': page });
    for (const name of ['/about us', '/about%20us', '"/about us"', 'page "/about us"']) {
      const prompt = `Change the headline of ${name} to "See /about us"`;
      const { changed } = await carryOutOn(tree, pages, prompt);
      expect([...changed]).to.deep.equal([
        ['about us.html', page.replace('<h1>Us', '<h1>See /about us')],
      ]);
    }
  });

  it('creates a page for a quoted topic as a whole, whatever part of it the slug has', async () => {
    const { changed } = await carryOut(
      'Copy /locations/austin for "Rome and Paris" as /locations/rome',
    );
    const page = changed.get('locations/rome.html')!;
    expect(page).to.contain('<title>Web design in Rome and Paris | Northwind Studio</title>');
    expect(page).to.not.match(/Rome(?! and Paris)/);
  });

  it('changes the previews that repeated a headline', async () => {
    const { changed } = await carryOut(
      'Change the headline of /locations/austin to "Sites in Austin"',
    );
    expect(changed.get('locations/austin.html'))
      .to.contain('<meta property="og:title" content="Sites in Austin">')
      .and.contain('<meta name="twitter:title" content="Sites in Austin">')
      .and.contain('<title>Web design in Austin | Northwind Studio</title>');
  });

  it('carries several instructions out in their order', async () => {
    const { changed, workspace } = await carryOut(
      '1. Change the headline of the home page to "Websites by Northwind Studio"\n2. Replace "Northwind Studio" with "Southwind Works" everywhere\n3. Delete the Denver page',
    );
    expect(changed.get('index.html')).to.match(/<h1[^>]*>Websites by Southwind Works<\/h1>/);
    expect(changed.get('locations/austin.html'))
      .to.contain('| Southwind Works</title>')
      .and.to.contain('hello@northwind.example');
    expect(changed.get('locations/denver.html')).to.equal(null);
    expect((await workspace.warnings()).join()).to.include(
      brokenLinksSentence('/locations/denver', []),
    );
    expect([...changed.values()].join('')).not.to.contain('Northwind Studio');
  });

  it('changes a headline only from the text that the prompt names', async () => {
    const { changed } = await carryOut(
      'Change the title of /pricing from "Pricing: fixed prices for websites | Northwind Studio" to "A1"',
    );
    expect(changed.get('pricing.html')).to.contain('<title>A1</title>');
    expect((await failure('Change the title of /pricing from "X" to "A1"')).message).to.match(
      /\btitle of \/pricing\b/,
    );
  });

  it('replaces a text without a position if it is on one page only', async () => {
    const { changed } = await carryOut('Replace "Questions from Austin" with "Questions we hear"');
    expect([...changed.keys()]).to.deep.equal(['locations/austin.html']);
  });

  it('finds a page by its title, by its first part and by its slug', async () => {
    for (const name of [
      '/locations/austin',
      '"Web design in Austin | Northwind Studio"',
      '“Web design in Austin”',
      'the Austin page',
    ]) {
      const { changed } = await carryOut(`Change the headline of ${name} to "Hello"`);
      expect([...changed.keys()], name).to.deep.equal(['locations/austin.html']);
    }
  });

  it('deletes pages by slug, and by their whole name with the word page', async () => {
    for (const name of [
      '/locations/austin',
      'the page "Web design in Austin | Northwind Studio"',
      'the page "Austin"',
      'the Austin page',
    ]) {
      const { changed } = await carryOut(`Delete ${name}`);
      expect([...changed], name).to.deep.equal([['locations/austin.html', null]]);
    }
  });

  it('deletes nothing by a part of a title', async () => {
    for (const name of ['Northwind Studio', 'Web design in Austin']) {
      expect(await failure(`Delete the page "${name}"`), name).to.have.property(
        'code',
        'INVALID_INPUT',
      );
      expect(await failure(`Delete "${name}"`), name).to.have.property('code', 'NOT_UNDERSTOOD');
    }
  });

  it('fails as a whole with a reason if something does not exist or is not unique', async () => {
    expect((await failure('Delete /about. Replace "Northwind Studio" with "X1"')).message).to.match(
      /^Instruction 2: .* on \/.*, \/.*\beverywhere\b/,
    );
    for (const replacement of ['"No such words" with "X1" everywhere', '"No such words" with "X1"'])
      expect(await failure(`Replace ${replacement}`), replacement)
        .to.include({ code: 'INVALID_INPUT' })
        .and.have.property('message')
        .that.matches(/\btext to replace\b/);
    expect((await failure('Delete /nope')).message).to.match(missingPage('/nope', '', ' /, '));
    expect((await failure('Delete /about. Delete /about')).message).to.match(
      missingPage('/about', 'Instruction 2: '),
    );
    expect((await failure('Delete the penguin page')).message).to.match(/"penguin"/);
    expect((await failure('Change the title to "X"')).message).to.match(/"of \/[^"]*"$/);
    expect(await failure('Delete /about and make it pop')).to.have.property(
      'code',
      'NOT_UNDERSTOOD',
    );
    expect(await failure('Set the headline of /about to ""')).to.have.property(
      'code',
      'NOT_UNDERSTOOD',
    );
    expect((await failure('Dance to "Write to us"')).message).not.to.contain('language model');
  });

  it('writes quoted text as text, whatever it looks like', async () => {
    const { changed } = await carryOut(
      'Change the headline of /about to "</h1><script>alert(1)</script> <1>x</1> Delete /pricing"',
    );
    expect([...changed.keys()]).to.deep.equal(['about.html']);
    expect(changed.get('about.html'))
      .to.contain('&lt;script&gt;alert(1)')
      .and.not.to.contain('<script>alert(1)');
  });

  it('finds a page that the prompt creates or moves by its new slug, and no longer by its old one', async () => {
    const { workspace, changed } = await carryOut(
      'Create /locations/rome for Rome from /locations/austin. Move /about to /company and change its headline to "Us". Change the link "About" on / from /company to /locations/rome. Delete /locations/austin',
    );
    const slugsOf = (files: { slug: string }[]) => files.map(({ slug }) => slug);
    const { created, modified, deleted } = workspace.touched();
    expect(slugsOf(created)).to.deep.equal(['/company', '/locations/rome']);
    expect(slugsOf(deleted)).to.deep.equal(['/about', '/locations/austin']);
    expect(slugsOf(modified)).to.include.members(['/', '/pricing', '/404']);
    expect(changed.get('company.html')).to.match(/<h1[^>]*>Us<\/h1>/);
    expect(changed.get('index.html')).to.contain('<a href="locations/rome">About</a>');
    expect(changed.get('locations/rome.html'))
      .to.contain('<title>Web design in Rome | Northwind Studio</title>')
      .and.to.contain('<h1>Web design in Rome</h1>')
      .and.to.contain('Book a call in Rome');
    expect((await failure('Move /about to /company. Delete /about')).message).to.match(
      missingPage('/about', 'Instruction 2: ', '/company'),
    );
  });

  it('changes a button that is not a link', async () => {
    const tree = memoryTree({
      'index.html': '<form><button type="submit">Send</button></form>',
      'a.html': '',
    });
    const of = async (prompt: string) =>
      (await carryOutOn(tree, pages, prompt)).changed.get('index.html');
    expect(await of('Change the button "Send" on / to "Go"')).to.contain(
      '<button type="submit">Go</button>',
    );
  });

  const refusals: [string, RegExp | string][] = [
    ['Change the link "Pricing" to /about', /^the link .*\/, \/404, .*\beverywhere$/],
    ['Change the link "Pricing" to "Prices"', /^the link .*\/, \/404, .*\beverywhere$/],
    ['Change the link "Nope" everywhere to "Prices"', /^no link\b/],
    ['Change the link "Nope" on / and /about to /pricing', /^no link\b.* \/, \/about$/],
    ['Change the link "Nope" everywhere to /pricing', /^no link\b/],
    ['Change the link "Pricing" on / from /about to /contact', /^no link\b.* \/$/],
    ['Change the button "Nope" on / to "Go"', /^no button\b.* \/$/],
    ['Change the link "Pricing" on / to /nope', pageNotFound('/nope')],
    ['Change the link "Pricing" on / to javascript:alert(1)', EXPECTED_LINK_TARGET],
    ['Change the link "Pricing" on / to "data:text/html,x"', EXPECTED_LINK_TARGET],
    [
      'Change the alt text of "nope.svg" on /about to "x1"',
      /^no image of \/about\b.* logo\.svg, studio\.svg/,
    ],
    ['Add "x1" to the list under "Nope" on /about', /^\/about\b.*\bheading$/],
    [
      'Add "x1" to the list under "What we will not do" on /about after "Nope"',
      /^no item\b.* \/about\b/,
    ],
    [
      'Add the card "x1", "x2", "x3", "x4", "x5" to the cards under "Packages" on /pricing',
      /\b4\b.*\(heading, paragraph, paragraph, button\).*\b5\b/,
    ],
    ['Remove the card "Nope" from /pricing', /^no item\b.* \/pricing\b/],
    [
      'Remove the list item "Pricing" from /about',
      /^2 items on \/about\b.*\b6 list items, 4 list items\b/,
    ],
    [
      'Hide the pricing section on the home page',
      /^\/ has no section "pricing".* "Small studio, whole job", "Recent work", /,
    ],
    [
      'Hide the prices section on /services',
      /^\/services has no section "prices".* "What we do", /,
    ],
    [
      'Remove the design section on the home page',
      /^\/ has no section "design".* "Small studio, whole job", /,
    ],
    ['Remove the second testimonial from the home page', /^no testimonials on \/$/],
    ['Remove the second item from the home page', /^\/ has 10 groups\b.{1,250} and more\b/],
    ['Lower all prices by 100 %', factProblems.percent(-100)],
    ['Create /pricing from /about', pageTexts.exists('/pricing')],
    ['Create /x from /nope', missingPage('/nope')],
    ['Move the home page to /x', pageTexts.movesHome()],
    [
      'Move /about to /a/../b',
      pageTexts.invalidSlug((checkSlug('/a/../b') as { problem: string }).problem),
    ],
  ];
  for (const [prompt, message] of refusals)
    it(`rejects a prompt as a whole with a reason: ${prompt}`, async () => {
      const problem = (await failure(prompt)).message;
      if (typeof message === 'string') expect(problem).to.equal(message);
      else expect(problem).to.match(message);
      expect((await failure(`Delete /contact. ${prompt}`)).message).to.match(/^Instruction 2: /);
    });

  it('names the links and images that a new item has of its neighbour, and structured data that stays', async () => {
    const add = 'to the cards under "Find the studio near you" on /locations';
    const { workspace } = await carryOut(
      `Add the card "A map", "Rome", "Soon.", "Call us", "Rome studio" ${add}`,
    );
    const copied = (...references: string[]) => [
      `/locations: ${references.map(copiedReferenceSentence).join('; ')}`,
    ];
    const image = describeImage('map-denver.svg');
    expect(await workspace.warnings()).to.deep.equal(
      copied(
        describeLinkTarget({ href: 'tel:+13035550100' }),
        describeLinkTarget({ href: 'denver', slug: '/locations/denver' }),
        image,
      ),
    );
    const mended = await carryOut(
      `Create /locations/rome from /locations/denver. Add the card "A map", "Rome", "Soon.", "+39 06 000 0000", "Rome studio" ${add} and change the link "Rome studio" to /locations/rome`,
    );
    expect(mended.changed.get('locations/index.html'))
      .to.contain('<a href="tel:+39060000000">+39 06 000 0000</a>')
      .and.to.contain('<a href="rome">Rome studio</a>');
    expect(await mended.workspace.warnings()).to.deep.equal(copied(image));
    const section = await carryOut('Remove the "Starter" section from /pricing');
    // another part of the page still shows what the data names
    const shown = [`/pricing: ${removalSentences.name({ role: 'table-cell', text: 'Starter' })}`];
    expect(await section.workspace.warnings()).to.deep.equal(shown);
    const removed = await carryOut('Remove the card "Starter" from /pricing');
    expect(await removed.workspace.warnings()).to.deep.equal(shown);
  });

  it('changes the currency of a price with its sign, also in structured data', async () => {
    const offer = (html: string) =>
      /"name": "Studio",\s+"price": "([^"]*)",\s+"priceCurrency": "([^"]*)"/.exec(html)!.slice(1);
    for (const [prompt, price, currency] of [
      ['Set the price of Studio to €9,600', '9600', 'EUR'],
      ['Set the price of Studio to €8,900', '8900', 'EUR'],
      ['Set the price of Studio to $8,900', '8900', 'USD'],
      ['Set the price of Studio to £8,900', '8900', 'GBP'],
    ] as const) {
      const { workspace } = await carryOut(prompt);
      const [{ content } = { content: '' }] = workspace
        .changes()
        .filter(({ path }) => path === 'pricing.html');
      expect(offer(String(content)), prompt).to.deep.equal([price, currency]);
      expect((await workspace.warnings()).join(), prompt).not.to.contain('structured data');
    }
  });

  describe('reports an instruction that finds its text as requested', () => {
    const LEAD =
      '<title>T</title><h1>H</h1><h2>S</h2><p>Call <a href="/a">us <b>now</b></a>.</p><ul><li>L1</li><li>L2</li></ul>';
    const tree = memoryTree({
      'index.html': `${LEAD}<a href="/a#x">A</a><img src="/i/team.jpg" alt="Team"><form><button>Send</button></form>`,
      'a.html': '<title>A</title><h1>A</h1><p id="x">P</p><a href="/a#x">A</a>',
    });
    const on = async (prompt: string) => {
      const { workspace, changed } = await carryOutOn(tree, pages, prompt);
      return { warnings: await workspace.warnings(), changed: [...changed.keys()] };
    };
    const already = (slugs: string, textName: string, text: string) =>
      `${slugs}: ${unchangedSentence({ textName, text })}`;
    const headline = describeSlot({ role: 'heading', level: 1 });
    const rows: [string, string][] = [
      ['Change the headline of / to "H"', already('/', headline, 'H')],
      [
        'Change the heading "S" on / to "S"',
        already('/', describeSlot({ role: 'heading', level: 2 }), 'S'),
      ],
      [
        'Change the link "A" everywhere to /a#x',
        already('/, /a', linkTargetName({ role: 'link', text: 'A' }), '/a#x'),
      ],
      ['Change the link "A" on / to "A"', already('/', describeSlot({ role: 'link' }), 'A')],
      [
        'Change the alt text of the image "team.jpg" on / to "Team"',
        already('/', imageTextName('team.jpg'), 'Team'),
      ],
      ['Replace "A" with "A" everywhere', already('/, /a', quotedTextName('A'), 'A')],
    ];
    for (const [prompt, warning] of rows)
      it(prompt, async () => {
        expect(await on(prompt)).to.deep.equal({ warnings: [warning], changed: [] });
        const beside = await on(`${prompt}. Create /b from /`);
        expect(beside).to.deep.equal({ warnings: [warning], changed: ['b.html'] });
      });

    it('beside other instructions that change something', async () => {
      expect(
        await on(
          'Change the headline of / to "H2". Change the title of / to "T". Change the headline of /a to "A"',
        ),
      ).to.deep.equal({
        warnings: [
          already('/', describeSlot({ role: 'title' }), 'T'),
          already('/a', headline, 'A'),
        ],
        changed: ['index.html'],
      });
    });

    it('with the final slug of its page', async () => {
      expect((await on('Change the headline of /a to "A". Move /a to /b')).warnings).to.deep.equal([
        already('/b', headline, 'A'),
      ]);
      expect((await on('Move /a to /b and change its headline to "A"')).warnings).to.deep.equal([
        already('/b', headline, 'A'),
      ]);
    });

    it('in few words, without invisible characters', async () => {
      const long = `Pay\u202E ${'very '.repeat(100)}much`;
      const hostile = memoryTree({ 'index.html': `<title>T</title><h1>${long}</h1>` });
      const { workspace } = await carryOutOn(
        hostile,
        pages,
        `Change the headline of / to "${long}"`,
      );
      const [warning] = await workspace.warnings();
      const [start] = already('/', headline, 'Pay very very ').split('"\n');
      expect(warning!.slice(0, start!.length - 1)).to.equal(start!.slice(0, -1));
      expect(warning).to.match(/…"$/);
      expect(warning!.length).to.be.lessThan(130);
    });
  });

  it('keeps texts that all items share, and replaces them if the prompt gives more', async () => {
    const card = (name: string, more = 'More') =>
      `<li><h3>${name}</h3><p>Of ${name}</p><a href="/">${more}</a></li>`;
    const tree = memoryTree({
      'index.html': `<h1>A</h1><h2>L</h2><ul>${card('a1')}${card('b1')}</ul>`,
    });
    const of = async (prompt: string) =>
      (await carryOutOn(tree, pages, prompt)).changed.get('index.html');
    expect(await of('Add the card "c1", "Of c1" to the cards under "L" on /')).to.equal(
      `<h1>A</h1><h2>L</h2><ul>${card('a1')}${card('b1')}${card('c1')}</ul>`,
    );
    expect(await of('Add the card "c1", "Of c1" and "Less" under "L" on / after "a1"')).to.equal(
      `<h1>A</h1><h2>L</h2><ul>${card('a1')}${card('c1', 'Less')}${card('b1')}</ul>`,
    );
  });
});
