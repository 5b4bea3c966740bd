import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';
const target = 'https://shop.partner.example/a';
const says = '\nNew to the site, which people get a note on: shop.partner.example';

describe('a host that is new to the site, for a language model', () => {
  for (const [name, args] of [
    ['set_link', { id: 's59', target }],
    ['set_link', { id: 's49', words: 'Design', target }],
    ['add_items', { group: 'g54', after: 0, items: [['A', '$1', 'B', 'C']], links: [[target]] }],
    ['insert_section', { after: 's52', html: `<p>See <a href="${target}">it</a></p>` }],
  ] as const)
    it(`is told by ${name} ${Object.keys(args).join()}`, async () => {
      const { done } = openModelTools(demo, pages);
      expect(await done(name, { slug, ...args })).to.contain(says);
      const again = await done('set_link', { slug, id: 's65', target });
      expect(again).not.to.contain('New to the site');
    });

  it('is none that the site leads to, and no page of the site', async () => {
    const { done } = openModelTools(demo, pages);
    for (const target of ['/about', '#faq', 'https://www.northwind.example/about'])
      expect(await done('set_link', { slug, id: 's59', target }).catch(() => '')).not.to.contain(
        'New to the site',
      );
  });
});
