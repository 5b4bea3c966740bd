import type { ComponentChildren } from 'preact';
import type { HostCheck, PageUrlProposal } from '../../../../contract/responses.ts';
import type { ForgeKind, PageUrlRule } from '../../../../contract/site.ts';
import { hostOfUrl } from '../../livePageUrl.ts';
import {
  offeredForges,
  forgeNames,
  hasProjectName,
  isWithoutPreviews,
  type HostFields,
  type HostKind,
  kindsAt,
  defaultsOfHost,
  missingHostField,
  noHost,
  type PublishingMethod,
} from '../../externalHost.ts';
import {
  Button,
  type SelectChoice,
  OutsideLink,
  SelectField,
  TextArea,
  TextField,
} from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { openableUrl } from '../../openableUrl.ts';

interface ServedByProps {
  value: HostFields['forge'];
  onChange: (forge: HostFields['forge']) => void;
}

/** Asks who builds and serves the site. */
export const ServedBy = (props: ServedByProps) => (
  <SelectField<HostFields['forge']>
    label="Who serves the pages"
    choices={[
      ['none', 'This service'],
      ...offeredForges.map((forge): SelectChoice<ForgeKind> => [
        forge,
        `An external host that builds from ${forgeNames[forge]}`,
      ]),
    ]}
    hint={
      props.value === 'none'
        ? 'You need nothing else: this service serves the previews and the live pages.'
        : 'Your host continues to build the site. Previews and live pages have its URLs.'
    }
    {...props}
  />
);

const kindNames: Record<HostKind, string> = {
  netlify: 'Netlify',
  vercel: 'Vercel',
  cloudflare: 'Cloudflare Pages',
  'github-pages': 'GitHub Pages',
  'gitlab-pages': 'GitLab Pages',
  reports: 'Another host that reports to the forge',
  pattern: 'Another host whose preview URLs follow a pattern',
};

const publishings: SelectChoice<PublishingMethod>[] = [
  ['by-people', 'Pull request that people merge'],
  ['automatic', 'Pull request that is merged automatically'],
  ['push', 'Push to the production branch'],
];

const publishingHints: Record<PublishingMethod, string> = {
  'by-people': 'Pages go live when somebody on your team merges the pull request.',
  automatic: 'The pull request is merged once its checks have passed.',
  push: 'The branch must accept pushes from the service.',
};

interface HostFormProps {
  fields: HostFields;
  change: (changed: Partial<HostFields>) => void;
  /** Whether a secret that opens previews is saved. */
  hasBypass: boolean;
}

/** Asks for the external host that builds the site, and how tasks publish there. */
export function HostForm({ fields, change, hasBypass }: HostFormProps) {
  const { kind, forge, publishing } = fields;
  if (forge === 'none') return null;
  const defaults = defaultsOfHost(fields);
  const bindField: FieldBinder = (name) => ({
    value: fields[name],
    spellcheck: false,
    autoComplete: 'off' as const,
    onInput: (value: string) => change({ [name]: value }),
  });
  return (
    <>
      <div class="panes">
        <SelectField<HostKind>
          label="Your host"
          value={kind}
          onChange={(chosenValue) =>
            change({ ...noHost, forge, publishing, liveUrl: fields.liveUrl, kind: chosenValue })
          }
          choices={kindsAt(forge).map((hostKind) => [hostKind, kindNames[hostKind]])}
          hint={kindHint(kind)}
        />
        <SelectField<PublishingMethod>
          label="How pages go live"
          value={publishing}
          onChange={(chosenValue) => change({ publishing: chosenValue })}
          choices={publishings}
          hint={publishingHints[publishing]}
        />
      </div>
      <div class="panes">
        {hasProjectName(kind) && (
          <TextField
            label={`Project at ${kindNames[kind]}`}
            hint={`As in ${kind === 'netlify' ? 'acme.netlify.app' : 'acme.pages.dev'}: acme`}
            placeholder="acme"
            {...bindField('name')}
          />
        )}
        {kind === 'pattern' && (
          <TextField
            label="URL of previews"
            hint="{branch} stands for the task’s branch, and {pullRequest} for the number of its pull request."
            placeholder="https://{branch}.preview.acme.example"
            {...bindField('previewUrl')}
          />
        )}
        <TextField
          label={isLiveUrlNeeded(kind) ? 'URL of the live site' : 'URL of the live site (optional)'}
          type="url"
          placeholder={defaults.liveUrl ?? 'https://www.acme.example'}
          hint="As visitors see it."
          {...bindField('liveUrl')}
        />
      </div>
      <HostDetails fields={fields} change={change} bind={bindField} hasBypass={hasBypass} />
    </>
  );
}

