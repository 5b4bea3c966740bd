// Takes long: a browser connects a site to a host of the team's own.
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type {
  CheckRequest,
  NewSiteRequest,
  SiteChange,
  SiteCheck,
} from '../../../src/api/siteSettings.ts';
import type { OwnHost } from '../../../src/contract/site.ts';
import type { ListedSite } from '../../../src/organizations/siteList.ts';
import { expectScreen, heading } from '../../helpers/consolePeople.ts';
import { type ConsoleService, startConsole } from '../../helpers/consoleService.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';

const webhookSecret = 'whf_shown-once';
const ownHost: OwnHost = {
  forge: 'github',
  apiUrl: 'https://api.github.com',
  project: 'acme/website',
  publish: 'pull-request',
  merge: 'automatic',
  previewReports: [],
  liveReports: [],
  reporter: 'vercel[bot]',
  hosts: ['*.vercel.app', 'www.acme.example'],
  previewUrl: null,
  liveUrl: 'https://www.acme.example',
  bypass: { header: 'x-vercel-protection-bypass', credentialId: randomUUID() },
  webhook: { credentialId: randomUUID() },
  buildMinutes: 10,
  hasPreviews: true,
  publishWindow: 20,
};
const checkOfRepository: SiteCheck = {
  ok: true,
  readable: true,
  pushable: true,
  branch: 'main',
  branches: ['main'],
  pages: 12,
  format: 'html',
  problems: [],
};
const check: SiteCheck = {
  ...checkOfRepository,
  host: {
    problems: [],
    warnings: [
      {
        code: 'hosts',
        message:
          'No reported address is at the hosts that you named. Reported were addresses at "acme-git.example".',
      },
    ],
    reports: [{ of: 'deployment', name: 'Preview', creator: 'vercel[bot]' }],
    hosts: ['acme-git.example'],
    proof: {
      commit: 'a'.repeat(40),
      name: 'Preview',
      url: 'https://acme-git.example/',
      status: 200,
      title: 'Acme bakes',
    },
  },
};

