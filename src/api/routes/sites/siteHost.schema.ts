import { Joi } from '../../../boundedJoi.ts';
import { forgeKinds } from '../../../contract/site.ts';

/**
 * The `host` of a request about a site, i.e. what serves its pages: `{ type: 'embedded' }` for this
 * service, or an external host such as Netlify, which builds the site from its repository:
 *
 *     { type: 'own', forge: 'github', publish: 'push', hosts: ['*.acme.pages.example'] }
 *
 * The forge keeps the repository. A report is what the host tells the forge about a build.
 */

/** Maximum number of trusted hosts, and of names of reports. */
const MOST_NAMES = 50;
const MOST_MINUTES = 120;
const MOST_SECONDS = 300;

const urlText = Joi.string().max(2_000);
const names = Joi.array().items(Joi.string().max(300)).max(MOST_NAMES).empty(null);

/** A text without white space. Error messages do not repeat it, because it may be a secret. */
export const visibleText = (maxLength: number) =>
  Joi.string()
    .max(maxLength)
    .pattern(/^[\x21-\x7e]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must contain only visible ASCII characters' });

const pageUrlRule = Joi.object({
  folder: Joi.string()
    .allow('')
    .max(1_000)
    .required()
    .description(
      'The folder of the files, from the root of the site. The path of a data file (`src/_data/cities.json`) makes each of its entries a page, and `src/content/cities/*.json` each such file.',
    ),
  pattern: Joi.string()
    .max(1_000)
    .pattern(/^[^?#\\\s]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a path without blanks, ? and #' })
    .required()
    .description(
      'The path of their URLs, such as `/blog/:slug`. Placeholders: `:slug`, `:name`, `:year`, `:month`, `:day`.',
    ),
})
  .label('pageUrls')
  .meta({ schemaName: 'PageUrlRuleRequest' });

/**
 * The fields of an external host. Whether they fit each other and the repository is checked later
 * (candidateHost.ts), because absent fields keep the values that the site has.
 */
export const externalHost = Joi.object({
  type: Joi.string().valid('own').required(),
  forge: Joi.string()
    .valid(...forgeKinds)
    .empty(null)
    .description('The kind of forge that keeps the repository.')
    .meta({ schemaName: 'ForgeKind' }),
  apiUrl: urlText
    .empty(null)
    .description(
      "The URL of the forge's API. Default: derived from the URL of the repository. Required for a GitLab instance under a path.",
    ),
  project: Joi.string()
    .max(500)
    .empty(null)
    .description(
      '`owner/name` at the forge. At GitLab, also with subgroups, or the ID of the project. Default: derived from the URL of the repository.',
    ),
  publish: Joi.string()
    .valid('push', 'pull-request')
    .empty(null)
    .description("How a task's commit reaches the production branch.")
    .meta({ schemaName: 'PublishMethod' }),
  merge: Joi.string()
    .valid('automatic', 'by-people')
    .empty(null)
    .description('Who merges pull requests. Default: `by-people`.')
    .meta({ schemaName: 'MergeMode' }),
  hosts: Joi.array()
    .items(Joi.string().max(253))
    .min(1)
    .max(MOST_NAMES)
    .empty(null)
    .description(
      'The trusted hosts of previews and of the live site, such as `*.acme.pages.example`. Reported URLs at other hosts are ignored.',
    ),
  previewUrl: urlText
    .allow(null)
    .description(
      "The URL of a task's preview, with `{branch}` or `{pullRequest}`. Null: the host reports the URL.",
    ),
  liveUrl: urlText.allow(null).description('The URL of the live site. Null: the host reports it.'),
  previewReports: names.description(
    'The names of reports on previews: environments, status contexts or checks. Empty: any name is accepted.',
  ),
  liveReports: names.description(
    'The names of reports on the live site. Empty: any name is accepted.',
  ),
  reporter: Joi.string()
    .max(100)
    .allow(null)
    .description("The login whose reports count. Null: everybody's reports count."),
  bypass: Joi.object({
    header: Joi.string().max(100).required(),
    value: visibleText(4_000)
      .empty(null)
      .description('The value of the header field. If absent, the stored value is used.'),
  })
    .allow(null)
    .description(
      'The header field that opens protected previews. The service never returns its value.',
    )
    .meta({ schemaName: 'HostBypassRequest' }),
  pageUrls: Joi.array()
    .items(pageUrlRule)
    .max(MOST_NAMES)
    .empty(null)
    .description(
      'The rules for the URLs of pages in Markdown that do not follow from the configuration of the generator, and for data files whose entries are pages. The rule of the innermost folder counts. Default: none.',
    ),
  buildMinutes: Joi.number()
    .integer()
    .min(1)
    .max(MOST_MINUTES)
    .empty(null)
    .description('The number of minutes to wait for a build. Default: 10.'),
  hasPreviews: Joi.boolean()
    .empty(null)
    .description(
      'Whether the host builds branches. If false, tasks do not wait for a preview. Default: true.',
    ),
  publishWindow: Joi.number()
    .integer()
    .min(0)
    .max(MOST_SECONDS)
    .empty(null)
    .description(
      'The number of seconds that a push waits for other pushes of the site, so that they share one build. Default: 20.',
    ),
}).meta({ schemaName: 'OwnHostRequest' });

export const embeddedHost = Joi.object({
  type: Joi.string().valid('embedded').required(),
}).meta({ schemaName: 'EmbeddedHostRequest' });

/** The schema of `host`. `type` decides which fields are allowed. */
export const host = Joi.alternatives()
  .conditional('.type', {
    switch: [{ is: 'embedded', then: embeddedHost }],
    otherwise: externalHost.keys({ type: Joi.string().valid('embedded', 'own').required() }),
  })
  .description(
    'What serves the pages: this service (`embedded`), or an external host that builds the repository (`own`). An external host needs `forge`, `publish`, `hosts`, and a token or a GitHub App as the credential of the repository.',
  )
  .meta({ schemaName: 'SiteHostRequest' });
