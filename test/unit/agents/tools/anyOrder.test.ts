import { expect } from 'chai';
import fc from 'fast-check';
import { createSiteEdits } from '../../../../src/agents/siteEdits.ts';
import { runTool } from '../../../../src/agents/tools.ts';
import { createWarnings } from '../../../../src/agents/warnings.ts';
import type { PageFile } from '../../../../src/contract/site.ts';
import { plainText } from '../../../../src/sites/pages/slotText.ts';
import { openSite, type SiteName } from '../../../eval/sites.ts';
import { texts } from '../../../helpers/texts.ts';
import { testPages as pages } from '../../../helpers/threads.ts';
import { casesOf } from '../../../helpers/cases.ts';

/** What an id names: a text, where a link leads, a picture's file, the texts of a group. */
type Things = Map<string, string>;
type Args = Record<string, unknown>;
type Site = ReturnType<typeof createSiteEdits>;

/** Picks numbers for one call, the same ones for the same seed. */
interface Picks {
  next(): number;
  of<T>(list: readonly T[]): T;
  chance(percent: number): boolean;
}

function picksOf(numbers: number[]): Picks {
  let at = 0;
  const next = () => numbers[at++ % numbers.length]! + at;
  return {
    next,
    of: (list) => list[next() % list.length]!,
    chance: (percent) => next() % 100 < percent,
  };
}

const idOf = (key: string) => key.split(' ')[1]!;

/** Every id of a page, with what it names. */
async function thingsOf(site: Site, page: PageFile): Promise<Things> {
  const things: Things = new Map();
  for (const { id, text } of (await site.read(page)).slots)
    things.set(`text ${id}`, plainText(text));
  for (const { id, href, slug } of await site.ask(page, 'links'))
    things.set(`link ${id}`, slug ?? href);
  for (const { id, file } of await site.ask(page, 'images')) things.set(`image ${id}`, file);
  for (const { id, members } of await site.ask(page, 'groups'))
    things.set(`group ${id}`, members.flat().join(' '));
  for (const { id, name } of await site.ask(page, 'sections')) things.set(`section ${id}`, name);
  return things;
}

const asFound = new Map<string, Things>();

/** What the ids of a page named before the task. */
async function foundAt(name: SiteName, slug: string): Promise<Things | undefined> {
  const site = createSiteEdits({ tree: openSite(name).tree, pages, texts });
  const page = site.find(slug);
  const key = `${name} ${slug}`;
  if (page && !asFound.has(key)) asFound.set(key, await thingsOf(site, page));
  return asFound.get(key);
}

/** A model that read everything, and calls tools in any order. */
class Run {
  readonly site: Site;
  private readonly context;
  /** What every id named that was ever read at a slug. */
  readonly known = new Map<string, Things>();
  private readonly slugs: string[];
  private count = 0;
  readonly log: string[] = [];

  private readonly name: SiteName;

  constructor(name: SiteName) {
    this.name = name;
    this.site = createSiteEdits({ tree: openSite(name).tree, pages, texts, keepsHome: true });
    this.context = { site: this.site, warnings: createWarnings(this.site), texts };
    this.slugs = this.site.files().map(({ slug }) => slug);
  }

  private async readAt(page: PageFile): Promise<Things> {
    const things = await thingsOf(this.site, page);
    if (!this.known.has(page.slug)) {
      this.known.set(page.slug, things);
    }
    return things;
  }

  async step(numbers: number[]): Promise<void> {
    const pick = picksOf(numbers);
    const there = this.site.files().map(({ slug }) => slug);
    const slug = pick.chance(95) ? pick.of(there) : pick.of([...this.slugs, '/nowhere']);
    const page = this.site.find(slug);
    if (page) await this.readAt(page);
    const sizes = new Map(
      (page ? await this.site.ask(page, 'groups') : []).map(({ id, members, pattern }) => [
        id,
        members[pattern]!.length,
      ]),
    );
    const [name, args] = this.call(pick, slug, sizes);
    const [digest, before] = [this.site.digest(), new Map(this.contents())];
    const notes = JSON.stringify(await this.context.warnings.list());
    this.olds = this.oldTexts(args);
    const { content, isError } = await runTool(this.context, { id: 'c', name, arguments: args });
    this.log.push(
      `${name} ${JSON.stringify(args)}: ${isError ? 'Error: ' : ''}${content.slice(0, 150)}`,
    );
    if (isError) {
      expect(this.site.digest(), this.says('an error changed something')).to.equal(digest);
      expect(
        JSON.stringify(await this.context.warnings.list()),
        this.says('an error left notes'),
      ).to.equal(notes);
    }
    if (name === 'move_page' && !isError && !content.includes('ids are new')) {
      const { slug, to } = args as { slug: string; to: string };
      expect(this.known.has(to), this.says('ids stayed where a page was')).to.equal(false);
      this.known.set(to, new Map(this.known.get(slug)));
    }
    const now = new Map(this.contents());
    for (const path of new Set([...before.keys(), ...now.keys()]))
      if (before.get(path) !== now.get(path)) await this.check(path, name, args);
  }

