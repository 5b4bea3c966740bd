import { expect } from 'chai';
import { noteWords, repositoryName, versionName } from '../../../src/console/browser/names.ts';

describe('the names in the console', () => {
  for (const [url, name] of [
    ['https://github.com/acme/website.git', 'acme/website'],
    ['https://git.example:8443/website.git', 'website'],
    ['https://git.example/group/team/web%20site', 'team/web site'],
    ['https://git.example/100%', '100%'],
    ['git@github.com:acme/website.git', 'acme/website'],
    ['ssh://git@git.example:2222/acme/website.git', 'acme/website'],
    ['local', 'On this server'],
  ] as const)
    it(`call the repository ${url} ${name}`, () => {
      expect(repositoryName(url)).to.equal(name);
    });

  for (const [message, name] of [
    ['Generate 2 page(s) (2 created, 0 modified, 1 deleted)\n\nAgent-Task: bg-1', '2 pages created, 1 page deleted'],
    ['Change pages as asked (0 created, 1 modified, 0 deleted)', '1 page changed'],
    ['Change pages as asked (0 created, 0 modified, 0 deleted)', 'Change pages as asked (0 created, 0 modified, 0 deleted)'], // prettier-ignore
    ['New prices (again)\nfor the summer', 'New prices (again)'],
    ['', 'Published'],
    [null, 'Published'],
  ] as const)
    it(`call the version of ${JSON.stringify(message)} ${name}`, () => {
      expect(versionName(message)).to.equal(name);
    });

  it('name a field as the console does', () => {
    expect(noteWords('Nothing links to /a yet: "linkFrom" names the page that shall (/)')).to.equal(
      'Nothing links to /a yet: “Page that links to the new ones” names the page that shall (/)',
    );
  });
});
