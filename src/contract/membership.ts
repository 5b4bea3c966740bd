import type { Role } from './roles.ts';

export type {
  OrganizationInvitation as Invitation,
  OrganizationMember as Member,
  CreatedInvitation as NewInvitation,
  Organization,
} from './responses/people.ts';

/** A person's membership of an organization. */
export interface Membership {
  organizationId: string;
  name: string;
  role: Role;
}

/** An invitation, as the invited person sees it. */
export interface InvitationOffer {
  organization: string;
  role: Role;
  email: string;
  /** null: a program invited the person, or the inviter is gone. */
  invitedBy: string | null;
  expiresAt: string;
}
