import { expect } from 'chai';
import { all, attribute, type DemoPage, fileAt, pages, read } from './pages.ts';

const origin = 'https://www.northwind.example';
const content = pages.filter(({ file }) => file !== '404.html');
const sitemap = [...read('sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc);

describe('the demo site', () => {
  it('names every page once in the sitemap, and the sitemap in robots.txt', () => {
    expect(sitemap).to.have.members(content.map(({ path }) => origin + path));
    expect(read('robots.txt')).to.include(`Sitemap: ${origin}/sitemap.xml`);
  });

  for (const page of pages) describe(page.file, () => checks(page));
});

function checks(page: DemoPage) {
  it('is HTML without parse errors and with unique IDs', () => {
    expect(page.errors).to.deep.equal([]);
    const ids = page.elements
      .map((element) => attribute(element, 'id'))
      .filter((id) => id !== undefined);
    expect(ids).to.have.length(new Set(ids).size);
  });

  it('has its landmarks and an outline without gaps', () => {
    for (const name of ['main', 'h1', 'title'])
      expect(all(page, name).filter(isOfHtml), name).to.have.length(1);
    const levels = all(page, 'h1', 'h2', 'h3', 'h4').map(({ tagName }) => Number(tagName[1]));
    levels.reduce((before, level) => (expect(level).to.be.at.most(before + 1), level), 0);
    expect(attribute(all(page, 'html')[0]!, 'lang')).to.equal('en');
  });

  it('links only to existing targets', () => {
    const base = new URL(page.path, origin);
    for (const [element, url] of links(page)) {
      const target = new URL(url, base);
      if (['mailto:', 'tel:'].includes(target.protocol)) continue;
      expect(target.origin, url).to.equal(origin);
      const file = fileAt(target.pathname);
      expect(file, `${element} ${url}`).not.to.equal(undefined);
      if (target.hash) expect(read(file!), url).to.include(`id="${target.hash.slice(1)}"`);
    }
  });

  it('refers to no host but its own', () => {
    const hosts = [...page.source.matchAll(/https?:\/\/([^/"\s]+)/g)].map(([, host]) => host);
    expect(new Set([...hosts, 'www.northwind.example', 'schema.org'])).to.have.property('size', 2);
  });
}

function links(page: DemoPage): [string, string][] {
  const place = { a: 'href', link: 'href', img: 'src', source: 'srcset', script: 'src' } as Record<
    string,
    string
  >;
  return page.elements.flatMap((element): [string, string][] => {
    const name = place[element.tagName];
    const url = name === undefined ? undefined : attribute(element, name);
    return url === undefined ? [] : [[element.tagName, url]];
  });
}

const isOfHtml = (element: { namespaceURI: string }) => element.namespaceURI.endsWith('xhtml');
