// Takes long: every reader of a text from outside gets fifty hostile texts in each of its places,
// ten times as long too.
import { checkContextValues } from '../../src/agents/shared/context/checkContextValues.ts';
import { readContext } from '../../src/agents/shared/context/readContext.ts';
import { findSlotProblem } from '../../src/agents/shared/page/findSlotProblem.ts';
import {
  findAmountSpans,
  replaceAmount,
  scaleAmount,
} from '../../src/agents/shared/text/moneyAmounts.ts';
import { findJunk } from '../../src/agents/shared/text/findJunk.ts';
import { removeMarkup } from '../../src/agents/shared/text/removeMarkup.ts';
import { telephonesIn } from '../../src/text/telephone.ts';
import { readTableRows } from '../../src/api/batches/readBatch.ts';
import {
  createPageListing,
  encloseRequest,
} from '../../src/agents/model/prompt/promptInstructions.ts';
import { parseModelName } from '../../src/agents/model/calls/providerModels.ts';
import { parseModelJson } from '../../src/agents/model/calls/parseModelJson.ts';
import { cleanProviderMessage } from '../../src/agents/model/calls/cleanProviderMessage.ts';
import { readModelTurn } from '../../src/agents/model/prompt/readModelTurn.ts';
import { readUnmarkedQuote, readQuote } from '../../src/agents/shared/context/citedQuotes.ts';
import { createPageFromAnswer } from '../../src/agents/model/page/createPageFromAnswer.ts';
import { readPageQuestion } from '../../src/agents/model/page/pageQuestions.ts';
import { createPageRequest } from '../../src/agents/model/page/pageRequest.ts';
import { readCells } from '../../src/console/browser/table/readTextTable.ts';
import { namesColumns } from '../../src/console/browser/reading/firstRow.ts';
import { removeInvisible } from '../../src/contract/text/removeInvisible.ts';
import { writeLinkBlock } from '../../src/agents/shared/page/writeLinkBlock.ts';
import { readPostalAddress } from '../../src/agents/shared/facts/postalAddress.ts';
import { languageTag } from '../../src/text/languageTag.ts';
import { writeRulesPage } from '../../src/agents/rules/page/writeRulesPage.ts';
import { readPrompt } from '../../src/agents/rules/prompt/readPrompt.ts';
import { isHeadingCalled } from '../../src/agents/rules/prompt/edits/matchNames.ts';
import { changeFacts } from '../../src/agents/shared/texts/changeFacts.ts';
import type { FactChange } from '../../src/agents/shared/texts/changeFacts.ts';
import { telephoneSpans } from '../../src/text/telephoneSpans.ts';
import { replaceInSlot } from '../../src/agents/shared/text/replaceInSlot.ts';
import { findAddressSpans, findWords } from '../../src/agents/shared/text/textSpans.ts';
import { cleanModelText } from '../../src/agents/shared/text/cleanModelText.ts';
import { repeatEdits } from '../../src/agents/shared/markup/repeatEdits.ts';
import { editSource } from '../../src/agents/shared/markup/editSource.ts';
import { readSourceLines } from '../../src/agents/shared/markup/readSourceLines.ts';
import { textCalls as textsCalls } from '../../src/agents/shared/texts/textsCalls.ts';
import { findClosestNames } from '../../src/agents/shared/text/closestNames.ts';
import { findLinesWith } from '../../src/agents/shared/texts/findLinesWith.ts';
import { addInlineParts } from '../../src/agents/shared/texts/addInlineParts.ts';
import { mayContainWords } from '../../src/agents/shared/texts/sourceFilter.ts';
import { parseCallbackUrl } from '../../src/callbacks/callbackPolicy.ts';
import { toEditableSlot, toSlotTexts } from '../../src/sites/pages/texts/editableTexts.ts';
import { DomainError } from '../../src/errors.ts';
import {
  sanitizeMessage,
  gitFailure,
  remoteWords,
} from '../../src/sites/git/command/gitFailure.ts';
import { checkRepositoryUrl } from '../../src/sites/git/remote/repositoryUrl.ts';
import { parseDocument } from '../../src/sites/formats/html/document.ts';
import { numberToDial, internationalNumber } from '../../src/text/dialling.ts';
import { escapeText } from '../../src/sites/formats/escape.ts';
import { findPortraits } from '../../src/sites/formats/html/checks/portraits.ts';
import { findNumberAttributes } from '../../src/sites/formats/html/counters/findCounters.ts';
import { followTimes } from '../../src/sites/formats/html/followTimes.ts';
import {
  attributeKind,
  jsonKind,
  rewriteRaw,
  textKind,
} from '../../src/sites/formats/rewriteSource.ts';
import { historyIn } from '../../src/agents/shared/page/historySentences.ts';
import { mapCssUrls } from '../../src/sites/styles/cssAddresses.ts';
import { mapRefresh, mapUrls } from '../../src/sites/formats/html/links/urlAttributes.ts';
import type { TextSlot } from '../../src/sites/formats/pageParts.ts';
import { pageCalls } from '../../src/sites/pages/pageCalls.ts';
import { readTarget } from '../../src/sites/pages/urls/servedPaths.ts';
import { readRedirects } from '../../src/sites/redirects/readRedirects.ts';
import { indexRedirects } from '../../src/sites/redirects/redirects.ts';
import {
  type SitemapChanges,
  updateSitemaps,
} from '../../src/sites/pages/sitemap/updateSitemap.ts';
import { checkSlug, normalizeSlug } from '../../src/sites/pages/urls/slug.ts';
import { escapeMarks, plainLine } from '../../src/sites/pages/texts/slotText.ts';
import {
  absolutePath,
  parseReference,
  relativePath,
  slugOfUrl,
} from '../../src/sites/pages/urls/urls.ts';
import { expectLinear } from '../helpers/growth.ts';
import { marks, words } from './hostile/units.ts';

