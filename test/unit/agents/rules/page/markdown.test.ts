import { expect } from 'chai';
import { inShort, makePage } from './makePage.ts';

const template = {
  path: 'content/locations/austin.md',
  source: `---
title: Web design in Austin
description: Websites for the shops of Austin
slug: austin
draft: true
faqs:
  - question: How long does it take?
    answer: About four weeks in Austin.
  - question: Do you come to us?
    answer: We do.
---

# Web design in Austin

We work in **Austin**. Call [512-555-0100](tel:+15125550100).

## Prices

| Package | Price  |
| ------- | -----: |
| Start   | $900   |
| Shop    | $2,900 |

## Services

- Websites for shops
- Shops for websites
`,
};
const slug = '/content/locations/ottawa';
const context = `City: Ottawa
Phone: +1 613 555 0101

## Services
- Websites for cafés
- Menus
- Signs
`;

describe('a page from a template in Markdown', () => {
  it('gets the topic, the contacts and the lists of the context', () => {
    const { html, notes, faults, beside } = makePage(template, { slug, context });
    expect(html).to.equal(
      template.source
        .replaceAll('Austin', 'Ottawa')
        .replace('slug: austin', 'slug: ottawa')
        .replace('[512-555-0100](tel:+15125550100)', '[+1 613 555 0101](tel:+16135550101)')
        .replace(
          '- Websites for shops\n- Shops for websites\n',
          '- Websites for cafés\n- Menus\n- Signs\n',
        ),
    );
    expect(faults).to.deep.equal([]);
    expect(inShort(notes)).to.include('price: $900; $2,900');
    expect(beside).to.have.length(1);
  });

  it('lacks the facts that only its template has, if the request says so', () => {
    const { html, faults, written } = makePage(template, { slug, context, facts: 'drop' });
    expect(html).not.to.include('Prices').and.not.to.include('$');
    expect(html).to.include('## Services');
    expect(written.removed).to.have.length.above(0);
    expect(faults).to.deep.equal([]);
  });

  it('has notes on what its siblings have', () => {
    const siblings = ['rome', 'oslo'].map((name) => ({
      path: `content/locations/${name}.md`,
      source: `---\ntitle: Web design in Ottawa\nweight: 1\n---\n\n# ${name}\n`,
    }));
    const { notes } = makePage(template, { slug, context, siblings });
    expect(notes.map(({ text }) => text).join('\n'))
      .to.include('/content/locations/rome, /content/locations/oslo have the same title')
      .and.include('the front matter lacks what the other pages of its folder have: "weight"');
  });
});
