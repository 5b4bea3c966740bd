import { expect } from 'chai';
import { linkPages } from '../../activities/linkPages.ts';
import { unlistedPageNote } from '../../src/sites/pages/links/linkNotes.ts';
import { testPages as pages } from '../helpers/threads.ts';
import { texts } from '../helpers/texts.ts';
import { memoryTree } from '../unit/agents/memoryTree.ts';

const html = (title: string, content: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${content}</body></html>`;
const team = (list: string) =>
  html(
    'Team',
    `<script type="application/ld+json">{"@type":"${list}","itemListElement":[{"@type":"ListItem","url":"/team/ada"}]}</script>
    <ul><li><a href="/team/ada">Ada Lovelace</a> <a href="tel:+15125550142">+1 512 555 0142</a></li><li><a href="/team/bob">Bob</a> <a href="tel:+15125550143">+1 512 555 0143</a></li></ul>`,
  );
const ada = html('Ada Lovelace', '<p>Call <a href="tel:+15125550142">+1 512 555 0142</a></p>');

describe('linkPages', () => {
  async function linked(list: string) {
    const tree = memoryTree({ 'team.html': team(list), 'team/ada.html': ada });
    const template = { path: 'team/ada.html', source: ada };
    const { slots } = await pages.readTemplate(template, []);
    const phone = slots.find(({ text }) => text.includes('512'))!;
    const changed = { [phone.id]: phone.text.replace('+1 512 555 0142', '01 234 56 78') };
    const eva = {
      slug: '/team/eva',
      path: 'team/eva.html',
      texts: changed,
      country: 'AT',
      existing: false,
    };
    return linkPages(
      { pages, texts },
      { tree, template, siblings: [], pages: [eva], linkFrom: '/team' },
    );
  }

  it('reports that a list for search engines has the template but not the new page', async () => {
    const said = (notes: { text: string }[]) =>
      notes.filter(({ text }) => text.includes('structured data'));
    expect(said((await linked('ItemList')).notes)).to.deep.equal([
      unlistedPageNote('/team/eva', '/team'),
    ]);
    expect(said((await linked('BreadcrumbList')).notes)).to.deep.equal([]);
  });

  it('lets the block dial a national number in the country of the new page', async () => {
    const { page } = await linked('ItemList');
    expect(page?.after).to.contain('<a href="tel:+4312345678">01 234 56 78</a>');
    expect(page?.after).to.contain('<a href="tel:+15125550142">+1 512 555 0142</a>');
  });
});
