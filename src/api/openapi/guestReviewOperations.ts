import * as reviews from '../../contract/responses/reviews.ts';
import type { ErrorCode } from '../../errors.ts';
import {
  guestCommentBody,
  guestMarksBody,
  guestReviewBody,
} from '../routes/sharing/guestReviews.schema.ts';
import { type ApiOperation, requestBody } from './operation.ts';

const key = 'q0VnT3pX9wLr';
const version = 'c1f4e8a07d2b95631ef0a4c8b7d6925e3f108a4b';
const access = { atRoot: true, tag: 'Sharing', access: 'open' } as const;
const errors: ErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'CONFLICT',
  'TOO_MANY_REQUESTS',
  'UNAVAILABLE',
];

/** What the page of a share link for comments sends. Guests have no account. */
export const guestReviewOperations = {
  readGuestReviews: {
    ...access,
    route: 'POST /shared/{shareId}/reviews',
    summary: 'Get what is different on the pages of a share link',
    description:
      'The web page of a link with the access `comment` or `edit` calls this endpoint. Marks are those of the guests of this link.',
    body: requestBody('GuestReviewRequest', guestReviewBody, { key: { key } }),
    answer: reviews.GuestReviews,
    errors,
  },
  markSharedPages: {
    ...access,
    route: 'POST /shared/{shareId}/marks',
    summary: 'Mark pages of a share link as fine',
    description: 'A mark publishes nothing.',
    body: requestBody('GuestMarksRequest', guestMarksBody, {
      fine: { key, name: 'Chris', mark: 'fine', pages: [{ slug: '/locations/porto', version }] },
    }),
    answer: reviews.GuestAnswer,
    errors,
  },
  commentSharedPage: {
    ...access,
    route: 'POST /shared/{shareId}/comments',
    summary: 'Say what is wrong with a page of a share link',
    description: 'The comment becomes an open note on the page.',
    body: requestBody('GuestCommentRequest', guestCommentBody, {
      comment: { key, name: 'Chris', slug: '/locations/porto', text: 'The phone number is old.' },
    }),
    answer: reviews.GuestAnswer,
    status: 201,
    errors,
  },
} satisfies Record<string, ApiOperation>;