  private olds = new Set<string | undefined>();
  private oldTexts(args: Args): Set<string | undefined> {
    const edits = (args['edits'] ?? []) as { id: string }[];
    const known = this.known.get(args['slug'] as string);
    return new Set(edits.map(({ id }) => known?.get(`text ${id}`)));
  }

  private contents = () => this.site.changes().map(({ path, content }) => [path, content] as const);
  says = (what: string) => `${what}\n${this.log.join('\n')}\n`;

  /** Whether every known id of a page still names the same, but for what the call was to change. */
  private async check(path: string, name: string, args: Args): Promise<void> {
    const page = this.site.files().find((file) => file.path === path);
    if (!page) return;
    const now = await thingsOf(this.site, page);
    const known = this.known.get(page.slug);
    if (!known) {
      this.known.set(page.slug, now);
      return;
    }
    const written = this.writtenBy(name, args, known);
    for (const [key, says] of now) {
      const was = known.get(key);
      const isAsFound = name === 'undo' && (await foundAt(this.name, page.slug))?.get(key) === says;
      if (was !== undefined && was !== says && !isAsFound && !written(key, was, says))
        expect.fail(
          this.says(
            `${page.slug} ${key} named ${JSON.stringify(was)}, and now ${JSON.stringify(says)}`,
          ),
        );
      known.set(key, says);
    }
    if (name === 'set_texts' && args['slug'] === page.slug)
      for (const { id, text } of args['edits'] as { id: string; text: string }[])
        if (now.has(`text ${id}`))
          expect(now.get(`text ${id}`), this.says(`${id} was written`)).to.equal(plainText(text));
  }

  /** Whether a call was to change what an id names. */
  private writtenBy(name: string, args: Args, known: Things) {
    const { olds } = this;
    return (key: string, was: string, says: string): boolean => {
      const [kind, id = ''] = key.split(' ');
      if (kind === 'group')
        return was.split(' ').some((one) => says.split(' ').includes(one)) || says === '';
      if (kind === 'section')
        return (
          name === 'set_texts' ||
          name === 'replace_text' ||
          name === 'move_section' ||
          name === 'insert_section'
        );
      if (name === 'undo') return kind === 'link';
      if (name === 'set_texts')
        return kind === 'text' ? olds.has(was) : /^(?:tel|mailto):/.test(was);
      if (name === 'replace_text')
        return was.includes(args['from'] as string) || /^(?:tel|mailto):/.test(was);
      if (name === 'set_link' && kind === 'text')
        return args['target'] === '' && says.includes(was); // a row of links becomes one text, which the answer shows
      if (name === 'set_link')
        return (
          kind === 'link' &&
          (id.startsWith(args['id'] as string) ||
            args['everywhere'] === true ||
            known.get(`link ${args['id'] as string}.href`) === undefined)
        );
      if (name === 'set_image') return id.split('.')[0] === (args['id'] as string).split('.')[0];
      if (name === 'move_page')
        return kind === 'link' && (was === args['slug'] || !was.startsWith('/'));
      return false;
    };
  }

  private ids(slug: string, kind: string): string[] {
    const found = [...(this.known.get(slug)?.keys() ?? [])].filter((key) =>
      key.startsWith(`${kind} `),
    );
    return found.length > 0 ? found.map(idOf) : ['s1'];
  }

  private text = (pick: Picks) =>
    pick.of([
      `Token ${++this.count}`,
      `Token ${++this.count}`,
      `Token <b>${this.count}</b>`,
      '  ',
      '<1></1>',
      '\u00a0',
      '—',
    ]);

