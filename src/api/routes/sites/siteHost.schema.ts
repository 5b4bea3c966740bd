import { Joi } from '../../../boundedJoi.ts';

const forges = ['github', 'gitea', 'forgejo'] as const;
/** Of hosts, and of names of reports. */
const MOST_NAMES = 50;
const MOST_MINUTES = 120;
const MOST_SECONDS = 300;

const address = Joi.string().max(2_000);
const names = Joi.array().items(Joi.string().max(300)).max(MOST_NAMES).empty(null);

/** A text without white space, which may be a secret: so no message repeats it. */
export const visibleText = (most: number) =>
  Joi.string()
    .max(most)
    .pattern(/^[\x21-\x7e]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be visible ASCII' });

/** Fields of a team's own host. What they must be together is checked with the repository. */
export const ownHost = Joi.object({
  type: Joi.string().valid('own').required(),
  forge: Joi.string()
    .valid(...forges)
    .empty(null)
    .description('The kind of forge that keeps the repository.')
    .meta({ schemaName: 'ForgeKind' }),
  apiUrl: address
    .empty(null)
    .description("The forge's API. Default: as the repository's address tells."),
  project: Joi.string()
    .max(201)
    .empty(null)
    .description("`owner/name` at the forge. Default: as the repository's address tells."),
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
      'Hosts of previews and of the live site, such as `*.acme.pages.example`. Only addresses there are believed.',
    ),
  previewUrl: address
    .allow(null)
    .description(
      "The address of a task's preview, with `{branch}` or `{pullRequest}`. Null: the host reports it.",
    ),
  liveUrl: address.allow(null).description('Of the live site. Null: the host reports it.'),
  previewReports: names.description(
    'Names of reports on previews: environment, status context or check. Empty: any.',
  ),
  liveReports: names.description('Names of reports on the live site. Empty: any.'),
  reporter: Joi.string().max(100).allow(null).description('The login that reports. Null: any.'),
  bypass: Joi.object({
    header: Joi.string().max(100).required(),
    value: visibleText(4_000).empty(null).description('Absent: the one that is stored.'),
  })
    .allow(null)
    .description('The header field that opens protected previews. Its value is never shown again.')
    .meta({ schemaName: 'HostBypassRequest' }),
  buildMinutes: Joi.number()
    .integer()
    .min(1)
    .max(MOST_MINUTES)
    .empty(null)
    .description('How long to wait for a build. Default: 10.'),
  hasPreviews: Joi.boolean()
    .empty(null)
    .description(
      'Whether the host builds branches. If not, tasks wait for no preview. Default: true.',
    ),
  publishWindow: Joi.number()
    .integer()
    .min(0)
    .max(MOST_SECONDS)
    .empty(null)
    .description(
      'Seconds that a publish by push waits for others of the site, so that they share a build. Default: 20.',
    ),
}).meta({ schemaName: 'OwnHostRequest' });

export const embeddedHost = Joi.object({
  type: Joi.string().valid('embedded').required(),
}).meta({ schemaName: 'EmbeddedHostRequest' });

/** What serves a site's pages. */
export const host = Joi.alternatives()
  .conditional('.type', {
    switch: [{ is: 'embedded', then: embeddedHost }],
    otherwise: ownHost.keys({ type: Joi.string().valid('embedded', 'own').required() }),
  })
  .description(
    "What serves the pages: this service (`embedded`), or a host of yours that builds the repository. It needs `forge`, `publish`, `hosts`, and a token or a GitHub App as the repository's credential.",
  )
  .meta({ schemaName: 'SiteHostRequest' });
