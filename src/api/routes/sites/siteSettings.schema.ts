import type { StringSchema } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { emailAddress } from '../../../accounts/emailAddress.ts';
import { publishApprovals } from '../../../contract/approvals.ts';
import { textSchema } from '../../textSchema.ts';
import type { SiteCheckRequest, NewSiteRequest, SiteChange } from '../../siteSettings.ts';
import { host, visibleText } from './siteHost.schema.ts';
import { uuidSchema } from '../tasks/tasks.schema.ts';

/**
 * A schema with a pattern and our own error message. Joi's message contains the value, which may be
 * a secret.
 */
const patternSchema = (schema: StringSchema, pattern: RegExp, expected: string) =>
  schema.pattern(pattern).messages({ 'string.pattern.base': `{{#label}} must be ${expected}` });

const name = textSchema().name().description('The name of the site.');
export const author = Joi.object({
  name: patternSchema(textSchema().name(), /^[^<>]*$/, 'without < and >').required(),
  email: emailAddress.max(200).required(),
})
  .empty(null)
  .label('author')
  .description('The author of the commits that tasks make.')
  .meta({ schemaName: 'SiteAuthorRequest' });

export const tokenCredential = Joi.object({
  type: Joi.string().valid('token').required(),
  username: patternSchema(
    Joi.string().max(200),
    /^[\x21-\x39\x3b-\x7e]+$/,
    'visible ASCII without a colon',
  )
    .empty(null)
    .description('The user name, if the host requires a certain one.'),
  token: visibleText(4_000).required(),
}).meta({ schemaName: 'TokenCredential' });

export const appCredential = Joi.object({
  type: Joi.string().valid('github-app').required(),
  appId: patternSchema(Joi.string().max(100), /^[\w.-]+$/, 'the id of a GitHub App').required(),
  installationId: patternSchema(Joi.string().max(20), /^\d+$/, 'a number')
    .empty(null)
    .description(
      'The installation of the GitHub App. Default: the installation for the repository.',
    ),
  privateKey: patternSchema(
    Joi.string().max(20_000),
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----/,
    'a private key in PEM',
  ).required(),
}).meta({ schemaName: 'GitHubAppCredential' });

export const deployKeyCredential = Joi.object({
  type: Joi.string().valid('deploy-key').required(),
  deployKeyId: patternSchema(Joi.string(), uuidSchema, 'a UUID').required(),
}).meta({ schemaName: 'DeployKeyCredential' });

const credential = Joi.alternatives()
  .conditional('.type', {
    switch: [
      { is: 'token', then: tokenCredential },
      { is: 'github-app', then: appCredential },
    ],
    otherwise: deployKeyCredential.keys({
      type: Joi.string().valid('token', 'github-app', 'deploy-key').required(),
    }),
  })
  .description(
    'The credential for the repository: a token or a GitHub App for an https URL, or a deploy key for an ssh URL. The service never returns it.',
  )
  .meta({ schemaName: 'RepositoryCredential' });

const fields = {
  url: Joi.string()
    .max(2_000)
    .description('An https URL, or an ssh URL together with a deploy key.'),
  branch: Joi.string()
    .max(200)
    .empty(null)
    .description('The production branch. Default: the default branch of the repository.'),
  root: Joi.string()
    .allow('')
    .max(1_000)
    .empty(null)
    .description('The folder that contains the pages. Default: the whole repository.'),
};
export const repository = Joi.object({
  ...fields,
  url: fields.url.required(),
  credential: credential.allow(null),
})
  .description('The repository that contains the pages.')
  .meta({ schemaName: 'RepositoryRequest' });
export const changedRepository = Joi.object({
  ...fields,
  url: fields.url.empty(null),
  credential: credential.allow(null),
})
  .description('Omitted fields do not change. If you change `url`, send a credential for it too.')
  .meta({ schemaName: 'RepositoryChange' });

export const checkBody = Joi.object<SiteCheckRequest>({
  siteId: patternSchema(Joi.string(), uuidSchema, 'a UUID')
    .empty(null)
    .description('An existing site. Omitted fields use its settings and its stored credential.'),
  repository: repository.required(),
  host: host.empty(null),
})
  .required()
  .label('body');

export const newSiteBody = Joi.object<NewSiteRequest>({
  name: name.required(),
  repository: repository.allow(null),
  host: host.empty(null),
  author,
})
  .required()
  .label('body');

export const siteChangeBody = Joi.object<SiteChange>({
  name: name.empty(null),
  repository: changedRepository.empty(null),
  host: host.empty(null).description('Omitted fields do not change.'),
  author,
  publishApproval: Joi.string()
    .valid(...publishApprovals)
    .empty(null)
    .description(
      'Whether publishing needs an approval. `another-person`: somebody who neither created nor last edited the pages must approve them.',
    )
    .meta({ schemaName: 'PublishApproval' }),
})
  .min(1)
  .required()
  .label('body');

/** The schema of an optional, empty body. */
export const nothing = Joi.object({}).label('body');
