import { expect } from 'chai';
import { htmlPaths } from '../../../../../src/sites/formats/html/htmlPaths.ts';

describe('htmlPaths', () => {
  it('handles no path of over 400 characters, whose name would be normalized at each reading', () => {
    const pathOf = (length: number) => `${'\u0301\u0323'.repeat(200).slice(0, length - 5)}.html`;
    expect(htmlPaths.handles(pathOf(400))).to.equal(true);
    expect(htmlPaths.handles(pathOf(401))).to.equal(false);
  });

  it('handles no file that visitors do not get', () => {
    for (const path of ['.git/a.html', 'node_modules/a.html', 'a.txt'])
      expect(htmlPaths.handles(path), path).to.equal(false);
    for (const path of ['.well-known/a.html', 'a.HTM'])
      expect(htmlPaths.handles(path), path).to.equal(true);
  });
});