  private call(pick: Picks, slug: string, sizes: Map<string, number>): [string, Args] {
    const id = (kind: string) => pick.of(this.ids(slug, kind));
    const page = () => pick.of(this.slugs);
    const newSlug = () => (pick.chance(50) ? `/new-${pick.next() % 3}` : page());
    const group = () => id('group');
    const known = this.known.get(slug);
    const calls: (() => [string, Args])[] = [
      () => [
        'set_texts',
        { slug, edits: [{ id: id('text'), text: this.text(pick) }], everywhere: pick.chance(10) },
      ],
      () => ['set_texts', { slug, edits: [this.swapped(slug, pick)] }],
      () => [
        'replace_text',
        {
          from: pick.of(
            (known?.get(`text ${id('text')}`) ?? 'the')
              .split(' ')
              .filter((word) => /^\w+$/.test(word))
              .concat('the'),
          ),
          to: this.text(pick),
          ...(pick.chance(80) && { slug }),
        },
      ],
      () => [
        'set_link',
        {
          slug,
          id: id('link').split('.')[0],
          target: pick.of([page(), 'https://example.com/', `#x`]),
          everywhere: pick.chance(10),
        },
      ],
      () => [
        'set_image',
        {
          slug,
          id: id('image').split('.')[0],
          file: '/assets/favicon.ico',
          alt: pick.of(['', 'A picture']),
        },
      ],
      () => {
        const own = group();
        const texts = Array.from({ length: sizes.get(own) ?? 1 }, () => `Token ${++this.count}`);
        return [
          'add_items',
          {
            slug,
            group: own,
            after: pick.of([0, 1, 2, 9]),
            items: [texts],
            everywhere: pick.chance(10),
            ...(pick.chance(30) && { like: 0 }),
          },
        ];
      },
      () => [
        'remove_items',
        {
          slug,
          group: group(),
          indexes: pick.of([[0], [1], [0, 1], [0, 1, 2], [1, 2, 3]]),
          everywhere: pick.chance(10),
        },
      ],
      () => [
        'move_items',
        {
          slug,
          group: group(),
          members: pick.of([
            [0, 1],
            [0, 2],
            [1, 2],
          ]),
        },
      ],
      () => ['remove_section', { slug, section: id(pick.of(['section', 'text'])) }],
      () => [
        'move_section',
        { slug, section: id('section'), [pick.of(['before', 'after'])]: id('section') },
      ],
      () => {
        const from = pick.of(this.slugs);
        const section = pick.of(this.ids(from, 'section'));
        return ['insert_section', { slug, after: id('section'), from: { slug: from, section } }];
      },
      () => [
        'insert_section',
        {
          slug,
          after: id('section'),
          html: `<section><h2>Token ${++this.count}</h2><p>New</p></section>`,
        },
      ],
      () => [
        'create_page',
        {
          slug: newSlug(),
          from: slug,
          ...(pick.chance(50) && { lang: 'de' }),
          ...(pick.chance(30) && { sections: [id('section')] }),
        },
      ],
      () => ['delete_page', { slug, ...(pick.chance(50) && { links: 'remove' }) }],
      () => ['move_page', { slug, to: newSlug() }],
      () => [
        'set_link',
        {
          slug,
          id: id('text'),
          words: pick.of((known?.get(`text ${id('text')}`) ?? 'the').split(' ')),
          target: page(),
        },
      ],
      () => ['set_link', { slug, id: id('link').split('.')[0], target: '' }],
      () => [
        'insert_section',
        {
          slug,
          ...(pick.chance(50) ? { before: 'header' } : { after: 'footer' }),
          html: `<p>Token ${++this.count}</p>`,
          everywhere: pick.chance(20),
        },
      ],
      () => ['undo', { slug: pick.chance(50) ? slug : newSlug() }],
    ];
    return pick.of(calls)();
  }

  /** A text with its parts in another order. */
  private swapped(slug: string, pick: Picks) {
    const many = [...(this.known.get(slug)?.keys() ?? [])].filter((key) => key.startsWith('text '));
    const id = idOf(pick.of(many.length > 0 ? many : ['text s1']));
    return {
      id,
      text: pick.of([
        '<2>Token two</2> and <1>Token one</1>',
        '<1>Token</1>',
        'Token <1/> more',
        'Token <1>one</1> <2>two</2>',
      ]),
    };
  }
}

describe('the tools of a language model, in any order', function () {
  for (const name of ['demo', 'business'] as const)
    it(`leave every id of the site "${name}" to what it named, and change nothing where they fail`, async () => {
      const step = fc.array(fc.nat(100_000), { minLength: 16, maxLength: 16 });
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 14 }),
        async (steps) => {
          const run = new Run(name);
          for (const numbers of steps) await run.step(numbers);
        },
      );
      await fc.assert(property, { numRuns: casesOf(5), endOnFailure: true });
    });
});
