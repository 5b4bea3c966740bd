import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

type Tools = ReturnType<typeof openModelTools>;

/** A copy of a page with these sections only. */
async function copyOf({ done, changed }: Tools, from: string, ...headings: RegExp[]) {
  const outline = await done('read_page', { slug: from });
  const sections = headings.map((heading) => heading.exec(outline)![1]!);
  await done('create_page', { slug: '/copy', from, sections });
  const html = [...changed()].find(([path]) => path.startsWith('copy'))![1]!;
  const data = [...html.matchAll(/ld\+json">([^]*?)<\/script>/g)].map(
    ([, json]) => JSON.parse(json!) as { '@type'?: string },
  );
  return { html, data, said: JSON.stringify(data), outline };
}

const page = (data: object[], ...sections: [heading: string, text: string][]) =>
  memoryTree({
    'index.html': `<!doctype html><html lang="en"><head><title>Acme</title></head><body><h1>Acme</h1></body></html>`,
    'all.html': `<!doctype html><html lang="en"><head><title>Acme plans</title>
${data.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('\n')}
</head><body><header><p>Acme</p></header><main><h1>All of it</h1>
${sections.map(([heading, text]) => `<section><h2>${heading}</h2>${text}</section>`).join('\n')}
</main></body></html>`,
  });

const offer = (name: string) => ({ '@type': 'Offer', name, price: '48', priceCurrency: 'USD' });
const question = (name: string, text: string) => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text },
});
const plans: [string, string] = ['Plans', '<h3>Small plan</h3><p>For one.</p><h3>Large plan</h3>'];
const questions: [string, string] = [
  'Questions',
  '<h3>Is it quick?</h3><p>It takes two weeks at most.</p><h3>Who does it?</h3><p>We do all of it ourselves.</p>',
];
const faq = {
  '@type': 'FAQPage',
  mainEntity: [
    question('Is it quick?', 'It takes two weeks at most.'),
    question('Who does it?', 'We do all of it ourselves.'),
  ],
};
const product = {
  '@type': 'Product',
  name: 'Acme',
  offers: [offer('Small plan'), offer('Large plan')],
};

describe('the structured data of a page made of some sections, by a language model', () => {
  it('is that of the parts that stay: questions of a page with prices', async () => {
    const { data, said, outline } = await copyOf(
      openModelTools(demo, pages),
      '/pricing',
      /(\S+) h2 Questions/,
    );
    expect(outline).to.contain('offers[0].name');
    expect(said).not.to.contain('Offer');
    expect(said).to.contain('FAQPage').and.to.contain('running costs');
    expect(data.length).to.be.above(0);
  });

  it('loses no question that stays, and all of a list that is left out', async () => {
    const tools = openModelTools(page([product, faq], plans, questions), pages);
    const { data } = await copyOf(tools, '/all', /(\S+) h2 Questions/);
    expect(data).to.deep.equal([{ '@type': 'Product', name: 'Acme' }, faq]);
    const others = openModelTools(page([product, faq], plans, questions), pages);
    expect((await copyOf(others, '/all', /(\S+) h2 Plans/)).data).to.deep.equal([product]);
  });

  it('loses single entries of a list, and single blocks of a graph', async () => {
    const graph = { '@context': 'https://schema.org', '@graph': [faq, product] };
    const list = {
      '@type': 'ItemList',
      itemListElement: ['Small plan', 'Is it quick?'].map((name, i) => ({
        '@type': 'ListItem',
        position: i + 1,
        name,
      })),
    };
    const tools = openModelTools(page([graph, list], plans, questions), pages);
    const { data } = await copyOf(tools, '/all', /(\S+) h2 Plans/);
    expect(data).to.deep.equal([
      { '@context': 'https://schema.org', '@graph': [product] },
      { ...list, itemListElement: list.itemListElement.slice(0, 1) },
    ]);
  });

  it('keeps what no text of the page says, and everything where nothing is left out', async () => {
    const hidden = { '@type': 'Organization', name: 'Acme', founder: 'Ada', description: 'Makers' };
    const tools = openModelTools(page([hidden, product], plans, questions), pages);
    const { data } = await copyOf(tools, '/all', /(\S+) h2 Questions/);
    expect(data).to.deep.equal([hidden, { '@type': 'Product', name: 'Acme' }]);
    const whole = openModelTools(page([product, faq], plans, questions), pages);
    const { data: all } = await copyOf(whole, '/all', /(\S+) h2 Plans/, /(\S+) h2 Questions/);
    expect(all).to.deep.equal([product, faq]);
  });
});
