import { expect } from 'chai';
import { join } from 'node:path';
import { createPageReviewer } from '../../../../../src/agents/rules/checks/reviewPages.ts';
import { reviewLimits } from '../../../../../src/contract/reviews/pageReviews.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../../../../src/sites/git/repository.ts';
import { failureOf, onBranch, Workplace } from '../../../../helpers/team/workplace.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { testPages as pages, testTexts as texts } from '../../../../helpers/threads.ts';

const page = (town: string, phone: string) =>
  `<!doctype html>\n<title>${town}</title>\n<h1>Web design in ${town}</h1>\n` +
  `<p>We know ${town} well.</p>\n<p>Call ${phone}</p>\n<p>All prices include hosting.</p>\n`;

describe('createPageReviewer', () => {
  let place: Workplace;
  let repositories: GitRepositories;
  beforeEach(() => {
    place = new Workplace();
    repositories = createRepositories({
      dataDir: join(place.folder, 'reviews'),
      launcher: testLauncher,
    });
  });
  afterEach(async () => {
    await repositories.close();
    await place.remove();
  });
  const work = { organizationId: 'org-1' };
  const site = () => ({
    siteId: 'site-1',
    ...work,
    repository: { url: place.url, branch: 'main', root: '' },
  });
  const reviewer = () => createPageReviewer({ repositories, pages, texts });
  const reviewed = (...slugs: string[]) => slugs.map((slug) => ({ slug, template: '/austin' }));

  it('lists what differs from the template on each page, odd pages first', async () => {
    const base = onBranch(place.push({ 'austin.html': page('Austin', '512 555 0100') }));
    const towns = ['lisbon', 'porto', 'faro', 'braga', 'evora'];
    const shown = onBranch(
      place.push({
        ...Object.fromEntries(
          towns.map((town, index) => [`${town}.html`, page(town, `22 555 010${index}`)]),
        ),
        'faro.html': page('faro', '#REF!'),
      }),
    );
    const request = {
      site: site(),
      base,
      shown,
      pages: reviewed(...towns.map((t) => `/${t}`), '/gone'),
    };
    const found = await reviewer().compare(request, work);
    expect(found.omitted).to.equal(0);
    expect(found.pages.map(({ slug }) => slug)).to.deep.equal([
      '/faro',
      '/lisbon',
      '/porto',
      '/braga',
      '/evora',
    ]);
    // the title and a paragraph name the town too
    expect(found.places.map(({ role, text, words }) => [role, text, words])).to.deep.equal([
      ['heading', 'Web design in Austin', 'Austin'],
      ['paragraph', 'Call 512 555 0100', '512 555 0100'],
    ]);
    const [odd, plain] = found.pages;
    const phone = found.places[1]!.placeId;
    expect(odd!.oddities).to.deep.equal([{ code: 'junk', placeId: phone }]);
    expect(odd!.texts.find(({ placeId }) => placeId === phone)!.text).to.equal('Call #REF!');
    expect(plain).to.deep.include({ oddities: [] });
    expect(plain!.version).to.match(/^[0-9a-f]{40}$/);
    expect(plain!.texts.map(({ text }) => text)).to.deep.equal([
      'Web design in lisbon',
      'Call 22 555 0100',
    ]);
  });

  it('compares all of hundreds of pages with many texts, and answers little for each', async () => {
    const longPage = (town: string) =>
      `${page(town, '1')}${`<p>${town} ${'is a place with shops '.repeat(6)}</p>\n`.repeat(40)}`;
    const names = Array.from({ length: 200 }, (_, index) => `town-${index}`);
    const base = onBranch(place.push({ 'austin.html': longPage('Austin') }));
    const shown = onBranch(
      place.push(Object.fromEntries(names.map((name) => [`${name}.html`, longPage(name)]))),
    );
    const slugs = names.map((name) => `/${name}`);
    const found = await reviewer().compare(
      { site: site(), base, shown, pages: reviewed(...slugs) },
      work,
    );
    expect(found.omitted).to.equal(0);
    expect(found.pages.map(({ slug }) => slug)).to.have.members(slugs);
    expect(JSON.stringify(found).length).to.be.below(names.length * 300);
  });

  it('lists all texts of a page without a template, and cuts long ones', async () => {
    const base = onBranch(place.push({ 'index.html': page('Home', '1') }));
    const shown = onBranch(place.push({ 'new.html': `<h1>New</h1><p>${'long '.repeat(100)}</p>` }));
    const request = { site: site(), base, shown, pages: [{ slug: '/new', template: null }] };
    const found = await reviewer().compare(request, work);
    expect(found.places.map(({ slot, text }) => [slot, text])).to.deep.equal([
      [null, null],
      [null, null],
    ]);
    const [heading, paragraph] = found.pages[0]!.texts;
    expect(heading!.text).to.equal('New');
    expect(paragraph!.text).to.have.length(reviewLimits.textLength);
  });

  it('says that a page cannot be read, and compares the others', async () => {
    const base = onBranch(place.push({ 'austin.html': page('Austin', '1') }));
    const shown = onBranch(
      place.push({ 'a.html': page('A', '2'), 'deep.html': '<div>'.repeat(20_000) }),
    );
    const request = { site: site(), base, shown, pages: reviewed('/a', '/deep') };
    const found = await reviewer().compare(request, work);
    expect(found.pages.map(({ slug, oddities }) => [slug, oddities])).to.deep.equal([
      ['/deep', [{ code: 'unreadable' }]],
      ['/a', []],
    ]);
  });

  it('marks the texts of a page for a frame', async () => {
    const commit = onBranch(place.push({ 'a.html': page('A', '2') }));
    const crop = {
      site: site(),
      commit,
      url: 'https://preview.example/a',
      attribute: 'data-x',
      head: '<b>',
    };
    const framed = await reviewer().frame({ ...crop, slug: '/a' }, work);
    expect(framed).to.match(/<base href="https:\/\/preview.example\/a" target="_self"><b>/);
    expect(framed).to.match(/<h1 data-x="s\w+ 0">/);
    expect(await failureOf(reviewer().frame({ ...crop, slug: '/b' }, work))).to.include({
      code: 'NOT_FOUND',
    });
  });
});