describe('a host of the team’s own in the console', function () {
  this.timeout(300_000);
  let service: ConsoleService;
  let page: Page;
  let listed: ListedSite;
  const asked: (CheckRequest | NewSiteRequest | SiteChange)[] = [];

  const make = (organizationId: string, name: string): ListedSite => ({
    label: 'website',
    author: { name: 'Agent Tasks', email: 'agent-tasks@localhost' },
    createdAt: '2026-01-02T03:04:05.678Z',
    siteId: randomUUID(),
    organizationId,
    name,
    repository: {
      url: 'https://github.com/acme/website.git',
      branch: 'main',
      root: '',
      isGuarded: true,
      credential: { credentialId: randomUUID(), kind: 'token' },
    },
    host: 'own',
    ownHost,
    isLive: true,
    deployment: null,
  });

  before(async function () {
    needProgram(this, 'Chromium');
    service = await startConsole({
      app: {
        sites: { find: () => Promise.resolve(listed) },
        siteList: {
          list: () => Promise.resolve({ sites: [listed], more: false }),
          find: () => Promise.resolve(listed),
        },
        siteSettings: {
          check(_, request) {
            asked.push(request);
            return Promise.resolve(request.host ? check : checkOfRepository);
          },
          create(organizationId, request) {
            asked.push(request);
            listed = make(organizationId, request.name);
            return Promise.resolve({ site: listed, webhookSecret });
          },
          change(_, change) {
            asked.push(change);
            return Promise.resolve({});
          },
          newWebhookSecret: () => Promise.resolve(`${webhookSecret}-again`),
          remove: () => Promise.resolve(),
        },
      },
    });
    page = await service.open((await service.people.owner()).person);
  });
  after(() => service?.close());
  const show = (name: string) =>
    process.env['SHOW'] &&
    (async () => {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({
          path: `${process.env['SHOW']}/${name}-${width}.png`,
          fullPage: true,
        });
      }
      await page.setViewportSize({ width: 1280, height: 720 });
    })();
  const type = async (texts: Record<string, string>) => {
    for (const [label, text] of Object.entries(texts))
      await page.getByLabel(label, { exact: true }).fill(text);
  };
  const choose = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).selectOption(value);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('is not asked for where this service serves the pages', async () => {
    await page.goto(`${service.origin}/sites/new`);
    await type({ Repository: 'https://github.com/acme/website.git' });
    await show('add');
    expect(await page.getByLabel('Your host').count()).to.equal(0);
    await expectScreen(page);
    await press('Check');
    await page.getByText('All is well').waitFor();
    expect(asked.pop()).to.deep.equal({
      repository: { url: 'https://github.com/acme/website.git' },
    });
  });

  it('asks for what its kind needs, and knows the rest', async () => {
    await choose('Who serves the pages', 'github');
    await choose('Your host', 'netlify');
    expect(await page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).to.equal(
      true,
    );
    await page.getByText('Name the project at the host.').waitFor();
    await show('netlify');
    await choose('Your host', 'vercel');
    await choose('How pages go live', 'automatic');
    await type({
      Token: 'github_pat_1',
      'Address of the live site (optional)': 'https://www.acme.example',
    });
    await page.getByText('More about the host').click();
    await type({ 'Secret that opens previews': 's3cret' });
    await show('vercel');
    await expectScreen(page);
    await press('Check');
    const found = page.getByRole('list', { name: 'What the check found' });
    await found.getByText('A deployment of the past answers').waitFor();
    await found.getByRole('link', { name: 'Acme bakes' }).waitFor();
    await found.getByText('No reported address is at the hosts').waitFor();
    await show('checked');
    await expectScreen(page);
    await press('Believe acme-git.example');
    await press('Check');
    await found.waitFor();
    expect(asked.at(-1)).to.deep.equal({
      repository: {
        url: 'https://github.com/acme/website.git',
        credential: { type: 'token', token: 'github_pat_1' },
      },
      host: {
        type: 'own',
        forge: 'github',
        publish: 'pull-request',
        merge: 'automatic',
        hosts: ['*.vercel.app', 'www.acme.example', 'acme-git.example'],
        previewUrl: null,
        liveUrl: 'https://www.acme.example',
        reporter: 'vercel[bot]',
        previewReports: [],
        hasPreviews: true,
        liveReports: [],
        bypass: { header: 'x-vercel-protection-bypass', value: 's3cret' },
      },
    });
  });

  it('takes a GitHub App', async () => {
    await choose('Access', 'github-app');
    const privateKey = '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n';
    await type({ 'App ID': '12345', 'Private key': privateKey });
    await show('app');
    await expectScreen(page);
    await press('Check');
    await page.getByText('Look at the warnings first').waitFor();
    expect(asked.at(-1)!.repository).to.deep.include({
      credential: { type: 'github-app', appId: '12345', privateKey },
    });
  });

  it('shows the address and the secret of its webhook once', async () => {
    await press('Add site');
    await page.getByRole('heading', { name: 'website is added' }).waitFor();
    await page.getByText(webhookSecret).waitFor();
    const { siteId } = listed;
    await page.getByText(`${service.origin}/api/v1/webhooks/forges/${siteId}`).waitFor();
    await show('added');
    await expectScreen(page);
    await page.getByRole('link', { name: 'Go to the site' }).click();
    await heading('website', page);
    expect(await page.getByText(webhookSecret).count()).to.equal(0);
  });

  it('is changed in the settings of the site, and keeps its secrets', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    const card = page.getByRole('region', { name: 'Repository' });
    await card.getByText('More about the host').click();
    await card.getByLabel('Minutes to wait for a build').fill('25');
    await card.getByLabel('Does it build branches?').selectOption('no');
    await card.getByRole('button', { name: 'Check', exact: true }).click();
    await card.getByText('A deployment of the past answers').waitFor();
    expect(asked.at(-1)).to.deep.include({ siteId: listed.siteId });
    expect(asked.at(-1)!.repository).to.not.have.property('credential');
    await show('settings');
    await expectScreen(page);
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((asked.at(-1) as SiteChange).host).to.deep.include({
      reporter: 'vercel[bot]',
      hosts: ['*.vercel.app', 'www.acme.example'],
      bypass: { header: 'x-vercel-protection-bypass' },
      buildMinutes: 25,
      hasPreviews: false,
    });
    await press('New secret');
    await press('Make a new secret');
    await page.getByText(`${webhookSecret}-again`).waitFor();
    await press('Done');
    expect(await page.getByText(`${webhookSecret}-again`).count()).to.equal(0);
  });

  it('goes on serving a site that is removed here, which the settings say', async () => {
    const card = page.getByRole('region', { name: 'Remove the site' });
    await card.getByText('Your host goes on serving it. The repository is not touched.').waitFor();
  });

  it('makes place for this service', async () => {
    await choose('Who serves the pages', 'none');
    await page
      .getByRole('region', { name: 'Repository' })
      .getByRole('button', { name: 'Save' })
      .click();
    await until(
      'the change',
      () => 'host' in asked.at(-1)! && asked.at(-1)!.host?.type === 'embedded',
    );
    expect(asked.at(-1)).to.deep.include({ host: { type: 'embedded' } });
  });
});
