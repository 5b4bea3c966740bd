import { expect } from 'chai';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { corpus } from '../../corpus.ts';
import { casesIn } from '../../../../helpers/cases.ts';

/** Texts of a template's locked slots. */
function lockedTexts(template: string, ...siblings: string[]): string[] {
  const pages = siblings.map((source, i) => ({ path: `sibling${i}.html`, source }));
  const { slots } = pageCalls.readTemplate({ path: 'template.html', source: template }, pages);
  return slots.filter(({ locked }) => locked).map(({ text }) => text);
}

const nav = (active: string) =>
  `<header><a href="/">Acme</a><nav><ul>${['Home', 'Shops', 'About']
    .map((name) =>
      name === active
        ? `<li class="on"><span aria-current="page">${name}</span>`
        : `<li><a href="../${name}">${name}</a>`,
    )
    .join('')}</ul></nav></header>`;
const footer = '<footer><p>© 2026 <a href="/">Acme</a> Ltd</p></footer>';
const page = (title: string, main: string) =>
  `<title>${title}</title>${nav(title)}<main><h1>${title}</h1>${main}</main>${footer}`;
const everywhere = ['Acme', 'Home', 'Shops', 'About', '© 2026 <1>Acme</1> Ltd'];

describe('the chrome of a page', () => {
  const home = page('Home', '<section><p>Welcome</p><p>Ships free</p></section>');
  const shops = page(
    'Shops',
    '<ul><li>One</li><li>Two</li></ul><section><p>Ships free</p></section>',
  );
  const about = page(
    'About',
    '<h2>Us</h2><p>Hello</p><h2>You</h2><table><tr><td>x</td></tr></table><section><p>Ships free</p></section>',
  );

  it('locks navigation and footer, whichever link is active', () => {
    expect(lockedTexts(shops, home, about)).to.include.members(everywhere);
    expect(lockedTexts(shops, home)).to.include.members(everywhere);
  });

  it('locks a banner that most other pages show at the same position', () => {
    expect(lockedTexts(shops, home, about)).to.include('Ships free');
  });

  it('locks nothing without siblings', () => {
    expect(lockedTexts(shops)).to.deep.equal([]);
  });

  it("leaves a page's title and first heading open beside its own copy", () => {
    expect(lockedTexts(shops, shops, shops)).to.have.members(everywhere);
  });

  it('leaves open what pages of the same template share', () => {
    const shop = (city: string) =>
      page(city, `<h2>Opening hours</h2><p>In ${city}</p><h2>What we sell</h2><p>Bread</p>`);
    expect(lockedTexts(shop('Austin'), shop('Boston'), shop('Chicago'), home)).to.have.members(
      everywhere,
    );
  });

  it('leaves open what only a few siblings show', () => {
    const other = '<title>Other</title><main><p>Other</p></main>';
    expect(lockedTexts(shops, home, other, other)).to.deep.equal([]);
  });

  it('leaves the current page of a breadcrumb open although the navigation names it', () => {
    const crumbs = (name: string) =>
      page(name, `<p>${name} text</p>`).replace(
        '<main>',
        `<nav aria-label="Breadcrumb"><ol><li><a href="/">Home</a><li>${name}</ol></nav><main>`,
      );
    const { slots } = pageCalls.readTemplate({ path: 't.html', source: crumbs('Shops') }, [
      { path: 'a.html', source: crumbs('About') },
      { path: 'b.html', source: crumbs('Home') },
    ]);
    expect(
      slots.filter(({ text }) => text === 'Shops').map(({ role, locked }) => `${role} ${locked}`),
    ).to.deep.equal(['title false', 'list-item true', 'list-item false', 'heading false']);
  });

  it("ignores a sibling that can't be read", () => {
    expect(lockedTexts(shops, home, '<b>'.repeat(1000))).to.include.members(everywhere);
  });

  it('rejects a text for a locked slot', () => {
    const template = { path: 'a.html', source: shops };
    const siblings = [{ path: 'b.html', source: home }];
    const { digest, slots } = pageCalls.readTemplate(template, siblings);
    const id = slots.find(({ locked }) => locked)?.id ?? '';
    const target = { slug: '/c', path: 'c.html' };
    expect(() =>
      pageCalls.create({ template, target, texts: { [id]: 'x' }, sitePaths: [], digest, siblings }),
    )
      .to.throw(id)
      .with.property('code', 'INVALID_INPUT');
  });

  for (const { name, pages } of corpus)
    it(`locks navigation and footer of ${name} on every page, and no heading of the content`, () => {
      for (const template of casesIn(pages)) {
        if (template.path === '404.html') continue;
        const { slots } = pageCalls.readTemplate(
          template,
          pages.filter(({ path }) => path !== template.path).slice(0, 12),
        );
        const links = slots.filter(
          ({ role, section, locked }) => role === 'link' && section === null && locked,
        );
        expect(links.length, template.path).to.be.greaterThan(5);
        expect(
          slots.filter(({ level, locked }) => level === 1 && locked),
          template.path,
        ).to.deep.equal([]);
        expect(
          slots.find(({ text }) => text.includes('©') || text.includes('Copyright'))?.locked,
          template.path,
        ).to.equal(true);
      }
    });
});
