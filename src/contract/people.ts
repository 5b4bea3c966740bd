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
}

/** An organization of a person. */
export interface Membership {
  organizationId: string;
  name: string;
  role: Role;
}

/** An invitation as admins see it. Times are ISO 8601, UTC. */
export interface Invitation {
  invitationId: string;
  /** What the person opens. */
  url: string;
  email: string;
  role: Role;
  expiresAt: string;
}

/** An invitation that was made just now, and whether the mail server took the mail with it. */
export type NewInvitation = Invitation & { sent: boolean };

/** An invitation as who has its link sees it. */
export interface Offer {
  organization: string;
  role: Role;
  email: string;
  /** null: a program invited, or who did is gone. */
  invitedBy: string | null;
  expiresAt: string;
}
