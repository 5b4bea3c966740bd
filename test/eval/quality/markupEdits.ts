import { call } from '../../helpers/modelTurns.ts';
import type { Edit } from './edit.ts';
import { look } from './goodModel.ts';
import type { VisitedSite } from './site.ts';

const about = 'about.html';
const contact = 'contact.html';
const pricing = 'pricing.html';

interface StructuredData {
  '@type'?: string;
  mainEntity?: { name?: string; acceptedAnswer?: { text?: string } }[];
}

/** The blocks of structured data of a page. Throws where one is no JSON. */
const blocksOf = (site: VisitedSite, path: string): StructuredData[] =>
  site
    .all(path, 'script[type="application/ld+json"]')
    .map(({ rawText }) => JSON.parse(rawText) as StructuredData);

const questions: [question: string, answer: string][] = [
  ['Do you answer on weekends?', 'No. We read everything on Monday.'],
  ['Can we call you?', 'Yes, from Monday to Friday.'],
];

/** A page with some of its bytes replaced. */
const changed = (source: string, from: string, to: string) => source.replace(from, () => to);

const footerPages = (site: VisitedSite) =>
  site.paths().filter((path) => site.all(path, 'footer.site-footer').length > 0);

const edit = (slug: string, from: string, to: string, more: { everywhere?: boolean } = {}) =>
  call('edit_html', { slug, edits: [{ old: from, new: to }], ...more });

const shownQuestions = questions
  .map(
    ([question, answer]) => `            <li class="card">
              <h3>${question}</h3>
              <p>${answer}</p>
            </li>`,
  )
  .join('\n');
const questionSection = `      <section class="section" aria-labelledby="questions">
        <div class="wrap">
          <div class="section-head">
            <h2 id="questions">Questions</h2>
          </div>
          <ul class="grid">
${shownQuestions}
          </ul>
        </div>
      </section>
`;
const questionData = JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: questions.map(([name, text]) => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text },
  })),
});

