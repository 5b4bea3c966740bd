import * as events from '../../contract/responses/events.ts';
import * as people from '../../contract/responses/people.ts';
import {
  keyListQuery,
  newKeyBody,
  rotateKeyBody,
  timeListQuery,
} from '../routes/organization/keys.schema.ts';
import {
  invitationBody,
  organizationChangeBody,
  peopleQuery,
  removalQuery,
  roleBody,
} from '../routes/organization/people.schema.ts';
import { openShareBody, shareBody, shareListQuery } from '../routes/sharing/shares.schema.ts';
import { usageQuery } from '../routes/organization/usage.schema.ts';
import {
  endpointChangesBody,
  newEndpointBody,
} from '../routes/organization/webhookEndpoints.schema.ts';
import { type ApiOperation, optionalRequestBody, requestBody } from './operation.ts';
import { emptyRequest } from './siteOperations.ts';

/** Operations on the organization, its people, keys, links and secrets. */
export const organizationOperations = {
  readOrganization: {
    route: 'GET /organization',
    tag: 'People',
    summary: 'Get the organization of the key',
    answer: people.Organization,
  },
  changeOrganization: {
    route: 'PATCH /organization',
    tag: 'People',
    summary: 'Rename the organization, or limit its language model tokens',
    access: 'owner',
    body: requestBody('OrganizationChange', organizationChangeBody, {
      name: { name: 'Acme' },
      limit: { tokensPerMonth: 5_000_000 },
    }),
    answer: people.Organization,
  },
  listMembers: {
    route: 'GET /members',
    tag: 'People',
    summary: "List the organization's members",
    query: peopleQuery,
    answer: people.MemberList,
  },
  changeMember: {
    route: 'PATCH /members/{memberId}',
    tag: 'People',
    summary: "Change a member's role",
    description:
      "You can only grant or change roles up to your own. The person's API keys stay valid unless `endKeys` is true.",
    access: 'admin',
    body: requestBody('MemberChange', roleBody, {
      role: { role: 'admin' },
      endKeys: { role: 'viewer', endKeys: true },
    }),
    answer: people.OrganizationMember,
    errors: ['CONFLICT'],
  },
  removeMember: {
    route: 'DELETE /members/{memberId}',
    tag: 'People',
    summary: 'Remove a member',
    description:
      "Admins can remove members with roles up to their own. All members can remove themselves. The person's API keys stay valid unless `endKeys` is true.",
    query: removalQuery,
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  listInvitations: {
    route: 'GET /invitations',
    tag: 'People',
    summary: 'List the open invitations',
    description: "Returns the invitations with roles up to the key's own role.",
    access: 'admin',
    query: peopleQuery,
    answer: people.InvitationList,
  },
  createInvitation: {
    route: 'POST /invitations',
    tag: 'People',
    summary: 'Invite a person',
    description:
      'You can only grant roles up to your own. The link is valid for seven days, and only for this e-mail address.',
    access: 'admin',
    body: requestBody('InvitationRequest', invitationBody, {
      member: { email: 'grace@example.com', role: 'member' },
    }),
    answer: people.CreatedInvitation,
    status: 201,
    errors: ['CONFLICT'],
  },
  deleteInvitation: {
    route: 'DELETE /invitations/{invitationId}',
    tag: 'People',
    summary: 'Withdraw an invitation',
    access: 'admin',
  },
  listKeys: {
    route: 'GET /keys',
    tag: 'API keys',
    summary: 'List API keys',
    description:
      'Admins see all keys. Members see the key of the request and the keys that they created.',
    query: keyListQuery,
    answer: people.KeyList,
  },
  createKey: {
    route: 'POST /keys',
    tag: 'API keys',
    summary: 'Create an API key',
    body: requestBody('KeyRequest', newKeyBody, {
      key: { name: 'Nightly import', role: 'member', expiresAt: '2027-11-21T00:00:00Z' },
    }),
    answer: people.IssuedApiKeyResponse,
    status: 201,
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  rotateKey: {
    route: 'POST /keys/{keyId}/rotate',
    tag: 'API keys',
    summary: 'Replace an API key',
    description:
      'Creates a key with the same name, role and lifetime. The old key expires after the requested number of hours.',
    body: optionalRequestBody('KeyRotation', rotateKeyBody, { day: { overlapHours: 24 } }),
    answer: people.IssuedApiKeyResponse,
    status: 201,
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  revokeKey: {
    route: 'DELETE /keys/{keyId}',
    tag: 'API keys',
    summary: 'Revoke an API key',
    errors: ['FORBIDDEN'],
  },
  listAssistants: {
    route: 'GET /assistants',
    tag: 'Assistants',
    summary: 'List assistants',
    description:
      'An assistant is a program that acts for a person. Admins see all assistants, members see their own.',
    query: timeListQuery('assistants'),
    answer: people.AssistantList,
  },
  disconnectAssistant: {
    route: 'DELETE /assistants/{assistantId}',
    tag: 'Assistants',
    summary: "Revoke an assistant's access",
    description:
      'Ends the access to this organization at once. The person may connect the assistant again.',
  },
  createShare: {
    route: 'POST /agent/tasks/{taskId}/shares',
    tag: 'Sharing',
    summary: 'Share the pages of a task with a link',
    description: 'Creates a secret link for people who have no account.',
    body: requestBody('ShareRequest', shareBody, { view: { access: 'view', days: 7 } }),
    answer: people.CreatedShareResponse,
    status: 201,
    errors: ['CONFLICT'],
  },
  createBatchShare: {
    route: 'POST /agent/batches/{batchId}/shares',
    tag: 'Sharing',
    summary: 'Share the pages of a batch with a link',
    description: 'Creates a secret link for people who have no account.',
    body: requestBody('ShareRequest', shareBody, { view: { access: 'view', days: 7 } }),
    answer: people.CreatedShareResponse,
    status: 201,
    errors: ['CONFLICT'],
  },
  listShares: {
    route: 'GET /shares',
    tag: 'Sharing',
    summary: 'List the share links of the organization, or of a task or batch',
    description: 'Omits links whose preview has ended, because they show no pages.',
    query: shareListQuery,
    answer: people.OrganizationShares,
  },
  revokeShare: {
    route: 'DELETE /shares/{shareId}',
    tag: 'Sharing',
    summary: 'Revoke a share link',
    description:
      'Editor sessions that the link has opened end too. The preview URLs themselves still work.',
  },
  openShare: {
    route: 'POST /shared/{shareId}',
    atRoot: true,
    tag: 'Sharing',
    summary: 'Get the pages of a share link',
    description:
      'The web page of the link calls this endpoint. The request needs the `Origin` of that page.',
    access: 'open',
    body: requestBody('OpenShareRequest', openShareBody, { key: { key: 'q0VnT3pX9wLr' } }),
    answer: people.OpenedShareResponse,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'TOO_MANY_REQUESTS'],
  },
  getCallbackSecret: {
    route: 'GET /callback-secret',
    tag: 'Callback secret',
    summary: 'Get the state of the callback secret',
    access: 'admin',
    answer: people.CallbackSecret,
  },
  rotateCallbackSecret: {
    route: 'POST /callback-secret/rotate',
    tag: 'Callback secret',
    summary: 'Rotate the callback secret',
    description:
      'Creates a new secret. For one day, callbacks are also signed with the previous secret.',
    access: 'admin',
    body: emptyRequest,
    answer: people.RotatedCallbackSecret,
  },
  listWebhookEndpoints: {
    route: 'GET /webhook-endpoints',
    tag: 'Webhook endpoints',
    summary: 'List the endpoints that receive events',
    access: 'admin',
    answer: events.WebhookEndpointList,
  },
  createWebhookEndpoint: {
    route: 'POST /webhook-endpoints',
    tag: 'Webhook endpoints',
    summary: 'Create an endpoint that receives events',
    description:
      'An organization has at most 20 endpoints. The response contains the secret that signs the events; no later response does.',
    access: 'admin',
    webhook: 'events',
    body: requestBody('WebhookEndpointRequest', newEndpointBody, {
      webhook: {
        url: 'https://example.com/hooks/agent-tasks',
        description: 'Release calendar',
        eventTypes: ['task.completed', 'task.failed', 'task.question'],
      },
      slack: {
        kind: 'slack',
        url: 'https://hooks.slack.com/services/T000/B000/XXXX',
        description: 'Channel website',
        eventTypes: ['batch.waiting', 'page.published'],
      },
    }),
    answer: events.WebhookEndpointCreated,
    status: 201,
    errors: ['INVALID_CALLBACK_URL', 'CONFLICT'],
  },
  readWebhookEndpoint: {
    route: 'GET /webhook-endpoints/{endpointId}',
    tag: 'Webhook endpoints',
    summary: 'Get an endpoint',
    access: 'admin',
    answer: events.WebhookEndpoint,
  },
  changeWebhookEndpoint: {
    route: 'PATCH /webhook-endpoints/{endpointId}',
    tag: 'Webhook endpoints',
    summary: 'Change, enable or disable an endpoint',
    access: 'admin',
    body: requestBody('WebhookEndpointChange', endpointChangesBody, {
      enable: { enabled: true },
      types: { eventTypes: ['task.failed'] },
    }),
    answer: events.WebhookEndpoint,
    errors: ['INVALID_CALLBACK_URL', 'CONFLICT'],
  },
  deleteWebhookEndpoint: {
    route: 'DELETE /webhook-endpoints/{endpointId}',
    tag: 'Webhook endpoints',
    summary: 'Delete an endpoint and its log',
    access: 'admin',
  },
  rotateWebhookSecret: {
    route: 'POST /webhook-endpoints/{endpointId}/rotate',
    tag: 'Webhook endpoints',
    summary: "Rotate an endpoint's secret",
    description: 'Creates a new secret. For one day, events are also signed with the previous one.',
    access: 'admin',
    body: emptyRequest,
    answer: events.WebhookEndpointCreated,
    errors: ['CONFLICT'],
  },
  listEventDeliveries: {
    route: 'GET /webhook-endpoints/{endpointId}/deliveries',
    tag: 'Webhook endpoints',
    summary: 'List the deliveries to an endpoint',
    description: 'The log keeps the last 1,000 deliveries of the last 30 days.',
    access: 'admin',
    query: timeListQuery('deliveries'),
    answer: events.EventDeliveryList,
  },
  redeliverEvent: {
    route: 'POST /webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
    tag: 'Webhook endpoints',
    summary: 'Deliver an event again',
    description: 'Sends the same body with the same `webhook-id`, with the same retries.',
    access: 'admin',
    body: emptyRequest,
    answer: events.EventDelivery,
    status: 202,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  testWebhookEndpoint: {
    route: 'POST /webhook-endpoints/{endpointId}/test',
    tag: 'Webhook endpoints',
    summary: 'Send a test event',
    description:
      'Sends an event of the type `endpoint.test` once, without retries. Its delivery in the log has the result.',
    access: 'admin',
    body: emptyRequest,
    answer: events.EventDelivery,
    status: 202,
    errors: ['CONFLICT', 'UNAVAILABLE'],
  },
  listAudit: {
    route: 'GET /audit',
    tag: 'Audit',
    summary: 'List the changes of settings',
    description:
      'Each entry says who changed what. The service keeps entries for a year. They contain no secrets.',
    access: 'admin',
    query: timeListQuery('entries'),
    answer: people.AuditResponse,
  },
  readUsage: {
    route: 'GET /usage',
    tag: 'Usage',
    summary: 'Get the usage of language models and builds',
    description: 'Returns this month (UTC) and up to 24 earlier months, newest first.',
    access: 'admin',
    query: usageQuery,
    answer: people.UsageReport,
  },
} satisfies Record<string, ApiOperation>;
