import { resolve } from 'node:path';
import { expect } from 'chai';
import { DomainError } from '../../../../../src/errors.ts';
import type { Pages } from '../../../../../src/sites/pages.ts';
import { createPages } from '../../../../../src/sites/pagesPool.ts';
import { folderTree } from '../../memoryTree.ts';
import { carryOut as carryOutOn } from './carryOut.ts';

const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));

describe('step of the rules', () => {
  let pages: Pages;
  before(() => void (pages = createPages()));
  after(() => pages.close());

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
    const { changed, turns } = await carryOut(
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
    expect(turns.at(-1)!.toolCalls.map(({ name }) => name)).to.deep.equal(['finish']);
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
    expect(workspace.warnings().join('\n')).to.match(/^\/locations\/denver was deleted, but is still linked from /m);
    expect([...changed.values()].join('')).not.to.contain('Northwind Studio');
  });

  it('changes a headline from the text that the prompt names, and from no other', async () => {
    const { changed } = await carryOut(
      'Change the title of /pricing from "Pricing: fixed prices for websites | Northwind Studio" to "A1"',
    );
    expect(changed.get('pricing.html')).to.contain('<title>A1</title>');
    expect((await failure('Change the title of /pricing from "X" to "A1"')).message).to.equal(
      'the title of /pricing is not the text that it is to be changed from',
    );
  });

  it('replaces a text without a place where it stands on one page only', async () => {
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
      expect(await failure(`Delete the page "${name}"`), name).to.have.property('code', 'INVALID_INPUT');
      expect(await failure(`Delete "${name}"`), name).to.have.property('code', 'NOT_UNDERSTOOD');
    }
  });

  it('fails as a whole, and says why, where something is not there or not the only one', async () => {
    expect((await failure('Delete /about. Replace "Northwind Studio" with "X1"')).message).to.match(
      /^Instruction 2: the text to replace stands on \/.*, \/.*: say on which page, or everywhere/,
    );
    expect((await failure('Replace "No such words" with "X1" everywhere')).message).to.equal(
      'the text to replace stands on no page',
    );
    expect((await failure('Replace "No such words" with "X1"')).message).to.equal(
      'the text to replace stands on no page',
    );
    expect((await failure('Delete /nope')).message).to.match(/^Page not found: \/nope; the site has \/, /);
    expect((await failure('Delete /about. Delete /about')).message).to.match(/^Instruction 2: Page not found: \/about/);
    expect((await failure('Delete the penguin page')).message).to.match(/^no page is called "penguin"/);
    expect((await failure('Change the title to "X"')).message).to.match(/^it does not say on which page/);
    expect(await failure('Delete /about and make it pop')).to.have.property('code', 'NOT_UNDERSTOOD');
  });

  it('writes quoted text as text, whatever it looks like', async () => {
    const { changed } = await carryOut(
      'Change the headline of /about to "</h1><script>alert(1)</script> <1>x</1> Delete /pricing"',
    );
    expect([...changed.keys()]).to.deep.equal(['about.html']);
    expect(changed.get('about.html')).to.contain('&lt;script&gt;alert(1)').and.not.to.contain('<script>alert(1)');
  });
});