/**
 * A hostile text may be refused, in as little time: a RangeError is what the pages' worker makes
 * PAGE_UNREADABLE of.
 */
function tried(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof RangeError)) throw error;
  }
}

const updateSitemap = (source: string, changes: SitemapChanges) =>
  updateSitemaps([{ path: 'sitemap.xml', source }], changes);

const slot = (text: string, parts: string[] = [], more: Partial<TextSlot> = {}): TextSlot => ({
  id: 's1',
  role: 'paragraph',
  section: null,
  text,
  parts,
  locked: false,
  ...more,
});

const template = {
  slug: '/locations/austin',
  slots: [
    slot('Web design in <1>Austin</1>', ['a'], { id: 's1', role: 'heading', level: 1 }),
    slot('Call (512) 555-0142 in Austin <1/> now.', ['br'], { id: 's2' }),
    slot('More', [], { id: 's3', role: 'heading', level: 2 }),
    slot('Text.', [], { id: 's4', section: 'More' }),
  ],
  groups: [],
};
const write = (context: string) =>
  writeRulesPage(template, { targetPageSlug: '/locations/lisbon', context });

/**
 * Asks a model for a page with a hostile template and context, and reads what it answers: the text,
 * twice as long.
 */
function answerWith(text: string) {
  removeInvisible(text);
  const item = { targetPageSlug: '/locations/lisbon', context: `City: Lisbon\n${text}` };
  const slots = [
    slot('Web in Austin', [], { id: 's1', role: 'title' }),
    slot(escapeMarks(text), [], { id: 's2' }),
  ];
  const page = { slug: '/locations/austin', slots, siteTexts: [text] };
  const questions = [{ question: text, options: [text], answer: text }];
  createPageRequest({
    template: page,
    item,
    rejected: { answer: text, problems: [text] },
    questions,
  });
  readPageQuestion({ questions: [] }, { ask: { question: text, options: [text] } });
  const texts = [
    { id: 's1', text: 'Web in Lisbon' },
    { id: 's2', text: `${text} b` },
    { id: text, text },
  ];
  createPageFromAnswer({ template: page, item }, { texts, groups: [{ id: text, members: 2 }] });
  createPageFromAnswer(
    { template: page, item, questions },
    { texts: texts.slice(0, 2), groups: [] },
  );
}

const blockOf = (text: string) => ({
  slots: [slot(text), slot('Austin', [], { id: 's2' })],
  naming: ['s2'],
  common: [],
  removable: [],
});

const changes = {
  added: [{ slug: '/x', path: 'x.html' }],
  removed: [{ slug: '/c' }],
  lastmod: '2026-01-01T00:00:00.000Z',
};

const path = 'a.html';
const sitePaths = ['index.html', 'a.html', 'b.html'];
const move = {
  from: { path: 'b.html', slug: '/b' },
  to: { path: 'c/d.html', slug: '/c/d' },
  sitePaths,
};
function readPage(source: string) {
  tried(() => pageCalls.read({ path, source }));
  tried(() => pageCalls.groups({ path, source }));
  tried(() => pageCalls.identity({ path, source }));
  tried(() => pageCalls.outline({ page: { path, source }, siblings: [], sitePaths }));
  tried(() => readSourceLines(source, {}));
  tried(() => readSourceLines(source, { around: 'nowhere <p>' }));
  tried(() => editSource({ path, source }, [{ old: '<p>\n nowhere', new: 'x' }]));
  tried(() => editSource({ path, source }, [{ lines: [1, 1], new: source }]));
  tried(() =>
    repeatEdits({ path, source }, { path: 'b/c.html', source }, [{ lines: [1, 1], new: '<p>' }]),
  );
  tried(() =>
    pageCalls.frame({ path, source }, { url: 'https://a.example/', head: '', attribute: 'data-x' }),
  );
  tried(() => pageCalls.move({ path, source }, move));
  tried(() =>
    pageCalls.check({
      path,
      before: { path, source: '<p>a</p>' },
      after: source,
      sitePaths,
      mayAddLinks: false,
    }),
  );
}

