import { expect } from 'chai';
import { commitTask, type Host, startHost } from './host.ts';

const redirects = [
  '/old /about',
  '/about /elsewhere',
  '/forced /about 302!',
  '/services /about 301!',
  '/blog/* /news/:splat 303',
  '/go https://other.example/x',
  '/a\u0001b /c\u0001d\r',
  '',
].join('\n');
const files = {
  'index.html': 'home',
  'about.html': 'about',
  'forced.html': 'forced',
  'services/index.html': 'services',
  _redirects: redirects,
  'vercel.json': '{}',
  'deep/vercel.json': '{}',
};

describe("serveSites with the hosts' redirect files", () => {
  let host: Host;
  let taskId: string;

  before(async () => {
    host = await startHost();
    host.team.push(files);
    await host.hosting.ensureLive(host.site);
    const task = await commitTask(host, { _redirects: `${redirects}/mine /services/\n` });
    taskId = task.taskId;
    await host.hosting.deployPreview({ site: host.site, ...task, pages: [] });
  });
  after(() => host.close());

  const led: [string, number, string][] = [
    ['/old', 301, '/about'],
    ['/old/?a=1', 301, '/about?a=1'],
    ['/forced', 302, '/about'],
    ['/services', 301, '/about'],
    ['/services/', 301, '/about'],
    ['/blog/2024/x', 303, '/news/2024/x'],
    ['/blog//other.example', 303, '/news//other.example'],
    ['/go', 301, 'https://other.example/x'],
  ];
  for (const [target, status, location] of led)
    it(`redirects ${target} with ${status} to ${location}, live and in previews`, async () => {
      for (const answer of [await host.live(target), await host.preview(taskId, target)]) {
        expect(answer.status).to.equal(status);
        expect(answer.headers).to.include({ location, 'x-content-type-options': 'nosniff' });
        expect(answer.headers['cache-control']).to.contain('no-cache');
      }
      expect((await host.preview(taskId, target)).headers).to.include({
        'referrer-policy': 'no-referrer',
      });
    });

  it('answers HEAD in the same way without content', async () => {
    const { status, headers, body } = await host.live('/old', {}, 'HEAD');
    expect({ status, location: headers['location'], length: body.length }).to.deep.equal({
      status: 301,
      location: '/about',
      length: 0,
    });
  });

  it('prefers a file to a redirect that is not forced', async () => {
    expect(await host.live('/about')).to.include({ status: 200, text: 'about' });
    const { status, headers } = await host.live('/about/');
    expect({ status, location: headers['location'] }).to.deep.equal({
      status: 301,
      location: '/about',
    });
  });

  it("uses a preview's own redirects", async () => {
    expect((await host.live('/mine')).status).to.equal(404);
    expect((await host.preview(taskId, '/mine')).headers).to.include({ location: '/services/' });
  });

  it('does not serve the redirect files', async () => {
    for (const path of ['/_redirects', '/vercel.json'])
      expect((await host.live(path)).status, path).to.equal(404);
    expect((await host.live('/deep/vercel.json')).status).to.equal(200);
  });

  it('ignores a redirect file that is too large or a link', async () => {
    const task = await commitTask(host, { _redirects: `/old /about\n${'#'.repeat(500_000)}\n` });
    await host.hosting.deployPreview({ site: host.site, ...task, pages: [] });
    expect((await host.preview(task.taskId, '/old')).status).to.equal(404);
    expect((await host.preview(task.taskId, '/about')).status).to.equal(200);
  });
});
