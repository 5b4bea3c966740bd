import { resolve } from 'node:path';
import { expect } from 'chai';
import type {
  ImageListing,
  LinkListing,
} from '../../../../../src/agents/shared/tools/linksAndImages.ts';
import { pageNotFound } from '../../../../../src/agents/shared/tools/pageNotFound.ts';
import { EXPECTED_LINK_TARGET } from '../../../../../src/sites/pages/links/resolveLinkTarget.ts';
import { folderTree, memoryTree } from '../../memoryTree.ts';
import { openCalls } from './run.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';

const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));
const page = (body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>A</title></head>\n<body>${body}</body></html>\n`;

describe('link and image tools', () => {
  const open = (files: Record<string, string>) => openCalls(memoryTree(files), pages);
  const relink = async (body: string, target: string, path = 'x/a.html') => {
    const tools = open({
      [path]: page(body),
      'plans.html': page('<h2 id="pro">P</h2>'),
      'team/index.html': page(''),
      'd.pdf': '',
    });
    const slug = `/${path.replace('.html', '')}`;
    const [{ links }] = (await tools.answer<LinkListing>('list_links', { slug })) as [
      LinkListing[number],
    ];
    await tools.edit('set_link', { slug, id: links[0]!.id, target });
    return /<body>([\s\S]*)<\/body>/.exec(tools.changed().get(path)!)![1];
  };

  it('list links by page and by text, with the pages that they link to', async () => {
    const { answer } = openCalls(demo, pages);
    const listing = await answer<LinkListing>('list_links', {
      slug: '/locations/austin',
      text: 'start your AUSTIN project',
    });
    expect(listing).to.have.length(1);
    expect(listing[0]!.links).to.have.length(1);
    expect(listing[0]!.links[0]).to.include({
      role: 'button',
      text: 'Start your Austin project',
      href: '../contact',
      slug: '/contact',
    });
    const everywhere = await answer<LinkListing>('list_links', { text: 'Pricing' });
    expect(everywhere.map(({ slug }) => slug)).to.include.members([
      '/',
      '/about',
      '/locations/austin',
    ]);
    expect(
      everywhere.flatMap(({ links }) => links).every(({ slug }) => slug === '/pricing'),
    ).to.equal(true);
  });

  it('write a target in the style of the link, and no other byte', async () => {
    const rows: [string, string, string][] = [
      [
        '<a class=b href="../contact" id=x>A &amp; b</a>',
        '/plans',
        '<a class=b href="../plans" id=x>A &amp; b</a>',
      ],
      ['<a href="/contact">A</a>', '/plans#pro', '<a href="/plans#pro">A</a>'],
      ['<a href="../contact.html?x">A</a>', '/plans', '<a href="../plans.html">A</a>'],
      ['<a href="/contact.html">A</a>', '/team', '<a href="/team/index.html">A</a>'],
      ['<a href="/contact">A</a>', '/team', '<a href="/team/">A</a>'],
      [
        '<a href="mailto:a@b.example">A</a><a href="../c.html">B</a>',
        '/plans',
        '<a href="../plans.html">A</a><a href="../c.html">B</a>',
      ],
      ["<a href='#'>A</a>", '/plans?a=1&b=2', "<a href='/plans?a=1&amp;b=2'>A</a>"],
      ['<a href=old>A</a>', '/d.pdf', '<a href="../d.pdf">A</a>'],
      [
        '<a href="">A</a>',
        'https://x.example/?a="b"'.replaceAll('"', "'"),
        '<a href="https://x.example/?a=\'b\'">A</a>',
      ],
      ['<a href="/x">A</a><p id=y>', '#y', '<a href="#y">A</a><p id=y>'],
      ['<a href="/x">A</a>', 'tel:+1555', '<a href="tel:+1555">A</a>'],
    ];
    for (const [before, target, after] of rows)
      expect(await relink(before, target), target).to.equal(after);
  });

  it('reject missing targets, and schemes that run or contain something', async () => {
    const { answer, refusal, changed } = openCalls(demo, pages);
    const [{ links }] = (await answer<LinkListing>('list_links', {
      slug: '/',
      text: 'Pricing',
    })) as [LinkListing[number]];
    const set = (target: string) => refusal('set_link', { slug: '/', id: links[0]!.id, target });
    const schemes = [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
      'java\tscript:x',
    ];
    const forms = [
      '//evil.example',
      'https:evil.example',
      'https://',
      'https://a@b.example/',
      'http:\\\\x',
      'pricing',
      '',
      ' /pricing',
      '/\\evil.example',
      'https://x.example/"><script>',
      'tel:not-a-phone',
      'tel:#REF!',
      'sms:call-us',
      'mailto:not-an-email',
      'mailto:#N/A',
    ];
    for (const target of [...schemes, ...forms])
      expect(await set(target), target).to.equal(EXPECTED_LINK_TARGET);
    for (const target of ['/nope', '/pricing/nope', '/../pricing', '/.git/config'])
      expect(await set(target), target).to.include(pageNotFound(''));
    expect(await set('#nope')).to.match(/^\/ .* "#nope"$/);
    expect(await set('/pricing#nope')).to.match(/^\/pricing .* "#nope"$/);
    expect(await refusal('set_link', { slug: '/', id: 's1.alt', target: '/pricing' })).to.match(
      /"s1.alt"/,
    );
    expect([...changed()]).to.deep.equal([]);
  });

  it('no longer name a broken link after it was fixed', async () => {
    const { answer, edit, workspace } = open({
      'index.html': page('<a href="/old">Old</a>'),
      'old.html': page(''),
      'new.html': page(''),
    });
    await edit('delete_page', { slug: '/old' });
    const [{ links }] = (await answer<LinkListing>('list_links', { slug: '/' })) as [
      LinkListing[number],
    ];
    await edit('set_link', { slug: '/', id: links[0]!.id, target: '/new' });
    expect(await workspace.warnings()).to.deep.equal([]);
  });

  it('write the text of an image that has a text, an empty one or none, as text', async () => {
    const body =
      '<img src="/a/One%20b.png" alt="Old"><img alt src=two.svg><img src="data:image/png;base64,AA"/><input type=image src=three.gif alt=x>';
    const { answer, edit, changed } = open({ 'index.html': page(body) });
    const images = await answer<ImageListing>('list_images', { slug: '/' });
    expect(images.map(({ file, alt }) => [file, alt])).to.deep.equal([
      ['One b.png', 'Old'],
      ['two.svg', ''],
      ['', ''],
      ['three.gif', 'x'],
    ]);
    for (const { id } of images) await edit('set_alt', { slug: '/', id, text: '"<1>" & <b>' });
    const text = '&quot;&lt;1&gt;&quot; &amp; &lt;b&gt;';
    expect(changed().get('index.html')).to.equal(
      page(
        `<img src="/a/One%20b.png" alt="${text}"><img alt="${text}" src=two.svg><img alt="${text}" src="data:image/png;base64,AA"/><input type=image src=three.gif alt="${text}">`,
      ),
    );
  });
});
