import { NotReady, Health, OpenApiDocument, Ready } from '../../contract/responses/service.ts';
import * as sites from '../../contract/responses/sites.ts';
import { RestoreCheckResponse } from '../../contract/responses/taskDetails.ts';
import { StartedTaskResponse } from '../../contract/responses/tasks.ts';
import { deploymentQuery } from '../routes/sites/deployments.schema.ts';
import { siteListQuery, sitePagesQuery } from '../routes/sites/sites.schema.ts';
import {
  checkBody,
  newSiteBody,
  nothing,
  siteChangeBody,
} from '../routes/sites/siteSettings.schema.ts';
import { type ApiOperation, optionalRequestBody, requestBody } from './operation.ts';
import { idempotencyKeyParameter, ifNoneMatchParameter } from './parameters.ts';
import { followUpRequest, startErrors } from './taskOperations.ts';

const repository = {
  url: 'https://git.example/acme/site.git',
  credential: { type: 'token', token: 'a-token' },
};
const host = {
  type: 'own',
  forge: 'gitea',
  publish: 'pull-request',
  merge: 'automatic',
  hosts: ['*.acme.pages.example'],
};
export const emptyRequest = optionalRequestBody('EmptyRequest', nothing, { none: {} });

/** Operations on sites, their settings and deployments, and on the service itself. */
export const siteOperations = {
  listSites: {
    route: 'GET /sites',
    tag: 'Sites',
    summary: 'List the sites of your organization',
    query: siteListQuery,
    answer: sites.SiteListResponse,
  },
  listSitePages: {
    route: 'GET /sites/{siteId}/pages',
    tag: 'Sites',
    summary: 'List the pages of a site',
    description: 'Returns the pages of the production branch, sorted by slug.',
    query: sitePagesQuery,
    answer: sites.SitePagesResponse,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  checkRepository: {
    route: 'POST /sites/check',
    tag: 'Site settings',
    summary: 'Check a repository',
    description:
      'Reads the repository and, if the site has one, tests the external host. Stores and changes nothing. With `siteId`, omitted fields use the settings of that site.',
    access: 'admin',
    body: requestBody('SiteCheckRequest', checkBody, {
      body: { repository },
      ownHost: { repository, host },
    }),
    answer: sites.SiteCheckResponse,
    errors: ['NOT_FOUND', 'UNAVAILABLE', 'DISK_FULL'],
  },
  createSite: {
    route: 'POST /sites',
    tag: 'Site settings',
    summary: 'Add a site',
    description: 'Checks the repository and the host, and makes the head of the branch live.',
    access: 'admin',
    body: requestBody('SiteRequest', newSiteBody, {
      body: { name: 'Northwind', repository },
      ownHost: { name: 'Northwind', repository, host },
    }),
    answer: sites.SiteResponse,
    status: 201,
    errors: ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  readSite: {
    route: 'GET /sites/{siteId}',
    tag: 'Site settings',
    summary: 'Get a site',
    answer: sites.SiteResponse,
  },
  changeSite: {
    route: 'PATCH /sites/{siteId}',
    tag: 'Site settings',
    summary: 'Change a site',
    description:
      'Omitted fields do not change. `credential: null` removes the credential, and so does another `url`.',
    access: 'admin',
    body: requestBody('SiteChange', siteChangeBody, {
      body: { name: 'Northwind Web', repository: { branch: 'next' } },
    }),
    answer: sites.SiteResponse,
    errors: ['CONFLICT', 'UNAVAILABLE', 'DISK_FULL'],
  },
  deleteSite: {
    route: 'DELETE /sites/{siteId}',
    tag: 'Site settings',
    summary: 'Remove a site',
    description:
      'Takes the site offline and deletes its credential. Does not change the repository.',
    access: 'admin',
    errors: ['CONFLICT'],
  },
  renewWebhookSecret: {
    route: 'POST /sites/{siteId}/webhook-secret',
    tag: 'Site settings',
    summary: 'Rotate the webhook secret',
    description:
      'Creates a new secret for `host.webhookUrl`. The previous secret stops working at once.',
    access: 'admin',
    body: emptyRequest,
    answer: sites.WebhookSecret,
    errors: ['CONFLICT'],
  },
  createDeployKey: {
    route: 'POST /deploy-keys',
    tag: 'Site settings',
    summary: 'Create a deploy key',
    description:
      'Add the public key to your repository. The service deletes a key after one day if no site uses it.',
    access: 'admin',
    body: emptyRequest,
    answer: sites.DeployKeyResponse,
    status: 201,
    errors: ['CONFLICT'],
  },
  receiveForgeWebhook: {
    route: 'POST /webhooks/forges/{siteId}',
    tag: 'Webhooks of forges',
    summary: 'Receive a webhook from a forge',
    description:
      'Only forges call this endpoint, at the `host.webhookUrl` of the site. Tasks that wait for a build or a merge check it at once.',
    access: 'open',
    body: requestBody('ForgeEvent', null, {
      push: { ref: 'refs/heads/main', repository: { full_name: 'acme/site' } },
    }),
    errors: ['UNAUTHORIZED', 'TOO_MANY_REQUESTS', 'UNAVAILABLE'],
  },
  listDeployments: {
    route: 'GET /sites/{siteId}/deployments',
    tag: 'Deployments',
    summary: 'List the deployments of a site',
    description:
      'Returns the live deployment, then the deployments that were live in the last 30 days.',
    query: deploymentQuery,
    answer: sites.DeploymentList,
    errors: ['SITE_WITHOUT_REPOSITORY'],
  },
  restoreDeployment: {
    route: 'POST /sites/{siteId}/deployments/{deploymentId}/restore',
    tag: 'Deployments',
    summary: 'Restore a deployment',
    description:
      'Starts a task that commits the files of the deployment to the production branch, which makes them live again.',
    headers: [idempotencyKeyParameter],
    body: followUpRequest,
    answer: StartedTaskResponse,
    errors: [...startErrors, 'CONFLICT'],
  },
  checkRestore: {
    route: 'GET /sites/{siteId}/deployments/{deploymentId}/restore',
    tag: 'Going live',
    summary: 'Preview a restore',
    answer: RestoreCheckResponse,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  getOpenApiDocument: {
    route: 'GET /openapi.json',
    tag: 'Reference',
    summary: 'Get this document',
    access: 'open',
    headers: [ifNoneMatchParameter],
    answer: OpenApiDocument,
    others: { 304: null },
    answerHeaders: ['ETag'],
  },
  getHealth: {
    route: 'GET /healthz',
    atRoot: true,
    tag: 'Health',
    summary: 'Check whether the process responds',
    access: 'open',
    answer: Health,
  },
  getReadiness: {
    route: 'GET /readyz',
    atRoot: true,
    tag: 'Health',
    summary: 'Check whether the service is ready',
    description:
      'Checks everything that the service needs. The result is at most one second old. `disk` is not true while the disk is nearly full.',
    access: 'open',
    answer: Ready,
    others: { 503: NotReady },
  },
} satisfies Record<string, ApiOperation>;
