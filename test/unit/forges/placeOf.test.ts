import { expect } from 'chai';
import { forgePagesUrl, forgeLocationOf } from '../../../src/forges/forgeLocation.ts';

describe('forgePagesUrl(apiUrl)', () => {
  for (const [forge, repositoryUrl, pagesUrl] of [
    ['github', 'https://github.com/team/site.git', 'https://github.com'],
    ['github', 'https://acme.ghe.com/team/site', 'https://acme.ghe.com'],
    ['github', 'https://git.example.com/team/site', 'https://git.example.com'],
    ['gitea', 'https://git.example.com:3000/team/site', 'https://git.example.com:3000'],
    ['gitea', 'https://example.com/git/team/site.git', 'https://example.com/git'],
  ] as const)
    it(`finds the pages of ${repositoryUrl} by the URL of its API`, () => {
      const { apiUrl } = forgeLocationOf(repositoryUrl, forge);
      expect(forgePagesUrl(apiUrl!)).to.equal(pagesUrl);
    });
});