let markdownReads = 0;

/**
 * Reads a page in Markdown and as MDX, changes each of its texts, and writes a hostile one. Each
 * time, the page has another path: pages that were read lately are cached.
 */
function readMarkdown(source: string) {
  const name = `content/${++markdownReads}`;
  const page = { path: `${name}.md`, source };
  tried(() => pageCalls.read({ path: `${name}.mdx`, source }));
  tried(() => pageCalls.outline({ page, siblings: [], sitePaths }));
  tried(() => {
    const { slots } = pageCalls.read(page);
    const texts = slots.map(({ id, text }): [string, string] => [id, `${text} b`]);
    pageCalls.setTexts(page, Object.fromEntries(texts));
  });
  const plain = { path: page.path, source: '---\ntitle: a\n---\n# a\n' };
  tried(() => pageCalls.setTexts(plain, { 's0.0': escapeMarks(source) }));
  tried(() => pageCalls.setTexts(plain, { s1: escapeMarks(source) }));
}

/** Derives the URL of a page in Markdown from a hostile configuration, and by hostile rules. */
function deriveUrls(text: string) {
  const page = { path: 'content/a.md', source: '---\ntitle: a\n---\n# a\n' };
  for (const path of ['hugo.toml', '.eleventy.js', '.vitepress/config.ts'])
    tried(() => pageCalls.pageUrlPath(page, { files: [{ path, source: text }], rules: [] }));
  const rules = [{ folder: 'content', pattern: `/${text}/:slug` }];
  tried(() => pageCalls.pageUrlPath(page, { files: [], rules }));
  tried(() => pageCalls.readSitemapPaths({ path: '/sitemap.xml', source: `<loc>${text}` }));
  for (const front of [`slug: "${text}"`, `permalink: "${text}"`, `title: "${text}"`]) {
    const hostilePage = { path: page.path, source: `---\n${front}\n---\n` };
    const settings = 'permalinks:\n  a: /:title/\n';
    for (const path of ['hugo.yaml', '_config.yml'])
      tried(() =>
        pageCalls.pageUrlPath(hostilePage, { files: [{ path, source: settings }], rules: [] }),
      );
  }
}

function readStyles(source: string) {
  const sheet = { path: 'a.css', source };
  const plain = { path: 'a.css', source: 'a { color: red } .b {}' };
  tried(() => pageCalls.editFile(sheet, { find: 'red', replace: 'blue', all: true }));
  tried(() => pageCalls.editFile(plain, { find: 'red', replace: source }));
  tried(() => pageCalls.knownKeys(sheet, ['class a']));
}

function readNew(text: string) {
  const page = { path, source: '<h1>a</h1>\n<section><h2>b</h2></section>' };
  tried(() => editSource(page, [{ old: '<h2>b', new: text }]));
  tried(() => editSource(page, [{ old: text, new: 'c' }]));
  tried(() =>
    repeatEdits(page, { path: 'b/c.html', source: text }, [{ lines: [2, 2], new: text }]),
  );
  for (const [name, source] of Object.entries({
    'a.json': '{"a":"b"}',
    'x/a.txt': 'b',
  })) {
    tried(() => pageCalls.editFile({ path: name, source }, { find: 'b', replace: text }));
    tried(() =>
      pageCalls.editFile({ path: name, source: text }, { find: 'a', replace: 'c', all: true }),
    );
  }
}

const outsider = { what: 'a link to', keys: [] };
const outsiders = [
  { ...outsider, kind: 'host' as const, value: 'a.example' },
  { ...outsider, kind: 'email' as const, value: 'a@a.example' },
  { ...outsider, kind: 'telephone' as const, value: '4930123456' },
];

/** Whom a text names, as a request and as a file of the site. */
function readOutsiders(text: string) {
  tried(() => pageCalls.areReferencesNamed(text, outsiders));
  for (const name of ['a.css', 'a.json', 'a.txt', 'a.html'])
    tried(() => pageCalls.sideEffects({ path: name, source: text }, ''));
  tried(() =>
    pageCalls.knownKeys({ path: 'a.txt', source: text }, [
      'host a.example',
      'telephone 4930123456',
    ]),
  );
}

/** Writes a page from a hostile template, and drops what only the template says. */
function dropFacts(source: string) {
  const page = { path, source };
  const { slots, groups, claims, blocks, digest } = pageCalls.readTemplate(page, []);
  const item = { targetPageSlug: '/b', context: 'Rating: 4.8', facts: 'drop' as const };
  const { texts, removed = [] } = writeRulesPage(
    { slug: '/a', slots, groups, claims, blocks },
    item,
  );
  pageCalls.create({
    template: page,
    target: { slug: '/b', path: 'b.html' },
    texts,
    removed,
    sitePaths,
    digest,
    siblings: [],
  });
}
const attribute = (text: string) => text.replaceAll('"', '&quot;');

