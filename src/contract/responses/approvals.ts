import type { Static } from 'typebox';
import * as t from './schemas.ts';

/** Response bodies about approvals. schemas.ts explains the form. */

export const ApprovalResponse = t.object('Approval', {
  version: t.commit('The version that was approved.'),
  userId: t.orNull(t.text('The person who approved it. Null for a guest.')),
  shareId: t.orNull(t.text('The share link with which a guest approved it. Null for a member.')),
  name: t.orNull(t.text('The name of the person, or the name that the guest gave.')),
  at: t.time(),
  isOutdated: t.optional(t.flag('Present if the pages have changed since.')),
});
export type ApprovalResponse = Static<typeof ApprovalResponse>;

export const ApprovalList = t.object('ApprovalList', {
  version: t.commit('The current version. Send it back to approve it.'),
  isRequired: t.flag('Whether the site publishes only what another person has approved.'),
  isApproved: t.flag('Whether the current version is approved.'),
  mayApprove: t.flag(
    'Whether you may approve it: you are a person who neither created nor last edited it.',
  ),
  approvals: t.list(ApprovalResponse, 'All approvals, the newest first.'),
});
export type ApprovalList = Static<typeof ApprovalList>;