const isLiveUrlNeeded = (kind: HostKind) => kind === 'reports' || isWithoutPreviews(kind);

function kindHint(kind: HostKind): string {
  if (isWithoutPreviews(kind))
    return `${kindNames[kind]} has no previews. You can see pages only after they are live.`;
  if (kind === 'vercel') return 'Vercel builds only commits whose authors are members of its team.';
  if (kind === 'pattern') return 'The service finds each preview by this pattern.';
  return 'Each task gets its own preview.';
}

/** Connects a text field to one of the form's fields. */
type FieldBinder = (
  name: Exclude<keyof HostFields, 'hasPreviews'>,
) => Pick<Parameters<typeof TextField>[0], 'value' | 'onInput'>;

interface HostDetailsProps extends HostFormProps {
  bind: FieldBinder;
}

const buildsBranches: SelectChoice<'yes' | 'no'>[] = [
  ['yes', 'Yes: tasks wait for their previews'],
  ['no', 'No: tasks have no previews'],
];

/** The settings that most teams need not change. */
function HostDetails({ fields, change, bind: bindField, hasBypass }: HostDetailsProps) {
  const defaults = defaultsOfHost(fields);
  return (
    <details class="more-fields">
      <summary>More settings of the host</summary>
      <div class="stack">
        <TextField
          label="Trusted hosts"
          hint="Only URLs on these hosts count as previews or live pages. *.acme.example includes all its subdomains."
          placeholder={defaults.hosts.join(', ') || '*.acme.example'}
          {...bindField('hosts')}
        />
        {fields.kind !== 'pattern' && (
          <TextField
            label="URL of previews"
            hint="It can contain {branch} or {pullRequest}. If it is empty, the service uses the URL that the host reports."
            placeholder={defaults.previewUrl ?? 'As the host reports it'}
            {...bindField('previewUrl')}
          />
        )}
        <TextField
          label="Reporter"
          hint="The login at the forge whose reports count. If it is empty, everybody’s reports count."
          placeholder={defaults.reporter ?? 'Anybody'}
          {...bindField('reporter')}
        />
        <TextField
          label="Names of preview reports"
          hint="Environments, statuses or checks, separated by commas."
          placeholder="Any"
          {...bindField('previewReports')}
        />
        <TextArea
          label="URLs of pages in Markdown"
          hint="One rule a line, for folders whose URLs the check does not know, and for data files whose entries are pages: the folder or file, = and the pattern of the URLs."
          placeholder="src/content/blog = /blog/:slug"
          {...bindField('pageUrls')}
        />
        <div class="panes">
          <TextField
            label="Secret for protected previews"
            type="password"
            hint="For previews that ask for a login. The secret is stored encrypted and never shown again."
            placeholder={hasBypass ? 'Keep the saved secret' : 'None'}
            {...bindField('bypassValue')}
            autoComplete="off"
          />
          <TextField
            label="Request header for the secret"
            placeholder={defaults.bypassHeader || 'None'}
            {...bindField('bypassHeader')}
          />
        </div>
        {!isWithoutPreviews(fields.kind) && (
          <SelectField<'yes' | 'no'>
            label="Does the host build branches?"
            choices={buildsBranches}
            value={fields.hasPreviews ? 'yes' : 'no'}
            onChange={(chosenAnswer) => change({ hasPreviews: chosenAnswer === 'yes' })}
          />
        )}
        <div class="panes">
          <TextField
            label="URL of the forge’s API"
            type="url"
            placeholder="From the repository’s URL"
            {...bindField('apiUrl')}
          />
          <TextField
            label="Minutes to wait for a build"
            placeholder="10"
            {...bindField('buildMinutes')}
          />
        </div>
      </div>
    </details>
  );
}

