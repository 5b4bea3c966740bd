import { resolve } from 'node:path';
import { expect } from 'chai';
import type { GroupListing } from '../../../../../src/agents/shared/tools/groupMembers.ts';
import type { LinkListing } from '../../../../../src/agents/shared/tools/linksAndImages.ts';
import type { PageReading } from '../../../../../src/agents/shared/tools/searchPages.ts';
import { folderTree } from '../../memoryTree.ts';
import { openCalls } from './run.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));
const slug = '/pricing';

describe('ids of a page', () => {
  const open = async () => {
    const tools = openCalls(demo, pages);
    const read = async () => (await tools.answer<PageReading>('read_slots', { slug })).slots;
    const groups = await tools.answer<GroupListing>('list_groups', { slug });
    const cards = groups.find(({ role }) => role === 'card')!;
    const texts = async () => new Map((await read()).map(({ id, text }) => [id, text]));
    const links = async () => (await tools.answer<LinkListing>('list_links', { slug }))[0]!.links;
    return { ...tools, read, cards, texts, links };
  };
  const items = [['New', '$1', 'Text', 'Choose New']];

  /** Every id that was there before names the text that it named. */
  const expectSame = (before: Map<string, string>, after: Map<string, string>) => {
    const lost = [...before.keys()].filter((id) => !after.has(id));
    expect(lost).to.deep.equal([]);
    for (const [id, text] of before) if (after.has(id)) expect(after.get(id), id).to.equal(text);
  };

  it('stay when a member is added, which gets new IDs', async () => {
    const { edit, cards, texts, links, changed } = await open();
    const [before, linksBefore] = [await texts(), await links()];
    const price = [...before].findLast(([, text]) => text === '$18,000')![0];
    const args = { slug, group: cards.id, after: 0 };
    await edit('add_items', { ...args, items });
    const after = await texts();
    expectSame(before, after);
    const added = [...after.keys()].filter((id) => !before.has(id));
    expect(added.every((id) => id.startsWith('n'))).to.equal(true);
    expect(added).to.have.length(4);
    expect((await links()).filter(({ id }) => !id.startsWith('n'))).to.deep.equal(linksBefore);
    await edit('set_texts', {
      slug,
      edits: [
        { id: price, text: '$19,000' },
        { id: added[1], text: '$2' },
      ],
    });
    await edit('set_link', {
      slug,
      id: linksBefore.findLast(({ text }) => text === 'Choose Atlas')!.id,
      target: '/about',
    });
    expect(changed().get('pricing.html'))
      .to.contain('<h3>New</h3>\n              <p class="amount">$2</p>')
      .and.to.contain('<td class="price"><strong>$19,000</strong></td>')
      .and.to.match(/<a class="button quiet" href="about">Choose Atlas/);
  });
});
