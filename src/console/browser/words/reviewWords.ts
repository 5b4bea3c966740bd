import { countNoun } from '../../../browser/counts.ts';
import type { PageOddity, ReviewPlace } from '../../../contract/responses.ts';
import type { OddityCode } from '../../../contract/reviews/reviewKinds.ts';

const roleNames: Record<string, string> = {
  title: 'Title',
  description: 'Description',
  'social-title': 'Title for social networks',
  'social-description': 'Description for social networks',
  heading: 'Heading',
  paragraph: 'Text',
  'list-item': 'List item',
  'table-cell': 'Table cell',
  link: 'Link',
  button: 'Button',
  'image-alt': 'Picture text',
  caption: 'Caption',
  'structured-data': 'Search data',
  'svg-text': 'Drawing',
};

/** What a text is, for people: `Headline`, `Text`. */
export const placeName = ({ role, level }: Pick<ReviewPlace, 'role' | 'level'>): string =>
  level === 1 ? 'Headline' : (roleNames[role] ?? 'Text');

/** What differs at several places: `“Austin”, “512 555 0100” and list item`. */
export function placeNames(places: ReviewPlace[]): string {
  const nameOf = (place: ReviewPlace) =>
    place.words === undefined ? placeName(place).toLowerCase() : `“${place.words}”`;
  const names = [...new Set(places.map(nameOf))];
  const lastName = names.pop() ?? '';
  return names.length > 0 ? `${names.join(', ')} and ${lastName}` : lastName;
}

const oddityTexts: Record<OddityCode, (name: string) => string> = {
  junk: (name) => `${name}: an error or a placeholder`,
  missing: (name) => `${name}: missing here, but on most other pages`,
  unchanged: (name) => `${name}: still the template’s text`,
  kind: (name) => `${name}: of another kind than on the other pages`,
  length: (name) => `${name}: unusually long or short`,
  wraps: () => 'The headline is long and may wrap',
  address: () => 'The address comes from an empty or broken cell',
  same: () => 'Another page has the same texts',
  'little-text': () => 'Little text of its own',
  unreadable: () => 'The texts of the page could not be read',
};

/** What is odd about a page, as a sentence. */
export const oddityWords = ({ code }: PageOddity, place: ReviewPlace | undefined): string =>
  oddityTexts[code](place ? placeName(place) : 'A text');

interface PublishCounts {
  live: number;
  /** The page that gets links to the new pages. */
  linkFrom: string | undefined;
  unseen: number;
  leftOut: number;
  /** The open notes on the pages that go live. */
  openNotes: number;
}

/** What a publish does: “281 pages and /locations go live, 9 were not looked at and wait …” */
export function publishSentence({ live, linkFrom, unseen, leftOut, openNotes }: PublishCounts) {
  const isOne = live === 1 && linkFrom === undefined;
  const pages = [countNoun(live, 'page'), ...(linkFrom === undefined ? [] : [linkFrom])];
  const clauses = [
    live === 0
      ? unseen > 0
        ? 'No page is marked as fine'
        : 'No page goes live'
      : `${pages.join(' and ')} ${isOne ? 'goes' : 'go'} live`,
    unseen > 0 &&
      `${unseen} ${unseen === 1 ? 'was not looked at and waits' : 'were not looked at and wait'}`,
    leftOut > 0 && `${leftOut} ${leftOut === 1 ? 'is' : 'are'} left out`,
    live > 0 &&
      openNotes > 0 &&
      `${countNoun(openNotes, 'note')} on them ${openNotes === 1 ? 'is' : 'are'} open`,
  ];
  return `${clauses.filter(Boolean).join(', ')}.`;
}
