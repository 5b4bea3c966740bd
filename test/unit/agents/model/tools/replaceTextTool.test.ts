import { expect } from 'chai';
import { missingTextProblems } from '../../../../../src/agents/shared/tools/editTexts.ts';
import { blankTextProblems } from '../../../../../src/agents/shared/texts/rejectBlankText.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

describe('replace_text', () => {
  const page = (body: string) =>
    memoryTree({ 'index.html': `<!doctype html><title>Home</title><h1>Head</h1>${body}` });

  const refusals: [string, string, string][] = [
    ['<p>Gone</p>', 'Gone', blankTextProblems.blank('Gone', 'paragraph')],
    ['<p><a href="/about">About</a> us</p>', 'About', blankTextProblems.blankLink('About us')],
    ['<img src="a.png" alt="Decor">', 'Decor', blankTextProblems.blank('Decor', 'image-alt')],
  ];
  for (const [body, from, expected] of refusals)
    it(`refuses to leave nothing of ${body}, and names its text`, async () => {
      const { refusal, changed } = openModelTools(page(body), pages);
      expect(await refusal('replace_text', { from, to: '' })).to.equal(expected);
      expect(changed().size).to.equal(0);
    });

  it('leaves front matter and template tags, and a note says what they say', async () => {
    const source =
      "---\ntitle: We're in Austin\n---\n<h1>Austin</h1><p>{{ site.name }}: we’re in Austin.</p>\n";
    const { done, changed, workspace } = openModelTools(
      memoryTree({ 'index.html': source }),
      pages,
    );
    await done('replace_text', { from: "we're in Austin", to: 'we are in Ottawa' });
    expect(changed().get('index.html')).to.equal(
      source.replace('we’re in Austin.', 'we are in Ottawa.'),
    );
    await done('replace_text', { from: 'Austin', to: 'Ottawa' });
    const [note, ...others] = await workspace.warnings();
    expect(note).to.match(/^\/: "we're in Austin" .*\bfront matter\b.*; "Austin" /);
    expect(others).to.deep.equal([]);
    const edits = [{ old: "title: We're in Austin", new: 'title: We are in Ottawa' }];
    await done('edit_html', { slug: '/', edits });
    expect(await workspace.warnings()).to.deep.equal([]);
  });

  it('says where the text is if only a template tag has it, since edit_html can change it', async () => {
    const { done, refusal } = openModelTools(page('<p>Acme Bakery</p>'), pages);
    await done('replace_text', { from: 'Acme', to: '{{ name }}' });
    for (const slug of [undefined, '/'])
      expect(await refusal('replace_text', { from: '{{ name }}', to: 'Brick', slug })).to.equal(
        missingTextProblems.opaque(slug ?? 'any page', '/'),
      );
    const edits = [{ old: '{{ name }}', new: 'Brick' }];
    await done('edit_html', { slug: '/', edits });
  });

  it('says where the text is if no visible text has it as words', async () => {
    const { refusal } = openModelTools(page('<p>A</p>\n<p class="old-card">Bakery</p>'), pages);
    for (const from of ['old-card', 'Baker'])
      expect(await refusal('replace_text', { from, to: 'Brick' })).to.equal(
        missingTextProblems.markup('any page', '/', 2),
      );
    expect(await refusal('replace_text', { from: 'Mill', to: 'Brick' })).to.equal(
      missingTextProblems.nowhere('any page'),
    );
  });
});
