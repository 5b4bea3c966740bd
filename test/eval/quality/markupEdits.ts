import { call } from '../../helpers/modelTurns.ts';
import type { Edit } from './edit.ts';
import { look } from './goodModel.ts';

const about = 'about.html';
const contact = 'contact.html';

/** A page with some of its bytes replaced. */
const changed = (source: string, from: string, to: string) => source.replace(from, () => to);

const edit = (slug: string, from: string, to: string, more: { everywhere?: boolean } = {}) =>
  call('edit_html', { slug, edits: [{ old: from, new: to }], ...more });

/** Prompts of kinds for which there was no tool while models could not edit HTML. */
export const markupEdits: Edit[] = [
  {
    name: 'the language of a page, in place',
    site: 'demo',
    prompt:
      'The contact page is written in British English: say so to browsers, and leave the rest.',
    touches: /^contact\.html$/,
    layout: 'same',
    done: {
      'it says so': (site) => site.attribute(contact, 'html', 'lang')[0] === 'en-GB',
      'nothing else differs': (site, { before }) =>
        site.files[contact] ===
        changed(before.files[contact]!, '<html lang="en">', '<html lang="en-GB">'),
    },
    good: {
      turns: [
        look('/contact'),
        () => [edit('/contact', '<html lang="en">', '<html lang="en-GB">')],
      ],
    },
  },
  {
    name: 'the picture of a page in social networks',
    site: 'demo',
    prompt: 'Who shares the about page shows the picture studio.svg of that page.',
    touches: /^about\.html$/,
    layout: 'same',
    done: {
      'the page names it, with its host': (site) =>
        `${site.attribute(about, 'meta[property="og:image"]', 'content')}` ===
        'https://www.northwind.example/assets/images/studio.svg',
      'no other page does': (site) =>
        site
          .paths()
          .every(
            (path) =>
              path === about ||
              !`${site.attribute(path, 'meta[property="og:image"]', 'content')}`.includes('studio'),
          ),
      'no host is new': (_, { notes }) => !notes.some(({ kind }) => kind === 'host'),
    },
    good: {
      turns: [
        look('/about'),
        () => [call('read_html', { slug: '/about', around: 'og:image"' })],
        () => [
          edit(
            '/about',
            '<meta property="og:image" content="https://www.northwind.example/assets/images/share.png">',
            '<meta property="og:image" content="https://www.northwind.example/assets/images/studio.svg">',
          ),
        ],
      ],
    },
  },
];
