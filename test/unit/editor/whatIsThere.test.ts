import { expect } from 'chai';
import { type PageEditor, createEditor } from '../../../src/editor/editor.ts';
import type { OpenedPage } from '../../../src/editor/protocol.ts';
import type { EditableTask } from '../../../src/editor/editableTask.ts';
import { requireRepository } from '../../../src/sites/git/registeredSite.ts';
import { commitTask, type Host, startHost } from '../hosting/embedded/host.ts';
import { noBatches } from '../../helpers/editing.ts';
import { testNoteResolver, testPages } from '../../helpers/threads.ts';
import { begun, going } from '../../helpers/deployed.ts';
import { linkProblems } from '../../../src/editor/linksAndImages.ts';
import { emptyTextError } from '../../../src/editor/applyContentChange.ts';
import {
  EXPECTED_LINK_TARGET,
  missingAnchorError,
} from '../../../src/sites/pages/links/resolveLinkTarget.ts';

const menu = '<nav><a href="/">Home</a><a href="/about">About us</a></nav>';
const page = (name: string, body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>${name}</title></head><body>${menu}<h1>${name}</h1>${body}` +
  '<footer><p>Acme Ltd, 1 High Street</p></footer></body></html>\n';
const a = page(
  'Offers',
  '<p>Call <a href="tel:+4420123">020 123</a> or read <a href="about#team">of us</a>.</p><h2 id="more">More</h2>' +
    '<p><a href="#more">Down</a> <a href="https://else.example/x?y#z">Elsewhere</a></p>' +
    '<img src="img/shop.jpg" srcset="img/shop.jpg 1x" alt="Our shop"><img src="data:image/png;base64,AA" alt="">',
);

describe('what the editor shows of a page besides its texts', () => {
  let host: Host;
  let editor: PageEditor;
  let task: EditableTask;
  /** Whether the task is no longer as it was made. */
  let isChanged = true;
  before(async () => {
    host = await startHost();
    host.team.push({
      'index.html': page('Home', '<p>Hello</p>'),
      'about.html': page('About', '<h2 id="team">Team</h2>'),
      'contact.html': page('Contact', '<p>Write</p>'),
      'img/shop.jpg': 'jpg',
      'img/door.webp': 'webp',
      'price list.pdf': 'pdf',
    });
    editor = createEditor({
      ...host,
      ...noBatches,
      pages: testPages,
      ...testNoteResolver,
    });
  });
  after(() => host.close());
  beforeEach(async () => {
    if (!isChanged) return;
    isChanged = false;
    const { taskId, commit } = await commitTask(host, { 'offers.html': a });
    const files = [{ slug: '/offers', path: 'offers.html' }];
    await host.hosting.deployPreview({
      ...begun,
      site: host.site,
      taskId,
      commit,
      retainedBy: taskId,
      pages: files,
    });
    const { organizationId } = host;
    const pages = [{ slug: '/offers', previewUrl: 'http://preview.localhost/offers' }];
    task = { taskId, organizationId, siteId: host.site.siteId, commit, pages, notes: [] };
  });

  const textOf = ({ texts }: OpenedPage, role: string, value: string) =>
    texts.find((text) => text.role === role && text.texts[0] === value)!;
  const save = async (role: string, from: string, to: string) => {
    const opened = await editor.open(task, '/offers');
    const { id } = textOf(opened, role, from);
    const saved = await editor.save(task, '/offers', {
      digest: opened.digest,
      texts: { [id]: [to] },
    });
    isChanged = true;
    return saved;
  };
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'saved',
      (error: Error) => error.message,
    );

  it('includes links and images with their paths from the site’s root', async () => {
    const { texts } = await editor.open(task, '/offers');
    const addresses = texts.filter(({ role }) => role === 'link-target' || role === 'image-file');
    expect(addresses.map(({ section, texts: [value] }) => [section, value])).to.deep.equal([
      ['Home', '/'],
      ['About us', '/about'],
      ['020 123', 'tel:+4420123'],
      ['of us', '/about#team'],
      ['Down', '#more'],
      ['Elsewhere', 'https://else.example/x?y#z'],
      ['Our shop', '/img/shop.jpg'],
    ]);
  });

  for (const [from, to, written] of [
    ['/about#team', '/contact', 'href="contact"'],
    ['/about#team', '/price list.pdf', /href="price%20list\.pdf"/],
    [
      'https://else.example/x?y#z',
      'https://other.example/?a=b&c#d',
      'href="https://other.example/?a=b&amp;c#d"',
    ],
    ['tel:+4420123', 'mailto:shop@acme.example', 'href="mailto:shop@acme.example"'],
    ['/about', ' /contact ', /<a href="\/?contact">About us/],
  ] as const)
    it(`lets a link lead from ${from} to ${to.trim()}, and changes nothing else`, async () => {
      const { source } = await save('link-target', from, to);
      if (typeof written === 'string') expect(source).to.contain(written);
      else expect(source).to.match(written);
      expect(source.replace(/href="[^"]*"/g, '')).to.equal(a.replace(/href="[^"]*"/g, ''));
    });

  for (const [to, words] of [
    ['', linkProblems.noTarget],
    ['/nowhere', linkProblems.noPage('/nowhere')],
    ['#nothing', missingAnchorError('/offers', '#nothing').message],
    ['/about#nothing', missingAnchorError('/about', '#nothing').message],
    ['javascript:alert(1)', EXPECTED_LINK_TARGET],
    ['data:text/html,x', EXPECTED_LINK_TARGET],
    ['https://me@evil.example/', EXPECTED_LINK_TARGET],
    [`/${'x'.repeat(2_001)}`, ' 2000 characters'],
  ] as const)
    it(`rejects a link to ${to.slice(0, 40) || 'nothing'}`, async () => {
      expect(await failureOf(save('link-target', '/about#team', to))).to.include(words);
    });

  it('lets an image show another picture of the site, with its existing text', async () => {
    const { source } = await save('image-file', '/img/shop.jpg', '/img/door.webp');
    expect(source).to.contain('<img src="img/door.webp" srcset="img/door.webp" alt="Our shop">');
    const { noPicture } = linkProblems;
    for (const [to, words] of [
      ['/img/none.png', noPicture('img/none.png')],
      ['/about.html', 'Page /offers: about.html '],
      ['https://evil.example/x.png', noPicture('https://evil.example/x.png')],
      ['', noPicture('')],
    ] as const)
      expect(await failureOf(save('image-file', '/img/door.webp', to))).to.include(words);
  });

  it('includes the pages and pictures of the site', async () => {
    const { offers } = await editor.open(task, '/offers');
    expect(offers).to.deep.equal({
      pages: ['/', '/about', '/contact', '/offers'],
      images: ['/img/door.webp', '/img/shop.jpg'],
    });
  });

  it('includes which texts are also on other pages', async () => {
    const { texts } = await editor.open(task, '/offers');
    const everywhere = texts
      .filter(({ isEverywhere }) => isEverywhere)
      .map(({ texts }) => texts.join(''));
    expect(everywhere).to.deep.equal(['Home', 'About us', 'Acme Ltd, 1 High Street']);
  });

  it('includes whether the live site has the page, and whether it was edited since', async () => {
    isChanged = true;
    await host.hosting.ensureLive(host.site);
    expect((await editor.open(task, '/offers')).state).to.equal('draft');
    const { state } = await save('heading', 'Offers', 'Our offers');
    expect(state).to.equal('draft');
    await publish();
    expect((await editor.open(task, '/offers')).state).to.equal('live');
    expect((await save('heading', 'Our offers', 'Best offers')).state).to.equal('edited');
  });

  for (const [role, from, name] of [
    ['heading', 'Offers', 'headline'],
    ['heading', 'More', 'heading'],
    ['title', 'Offers', 'page title'],
    ['link', 'Home', "link's text"],
  ] as const)
    it(`rejects an empty ${role} ${from} in plain words`, async () => {
      const { message } = emptyTextError(name);
      for (const to of ['', ' \n']) expect(await failureOf(save(role, from, to))).to.equal(message);
    });

  async function publish() {
    const repository = host.repositories.open(requireRepository(host.site));
    const commit = await repository.fetchResult({ commit: task.commit, retainedBy: task.taskId });
    const head = await repository.publish({
      taskId: task.taskId,
      commit,
      retainedBy: task.taskId,
      base: await repository.fetchHead(),
      author: host.site.author,
      createdAt: new Date().toISOString(),
      isDerived: () => false,
      derive: () => Promise.resolve([]),
      merge: () => Promise.resolve(undefined),
      nameOf: (path) => path,
    });
    const live = await host.deployments.live(host.site.siteId);
    const { siteId } = host.site;
    await host.deployments.setLive({
      ...going,
      siteId,
      commit: head,
      taskId: task.taskId,
      expected: live?.commit ?? null,
    });
  }
});
