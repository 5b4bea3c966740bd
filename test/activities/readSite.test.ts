import { expect } from 'chai';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UNREACHABLE_PROBLEM } from '../../src/sites/git/command/gitFailure.ts';
import { templateNotFoundError } from '../../src/sites/pages/templates.ts';
import { cityItem, commitPages, failed, TaskSite, TEMPLATE } from '../helpers/activities.ts';

describe('readSite', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(async () => void (site = await TaskSite.create()));
  after(() => site?.remove());

  const request = (targets: string[] = ['/locations/lisbon'], template = TEMPLATE) => ({
    task: site.task(),
    templatePageSlug: template,
    targetPageSlugs: targets,
  });

  it('reads the same base, template and targets when it is repeated, even if the branch has moved', async () => {
    const argument = request(['/locations/porto']);
    const first = await site.worker().readSite(argument);
    site.workplace.push({
      'locations/denver.html': '<h1>Other</h1>',
      'locations/porto.html': '<h1>Hand</h1>',
    });
    expect(await site.worker().readSite(argument)).to.deep.equal(first);
    expect(first.base).to.not.equal(site.workplace.head());
    expect(first.targets).to.deep.equal([
      { slug: '/locations/porto', path: 'locations/porto.html', existing: false },
    ]);
  });

  it('fails at once if the template is missing', async () => {
    expect(
      await failed(site.worker().readSite(request(undefined, '/locations/atlantis'))),
    ).to.deep.equal({
      type: 'TEMPLATE_NOT_FOUND',
      message: templateNotFoundError('/locations/atlantis').message,
      retryable: false,
    });
  });

  it('rejects a template that is a symbolic link, because no visitor gets it', async () => {
    symlinkSync('austin.html', join(site.workplace.clone, 'locations/linked.html'));
    site.workplace.push({});
    expect(
      await failed(site.worker().readSite(request(undefined, '/locations/linked'))),
    ).to.deep.include({
      type: 'TEMPLATE_NOT_FOUND',
      retryable: false,
    });
  });

  it('rejects a target page that a person created', async () => {
    expect(await failed(site.worker().readSite(request(['/locations/denver'])))).to.deep.equal({
      type: 'PAGE_EXISTS',
      message: 'Page already exists: /locations/denver',
      retryable: false,
    });
  });

  it('accepts a target page that this service changed last, until somebody changes it by hand', async () => {
    const worker = site.worker();
    await worker.publish(await commitPages(worker, site.task(), [cityItem('Lisbon')]));
    const { targets } = await worker.readSite(request());
    expect(targets).to.deep.equal([
      { slug: '/locations/lisbon', path: 'locations/lisbon.html', existing: true },
    ]);
    site.workplace.push({ 'locations/lisbon.html': '<h1>By hand</h1>' });
    expect((await failed(worker.readSite(request()))).type).to.equal('PAGE_EXISTS');
  });

  it('fails at once if the site is not registered any more or has no repository', async () => {
    const gone = {
      ...request(),
      task: site.task({ siteId: '00000000-0000-4000-8000-000000000000' }),
    };
    expect(await failed(site.worker().readSite(gone))).to.deep.equal({
      type: 'NOT_FOUND',
      message: 'Site not found',
      retryable: false,
    });
    const { organizationId } = site;
    const { siteId } = await site.sites.create({ organizationId, name: 'Bare', repository: null });
    expect(
      await failed(site.worker().readSite({ ...request(), task: site.task({ siteId }) })),
    ).to.deep.equal({
      type: 'SITE_WITHOUT_REPOSITORY',
      message: 'Site is missing repository information',
      retryable: false,
    });
  });

  it('asks for another attempt if the remote does not answer', async () => {
    const siteId = await site.register('https://127.0.0.1:1/team/site.git');
    const failure = await failed(
      site.worker().readSite({ ...request(), task: site.task({ siteId }) }),
    );
    expect(failure).to.deep.include({ type: 'GIT_FAILED', retryable: true });
    const [start, ...others] = failure.message.split(UNREACHABLE_PROBLEM);
    expect(start).to.include(' 127.0.0.1:1/team/site.git ');
    expect(others).to.deep.equal(['']);
  });

  it('fails at once if there is no repository, without naming a path of this machine', async () => {
    const siteId = await site.register(
      pathToFileURL(join(site.workplace.folder, 'nothing.git')).href,
    );
    const failure = await failed(
      site.worker().readSite({ ...request(), task: site.task({ siteId }) }),
    );
    expect(failure).to.deep.include({ type: 'GIT_FAILED', retryable: false });
    expect(failure.message).to.not.include(site.workplace.folder);
  });
});
