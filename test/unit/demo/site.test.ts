import { expect } from 'chai';
import {
  all,
  attribute,
  canonical,
  type DemoPage,
  fileAt,
  files,
  meta,
  pages,
  read,
  structuredData,
  text,
} from './pages.ts';

const origin = 'https://www.northwind.example';
const content = pages.filter(({ file }) => file !== '404.html');
const sitemap = [...read('sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc);

describe('the demo site', () => {
  it('has at least ten pages, in both file conventions', () => {
    expect(content.length).to.be.at.least(10);
    const folders = content.filter(({ file }) => file.endsWith('/index.html'));
    expect(folders.length).to.be.within(2, content.length - 2);
    expect(files).to.include('locations/austin.html');
  });

  it('names every page in the sitemap, once, and the sitemap in robots.txt', () => {
    expect(sitemap).to.have.members(content.map(({ path }) => origin + path));
    expect(read('robots.txt')).to.include(`Sitemap: ${origin}/sitemap.xml`);
  });

  it('gives every page a title, a description and a first heading of its own', () => {
    for (const part of [title, (page: DemoPage) => meta(page, 'description'), heading]) {
      const values = pages.map(part);
      expect(values).not.to.include(undefined);
      expect(new Set(values).size).to.equal(pages.length);
    }
  });

  it('shows the same navigation and the same footer on every page', () => {
    const [first, ...others] = pages.map(navigation);
    for (const other of others) expect(other).to.deep.equal(first);
    expect(
      new Set(
        pages.map(({ source }) => source.slice(source.indexOf('<footer class="site-footer">'))),
      ).size,
    ).to.equal(1);
  });

  it('uses relative links and links from the root, at three depths', () => {
    const links = content.flatMap((page) =>
      all(page, 'a').map((link) => attribute(link, 'href') ?? ''),
    );
    for (const form of [/^\/\w/, /^\w+$/, /^\.\//, /^\.\.\/\w/, /^\.\.\/\.\.\/\w/])
      expect(
        links.some((href) => form.test(href)),
        `${form}`,
      ).to.be.true;
  });

  it('says Austin often enough to be about Austin', () => {
    const austin = pages.find(({ file }) => file === 'locations/austin.html');
    expect(austin?.source.match(/Austin/g)).to.have.length.above(10);
    const [business] = structuredData(austin as DemoPage) as Record<string, unknown>[];
    expect(business).to.include.keys(
      'address',
      'telephone',
      'email',
      'geo',
      'openingHoursSpecification',
      'aggregateRating',
    );
  });

  it('holds every kind of structured data that the checks are about', () => {
    const source = pages.map((page) => JSON.stringify(structuredData(page))).join();
    for (const type of [
      'ProfessionalService',
      'BreadcrumbList',
      'Article',
      'FAQPage',
      'Offer',
      'Organization',
    ])
      expect(source).to.include(`"@type":"${type}"`);
  });

  for (const page of pages) describe(page.file, () => checks(page));
});

function checks(page: DemoPage) {
  it('is HTML without parse errors, with unique ids', () => {
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

  it('links only to what is there', () => {
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

  it('describes its images, names its fields and reserves the place of its pictures', () => {
    for (const image of all(page, 'img'))
      expect(image.attrs.map(({ name }) => name)).to.include.members(['alt', 'width', 'height']);
    const labels = all(page, 'label').map((label) => attribute(label, 'for'));
    for (const field of all(page, 'input', 'select', 'textarea'))
      if (attribute(field, 'type') !== 'radio') expect(labels).to.include(attribute(field, 'id'));
  });

  it('names its own place and tells it to others', () => {
    const blocks = structuredData(page);
    if (page.file === '404.html') return void expect(meta(page, 'robots')).to.equal('noindex');
    expect(canonical(page)).to.equal(origin + page.path);
    expect(meta(page, 'og:url')).to.equal(canonical(page));
    for (const name of ['og:title', 'og:description', 'og:image', 'twitter:card', 'twitter:title'])
      expect(meta(page, name), name).to.be.a('string').that.is.not.empty;
    expect(blocks).to.have.length.above(0);
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

/** The texts and the targets of the header's links, wherever the page is. */
function navigation(page: DemoPage): [string, string][] {
  const header = page.elements.find((element) => attribute(element, 'class') === 'site-header');
  const inside = page.elements.filter(
    ({ tagName, parentNode }) => tagName === 'a' && isIn(parentNode, header),
  );
  return inside.map((link) => [
    text(link),
    new URL(attribute(link, 'href') ?? '', origin + page.path).href,
  ]);
}

function isIn(node: unknown, header: unknown): boolean {
  if (!node) return false;
  return node === header || isIn((node as { parentNode?: unknown }).parentNode, header);
}

const title = (page: DemoPage) => text(all(page, 'title')[0]!);
const heading = (page: DemoPage) => text(all(page, 'h1')[0]!);
const isOfHtml = (element: { namespaceURI: string }) => element.namespaceURI.endsWith('xhtml');
