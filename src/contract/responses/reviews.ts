import type { Static } from 'typebox';
import { oddityCodes, pageMarks, reviewVerdicts } from '../reviews/reviewKinds.ts';
import * as t from './schemas.ts';
import { NamedCreator } from './tasks.ts';

/** Response bodies about the review of new and changed pages. schemas.ts explains the form. */

export const ReviewPlace = t.object('ReviewPlace', {
  placeId: t.text('The id of the place, which is unique within the response.', '0 s12'),
  role: t.text('What the text is on its page.', 'heading'),
  level: t.optional(t.integer('The level of a heading.', { minimum: 1, maximum: 6 })),
  section: t.orNull(t.text('The nearest heading above the text.')),
  slot: t.orNull(t.text("The slot of the template's text. Null if the template has no such text.")),
  text: t.orNull(t.text("The template's text, cut to 300 characters.")),
  words: t.optional(t.text('The words of that text that differ on most pages.', 'Austin')),
});
export type ReviewPlace = Static<typeof ReviewPlace>;

export const ReviewedText = t.object('ReviewedText', {
  placeId: t.text('The place of the text.'),
  slot: t.orNull(t.text("The slot of the page's text. Null if the page lacks the text.")),
  text: t.orNull(t.text("The page's text, cut to 300 characters.")),
});
export type ReviewedText = Static<typeof ReviewedText>;

export const PageOddity = t.object('PageOddity', {
  code: t.oneOf(
    oddityCodes,
    'How the page differs from its siblings. `missing`: it lacks a text. `unchanged`: it still has the text of the template. `length` and `kind`: a text is unusually long or short, or of another kind. `wraps`: a headline is long. `junk`: a placeholder, or an error of a spreadsheet. `address`: its address is junk. `same`: it has the same texts as another page. `little-text`: it has little text of its own. `unreadable`: its texts could not be read.',
  ),
  placeId: t.optional(t.text('The place of the text, if the oddity is about one text.')),
});
export type PageOddity = Static<typeof PageOddity>;

export const PageMarkResponse = t.object('PageMark', {
  by: t.nullable(
    NamedCreator,
    'Who marked the page. Null for a guest, or if that is not known any more.',
  ),
  guestName: t.optional(t.text('The name that a guest with a share link gave.')),
  mark: t.oneOf(pageMarks),
  at: t.time(),
  isOutdated: t.optional(t.flag('Present if the page changed after the mark.')),
});
export type PageMarkResponse = Static<typeof PageMarkResponse>;

export const PageReview = t.object('PageReview', {
  slug: t.slug('The path of the page.'),
  number: t.optional(t.integer('The number of the row. Only for batches.', { minimum: 1 })),
  version: t.text('The version of the page. Send it back to mark this version.'),
  templatePageSlug: t.orNull(
    t.text('The page that it is compared with: its template, or itself before the task.'),
  ),
  previewUrl: t.orNull(t.url('The preview of the page.')),
  editUrl: t.orNull(t.url('Opens the page in the editor. Null while it cannot be edited.')),
  openNotes: t.count('The number of its open notes.'),
  texts: t.list(ReviewedText, 'The texts that differ from the template.'),
  oddities: t.list(PageOddity, 'How the page differs from its siblings.'),
  marks: t.list(PageMarkResponse, 'The marks of people, the newest first.'),
  verdict: t.oneOf(
    reviewVerdicts,
    '`left-out` if anybody left the page out and has not put it back, even if it was edited since. `fine` if somebody marked this version as fine, else `unseen`.',
  ),
});
export type PageReview = Static<typeof PageReview>;

export const PageReviews = t.object('PageReviews', {
  places: t.list(
    ReviewPlace,
    'The places of texts that differ on at least one page. Places are omitted if their texts follow from others, such as each text that names the town.',
  ),
  pages: t.list(PageReview, 'Up to 1,000 pages: odd ones first, then by row.'),
  omitted: t.count('The number of further pages, which are not compared.'),
});
export type PageReviews = Static<typeof PageReviews>;

export const MarkedPages = t.object('MarkedPages', {
  marked: t.count('The number of marked pages.'),
});

export const SharedComment = t.object('SharedComment', {
  slug: t.slug('The path of the page.'),
  text: t.text("The guest's name, and what is wrong with the page."),
});

export const GuestReviews = t.object('GuestReviews', {
  ...PageReviews.properties,
  comments: t.list(SharedComment, 'The comments of this link, in the order of their time.'),
});
export type GuestReviews = Static<typeof GuestReviews>;

export const GuestAnswer = t.object('GuestAnswer', {
  isComplete: t.flag('Whether the guests of the link have now marked or commented all pages.'),
});
export type GuestAnswer = Static<typeof GuestAnswer>;
