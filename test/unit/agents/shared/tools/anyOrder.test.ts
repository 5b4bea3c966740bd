import { expect } from 'chai';
import fc from 'fast-check';
import { openSite } from '../../../../eval/sites.ts';
import { casesOf } from '../../../../helpers/cases.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { openModelTools } from '../../model/tools/site.ts';

type Call = [name: string, args: Record<string, unknown>];

const slugs = ['/', '/pricing', '/about', '/services/web-design', '/new', '/nowhere'];
const slug = fc.constantFrom(...slugs);
const line = fc.nat(300);
const lines = fc.tuple(line, fc.nat(4)).map(([first, more]) => [first, first + more]);
const markup = fc.constantFrom('', '<p>New</p>', '<p>One</p>\n<p>Two</p>', '</div>', 'Text & more');
const edit = fc.oneof(
  fc.record({ lines, new: markup }),
  fc.record({ copy: lines, after: line }),
  fc.record({ old: fc.constantFrom('<h1>', '</h1>', 'About</a>', '</main>'), new: markup }),
);
const call: fc.Arbitrary<Call> = fc.oneof(
  fc
    .record({
      slug,
      edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
      everywhere: fc.boolean(),
    })
    .map((args): Call => ['edit_html', args]),
  fc
    .record({ from: fc.constantFrom('the', 'Pricing', 'zeppelin'), to: markup, slug })
    .map((args): Call => ['replace_text', args]),
  fc.record({ slug, from: slug }).map((args): Call => ['create_page', args]),
  fc.record({ slug, to: slug }).map((args): Call => ['move_page', args]),
  fc.record({ slug }).map((args): Call => ['delete_page', args]),
  fc.record({ slug }).map((args): Call => ['undo', args]),
);

describe('the tools of a language model in any order', function () {
  it('change nothing if they fail, and only edit_html changes a single page', async () => {
    const property = fc.asyncProperty(
      fc.array(call, { minLength: 2, maxLength: 8 }),
      async (calls) => {
        const { workspace, changed } = openModelTools(openSite('demo').tree, pages);
        for (const [name, args] of calls) {
          const before = changed();
          const notes = JSON.stringify(await workspace.notes());
          const { isError, content } = await workspace.runCall({ id: 'c', name, arguments: args });
          const now = changed();
          const says = `${name} ${JSON.stringify(args)}: ${content}`;
          if (isError) {
            expect([...now], says).to.deep.equal([...before]);
            expect(JSON.stringify(await workspace.notes()), says).to.equal(notes);
          }
          if (name !== 'edit_html' || args['everywhere']) continue;
          const other = [...new Set([...before.keys(), ...now.keys()])].filter(
            (path) => before.get(path) !== now.get(path),
          );
          expect(other.length, says).to.equal(isError ? 0 : 1);
        }
      },
    );
    await fc.assert(property, { numRuns: casesOf(60) });
  });
});
