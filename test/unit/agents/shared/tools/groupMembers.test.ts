import { expect } from 'chai';
import type { RulesEdit } from '../../../../../src/agents/shared/tools/rulesCalls.ts';
import {
  type GroupListing,
  memberProblems,
} from '../../../../../src/agents/shared/tools/groupMembers.ts';
import { removalSentences } from '../../../../../src/agents/shared/tools/removePagePart.ts';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openCalls } from './run.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const page = (items: string) => `<h1>A</h1><h2>Plans</h2>\n<ul>\n${items}</ul>\n`;
const item = (name: string, text = `<b>${name}</b> is fine`) =>
  `  <li><h3>${name}</h3><p>${text}</p></li>\n`;

describe('group tools', () => {
  const open = async () => {
    const tools = openCalls(memoryTree({ 'index.html': page(item('One') + item('Two')) }), pages);
    const [group] = (await tools.answer<GroupListing>('list_groups', { slug: '/' })) as [
      GroupListing[number],
    ];
    return { ...tools, group, now: () => tools.changed().get('index.html') };
  };

  it('list repeated blocks with the texts of each member', async () => {
    const { group } = await open();
    expect(group).to.include({ role: 'card', section: 'Plans', pattern: 1 });
    expect(group.members.map((texts) => texts.map(({ role, text }) => [role, text]))).to.deep.equal(
      [
        [
          ['heading', 'One'],
          ['paragraph', '<1>One</1> is fine'],
        ],
        [
          ['heading', 'Two'],
          ['paragraph', '<1>Two</1> is fine'],
        ],
      ],
    );
  });

  it('add a member with its own texts at the chosen position, and remove it again', async () => {
    const { edit, group, now, workspace } = await open();
    const texts = ['<i>New</i> \\<1>', 'All <1>new</1> & "good"'];
    await edit('add_items', { slug: '/', group: group.id, after: 0, items: [texts] });
    const added = item('&lt;i&gt;New&lt;/i&gt; &lt;1&gt;', 'All <b>new</b> &amp; "good"');
    expect(now()).to.equal(page(item('One') + added + item('Two')));
    await edit('remove_items', { slug: '/', group: group.id, indexes: [1] });
    expect(workspace.changes()).to.deep.equal([]);
    await edit('remove_items', { slug: '/', group: group.id, indexes: [0] });
    expect(now()).to.equal(page(item('Two')));
  });

  it('reject what does not fit, and leave the page as it was', async () => {
    const { refusal, group, workspace } = await open();
    const add = { slug: '/', group: group.id, after: 1, items: [['A', 'B']] };
    const { textCount, unknownGroup, unknownMember, lastMember } = memberProblems;
    const rows: [RulesEdit['name'], object, RegExp | string][] = [
      ['add_items', { ...add, items: [['A']] }, textCount(2, 1)],
      ['add_items', { ...add, items: [['A', '<2>B</2>']] }, /\b1 to 1 once\b/],
      ['add_items', { ...add, after: 2 }, unknownMember(group.id, 2, 2)],
      ['add_items', { ...add, group: 'g99' }, unknownGroup('g99')],
      ['add_items', { ...add, slug: '/nope' }, pageNotFound('/nope')],
      ['remove_items', { slug: '/', group: group.id, indexes: [2] }, unknownMember(group.id, 2, 2)],
      ['remove_items', { slug: '/', group: group.id, indexes: [0, 1] }, lastMember()],
    ];
    for (const [name, args, problem] of rows) {
      const answer = await refusal(name, args);
      if (typeof problem === 'string') expect(answer).to.equal(problem);
      else expect(answer).to.match(problem);
    }
    expect(workspace.changes()).to.deep.equal([]);
    expect(await workspace.warnings()).to.deep.equal([]);
  });

  it('warn about structured data that still mentions removed members, and about no other', async () => {
    const data =
      '<script type="application/ld+json">{"@type":"ItemList","name":"Two is fine","description":"All of them"}</script>';
    const source = data + page(item('One') + item('Two') + item('Three'));
    const tools = openCalls(memoryTree({ 'index.html': source }), pages);
    const removeFirst = async () => {
      const [group] = await tools.answer<GroupListing>('list_groups', { slug: '/' });
      await tools.edit('remove_items', { slug: '/', group: group!.id, indexes: [0] });
    };
    await removeFirst();
    expect(await tools.workspace.warnings()).to.deep.equal([]);
    await removeFirst();
    expect(await tools.workspace.warnings()).to.deep.equal([
      `/: ${removalSentences.name({ role: 'structured-data', text: 'Two is fine' })}`,
    ]);
  });

  it('remove the structured data of removed members, and no other', async () => {
    const entry = (name: string) =>
      `{"@type":"Thing","name":"${name}","description":"${name} is fine"}`;
    const list = (...names: string[]) =>
      `<script type="application/ld+json">{"@type":"ItemList","itemListElement":[${names.map(entry).join(',')}]}</script>`;
    const source = list('One', 'Two', 'Three') + page(item('One') + item('Two') + item('Three'));
    const tools = openCalls(memoryTree({ 'index.html': source }), pages);
    const [{ id: group }] = (await tools.answer<GroupListing>('list_groups', { slug: '/' })) as [
      GroupListing[number],
    ];
    await tools.edit('remove_items', { slug: '/', group, indexes: [1] });
    expect(tools.changed().get('index.html')).to.equal(
      list('One', 'Three') + page(item('One') + item('Three')),
    );
    expect(await tools.workspace.warnings()).to.deep.equal([]);
  });

  it('add notes about empty texts', async () => {
    const { edit, group, workspace } = await open();
    const notes = [{ page: '/', kind: 'title', text: 'the title is empty', value: '' }];
    await edit('add_items', {
      slug: '/',
      group: group.id,
      after: 0,
      items: [['A', '<1>B</1>']],
      notes,
    });
    expect(await workspace.notes()).to.deep.equal(notes);
  });
});
