import { expect } from 'chai';
import { checkChanges } from '../../../../src/sites/checks/checkChanges.ts';
import { testPages as pages } from '../../../helpers/threads.ts';
import { openModelTools } from '../../agents/model/tools/site.ts';
import { memoryTree } from '../../agents/memoryTree.ts';

/** Files by which others prove that a site is theirs, or that tell programs who may do what. */
const steering = {
  'who owns the site': [
    'yandex_1234567890abcdef.txt',
    '0123456789abcdef0123456789abcdef.txt',
    'site-verification.txt',
    'apple-developer-merchantid-domain-association.txt',
    'well-known/pki-validation/fileauth.txt',
  ],
  'who may sell, call or read': [
    'ads.txt',
    'security.txt',
    'assetlinks.json',
    'apple-app-site-association.json',
    'jwks.json',
    'data/assetLinks.json',
    'shop/ads.txt',
    'related-origin-requests.json',
  ],
  'what hosts and builds do': [
    'vercel.json',
    'redirects.json',
    'tsconfig.base.json',
    'package.json',
    'api/swagger.json',
    'now.JSON',
    'config/redirects.json',
    '_routes.json',
  ],
};

/** What no path of an editable kind names. */
const others = [
  'CNAME',
  '_redirects',
  'apple-app-site-association',
  'sw.js',
  '.htaccess',
  '.well-known/assetlinks.json',
  'BingSiteAuth.xml',
];

const readable = [
  'robots.txt',
  'llms.txt',
  'texts/menu.txt',
  'fonts/OFL.txt',
  'data/team.json',
  'locales/de.json',
  'manifest.json',
  'site.webmanifest',
  'css/site.css',
  'data/_team.json',
  'opening-hours.json',
  'privacy-policy.json',
];

const contentOf = (path: string) => {
  if (/json$|manifest$/i.test(path)) return '{"a":"old"}';
  return /css$/i.test(path) ? '.a { color: old }' : 'old';
};

/** Whether the two gates take an edit of a file: the tool, and the check before the commit. */
async function taken(path: string) {
  const source = contentOf(path);
  const tree = memoryTree({ 'index.html': '<title>A</title><h1>A</h1>', [path]: source });
  const { refusal, changed } = openModelTools(tree, pages);
  const answer = await refusal('edit_file', { path, find: 'old', replace: 'new' });
  return {
    tool: answer.startsWith('not refused') && changed().size > 0,
    commit: await passes(path, source),
  };
}

async function passes(
  path: string,
  source: string | null,
  content: string | null = source?.replace('old', 'new') ?? '',
) {
  const tree = memoryTree(source === null ? {} : { [path]: source });
  const before = () => Promise.resolve(source === null ? null : { path, source });
  return checkChanges(pages, tree, { files: [{ path, content }], before, mayAddLinks: true }).then(
    () => true,
    () => false,
  );
}

describe('files that agents may edit', () => {
  for (const [kind, names] of Object.entries(steering))
    it(`do not include files that say ${kind}`, async () => {
      for (const path of names)
        expect(await taken(path), path).to.deep.equal({ tool: false, commit: false });
    });

  it('are of a few kinds only', async () => {
    for (const path of others)
      expect(await taken(path), path).to.deep.equal({ tool: false, commit: false });
  });

  it('include those with texts that visitors read', async () => {
    for (const path of readable)
      expect(await taken(path), path).to.deep.equal({ tool: true, commit: true });
  });
});

describe('pages that prove who owns a site', () => {
  const verification = [
    'google0123456789abcdef.html',
    'yandex_0123456789abcdef.html',
    'GOOGLE0123456789ABCDEF.html',
    'shop/google0123456789abcdef.html',
    'google0123456789abcdef/index.html',
    'site-verification.html',
  ];
  const page = '<title>old</title><h1>A</h1>';

  it("can't be changed, created or deleted by a task", async () => {
    for (const path of verification) {
      expect(await passes(path, page), path).to.equal(false);
      expect(await passes(path, null, page), `${path}, made`).to.equal(false);
      expect(await passes(path, page, null), `${path}, deleted`).to.equal(false);
    }
  });

  it('are rejected when a tool writes one, so that the model hears of it', async () => {
    const tree = memoryTree({
      'index.html': page,
      'google0123456789abcdef.html': page,
      'about.html': page,
    });
    const { refusal, changed } = openModelTools(tree, pages);
    for (const [name, args] of [
      ['create_page', { slug: '/google00000000000000aa', from: '/google0123456789abcdef' }],
      ['create_page', { slug: '/google00000000000000aa', from: '/about' }],
      ['delete_page', { slug: '/google0123456789abcdef' }],
      ['move_page', { slug: '/about', to: '/google00000000000000aa' }],
    ] as const) {
      expect(await refusal(name, args), `${name} ${JSON.stringify(args)}`).to.match(
        /proves who owns the site/,
      );
      expect(changed().size).to.equal(0);
    }
  });

  it('do not include pages with such a word in their names', async () => {
    for (const path of [
      'google.html',
      'google-ads-help.html',
      'identity-verification.html',
      '507f1f77bcf86cd799439011.html',
      'verify-your-account.html',
    ])
      expect(await passes(path, page), path).to.equal(true);
  });
});
