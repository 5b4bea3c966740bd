import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ExternalHost } from '../contract/site.ts';
import { hasErrorCode } from '../errors.ts';
import type { ForgeEvent, WebhookRequest } from '../forges/webhookFormat.ts';
import { isSignedWebhook, readWebhook } from '../forges/webhooks.ts';
import type { Sites } from '../organizations/sites.ts';

export interface ForgeEventDeps {
  sites: Pick<Sites, 'get' | 'hearWebhook'>;
  credentials: { openSecret(credentialId: string): Promise<string> };
  /** The running tasks of a site. Throws UNAVAILABLE. */
  runningTasks: (siteId: string) => Promise<Set<string>>;
  /** Makes waiting tasks check their deployment at once. Throws UNAVAILABLE. */
  notifyTasks: (taskIds: string[]) => Promise<void>;
}

/**
 * Receives the webhooks of forges, such as GitHub. A task that waits for its external host or for a
 * merge checks again from time to time. A webhook makes it check at once.
 */
export interface ForgeEventReceiver {
  /**
   * Makes the running tasks of a site check their deployment at once, if the webhook may be about
   * them. A repeated webhook does nothing.
   * @param admitSigned counts a webhook whose signature is valid, and throws if there are too many
   * @returns false if its signature is not valid, or if the site has no webhook
   */
  receive(
    siteId: string,
    request: WebhookRequest,
    admitSigned: () => Promise<void>,
  ): Promise<boolean>;
}

/** Maximum number of webhooks that are remembered, so that repetitions are recognized. */
const REMEMBERED = 10_000;
const REMEMBERED_MS = 60 * 60_000;

/** Makes the receiver. It verifies the signature before it counts a webhook or notifies tasks. */
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
      // the id of a delivery is not signed, so a repetition is recognized by its body
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

/** Whether an event is about the site's project. Forges ignore the case of names. */
const isEventOfProject = ({ project, projectId }: ForgeEvent, ownHost: ExternalHost) =>
  project.toLowerCase() === ownHost.project.toLowerCase() || projectId === ownHost.project;

/** Notifies the task whose branch (named as the task) the event names, or else all tasks. */
async function notifyTasks(
  deps: ForgeEventDeps,
  siteId: string,
  { branch }: ForgeEvent,
): Promise<void> {
  const runningTasks = await deps.runningTasks(siteId);
  const notifiedTasks =
    branch !== undefined && runningTasks.has(branch) ? [branch] : [...runningTasks];
  await deps.notifyTasks(notifiedTasks);
}
