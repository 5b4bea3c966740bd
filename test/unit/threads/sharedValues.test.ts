import { expect } from 'chai';
import { packArgument, unpackArgument } from '../../../src/threads/sharedValues.ts';

describe('packArgument(argument, names)', () => {
  const template = { path: 'a.html', source: '<h1>ä \u{1f600}</h1>' };
  const siblings = [template, { path: 'b.html', source: 'b' }];
  const names = ['template', 'siblings', 'sitePaths', 'before'];

  it('puts what several jobs share into common memory once, and leaves the rest', () => {
    const [one, two] = ['/x', '/y'].map(
      (slug) => packArgument({ template, siblings, slug, before: null }, names) as never,
    );
    expect(one).to.have.nested.property('template.memory').instanceOf(SharedArrayBuffer);
    expect(one!['template']).to.equal(two!['template']);
    expect(one!['siblings']).to.equal(two!['siblings']);
    expect(one).to.include({ slug: '/x', before: null });
  });

  it('can be unpacked to the original, with the same object for each job', () => {
    const jobs = ['/x', '/y'].map((slug) =>
      unpackArgument(structuredClone(packArgument({ template, siblings, slug }, names))),
    );
    expect(jobs).to.deep.equal([
      { template, siblings, slug: '/x' },
      { template, siblings, slug: '/y' },
    ]);
    const [one, two] = jobs as { siblings: unknown }[];
    expect(one!.siblings).to.equal(two!.siblings);
  });

  it('keeps a few values in a thread, and reads another one again', () => {
    const many = Array.from({ length: 20 }, (_, at) =>
      packArgument({ sitePaths: [`${at}.html`] }, names),
    );
    for (const round of [0, 1])
      many.forEach((packed, at) =>
        expect(unpackArgument(packed), `${round}`).to.deep.equal({ sitePaths: [`${at}.html`] }),
      );
  });

  it('leaves arguments without such values unchanged', () => {
    for (const argument of ['text', null, undefined, 7, ['a'], { source: 'a' }])
      expect(unpackArgument(argument)).to.equal(argument);
  });
});
