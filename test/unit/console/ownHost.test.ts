import { expect } from 'chai';
import { host } from '../../../src/api/routes/sites/siteHost.schema.ts';
import {
  firstKindAt,
  savedHostFields,
  type HostFields,
  missingHostField,
  noHost,
  externalHostBody,
} from '../../../src/console/browser/externalHost.ts';
import type { SiteHost } from '../../../src/contract/responses.ts';

const fields = (typed: Partial<HostFields>): HostFields => ({
  ...noHost,
  forge: 'github',
  ...typed,
});
const saved: Extract<SiteHost, { type: 'own' }> = {
  type: 'own',
  forge: 'gitea',
  apiUrl: 'https://forge.example/api/v1',
  project: 'acme/site',
  publish: 'pull-request',
  merge: 'automatic',
  previewReports: ['preview'],
  liveReports: [],
  reporter: 'builder',
  hosts: ['*.pages.example', 'www.acme.example'],
  previewUrl: null,
  liveUrl: 'https://www.acme.example',
  pageUrls: [{ folder: 'src/content/blog', pattern: '/blog/:slug' }],
  bypass: { header: 'x-open' },
  buildMinutes: 20,
  hasPreviews: true,
  publishWindow: 20,
  webhookUrl: 'https://tasks.example/api/v1/webhooks/forges/1',
};

