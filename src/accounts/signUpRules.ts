import type { Kysely } from 'kysely';
import { isUuid } from '../organizations/uuid.ts';
import type { Schema } from '../storage/schema.ts';

/** Who may make an account: anybody, invited people, or nobody. */
export type SignUpMode = 'open' | 'invite' | 'closed';

/** The OIDC provider's id in database rows and URL paths. */
export const PROVIDER = 'oidc';

export interface NewUser {
  email: string;
  emailVerified: boolean;
}

export interface SignUpRules {
  /**
   * Whether an account may be made.
   * @param atProvider whether the person signs up at the OIDC provider. The provider must then have
   *   verified the address: otherwise, anybody who can enter a foreign address there could take its
   *   invitation
   */
  allow(user: NewUser, atProvider: boolean): Promise<boolean>;
  /**
   * Whether there is a valid invitation for this address. With an id, only that invitation counts.
   */
  isInvited(email: string, invitationId?: string): Promise<boolean>;
}

/** The rules for accounts of people who sign up, with a password or at the OIDC provider. */
export function createSignUpRules(db: Kysely<Schema>, signUp: SignUpMode): SignUpRules {
  async function isInvited(email: string, invitationId?: string) {
    if (invitationId !== undefined && !isUuid(invitationId)) return false;
    let invitationQuery = db
      .selectFrom('invitations')
      .select('id')
      .where('email', '=', email.toLowerCase());
    if (invitationId !== undefined)
      invitationQuery = invitationQuery.where('id', '=', invitationId);
    return (
      (await invitationQuery.where('expires_at', '>', new Date()).executeTakeFirst()) !== undefined
    );
  }
  return {
    isInvited,
    async allow({ email, emailVerified }, atProvider) {
      if (atProvider && !emailVerified) return false;
      return signUp === 'open' || (signUp === 'invite' && (await isInvited(email)));
    },
  };
}
