import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools } from './site.ts';

const berlin = '{\n  "slug": "berlin",\n  "title": "Berlin",\n  "cards": [{ "text": "Shops" }]\n}';
const rome = '---\n  slug: rome\n  title: Rome\n---\n';
const [inJson, inYaml] = ['cities.json#berlin', '_data/towns.yml#rome'];

describe('the tools on entries of data files', () => {
  const open = () => {
    const tools = openModelTools(memoryTree({ [inJson]: berlin, [inYaml]: rome }), pages);
    const finish = () =>
      tools.workspace.runTurn({
        text: '',
        toolCalls: [{ id: 'f', name: 'finish', arguments: { summary: 'A change' } }],
      });
    return { ...tools, finish };
  };

  it('list and outline entries as they do pages', async () => {
    const { done } = open();
    expect((await done('list_pages', {})).split('\n')).to.have.members([
      '/cities/berlin Berlin',
      '/_data/towns/rome Rome',
    ]);
    expect(await done('read_page', { slug: '/cities/berlin' })).to.include('cards.0.text: Shops');
    expect(await done('read_html', { slug: '/_data/towns/rome' })).to.equal(
      '1: ---\n2:   slug: rome\n3:   title: Rome\n4: ---',
    );
  });

  it('change no other byte of an entry', async () => {
    const { done, changed, finish } = open();
    await done('edit_html', {
      slug: '/cities/berlin',
      edits: [
        { old: '"Shops"', new: '"Houses"' },
        { lines: [3, 3], new: '  "title": "Our Berlin",' },
      ],
    });
    await done('replace_text', { from: 'Rome', to: 'Roma' });
    expect(changed().get(inJson)).to.equal(
      berlin.replace('Shops', 'Houses').replace('"Berlin"', '"Our Berlin"'),
    );
    expect(changed().get(inYaml)).to.equal(rome.replace('Rome', 'Roma'));
    expect((await finish()).finished).to.equal(true);
  });

  const broken: [
    what: string,
    slug: string,
    edit: { old: string; new: string },
    problem: RegExp,
  ][] = [
    ['JSON', '/cities/berlin', { old: '"title"', new: '"title' }, /line 3, .*not valid JSON/],
    ['YAML', '/_data/towns/rome', { old: '  slug', new: 'slug' }, /line 2, .*not valid YAML/],
    ['no name', '/_data/towns/rome', { old: '  slug: rome\n', new: '' }, /end with "rome"/],
    ['another name', '/cities/berlin', { old: '"berlin"', new: '"bonn"' }, /end with "berlin"/],
    [
      'a text below it',
      '/_data/towns/rome',
      { old: 'Rome\n---\n', new: 'Rome\n---\nA\n' },
      /has no text besides/,
    ],
  ];
  for (const [what, slug, edit, problem] of broken)
    it(`refuse to finish with an entry that has ${what}, and say where`, async () => {
      const { done, finish } = open();
      expect(await done('edit_html', { slug, edits: [edit] })).to.match(problem);
      const { finished, results } = await finish();
      expect(finished).to.equal(false);
      expect(results[0]!.content).to.match(problem);
    });
});