const factChanges: FactChange[] = [
  { kind: 'telephone', from: '+1 303 555 0100', to: '+1 303 555 0177' },
  { kind: 'email', from: 'a@a.example', to: 'b@a.example' },
  { kind: 'year', year: '2027' },
  { kind: 'raise', percent: 10 },
  { kind: 'price', name: 'a', to: '$2' },
  { kind: 'price', from: '$1', to: '$2' },
];

interface Reader {
  read: (text: string) => void;
  places: ((text: string) => string)[];
  /** Default: all. */
  units?: string[];
  /** Characters of the shorter text. Default: 1,000. */
  length?: number;
}

/**
 * Everything that reads a text from outside, by its name, with the places in which the text is put.
 */
const readers: Record<string, Reader> = {
  prompts: {
    read: (text) => tried(() => readPrompt(text)),
    places: [
      (text) => text,
      (text) => `Delete /a${text}`,
      (text) => `Delete "${text}"`,
      (text) => `${text} delete /a`,
    ],
  },
  'prompts that name things': {
    read: (text) => tried(() => readPrompt(text)),
    places: [
      (text) => `Set the title of /a to ${text}`,
      (text) => `Remove the ${text} section from /a`,
      (text) => `Change ${text} to $1 and ${text} to $2`,
    ],
  },
  facts: {
    read: (text) => {
      const page = {
        slots: [slot(escapeMarks(text)), slot('©'), slot('4', [], { jsonPath: 'offers.price' })],
        links: [],
        groups: [],
      };
      for (const change of factChanges) tried(() => changeFacts(page, change));
      isHeadingCalled(text.slice(0, 1_000), text);
    },
    places: [(text) => text, (text) => `© ${text}`, (text) => `$1${text}`],
  },
  contexts: {
    read: (text) => tried(() => write(text)),
    places: [
      (text) => text,
      (text) => `# a${text}`,
      (text) => `## More\n\n- ${text}`,
      (text) => `City,Address\nx,${text}`,
      (text) => `Testimonials:\n"${text}\n> ${text}`,
      (text) => `Address: ${text}\nPhone: ${text}\nLang: ${text}`,
      (text) => `Headline: ${text}`,
      (text) => `---\n${text}\n---\nx`,
      (text) => `a: b\nc:\n  ${text}`,
      (text) => `| a | b |\n| --- | -${text}\n| x | ${text} |`,
      (text) =>
        JSON.stringify({
          headline: text,
          more: [text],
          faq: [{ question: text, answer: text }],
          phone: text,
        }),
    ],
  },
  'values of a context': {
    read: (text) => {
      findJunk(text, () => false);
      removeMarkup(text);
      telephonesIn(text, 'NO');
      for (const old of ['a@a.example', '+47 22 33 44 55', 'https://a.example'])
        findSlotProblem(slot(old), old, text);
      checkContextValues(
        readContext(
          JSON.stringify({ phone: text, email: text, rating: text, date: text, price: text }),
        ),
        'NO',
      );
    },
    places: [
      (text) => text,
      (text) => `#${text}`,
      (text) => `<b${text}`,
      (text) => `&amp;${text}`,
      (text) => `<script>${text}`,
      (text) => `{{${text}`,
      (text) => `[${text}]`,
      (text) => `«${text}»`,
      (text) => `+47 ${text}`,
    ],
  },
  'requests for batches': {
    read(text) {
      try {
        readTableRows({ text, isLast: true, before: 0 }, {});
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
      }
    },
    places: [
      (text) => text,
      (text) => `sep=;\n${text}`,
      (text) => `targetPageSlug,${text}\n/a,b`,
      (text) => `targetPageSlug,b\n${text},b`,
      (text) => `targetPageSlug,b\n/a,${text}`,
      (text) => `targetPageSlug,b\n/a,"${text}`,
      (text) => `targetPageSlug,b,externalId\n/a,b,${text}`,
    ],
  },
  'tables that people choose': {
    read: (text) => {
      const cells = readCells(text);
      if (typeof cells !== 'string') namesColumns(cells);
    },
    places: [
      (text) => text,
      (text) => `sep=;\n${text}`,
      (text) => `City\n${text}`,
      (text) => `"${text}`,
      (text) => `ø${text}ø`,
    ],
  },
  'sums of money': {
    read: (text) => {
      findAmountSpans(text);
      replaceAmount(text, '5');
      replaceAmount('$5', text);
      scaleAmount(text, 1.1);
    },
    places: [(text) => text, (text) => `NOK 45 ${text}`, (text) => `₹1,${text}`],
  },
  'what a language model reads and writes for a page': {
    read: (text) => tried(() => answerWith(text)),
    units: [
      'a',
      'A ',
      ', ',
      '\n',
      '<',
      '<1>',
      '</1>',
      '\\<',
      '&a',
      '#',
      '**a',
      '[a](',
      '“A ',
      '1,',
      '1 ',
      '+1',
      's1.a+',
      'A. B ',
      'Anna B of ',
      'a@',
      '$1 ',
      '\u200d',
      '👩\u200d',
    ],
    places: [(text) => text, (text) => `“${text}” (<1>${text}</1>`],
  },
  listings: {
    read: (text) => {
      pageCalls.listedSlugs({ path: 'feed.xml', source: text });
    },
    places: [(text) => text, (text) => `<link>https://a.example/${text}</link>`],
  },
  histories: {
    read: (text) => {
      historyIn(text, 'Austin');
    },
    places: [
      (text) => `In 1998 we started${text}in Austin`,
      (text) => `${text} opened in 1998 in Austin`,
    ],
  },
  sitemaps: {
    read: (text) => {
      updateSitemap(text, changes);
    },
    places: [
      (text) => text,
      (text) => `<urlset><url><loc>https://a.example/c</loc>${text}</url></urlset>`,
      (text) => `<urlset><url><loc>${text}https://a.example/c${text}</loc></url></urlset>`,
      (text) => `<urlset><url><loc>https://a.example/a</loc><lastmod>${text}</url></urlset>`,
    ],
  },
  pages: {
    read: readPage,
    units: marks,
    places: [
      (text) => `<title>${text}</title><p>${text}`,
      (text) => `<ul><li>a</li>${text}</x><li>b</li></ul>`,
      (text) => `<p ${text}>a`,
      (text) =>
        `<p style="${attribute(text)}" id="${attribute(text)}"><a href="${attribute(text)}" onclick="${attribute(text)}">a`,
      (text) =>
        `<style>${text}</style><img srcset="${attribute(text)}"><meta http-equiv=refresh content="1;${text}">`,
      (text) =>
        `<script type="application/ld+json">{"name":${JSON.stringify(text)},"a":[${text}</script>`,
      (text) => `<svg><text><![CDATA[${text}`,
    ],
  },
  'pages in Markdown': {
    read: readMarkdown,
    units: marks,
    length: 250,
    places: [
      (text) => text,
      (text) => `---\ntitle: ${text}\n---\n# ${text}`,
      (text) => `+++\ntitle = "${text}"\n+++\n| a |\n| - |\n| ${text} |`,
      (text) => `a {{< b ${text} >}} [c](${text} "${text}")`,
    ],
  },
  'style sheets and what is written into them': {
    read: readStyles,
    units: marks,
    places: [
      (text) => text,
      (text) => `a { color: ${text} }`,
      (text) => `@media ${text} { a { color: red; --x: ${text} } }`,
    ],
  },
  'hosts, e-mail addresses and telephone numbers that a text names': {
    read: readOutsiders,
    units: [
      'a',
      ' ',
      '.',
      '/',
      '//',
      '@',
      ':',
      'https://',
      'www.',
      'a.',
      'a@',
      '1',
      '1 ',
      '(',
      '+',
      '-',
      '{"a":',
      '[',
    ],
    places: [
      (text) => text,
      (text) => `https://${text}`,
      (text) => `a@${text}.example`,
      (text) => `<a href="mailto:${text}">${text}</a>`,
      (text) => `<a href="tel:${text}" title="${text}">x</a>`,
      (text) => `<script type="application/ld+json">{"telephone": "${text}"}</script>`,
    ],
  },
  'new markup, data and feeds': {
    read: readNew,
    units: marks,
    places: [
      (text) => text,
      (text) =>
        `<a href="${attribute(text)}" id="${attribute(text)}" class="${attribute(text)}">a</a>`,
      (text) => JSON.stringify({ a: text }),
    ],
  },
  'what a template claims': {
    read: (text) => tried(() => dropFacts(text)),
    units: [...marks, '★', '4.9 ', '“a b c d” ', '@30.267,-97.743', 'maps.'],
    places: [
      (text) =>
        `<blockquote><p>${text}</p></blockquote><p>— A ${text}</p><p>“a b c d ${text}”</p><p>A ${text}</p>`,
      (text) =>
        `<h2>Case study</h2><p>${text}</p><p>A b c <q>${text}</q></p><figcaption>A, ${text}</figcaption>`,
      (text) =>
        `<a href="https://maps.${attribute(text)}">a</a><img src="${attribute(text)}" alt="map">`,
      (text) =>
        `<script type="application/ld+json">{"hasMap":${JSON.stringify(text)},"review":[{"name":${JSON.stringify(text)}}]}</script>`,
    ],
  },
  'texts to find and replace': {
    read: (text) => {
      for (const words of ['a', 'a b', text.slice(0, 200)]) {
        mayContainWords(text, words);
        const edits = findWords(plainLine(escapeMarks(text)), words).map((span) => ({
          ...span,
          text: 'zz',
        }));
        tried(() => replaceInSlot(slot(escapeMarks(text)), edits));
      }
      findAddressSpans(text);
      telephoneSpans(text);
      readPostalAddress([text], {});
      readQuote(text);
      readUnmarkedQuote(text);
      languageTag(text);
      internationalNumber(text, text);
      numberToDial(text, text);
      tried(() =>
        followTimes(
          parseDocument('<time datetime=1>1</time>'),
          `<time datetime=1>${escapeText(text)}</time>`,
        ),
      );
      tried(() => addInlineParts(slot(`a <1>b</1> ${escapeMarks(text)}`, ['a']), text));
      tried(() => toSlotTexts([slot(text)], { s1: toEditableSlot(slot(text)).texts }));
      const others = [slot('$5'), slot(escapeMarks(text), [], { id: 's2' })];
      textsCalls.leftValues([slot(escapeMarks(text))], others, []);
      findLinesWith(text, text.slice(0, 200));
      findClosestNames([text, 'a'], text);
    },
    places: [(text) => text, (text) => `+${text}`, (text) => `"${text}"`, (text) => `1 A, ${text}`],
  },
  'texts written where another text stood': {
    read: (text) => {
      for (const kind of [textKind, attributeKind('"')]) {
        const seen = kind.read(text).map((one) => one.text);
        const wanted = `b ${text.slice(0, text.length / 2)} c ${text}`;
        rewriteRaw(kind, text, { seen: seen.join(''), wanted, pre: true });
      }
      const raw = JSON.stringify(text).slice(1, -1);
      rewriteRaw(jsonKind, raw, { seen: text, wanted: `${text}\u2013${text}`, pre: true });
    },
    places: [(text) => text, (text) => `&${text}`],
  },
  'texts of a block that links to a new page': {
    read: (text) =>
      tried(() =>
        writeLinkBlock(blockOf(text), template, { slug: '/locations/lisbon', texts: { s2: text } }),
      ),
    places: [(text) => text, (text) => `Austin, ${text}`],
  },
  'what a language model says it did': {
    read: (text) => cleanModelText(text),
    places: [(text) => text, (text) => `<a ${text}>`],
  },
  'what git says': {
    read: (text) => {
      sanitizeMessage(text);
      remoteWords(text);
      gitFailure('Fetching', { code: 128, stdout: Buffer.of(), stderr: text });
    },
    places: [(text) => text, (text) => `fatal: ${text}`, (text) => `remote: ${text}`],
  },
  "a provider's words and a model's answer": {
    read: (text) => {
      cleanProviderMessage(text, { texts: [text], secrets: [text.slice(0, 20)] });
      cleanProviderMessage(`${text.slice(0, 100)}b`, { texts: [text, `${text}c`], secrets: [] });
      parseModelJson(text);
      tried(() => parseModelName(text));
      const calls = [{ toolCallId: text, toolName: text, input: text }];
      const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
      readModelTurn({ content: [{ type: 'text', text }], calls, usage }, [], ['finish']);
      createPageListing([{ slug: text, title: text }]);
      encloseRequest({ taskId: 'bg-1', prompt: text });
    },
    places: [(text) => text, (text) => `{${text}}`, (text) => `openai/${text}`],
  },
  'URLs of pages in Markdown': {
    read: deriveUrls,
    places: [
      (text) => text,
      (text) => `{ docs: { path: '${text}', routeBasePath: '${text}' }, srcDir: '${text}' }`,
      (text) => `export default { dir: { input: \`${text}`,
    ],
    units: marks,
  },
  'slugs and addresses': {
    read: (text) => {
      checkSlug(text);
      normalizeSlug(text);
      tried(() => checkRepositoryUrl(text, { allowLocal: true }));
      tried(() => parseCallbackUrl(text, { allowPrivate: false, ownHosts: ['.a.example'] }));
      readTarget(text);
      for (const rule of [`/a ${text}`, `/* ${text}`, `${text} /b`, text])
        indexRedirects(readRedirects(rule))({ path: text, query: '' });
      slugOfUrl(parseReference(text).path);
      relativePath('/a/b', absolutePath('/a/', text));
      for (const syntax of ['url', 'srcset', 'css'] as const)
        mapUrls(text, syntax, (url) => `${url}x`);
      mapCssUrls(text, (url) => `${url}x`);
      mapRefresh(text, (url) => `${url}x`);
    },
    places: [
      (text) => text,
      (text) => `/${text}`,
      (text) => `https://${text}`,
      (text) => `https://a.example/${text}`,
    ],
  },
};

