import { DomainError } from '../../../../../../src/errors.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import type {
  GroupSizes,
  SlotGroup,
  SlotTexts,
} from '../../../../../../src/sites/formats/pageParts.ts';
import { arrangeGroups } from '../../../../../../src/sites/formats/html/groups/arrangeGroups.ts';
import {
  createOrders,
  unknownGroupError,
} from '../../../../../../src/sites/formats/memberOrder.ts';
import { asHtml } from '../asHtml.ts';
import { descendants, parseDocument } from '../../../../../../src/sites/formats/html/document.ts';
import { findGroups } from '../../../../../../src/sites/formats/html/groups/findGroups.ts';
import { findSlotPlaces } from '../../../../../../src/sites/formats/html/slots/findSlotPlaces.ts';
import { usableGroups } from '../../../../../../src/sites/formats/html/groups/usableGroups.ts';
import type { PageSource } from '../../../../../../src/sites/formats/format.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';
import { plainLine } from '../../../../../../src/sites/pages/texts/slotText.ts';
import { corpus, npmSites } from '../../../corpus.ts';
import { isWovenFrom } from '../compare.ts';
import { pieces, soup } from '../soup.ts';
import { addMember, groupsOf, removeMember } from './members.ts';
import { casesIn, casesOf } from '../../../../../helpers/cases.ts';
import { unknownTextError } from '../../../../../../src/sites/pages/texts/editableTexts.ts';

const body = (content: string) =>
  `<!doctype html><html><head><title>T</title></head><body>${content}</body></html>`;
/** The only group of a page that is not inside another one. */
const outer = (source: string): SlotGroup => groupsOf(source)[0] ?? expect.fail('No group');

/** Texts of each member. */
function textsOf(source: string, { members }: SlotGroup): string[][] {
  const texts = new Map(asHtml.slots(source).map(({ id, text }) => [id, plainLine(text)]));
  return members.map((ids) => ids.map((id) => texts.get(id) ?? expect.fail(`No slot ${id}`)));
}

