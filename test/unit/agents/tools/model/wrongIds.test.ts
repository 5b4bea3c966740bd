import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { demo, openModelTools } from './site.ts';

const slug = '/pricing';

describe('the id of another kind, in a call of a language model', () => {
  for (const [id, says] of [
    ['s129', 's129 is part <1> of the text s128: set_texts writes it by that id, and set_link'],
    ['s59.href', 's59 is a link: set_link changes where it leads; its text is s59'],
    ['g54', '"g54" is a group: add_items, remove_items and move_items change it; the texts of its'],
    ['g54.1', '"g54" is a group'],
  ] as const)
    it(`says what it is where a text is wanted: ${id}`, async () => {
      const { refusal } = openModelTools(demo, pages);
      expect(await refusal('set_texts', { slug, edits: [{ id, text: 'X' }] })).to.contain(
        `has no text ${id}; ${says}`,
      );
    });

  it('says what it is where a link, a group, a section or a picture is wanted', async () => {
    const { refusal, done } = openModelTools(demo, pages);
    const text = 's48 is a text: set_texts writes it, and set_link with words makes a link in it';
    expect(await refusal('set_link', { slug, id: 's48', target: '/about' })).to.match(
      new RegExp(`"s48" is no link; near are .*; ${text}`),
    );
    const remove = { slug, group: 's48', indexes: [0] };
    expect(await refusal('remove_items', remove)).to.match(
      /has no group "s48"; there are .*; near are .*; s48 is a text/,
    );
    expect(await refusal('remove_section', { slug, section: 'g54' })).to.contain(
      'no section or table "g54": that is the id of a group; remove_items takes members; there are',
    );
    const [picture] = /\/assets\/images\/\S+?(?=\))/.exec(await done('read_page', { slug: '/' }))!;
    expect(await refusal('set_image', { slug, id: 's48', file: picture, alt: '' })).to.match(
      new RegExp(`"s48" is no image; near are .*; ${text}`),
    );
  });

  it('of a picture names its text', async () => {
    const { refusal, done } = openModelTools(demo, pages);
    const [, id] = /(s\d+)\.alt img\(/.exec(await done('read_page', { slug: '/about' }))!;
    const edits = [{ id, text: 'X' }];
    expect(await refusal('set_texts', { slug: '/about', edits })).to.contain(
      `${id} is an image: set_image changes it; its text is ${id}.alt`,
    );
  });

  it('of the headline says why no section goes or moves with it', async () => {
    const { refusal } = openModelTools(demo, pages);
    const says =
      /"s48": that is the headline \(h1\), with which no section goes or moves; set_texts writes it/;
    expect(await refusal('remove_section', { slug, section: 's48' })).to.match(says);
    expect(await refusal('move_section', { slug, section: 's48', after: 's52' })).to.match(says);
  });
});

describe('the length of a text', () => {
  it('is compared with the one before it was written first', async () => {
    const { done } = openModelTools(demo, pages);
    const set = (length: number) =>
      done('set_texts', { slug, edits: [{ id: 's56', text: `$1${'0'.repeat(length - 2)}` }] });
    expect(await set(60)).to.contain('s56: 60 characters where 6 stood');
    expect(await set(59)).to.contain('s56: 59 characters where 6 stood');
    expect(await set(7)).to.equal('1 written');
  });
});