/** Says what a person must still type. */
export const HostMissing = ({ fields }: { fields: HostFields }) => {
  const missingField = missingHostField(fields);
  return missingField === undefined ? null : <p class="muted small">{missingField}</p>;
};

interface HostAnswersProps {
  check: HostCheck;
  /** Adds a host to the trusted ones. */
  believe: (host: string) => void;
  /** Adds a rule for the URLs of pages in Markdown. */
  acceptUrlRule: (rule: PageUrlRule) => void;
}

/** Shows what the check of an external host found, with an earlier deployment as proof. */
export function HostCheckResults({ check, believe, acceptUrlRule }: HostAnswersProps) {
  const { problems, warnings, reports, hosts, proof, unknownPageUrls } = check;
  const isSeen = proof !== null && proof.status >= 200 && proof.status < 300;
  return (
    <>
      {problems.length === 0 && (
        <CheckResultLine is="good">
          The forge grants the access that the service needs
        </CheckResultLine>
      )}
      {problems.map(({ message }) => (
        <CheckResultLine is="bad" key={message}>
          {message}
        </CheckResultLine>
      ))}
      {isSeen && (
        <CheckResultLine is="good">
          {proof.commit === null ? 'The live site answers' : 'An earlier deployment answers'}:{' '}
          <ProofLink {...proof} />
        </CheckResultLine>
      )}
      {warnings.map(({ code, message }) => (
        <CheckResultLine is="warn" key={message}>
          {message}
          {code === 'hosts' && <Believable hosts={hosts} believe={believe} />}
          {code === 'page-urls' && (
            <ProposedUrlRules proposals={unknownPageUrls} acceptUrlRule={acceptUrlRule} />
          )}
        </CheckResultLine>
      ))}
      {reports.length > 0 && (
        <CheckResultLine is="">
          Reported so far: {reports.slice(0, 5).map(reportWords).join(', ')}
          {reports.length > 5 && ` and ${reports.length - 5} more`}
        </CheckResultLine>
      )}
    </>
  );
}

const Believable = ({
  hosts,
  believe,
}: { hosts: string[] } & Pick<HostAnswersProps, 'believe'>) => (
  <span class="row">
    {hosts.slice(0, 5).map((host) => (
      <Button key={host} little icon="plus" onClick={() => believe(host)}>
        {`Trust ${host}`}
      </Button>
    ))}
  </span>
);

/** The rules that fit the sitemap of the live site, each with a page as an example. */
const ProposedUrlRules = ({
  proposals,
  acceptUrlRule,
}: { proposals: PageUrlProposal[] } & Pick<HostAnswersProps, 'acceptUrlRule'>) => (
  <>
    {proposals.map(({ folder, pattern, example }) =>
      pattern === null || example === null ? (
        <span class="row" key={folder}>
          {`The sitemap of the live site does not show the pattern of ${folder}. Enter it under “More settings of the host”.`}
        </span>
      ) : (
        <span class="row" key={folder}>
          <Button little icon="plus" onClick={() => acceptUrlRule({ folder, pattern })}>
            {`Use ${pattern} for ${folder}`}
          </Button>
          {`For example, ${example.path} is at ${example.url}`}
        </span>
      ),
    )}
  </>
);

const reportWords = ({ name, creator }: HostCheck['reports'][number]) =>
  creator === null ? name : `${name} by ${creator}`;

function ProofLink({ url, title }: { url: string; title: string | null }) {
  const href = openableUrl(url);
  const linkText = title ?? hostOfUrl(url);
  return href ? <OutsideLink href={href}>{linkText}</OutsideLink> : <>{linkText}</>;
}

const resultIcons = { good: 'check', bad: 'alert', warn: 'alert', '': 'info' } as const;

/** One result of a check, with an icon. */
export const CheckResultLine = ({
  is,
  children,
}: {
  is: keyof typeof resultIcons;
  children: ComponentChildren;
}) => (
  <li class={`found ${is}`}>
    <Icon name={resultIcons[is]} size={16} /> <span>{children}</span>
  </li>
);