/** Ids that stand more than once in a page. */
function doubles(source: string): string[] {
  const ids = [...descendants(parseDocument(source).root)].flatMap(({ attrs }) =>
    attrs.filter(({ name }) => name === 'id').map(({ value }) => value),
  );
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

describe('groups of a page', () => {
  const found = (content: string) =>
    groupsOf(body(content)).map(({ role, members }) => [role, members.length]);

  it('are siblings of one structure that stand side by side', () => {
    expect(found('<ul><li>a</li> <li>b</li><!-- c --><li>c</li></ul>')).to.deep.equal([
      ['list-item', 3],
    ]);
    expect(found('<ul><li>a<li>b</ul>')).to.deep.equal([['list-item', 2]]);
    expect(
      found('<div class="card"><h3>a</h3><p>b</p></div><div class="card"><h3>c</h3><p>d</p></div>'),
    ).to.deep.equal([['card', 2]]);
    expect(
      found('<details><summary>a</summary>b</details><details><summary>c</summary>d</details>'),
    ).to.deep.equal([['question', 2]]);
    expect(found('<dl><dt>a?<dd>b<dd>c<dt>d?<dd>e</dl>')).to.deep.equal([['question', 2]]);
    expect(
      found('<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2<tr><td>3<td>4</table>'),
    ).to.deep.equal([['table-row', 2]]);
  });

  it('hold members that differ in state, distance, or a part that one lacks', () => {
    expect(
      found(
        '<div class="card active mb-4"><h3>a</h3><p>b</p><p>c</p></div><div class="card featured"><img alt="x"><h3>c</h3><p><b>d</b></p><ul><li>e</li></ul></div>',
      ),
    ).to.deep.equal([['card', 2]]);
  });

  it('do not include paragraphs, cells, blocks of different structure, or blocks with words between them', () => {
    for (const content of [
      '<p>a</p><p>b</p>',
      '<table><tr><td>a<td>b</table>',
      '<div class="left"><h3>a</h3></div><div class="right"><h3>b</h3></div>',
      '<div class="x"><h3>a</h3></div>and<div class="x"><h3>b</h3></div>',
      '<div><h3>a</h3></div><div><p>b</p></div>',
      '<section><h2>a</h2><p>b</p></section><section><h2>c</h2><p>d</p></section>',
      '<p>Call <a href="/x">us</a> <a href="/y">today</a>.</p>',
      '<a href="#y">y</a><div class="tab" id="x"><h3>a</h3></div><div class="tab"><h3 id="y">b</h3></div>',
      '<button data-bs-target="#x, .z">y</button><ul><li id=x>a<li>b</ul>',
      '<ul><li>a</li><li><script>let b;</script>b</li></ul>',
    ])
      expect(found(content), content).to.deep.equal([]);
  });

  it('may lie in members of other groups', () => {
    const list = '<ul><li>b</li><li>c</li></ul>';
    const groups = groupsOf(
      body(`<div class="card"><h3>a</h3>${list}</div><div class="card"><h3>d</h3>${list}</div>`),
    );
    expect(groups.map(({ role, members }) => [role, members.length])).to.deep.equal([
      ['card', 2],
      ['list-item', 2],
      ['list-item', 2],
    ]);
    expect(groups[0]!.members[1]).to.include.members(groups[2]!.members.flat());
  });
});

describe('addMember and removeMember', () => {
  it('clone the member with the most common structure, with its white space and without its comment', () => {
    const source = body(
      '<ul>\n  <li class="on">a</li>\n  <!-- B -->\n  <li>b</li>\n  <li>c</li>\n  <li class="end">d</li>\n</ul>',
    );
    const added = addMember(source, outer(source).id, 3);
    expect(added).to.equal(source.replace('d</li>\n', 'd</li>\n  <li>c</li>\n'));
    expect(addMember(source, outer(source).id, 0)).to.equal(
      source.replace('a</li>\n', 'a</li>\n  <li>c</li>\n'),
    );
    expect(removeMember(source, outer(source).id, 1)).to.equal(
      source.replace('\n  <!-- B -->\n  <li>b</li>', ''),
    );
    expect(removeMember(source, outer(source).id, 0)).to.equal(
      source.replace('<li class="on">a</li>\n  <!-- B -->\n  ', ''),
    );
  });

  it('omit the end tags that the page omits', () => {
    const list = body('<ul>\n<li>a\n<li>b\n</ul>');
    expect(addMember(list, outer(list).id, 1)).to.equal(body('<ul>\n<li>a\n<li>b\n<li>b\n</ul>'));
    const rows = body('<table><tr><td>a<td>b<tr><td>c<td>d</table>');
    expect(removeMember(rows, outer(rows).id, 0)).to.equal(body('<table><tr><td>c<td>d</table>'));
  });

  it('give clones their own IDs, and update references to them', () => {
    const item = (n: string, m: string) =>
      `<div class="accordion-item"><h3 id="head${n}"><button data-bs-target="#c${m}" aria-controls="c${m} other" onclick="show('c${m}')">Q</button></h3>` +
      `<div id="c${m}" aria-labelledby="head${n}" data-bs-parent="#all"><label for='f-${m}'>A</label><input id=f-${m}><a href="#c${m}">x</a>` +
      `<svg><use href="#c${m}"/><path style="fill:url(#c${m})"/></svg></div></div>`;
    const source = body(
      `<div id="all">${item('One', '1')}${item('Two', '2')}</div><p id="c3">c</p>`,
    );
    const added = addMember(source, outer(source).id, 1);
    const clone = item('Two-2', '4').replaceAll("f-4'", "f-3'").replaceAll('id=f-4', 'id="f-3"');
    expect(added).to.equal(source.replace(item('Two', '2'), item('Two', '2') + clone));
    expect(doubles(added)).to.deep.equal([]);
  });
});

/**
 * What holds for every group of a page: an added member is a whole one, and taking it out gives the
 * page back.
 */
function checkGroup(
  source: string,
  group: SlotGroup,
  after: number,
  shape = (text: string) => text,
) {
  const page = parseDocument(source);
  const { start, end } = findGroups(page, findSlotPlaces(page)).find(
    ({ slotGroup }) => slotGroup.id === group.id,
  )!;
  const added = addMember(source, group.id, after);
  const texts = textsOf(source, group);
  expect(added.startsWith(page.bom + page.source.slice(0, start)), 'bytes before').to.equal(true);
  expect(added.endsWith(page.source.slice(end)), 'bytes behind').to.equal(true);
  expect(doubles(added)).to.have.members(doubles(source));
  const grown =
    groupsOf(added).find(({ id }) => id === group.id) ?? expect.fail('The group is gone');
  expect(textsOf(added, grown)).to.deep.equal(texts.toSpliced(after + 1, 0, texts[group.pattern]!));
  expect(shape(removeMember(added, group.id, after + 1))).to.equal(shape(source));
  const removed = removeMember(source, group.id, after);
  expect(doubles(source)).to.include.members(doubles(removed));
  expect(removed.startsWith(page.bom + page.source.slice(0, start)), 'bytes before').to.equal(true);
  expect(removed.endsWith(page.source.slice(end)), 'bytes behind').to.equal(true);
}

for (const { name, pages } of new Set([...corpus, ...npmSites]))
  describe(`groups of ${name}`, () => {
    for (const { path, source } of casesIn(pages))
      it(`${path}: adding or removing any member keeps every other byte, every text and unique IDs`, () => {
        const groups = groupsOf(source);
        for (const group of groups) checkGroup(source, group, group.members.length - 1);
        const variant = `\uFEFF${source.replaceAll('\n', '\r\n')}`;
        expect(groupsOf(variant)).to.deep.equal(groups);
        if (groups[0]) checkGroup(variant, groups[0], 0);
      });
  });

/** White space behind a member without an end tag belongs to it. */
const withoutSpace = (text: string) => text.replace(/\s+/g, '');

/** Ids that stand more often than in the template. */
const newDoubles = (result: string, template: string) =>
  doubles(result).filter((id) => !doubles(template).includes(id));

describe('counts of groups in a new page', () => {
  const files = [...new Set([...corpus, ...npmSites])].flatMap(({ pages }) => pages);
  const create = (template: PageSource, texts: SlotTexts, groups: GroupSizes, digest?: string) =>
    pageCalls.create({
      template,
      target: { slug: '/x', path: 'x.html' },
      texts,
      groups,
      sitePaths: [],
      digest: digest ?? pageCalls.readTemplate(template, []).digest,
      siblings: [],
    });

  it('keep every byte outside of the groups, every text that stays, and unique IDs', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...files), counts, ({ source }, numbers) => {
        const page = parseDocument(source);
        const places = findSlotPlaces(page);
        const groups = usableGroups(page);
        const outer = groups.filter(
          (one) =>
            !groups.some(
              (other) => other !== one && other.start <= one.start && one.end <= other.end,
            ),
        );
        const given = Object.fromEntries(
          outer.map(({ slotGroup }, i) => [slotGroup.id, numbers[i % 40]!]),
        );
        const arranged = arrangeGroups(page, places, groups, createOrders(given, groups));
        const result = arranged.page.source;
        const edges = [0, ...outer.flatMap(({ start, end }) => [start, end]), page.source.length];
        const pieces = edges.flatMap((start, i) =>
          i % 2 === 0 ? [page.source.slice(start, edges[i + 1])] : [],
        );
        expect(isWovenFrom(result, pieces)).to.equal(true);
        expect(newDoubles(result, source)).to.deep.equal([]);
        const texts = new Map(places.map(({ slot }) => [slot.id, slot.text]));
        for (const { slot } of arranged.places)
          expect(slot.text).to.equal(texts.get(slot.id.replace(/\+\d+/, '')));
        for (const { slotGroup } of outer)
          expect(new Set(arranged.places.map(({ slot }) => slot.id))).to.include(
            slotGroup.members[0]![0],
          );
      }),
      { numRuns: casesOf(60) },
    );
  });

  const template = { path: 'a.html', source: body('<h1>A</h1><ul>\n<li>a\n<li>b\n</ul>') };
  const group = outer(template.source);

  it('name the slots of clones after those of the pattern', () => {
    const [first, last] = [group.members[0]![0]!, group.members[1]![0]!];
    const texts = { [first]: 'one', [`${last}+1`]: 'three', [`${last}+2`]: 'four & <b>' };
    expect(create(template, texts, { [group.id]: 4 })).to.contain(
      '<ul>\n<li>one\n<li>b\n<li>three\n<li>four &amp; &lt;b&gt;\n</ul>',
    );
    expect(() => create(template, texts, { [group.id]: 3 })).to.throw(
      unknownTextError(`${last}+2`).message,
    );
    expect(() => create(template, texts, {})).to.throw(unknownTextError(`${last}+1`).message);
  });

  it("are 1 to 12, of existing groups that are not the site's, read as when they were set", () => {
    for (const count of [0, 13, 1.5, -1, Number.NaN])
      expect(() => create(template, {}, { [group.id]: count })).to.throw(/\b1 to 12\b/);
    expect(() => create(template, {}, { g999: 2 })).to.throw(unknownGroupError('g999').message);
    const clone = `${group.id}+1`;
    expect(() => create(template, {}, { [clone]: 2 })).to.throw(unknownGroupError(clone).message);
    expect(() => create(template, {}, { [group.id]: 3 }, 'other'))
      .to.throw(DomainError)
      .with.property('code', 'CHANGED_BY_DEPLOY');
    const navigation = {
      path: 'a.html',
      source: body(
        `<nav><ul><li><a href="/">a</a></li><li><a href="/b">b</a></li></ul></nav>${template.source}`,
      ),
    };
    expect(pageCalls.groups(navigation)).to.have.lengthOf(2);
    expect(pageCalls.readTemplate(navigation, []).groups).to.have.lengthOf(1);
  });

  it('do not include groups of every page', () => {
    const page = (name: string) => ({
      path: `${name}.html`,
      source: body(
        `<div><p>${name}</p></div><div class="legal"><a href="/p">Privacy</a> <a href="/t">Terms</a></div>`,
      ),
    });
    const { groups } = pageCalls.readTemplate(page('a'), [
      page('b'),
      { ...page('c'), source: page('c').source.replace('<p>', '<h2>c</h2><ul><li>c</li></ul><p>') },
    ]);
    expect(groups).to.deep.equal([]);
    expect(pageCalls.groups(page('a'))).to.have.lengthOf(1);
  });

  it('let a group inside a clone grow by the name of the clone', () => {
    const card = (name: string) =>
      `<div class="card"><h3>${name}</h3><ul><li>${name}1</li><li>${name}2</li></ul></div>`;
    const nested = { path: 'a.html', source: body(card('a') + card('b')) };
    const [cards, , inner] = pageCalls.groups(nested);
    const heading = cards!.members[1]![0]!;
    const item = inner!.members[1]![0]!;
    const texts = { [`${heading}+1`]: 'c', [`${item}+1+1`]: 'c3' };
    expect(create(nested, texts, { [cards!.id]: 3, [`${inner!.id}+1`]: 3 })).to.contain(
      `${card('b')}<div class="card"><h3>c</h3><ul><li>b1</li><li>b2</li><li>c3</li></ul></div>`,
    );
  });
});

describe('groups of tag soup', () => {
  const little = fc
    .array(fc.constantFrom(...pieces), { maxLength: 4 })
    .map((list) => list.join(''));
  /** Soup inside of siblings. */
  const siblings = fc
    .tuple(fc.constantFrom('li', 'div', 'tr', 'a', 'details', 'article'), little, little, little)
    .map(([tag, ...inside]) => inside.map((text) => `<${tag} id=x>a ${text}</${tag}>`).join('\n'));

  /** False where it is refused, since the rest of the page would be read in another way. */
  function isCheckedOrRefused(source: string, group: SlotGroup, after: number): boolean {
    try {
      checkGroup(source, group, after, withoutSpace);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return false;
    }
  }

  it('keep every other byte, every text and unique IDs when any member is added or removed', () => {
    let checked = 0;
    fc.assert(
      fc.property(fc.oneof(soup, siblings), fc.nat(), (source, n) => {
        for (const group of groupsOf(source))
          if (isCheckedOrRefused(source, group, n % group.members.length)) checked++;
      }),
      { numRuns: casesOf(400) },
    );
    expect(checked).to.be.above(casesOf(20));
  });
});
