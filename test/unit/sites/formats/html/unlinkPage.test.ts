import { expect } from 'chai';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

const slug = '/team/eve';
const unlinked = (source: string) =>
  pageCalls.rebuild(
    { path: 'team/index.html', source },
    { kind: 'remove-links', slug, withBlocks: true },
  )?.source ?? null;
const page = (content: string) =>
  `<!doctype html><html><head><title>T</title></head><body>${content}</body></html>`;

describe('everything by which a page leads to a page that is left out', () => {
  it('is removed with its card, even if the card has two links that are alike', () => {
    const card = (name: string) =>
      `\n<div class="card"><p><a href="/team/${name}">${name}</a></p><p><a href="/team/${name}">More</a></p></div>`;
    const cards = (names: string[]) => page(`<div>${names.map(card).join('')}\n</div>`);
    expect(unlinked(cards(['ada', 'bob', 'eve']))).to.equal(cards(['ada', 'bob']));
    expect(unlinked(cards(['eve', 'ada', 'bob']))).to.equal(cards(['ada', 'bob']));
  });

  it('is removed with its menu entry, its row and its list item', () => {
    const content = (eve: (html: string) => string) =>
      page(
        `<nav><ul><li><a href="/">Home</a></li>${eve('<li><a href="/team/eve">Eve</a></li>')}</ul></nav>` +
          `<table><tr><td><a href="/team/ada">Ada</a></td></tr>${eve('<tr><td><a href="/team/eve.html">Eve</a></td></tr>')}</table>` +
          `<ul><li><a href="/team/bob">Bob</a></li>${eve('<li><a href="eve">Eve</a></li>')}</ul>`,
      );
    expect(unlinked(content((html) => html))).to.equal(content(() => ''));
  });

  it('becomes text in a sentence, and in a block that also leads elsewhere', () => {
    const both =
      '<ul><li><a href="/team/ada">Ada</a> and <a href="/team/eve">Eve</a></li><li><a href="/team/bob">Bob</a></li></ul>';
    expect(unlinked(page(`<p>Ask <a href="/team/eve">Eve</a> first.</p>${both}`))).to.equal(
      page(
        '<p>Ask Eve first.</p><ul><li><a href="/team/ada">Ada</a> and Eve</li><li><a href="/team/bob">Bob</a></li></ul>',
      ),
    );
  });

  it('is nothing on a page that does not link to it', () => {
    expect(unlinked(page('<p><a href="/team/ada">Ada</a></p>'))).to.equal(null);
  });

  it('is removed from lists in Markdown', () => {
    const path = 'content/index.md';
    const change = { kind: 'remove-links', slug: '/content/eve', withBlocks: true } as const;
    const list = (eve: string) =>
      `# Team\n\n* [Ada](/content/ada)\n${eve}* [Bob](/content/bob)\n\nAsk ${eve === '' ? 'Eve' : '[Eve](./eve.md)'} first.\n`;
    const source = list('* [Eve](./eve.md) - new\n');
    expect(pageCalls.rebuild({ path, source }, change)?.source).to.equal(list(''));
  });
});
