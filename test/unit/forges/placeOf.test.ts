import { expect } from 'chai';
import {
  forgeCommitUrl,
  forgeLocationOf,
  forgePagesUrl,
} from '../../../src/forges/forgeLocation.ts';

describe('forgePagesUrl(apiUrl)', () => {
  for (const [forge, repositoryUrl, pagesUrl] of [
    ['github', 'https://github.com/team/site.git', 'https://github.com'],
    ['github', 'https://acme.ghe.com/team/site', 'https://acme.ghe.com'],
    ['github', 'https://git.example.com/team/site', 'https://git.example.com'],
    ['gitea', 'https://git.example.com:3000/team/site', 'https://git.example.com:3000'],
    ['gitea', 'https://example.com/git/team/site.git', 'https://example.com/git'],
    ['gitlab', 'https://gitlab.com/team/web/site.git', 'https://gitlab.com'],
  ] as const)
    it(`finds the pages of ${repositoryUrl} by the URL of its API`, () => {
      const { apiUrl } = forgeLocationOf(repositoryUrl, forge);
      expect(forgePagesUrl(apiUrl!)).to.equal(pagesUrl);
    });
});

describe('forgeCommitUrl(forge, repositoryUrl, commit)', () => {
  for (const [forge, repositoryUrl, commitUrl] of [
    ['github', 'https://github.com/team/site.git', 'https://github.com/team/site/commit/1a2b'],
    [
      'gitea',
      'https://example.com/git/team/site/',
      'https://example.com/git/team/site/commit/1a2b',
    ],
    [
      'gitlab',
      'https://gitlab.com/team/web/site',
      'https://gitlab.com/team/web/site/-/commit/1a2b',
    ],
  ] as const)
    it(`finds the page of a commit of ${repositoryUrl}`, () => {
      expect(forgeCommitUrl(forge, repositoryUrl, '1a2b')).to.equal(commitUrl);
    });
});
