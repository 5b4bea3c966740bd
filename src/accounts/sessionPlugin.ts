import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

const options = {
  method: 'POST',
  metadata: { $Infer: { body: {} as { userId: string } } },
} as const;

/**
 * Adds a call to better-auth that begins a session for a person who used a one-time link. It can't
 * be called by HTTP.
 */
export function sessionPlugin() {
  return {
    id: 'session-of',
    endpoints: {
      beginSession: createAuthEndpoint.serverOnly(options, async (ctx) => {
        const { internalAdapter } = ctx.context;
        const { userId } = ctx.body;
        const user = await internalAdapter.findUserById(userId);
        if (!user) throw ctx.error('NOT_FOUND');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({});
      }),
    },
  } satisfies BetterAuthPlugin;
}
