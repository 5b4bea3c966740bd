import { expect } from 'chai';
import { undoTexts } from '../../../../../src/agents/model/tools/undoTool.ts';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { pageTexts } from '../../../../../src/agents/shared/tools/wholePages.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
const { unchanged, otherPages, links } = undoTexts;

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
    const [answer] = (await done('undo', { slug })).split('\n');
    expect(answer).to.equal(`${unchanged(slug)}. ${otherPages()}`);
    expect(changed().size).to.equal(0);
    expect(await workspace.notes()).to.deep.equal([]);
    expect(await done('read_page', { slug })).to.equal(outline);
    await done('edit_html', headline('New'));
    expect(changed().get('pricing.html')).to.contain('<h1>New</h1>');
  });

  it('says if nothing was changed, and which pages exist', async () => {
    const { done, refusal } = open();
    expect(await done('undo', { slug })).to.equal(unchanged(slug));
    expect(await refusal('undo', { slug: '/pricin' })).to.equal(pageNotFound('/pricin', [slug]));
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
      expect(await done('undo', { slug: asked })).to.equal(
        `${unchanged(slug)}. ${links('/prices')} ${otherPages()}`,
      );
      expect([...changed().keys()]).to.deep.equal([]);
    });

  it('restores a moved page if the task created another one', async () => {
    const { done, refusal, changed } = open();
    await done('move_page', { slug, to: '/prices' });
    await done('create_page', { slug, from: '/about' });
    expect(await refusal('undo', { slug: '/prices' })).to.equal(
      undoTexts.replaced('/prices', slug),
    );
    await done('undo', { slug });
    expect([...changed().keys()]).to.deep.equal([]);
  });

  it('never loses a page that took over the slug', async () => {
    const { done, refusal, changed } = open();
    await done('delete_page', { slug });
    await done('move_page', { slug: '/about', to: slug });
    expect(await refusal('undo', { slug })).to.equal(undoTexts.occupied(slug, '/about'));
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
    const deletion = pageTexts.deleted('/team') + pageTexts.brokenLinks([slug]);
    const [answer] = (await done('undo', { slug: '/team' })).split('\n');
    expect(answer).to.equal(`${undoTexts.removed('/team', deletion)} ${otherPages()}`);
    expect([...changed().keys()]).to.deep.equal(['pricing.html']);
  });

  it("says that a page which the task created and deleted can't be restored", async () => {
    const { done, refusal, changed } = openModelTools(demo, pages);
    await done('create_page', { slug: '/team', from: '/about' });
    await done('delete_page', { slug: '/team' });
    expect(await done('undo', { slug: '/team' })).to.equal(
      `${undoTexts.lost('/team')} ${otherPages()}`,
    );
    expect(await refusal('undo', { slug: '/never' })).to.equal(pageNotFound('/never'));
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
    expect(await done('undo', { slug })).to.equal(
      `${unchanged(slug)}. ${undoTexts.translations(['/preise'])} ${otherPages()}`,
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
