import { resolve } from 'node:path';
import { expect } from 'chai';
import { linkPages } from '../../activities/linkPages.ts';
import { unlistedPageNote } from '../../src/sites/pages/links/linkNotes.ts';
import { testPages as pages } from '../helpers/threads.ts';
import { texts } from '../helpers/texts.ts';
import { createTemplatePage } from '../../src/agents/shared/agentTypes.ts';
import { writeRulesPage } from '../../src/agents/rules/page/writeRulesPage.ts';
import { readPageSource } from '../../src/sites/pages/pageSource.ts';
import { readSiblings } from '../../src/sites/pages/templates.ts';
import { folderTree, memoryTree } from '../unit/agents/memoryTree.ts';

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

  describe('beside the card of Austin', () => {
    const demo = folderTree(resolve(import.meta.dirname, '../../src/demo/site'));
    const stated = {
      City: 'Lisbon',
      Phone: '+351 21 555 0100',
      Address: 'Rua Augusta 1, 1100-053 Lisboa',
    };

    /** The card of Lisbon on /locations, and the texts that a note says are Austin's. */
    async function card(lines: Record<string, string>, facts: 'keep' | 'drop') {
      const template = await readPageSource(demo, 'locations/austin.html');
      const siblings = await readSiblings(demo, pages, 'locations/austin.html');
      const content = await pages.readTemplate(template, siblings);
      const context = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
      const { texts: newTexts, removed } = writeRulesPage(
        createTemplatePage({ ...content, slug: '/locations/austin' }),
        { targetPageSlug: '/locations/lisbon', context: context.join('\n'), facts },
      );
      const lisbon = {
        slug: '/locations/lisbon',
        path: 'locations/lisbon.html',
        existing: false,
        texts: newTexts,
        ...(removed && { removed }),
      };
      const { page, notes } = await linkPages(
        { pages, texts },
        { tree: demo, template, siblings, pages: [lisbon], linkFrom: '/locations' },
      );
      const [, html] = /(<article[^>]*>(?:(?!<article)[\s\S])*<h3>Lisbon<[\s\S]*?<\/article>)/.exec(
        page!.after,
      )!;
      return { html: html!, notes: notes.map(({ text }) => text).join('\n') };
    }

    it('states the address and the number of the row', async () => {
      const { html, notes } = await card(stated, 'keep');
      expect(html).to.include('Rua Augusta 1<br>1100-053 Lisboa').and.include('+351 21 555 0100');
      expect(notes).to.not.include('Juniper').and.not.include('512');
    });

    it('states no address and no number if the row has none, and facts are removed', async () => {
      const { html, notes } = await card({ City: 'Lisbon' }, 'drop');
      expect(html).to.not.include('Juniper').and.not.include('512').and.not.include('<p></p>');
      expect(html).to.include('Web design in Lisbon');
      expect(notes).to.not.include('Juniper').and.not.include('512');
    });

    it('keeps them, with a note, if facts are to be kept', async () => {
      const { html, notes } = await card({ City: 'Lisbon' }, 'keep');
      expect(html).to.include('418 Juniper Street').and.include('+1 512 555 0142');
      expect(notes).to.include('418 Juniper Street').and.include('+1 512 555 0142');
    });
  });
});
