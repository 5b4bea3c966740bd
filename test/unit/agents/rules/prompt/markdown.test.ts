import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { folderTree } from '../../memoryTree.ts';
import { carryOut } from './carryOut.ts';
import { testPages } from '../../../../helpers/threads.ts';

const folder = fileURLToPath(new URL('../../../../helpers/team/markdownSite/', import.meta.url));

describe('prompts on pages in Markdown', function () {
  this.timeout(120_000);

  it('change only the bytes of texts in the front matter and in the body', async () => {
    const tree = folderTree(folder);
    const before = await tree.read('content/about.md');
    const { changed } = await carryOut(
      tree,
      testPages,
      'On /content/about, set the title to "Who we are: Northwind"\nOn /content/about, change the headline to "Meet our team"',
    );
    expect(Object.fromEntries(changed)).to.deep.equal({
      'content/about.md': before
        .replace('About Northwind', 'Who we are: Northwind')
        .replace('About  our', 'Meet  our'),
    });
  });
});
