import { expect } from 'chai';
import { repositoryName } from '../../../src/console/browser/words/repositoryName.ts';

describe('the name of a repository', () => {
  for (const [url, name] of [
    ['https://github.com/acme/website.git', 'acme/website'],
    ['https://git.example:8443/website.git', 'website'],
    ['https://git.example/group/team/web%20site', 'team/web site'],
    ['https://git.example/100%', '100%'],
    ['git@github.com:acme/website.git', 'acme/website'],
    ['ssh://git@git.example:2222/acme/website.git', 'acme/website'],
    ['local', 'On this server'],
  ] as const)
    it(`of ${url} is ${name}`, () => {
      expect(repositoryName(url)).to.equal(name);
    });
});
