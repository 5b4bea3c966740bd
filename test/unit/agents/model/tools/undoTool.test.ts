import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';

describe('undo', () => {
  const open = () => openModelTools(demo, pages);

  const h1 = 'Three prices. They do not move.';
  const headline = (text: string, old = h1) => ({
    slug,
    edits: [{ old: `<h1>${old}</h1>`, new: `<h1>${text}</h1>` }],
  });

  it('restores a page to its state before the task, and removes its notes', async () => {
    const { done, changed, workspace } = open();
    const outline = await done('read_page', { slug });
    await done('replace_text', { slug, from: '$4,800', to: '$5,200' });
    await done('edit_html', { slug, edits: [{ lines: [128, 133], new: '' }] });
    expect(await workspace.notes()).not.to.deep.equal([]);
    expect(await done('undo', { slug })).to.match(
      /^\/pricing is as the task found it\. Other pages stay/,
    );
    expect(changed().size).to.equal(0);
    expect(await workspace.notes()).to.deep.equal([]);
    expect(await done('read_page', { slug })).to.equal(outline);
    await done('edit_html', headline('New'));
    expect(changed().get('pricing.html')).to.contain('<h1>New</h1>');
  });

  it('says if nothing was changed, and which pages exist', async () => {
    const { done, refusal } = open();
    expect(await done('undo', { slug })).to.equal('/pricing is as the task found it');
    expect(await refusal('undo', { slug: '/pricin' })).to.match(
      /not found: \/pricin; there is \/pricing/,
    );
  });

  it('restores a deleted page, also if the task has created another one since', async () => {
    const { done, changed } = open();
    await done('delete_page', { slug });
    await done('undo', { slug });
    expect(changed().size).to.equal(0);
    await done('delete_page', { slug });
    await done('create_page', { slug, from: '/about' });
    await done('undo', { slug });
    expect(changed().size).to.equal(0);
    await done('edit_html', headline('New'));
    expect(changed().get('pricing.html')).to.contain('<h1>New</h1>');
  });

  for (const asked of ['/prices', slug])
    it(`restores a moved page to its slug, with the links to it: ${asked}`, async () => {
      const { done, changed } = open();
      await done('edit_html', headline('New'));
      await done('move_page', { slug, to: '/prices' });
      expect(await done('undo', { slug: asked })).to.match(
        /^\/pricing is as .* Links to \/prices lead to it/,
      );
      expect([...changed().keys()]).to.deep.equal([]);
    });

  it('restores a moved page if the task created another one', async () => {
    const { done, refusal, changed } = open();
    await done('move_page', { slug, to: '/prices' });
    await done('create_page', { slug, from: '/about' });
    expect(await refusal('undo', { slug: '/prices' })).to.match(
      /was \/pricing, where another page is now: undo \/pricing/,
    );
    await done('undo', { slug });
    expect([...changed().keys()]).to.deep.equal([]);
  });

  it('never loses a page that took over the slug', async () => {
    const { done, refusal, changed } = open();
    await done('delete_page', { slug });
    await done('move_page', { slug: '/about', to: slug });
    expect(await refusal('undo', { slug })).to.match(
      /\/about was moved to \/pricing: move it away first/,
    );
    await done('move_page', { slug, to: '/us' });
    await done('undo', { slug });
    expect(changed().has('pricing.html')).to.equal(false);
    expect(changed().get('us.html')).to.contain('Eleven people');
  });

  it('removes a page that the task created, and names the links to it', async () => {
    const { done, changed } = open();
    await done('create_page', { slug: '/team', from: '/about' });
    const link = { old: 'href="contact">Choose Starter', new: 'href="team">Choose Starter' };
    await done('edit_html', { slug, edits: [link] });
    expect(await done('undo', { slug: '/team' })).to.match(
      /^The task made \/team: it is gone\. .*still linked from \/pricing/,
    );
    expect([...changed().keys()]).to.deep.equal(['pricing.html']);
  });

  it("says that a page which the task created and deleted can't be restored", async () => {
    const { done, refusal, changed } = openModelTools(demo, pages);
    await done('create_page', { slug: '/team', from: '/about' });
    await done('delete_page', { slug: '/team' });
    expect(await done('undo', { slug: '/team' })).to.match(
      /^The task made \/team and took it away again: there is nothing to bring back/,
    );
    expect(await refusal('undo', { slug: '/never' })).to.contain('Page not found: /never');
    expect(changed().size).to.equal(0);
  });

  for (const how of ['undo', 'delete_page'])
    it(`leaves no trace of a translation in its source: ${how}`, async () => {
      const { done, changed } = openModelTools(demo, pages);
      await done('create_page', { slug: '/preise', from: '/pricing', lang: 'de' });
      expect([...changed().keys()].sort()).to.deep.equal(['preise.html', 'pricing.html']);
      await done(how, { slug: '/preise' });
      expect(changed().size).to.equal(0);
    });

  it('keeps the other translations of a page', async () => {
    const { done, changed } = openModelTools(demo, pages);
    await done('create_page', { slug: '/preise', from: '/pricing', lang: 'de' });
    await done('create_page', { slug: '/prix', from: '/pricing', lang: 'fr' });
    await done('undo', { slug: '/prix' });
    const tags = changed()
      .get('pricing.html')!
      .match(/hreflang="\w+"/g);
    expect(tags!.sort()).to.deep.equal(['hreflang="de"', 'hreflang="en"']);
  });

  it('leaves no hreflang to a page without one back', async () => {
    const { done, changed } = openModelTools(demo, pages);
    await done('create_page', { slug: '/preise', from: '/pricing', lang: 'de' });
    expect(await done('undo', { slug: '/pricing' })).to.contain(
      '/preise no longer has an hreflang link to it.',
    );
    expect([...changed().keys()]).to.deep.equal(['preise.html']);
    expect(changed().get('preise.html')).not.to.contain('hreflang');
  });

  it('removes the hreflang to a page that it removes', async () => {
    const { done, changed } = open();
    const before = await done('read_page', { slug });
    await done('create_page', { slug: '/preise', from: slug, lang: 'de' });
    await done('undo', { slug: '/preise' });
    expect(changed().size).to.equal(0);
    expect(await done('read_page', { slug })).to.equal(before);
    await done('finish', { summary: 'Nothing' });
  });

  it('counts nothing as changed, moved or replaced', async () => {
    const { done, workspace } = open();
    await done('move_page', { slug, to: '/prices' });
    await done('create_page', { slug, from: '/about' });
    await done('undo', { slug });
    expect(workspace.touched()).to.deep.equal({ created: [], modified: [], deleted: [] });
    expect([workspace.moved(), workspace.replaced()]).to.deep.equal([[], []]);
  });
});