/** Prompts of kinds for which there was no tool while models could not edit HTML. */
export const markupEdits: Edit[] = [
  {
    name: 'questions with structured data',
    site: 'demo',
    prompt: `Put a section "Questions" at the end of the contact page, for search engines too: ${questions.map((pair) => pair.join(' ')).join(' ')}`,
    touches: /^contact\.html$/,
    layout: 'free',
    done: {
      'readers see them': (site) =>
        questions.flat().every((text) => site.text(contact, 'main').includes(text)),
      'search engines get them as a list of questions': (site) =>
        `${blocksOf(site, contact)
          .filter((block) => block['@type'] === 'FAQPage')
          .flatMap(({ mainEntity = [] }) =>
            mainEntity.map(({ name, acceptedAnswer }) => [name, acceptedAnswer?.text]),
          )}` === `${questions}`,
      'what they had stays': (site) =>
        blocksOf(site, contact).some((block) => block['@type'] === 'ContactPage'),
    },
    good: {
      turns: [
        look('/contact'),
        () => [call('read_html', { slug: '/contact', around: '</main>' })],
        () => [
          call('edit_html', {
            slug: '/contact',
            edits: [
              { old: '    </main>', new: `${questionSection}    </main>` },
              {
                old: '  </head>',
                new: `    <script type="application/ld+json">${questionData}</script>\n  </head>`,
              },
            ],
          }),
        ],
      ],
    },
  },
  {
    name: 'an anchor on a part that is there',
    site: 'demo',
    prompt:
      'The list of people on the about page gets the anchor "team", and "say hello" at its end leads there.',
    touches: /^about\.html$/,
    layout: 'free',
    done: {
      'one element has the anchor, around the people': (site) =>
        site.all(about, '[id="team"]').length === 1 &&
        site.text(about, '[id="team"]').includes('Idris Vale'),
      'the link leads there': (site) =>
        site.all(about, 'main a').some((link) => {
          const leads = link.getAttribute('href')?.endsWith('#team');
          return leads && link.text === 'say hello';
        }),
      'the text is the same': (site, { before }) => site.text(about) === before.text(about),
      'the old anchor still works': (site) => site.all(about, '[id="people"]').length === 1,
    },
    good: {
      turns: [
        look('/about'),
        () => [call('read_html', { slug: '/about', around: 'Idris Vale' })],
        () => [
          call('edit_html', {
            slug: '/about',
            edits: [
              { old: '<dl class="people">', new: '<dl class="people" id="team">' },
              { old: '<a href="contact">say hello</a>', new: '<a href="#team">say hello</a>' },
            ],
          }),
        ],
      ],
    },
  },
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
    name: 'hidden on phones',
    site: 'business',
    prompt: 'Hide the picture of "Our founding" on the about page on phones.',
    touches: /^about\.html$|\.css$/,
    layout: 'free',
    done: {
      'it is hidden below the width of a tablet': (site) =>
        hasClasses(site, 'img', ['d-none', 'd-md-block']) ||
        hasClasses(site, 'div', ['d-none', 'd-md-block']),
      'the other pictures are not': (site) => site.all(about, '.d-none').length === 1,
      'the text is the same': (site, { before }) => site.text(about) === before.text(about),
    },
    good: {
      turns: [
        look('/about'),
        () => [
          call('search', { text: '.d-md-block', in: 'styles' }),
          call('read_html', { slug: '/about', around: 'Our founding' }),
        ],
        () => [
          edit(
            '/about',
            `<div class="col-lg-6"><img class="img-fluid rounded mb-5 mb-lg-0" src="https://dummyimage.com/600x400/343a40/6c757d" alt="..." /></div>
                        <div class="col-lg-6">
                            <h2 class="fw-bolder">Our founding</h2>`,
            `<div class="col-lg-6"><img class="img-fluid rounded mb-5 mb-lg-0 d-none d-md-block" src="https://dummyimage.com/600x400/343a40/6c757d" alt="..." /></div>
                        <div class="col-lg-6">
                            <h2 class="fw-bolder">Our founding</h2>`,
          ),
        ],
      ],
    },
  },
  {
    name: 'a link in a new tab',
    site: 'demo',
    prompt: 'On the about page, "our journal" opens in a new tab.',
    touches: /^about\.html$/,
    layout: 'same',
    done: {
      'it does': (site) =>
        `${site.all(about, 'main a[target="_blank"]').map(({ text }) => text)}` === 'our journal',
      'it leads where it led': (site, { before }) =>
        `${site.attribute(about, 'main a', 'href')}` ===
        `${before.attribute(about, 'main a', 'href')}`,
    },
    good: {
      turns: [
        look('/about'),
        () => [
          edit(
            '/about',
            '<a href="blog/">our journal</a>',
            '<a href="blog/" target="_blank" rel="noopener">our journal</a>',
          ),
        ],
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
  {
    name: 'a number in an attribute',
    site: 'demo',
    change: (files) => ({
      ...files,
      [about]: changed(
        files[about]!,
        '<p class="eyebrow">About us</p>',
        '<p class="eyebrow"><span data-count="214">38</span> websites so far</p>',
      ),
    }),
    prompt: 'The about page counts 260 websites now, in place of 214.',
    touches: /^about\.html$/,
    layout: 'same',
    done: {
      'the script counts to it': (site) =>
        `${site.attribute(about, '[data-count]', 'data-count')}` === '260',
      'the old number is gone': (site) => !site.files[about]!.includes('214'),
    },
    good: {
      turns: [
        () => [call('search', { text: '214' })],
        () => [edit('/about', 'data-count="214"', 'data-count="260"')],
      ],
    },
  },
  {
    name: 'a link beside a link in the footer',
    site: 'demo',
    prompt:
      'Put a link "Our people" to /about#people behind "About us" in the footer, on every page.',
    touches: /\.html$/,
    layout: 'free',
    done: {
      'it stands behind "About us", wherever the footer has that': (site) =>
        footerPages(site).every((path) => {
          const links = site.texts(path, 'footer.site-footer a');
          return links[links.indexOf('About us') + 1] === 'Our people';
        }),
      'on all of its pages': (site, { before }) =>
        footerPages(site).length === footerPages(before).length && footerPages(site).length > 10,
      'and leads there': (site) =>
        footerPages(site).every((path) =>
          site
            .all(path, 'footer.site-footer a')
            .some(
              (link) => link.text === 'Our people' && link.getAttribute('href') === '/about#people',
            ),
        ),
    },
    good: {
      turns: [
        () => [call('read_html', { slug: '/', around: '>About us</a>' })],
        () => [
          edit(
            '/',
            '<li><a href="/about">About us</a></li>',
            '<li><a href="/about">About us</a></li>\n                <li><a href="/about#people">Our people</a></li>',
            { everywhere: true },
          ),
        ],
      ],
    },
  },
  {
    name: 'a new section without a heading',
    site: 'demo',
    prompt:
      'Behind the packages of the pricing page comes a strip of its own that only says "Every price includes a year of care.", without a heading.',
    touches: /^pricing\.html$/,
    layout: 'free',
    done: {
      'it is a section with this text alone': (site) =>
        site
          .texts(pricing, 'main section')
          .some((text) => text === 'Every price includes a year of care.'),
      'it stands behind the packages': (site) => {
        const sections = site.texts(pricing, 'main section');
        const at = sections.indexOf('Every price includes a year of care.');
        return at > 0 && sections[at - 1]!.includes('Starter');
      },
      'no heading is new': (site, { before }) =>
        `${site.texts(pricing, 'h1, h2, h3')}` === `${before.texts(pricing, 'h1, h2, h3')}`,
    },
    good: {
      turns: [
        look('/pricing'),
        () => [call('read_html', { slug: '/pricing', around: '<h3>Atlas</h3>' })],
        ({ id }) => {
          const line = Number(id(/Atlas<\/h3>[^]*?(\d+): {7}<\/section>/));
          return [
            call('edit_html', {
              slug: '/pricing',
              edits: [{ lines: [line, line], new: strip }],
            }),
          ];
        },
      ],
    },
  },
];

const strip = `      </section>
      <section class="section tint">
        <div class="wrap narrow">
          <p>Every price includes a year of care.</p>
        </div>
      </section>`;

const hasClasses = (site: VisitedSite, selector: string, classes: string[]) =>
  site
    .all(about, `${selector}.${classes.join('.')}`)
    .some(({ outerHTML }) => outerHTML.includes('600x400'));