describe("an external host in the console's form", () => {
  it('is absent by default, and removes a saved one', () => {
    expect(externalHostBody(noHost)).to.equal(undefined);
    expect(externalHostBody(noHost, { type: 'embedded' })).to.equal(undefined);
    expect(externalHostBody(noHost, saved)).to.deep.equal({ type: 'embedded' });
  });

  for (const [typed, asked] of [
    [
      { kind: 'netlify', name: 'Acme' },
      {
        publish: 'pull-request',
        hosts: ['*.netlify.app', 'acme.netlify.app'],
        previewUrl: 'https://deploy-preview-{pullRequest}--acme.netlify.app',
        liveUrl: 'https://acme.netlify.app',
        reporter: 'netlify[bot]',
      },
    ],
    [
      { kind: 'netlify', name: 'acme', publishing: 'push', liveUrl: 'https://www.acme.example/' },
      {
        publish: 'push',
        hosts: ['*.netlify.app', 'acme.netlify.app', 'www.acme.example'],
        previewUrl: 'https://{branch}--acme.netlify.app',
        liveUrl: 'https://www.acme.example/',
      },
    ],
    [
      { kind: 'vercel', bypassValue: 's3cret', liveUrl: 'https://acme.example' },
      {
        hosts: ['*.vercel.app', 'acme.example'],
        previewUrl: null,
        reporter: 'vercel[bot]',
        bypass: { header: 'x-vercel-protection-bypass', value: 's3cret' },
      },
    ],
    [
      { kind: 'cloudflare', name: 'acme', publishing: 'automatic' },
      {
        publish: 'pull-request',
        merge: 'automatic',
        hosts: ['*.acme.pages.dev', 'acme.pages.dev'],
        previewUrl: 'https://{branch}.acme.pages.dev',
      },
    ],
    [
      { kind: 'github-pages', liveUrl: 'https://acme.github.io/site/' },
      {
        hosts: ['acme.github.io'],
        liveReports: ['github-pages'],
        previewUrl: null,
        hasPreviews: false,
      },
    ],
    [
      { kind: 'gitlab-pages', liveUrl: 'https://acme.gitlab.io/site/' },
      {
        hosts: ['acme.gitlab.io'],
        liveReports: ['pages:deploy'],
        previewUrl: null,
        hasPreviews: false,
      },
    ],
    [
      { kind: 'pattern', previewUrl: 'https://{branch}.preview.acme.example/en' },
      { hosts: ['*.preview.acme.example'], previewUrl: 'https://{branch}.preview.acme.example/en' },
    ],
    [
      { hosts: 'a.example, *.b.example  c.example', previewReports: 'one, two words,' },
      { hosts: ['a.example', '*.b.example', 'c.example'], previewReports: ['one', 'two words'] },
    ],
    [
      {
        hosts: '*.b.example',
        liveUrl: 'https://www.acme.example',
        previewUrl: 'https://{branch}.b.example',
      },
      { hosts: ['*.b.example', 'www.acme.example'] },
    ],
  ] as [Partial<HostFields>, object][])
    it(`has the defaults of ${JSON.stringify(typed)}`, () => {
      expect(externalHostBody(fields(typed))).to.deep.include({
        type: 'own',
        forge: 'github',
        ...asked,
      });
      expect(missingHostField(fields(typed))).to.equal(undefined);
    });

  for (const [typed, missing] of [
    [{ kind: 'netlify' }, /project/],
    [{ kind: 'github-pages' }, /live site/],
    [{ kind: 'gitlab-pages' }, /live site/],
    [{ kind: 'reports' }, /live site/],
    [{ kind: 'pattern' }, /previews/],
    [{ kind: 'vercel', buildMinutes: 'ten' }, /minutes/],
    [{ kind: 'vercel', pageUrls: 'content = /:slug\ncontent /x' }, /rule for URLs/],
    [{ kind: 'vercel', pageUrls: 'content =' }, /rule for URLs/],
  ] as [Partial<HostFields>, RegExp][])
    it(`reports for ${JSON.stringify(typed)}: ${missing}`, () =>
      expect(missingHostField(fields(typed))).to.match(missing));

  it('shows a saved host, and keeps it unchanged', () => {
    const { webhookUrl, apiUrl, project } = saved;
    const asked = externalHostBody(savedHostFields(saved), saved);
    expect({ ...asked, webhookUrl, apiUrl, project }).to.deep.equal(saved);
    const without = { ...saved, hasPreviews: false };
    expect(externalHostBody(savedHostFields(without), without)).to.include({ hasPreviews: false });
  });

  for (const typed of [
    { kind: 'netlify', name: 'acme' },
    { kind: 'vercel', name: '' },
    { kind: 'cloudflare', name: 'acme' },
    { kind: 'github-pages', name: '', liveUrl: 'https://acme.github.io' },
    { kind: 'gitlab-pages', name: '', liveUrl: 'https://acme.gitlab.io' },
    { kind: 'pattern', name: '', previewUrl: 'https://{branch}.acme.example' },
    { kind: 'reports', name: '', hosts: 'a.example' },
  ] as Partial<HostFields>[])
    it(`recognizes a saved host of the kind ${typed.kind}`, () => {
      const asked = externalHostBody(fields(typed)) as Partial<typeof saved>;
      const { kind, name } = savedHostFields({ ...saved, ...asked, type: 'own' });
      expect({ kind, name }).to.deep.equal({ kind: typed.kind, name: typed.name });
    });

  it('keeps the secret for protected previews unless another is entered, or its header is removed', () => {
    const changed = (typed: Partial<HostFields>) =>
      externalHostBody({ ...savedHostFields(saved), ...typed }, saved);
    expect(changed({ bypassHeader: '' })).to.have.property('bypass', null);
    expect(changed({})).to.deep.include({ bypass: { header: 'x-open' } });
    expect(changed({ bypassValue: 'new' })).to.deep.include({
      bypass: { header: 'x-open', value: 'new' },
    });
  });
});

for (const [forge, kind] of [
  ['github', 'netlify'],
  ['gitea', 'reports'],
  ['gitlab', 'reports'],
] as const)
  it(`the console's form begins with the kind ${kind} at ${forge}`, () => {
    expect(firstKindAt(forge)).to.equal(kind);
  });

it("the console's form has the fields of an external host of the API, except those that are rarely set", () => {
  const { matches } = host.describe() as unknown as {
    matches: [{ switch: [{ otherwise: { keys: object } }] }];
  };
  const apiOnly = ['project', 'publishWindow'];
  const names = Object.keys(matches[0].switch[0].otherwise.keys);
  const typed = { apiUrl: 'https://git.example/api/v1', buildMinutes: '20' };
  const form = { ...savedHostFields({ type: 'embedded' }), ...typed, forge: 'gitea' as const };
  expect(externalHostBody(form)).to.have.all.keys(names.filter((name) => !apiOnly.includes(name)));
});
