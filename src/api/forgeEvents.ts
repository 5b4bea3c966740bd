import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ExternalHost } from '../contract/site.ts';
import { hasErrorCode } from '../errors.ts';
import {
  type ForgeEvent,
  isSignedWebhook,
  readWebhook,
  type WebhookRequest,
} from '../forges/webhooks.ts';
import type { Sites } from '../organizations/sites.ts';

export interface ForgeEventDeps {
  sites: Pick<Sites, 'get' | 'hearWebhook'>;
  credentials: { openSecret(credentialId: string): Promise<string> };
  /** The running tasks of a site. Throws UNAVAILABLE. */
  runningTasks: (siteId: string) => Promise<Set<string>>;
  /** Lets tasks that wait look at once. Throws UNAVAILABLE. */
  tellNews: (taskIds: string[]) => Promise<void>;
}

/** Receives the webhooks of forges. */
export interface ForgeEventReceiver {
  /**
   * Lets the running tasks of a site look at once, if they may wait for what the webhook tells of.
   * A repetition does nothing.
   * @param admitSigned counts a webhook that the site's forge signed, and throws if there are too
   *   many
   * @returns false if the site's forge has not signed it, and for sites without webhooks
   */
  receive(
    siteId: string,
    request: WebhookRequest,
    admitSigned: () => Promise<void>,
  ): Promise<boolean>;
}

/** Webhooks that are remembered, so that a repetition is known. */
const REMEMBERED = 10_000;
const REMEMBERED_MS = 60 * 60_000;

export function createForgeEventReceiver(deps: ForgeEventDeps): ForgeEventReceiver {
  const seenWebhooks = new LRUCache<string, true>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  return {
    async receive(siteId, request, admitSigned) {
      const ownHost = await findExternalHost(deps, siteId);
      if (!ownHost?.webhook) return false;
      const { credentialId, isHeard } = ownHost.webhook;
      const secret = await deps.credentials.openSecret(credentialId);
      if (!isSignedWebhook(request, secret)) return false;
      await admitSigned();
      if (!isHeard) await deps.sites.hearWebhook(siteId, credentialId);
      // the id of a delivery is not signed: only the body tells that it is a repetition
      const webhookKey = `${siteId} ${createHash('sha256').update(request.body).digest('base64')}`;
      if (seenWebhooks.has(webhookKey)) return true;
      const event = readWebhook(request, secret);
      if (event && isEventOfProject(event, ownHost)) await notifyTasks(deps, siteId, event);
      seenWebhooks.set(webhookKey, true);
      return true;
    },
  };
}

async function findExternalHost(
  { sites }: ForgeEventDeps,
  siteId: string,
): Promise<ExternalHost | undefined> {
  try {
    return (await sites.get(siteId)).ownHost;
  } catch (error) {
    if (hasErrorCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** Forges take names in any case. */
const isEventOfProject = ({ project }: ForgeEvent, ownHost: ExternalHost) =>
  project.toLowerCase() === ownHost.project.toLowerCase();

/** A branch is named as its task. Other events may be about any. */
async function notifyTasks(
  deps: ForgeEventDeps,
  siteId: string,
  { branch }: ForgeEvent,
): Promise<void> {
  const runningTasks = await deps.runningTasks(siteId);
  const notifiedTasks =
    branch !== undefined && runningTasks.has(branch) ? [branch] : [...runningTasks];
  await deps.tellNews(notifiedTasks);
}
