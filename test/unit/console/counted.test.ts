import { expect } from 'chai';
import { changedWords, repositoryName, withInstead } from '../../../src/console/browser/counted.ts';

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

  for (const [created, modified, deleted, said] of [
    [[], [], [], 'This changes nothing.'],
    [[], ['/a'], [], 'This changes /a.'],
    [['/a', '/b'], ['/c'], ['/d'], 'This makes 2 pages: /a, /b; changes /c; deletes /d.'],
    [[], ['/a', '/b', '/c', '/d', '/e'], [], 'This changes 5 pages: /a, /b, /c and 2 more.'],
  ] as const)
    it(`say: ${said}`, () => {
      const changes = {
        pagesCreated: [...created],
        pagesModified: [...modified],
        pagesDeleted: [...deleted],
      };
      expect(changedWords(changes)).to.equal(said);
    });

  it('put a suggestion in the place of the part that was not understood', () => {
    expect(
      withInstead('Delete /a\nfoo $& bar\nDelete /b', { part: 'foo $& bar' }, 'Move /c to /$1'),
    ).to.equal('Delete /a\nMove /c to /$1\nDelete /b');
    for (const problem of [{ part: 'x' }, {}])
      expect(withInstead('Delete', problem, 'Delete /a')).to.equal('Delete /a');
  });
});
