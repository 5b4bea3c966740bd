import type { Role } from './roles.ts';

/** A person in an organization. Times are ISO 8601, UTC. */
export interface Member {
  memberId: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: string;
}

export interface Organization {
  organizationId: string;
  name: string;
  createdAt: string;
  /** The organization's own limit of tokens of language models per month. null: none. */
  tokensPerMonth: number | null;
}

/** A person's membership of an organization. */
export interface Membership {
  organizationId: string;
  name: string;
  role: Role;
}

/** An invitation as admins see it. Times are ISO 8601, UTC. */
export interface Invitation {
  invitationId: string;
  /** The link that the invited person opens. */
  url: string;
  email: string;
  role: Role;
  expiresAt: string;
}

/**
 * An invitation in the answer to its creation. `sent`: whether the mail server accepted the mail.
 */
export type NewInvitation = Invitation & { sent: boolean };

/** An invitation, as the invited person sees it. */
export interface Offer {
  organization: string;
  role: Role;
  email: string;
  /** null: a program invited the person, or the inviter is gone. */
  invitedBy: string | null;
  expiresAt: string;
}
