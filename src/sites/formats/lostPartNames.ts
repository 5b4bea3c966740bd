import { quoteText } from '../../text/text.ts';

/** Characters of a URL or file in a note. */
const MAX_URL_LENGTH = 120;
/** Characters of a form field's name, or of code. */
const MAX_CODE_LENGTH = 40;

const quoteField = (name: string) => `the form field ${quoteText(name, MAX_CODE_LENGTH)}`;

/** What the notes on a change call the parts of a page that it removed, changed or disabled. */
export const lostPartNames = {
  headline: 'the headline (now hidden)',
  text: 'much of the text (now hidden)',
  frontMatter: (key: string) => `${quoteText(key, MAX_CODE_LENGTH)} in the front matter`,
  charset: 'the character encoding (charset)',
  language: "the page's language (lang)",
  viewport: 'the viewport that fits the page to phones',
  zoom: 'the zoom for readers on phones',
  script: (url: string) => `the script ${quoteText(url, MAX_URL_LENGTH)}`,
  inlineScript: (code: string) => `the inline script ${quoteText(code, MAX_CODE_LENGTH)}`,
  scriptData: 'the data of a script',
  scriptTemplate: 'a template for scripts',
  scriptName: (name: string) =>
    `what scripts call ${quoteText(name)} (an id or name takes its place)`,
  styleSheet: (url: string) => `the style sheet ${quoteText(url, MAX_URL_LENGTH)}`,
  styleElement: 'style rules in the page (a style element)',
  order: (kind: string) => `the order of the ${kind === 'sheet' ? 'style sheets' : 'scripts'}`,
  description: 'the description for search engines',
  robots: 'the rules for search engines (robots)',
  canonical: 'the canonical URL',
  ownershipProof: 'the proof of who owns the site (verification)',
  translation: (language: string) =>
    `the link to the page's version in another language (hreflang ${quoteText(language)})`,
  socialMeta: (name: string) => `what social networks show (${name})`,
  socialUrl: 'the URL that social networks show (og:url)',
  browserRule: (header: string) => `the rule for browsers ${quoteText(header, MAX_CODE_LENGTH)}`,
  referrerPolicy: 'the referrer policy',
  link: (relation: string) => `the link ${quoteText(relation)}`,
  linkMark: (mark: string, url: string) =>
    `the mark ${quoteText(mark)} of the link to ${quoteText(url, MAX_URL_LENGTH)}`,
  attribute: (name: string, tag: string) => `the attribute ${quoteText(name)} of <${tag}>`,
  formAttribute: (name: string) => `the attribute ${quoteText(name, MAX_CODE_LENGTH)} of a form`,
  field: quoteField,
  hiddenField: (name: string) => `the hidden field ${quoteText(name, MAX_CODE_LENGTH)}`,
  label: (id: string) => `the label of ${quoteField(id)}`,
  choice: (label: string) => `the value of ${quoteText(label, MAX_CODE_LENGTH)} in a form`,
  sendingButton: 'a button that sends a form',
  neededId: (id: string, user: string) => `the id ${quoteText(id)}, which ${user} needs`,
  linkedId: (id: string, slug: string) => `the id ${quoteText(id)}, which ${slug} links to`,
};