describe('the work on hostile texts', function () {
  this.timeout(600_000);

  for (const [name, reader] of Object.entries(readers))
    it(`takes time in proportion to their length: ${name}`, () => {
      const { read, places, units = [...marks, ...words], length: shorter = 1_000 } = reader;
      for (const place of places) {
        for (const unit of units) {
          const text = (length: number) => place(`${unit.repeat(length / unit.length)}x`);
          expectLinear(
            shorter,
            (length) => read(text(length)),
            `${name}, ${JSON.stringify(place(unit))}`,
          );
        }
      }
    });
});

/** Many of a kind, each honest on its own. */
const many: Record<string, { size: number; work: (count: number) => void }> = {
  'parts of a text in which words are replaced': {
    size: 1_000,
    work: (count) => replaceInSlot(bold(count), edits(count)),
  },
  'words that all differ from those in their place': {
    size: 1_000,
    work: (count) =>
      rewriteRaw(textKind, 'a b, '.repeat(count), {
        seen: 'a b, '.repeat(count),
        wanted: 'c d; '.repeat(count),
      }),
  },
  'cards with pictures, names and numbers in attributes': {
    size: 100,
    work: (count) => {
      const card =
        '<div class="card"><img src="a.png" alt=""><b>Ann Lee</b><i data-count="9">9</i></div>';
      const { elements } = parseDocument(`<section class="team">${card.repeat(count)}</section>`);
      findPortraits(elements);
      findNumberAttributes(elements);
    },
  },
  'texts between parts in another order': {
    size: 100,
    work: (count) => {
      const source = `<p>a ${'<b>x <!-- y --></b> '.repeat(count)}</p>`;
      const order = Array.from({ length: count }, (_, i) => `<${count - i}>x</${count - i}> `);
      pageCalls.setTexts({ path, source }, { s3: `a ${order.join('')}` });
    },
  },
  'parts that a new text is fitted around': {
    size: 60,
    work: (count) =>
      tried(() => replaceInSlot(lines(count), [{ from: 0, to: 3, text: 'y z '.repeat(500) }])),
  },
  'comments between members of a group': {
    size: 3,
    work: (count) =>
      pageCalls.groups({
        path,
        source: `<ul><li>a</li>${'<!---->'.repeat(count)}</x><li>b</li></ul>`,
      }),
  },
  'links and images without a text, at the same place as others': {
    size: 500,
    work: (count) => {
      const page = { path, source: '<a href="/a"></a><img src="a.png">'.repeat(count) };
      pageCalls.outline({ page, siblings: [] });
    },
  },
  'lines that another page has too': {
    size: 100,
    work: (count) => {
      const sections = '<section class="a active">\n<a href="../a">a</a>\n<p>b</p></section>\n';
      const page = { path, source: `<main>\n${sections.repeat(count)}<i>c</i>\n</main>` };
      const other = { path: 'b/c/d.html', source: page.source.replaceAll('../a', '../../../a') };
      const lines: [number, number] = [2, 3 * count + 2];
      tried(() => repeatEdits(page, other, [{ lines, new: `${sections.repeat(count)}<i>d</i>` }]));
      tried(() => editSource(page, [{ copy: lines, after: 1 }]));
      tried(() => editSource(page, [{ old: `${sections}${sections}<i>`, new: '<b>' }]));
    },
  },
  'instructions of a prompt': {
    size: 5,
    work: (count) => tried(() => readPrompt('Remove the card "A" from /a\n'.repeat(count))),
  },
  'words of a sentence that is refused': {
    size: 5,
    work: (count) => tried(() => readPrompt(`Change ${'the name of it, and '.repeat(count)} to`)),
  },
  'headings of a page whose sections are listed': {
    size: 100,
    work: (count) =>
      pageCalls.sections({ path, source: `<main>${'<h2>a</h2><p>b</p>'.repeat(count)}</main>` }),
  },
  'nested elements around headings': {
    size: 40,
    work: (count) => pageCalls.sections({ path, source: `${'<div><h3>a</h3>'.repeat(count)}` }),
  },
  'entries of a navigation': {
    size: 100,
    work: (count) => {
      const source = `<nav><ul>${'<li><a href="/a">a</a></li>'.repeat(count)}</ul></nav>`;
      const list = `${'<div>'.repeat(100)}<ul>${'<li><a href="/a">a</a></li>'.repeat(count)}</ul>`;
      for (const each of [source, list])
        tried(() => pageCalls.sideEffects({ path, source: each }, ''));
      const entry = { page: { slug: '/x', path: 'x.html' }, text: 'x' };
      tried(() => pageCalls.rebuild({ path, source }, { kind: 'add-entry', entry }));
      tried(() =>
        pageCalls.rebuild({ path, source }, { kind: 'remove-entries', name: { text: 'a' } }),
      );
      tried(() => pageCalls.rebuild({ path, source }, { kind: 'remove-links', slug: '/a' }));
    },
  },
  'prices of packages': {
    size: 100,
    work: (count) => {
      const offers = Array.from({ length: count }, (_, i) =>
        slot('a', [], { id: `s1.${i}`, jsonPath: `offers[${i}].name` }),
      );
      const prices = Array.from({ length: count }, (_, i) =>
        slot('4', [], { id: `s1.9${i}`, jsonPath: `offers[${i}].price` }),
      );
      changeFacts(
        { slots: [...offers, ...prices], links: [], groups: [] },
        { kind: 'price', name: 'a', to: '$5' },
      );
    },
  },
  'pages that come to a sitemap of many': {
    size: 50,
    work: (count) =>
      updateSitemap(sitemap(count * 20), { added: newPages(count), removed: newPages(count) }),
  },
  'names of the template in one text': {
    size: 1_000,
    work: (count) => {
      const slots = [
        slot('Austin', [], { id: 's9', role: 'title' }),
        slot('the an Austin, with /x or '.repeat(count)),
      ];
      writeRulesPage(
        { ...template, slots },
        { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon' },
      );
    },
  },
  'members of groups, and texts, that a language model asks for': {
    size: 200,
    work: (count) => {
      const ids = Array.from({ length: count }, (_, i) => `s${i + 10}`);
      const slots = [
        ...template.slots,
        ...ids.map((id) => slot(`Anna B, $${id.slice(1)}`, [], { id })),
      ];
      const group = {
        id: 'g1',
        role: 'card' as const,
        section: null,
        members: ids.map((id) => [id]),
        pattern: 0,
      };
      const texts = ids.map((id) => ({ id, text: `Bert C, €${id.slice(1)}` }));
      const page = { ...template, slots, groups: [group] };
      createPageRequest({ template: page, item: { targetPageSlug: '/l', context: 'x' } });
      createPageFromAnswer(
        { template: page, item: { targetPageSlug: '/l', context: 'x' } },
        { texts, groups: [{ id: 'g1', members: 12 }] },
      );
      createPageFromAnswer(
        { template: page, item: { targetPageSlug: '/l', context: 'x' } },
        { texts, groups: [] },
      );
    },
  },
  'blocks of a page that link to a template': {
    size: 140,
    work: (count) => {
      const page = { path, source: items(count) };
      pageCalls.linkingPages([page], '/b/p1');
      pageCalls.linkBlock({
        page,
        siblings: [],
        template: { slug: '/b/p1', path: 'b/p1.html', names: ['p1'] },
      });
    },
  },
  'blocks of a page that others changed': {
    size: 140,
    work: (count) => {
      const [before, task] = [
        items(count),
        items(count).replace('<li>', '<li><a href="/b/new">new</a></li><li>'),
      ];
      pageCalls.mergeLinks({
        before,
        task,
        page: { path, source: `${before}x` },
        slugs: ['/b/new'],
      });
    },
  },
  'quotes and stories of a template': {
    size: 30,
    work: (count) =>
      dropFacts(
        numbered(
          count,
          (n) =>
            `<section><h2>Case study ${n}</h2><div><blockquote>A b c d e ${n}<footer>Al Bo, Co Bakery</footer></blockquote></div><p>Co Bakery $${n}</p></section>`,
        ),
      ),
  },
  'blocks in each other': {
    size: 20,
    work: (count) =>
      dropFacts(
        `<h2>A</h2>${'<div class="testimonial">'.repeat(count)}${'<p>Only $5</p>'.repeat(count)}${'</div>'.repeat(count)}`,
      ),
  },
  'values of structured data that go': {
    size: 70,
    work: (count) =>
      dropFacts(
        `<p>a</p><script type="application/ld+json">{"review":[${numbered(count, (n) => `{"reviewBody":"A b c ${n}"},`)}{"a":1}],"offers":[${numbered(count, (n) => `{"price":"$${n}"},`)}{"a":1}]}</script>`,
      ),
  },
  'values of a context that are used nowhere': {
    size: 100,
    work: (count) =>
      write(
        JSON.stringify({
          city: 'Lisbon',
          ...Object.fromEntries(
            Array.from({ length: count }, (_, i) => [`key ${i}`, `Value of ${i}, and more`]),
          ),
        }),
      ),
  },
  'levels of structured data': {
    size: 100,
    work: (count) => {
      const json = '['.repeat(count) + '1,'.repeat(count * 60) + '1' + ']'.repeat(count);
      tried(() =>
        pageCalls.read({ path, source: `<script type="application/ld+json">${json}</script>` }),
      );
    },
  },
};

const numbered = (count: number, part: (number: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i + 1)).join('');
const items = (count: number) =>
  `<ul>${numbered(count, (n) => `<li><a href="/b/p1">a</a> <a href="/b/p${n}">${n}</a></li>`)}</ul>`;
const bold = (count: number) =>
  slot(
    numbered(count, (n) => `<${n}>x</${n}> `),
    Array<string>(count).fill('b'),
  );
const lines = (count: number) =>
  slot(
    numbered(count, (n) => `a<${n}/>`),
    Array<string>(count).fill('br'),
  );
const edits = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ from: i * 2, to: i * 2 + 1, text: 'yy' }));
const sitemap = (count: number) =>
  `<urlset>${numbered(count, (n) => `<url><loc>https://a.example/b/p${n}.html</loc></url>\n`)}</urlset>`;
const newPages = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ slug: `/b/new${i}`, path: `b/new${i}.html` }));

describe('the work on many items', function () {
  this.timeout(600_000);

  for (const [name, { size, work }] of Object.entries(many))
    it(`takes time in proportion to their number: ${name}`, () => expectLinear(size, work, name));
});
